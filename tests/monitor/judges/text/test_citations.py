"""Marks that point at the evidence are no part of what a sentence states."""

import pytest

from monitor.judges.text.citations import without_citations


@pytest.mark.parametrize(
    "mark",
    [
        " [1]",
        "[1][2]",
        " [1, 2]",
        " [1-3]",
        " (Source 1)",
        " (passage 2)",
        " (see [1])",
        " [Source: doc1.pdf]",
        " (Document 3, page 4)",
        " [Doc 1, p. 3]",
        "【1】",
        " [^1]",
        " [doc_3]",
        " [ref 1]",
        " (Ref. 2)",
        " <1>",
        " {1}",
        " (1)",
        " [context 2]",
        " [chunk 4]",
        " (from Passage 2)",
        " (as stated in passage 2)",
        " (see the document)",
        " [citation needed]",
        " (sources 1 and 3)",
        " (1, 2)",
        " (p. 12)",
        " [S1]",
        " [Passage 1: Introduction]",
        " ([handbook](https://example.org/a))",
        " [Read more](https://example.org/a)",
    ],
)
def test_a_mark_is_left_out_before_and_behind_the_stop(mark: str) -> None:
    assert without_citations(f"It lasts two years{mark}.").replace(" .", ".") == "It lasts two years."
    assert without_citations(f"It lasts two years.{mark}").rstrip() == "It lasts two years."


@pytest.mark.parametrize(
    "mark",
    [
        "[1]",
        "（资料1）",
        "【1】",
        "（来源：资料1）",
        "（见资料1）",
        "（文档1，第3页）",
        "[资料1]",
        "（1）",
        "（参见第2段）",
        "[来源1]",
        "（片段3）",
        "（段落3）",
        "（参考文献[1]）",
        "（资料1、资料2）",
        "（摘自资料1）",
        "（1、2）",
        "——资料1",
    ],
)
def test_a_chinese_mark_is_left_out(mark: str) -> None:
    assert without_citations(f"保修期为两年{mark}。") == "保修期为两年。"


@pytest.mark.parametrize(
    "text",
    [
        "It was founded (1998).",
        "It covers 25 km².",
        "It holds List<String>.",
        "The rule (Article 5) holds.",
        "Some (12) of them stay.",
        "They won the match (3-1).",
        "He came — source of joy.",
        "第3页写明了。",
    ],
)
def test_what_states_something_stays(text: str) -> None:
    assert without_citations(text) == text


def test_the_words_of_a_link_stay() -> None:
    assert without_citations("The [museum](https://example.org) opens at ten.") == "The museum opens at ten."
