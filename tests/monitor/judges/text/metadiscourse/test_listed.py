"""A number that counts what the answer itself lists is held; another count is judged."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.metadiscourse.listed import count_in, without_count
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("text", "below", "count"),
    [
        ("There are two plans: Basic, which costs 10 euros, and Plus, which costs 20 euros.", "", "2"),
        ("You can pay in three ways: by card, by bank transfer or in cash.", "", "3"),
        ("The following 3 documents are needed: a form; a photo; a card.", "", "3"),
        ("There are **two** plans:", "\n- Basic\n  - cheap\n- Plus\n\nAsk us.\n- Really\n", "2"),
        ("There are two plans:", "\n\n1. Basic\n   It is cheap.\n\n2. Plus\n", "2"),
        ("Here's a comparison of the two plans:", "\n\n| | Basic | Plus |\n|---|---|---|\n| Fee | 10 | 20 |\n", "2"),
        ("There are two plans:", "\n**Basic:** cheap\n**Plus:** dear\n", "2"),
        ("主要有两点：", "\n1. 身份证\n2. 户口本\n", "2"),
        ("申请人须提交以下三项：身份证、户口本和照片。", "", "3"),
        ("There are three plans: Basic and Plus.", "", ""),
        ("There are three plans:", "\n- Basic\n- Plus\n", ""),
        ("There are two plans.", "\n- Basic\n- Plus\n", ""),
        ("Send it within two days:", "\n- Form\n- Photo\n", ""),
        ("Step 2 for users:", "\n- Form\n- Photo\n", ""),
        ("For a day or two: use a box, or a bag.", "", ""),
        ("须在两个月内提交：", "\n- 身份证\n- 户口本\n", ""),
        ("须提交以下五项：身份证、户口本和照片。", "", ""),
    ],
)
def test_a_count_is_of_just_as_many_items(text: str, below: str, count: str) -> None:
    assert count_in(text, below) == count
    assert (without_count(text, below) == text) == (not count)


def test_a_list_is_announced_by_its_own_count() -> None:
    passage = "We sell plans to private users. Plan Basic costs 10 euros. Plan Plus costs 20 euros."
    answer = "We sell {} plans to private users:\n- Plan Basic costs 10 euros.\n- Plan Plus costs 20 euros."
    assert assess(answer.format("two"), [passage]).label == "faithful"
    assert assess(answer.format("three"), [passage]).label == "unfaithful"


@pytest.mark.parametrize("piece", ["two ", "two a: ", "a, ", "- a\n", "三项", "two-", "- "])
def test_time_is_linear_in_the_length(piece: str) -> None:
    assert grows_linearly(lambda count: lambda: count_in(piece * count + ":", piece * count), 1_000)
