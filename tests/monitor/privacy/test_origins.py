from __future__ import annotations

from collections.abc import Callable

import pytest

from monitor.config.settings import Privacy
from monitor.privacy.origins import Origins
from monitor.privacy.redactor import Redactor
from monitor.records import Passage, Provenance, RagTrace
from tests.growth import grows_linearly

REDACTOR = Redactor(Privacy(), b"a key of the tests")


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("asked1", Provenance.QUESTION),
        ("searched1", Provenance.QUESTION),
        ("told1", Provenance.CONTEXT),
        ("found", Provenance.NOVEL),
        ("other", Provenance.NOVEL),
    ],
)
@pytest.mark.parametrize("looked_up", [0, 200])
def test_a_value_comes_from_the_question_before_the_passages(value: str, origin: Provenance, looked_up: int) -> None:
    """However many others were looked up before, where it is a word of its own."""
    passages = (Passage("Say 'told1', or asked1."), Passage("x " * 200_000))
    origins = Origins(RagTrace("t", "r", "is it asked1?", "a", passages, search_query="searched1"), {})
    for number in range(looked_up):
        assert origins.of(f"novel{number}") is Provenance.NOVEL
    assert origins.of(value) is origin


def test_what_was_found_is_not_searched() -> None:
    assert Origins(RagTrace("t", "r", "v", "a"), {"v": Provenance.CONTEXT}).of("v") is Provenance.CONTEXT


def _novel(count: int) -> Callable[[], object]:
    emails = " ".join(f"n{number:06d}@example.com" for number in range(count))
    trace = RagTrace("t", "r", "hello", emails, (Passage("nothing here @ " * count),))
    return lambda: REDACTOR.scan(trace)


def _passages(count: int) -> Callable[[], object]:
    trace = RagTrace("t", "r", "q", "ok", tuple(Passage(f"write to n{at:06d}@example.com") for at in range(count)))
    hits = REDACTOR.scan(trace)
    return lambda: REDACTOR.redact(trace, hits, complete=True)


@pytest.mark.parametrize("work", [_novel, _passages])
def test_time_is_linear_in_hits_of_the_answer_and_in_passages(work: Callable[[int], Callable[[], object]]) -> None:
    assert grows_linearly(work, 1_000)
