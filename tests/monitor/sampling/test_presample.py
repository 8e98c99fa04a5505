from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.sampling.presample import Presample
from monitor.sampling.randomness import MAX, from_key

IDS = st.binary(min_size=16, max_size=16).map(bytes.hex)
KEYS = (
    IDS.map(str.encode)
    | IDS.map(str.upper).map(str.encode)
    | st.none()
    | st.binary(max_size=33)
    | st.text("0123456789abcdefABCDEF _+x", min_size=31, max_size=33).map(str.encode)
)
THRESHOLDS = st.integers(0, MAX - 1) | st.sampled_from([0, 1, 1 << 48, MAX - 1, 0x2D << 48, 0x5D << 48, 0x5E << 48])


def plainly(keys: list[bytes | None], threshold: int) -> list[int]:
    return [at for at, key in enumerate(keys) if (r := from_key(key)) is None or r >= threshold]


def wanted(keys: list[bytes | None], threshold: int) -> list[int]:
    return list(Presample(threshold).wanted("t", keys))


@given(st.lists(KEYS, max_size=40), THRESHOLDS)
def test_a_batch_gives_what_its_records_give_one_by_one(keys: list[bytes | None], threshold: int) -> None:
    assert wanted(keys, threshold) == plainly(keys, threshold)


@given(st.lists(IDS.map(str.encode), max_size=40), THRESHOLDS)
def test_a_batch_of_trace_ids_gives_what_its_records_give_one_by_one(keys: list[bytes], threshold: int) -> None:
    assert wanted([*keys], threshold) == plainly([*keys], threshold)


@given(st.lists(IDS, min_size=1, max_size=20), st.data())
def test_the_threshold_itself_is_wanted_and_what_lies_just_below_is_not(ids: list[str], data: st.DataObject) -> None:
    edge = int(data.draw(st.sampled_from(ids))[-14:], 16)
    keys = [text.encode() for text in ids]
    assert len(wanted([*keys], edge)) == sum(int(text[-14:], 16) >= edge for text in ids)
    if edge + 1 < MAX:
        assert len(wanted([*keys], edge + 1)) == sum(int(text[-14:], 16) > edge for text in ids)


def test_every_first_byte_can_begin_the_range() -> None:
    keys: list[bytes | None] = [f"{first << 48:032x}".encode() for first in range(256)]
    for first in range(256):
        assert wanted(keys, max(1, first << 48)) == list(range(max(first, 1), 256))


def test_in_a_distrusted_topic_all_are_wanted() -> None:
    presample, keys = Presample(MAX - 1), [b"0" * 32]
    presample.distrust("t")
    assert [list(presample.wanted(topic, keys)) for topic in ("t", "u")] == [[0], []]
    assert [presample.trusts(topic) for topic in ("t", "u")] == [False, True]
