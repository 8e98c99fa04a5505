"""What was judged is not paid twice: the same content before the same judge gets the judgement that it had.

Only where a judge is asked for its one most likely verdict, at temperature 0: at any other, as at the one of a server
that takes none, a second verdict is a draw of its own. Errors and skipped judgements are never given again.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping

from monitor.config import judges as judge_settings
from monitor.judges.prompts.frame import encode_data
from monitor.judges.prompts.material import Field, Material
from monitor.protocols import Clock
from monitor.records import Judgement, Outcome, Usage

REUSED = "reused"
MOST_BYTES = 32 << 20
"""What all judgements that are remembered take at most, about; the content of evidence is most of it."""
_BYTES_EACH = 500
"""Of a judgement or piece of evidence beside its texts."""
_OF_THE_CALL = frozenset({"usage_unknown", "unpriced_model"})
"""Flags that speak of a call, which a judgement that is given again did not have."""
_FIELDS: tuple[Field, ...] = ("question", "search_query", "answer", "reference", "passages")

Judged = tuple[Judgement, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Key:
    """What is judged, and by whom: a hash of all that prompts show of a request, and the judge's fingerprints."""

    content: bytes
    fingerprints: tuple[str, ...]


def content_of(material: Material, reasons: Mapping[str, str | None]) -> bytes:
    """The hash of a request; `reasons` say why an evaluation is not asked for."""
    text = encode_data({"language": material.trace.language, "asked": reasons, **material.data(_FIELDS)})
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class Reuse:
    """Remembers the judgements of the last cases: so many at most, for so long, and so many bytes of them.

    One call is enough for those that come at the same time.
    """

    def __init__(self, config: judge_settings.LlmJudge, clock: Clock, is_settled: Callable[[], bool]) -> None:
        """`is_settled` says whether the judge is asked so, as far as the server allows it."""
        self._size = config.reuse
        self._is_settled = is_settled
        self._seconds = config.reuse_for
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[float, Judged]] = OrderedDict()
        """With the time until which each is good; the one that was wanted least lately is first."""
        self._bytes = 0
        """Of all of them."""
        self._swept = 0.0
        """When those that are too old were forgotten last."""
        self._running: dict[Key, asyncio.Future[Judged | None]] = {}
        self.reused = 0
        """Judgements that were given again."""

    @property
    def size(self) -> int:
        """Cases that are remembered."""
        return len(self._kept)

    async def get(self, key: Key, judge: Callable[[], Awaitable[Judged]], deadline: float) -> Judged:
        """The judgements of a case: those that it had, or those that a call gives that runs, or those of `judge`.

        `deadline` is in `Clock.monotonic` seconds; behind it `judge` has to know what to say.
        """
        while self._size > 0 and self._is_settled():
            known = self._known(key)
            if known is not None:
                return self._again(known)
            running = self._running.get(key)
            if running is None:
                return await self._first(key, judge)
            left_s = max(0.0, deadline - self._clock.monotonic())
            await asyncio.wait({running}, timeout=left_s)  # unlike awaiting it, this never cancels it
            if not running.done():
                break
            shared = running.result()
            if shared is not None:
                return self._again(shared)
        return await judge()

    async def _first(self, key: Key, judge: Callable[[], Awaitable[Judged]]) -> Judged:
        running: asyncio.Future[Judged | None] = asyncio.get_running_loop().create_future()
        self._running[key] = running
        good: Judged | None = None
        try:
            judged = await judge()
            if self._is_settled() and all(item.outcome in {Outcome.SCORED, Outcome.NOT_SCORABLE} for item in judged):
                good = judged
                self._keep(key, judged)
            return judged
        finally:
            del self._running[key]
            running.set_result(good)

    def _known(self, key: Key) -> Judged | None:
        until, judged = self._kept.get(key, (0.0, ()))
        if not judged:
            return None
        if self._clock.monotonic() >= until:
            self._forget(key)
            return None
        self._kept.move_to_end(key)
        return judged

    def _keep(self, key: Key, judged: Judged) -> None:
        """Under the fingerprints that it was given by: the server may have named another snapshot than before."""
        fingerprints = tuple(item.judge.fingerprint for item in judged)
        key, now = dataclasses.replace(key, fingerprints=fingerprints), self._clock.monotonic()
        if now >= self._swept + self._seconds:
            self._swept = now
            for old in [old for old, (until, _) in self._kept.items() if now >= until]:
                self._forget(old)
        self._forget(key)
        if (size := _bytes_of(judged)) > MOST_BYTES:
            return
        self._kept[key] = (now + self._seconds, judged)
        self._bytes += size
        while len(self._kept) > self._size or self._bytes > MOST_BYTES:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: Key) -> None:
        """Forget a case, if it is there."""
        _, judged = self._kept.pop(key, (0.0, ()))
        self._bytes -= _bytes_of(judged)

    def _again(self, judged: Judged) -> Judged:
        self.reused += len(judged)
        return tuple(
            dataclasses.replace(
                item,
                usage=Usage(),
                latency_s=0.0,
                flags=(*(flag for flag in item.flags if flag not in _OF_THE_CALL), REUSED),
            )
            for item in judged
        )


def _bytes_of(judged: Judged) -> int:
    """What judgements take in memory, about: a character takes one to four bytes, and is counted as two."""
    pieces = [piece for item in judged for piece in item.evidence]
    texts = sum(len(piece.text) + len(piece.note) for piece in pieces) + sum(len(item.explanation) for item in judged)
    return _BYTES_EACH * (len(judged) + len(pieces)) + 2 * texts
