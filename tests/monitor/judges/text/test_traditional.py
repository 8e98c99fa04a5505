"""Rules of traditional characters."""

import pytest

from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.traditional import simplified


@pytest.mark.parametrize(
    ("traditional", "folded"),
    [("總共兩萬個", "总共两万个"), ("沒有相關資訊", "没有相关信息"), ("東京タワー", "東京タワー"), ("no 萬", "no 万")],
)
def test_what_numbers_and_declines_are_written_with_is_folded_and_nothing_else(traditional: str, folded: str) -> None:
    assert simplified(traditional) == folded
    assert len(folded) == len(traditional)


@pytest.mark.parametrize("answer", ["抱歉，資料中沒有相關資訊。", "文件沒有說明停車費是多少。", "無法回答這個問題。"])
def test_a_decline_in_traditional_characters_declines(answer: str) -> None:
    assert declines_only(answer)


def test_a_number_with_traditional_scales_has_its_value() -> None:
    assert tokenize("25000萬元").numbers == tokenize("2.5億元").numbers == {"250000000"}
