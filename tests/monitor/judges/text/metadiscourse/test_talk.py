"""Rules of talk: what claims nothing is told by its grammar, and what may claim something is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.text.claims import claims_of
from monitor.judges.text.metadiscourse.talk import without_talk
from monitor.judges.text.sentences import split_sentences
from tests.growth import grows_linearly, seconds
from tests.monitor.judges.text.metadiscourse.claims_like_talk import CLAIMS
from tests.monitor.judges.text.metadiscourse.talk_en import TALK_EN
from tests.monitor.judges.text.metadiscourse.talk_zh import TALK_ZH


@pytest.mark.parametrize("sentence", [*TALK_EN, *TALK_ZH])
def test_talk_is_no_claim(sentence: str) -> None:
    assert claims_of(sentence) == ()


@pytest.mark.parametrize("sentence", TALK_EN)
def test_talk_is_none_in_other_letters_and_marks_either(sentence: str) -> None:
    forms = [sentence.upper(), sentence.replace("'", "’"), f"- {sentence}"]
    if sentence[-1] in ".!?":
        forms += [f"**{sentence}**", f"<b>{sentence}</b>", f"{sentence} 😊"]
    for form in forms:
        assert claims_of(form) == (), form


@pytest.mark.parametrize("sentence", CLAIMS)
def test_what_states_something_stays_a_claim(sentence: str) -> None:
    assert claims_of(sentence) != ()


@given(
    st.sampled_from([*TALK_EN, *TALK_ZH]),
    st.sampled_from(["1,234", "two hundred", "2019-05-03", "三百", "12 euros", "5月3日"]),
)
def test_a_number_in_talk_makes_it_a_claim(sentence: str, number: str) -> None:
    body = sentence.rstrip(" .!:,。！：，*😊")
    if split_sentences(sentence)[0].text == sentence and not sentence.endswith(("?", "？")):
        assert claims_of(f"{body} {number}.") != ()


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("Here is what I found: the fee is 40 euros.", "the fee is 40 euros."),
        ("Here is the fee: 40 euros.", "fee: 40 euros."),
        ("Here is what I found about the fee: it is 40 euros.", "fee: it is 40 euros."),
        ("Sure, the fee is 40 euros.", "the fee is 40 euros."),
        ("Hello, thank you for your question, the fee is 40 euros.", "the fee is 40 euros."),
        ("I am not entirely sure, but the fee is 40 euros.", "but the fee is 40 euros."),
        ("The fee is 40 euros, I hope this helps!", "The fee is 40 euros"),
        ("40 euros I hope this helps!", "40 euros"),
        ("The fee, as mentioned above, is 40 euros.", "The fee, as mentioned above, is 40 euros."),
        ("No, the fee is 40 euros.", "No, the fee is 40 euros."),
        ("您好，退款将在3天内到账。", "退款将在3天内到账。"),
        ("以下是退款流程：先提交申请。", "退款流程：先提交申请。"),
        ("我不太确定，不过价格是40元。", "不过价格是40元。"),
        ("保修期为两年，希望对您有帮助。", "保修期为两年"),
        ("保修期为两年希望对您有帮助。", "保修期为两年"),
        ("", ""),
    ],
)
def test_talk_around_a_claim_is_no_part_of_it_and_its_topic_is(sentence: str, claimed: str) -> None:
    assert without_talk(sentence) == claimed


@given(
    st.lists(st.sampled_from([*"a1我您以下查找，,。. :-!*", "here is ", "I ", "and ", "please "]), max_size=60).map(
        "".join
    )
)
def test_what_is_left_is_a_stretch_of_the_sentence(sentence: str) -> None:
    assert without_talk(sentence) in sentence


@pytest.mark.parametrize(
    "piece", ["我", "查找", "以下", "如果有", "和", "i am ", "and ", "here is ", "a, ", "in sum ", "the is "]
)
def test_time_is_linear_in_the_length(piece: str) -> None:
    assert grows_linearly(lambda count: lambda: without_talk(piece * count), 500)
    assert seconds(lambda: without_talk((piece * 60)[:59] + "龘")) < 1.0
