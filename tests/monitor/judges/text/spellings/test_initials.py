"""Initials are those of consecutive words: capitals, or from three letters on also words written small."""

import pytest

from monitor.judges.text.spellings.initials import Initials

HELD = [
    ("International Monetary Fund", "IMF"),
    ("the International Monetary and Financial Committee", "IMFC"),
    ("Department of Justice", "DOJ"),
    ("Organization of the Petroleum Exporting Countries", "OPEC"),
    ("Research and Development Unit", "RDU"),
    ("Research & Development Unit", "RDU"),
    ("Research &Development Unit", "RDU"),
    ("Solid-State Drive", "SSD"),
    ("solid-state drive", "SSD"),
    ("l'International Monetary Fund", "IMF"),
    ("the fund's ‘international monetary fund’", "IMF"),
    ("l'international monetary fund", "IMF"),
    ("Human Resources", "HR"),
    ("Bank\n of England Museum", "BEM"),
    ("İnternational monetary fund", "IMF"),
]
OTHER = [
    ("International Monetary. Fund", "IMF"),
    ("International Medical Fund", "IFM"),
    ("human resources", "HR"),
    ("House of Representatives", "HR"),
    ("Head & Rest", "HR"),
    ("Research and of the Development Unit", "RDU"),
    ("Research -- Development Unit", "RDU"),
    ("I M F", "IMF"),
    ("it may fit", "IMF"),
    ("their international members", "TIM"),
    ("interest mattered. found", "IMF"),
    ("department on justice", "DOJ"),
    ("Department of", "DO"),
]


@pytest.mark.parametrize(("text", "initials"), HELD)
def test_words_with_these_initials_hold_them(text: str, initials: str) -> None:
    assert Initials([initials]).found_in(text) == {initials}


@pytest.mark.parametrize(("text", "initials"), OTHER)
def test_others_do_not(text: str, initials: str) -> None:
    assert Initials([initials]).found_in(text) == set()


def test_all_that_are_asked_for_are_found_at_once() -> None:
    text = "The World Health Organization and the World Trade Organization met the Bank of England."
    assert Initials(["WHO", "WTO", "BE", "BOE", "WHT"]).found_in(text) == {"WHO", "WTO", "BOE"}
