"""Where an error is said to come from."""

from __future__ import annotations

from typing import NoReturn

import pytest

from monitor.errors import where


def _raised(error: Exception) -> Exception:
    with pytest.raises(type(error)) as caught:
        _fail(error)
    return caught.value


def _fail(error: Exception) -> NoReturn:
    raise error


def test_an_error_out_of_a_group_of_tasks_is_named_by_the_first_one_inside() -> None:
    inner = _raised(ValueError("secret"))
    group = _raised(ExceptionGroup("tasks", [ExceptionGroup("more", [inner])]))
    assert where(group) == where(inner)
    assert where(inner)["error"] == "ValueError"
    assert where(inner)["place"].startswith("test_errors.py:")


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert where(ValueError()) == {"error": "ValueError", "place": "unknown"}
