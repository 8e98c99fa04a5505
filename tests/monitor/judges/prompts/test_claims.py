"""Rules of claims held against passages or the answer, in one call and over windows."""

from __future__ import annotations

import dataclasses
import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import JudgeRejected
from monitor.judges.prompts.claims import Claims
from monitor.judges.prompts.evaluation import load_evaluation
from monitor.judges.prompts.material import Excerpt, Material, whole
from monitor.judges.prompts.reading import Items, Reading, Said
from monitor.judges.replies.strict_json import Json
from monitor.records import Evidence, Outcome, Passage, RagTrace

TRACE = RagTrace(
    "t",
    "",
    "What does it cost, and is roaming included?",
    "It costs 12 euros. It includes roaming.",
    contexts=(Passage("The plan costs 12 euros a month."), Passage("Roaming is free; roaming in Japan is not.")),
)
WHOLE = "It costs 12 euros and includes roaming."
"""All that the answer states, in one claim."""
QUOTES = {1: "costs 12 euros", 2: "Roaming is free"}
STRICT = ("supported", "contradicted", "not_found")


def reader_of(file: str) -> Claims:
    reader = load_evaluation(file).reads
    assert isinstance(reader, Claims)
    return reader


FAITHFULNESS, GRADED = reader_of("faithfulness"), reader_of("faithfulness_graded")


def claim(verdict: Json = "supported", passage: Json = 1, text: Json = WHOLE, quote: Json | None = None) -> Json:
    found = QUOTES.get(passage, "") if isinstance(passage, int) else ""
    said = found if quote is None and verdict != "not_found" else quote
    return {"claim": text, "passage": passage, "quote": said, "reason": "stated", "verdict": verdict}


def apart(claims: tuple[Json, ...]) -> list[Json]:
    """The claims, with a number behind those whose text is that of an earlier one: claims of their own."""
    texts = [one["claim"] if isinstance(one, dict) and "claim" in one else None for one in claims]
    return [
        {**one, "claim": f"{text} {index}"} if isinstance(one, dict) and text in texts[:index] and text else one
        for index, (one, text) in enumerate(zip(claims, texts, strict=True))
    ]


def read(*claims: Json, count: Json = None, trace: RagTrace = TRACE, reader: Claims = FAITHFULNESS) -> Reading:
    verdict: dict[str, Json] = {"claims": apart(claims), "claim_count": len(claims) if count is None else count}
    return reader.reading(reader.judged(Said(verdict), whole(trace)), whole(trace))


def problem_of(*claims: Json, count: Json = None, trace: RagTrace = TRACE) -> tuple[str, str]:
    with pytest.raises(JudgeRejected) as caught:
        read(*claims, count=count, trace=trace)
    return str(caught.value.reason), caught.value.detail


# -------------------------------------------------------------------------------------------------------------- scoring


def test_the_score_is_the_supported_share() -> None:
    reading = read(claim(), claim("contradicted", 2), claim("not_found", 0), claim("not_found", 2))
    assert (reading.score, reading.label, reading.coverage) == (0.25, "unfaithful", 1.0)


def test_a_detail_that_is_not_stated_counts_half_by_the_graded_rubric() -> None:
    reading = read(claim(), claim("partial", 2), claim("not_found", 0), claim("contradicted", 2), reader=GRADED)
    assert (reading.score, reading.label) == (0.375, "unfaithful")
    assert read(claim(), claim("partial", 2), reader=GRADED).label == "faithful"


def test_the_evidence_says_which_words_of_which_passage_and_where_in_the_answer() -> None:
    reading = read(claim(text="It costs 12 euros."), claim("not_found", 0, "Roaming costs nothing."))
    assert reading.evidence == (
        Evidence("It costs 12 euros.", 1.0, 1, 0, 18, "supported", "stated", 9, 23),
        Evidence("Roaming costs nothing.", 0.0, 0, -1, -1, "not_found", "stated"),
    )
    assert reading.explanation == '1 of 2 supported. Not so: "Roaming costs nothing." (not_found)'


@given(st.lists(st.sampled_from(sorted(GRADED.verdicts)), min_size=1, max_size=30))
def test_every_score_lies_between_0_and_1_and_is_the_mean(verdicts: list[str]) -> None:
    score = read(*[claim(verdict) for verdict in verdicts], reader=GRADED).score
    assert score is not None
    assert math.isclose(score, sum(GRADED.verdicts[verdict] for verdict in verdicts) / len(verdicts))


# --------------------------------------------------------------------------------------------------- what is no verdict


@pytest.mark.parametrize("verdict", ["yes", "", None, 1, True, "not supported", "supported?", ["supported"], "partial"])
def test_a_word_that_was_not_offered_spoils_the_whole_verdict(verdict: Json) -> None:
    assert problem_of(claim(), claim(verdict)) == ("parse", "verdict")


@pytest.mark.parametrize("passage", [3, -1, None, "1", True, 1.0, [1]])
def test_a_passage_that_does_not_exist_spoils_the_whole_verdict(passage: Json) -> None:
    assert problem_of(claim(), claim("not_found", passage)) == ("parse", "passage")


@pytest.mark.parametrize("verdict", ["supported", "contradicted"])
def test_a_verdict_on_no_passage_spoils_the_whole_verdict(verdict: str) -> None:
    assert problem_of(claim(), claim(verdict, 0)) == ("parse", "passage")


@pytest.mark.parametrize(
    "broken",
    [None, "text", 1, [], {}, {"verdict": "supported", "passage": 1}, claim(text=" "), claim(text=7), claim(text="—")],
)
def test_a_claim_that_is_none_spoils_the_whole_verdict(broken: Json) -> None:
    assert problem_of(claim(), broken)[0] == "parse"


@pytest.mark.parametrize("count", ["2", True, 2.0, [2]])
def test_a_count_is_a_whole_number(count: Json) -> None:
    assert problem_of(claim(), count=count) == ("parse", "schema")


@pytest.mark.parametrize("count", [-1, -(10**17)])
def test_a_negative_count_is_a_number_that_no_verdict_has(count: int) -> None:
    assert problem_of(claim(), count=count) == ("invalid_score", "")


def test_claims_are_a_list() -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        FAITHFULNESS.judged(Said({"claims": {"0": claim()}, "claim_count": 1}), whole(TRACE))


# ------------------------------------------------------------------------------------------------------- claimed twice


def read_as_given(*claims: Json) -> Reading:
    said = Said({"claims": list(claims), "claim_count": len(claims)})
    return FAITHFULNESS.reading(FAITHFULNESS.judged(said, whole(TRACE)), whole(TRACE))


@pytest.mark.parametrize("again", ["It costs 12 euros.", "it costs 12  euros", "**It costs 12 euros**"])
def test_a_claim_with_the_same_verdict_twice_counts_once(again: str) -> None:
    costs = claim(text="It costs 12 euros.")
    reading = read_as_given(claim("not_found", 0, "Roaming is included."), costs, claim(text=again), costs)
    assert (reading.score, reading.coverage, reading.flags) == (0.5, 1.0, ())
    assert [piece.label for piece in reading.evidence] == ["not_found", "supported"]


@pytest.mark.parametrize("verdict", ["contradicted", "not_found"])
def test_a_claim_with_two_verdicts_is_an_error_also_where_neither_is_proven(verdict: str) -> None:
    for first in (claim(), claim(quote="no such words")):
        for pair in ((first, claim(verdict)), (claim(verdict), first)):
            with pytest.raises(JudgeRejected, match="parse: two_verdicts"):
                read_as_given(claim("not_found", 0, "Roaming is included."), *pair)


def test_of_two_quotations_for_a_claim_one_that_stands_is_enough() -> None:
    for pair in ((claim(), claim(quote="no such words")), (claim(quote="no such words"), claim())):
        reading = read_as_given(*pair)
        assert (reading.score, reading.flags) == (1.0, ())


# ------------------------------------------------------------------------------------------------------------- coverage


@pytest.mark.parametrize("quote", ["costs 13 euros", "", None, 7, "Roaming is free", "x", "is", "2 euros"])
@pytest.mark.parametrize("verdict", ["supported", "contradicted"])
def test_a_claim_whose_quotation_is_not_in_its_passage_was_not_judged(verdict: str, quote: Json) -> None:
    unproven = {**claim(verdict), "quote": quote}  # type: ignore[dict-item]
    reading = read(claim("not_found", 0), claim(), unproven)
    assert (reading.score, reading.coverage, reading.flags) == (0.5, 2 / 3, ("quote_not_found",))
    assert len(reading.evidence) == 2


def test_less_than_half_of_the_claims_proven_is_no_verdict() -> None:
    assert problem_of(claim(), claim(quote="a"), claim(quote="b")) == ("parse", "quote_not_found")


def test_missing_claims_show_in_the_coverage() -> None:
    reading = read(claim(), claim("not_found", 0), count=3)
    assert (reading.score, reading.coverage, reading.flags) == (0.5, 2 / 3, ("claims_missing",))


def test_less_than_half_of_the_claims_is_no_verdict() -> None:
    assert problem_of(claim(), count=3) == ("parse", "claims_missing")
    assert problem_of(count=3) == ("parse", "claims_missing")


def test_a_count_that_is_too_low_is_a_miscount() -> None:
    reading = read(claim(), claim(), count=1)
    assert (reading.score, reading.coverage, reading.flags) == (1.0, 1.0, ())


THREE = dataclasses.replace(TRACE, answer="It costs 12 euros. It includes roaming. Support speaks Dutch.")
"""An answer of three claims."""
CHEESE = claim(text="The moon is made of cheese.")


def test_claims_that_the_answer_does_not_make_are_no_verdict_on_it() -> None:
    assert problem_of(CHEESE, trace=THREE) == ("parse", "claims_foreign")


def test_a_claim_that_the_answer_does_not_make_was_not_judged() -> None:
    reading = read(claim(), CHEESE, claim("not_found", 0, "Support is in Dutch."), trace=THREE)
    assert (reading.score, reading.coverage, reading.flags) == (0.5, 2 / 3, ("claims_foreign",))
    assert reading.explanation.endswith('Not of this text: "The moon is made of cheese."')
    assert len(reading.evidence) == 2


def test_a_list_that_leaves_most_of_the_answer_out_is_no_verdict() -> None:
    assert problem_of(claim(text="It costs 12 euros."), trace=THREE) == ("parse", "claims_left_out")


def test_a_sentence_without_a_claim_lowers_the_coverage_and_is_told() -> None:
    reading = read(claim(), trace=THREE)
    assert (reading.score, reading.coverage, reading.flags) == (1.0, 0.5, ("claims_left_out",))
    assert reading.explanation == '1 of 1 supported. Left out: "Support speaks Dutch."'


def test_a_claim_that_was_announced_and_left_out_is_missing_once() -> None:
    reading = read(claim(), count=2, trace=THREE)
    assert (reading.coverage, reading.flags) == (0.5, ("claims_missing", "claims_left_out"))


def test_a_short_answer_without_claims_is_not_scorable() -> None:
    reading = read(trace=RagTrace("t", "", "Hi", "Hello! How can I help?", contexts=(Passage("p"),)))
    assert (reading.outcome, reading.reason, reading.score) == (Outcome.NOT_SCORABLE, "no_claims", None)


def test_claims_that_were_overlooked_are_an_error() -> None:
    assert problem_of() == ("no_claims", "")


# ------------------------------------------------------------------------------------------------- held against answers


def parts(*verdicts: tuple[str, str, str], trace: RagTrace = TRACE) -> Reading:
    reader = reader_of("completeness")
    listed: list[Json] = [
        {"part": part, "quote": quote, "reason": "r", "verdict": verdict} for part, verdict, quote in verdicts
    ]
    said = Said({"parts": listed, "part_count": len(listed)})
    return reader.reading(reader.judged(said, whole(trace)), whole(trace))


def test_completeness_is_the_share_of_the_parts_that_the_answer_answers() -> None:
    reading = parts(("the price", "answered", "It costs 12 euros"), ("roaming in Japan", "unanswered", ""))
    assert (reading.score, reading.label) == (0.5, "incomplete")
    assert [(piece.text, piece.start, piece.end) for piece in reading.evidence] == [
        ("the price", 0, 17),
        ("roaming in Japan", -1, -1),
    ]


def test_a_part_that_the_answer_does_not_answer_in_these_words_was_not_judged() -> None:
    reading = parts(("the price", "answered", "It costs 12 euros"), ("roaming", "answered", "Roaming is free"))
    assert (reading.score, reading.coverage, reading.flags) == (1.0, 0.5, ("quote_not_found",))


def test_a_question_that_asks_for_nothing_was_overlooked() -> None:
    with pytest.raises(JudgeRejected, match="no_claims"):
        parts()


def test_correctness_is_the_share_of_the_reference_that_the_answer_gives() -> None:
    reader = reader_of("correctness")
    listed: list[Json] = [
        {"claim": "12 euros", "quote": "12 euros", "reason": "r", "verdict": "given"},
        {"claim": "no roaming", "quote": "includes roaming", "reason": "r", "verdict": "contradicted"},
        {"claim": "monthly", "quote": "", "reason": "r", "verdict": "missing"},
    ]
    material = whole(TRACE, ("12 euros a month without roaming",))
    reading = reader.reading(reader.judged(Said({"claims": listed, "claim_count": 3}), material), material)
    assert (reading.score, reading.label) == (1 / 3, "incorrect")


def test_claims_that_are_not_of_the_reference_were_not_judged_and_what_is_left_out_of_it_is_told() -> None:
    listed: list[Json] = [
        {**claim("found", 1, text), "verdict": "found"}  # type: ignore[dict-item]
        for text in ("It costs 12 euros.", "The moon is made of cheese.")
    ]
    reader = reader_of("context_recall")
    material = whole(TRACE, ("It costs 12 euros a month. Support speaks Dutch. Shoes are blue.",))
    reading = reader.reading(reader.judged(Said({"claims": listed, "claim_count": 2}), material), material)
    assert (reading.score, reading.coverage, reading.flags) == (1.0, 0.5, ("claims_foreign", "claims_left_out"))


def test_a_question_that_the_parts_leave_out_is_told() -> None:
    trace = dataclasses.replace(TRACE, question="What does it cost? Is roaming included?")
    assert parts(("its cost", "answered", "It costs 12 euros"), trace=trace).flags == ("claims_left_out",)
    assert parts(("its cost", "answered", "It costs 12 euros"), ("roaming", "unanswered", ""), trace=trace).flags == ()


# -------------------------------------------------------------------------------------------------------------- windows


@st.composite
def windows_of_items(draw: st.DrawFn) -> list[Items]:
    """The same claims as several windows judged them."""
    labels = st.sampled_from([*GRADED.verdicts, "unverified"])
    count = draw(st.integers(1, 6))
    size = draw(st.integers(1, 4))
    return [
        Items(
            tuple(
                Evidence(f"claim {number}", GRADED.verdicts.get(label := draw(labels), 0.0), window, label=label)
                for number in range(count)
            )
        )
        for window in range(size)
    ]


def labels_of(items: Items) -> list[str]:
    return [piece.label for piece in items.evidence]


@given(windows_of_items())
def test_a_claim_has_the_best_verdict_of_its_windows_whatever_their_order(given_windows: list[Items]) -> None:
    order = ["supported", "unverified", "partial", "contradicted", "not_found"]
    best = [min(column, key=order.index) for column in zip(*map(labels_of, given_windows), strict=True)]
    for windows in itertools.permutations(given_windows):
        merged = windows[0]
        for later in windows[1:]:
            merged = GRADED.merge(merged, later)
        assert labels_of(merged) == best
        assert GRADED.merge(merged, merged) == merged


@given(windows_of_items())
def test_another_window_never_lowers_the_support_of_a_claim(given_windows: list[Items]) -> None:
    first, *others = given_windows
    merged = first
    for later in others:
        merged = GRADED.merge(merged, later)
    assert all(
        after.score >= before.score or after.label == "unverified"
        for before, after in zip(first.evidence, merged.evidence, strict=True)
    )


def test_only_claims_without_support_are_asked_again() -> None:
    items = Items(tuple(Evidence(label, 0.0, label=label) for label in (*STRICT, "unverified")))
    assert FAITHFULNESS.unsettled(items) == ("contradicted", "not_found", "unverified")


def window(*claims: str) -> Material:
    material = whole(TRACE)
    return dataclasses.replace(material, excerpts=(Excerpt(2, "roaming in Japan is not.", 17),), claims=claims)


def test_a_later_window_judges_the_claims_that_it_was_given_in_their_order() -> None:
    said = Said({"claims": [claim("contradicted", 2, "It includes roaming", "in Japan is not")], "claim_count": 1})
    items = FAITHFULNESS.judged(said, window("It includes roaming."))
    assert [(piece.passage_start, piece.passage_end) for piece in items.evidence] == [(25, 40)]
    for other in (window("Something else."), window("It includes roaming.", "It costs 12 euros."), window()):
        with pytest.raises(JudgeRejected, match="parse: claims"):
            FAITHFULNESS.judged(said, other)


def test_a_passage_that_the_window_does_not_show_shows_nothing() -> None:
    said = Said({"claims": [claim("supported", 1)], "claim_count": 1})
    with pytest.raises(JudgeRejected, match="parse: passage"):
        FAITHFULNESS.judged(said, window("It costs 12 euros."))
