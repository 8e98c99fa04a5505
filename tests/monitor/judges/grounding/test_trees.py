"""Rules of the shipped models: fixed signs, forbidden features, size."""

import json
import time
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.judges.grounding import trees
from monitor.judges.grounding.assessment import assess
from monitor.judges.grounding.features import FEATURES, SIGNS

MODELS = ("spaced", "unspaced", "spaced_vectors")
FORBIDDEN = ("length", "position", "question", "source", "count", "place", "order")

TOP = np.array([1.0 if sign < 0 or name.endswith(("company", "elsewhere")) else 5.0 for name, sign in SIGNS.items()])

values = st.floats(0.0, 5.0, allow_nan=False)
rows = st.lists(values, min_size=len(FEATURES), max_size=len(FEATURES)).map(lambda row: np.minimum(row, TOP))


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=50, deadline=None)
@given(row=rows, feature=st.sampled_from(FEATURES), other=values)
def test_a_feature_moves_the_risk_in_one_direction_only(name: str, row: np.ndarray, feature: str, other: float) -> None:
    column = FEATURES.index(feature)
    changed = row.copy()
    changed[column] = min(other, TOP[column])
    before, after = trees.load(name).risk(np.array([row, changed]))
    direction = SIGNS[feature] * np.sign(changed[column] - row[column])
    assert direction * (after - before) >= -1e-12


@pytest.mark.parametrize("name", MODELS)
def test_trees_walk_as_their_json_says(name: str) -> None:
    model = json.loads(files("monitor.judges.grounding").joinpath(f"{name}.json").read_bytes())
    rng = np.random.default_rng(3)
    some = np.round(rng.random((20, len(FEATURES))) * TOP, 3)
    for row, risk in zip(some, trees.load(name).risk(some), strict=True):
        found = dict(zip(FEATURES, row, strict=True))
        terms = dict(zip(FEATURES, trees.terms(row[None])[0], strict=True))
        logit = model["base"] + sum(weight * terms[feature] for feature, weight in model["linear"].items())
        for tree in model["trees"]:
            node = 0
            while node < len(tree["split"]):
                node = 2 * node + 1 + (found[tree["split"][node]] > tree["above"][node])
            logit += tree["leaves"][node - len(tree["split"])]
        lacks = sum(weight * found[feature] for feature, weight in model["lacks"].items())
        assert risk == pytest.approx(1.0 - np.exp(-lacks) / (1.0 + np.exp(logit)))


def test_no_feature_looks_at_length_place_question_or_source() -> None:
    assert not [name for name in FEATURES for word in FORBIDDEN if word in name]


def test_a_name_that_is_no_feature_is_refused() -> None:
    with pytest.raises(KeyError):
        trees.parse(b'{"base": 0, "linear": {"length": 1.0}, "trees": []}')


def test_models_are_small_and_load_in_milliseconds() -> None:
    for name in MODELS:
        raw = files("monitor.judges.grounding").joinpath(f"{name}.json").read_bytes()
        started = time.process_time()
        trees.parse(raw)
        assert (len(raw) < 20_000, time.process_time() - started < 0.1) == (True, True)


def test_no_row_has_no_risk() -> None:
    assert trees.load("spaced").risk(np.empty((0, len(FEATURES)))).shape == (0,)


PASSAGES = [
    "The museum is open from Tuesday to Sunday. Entry costs 12 euros. Children under six enter free of charge.",
    "The harbour was built in 1803. A ferry crosses twice a day. 本产品保修期为2年，自购买之日起计算。",
]
CHECKED = [
    "Entry costs 12 euros.",
    "Entry costs 15 euros.",
    "The museum was founded by Napoleon.",
    "保修期为五年。",
    "A ferry crosses twice a day.",
]
NEUTRAL = [
    "The museum is open from Tuesday to Sunday.",
    "The harbour was built in 1803.",
    "I hope this helps!",
    "Is there anything else?",
    "Children under six enter free of charge.",
]


def risks(sentences: list[str]) -> dict[str, float]:
    return {piece.text: piece.score for piece in assess("\n".join(sentences), PASSAGES).evidence}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(NEUTRAL), max_size=12).flatmap(lambda more: st.permutations([*CHECKED, *more])))
def test_neutral_sentences_around_a_sentence_and_its_place_do_not_move_its_risk(answer: list[str]) -> None:
    alone = {text: risks([text])[text] for text in CHECKED}
    found = risks(answer)
    assert {text: found[text] for text in CHECKED} == alone


@settings(max_examples=50, deadline=None)
@given(st.permutations(PASSAGES))
def test_the_order_of_the_passages_does_not_move_a_risk(passages: list[str]) -> None:
    """Where a passage stands, as a source has it, tells nothing about what it says."""
    before = [piece.score for piece in assess("\n".join(CHECKED), PASSAGES).evidence]
    assert [piece.score for piece in assess("\n".join(CHECKED), passages).evidence] == before
