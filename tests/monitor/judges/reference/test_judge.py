"""Rules of the reference judge."""

import asyncio
from dataclasses import replace

import pytest

from monitor.config.judges import ReferenceJudge as ReferenceSettings
from monitor.judges.reference.evaluations import EVALUATIONS
from monitor.judges.reference.judge import ReferenceJudge
from monitor.judges.reference.references import Absence, GivenReferences, Reference
from monitor.judges.scorable import REASONS
from monitor.records import ContextsSource, Judgement, Outcome, Passage, RagTrace
from tests.fakes import FakeClock

TRACE = RagTrace(
    "t",
    "r",
    "How long is the warranty?",
    "The warranty lasts two years.",
    (Passage("Returns are free.", "returns.md"), Passage("The warranty lasts 2 years.", "kb/01_warranty.md")),
    ContextsSource.SPAN,
)
REFERENCE = Reference(("Five years.", "The warranty lasts two years."), ("Warranty.pdf",))
NAMES = tuple(EVALUATIONS)


def judged(trace: RagTrace, reference: Reference | None, k: int = 5) -> dict[str, Judgement]:
    clock = FakeClock()
    given = {} if reference is None else {trace.trace_id: reference}
    settings = ReferenceSettings.model_validate({"evaluations": NAMES, "k": k})
    judge = ReferenceJudge(settings, clock, GivenReferences(given))
    judgements = asyncio.run(judge.judge(trace, (), clock.monotonic() + 30.0))
    assert tuple(one.evaluation for one in judgements) == NAMES
    return {one.evaluation: one for one in judgements}


def outcomes(found: dict[str, Judgement]) -> set[tuple[Outcome, str]]:
    return {(one.outcome, one.reason) for one in found.values()}


def test_of_several_references_the_best_counts() -> None:
    scores = {name: one.score for name, one in judged(TRACE, REFERENCE).items()}
    assert scores == {**dict.fromkeys(NAMES, 1.0), "mrr": 0.5}


def test_k_is_how_many_passages_are_looked_at() -> None:
    first, second = judged(TRACE, REFERENCE, k=1)["hit_at_k"], judged(TRACE, REFERENCE, k=2)["hit_at_k"]
    assert (first.score, first.label, second.score, second.label) == (0.0, "miss", 1.0, "hit")
    assert [(piece.passage, piece.label) for piece in second.evidence] == [(1, "irrelevant"), (2, "relevant")]


def test_without_a_reference_nothing_is_scorable() -> None:
    assert outcomes(judged(TRACE, None)) == {(Outcome.NOT_SCORABLE, "no_reference")}
    assert set(Absence) <= set(REASONS)


def test_what_the_entry_lacks_is_not_scorable() -> None:
    found = judged(TRACE, Reference(("Two years.",)))
    assert (found["hit_at_k"].reason, found["mrr"].reason) == ("no_reference", "no_reference")
    found = judged(TRACE, Reference(sources=("warranty.md",)))
    assert {name for name, one in found.items() if one.score is not None} == {"hit_at_k", "mrr"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"contexts": ()}, {"hit_at_k": 0.0, "mrr": 0.0, "context_recall": 0.0, "f1": 1.0}),
        (
            {"contexts": (), "contexts_source": ContextsSource.UNKNOWN},
            {"hit_at_k": "unknown_context", "mrr": "unknown_context", "context_recall": "unknown_context", "f1": 1.0},
        ),
        ({"answer": None}, {"hit_at_k": 1.0, "context_recall": 1.0, "correctness": "no_answer", "bleu": "no_answer"}),
        ({"truncated": True}, dict.fromkeys(NAMES, "incomplete_input")),
        ({"redacted": True}, dict.fromkeys(NAMES, "hidden_content")),
        (
            {"contexts": (Passage("The warranty lasts 2 years."),)},
            {"hit_at_k": "unknown_sources", "context_recall": 1.0},
        ),
    ],
)
def test_what_the_request_lacks_is_said(change: dict[str, object], expected: dict[str, object]) -> None:
    found = judged(replace(TRACE, **change), REFERENCE)  # type: ignore[arg-type]
    assert {name: found[name].reason or found[name].score for name in expected} == expected


def test_what_the_request_lacks_is_said_before_that_there_is_no_reference() -> None:
    assert outcomes(judged(replace(TRACE, redacted=True), None)) == {(Outcome.NOT_SCORABLE, "hidden_content")}


def test_recall_is_the_share_of_the_sentences_of_the_reference_that_the_passages_hold() -> None:
    reference = Reference(("The warranty lasts two years. It was founded by Napoleon in Paris.",))
    found = judged(TRACE, reference)["context_recall"]
    assert (found.score, [piece.label for piece in found.evidence]) == (0.5, ["supported", "unsupported"])
    assert found.evidence[0].passage == 2


def test_a_reference_in_another_script_than_the_passages_is_an_error_and_no_score() -> None:
    found = judged(TRACE, Reference(("保修期为两年。",)))["context_recall"]
    assert (found.outcome, found.reason) == (Outcome.JUDGE_ERROR, "foreign_script")


def test_long_texts_are_read_until_the_deadline() -> None:
    long = replace(TRACE, contexts=(Passage("The warranty lasts 2 years. " * 400, "warranty.md"),))
    assert judged(long, REFERENCE)["context_recall"].score == 1.0
    judge = ReferenceJudge(ReferenceSettings(), FakeClock(), GivenReferences({"t": REFERENCE}))
    late = asyncio.run(judge.judge(long, (), 0.0))
    assert {(one.outcome, one.reason) for one in late} == {(Outcome.JUDGE_ERROR, "deadline")}


def test_k_and_the_golden_file_are_part_of_the_identity() -> None:
    def identity(settings: ReferenceSettings, digest: str) -> str:
        return ReferenceJudge(settings, FakeClock(), GivenReferences({}), digest).identity("mrr").fingerprint

    found = {identity(ReferenceSettings(k=k), digest) for k in (1, 5) for digest in ("a", "b")}
    assert len(found) == 4
