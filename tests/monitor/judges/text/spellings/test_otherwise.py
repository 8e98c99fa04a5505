"""What passages write otherwise holds the words of a claim: initials, currencies, short names of the calendar, 次年."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.spellings.initials import initials_of
from monitor.judges.text.tokens import tokenize
from tests.growth import grows_linearly

ALIKE = [
    ("The International Monetary Fund approved the loan.", "The IMF approved the loan."),
    ("The Food and Drug Administration approved the drug in May.", "The FDA approved the drug in May."),
    ("Questions go to Human Resources by Friday.", "Contact HR with questions by Friday."),
    ("Questions go to the human resources department.", "Questions go to the HR department."),
    ("The chief executive officer resigned in June.", "The CEO resigned in June."),
    ("The chief executive, Anna Berg, resigned in June.", "Anna Berg, the CEO, resigned in June."),
    ("Remote staff use a virtual private network to connect.", "Remote staff use a VPN to connect."),
    ("Files can be recovered from solid-state drives.", "Files can be recovered from SSDs."),
    ("The IMF approved the loan.", "The International Monetary Fund approved the loan."),
    ("The fee is €45.", "The fee is EUR 45."),
    ("The fee is 45 euros.", "The fee is EUR 45."),
    ("The fee is $45.", "The fee is 45 USD."),
    ("The fee is £45.", "The fee is GBP 45."),
    ("The fee is 45 francs.", "The fee is CHF 45."),
    ("The fee is 450 kroner.", "The fee is NOK 450."),
    ("门票120元。", "门票120 RMB。"),
    ("门票120元。", "门票为CNY 120。"),
    ("The office is open Monday to Friday.", "The office is open Mon to Fri."),
    ("The office is open Monday to Friday.", "The office is open Mon–Fri."),
    ("The office is open Mon-Fri.", "The office is open Monday to Friday."),
    ("The pool is open from January to September.", "The pool is open Jan. to Sept."),
    ("The pool is open from Jan. to Sept.", "The pool is open from January to September."),
    ("The office is open from 9:00 to 17:00.", "The office is open from 9 AM to 5 PM."),
    ("公司于2020年成立，次年实现盈利。", "公司于2020年成立，第二年实现盈利。"),
    ("Regulation 22: a failed examination may be resat.", "A failed examination may be resat (Reg. 22)."),
    ("Article 5 allows it for all members.", "All members are allowed it under Art. 5."),
    ("Under Reg. 22 a failed examination may be resat.", "Regulation 22 says a failed examination may be resat."),
    ("Call extension 12 for help.", "For help call ext. 12."),
    ("Parking is 20 euros at most.", "Parking is max. 20 euros."),
    ("The bus 22 stops at the gate.", "The bus (No. 22) stops at the gate."),
]
OTHER = [
    ("Regulation 22: a failed examination may be resat.", "A failed examination may be resat (Reg. 23)."),
    ("Regulation 22: a failed examination may be resat.", "A failed examination may be resat (Art. 22)."),
    ("Call extension 12 for help.", "For help call ext. 13."),
    ("The bus 22 stops at the gate.", "The bus (No. 23) stops at the gate."),
    ("The World Bank approved the loan.", "The IMF approved the loan."),
    ("The Food and Drug Administration approved the drug in May.", "The EPA approved the drug in May."),
    ("The International Monetary Fund approved the loan.", "The IFM approved the loan."),
    ("The chief executive officer resigned in June.", "The CFO resigned in June."),
    ("The IMF approved the loan.", "The International Medical Fund approved the loan."),
    ("The fee is €45.", "The fee is USD 45."),
    ("The fee is C$45.", "The fee is USD 45."),
    ("The fee is 45 Canadian dollars.", "The fee is USD 45."),
    ("门票120美元。", "门票120 RMB。"),
    ("The office is open Monday to Friday.", "The office is open Mon to Sat."),
    ("The pool is open from January to September.", "The pool is open from Feb. to Nov."),
    ("The office is open from 9:00 to 17:00.", "The office is open from 9 PM to 5 AM."),
    ("公司于2020年成立，次年实现盈利。", "公司于2020年成立，第三年实现盈利。"),
]


@pytest.mark.parametrize(("passage", "answer"), ALIKE)
def test_a_word_is_supported_by_what_says_it_otherwise(passage: str, answer: str) -> None:
    assert all(piece.label == "supported" for piece in assess(answer, [passage]).evidence)


@pytest.mark.parametrize(("passage", "answer"), OTHER)
def test_another_one_is_not(passage: str, answer: str) -> None:
    assert assess(answer, [passage]).label == "unfaithful"


@pytest.mark.parametrize("token", ["Imf", "I", "XIV", "PM", "ABCDEF", "B2B"])
def test_what_is_no_initials_stands_for_nothing(token: str) -> None:
    assert not initials_of(token)


def test_a_sentence_in_capitals_has_no_initials() -> None:
    assert not tokenize("PLEASE KEEP THE DOORS SHUT").otherwise


@pytest.mark.parametrize("piece", ["A", "Ab ", "a of ", "€ ", "to Mon ", "A-", "A'", "An the ", "An & "])
def test_time_is_linear_in_the_length(piece: str) -> None:
    answer = "The AAAAA of the IMF pays EUR 45 on Mon to Fri."
    assert grows_linearly(lambda count: lambda: assess(answer, [piece * count]), 1_000)


@pytest.mark.parametrize(("passage", "answer"), ALIKE)
def test_a_passage_with_the_word_itself_lowers_nothing(passage: str, answer: str) -> None:
    words = " ".join(answer.rstrip(".。").split()[::-1])
    before, after = (assess(answer, passages).evidence for passages in ([passage], [passage, words]))
    assert all(new.score >= old.score for old, new in zip(before, after, strict=True))
