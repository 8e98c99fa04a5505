from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.seen import IdSet, SeenIds


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3))))
def test_an_id_is_new_once_in_each_bucket(adds: list[tuple[str, int]]) -> None:
    ids, known = SeenIds(), set[tuple[str, int]]()

    for verdict_id, bucket in adds:
        assert ids.has(verdict_id, bucket) == ((verdict_id, bucket) in known)
        assert ids.add(verdict_id, bucket) == ((verdict_id, bucket) not in known)
        known.add((verdict_id, bucket))
    assert len(ids) == len(known)


def test_ids_are_found_before_and_after_they_are_sorted_in() -> None:
    numbers = IdSet()

    for n in range(5000):
        numbers.add(n * 7919 % 5003)

    assert all(n * 7919 % 5003 in numbers for n in range(5000))
    assert sum(n in numbers for n in range(10_000)) == len(numbers) == 5000


def test_at_the_limit_the_oldest_bucket_is_forgotten_and_says_so() -> None:
    ids = SeenIds(limit=4)
    for n in range(6):
        ids.add(f"v{n}", n // 2)

    assert (len(ids), ids.knows(0), ids.knows(1), ids.has("v0", 0), ids.has("v5", 2)) == (4, False, True, False, True)


@given(st.lists(st.integers(0, 2), max_size=40), st.integers(1, 8))
def test_never_more_ids_are_held_than_the_limit(buckets: list[int], limit: int) -> None:
    ids = SeenIds(limit)

    for number, bucket in enumerate(buckets):
        if ids.knows(bucket):
            ids.add(f"v{number}", bucket)
        assert len(ids) <= limit


def test_a_bucket_that_alone_holds_more_than_the_limit_is_forgotten() -> None:
    """What belongs to it can no longer be counted: nothing is counted twice."""
    ids = SeenIds(limit=2)

    new = [ids.add(f"v{n}", 7) for n in range(3)]

    assert (new, len(ids), ids.knows(7), ids.knows(8)) == ([True] * 3, 0, False, True)


def test_recalled_buckets_are_known_again_and_empty() -> None:
    ids = SeenIds()
    ids.add("a", 5)
    ids.forget(9)
    ids.recall(4)

    assert (ids.knows(3), ids.knows(4)) == (False, True)
    assert ids.add("a", 5)


def test_forgetting_drops_older_buckets_only_and_never_goes_back() -> None:
    ids = SeenIds()
    ids.add("old", 1)
    ids.add("new", 2)

    ids.forget(2)
    ids.forget(1)

    assert (len(ids), ids.has("new", 2), ids.knows(1), ids.floor) == (1, True, False, 2)


def test_any_text_is_an_id() -> None:
    ids = SeenIds()

    assert ids.add("\ud83d", 0)
    assert ids.has("\ud83d", 0)
