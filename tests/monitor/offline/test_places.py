"""How failures are told: those of the same kind together, none without its place."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from monitor.offline.places import grouped

FILES = st.sampled_from(["a.jsonl line ", "b c.jsonl line ", "topic partition 3 record "])


def test_lines_and_records_are_told_as_ranges_and_other_places_as_they_are() -> None:
    assert grouped(
        [
            ("a-007", "no such file"),
            ("a-008", "no such file"),
            ("f line 2", "no JSON"),
            ("t record 0", "no JSON"),
            ("f line 3", "no JSON"),
            ("f line 4", "too long"),
            ("f line 9", "no JSON"),
        ]
    ) == [
        "a-007: no such file",
        "a-008: no such file",
        "f line 2-3,9: no JSON",
        "t record 0: no JSON",
        "f line 4: too long",
    ]


@given(
    failures=st.dictionaries(FILES, st.lists(st.integers(0, 30), unique=True, min_size=1, max_size=10)),
    why=st.sampled_from(["x", "y"]),
)
def test_no_place_is_lost(failures: dict[str, list[int]], why: str) -> None:
    given = [(f"{place}{number}", why) for place, numbers in failures.items() for number in sorted(numbers)]
    told = {
        (place, number)
        for line in grouped(given)
        for place, ranges in re.findall(r"^(.* )([0-9,-]+): ", line)
        for one in ranges.split(",")
        for number in range(int(one.partition("-")[0]), int(one.rpartition("-")[2]) + 1)
    }
    assert told == {(place, number) for place, numbers in failures.items() for number in numbers}
