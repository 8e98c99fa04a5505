"""Assembly is free of order, and complete on what was captured."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.assemble import Assembler
from monitor.traces.decode import make_decoder
from monitor.wire import LogEvent, Span
from tests.monitor.traces.decode.samples import SPAN_CAPTURES, TRACES, case_bytes, wire
from tests.monitor.traces.test_assemble import REMOTE, SETTINGS, at, log, span

# --------------------------------------------------------------------------------------------------------- order-free


@dataclass(frozen=True)
class Scene:
    """Some traces with log events, dealt out over records: each part at least once, in any order."""

    records: Sequence[tuple[Span | LogEvent, ...]]


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    parts: list[Span | LogEvent] = []
    for trace in range(draw(st.integers(1, 3))):
        count = draw(st.integers(1, 6))
        for number in range(count):
            parent = draw(st.sampled_from(["", "gone", *(f"{other}" for other in range(count))]))
            attributes = {f"k{key}": key for key in range(draw(st.integers(0, 2)))}
            flags = draw(st.sampled_from([0, REMOTE]))
            part = span(f"{number}", parent, f"{trace}", flags=flags, start_ns=number // 2, attributes=attributes)
            parts.append(part)
            if draw(st.booleans()):
                # the same span once more, cut short on the way or with other texts
                parts.append(replace(part, attributes={"k0": draw(st.text(max_size=2))}))
            if draw(st.booleans()):
                parts.append(log(f"{number}", draw(st.sampled_from("xy")), 1, f"{trace}"))
    dealt = draw(st.permutations(parts + draw(st.lists(st.sampled_from(parts), max_size=4))))
    cuts = sorted(draw(st.lists(st.integers(0, len(dealt)), max_size=5)))
    bounds = [0, *cuts, len(dealt)]
    return Scene([tuple(dealt[start:end]) for start, end in itertools.pairwise(bounds)])


def _assemble(records: Sequence[tuple[Span | LogEvent, ...]]) -> tuple[dict[str, tuple[Span, ...]], int]:
    assembler = Assembler(SETTINGS)
    for offset, record in enumerate(records):
        spans = [part for part in record if isinstance(part, Span)]
        logs = [part for part in record if isinstance(part, LogEvent)]
        assembler.add(spans, logs, at(offset), 0.0)
    quiet = assembler.due(SETTINGS.quiet)
    return {closed.trace_id: closed.spans for closed in (*quiet, *assembler.flush())}, len(quiet)


@given(scenes(), st.randoms(use_true_random=False))
def test_order_splits_and_repetition_change_nothing(scene: Scene, random: Random) -> None:
    """The same spans come out, at the same time, whatever way they came in."""
    one_by_one = [(part,) for record in scene.records for part in record]
    shuffled = one_by_one + one_by_one[: len(one_by_one) // 2]
    random.shuffle(shuffled)

    assert _assemble(scene.records) == _assemble(shuffled)


def test_fc_021_all_orders_of_three_deliveries_give_the_same_trace() -> None:
    decoder = make_decoder("otlp_json")
    deliveries = list(zip([0, 1, 1], case_bytes("FC-021"), strict=True))
    results = []
    for order in itertools.permutations(deliveries):
        assembler = Assembler(SETTINGS)
        holds = [assembler.add(decoder.decode(value).spans, [], at(offset), 0.0).held for offset, value in order]
        (closed,) = assembler.due(2.0)
        assert sum(len(held) for held in holds) == 2
        results.append(closed)

    assert [part.name for part in results[0].spans] == ["rag.request", "retrieve"]
    assert all(result == results[0] for result in results)


# ------------------------------------------------------------------------------------------------------------ captures


def test_every_captured_trace_is_complete_after_its_last_export() -> None:
    """Numbered captures come in several exports, the entry span in the last one of each trace."""
    for path in SPAN_CAPTURES:
        if path.name.endswith(".1.pb") or path.name.count(".") == 1:
            assembler = Assembler(SETTINGS)
            for offset, part in enumerate(sorted(TRACES.glob(path.name.replace(".1.pb", ".[0-9].pb")))):
                assembler.add(make_decoder("otlp_proto").decode(part.read_bytes()).spans, [], at(offset), 0.0)

            closed = assembler.due(2.0)

            assert (path.name, len(closed) > 0, assembler.open_traces) == (path.name, True, 0)


def test_a_split_trace_waits_for_its_entry_span() -> None:
    assembler = Assembler(SETTINGS)
    for number in (1, 2, 3):
        value = (TRACES / f"openinference-langchain-split.{number}.pb").read_bytes()
        assembler.add(make_decoder("otlp_proto").decode(value).spans, [], at(number), 10.0 * (number - 1))

        assert len(assembler.due(10.0 * (number - 1) + 9)) == (number == 3)


@pytest.mark.parametrize("name", ["otlp_proto", "otlp_proto_nokey"])
def test_recorded_kafka_records_give_every_expected_trace(name: str) -> None:
    assembler = Assembler(SETTINGS)
    for offset, value in enumerate(wire(name)):
        assembler.add(make_decoder("otlp_proto").decode(value).spans, [], at(offset), 0.0)
    expected = {
        request["trace_id"]
        for path in TRACES.glob("*.expected.json")
        for request in json.loads(path.read_text())["requests"]
    }

    closed = assembler.flush()

    assert sum(len(trace.spans) for trace in closed) == 481  # of 492: two pairs of captures share 11 span ids
    assert expected <= {trace.trace_id for trace in closed}
