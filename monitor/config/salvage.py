"""What is right of a configuration of which something is wrong, so that all else that is wrong can be told at once."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from monitor.config.settings import Settings
from monitor.config.validation import dotted

_MISSING = "-"
"""Stands for an option that is required and missing."""


class Salvaged(NamedTuple):
    """The settings without the options that are wrong, and the paths of these."""

    settings: Settings
    wrong: tuple[str, ...]


def salvage(content: Mapping[str, Any], error: ValidationError) -> Salvaged | None:
    """The settings as if nobody had given the options that the error names; None when they are still wrong then.

    An item of a list cannot be left out without moving the others: the whole list is.
    """
    left = copy.deepcopy(dict(content))
    wrong = []
    for item in error.errors(include_url=False):
        location = item["loc"][:-1] if isinstance(item["loc"][-1], int) else item["loc"]
        wrong.append(dotted(location))
        _leave_out(left, location, missing=item["type"] == "missing")
    try:
        return Salvaged(Settings.model_validate(left), tuple(wrong))
    except ValidationError:
        return None


def _leave_out(content: dict[str, Any], location: Sequence[str | int], *, missing: bool) -> None:
    place: Any = content
    holder: dict[Any, Any] = content
    key = location[0]
    for part in location:
        if isinstance(place, list) and isinstance(part, int) and part < len(place):
            place = place[part]
        elif isinstance(place, dict) and part in place:
            holder, key, place = place, part, place[part]
        elif isinstance(place, dict) and missing and part == location[-1]:
            place[part] = _MISSING
            return
        elif not (isinstance(place, dict) and place.get("type") == part):  # the kind of a judge is no key
            break
    holder.pop(key, None)
