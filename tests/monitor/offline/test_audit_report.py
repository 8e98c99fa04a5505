"""What the audit prints of the length of answers: figures, or what was lacking for them."""

from __future__ import annotations

import pytest

from monitor.offline.audit_report import _length
from monitor.quality.audit import length_bias

MANY = [float(number) for number in range(20)]
SAME = [1.0] * 20
OTHERS = [float(number * 7 % 20) for number in range(20)]


@pytest.mark.parametrize(
    ("scores", "lengths", "qualities", "told"),
    [
        (MANY[:9], MANY[:9], MANY[:9], ": too few rows, it takes 10 (9 rows; "),
        (SAME, MANY, OTHERS, ": nothing to tell, as all rows have the same score (20 rows; "),
        (MANY, SAME, OTHERS, ": nothing to tell, as all rows have the same length (20 rows; "),
        (SAME, SAME, OTHERS, ": nothing to tell, as all rows have the same score and the same length (20 rows; "),
        (MANY, OTHERS, SAME, "]; nothing to tell at the same quality, as all rows have the same quality (20 rows; "),
        (
            MANY,
            OTHERS,
            MANY,
            "]; nothing to tell at the same quality, as the order by quality is that of one of them (",
        ),
        (MANY, OTHERS, [*MANY[1:], 3.0], "], at the same quality "),
    ],
)
def test_what_cannot_be_told_of_length_is_told_with_the_reason(
    scores: list[float], lengths: list[float], qualities: list[float], told: str
) -> None:
    said = _length(length_bias(scores, lengths, qualities, "label"))
    assert said.startswith("Score and length of the answer: ")
    assert told in said
    assert ("Spearman" in said) == told.startswith("]")
