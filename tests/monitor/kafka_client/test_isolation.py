from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.kafka_client.isolation import ATTEMPTS, Fault, Isolation


def search(bad: set[int], end: int, size: int, fault: Fault) -> tuple[list[int], list[tuple[int, int]], int]:
    """Walk a partition as the reader does; gives the offsets read, the runs skipped and the reads that failed."""
    read: list[int] = []
    skipped: list[tuple[int, int]] = []
    state, position, failures = Isolation(size, 0), 0, 0
    while position < end and not state.stuck():
        wanted = range(state.probe, min(end, state.probe + state.size))
        if bad & set(wanted) or (state.bad_from is not None and not wanted and state.probe < end):
            failures += 1
            state.failed(state.probe, fault)
            continue
        if state.bad_from is not None:
            skipped.append((state.bad_from, state.probe))
        read += wanted
        position = wanted.stop if wanted else end
        if state.read_to(position):
            state = Isolation(size, position)
    return read, skipped, failures


@given(bad=st.sets(st.integers(0, 59)), size=st.integers(1, 2000))
def test_exactly_the_unreadable_offsets_are_skipped(bad: set[int], size: int) -> None:
    read, skipped, _ = search(bad, 60, size, Fault.CORRUPT)
    assert read == sorted(set(range(60)) - bad)
    assert {offset for first, end in skipped for offset in range(first, end)} == bad


@given(bad=st.integers(0, 59), size=st.integers(1, 2000))
def test_an_unsupported_codec_is_never_skipped(bad: int, size: int) -> None:
    read, skipped, _ = search({bad}, 60, size, Fault.CODEC)
    assert (read, skipped) == (list(range(bad)), [])


def test_the_search_takes_few_reads() -> None:
    """A portion shrinks to a quarter each time: 2000, 500, 125, 31, 7, 1, then it is tried three times."""
    _, _, failures = search({1999}, 2000, 2000, Fault.CORRUPT)
    assert failures <= 6 + ATTEMPTS


def test_a_place_that_reads_after_all_ends_the_search() -> None:
    state = Isolation(2000, 0)
    state.failed(0, Fault.CORRUPT)
    assert not state.read_to(500)
    assert state.read_to(2001)
