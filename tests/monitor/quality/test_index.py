from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from monitor.quality.index import ERAS, JudgedIndex, NumberMap, Place
from monitor.snapshot import SliceKey


def place(era: int, app: str = "shop", weight: int = 10) -> Place:
    return Place((SliceKey("app", app),), weight, era)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5))), st.integers(0, 3))
def test_a_number_map_is_a_map(pairs: list[tuple[int, int]], spread: int) -> None:
    numbers, plain = NumberMap(), dict[int, int]()
    for key, value in [*pairs, *((key << 40, key % 7) for key in range(600 * spread)), *pairs[::-1]]:
        numbers.set(key, value)
        plain[key] = value
    assert len(numbers) == len(plain)
    assert {key: numbers.get(key) for key in plain} == plain
    assert numbers.get(41) is None


def test_a_name_is_found_as_long_as_its_era_counts() -> None:
    index = JudgedIndex()
    first, second = place(7 * ERAS + 3), place(8 * ERAS)
    assert index.put(1, first)
    assert index.put(2, second)
    assert (index.find(1, 0), index.find(2, 0), index.find(3, 0), len(index)) == (first, second, None, 2)
    index.forget(first.era + 1)
    assert (index.find(1, first.era), index.find(1, first.era + 1), len(index)) == (first, None, 2)
    index.forget(second.era)
    assert (index.find(1, 0), index.find(2, second.era), len(index)) == (None, second, 1)


def test_the_first_place_of_a_name_stays_with_the_smallest_weight() -> None:
    index = JudgedIndex()
    assert index.put(1, place(5, weight=100))
    assert not index.put(1, place(5, "bank"))
    assert index.find(1, 0) == place(5)


def test_an_id_that_is_used_again_means_the_newest_request() -> None:
    index = JudgedIndex()
    for era, app in ((5, "shop"), (5 + ERAS, "bank")):
        index.put(1, place(era, app))
    assert index.find(1, 0) == place(5 + ERAS, "bank")


@example([*((0, era) for era in (8, 16, 24, 32)), (1, 16), (2, 16), *((name, 8) for name in range(1, 16)), (0, 0)])
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 40)), max_size=200))
def test_names_are_bounded_and_the_oldest_go_first(names: list[tuple[int, int]]) -> None:
    index = JudgedIndex(limit=20)
    for name, era in names:
        index.put(name, place(era))
        assert len(index) <= 20
