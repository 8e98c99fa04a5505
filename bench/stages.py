"""What one trace costs in the stages before the judges, each in a loop of its own, on one core.

    python bench/stages.py [--size 10 1] [--traces 300] [--rounds 20]

Prints microseconds a trace, the best of the rounds: `decode` of its record (OTLP protobuf), `assemble` from the first
span to the closed trace, `extract` to its request. Other jobs on the machine move all three alike: two versions are
compared by runs that take turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from traffic import Traffic

from monitor import garbage
from monitor.building import build_extractor
from monitor.config.settings import Settings
from monitor.records import Position
from monitor.traces.assemble import Assembler
from monitor.traces.decode import make_decoder
from monitor.wire import Assembled

_LATER = 1e9
"""Seconds by which every trace is due."""


def main() -> None:
    """Measure and print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, nargs="+", choices=(1, 10), default=[10, 1], help="KB a trace, about")
    parser.add_argument("--traces", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    for size in args.size:
        traffic = Traffic(1, small=size == 1)
        records = [value for _, value in traffic.records(args.traces)]
        costs = _measure(records, args.rounds)
        told = ", ".join(f"{name} {cost:.0f}" for name, cost in costs.items())
        print(f"{traffic.mean_bytes / 1000:.1f} KB: {told} us a trace")


def _measure(records: Sequence[bytes], rounds: int) -> dict[str, float]:
    """Microseconds a trace, by stage."""
    settings = Settings()
    decoder, extractor = make_decoder("otlp_proto"), build_extractor(settings)
    decoded = [decoder.decode(record) for record in records]
    positions = [Position("t", 0, offset, 1) for offset in range(len(records))]

    def assemble() -> list[Assembled]:
        assembler = Assembler(settings.assembly)
        for one, position in zip(decoded, positions, strict=True):
            assembler.add(one.spans, one.logs, position, 0.0)
        return assembler.due(_LATER)

    traces = assemble()
    garbage.settle()
    stages: dict[str, Callable[[], object]] = {
        "decode": lambda: [decoder.decode(record) for record in records],
        "assemble": assemble,
        "extract": lambda: [extractor.extract(trace) for trace in traces],
    }
    best = dict.fromkeys(stages, float("inf"))
    for _ in range(rounds):
        for name, run in stages.items():
            began = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - began)
    return {name: seconds / len(records) * 1e6 for name, seconds in best.items()}


if __name__ == "__main__":
    main()
