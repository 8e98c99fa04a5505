"""Rules of cutting passages into windows."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.prompts.frame import Size, encode_data, size_of
from monitor.judges.prompts.material import Excerpt, Material, whole
from monitor.judges.windows import Room, windows
from monitor.records import Passage, RagTrace

WORDS = st.text(st.sampled_from('ab .。\n"<中文é\ud83e'), max_size=300)


def material(*texts: str) -> Material:
    return whole(RagTrace("t", "", "Q", "A", contexts=tuple(map(Passage, texts))))


def size_of_window(window: tuple[Excerpt, ...], of: Material) -> Size:
    return size_of(*(encode_data(of.shown(excerpt)) + ", " for excerpt in window))


@given(st.lists(WORDS, max_size=6), st.integers(150, 500), st.integers(0, 60))
def test_windows_fit_and_together_show_every_character(texts: list[str], characters: int, overlap: int) -> None:
    given_material = material(*texts)
    room = Room(characters, tokens=characters)
    cut = list(windows(given_material, room, overlap))
    assert all(room.holds(size_of_window(window, given_material)) for window in cut)
    shown: dict[int, set[int]] = {number: set() for number in range(1, len(texts) + 1)}
    for excerpt in itertools.chain(*cut):
        end = excerpt.start + len(excerpt.text)
        assert texts[excerpt.number - 1][excerpt.start : end] == excerpt.text
        shown[excerpt.number].update(range(excerpt.start, end))
    assert [len(shown[number]) for number in sorted(shown)] == list(map(len, texts))


def test_passages_stay_whole_where_they_can() -> None:
    cut = list(windows(material("a" * 100, "b" * 100, "c" * 100), Room(300), 50))
    assert [[excerpt.number for excerpt in window] for window in cut] == [[1, 2], [3]]
    assert all(len(excerpt.text) == 100 for excerpt in itertools.chain(*cut))


def test_a_long_passage_is_cut_at_ends_of_sentences_and_its_windows_overlap() -> None:
    text = "The first sentence is here. The second follows it. " * 3 + "The last one ends it."
    cut = [window[0] for window in windows(material(text), Room(150), 20)]
    assert [(excerpt.start, excerpt.text) for excerpt in cut] == [
        (0, text[:78]),
        (58, "st sentence is here. The second follows it. The first sentence is here."),
        (109, "st sentence is here. The second follows it. The last one ends it."),
    ]


def test_without_room_for_a_single_character_there_is_no_window() -> None:
    assert list(windows(material("some text"), Room(10), 0)) == []
    assert list(windows(material("some text"), Room(-5), 0)) == []


def test_tokens_are_counted_by_bytes() -> None:
    assert Room(100, tokens=10).holds(size_of("a" * 30))
    assert not Room(100, tokens=10).holds(size_of("a" * 31))
    assert not Room(100, tokens=10).holds(size_of("中" * 11))
    assert Room(100, tokens=10).beside(size_of("a" * 30)) == Room(70, tokens=0)
