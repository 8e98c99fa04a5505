"""Rules of code in an answer."""

import pytest

from monitor.judges.embedded import assess
from monitor.judges.text.code import without_literals


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("Call `rides(2023)`.", "Call `rides(    )`."),
        ("```python\nopen('a', 3)\n```", "```python\nopen(   ,  )\n```"),
        ("rides(2023) is a function", "rides(2023) is a function"),
        ("The fee (40 euros) of `x`", "The fee (40 euros) of `x`"),
        ('```json\n{"fee": 40}\n```', '```json\n{"fee": 40}\n```'),
    ],
)
def test_only_what_a_call_in_code_is_given_is_left_out(answer: str, left: str) -> None:
    assert without_literals(answer) == left
    assert len(left) == len(answer)


def test_code_copied_from_a_passage_is_not_judged_by_its_literals() -> None:
    passages = ["The function `rides(year)` returns the number of rides."]
    assert assess("The function `rides(2023)` returns the number of rides.", passages).label == "faithful"
    assert assess("The function `rides(year)` returns 2023 rides.", passages).label == "unfaithful"
