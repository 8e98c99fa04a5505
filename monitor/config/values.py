"""The kinds of values that settings share: durations, rates, secrets."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from monitor.config.section import Section

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_RATE = re.compile(r"[0-9.]{1,40}(?:e-?[0-9]{1,2}|/[0-9]{1,40})?", re.IGNORECASE | re.ASCII)
_SHOWN = 40


def parse_duration(value: object) -> object:
    """Seconds from a number or from text such as `500ms`, `90s`, `5m`, `24h`, `7d`. Raises ValueError."""
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h|d)?\s*", value)
    if match is None:
        msg = f"{value!r} is not a duration; write seconds, or a number with ms, s, m, h or d, such as 5m"
        raise ValueError(msg)
    return float(match[1]) * _UNITS[match[2] or "s"]


def duration_text(seconds: float) -> str:
    """Seconds in the largest unit that divides them, as Prometheus writes them: `5m`, `1h`, `1d`, `90s`, `0.5s`.

    What `parse_duration` reads, and the label of a window.
    """
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:.0f}{unit}"
    return f"{seconds:.0f}s" if seconds == round(seconds) else f"{seconds:g}s"


def parse_rate(value: object) -> object:
    """The k of a rate 1/k, from `1/k`, such a share as a number, or 0 for `off` (never). Raises ValueError."""
    text = str(value).replace(" ", "")
    msg = f"{text[:_SHOWN]!r} is not a rate; write 1/k with a whole k, such as 1/100, or off"
    if isinstance(value, bool):
        if value:
            raise ValueError(msg)
        return 0  # YAML reads a bare `off` as false
    if value in (0, "0", "off"):
        return 0
    if not _RATE.fullmatch(text):  # a large exponent would be computed for ever
        raise ValueError(msg)
    try:
        share = Fraction(text).limit_denominator(1_000_000_000)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(msg) from error
    if not 0 < share <= 1 or share.numerator != 1:
        raise ValueError(msg)
    return share.denominator


Seconds = Annotated[float, BeforeValidator(parse_duration), Field(ge=0, allow_inf_nan=False)]
OneIn = Annotated[int, BeforeValidator(parse_rate), Field(ge=0, le=1_000_000_000)]
"""A rate 1/k held as k; 0 means never."""

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
"""From 0 to 1, both included."""


class Secret(Section):
    """A secret, from exactly one place. Secrets are never written into the file itself."""

    env: str | None = Field(None, description="Name of the environment variable that holds it.")
    file: Path | None = Field(None, description="File that holds it (a mounted secret); surrounding blanks are cut.")

    @model_validator(mode="after")
    def _one_place(self) -> Secret:
        if (self.env is None) == (self.file is None):
            msg = "give exactly one of env, file"
            raise ValueError(msg)
        return self
