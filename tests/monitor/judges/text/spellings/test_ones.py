"""`1` is held by `one` and 一 in front of what it counts, times by `once` and `twice`, `year 1` by the first year."""

import pytest

from monitor.judges.grounding.assessment import assess

_RESAT = "A failed examination may be resat {}."
_YEARS = "In the first year the annual maximum is €750, in the second year €1,500."


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        *(
            (_RESAT.format(said), _RESAT.format(again))
            for said, again in [
                *(("twice", "two times"), ("twice", "2 times"), ("twice", "2×"), ("twice", "2x"), ("2x", "twice")),
                *(("two times", "twice"), ("three times", "thrice"), ("once", "1 time"), ("once", "one time")),
                *(("once", "1x"), ("1×", "once"), ("one time", "1 time")),
            ]
        ),
        ("Professional cleaning is paid twice per calendar year.", "Professional cleaning 2× per calendar year"),
        ("The A8 uses twice as much power as the A4.", "The A8 uses two times as much power as the A4."),
        ("The A8 uses 2x as much power as the A4.", "The A8 uses twice as much power as the A4."),
        (_YEARS, "In year 1 the annual maximum is €750."),
        (_YEARS, "In year 2 the annual maximum is €1,500."),
        ("One exchange is possible within a month.", "1 exchange is possible within a month."),
        ("1 exchange is possible within a month.", "One exchange is possible within a month."),
        ("Every ticket includes one free drink.", "Every ticket includes 1 drink."),
        ("The stay is for one night.", "The stay is for 1 night."),
        ("The contract lasts a year.", "The contract lasts 1 year."),
        ("近期一寸免冠彩色照片一张。", "近期一寸免冠彩色照片1张。"),
        ("审核需要一个工作日。", "审核需要1个工作日。"),
        ("每年一次免费检查。", "每年1次免费检查。"),
        ("每年1次免费检查。", "每年一次免费检查。"),
        ("每人限购一件。", "每人限购1件。"),
        ("每人限购1件。", "每人限购一件。"),
        ("提交申请表一份。", "提交1份申请表。"),
        ("每期一套教材。", "每期1套教材。"),
        ("第一年保费为750元。", "第1年保费为750元。"),
        ("第1年保费为750元。", "第一年保费为750元。"),
    ],
)
def test_what_says_one_holds_it(passage: str, answer: str) -> None:
    assert [piece.label for piece in assess(answer, [passage]).evidence] == ["supported"]


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        *(
            (_RESAT.format(said), _RESAT.format(again))
            for said, again in [
                *(("twice", "three times"), ("three times", "twice"), ("once", "twice"), ("twice", "1 time")),
                *(("twice", "3x"), ("in one year", "1 time")),
            ]
        ),
        (_YEARS, "In year 3 the annual maximum is €1,500."),
        ("One of the exchanges is free.", "1 exchange is free."),
        ("No one pays, and exchanges are free.", "1 exchange is free."),
        ("One can ask for exchanges, which are free.", "1 exchange is free."),
        ("One free ticket is sent, and an exchange is free.", "1 free exchange is sent."),
        ("一些照片可以上传，一般情况下一起提交。", "照片1张可以上传。"),
        ("第一件商品统一包装。", "商品1件统一包装。"),
        ("一次性交费，一旦交费不退。", "交费1次不退。"),
        ("每人限购三件。", "每人限购1件。"),
    ],
)
def test_what_does_not_count_it_does_not(passage: str, answer: str) -> None:
    assert [piece.label for piece in assess(answer, [passage]).evidence] == ["unsupported"]


def test_a_missing_count_of_times_is_told_once() -> None:
    (piece,) = assess(_RESAT.format("twice"), [_RESAT.format("once")]).evidence
    assert piece.note == "number twice not in any passage"
