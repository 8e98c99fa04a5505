"""Numbers of the rows of a table say nothing of their own, and below `Year` a 1 is the first year."""

import pytest

from monitor.judges.grounding.assessment import assess

_EN = "Annual maximum: €750 in the first year, €1,500 in the second. Visitors wear a badge. Bags are searched."
_ZH = "第一年年度最高750元，第二年1500元。"


@pytest.mark.parametrize(
    ("passage", "answer", "labels"),
    [
        (_EN, "| Year | Maximum |\n|---|---|\n| 1 | €750 |\n| 2 | €1,500 |\n| 3 | €1,500 |", "++-"),
        (_EN, "| # | Rule |\n|---|---|\n| 1 | Visitors wear a badge |\n| 2 | Bags are searched |", "++"),
        (_EN, "| # | Rule |\n|---|---|\n| 1 | Visitors wear a badge |\n| 7 | Bags are searched |", "+-"),
        (_EN, "| Bags | Rule |\n|---|---|\n| 1 | Bags are searched |", "-"),
        (_EN, "| 1 | Bags are searched |", "-"),
        (_ZH, "| 年度 | 最高 |\n|---|---|\n| 1 | 750元 |\n| 2 | 1500元 |\n| 3 | 1500元 |", "++-"),
    ],
)
def test_only_numbers_in_order_are_held(passage: str, answer: str, labels: str) -> None:
    signs = {"supported": "+", "unsupported": "-"}
    assert "".join(signs.get(piece.label, "?") for piece in assess(answer, [passage]).evidence) == labels
