"""A full stop behind an abbreviation ends no sentence where something follows that belongs to it, and else it does."""

import pytest

from monitor.judges.text.passages import Passages
from monitor.judges.text.sentences import split_sentences


@pytest.mark.parametrize(
    "text",
    [
        *("It may be resat twice (Reg. 22).", "It holds (Art. 5, Sec. 4.1; see app. B)."),
        *("Art. IV and Sect. 4 apply.", "See Ch. 3 and Eq. 7.", "Form No. AB-12 is due.", "Reg. No. 5 holds."),
        *("Under s. 22 it holds.", "Brown v. Board was won.", "The second para. of it holds.", "See vol. II of it."),
        *("The limit is 90 euros, max. €20 per day.", "It is approx. EUR 20.", "Stay min. 2 nights.", "Take ca. 5."),
        *(
            "It is 80 euros incl. VAT.",
            "It is 80 euros excl. VAT and tips.",
            "The avg. wait is long.",
            "Tel. +44 20 12.",
        ),
        *("Call tel. (020) 1234.", "Dial ext. 12.", "Fees (incl. VAT, tips, etc.) are due.", "The 3rd ed. of it sold."),
        *("At 5 min. 30 sec. it stops.", "It is 700 sq. miles.", "They met on Mt. Ehiko.", "The dept. of health pays."),
    ],
)
def test_what_an_abbreviation_belongs_to_goes_on(text: str) -> None:
    assert [sentence.text for sentence in split_sentences(f"{text} Next.")] == [text, "Next."]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("At 5 min.", "The train leaves."), ("Contact the dept.", "Fees apply."), ("No.", "That is wrong.")),
        *(("No.", "A fee applies."), ("No.", "€5 per person."), ("Five people max.", "Pets are not allowed.")),
        *(
            ("All taxes incl.", "Parking is free."),
            ("It is an app.", "A fee applies."),
            ("Use the app.", "It is free."),
        ),
        *(("Open the app.", "3 options appear."), ("Open the Doc.", "5 may edit."), ("He loves art.", "5 came.")),
        *(("It was Ed.", "He left."), ("He joined a sect.", "They left."), ("We sell nuts etc.", "Meat is extra.")),
        *(("Wait 5 sec.", "Then go."), ("It is £5 est.", "A deposit is due."), ("Set it to max.", "Then press.")),
        *(("It is 12 ft.", "Boats are longer."), ("It is on 5th Ave.", "The shop opens."), ("Ask at ext.", "We help.")),
    ],
)
def test_an_abbreviation_may_end_a_sentence(first: str, second: str) -> None:
    assert [sentence.text for sentence in split_sentences(f"{first} {second}")] == [first, second]


def test_evidence_reads_on_behind_an_abbreviation_with_its_offsets() -> None:
    text = "Parking costs 90 euros a week, max. €20 per day. Under Reg. 22 an exam may be resat twice. Dogs stay out."
    passages = Passages([text], ["parking"])
    assert passages.texts() == [
        "Parking costs 90 euros a week, max. €20 per day.",
        "Under Reg. 22 an exam may be resat twice.",
        "Dogs stay out.",
    ]
    start, end = passages.place_of(1, 1)
    assert text[start:end] == passages.text_of(1)
