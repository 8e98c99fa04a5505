"""Why a row has no score, in words for the person who wrote the row or the configuration."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from monitor.config.judges import LlmJudge
from monitor.config.settings import Settings
from monitor.judges.limits.allowance import LIMITS
from monitor.judges.panel import INTERNAL
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
_LIMITS = frozenset(limit.name for limit in LIMITS)
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
}
_NO_WORD: Mapping[str, str] = {
    Reason.OVER_BUDGET: "not asked, as one more call could pass a limit of money",
    Reason.CIRCUIT_OPEN: "not asked, as the judge is paused after failures",
    Reason.REFUSED: "the provider's filter or the model refused",
    Reason.TOO_LONG: "does not fit into the call: see `max_input_chars` and `context_tokens`",
    Reason.TRUNCATED: "the reply ended at the output limit: see `max_output_tokens`",
    Reason.PARSE: "the reply is not the verdict that was asked for",
    Reason.INVALID_SCORE: "the reply holds a number that no verdict has",
    Reason.TOO_LARGE: "the reply is larger than `max_reply_bytes`",
    Reason.DEADLINE: "`judging.deadline` came first",
    Reason.SELF_JUDGED: "not asked, as the answer is of a model of the judge's own family: see `self_judging`",
    Reason.NO_CLAIMS: "the judge found nothing to check",
    INTERNAL: "a defect of ragmon, which is logged with its place",
}
"""What is said where a judge says no more than the reason."""


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
    return unreached(item, endpoints) or item.explanation or _NO_WORD.get(item.reason, "")


def unreached(item: Judgement, endpoints: Mapping[str, str]) -> str:
    """Why the endpoint of a judge gave no score, with its address, or which limit of ours; empty for all else."""
    place = endpoints.get(item.judge.name)
    if item.outcome not in {Outcome.JUDGE_ERROR, Outcome.SKIPPED} or place is None:
        return ""
    if item.outcome is Outcome.SKIPPED and item.explanation in _LIMITS:
        return f"not asked, as one more call could pass the judge's own `{item.explanation}`"
    if item.reason == Reason.CIRCUIT_OPEN and item.explanation in _ENDPOINT:
        return f"not asked for now: {endpoint_says(item.explanation, place)}"
    said = endpoint_says(item.reason, place)
    return said and said + (f" ({item.explanation})" if item.explanation not in {"", NOT_SENT} else "")


def endpoint_says(reason: str, place: str) -> str:
    """What a failure of an endpoint means, in words; empty for one that is of another kind."""
    return _ENDPOINT.get(reason, "").format(place)


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
