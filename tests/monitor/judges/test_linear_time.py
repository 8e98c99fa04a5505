"""A text of whatever shape is read in time that grows with its length: judges share one event loop with all else.

What takes time by the square of the length takes 10 s and more for texts of this size, what does not some milliseconds.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import time

import pytest

from monitor.errors import JudgeRejected
from monitor.judges.grounding.assessment import assess
from monitor.judges.prompts.evaluation import load_evaluation
from monitor.judges.prompts.frame import build_prompt
from monitor.judges.prompts.group import grouped
from monitor.judges.prompts.material import whole
from monitor.judges.prompts.quotes import Quotable
from monitor.judges.replies.doubts import supposes, takes_back
from monitor.judges.replies.parse import parse_verdict
from tests.growth import seconds
from tests.monitor.judges.scripted import asked

LENGTH = 20_000
AT_MOST_S = 3.0

pumped = pytest.mark.parametrize(
    "unit", [" ", "\n", "\u3000", "[ ", "[", "/ ", ".", "... ", "< ", "{", '"', "{}", "END ", "answer ", "中 ", "1."]
)


@pumped
@pytest.mark.parametrize("first", ["a", "[", "<", '"'])
def test_a_quotation_is_found_or_not_in_linear_time(first: str, unit: str) -> None:
    text = first + unit * (LENGTH // len(unit)) + "b"
    started = time.process_time()
    Quotable("The warranty lasts 2 years.").find(text)
    Quotable(text).find("The warranty lasts 2 years.")
    assert time.process_time() - started < AT_MOST_S


@pumped
@pytest.mark.parametrize("first", ["a", "[", "<", '"'])
def test_a_prompt_is_made_in_linear_time(first: str, unit: str) -> None:
    text = first + unit * (LENGTH // len(unit)) + "b"
    (group,) = grouped([load_evaluation("faithfulness")], "together")
    started = time.process_time()
    build_prompt(group, group.evaluations, whole(asked("How long?", text, text)), random.Random(1))
    assert time.process_time() - started < AT_MOST_S


@pumped
@pytest.mark.parametrize("inside", [False, True])
def test_a_reply_is_parsed_in_linear_time(unit: str, *, inside: bool) -> None:
    text = unit * (LENGTH // len(unit))
    started = time.process_time()
    with contextlib.suppress(JudgeRejected):
        parse_verdict(json.dumps({"score": 1, "reason": text}) if inside else text, frozenset({"score"}), (text,))
    assert time.process_time() - started < AT_MOST_S


@pumped
def test_what_is_said_around_a_verdict_is_read_in_linear_time(unit: str) -> None:
    text = unit.translate(str.maketrans("{}", "()")) * (LENGTH // len(unit))
    started = time.process_time()
    takes_back(text)
    supposes(text)
    assert time.process_time() - started < AT_MOST_S


WORDS = " ".join(f"w{n % 5_000:x}" for n in range(40_000))
HAN = "".join(chr(0x4E00 + n * 37 % 3_001) + "。" * (n % 30 == 29) for n in range(90_000))
INITIALS = list(itertools.islice(itertools.product("QXZJK", repeat=5), 120))
PLAIN, PLAIN_ZH = "It is open daily and has a pool.", "它每天开放，有一个游泳池。"


@pytest.mark.parametrize(
    ("lines", "plain", "passage"),
    [
        (["Mild fever: unknown; sore throat: unknown; dry cough: unknown."] * 40, PLAIN, WORDS),
        ([f"The {''.join(one)} is open daily and has a pool." for one in INITIALS], PLAIN, WORDS),
        ([f"我们在河北和山西、吉林开会{n}次。" for n in range(80)], PLAIN_ZH, HAN),
    ],
    ids=["labels", "initials", "places"],
)
def test_what_an_answer_asks_of_the_passages_costs_no_reading_of_its_own(
    lines: list[str], plain: str, passage: str
) -> None:
    least = min(seconds(lambda: assess("\n".join([plain] * len(lines)), [passage])) for _ in range(3))
    assert any(seconds(lambda: assess("\n".join(lines), [passage])) < 4.0 * least for _ in range(3))
