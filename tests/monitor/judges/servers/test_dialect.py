from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.reasons import Lesson
from monitor.judges.servers.dialect import ALTERNATIVES, Dialect, Structured

FIRST = Dialect(tuple(Structured))


@given(st.lists(st.sampled_from(Lesson), max_size=60))
def test_learning_ends_whatever_is_taught(lessons: list[Lesson]) -> None:
    dialect, learned = FIRST, 0
    for lesson in lessons:
        after = dialect.after(lesson)
        if after is not None:
            assert after != dialect
            dialect, learned = after, learned + 1
    assert learned <= len(Lesson) + len(Structured) + len(ALTERNATIVES)
    assert dialect.rungs


def test_a_lesson_that_did_not_help_leads_to_a_weaker_way_or_to_nothing() -> None:
    for lesson in (Lesson.FORCED_TOOL, Lesson.RANGES):
        once = FIRST.after(lesson)
        assert once is not None
        twice = once.after(lesson)
        assert twice is not None
        assert twice.structured is Structured.JSON_OBJECT
    cold = FIRST.after(Lesson.TEMPERATURE)
    assert cold is not None
    assert cold.after(Lesson.TEMPERATURE) is None
