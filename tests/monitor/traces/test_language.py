from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.language import detect

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How much does a lost helmet cost?", "en"),
        ("Is it open?", "en"),
        ("And on Sundays? What does it cost then", "en"),
        ("The café's opening hours — when are they?", "en"),
        ("What does 你好 mean?", "en"),
        ("青岚茶馆周一营业吗？", "zh"),
        ("请用 Python 写一个函数", "zh"),
        ("这款产品叫「青の茶」，多少钱一盒？", "zh"),
        ("𠮷野家在哪里", "zh"),
        ("最初の大会はいつ開かれましたか？", "ja"),
        ("コーヒーはいくらですか", "ja"),
        ("오늘 서울은 몇 시에 문을 닫나요?", "ko"),
        ("Was ist in der Schachtel?", "und"),
        ("Quelle est la couleur de la maison ?", "und"),
        ("¿Cuánto cuesta el casco?", "und"),
        ("Сколько стоит шлем?", "und"),
        ("Ok?", "und"),
        ("12:30", "und"),
        ("", "und"),
        (None, "und"),
    ],
)
def test_detect(text: str | None, language: str) -> None:
    assert detect(text) == language


def test_the_first_text_that_tells_decides() -> None:
    assert detect("OK", None, "The desk closes at 18:00, and it is open on Sundays.", "青岚茶馆") == "en"


def test_the_captured_questions_and_answers_are_english_or_chinese() -> None:
    """Texts with a good share of Chinese characters are Chinese, all others of the captures are English."""
    languages = {}
    for path in sorted((DATA / "traces").glob("*.expected.json")):
        for request in json.loads(path.read_text())["requests"]:
            chinese = "chinese" in path.name or "-zh-" in path.name
            languages[request["question"]] = (detect(request["question"], request["answer"]), "zh" if chinese else "en")

    assert {question: found for question, (found, right) in languages.items() if found != right} == {}


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert detect(text) in {"en", "zh", "ja", "ko", "und"}
