"""A claimed one is wrong where a passage counts the very same thing otherwise, and nowhere else."""

import pytest

from monitor.judges.grounding.assessment import assess


@pytest.mark.parametrize(
    ("passage", "answer", "note"),
    [
        ("Keep receipts for three years.", "Keep receipts for one year.", "three instead of one"),
        ("Bring 3 passport photos.", "Bring one passport photo.", "3 instead of one"),
        ("The exam can be repeated twice.", "The exam can be repeated once.", "twice instead of once"),
        ("The filter is cleaned three times a year.", "The filter is cleaned once a year.", "three instead of once"),
        ("每人限购三件。", "每人限购一件。", "三 instead of 一"),
        ("有效期为两年。", "有效期为一年。", "两 instead of 一"),
        ("有效期三年。", "有效期一年。", "三 instead of 一"),
        ("The course lasts four days.", "The course lasts one day.", "four instead of one"),
        ("有效期为3年。", "有效期为一年。", "3 instead of 一"),
        ("有效期为半年。", "有效期为一年。", "半 instead of 一"),
        ("审核需要五个工作日。", "审核需要一个工作日。", "五 instead of 一"),
    ],
)
def test_another_count_excludes_one(passage: str, answer: str, note: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label != "supported"
    assert piece.note == f"a passage says {note}"


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("Keep receipts for three years. Photos are kept for a year.", "Keep receipts for one year."),
        ("Receipts are kept for twelve months, others three years.", "Receipts are kept for one year, others three."),
        ("One of the three towers is open.", "One tower of the three is open."),
        ("No one pays in the three towers.", "No one pays in the towers."),
        ("The exam can be repeated twice, or once without a fee.", "The exam can be repeated once."),
        ("Once registered, you can park for two hours.", "Once registered, you can park."),
        ("Bring three photos.", "Bring more than one photo."),
        ("Three towers face one another.", "The towers face one another."),
        ("每年一次，共三次。", "每年一次。"),
        ("有效期为十二个月，可续两年。", "有效期为一年。"),
        ("一般需要两天。", "一般需要两天。"),
        ("第一年免费，共三年。", "第一年免费。"),
        ("统一发放三件。", "统一发放。"),
        ("One day the course may last four days.", "One day the course may last."),
        ("星期一年会共三年。", "星期一年会。"),
        ("每天三次，连服两天。", "一天三次。"),
    ],
)
def test_elsewhere_it_is_left_alone(passage: str, answer: str) -> None:
    assert "instead" not in "".join(piece.note for piece in assess(answer, [passage]).evidence)


def test_a_passage_that_says_one_only_helps() -> None:
    passages = ["Keep receipts for three years.", "Keep receipts for one year if you are self-employed."]
    few, more = (assess("Keep receipts for one year.", passages[:count]).evidence[0].score for count in (1, 2))
    assert few < more
