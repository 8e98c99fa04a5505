"""What an open trace is charged is what it takes, so that the bound on memory holds whatever the spans are made of."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter

import pytest

from monitor.config.settings import Assembly
from monitor.records import Position
from monitor.traces.assemble import Assembler
from monitor.traces.decode import make_decoder
from monitor.wire import AttributeValue, CloseReason, LogEvent, Span, SpanEvent, SpanLink
from tests.monitor.traces.decode.encoders import ENCODERS

UNBOUNDED = Assembly(max_traces=1 << 40, max_bytes=1 << 50)
MOST = 2.5
"""Charged at most, as a multiple of what is taken; small spans share texts that other spans have made before."""
TEXTS: dict[str, AttributeValue] = {f"key.{n}": f"a text of some words, {n}" for n in range(20)}
DOCUMENTS: list[AttributeValue] = [{"id": f"d-{n}", "content": "x" * 20, "score": 0.5} for n in range(20)]
ATTRIBUTES: dict[str, dict[str, AttributeValue]] = {
    "none": {},
    "numbers": {f"key.{n}": n * 1000 for n in range(20)},
    "texts": TEXTS,
    "arrays": {f"key.{n}": [1.5, "a", "b"] for n in range(10)},
    "structures": {"gen_ai.retrieval.documents": DOCUMENTS},
    "chinese": {"question": "青岚茶馆周一营业吗" * 100},
    "emoji": {"question": "🚲" * 300},
    "long": {"prompt": "x" * 10_000},
}


def span(trace: int, number: int, **fields: object) -> Span:
    """A span that waits for its parent."""
    ids = (f"{trace + 1:032x}", f"{number + 1:016x}", f"{number:016x}" if number else "f" * 16)
    resource: dict[str, AttributeValue] = {"service.name": "shop", "service.version": "1.2"}
    return Span(*ids, "retrieve", 10**18 + number, 10**18 + number + 5, resource=resource, **fields)  # type: ignore[arg-type]  # of a span


def cases() -> Iterator[tuple[str, Callable[[int, int], Span]]]:
    for name, attributes in ATTRIBUTES.items():
        yield name, lambda trace, number, attributes=attributes: span(trace, number, attributes=attributes)  # type: ignore[misc]  # a default binds it
    events = tuple(SpanEvent("gen_ai.choice", 5, {"a": n}) for n in range(10))
    yield "events", lambda trace, number: span(trace, number, events=events)
    links = tuple(SpanLink("a" * 32, f"{n + 1:016x}", {}) for n in range(10))
    yield "links", lambda trace, number: span(trace, number, links=links)


Fill = Callable[[Assembler], None]


def measured(fresh: Callable[[], Fill]) -> tuple[Assembler, int]:
    """An assembler that was filled, and the bytes that are in use since.

    The least of three times: a thread of another test that still ends makes and keeps things, too.
    """
    return min((_measured(fresh()) for _ in range(3)), key=itemgetter(1))


def _measured(fill: Fill) -> tuple[Assembler, int]:
    assembler = Assembler(UNBOUNDED)
    gc.collect(0)
    tracemalloc.start()
    try:
        fill(assembler)
        return assembler, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def filling(encoding: str, records: Iterable[bytes]) -> Fill:
    """Decode and take in; `records` are made on the way, so that they are not counted."""
    decoder = make_decoder(encoding)

    def fill(assembler: Assembler) -> None:
        for offset, value in enumerate(records):
            assembler.add(decoder.decode(value).spans, (), Position("t", 0, offset), 0.0)

    return fill


@pytest.mark.parametrize("encoding", ["otlp_proto", "jaeger_json"])
@pytest.mark.parametrize("shape", [(40, 1), (1, 40)], ids=["traces", "spans"])
def test_no_span_is_charged_less_than_it_takes_nor_much_more(encoding: str, shape: tuple[int, int]) -> None:
    traces, spans = shape
    for name, make in cases():
        records = [
            value
            for trace in range(traces)
            for value in ENCODERS[encoding]([make(trace, number) for number in range(spans)])
        ]
        filling(encoding, records[:1])(Assembler(UNBOUNDED))  # what is made once counts for nobody
        assembler, taken = measured(partial(filling, encoding, records))
        assert taken <= assembler.held_bytes <= MOST * taken, name


def test_log_events_are_charged_too() -> None:
    def fill(assembler: Assembler) -> None:
        for number in range(300):
            event = SpanEvent("gen_ai.user.message", number, {"a": [str(number)]}, {"content": f"{number} " * 50})
            assembler.add((), [LogEvent("1" * 32, "2" * 16, event)], Position("t", 0, number), 0.0)

    assembler, taken = measured(lambda: fill)
    assert taken <= assembler.held_bytes <= MOST * taken


def evicted(assembler: Assembler, batches: Iterable[Sequence[Span]]) -> int:
    """The spans that had to leave; none is lost, and no bound is passed."""
    left = taken = 0
    for offset, spans in enumerate(batches):
        assembler.add(spans, (), Position("t", 0, offset), 0.0)
        taken += len(spans)
        closed = assembler.due(0.0)
        assert all(trace.reason is CloseReason.EVICTED for trace in closed)
        left += sum(len(trace.spans) for trace in closed)
        assert taken == left + assembler.open_spans
    return left


def test_the_oldest_of_many_traces_make_room() -> None:
    settings = Assembly(max_traces=3_000)
    assembler = Assembler(settings)
    left = evicted(assembler, ([span(trace, 0)] for trace in range(20_000)))
    assert (left, assembler.open_traces) == (17_000, 3_000)
    assert assembler.held_bytes <= settings.max_bytes


def test_a_trace_of_ten_thousand_spans_stays_or_leaves_as_one() -> None:
    """What comes of it once it had to leave is late."""
    whole = Assembler(Assembly(max_bytes=100 << 20))
    assert evicted(whole, ([span(0, number, attributes=TEXTS)] for number in range(10_000))) == 0
    assert whole.open_spans == 10_000

    small = Assembler(Assembly(max_bytes=4 << 20))
    added = [
        small.add([span(0, number, attributes=TEXTS)], (), Position("t", 0, number), 0.0) for number in range(10_000)
    ]
    (trace,) = small.due(0.0)
    assert trace.reason is CloseReason.EVICTED
    assert len(trace.spans) + sum(one.late for one in added) == 10_000
    assert small.held_bytes == 0


def grown(name: str, traces: int, settings: Assembly) -> tuple[int, int, int]:
    """How many bytes this process grew by at most, the traces that are open, and those that had to leave."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    decoder, assembler, left = make_decoder("otlp_proto"), Assembler(settings), 0
    for trace in range(traces):
        (value,) = ENCODERS["otlp_proto"]([span(trace, 0, attributes=ATTRIBUTES[name])])
        assembler.add(decoder.decode(value).spans, (), Position("t", 0, trace), 0.0)
        left += len(assembler.due(0.0))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (after - before) * 1024, assembler.open_traces, left


@pytest.mark.slow
@pytest.mark.parametrize("name", ["texts", "long"])
def test_a_process_with_a_hundred_thousand_open_traces_stays_inside_the_budget(name: str) -> None:
    call = f"""
from monitor.config.settings import Assembly
from tests.monitor.traces.test_sizes import grown
print(*grown({name!r}, 100_000, Assembly(max_traces=100_000, max_bytes=200 << 20)))
"""
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True)
    growth, still_open, left = map(int, done.stdout.split())
    assert (still_open + left, left > 0) == (100_000, True)
    decided = left * 300  # the ids of closed traces have a bound of their own: assembly.decided_cache
    assert growth <= (200 << 20) + decided
