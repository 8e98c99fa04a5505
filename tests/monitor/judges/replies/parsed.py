"""What `parse_verdict` says of a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from monitor.errors import JudgeRejected
from monitor.judges.replies.parse import parse_verdict
from monitor.judges.replies.strict_json import Json

VERDICT = frozenset({"verdict"})


def reason_of(text: str, keys: frozenset[str] = VERDICT, judged: tuple[str, ...] = ()) -> str:
    """Why the reply is refused."""
    with pytest.raises(JudgeRejected) as caught:
        parse_verdict(text, keys, judged)
    return str(caught.value.reason)


def value_of(text: str, keys: frozenset[str] = VERDICT, judged: tuple[str, ...] = ()) -> Mapping[str, Json]:
    """The verdict of a reply that is read."""
    return parse_verdict(text, keys, judged).value


def detail_of(text: str, keys: frozenset[str]) -> str:
    """The detail of the refusal of a reply."""
    with pytest.raises(JudgeRejected) as caught:
        parse_verdict(text, keys)
    return str(caught.value.detail)


def claims(*verdicts: str) -> str:
    """A reply with these verdicts on claims."""
    listed = [{"claim": f"c{index}", "verdict": verdict} for index, verdict in enumerate(verdicts)]
    return json.dumps({"claim_count": len(listed), "claims": listed})
