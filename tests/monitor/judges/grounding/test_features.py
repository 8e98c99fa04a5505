"""Rules of the features that ground a sentence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.judges.grounding.features import FEATURES, SIGNS, Grounding, Measured
from monitor.judges.grounding.rarity import WEIGHTS, rarity_of, rarity_of_character
from monitor.judges.text.tokens import tokenize

PASSAGES = ["The tower is 300 m high. It was built in Paris by Gustave Eiffel. It opened in 1889. It never moved."]
LACKS = [name for name, sign in SIGNS.items() if sign > 0]
HELPS = np.array([-sign for sign in SIGNS.values()])
HELD = [name for name, sign in SIGNS.items() if sign < 0 and name != "nearest"]


def measured(claim: str, passages: list[str]) -> Measured:
    tokens = tokenize(claim)
    return Grounding(passages, [tokens]).measure(tokens)


def features(claim: str, passages: list[str] = PASSAGES) -> dict[str, float]:
    return dict(zip(FEATURES, measured(claim, passages).values[0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("claim", "passages"),
    [("It was built in Paris by Gustave Eiffel.", PASSAGES), ("铁塔高300米。", ["铁塔高300米。它没有移动过。"])],
)
def test_a_copied_sentence_is_held_and_lacks_nothing(claim: str, passages: list[str]) -> None:
    found = features(claim, passages)
    assert [found[name] for name in HELD] == [1.0] * len(HELD)
    assert [found[name] for name in LACKS] == [0.0] * len(LACKS)


def test_a_foreign_sentence_is_not_held() -> None:
    found = features("Bananas grow elsewhere")
    assert [found[name] for name in HELD if name != "number_company"] == [0.0] * (len(HELD) - 1)
    assert found["number_company"] == 1.0, "it has no number"


def test_missing_numbers_and_names_are_counted_up_to_two() -> None:
    found = features("The tower of 301 m, 302 m and 303 m was built by Gustave Klimt.")
    assert (found["numbers"], found["names"]) == (2.0, 1.0)


def test_a_number_of_another_window_is_missing_from_the_window_only() -> None:
    passages = [
        "The high tower was built by Gustave Eiffel. "
        + "Nothing is said here at all. " * 4
        + "The bridge is 50 m long."
    ]
    claim = "The high tower by Gustave Eiffel is 50 m."
    found = features(claim, passages)
    assert (found["window_numbers"], found["numbers"]) == (1.0, 0.0)
    assert measured(claim, passages).windows[0].elsewhere == ("50",)


def test_a_number_that_stands_without_its_company_is_told_from_one_that_stands_with_it() -> None:
    passages = ["The ferry leaves the harbour at noon and costs 12 euros. The museum has 40 rooms."]
    assert features("The ferry costs 12 euros.", passages)["number_company"] == 1.0
    assert features("The ferry costs 40 euros.", passages)["number_company"] == 0.0
    assert measured("The ferry costs 40 euros.", passages).apart == 1.0


def test_a_negation_counts_only_where_the_window_has_none() -> None:
    assert features("The shop is not open today", ["The shop is open every day"])["negation"] > 0.3
    assert features("The shop is not open today", ["The shop is never open"])["negation"] == 0.0


def test_a_sentence_that_says_all_of_a_negated_claim_and_denies_nothing_is_no_evidence_for_it() -> None:
    found = measured("The shop is not open", ["The shop is open every day", "It is old"])
    assert found.contrary == 0
    assert found.values[:, [FEATURES.index(name) for name in ("found", "window", "sentence")]].max() == 0.0
    assert measured("The shop is not open", ["The shop is never open"]).contrary is None
    assert measured("The shop is not open", ["The shop is open every day, but not today"]).contrary is None


def test_a_run_of_characters_and_the_rarest_one_that_no_passage_holds_are_found() -> None:
    found = features("德国外长弗拉德里希表示支持", ["德国外长表示支持停火"])
    assert found["missing_run"] == 5.0
    assert found["rare_character"] == max(map(rarity_of_character, "弗拉德里希"[:2]))


def test_no_passage_text_means_no_window_and_nothing_held() -> None:
    for passages in ([], ["", " \n"], ["..."]):
        found = measured("The tower is 300 m high.", passages)
        (window,) = found.windows
        assert window.sentences is None
        assert found.values[0, [FEATURES.index(name) for name in HELD]].sum() == 0.0


def test_a_claim_has_the_same_features_beside_others_as_alone() -> None:
    passages = [*PASSAGES, "...", "Nothing was built in 1889. Paris never moved. 铁塔高300米。它没有移动过。"]
    claims = [
        tokenize(text) for text in ("It was built in Paris in 1889.", "铁塔不高，只有200米。", "Bananas never move")
    ]
    together = Grounding(passages, claims)
    for claim in claims:
        alone = Grounding(passages, [claim]).measure(claim)
        np.testing.assert_array_equal(together.measure(claim).values, alone.values)


words = st.lists(
    st.sampled_from(["red", "tower", "Rome", "Anna", "12", "34", "opened", "in", "not"]), min_size=1, max_size=9
)


@settings(max_examples=50, deadline=None)
@given(words, st.lists(words.map(" ".join), min_size=1, max_size=3), words.map(" ".join))
def test_another_passage_takes_nothing_away(claim: list[str], passages: list[str], added: str) -> None:
    """Each window of before is met by one that is as good in every feature: the least risk of them cannot grow."""
    before, after = (measured(" ".join(claim), given).values * HELPS for given in (passages, [*passages, added]))
    assert all((after >= row).all(axis=1).any() for row in before)


def test_windows_that_hold_no_less_than_others_in_any_feature_come_and_the_one_that_holds_most_comes_first() -> None:
    passages = ["The shop is open every day.", "The shop is never open.", "Shops are old."]
    first, second = measured("The shop is not open every single day", passages).windows
    assert (first.sentences, first.unnegated) == ((0, 0), True)
    assert (second.sentences, second.unnegated) == ((1, 1), False)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("They could not tell the colours apart", "They failed to tell the colours apart"),
        ("Photos are not allowed in the show", "Photos in the show are forbidden"),
        ("The app does not open the file", "The app is unable to open the file"),
    ],
)
def test_a_passage_may_deny_in_other_words(claim: str, passage: str) -> None:
    assert features(claim, [passage])["negation"] == 0.0


def test_a_negation_counts_less_where_the_window_says_the_rest_in_other_words() -> None:
    passages = ["The shop is open on every Sunday of the year"]
    near = features("The shop is not open on the first Sunday of the year", passages)["negation"]
    far = features("The shop does not unlock its large doors on any Sunday", passages)["negation"]
    assert 0.0 < far < near < 1.0


@pytest.mark.parametrize(
    ("claim", "passage", "contrary"),
    [
        ("Dogs may not enter the garden.", "Dogs are forbidden to enter the garden.", None),
        ("Dogs are not forbidden to enter.", "Dogs are forbidden to enter.", 0),
        ("Guests may not enter the garden.", "Only members may enter the garden.", None),
        ("Members may not enter the garden.", "Only members may enter the garden.", 0),
    ],
)
def test_a_denial_in_other_words_is_none_of_what_the_passage_says_itself(
    claim: str, passage: str, contrary: int | None
) -> None:
    found = measured(claim, [passage])
    assert found.contrary == contrary
    assert found.values[0, FEATURES.index("negation")] == 0.0


def test_a_negation_of_something_else_in_the_window_does_not_excuse_one_in_the_claim() -> None:
    passage = "Dogs are allowed in the park at noon. Cats are not allowed in there."
    (cats,) = measured("Cats are not allowed in there.", [passage]).values
    (dogs,) = measured("Dogs are not allowed in the large park at noon.", [passage]).values
    assert cats[FEATURES.index("negation")] == 0.0
    assert 0.3 < dogs[FEATURES.index("negation")] < 1.0
    assert measured("Dogs are not allowed.", ["Dogs are allowed."]).contrary == 0


def test_rarity_is_between_zero_and_one_and_grows_with_rarity() -> None:
    assert 0.0 <= rarity_of("year") < rarity_of("lighthous") <= rarity_of("qwertzu") == 1.0
    assert rarity_of("1889") == 1.0
    assert 0.0 <= rarity_of_character("国") < rarity_of_character("饕") == 1.0
    assert rarity_of_character("の") == 0.0
    assert (WEIGHTS["the"], WEIGHTS["的"]) == (0.0, 0.0)
