"""Rules of cutting text into sentences."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.text.sentences import MAX_SENTENCE, sentence_ends, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It opens at ten. It closes at six!", ["It opens at ten.", "It closes at six!"]),
        (
            "营业时间为十点。周日休息！有疑问？请来电；谢谢",
            ["营业时间为十点。", "周日休息！", "有疑问？", "请来电；", "谢谢"],
        ),
        ("最初の大会は1967年1月15日に開かれました", ["最初の大会は1967年1月15日に開かれました"]),
        (
            "It costs 3.5 million. See www.example.com/a.b today.",
            ["It costs 3.5 million.", "See www.example.com/a.b today."],
        ),
        (
            "Dr. J. Smith of the U.S. Army came at 5 p.m. He left.",
            ["Dr. J. Smith of the U.S. Army came at 5 p.m.", "He left."],
        ),
        ("Use e.g. a spoon, approx. 5 g.", ["Use e.g. a spoon, approx. 5 g."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("他说：“不行。”然后走了。", ["他说：“不行。”", "然后走了。"]),
        ("1. Open it.\n2) Close it.\n- Wait\n（三）保存\n\n• Done", ["Open it.", "Close it.", "Wait", "保存", "Done"]),
        ("（1）打开\n①关闭\n(ii) Wait\n- [x] Done", ["打开", "关闭", "Wait", "Done"]),
        ("1️⃣ Open it.\n**2️⃣ Close** it.\n### 🔟 Wait\n3⃣关闭。", ["Open it.", "Close** it.", "Wait", "关闭。"]),
        ("❶ Open it.\n⑵关闭\n⒊ Wait\n㈣保存\n➎ Done", ["Open it.", "关闭", "Wait", "保存", "Done"]),
        ("1.打开。\n**2.关闭**\n3.Open it.\n**4.**保存", ["打开。", "关闭**", "Open it.", "保存"]),
        (
            "a. Open it.\nb. Close it.\nii. Wait.\nIV. Fees\n#5: Done",
            ["Open it.", "Close it.", "Wait.", "Fees", "Done"],
        ),
        ("👉 Open it.\n✅ **2.** Close it.\n→ Wait", ["Open it.", "Close it.", "Wait"]),
        ("3.5 million came.\n1.FC Ort won.", ["3.5 million came.", "1.FC Ort won."]),
        ("❌ Open it.\nE. coli grows.\nB. Smith came.", ["❌ Open it.", "E. coli grows.", "B. Smith came."]),
        ("It costs 5. Then go. Step 2. Wait.", ["It costs 5.", "Then go.", "Step 2. Wait."]),
        ("5\u20e3", ["5\u20e3"]),
        ("It opens at ten (Ref. 2). It closes.", ["It opens at ten (Ref. 2).", "It closes."]),
        ("**It is.** _Next._ *Last.* Word", ["**It is.**", "_Next._", "*Last.*", "Word"]),
        ("It is (red.) `Next.` [Last.] Word", ["It is (red.)", "`Next.`", "[Last.]", "Word"]),
        ("<b>It is!</b> Next.</p><p>Last.", ["<b>It is!</b>", "Next.</p>", "<p>Last."]),
        ("**好。**下一句。**新的**一句！</b>完", ["**好。**", "下一句。", "**新的**一句！</b>", "完"]),
        ("- **Fee.** It is 40.\n| **Fee.** Next | b |", ["**Fee.**", "It is 40.", "| **Fee.**", "Next | b |"]),
        ("**1.** Open it. **Dr.** Smith came. He left.", ["Open it.", "**Dr.** Smith came.", "He left."]),
        ("版本3.5已发布.下一句", ["版本3.5已发布.下一句"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_sentence_ends_where_a_reader_ends_it(text: str, sentences: list[str]) -> None:
    assert [sentence.text for sentence in split_sentences(text)] == sentences


@given(st.text(alphabet=st.sampled_from("ab 1i.。!?？\n①️⃣#“”\"'-•*_汉字é\u0301\u200d👩"), max_size=200))
def test_offsets_point_at_the_text_and_nothing_but_blanks_and_list_marks_is_lost(text: str) -> None:
    sentences = split_sentences(text)
    assert [text[sentence.start : sentence.end] for sentence in sentences] == [sentence.text for sentence in sentences]
    assert all(left.end <= right.start for left, right in pairwise(sentences))
    kept = "".join(sentence.text for sentence in sentences)
    assert sum(map(str.isalpha, kept)) == sum(map(str.isalpha, text))


@given(
    st.lists(
        st.sampled_from(
            [
                "word ",
                "a" * 300,
                "Mr",
                "max",
                "(Sec",
                "no",
                "12",
                "1\ufe0f\u20e3",
                "ii",
                "Step 1",
                ". ",
                "\n",
                "- ",
                "。",
                "！",
                " ",
                '."',
                "**",
                "_",
                "</b>",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_the_ends_of_sentences_alone_are_those_of_the_sentences(text: str) -> None:
    assert list(sentence_ends(text)) == [sentence.end for sentence in split_sentences(text)]


def test_a_stretch_without_a_stop_is_cut_at_blanks_and_never_inside_a_character() -> None:
    words = split_sentences("word " * 400)
    accents = split_sentences("e\u0301" * 600)
    assert all(len(sentence.text) <= MAX_SENTENCE for sentence in (*words, *accents))
    assert all(sentence.text.startswith("word") and sentence.text.endswith("word") for sentence in words)
    assert all(sentence.text.startswith("e") for sentence in accents)


def test_initials_do_not_end_a_sentence() -> None:
    assert [piece.text for piece in split_sentences("J.K. Orrin wrote it. It is long.")] == [
        "J.K. Orrin wrote it.",
        "It is long.",
    ]
