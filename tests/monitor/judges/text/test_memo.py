"""Rules of the memory of short texts."""

from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.text.memo import LONGEST, MOST, Memo


@given(st.lists(st.text(max_size=3)))
def test_a_memo_gives_what_its_function_gives(texts: list[str]) -> None:
    upper = Memo(str.upper)
    assert [upper[text] for text in texts] == [text.upper() for text in texts]


def test_a_memo_looks_once_and_never_keeps_a_long_text() -> None:
    asked: list[str] = []

    def look(text: str) -> str:
        asked.append(text)
        return text

    remembered = Memo(look)
    short, long = "a" * LONGEST, "a" * (LONGEST + 1)
    assert [remembered[text] for text in (short, short, long, long)] == [short, short, long, long]
    assert asked == [short, long, long]


def test_a_memo_forgets_rather_than_grows() -> None:
    remembered = Memo(str.upper)
    sizes = [len(remembered) for number in range(MOST + 10) if remembered[str(number)]]
    assert max(sizes) == MOST
    assert len(remembered) == 10
