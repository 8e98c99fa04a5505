"""Rules of rows of a table that negate something."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.rows import parts_of_row

TRUE = [
    ("Internet solid red – no connection to the provider.", "| Internet solid red | no connection to the provider |"),
    ("Gift cards cannot be exchanged.", "| Gift cards | Cannot be exchanged |"),
    ("The Basic plan has no phone support and costs 5 euros.", "| Basic plan | No phone support | 5 euros |"),
    ("| Single sign-on | No | Yes |", "| Single sign-on | No | Yes |"),
    ("| Single sign-on | Not included | Included |", "| Single sign-on | Not included | Included |"),
    ("| Single sign-on | No |", "| Single sign-on | No |"),
    ("免费版不支持导出，价格为5元。", "| 免费版 | 不支持导出 | 5元 |"),
    ("| 单点登录 | 不支持 | 支持 |", "| 单点登录 | 不支持 | 支持 |"),
]
FALSE = [
    ("The Free plan includes exports.", "| Free plan | no exports |"),
    ("The Free plan includes exports and costs 5 euros.", "| Free plan | no exports | 5 euros |"),
    ("Single sign-on is included.", "| Single sign-on | No |"),
    ("| Single sign-on | No |", "| Single sign-on | Included |"),
    ("免费版支持导出，价格为5元。", "| 免费版 | 不支持导出 | 5元 |"),
]


@pytest.mark.parametrize(("passage", "row"), TRUE)
def test_a_row_that_negates_what_a_passage_negates_is_supported(passage: str, row: str) -> None:
    (piece,) = assess(row, [passage]).evidence
    assert piece.label == "supported", piece.note


@pytest.mark.parametrize(("passage", "row"), FALSE)
def test_a_row_that_negates_what_a_passage_affirms_is_not(passage: str, row: str) -> None:
    (piece,) = assess(row, [passage]).evidence
    assert piece.label != "supported"


def test_cells_that_negate_are_told_from_those_that_do_not_and_a_mere_no_is_neither() -> None:
    assert parts_of_row("| Basic | no exports | 5 euros |") == ("| Basic | 5 euros |", "| Basic | no exports |")
    for whole in ("| Basic | no exports |", "| Basic | No | Yes |", "| Not included | a | b |", "| a | not | never |"):
        assert parts_of_row(whole) == ()
