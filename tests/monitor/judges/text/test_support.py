"""Rules of support."""

import numpy as np
import pytest

from monitor.judges.text.support import FEATURES, NOTHING_COVERED, EvidenceIndex
from monitor.judges.text.tokens import tokenize

PASSAGES = ["The tower is 300 m high. It was built in Paris by Gustave Eiffel. It opened in 1889. It never moved."]


def measure(claim: str, passages: list[str] = PASSAGES) -> dict[str, float]:
    """Features of the window with the largest coverage."""
    tokens = tokenize(claim)
    rows = EvidenceIndex(passages, [tokens]).measure(tokens)
    return dict(zip(FEATURES, rows[np.argmax(rows[:, 0])], strict=True))


def test_a_copied_sentence_is_covered_and_misses_nothing() -> None:
    found = measure("It was built in Paris by Gustave Eiffel.")
    assert found["coverage"] == pytest.approx(-NOTHING_COVERED)
    assert found["phrases"] == pytest.approx(1.0)
    assert [found[name] for name in FEATURES[2:]] == [0.0] * 5


def test_a_foreign_sentence_is_not_covered() -> None:
    assert measure("Bananas grow elsewhere")["coverage"] == pytest.approx(NOTHING_COVERED)


def test_missing_numbers_and_names_are_counted_up_to_two() -> None:
    found = measure("The tower of 301 m, 302 m and 303 m was built by Gustave Klimt.")
    assert (found["numbers"], found["names"]) == (1.0, 0.5)


def test_a_number_of_another_window_is_missing_from_the_window_only() -> None:
    passages = ["The tower is 300 m high. " + "Nothing is said here at all. " * 4 + "The bridge is 50 m long."]
    found = measure("The tower is 50 m high.", passages)
    assert (found["window_numbers"], found["numbers"]) == (0.5, 0.0)


def test_a_negation_counts_only_where_the_window_has_none() -> None:
    assert measure("The shop is not open", ["The shop is open every day"])["negation"] == 1.0
    assert measure("The shop is not open", ["The shop is never open"])["negation"] == 0.0


def test_no_passage_text_means_no_window() -> None:
    claim = tokenize("Anything")
    for passages in ([], ["", " \n"], ["..."]):
        assert EvidenceIndex(passages, [claim]).measure(claim).shape == (0, len(FEATURES))


def test_a_claim_has_the_same_features_beside_others_as_alone() -> None:
    passages = [*PASSAGES, "...", "Nothing was built in 1889. Paris never moved. 铁塔高300米。它没有移动过。"]
    claims = [
        tokenize(text) for text in ("It was built in Paris in 1889.", "铁塔不高，只有200米。", "Bananas never move")
    ]
    index = EvidenceIndex(passages, claims)
    for claim in claims:
        np.testing.assert_array_equal(index.measure(claim), EvidenceIndex(passages, [claim]).measure(claim))
