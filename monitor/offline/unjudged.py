"""Why a row has no score, in words for the person who wrote the row or the configuration."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from monitor.config.judges import LlmJudge
from monitor.config.settings import Settings
from monitor.judges.reasons import Reason
from monitor.judges.scorable import MEANINGS, NO_ANSWER, NO_QUESTION, UNKNOWN_CONTEXT
from monitor.judges.servers.transport import NOT_SENT
from monitor.offline.shown import shown
from monitor.records import Judgement, Outcome

KEY_OF = {NO_QUESTION: "question", UNKNOWN_CONTEXT: "contexts", NO_ANSWER: "answer"}
"""By the reason why a row cannot be scored: the key that would have mended it."""
_ALSO_CALLED = {
    "question": ("query", "prompt", "input", "user_input"),
    "contexts": ("context", "documents", "docs", "passages", "chunks", "retrieved_contexts", "sources"),
    "answer": ("response", "output", "completion", "generation", "actual_output", "reply"),
}
ROW = "{id, question, contexts, answer}"
_SHOWN = 20
_NAME = 40
_ENDPOINT: Mapping[str, str] = {
    Reason.CONNECT: "no connection to {}, or it broke before the reply was whole",
    Reason.DNS: "the host of {} has no address",
    Reason.TLS: "no agreement on TLS with {}, mostly for a certificate that is not trusted: see `ca_file`",
    Reason.TIMEOUT: "no reply in time from {}",
    Reason.AUTH: "{} does not take the key: see `api_key`",
    Reason.UNKNOWN_MODEL: "{} does not know the model, or not for this account: see `model`",
    Reason.SERVER_ERROR: "{} failed",
    Reason.QUOTA: "the account at {} has no credit left",
    Reason.RATE_LIMITED: "{} takes no more calls just now",
    Reason.BAD_REQUEST: "{} does not take the call",
    Reason.REDIRECT: "{} sends elsewhere, which is not followed",
    Reason.FORBIDDEN_ADDRESS: "{} leads to a private or forbidden address: see `allow_private`",
    Reason.CIRCUIT_OPEN: "not asked, as {} failed too often just now",
}


def endpoints_of(settings: Settings) -> Mapping[str, str]:
    """Where each remote judge is asked, by its name: address and option. Without path and query: they may hold keys."""
    return {
        judge.name: f"{_address(judge.base_url)} (judges[{index}].base_url)"
        for index, judge in enumerate(settings.judges)
        if isinstance(judge, LlmJudge)
    }


def explained(item: Judgement, keys: Sequence[str], endpoints: Mapping[str, str]) -> str:
    """What a judgement says of itself, with the keys of its row or the endpoint of its judge where it has no score."""
    if item.outcome is Outcome.NOT_SCORABLE:
        return item.explanation or _unscorable(item.reason, keys)
    return unreached(item, endpoints) or item.explanation


def unreached(item: Judgement, endpoints: Mapping[str, str]) -> str:
    """Why the endpoint of a judge gave no score, with its address; empty for whatever else happened."""
    said, place = _ENDPOINT.get(item.reason), endpoints.get(item.judge.name)
    if item.outcome not in {Outcome.JUDGE_ERROR, Outcome.SKIPPED} or said is None or place is None:
        return ""
    return said.format(place) + (f" ({item.explanation})" if item.explanation not in {"", NOT_SENT} else "")


def found_keys(keys: Sequence[str]) -> str:
    """The keys of a row, as far as they fit a line."""
    more = ["..."] if len(keys) > _SHOWN else []
    return ", ".join([*(shown(key, _NAME) for key in keys[:_SHOWN]), *more])


def meant(missing: Sequence[str], keys: Sequence[str]) -> str:
    """Which of the keys look as if they were one of the missing ones under another name; empty when none does."""
    near = {key: given for key in missing for given in _like(key, keys)}
    said = ", ".join(f"`{key}` by `{shown(given, _NAME)}`" for key, given in near.items())
    return f"; did you mean {said}?" if said else ""


def _unscorable(reason: str, keys: Sequence[str]) -> str:
    key = KEY_OF.get(reason)
    if key is None or not keys or key in keys:
        return MEANINGS.get(reason, "")
    return f"has no `{key}`; rows are {ROW}, and this one has {found_keys(keys)}{meant([key], keys)}"


def _like(key: str, keys: Sequence[str]) -> Iterator[str]:
    """The key that is spelt most like it, else one that others use for it; at most one."""
    close = difflib.get_close_matches(key, keys, 1) or [given for given in keys if given.lower() in _ALSO_CALLED[key]]
    yield from close[:1]


def _address(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return "its endpoint"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"
