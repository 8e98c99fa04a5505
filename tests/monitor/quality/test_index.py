from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.index import JudgedIndex, NumberMap, Place
from monitor.snapshot import SliceKey

SHOP = Place((SliceKey("app", "shop"),), 10)
BANK = Place((SliceKey("app", "bank"),), 10)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5))), st.integers(0, 3))
def test_a_number_map_is_a_map(pairs: list[tuple[int, int]], spread: int) -> None:
    numbers, plain = NumberMap(), dict[int, int]()
    for key, value in [*pairs, *((key << 40, key % 7) for key in range(600 * spread)), *pairs[::-1]]:
        numbers.set(key, value)
        plain[key] = value
    assert len(numbers) == len(plain)
    assert {key: numbers.get(key) for key in plain} == plain
    assert numbers.get(41) is None


def test_a_name_is_found_in_its_bucket_until_that_is_forgotten() -> None:
    index = JudgedIndex()
    assert index.put(1, 5, SHOP)
    assert index.put(2, 6, BANK)
    assert (index.find(1), index.find(2), index.find(3), len(index)) == (SHOP, BANK, None, 2)
    index.forget(6)
    assert (index.find(1), index.find(2), len(index)) == (None, BANK, 1)


def test_the_first_place_of_a_name_stays_with_the_smallest_weight() -> None:
    index = JudgedIndex()
    assert index.put(1, 5, SHOP._replace(weight=100))
    assert not index.put(1, 5, BANK)
    assert index.find(1) == SHOP


def test_an_id_that_is_used_again_means_the_newest_request() -> None:
    index = JudgedIndex()
    index.put(1, 5, SHOP)
    index.put(1, 6, BANK)
    assert index.find(1) == BANK


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 4)), max_size=200))
def test_names_are_bounded_and_the_oldest_go_first(names: list[tuple[int, int]]) -> None:
    index = JudgedIndex(limit=20)
    for name, bucket in names:
        index.put(name, bucket, SHOP)
        assert len(index) <= 20
