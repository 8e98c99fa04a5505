"""An attribute that is worked out when somebody first asks for it."""

from __future__ import annotations

from monitor.traces.lazy import lazy


class _Counted:
    def __init__(self, start: int) -> None:
        self.asked = start

    @lazy
    def value(self) -> int:
        """How often it was asked."""
        self.asked += 1
        return self.asked


def test_it_is_worked_out_once_and_for_each_object_by_itself() -> None:
    one, other = _Counted(0), _Counted(10)
    assert (one.asked, one.value, one.value, other.value, one.asked) == (0, 1, 1, 11, 1)


def test_its_class_shows_what_it_is() -> None:
    assert _Counted.value.__doc__ == "How often it was asked."
