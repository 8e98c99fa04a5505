"""Rules of offers: what the assistant could do next claims nothing; what a company does, or what is so, is a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.text.claims import claims_of
from monitor.judges.text.metadiscourse.talk import without_talk
from monitor.judges.text.sentences import split_sentences
from tests.growth import grows_linearly, seconds
from tests.monitor.judges.text.metadiscourse.claims_like_offers import LIKE_OFFERS
from tests.monitor.judges.text.metadiscourse.claims_like_offers_zh import LIKE_OFFERS_ZH
from tests.monitor.judges.text.metadiscourse.offers_en import OFFERS_EN
from tests.monitor.judges.text.metadiscourse.offers_zh import OFFERS_ZH

_OFFERS = [*OFFERS_EN, *OFFERS_ZH]


@pytest.mark.parametrize("sentence", _OFFERS)
def test_an_offer_is_no_claim(sentence: str) -> None:
    for form in (sentence, sentence.replace("'", "’"), f"**{sentence}**", f"- {sentence}", f"{sentence} 😊"):
        assert claims_of(form) == (), form


@pytest.mark.parametrize("sentence", [*LIKE_OFFERS, *LIKE_OFFERS_ZH])
def test_what_states_something_in_an_offer_is_a_claim(sentence: str) -> None:
    assert claims_of(sentence) != ()


@given(st.sampled_from(_OFFERS), st.sampled_from(["1,234", "two hundred", "2019-05-03", "三百", "12 euros", "5月3日"]))
def test_a_number_in_an_offer_makes_it_a_claim(sentence: str, number: str) -> None:
    body = sentence.rstrip(" .!,。！*")
    if split_sentences(sentence)[0].text == sentence and not sentence.endswith(("?", "？")):
        assert claims_of(f"{body} {number}.") != ()


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("The fee is 40 euros, and I can also draft an email if you like.", "The fee is 40 euros"),
        ("If you like, I can draft it, but the fee is 40 euros.", "but the fee is 40 euros."),
        (
            "If you share your account with others, it is closed.",
            "If you share your account with others, it is closed.",
        ),
        ("If you share your account with others.", "If you share your account with others."),
        ("I'll draft the report.", "I'll draft the report."),
        ("If you send me the notes, I'll draft the report.", ""),
        ("退款需要五天，如果您需要，我可以帮您写邮件。", "退款需要五天"),
        ("如果您提供收入证明，可以在线申请。", "如果您提供收入证明，可以在线申请。"),
    ],
)
def test_a_case_belongs_to_what_stands_behind_it(sentence: str, claimed: str) -> None:
    assert without_talk(sentence) == claimed


@pytest.mark.parametrize(
    "piece", ["if you ", "i can ", "and i can ", "if you, ", "我可以", "如果您，", "的话", "告诉我"]
)
def test_time_is_linear_in_the_length(piece: str) -> None:
    assert grows_linearly(lambda count: lambda: without_talk(piece * count), 500)
    assert seconds(lambda: without_talk(f"{piece * 60}"[:59] + "龘")) < 1.0
