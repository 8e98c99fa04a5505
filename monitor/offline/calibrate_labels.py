"""How often the label in force, which stands on every verdict, is right about answers that were labelled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from monitor.judges.grounding.assessment import UNSUPPORTED
from monitor.offline.judged import Judged
from monitor.offline.label_words import WORDS
from monitor.operational import FlagRates
from monitor.quality.attribution import BAD_LABELS
from monitor.quality.calibration import flag_rates
from monitor.snapshot import BAD_BELOW


@dataclass(frozen=True, slots=True)
class InForce:
    """What flags an answer, in words, and its rates by language, `all` first; another language may have none."""

    condition: str
    rates: Mapping[str, FlagRates]


class Told(NamedTuple):
    """One answer with a score: whether people call it bad, its language, and what the judge gave."""

    bad: bool
    language: str
    given: Judged


def in_force(answers: Iterable[Told], bound: float | None) -> InForce | None:
    """The rates of the label, None where no verdict has one that says good or bad.

    With `bound`, the label of a judge that labels by its worst sentence is what it would be with that bound now, be
    the verdicts of before it was put in force; else it is the label that the verdicts carry.
    """
    flags = [(one, flag) for one in answers if (flag := _is_flagged(one.given, bound)) is not None]
    if not flags:
        return None
    languages = dict.fromkeys(one.language for one, _ in flags)
    by_language = {
        name: flag_rates("label", [(one.bad, flag) for one, flag in flags if one.language == name])
        for name in languages
    }
    return InForce(_condition(flags, bound), {"all": flag_rates("label", [(a.bad, f) for a, f in flags])} | by_language)


def _is_flagged(given: Judged, bound: float | None) -> bool | None:
    """Whether the label calls an answer bad; None where it says neither."""
    if bound is not None and given.worst is not None:
        return given.worst < bound
    if given.label in BAD_LABELS:
        return True
    value = WORDS.get(given.label)
    return None if value is None else value < BAD_BELOW


def _condition(flags: Iterable[tuple[Told, bool]], bound: float | None) -> str:
    if bound is None:
        names = sorted({one.given.label for one, flag in flags if flag})
        return f"the label in force is {' or '.join(names) or 'a bad one'}"
    fitted = "" if bound == UNSUPPORTED else "; fitted before, maybe to these labels"
    return f"the label in force is unfaithful: the worst sentence is below {bound:.3f}{fitted}"
