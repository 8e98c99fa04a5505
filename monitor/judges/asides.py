"""What a reply says around its verdict: a verdict that is taken back, or contradicted in words, is none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from monitor.judges.strict_json import AmbiguousError, Json

_TAKEN_BACK = re.compile(
    r"""\b(?:wait|correction|scratch\ that|on\ second\ thoughts?)\b
    | \bactually,?\ (?:no|not|the\ (?:score|verdict))\b
    | \bI\ (?:was\ wrong|(?:have\ )?made\ (?:a\ mistake|an\ error))
    | \blet\ me\ (?:correct|revise|redo|re-?(?:consider|evaluate|assess|think|check))
    | 更正|纠正|改为|不对|等等[，,]|(?:判断|评判|判定|弄|搞)错|重新(?:评估|评判|判定|打分)""",
    re.IGNORECASE | re.VERBOSE,
)
_IS = r"""["'`*_\s]{0,8}(?:[:：=]|is|was|should\ be|为|是|应为|应是)["'`*_\s]{0,8}"""
_NUMBER = r"(?P<number>[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?)"


def refuse_objections(asides: Sequence[str], verdict: Mapping[str, Json]) -> None:
    """Raise AmbiguousError, with a bounded word, where a reply speaks against its own verdict.

    `verdict` holds what counts of it; `asides` are the texts before, between and after the objects of the reply. Only
    what follows the last object can take it back ("wait" before it is a model that thinks aloud); a number that is
    given otherwise counts everywhere.
    """
    if _TAKEN_BACK.search(asides[-1]):
        msg = "taken_back"
        raise AmbiguousError(msg)
    numbers = {
        key: value for key, value in verdict.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }
    said = " ".join(asides)
    differs = any(
        float(found["number"]) != value
        for key, value in numbers.items()
        for found in re.finditer(rf"(?<!\w){re.escape(key)}{_IS}{_NUMBER}", said, re.IGNORECASE)
    )
    if differs:
        msg = "two_verdicts"
        raise AmbiguousError(msg)
