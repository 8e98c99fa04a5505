"""Rules of what says where in a document something stands."""

import re

import pytest

from monitor.judges.text.metadiscourse.locators import AUTHORS, may_be_authors, without_locators


@pytest.mark.parametrize(
    "text",
    ["section 4.2", "Tables 2 and 3", "§§ 4.2–4.5", "Appendix B", "pp. 4-5, 9", "第12条第2款", "第3.2节", "附录2"],
)
def test_a_part_of_a_document_leaves_nothing(text: str) -> None:
    rest = without_locators(text)
    assert rest is not None
    assert not rest.strip()


def test_what_stands_beside_it_is_left_and_a_year_is_none_of_its_numbers() -> None:
    assert without_locators("handbook 2024, section 4.2") == "handbook 2024,  "


@pytest.mark.parametrize("text", ["Table 2, within 90 days", "Article 5", "第3条规定90天", "20240"])
def test_another_number_is_not_left_out(text: str) -> None:
    assert without_locators(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("Smith et al. 2021", "Smith & Jones, 2021a, pp. 4-5", "Smith, Jones and Li et al., 2021; Li 2019"),
        *("see Smith, 2021", "Smith 2021, p. 4", "Smith & Jones 2021", "e.g., Smith and Jones, 2021"),
    ],
)
def test_authors_stand_before_a_year(text: str) -> None:
    assert re.fullmatch(AUTHORS, text, re.IGNORECASE)
    assert may_be_authors(text)


@pytest.mark.parametrize(
    "text",
    [
        "Smith 2021",
        "Berlin, 2021",
        "Cancelled, 2021",
        "Vienna and Graz 2021",
        "smith et al. 2021",
        "Smith, 90",
        "Smith paid 20, 2021",
        "2021",
    ],
)
def test_other_words_are_no_authors(text: str) -> None:
    assert not re.fullmatch(AUTHORS, text, re.IGNORECASE)


@pytest.mark.parametrize("text", ["see May, 2021", "May & Monday 2021", "see Winter, 2021", "France & French, 2015"])
def test_months_seasons_and_countries_are_none(text: str) -> None:
    assert not may_be_authors(text)
