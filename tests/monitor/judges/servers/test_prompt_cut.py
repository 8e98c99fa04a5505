from __future__ import annotations

import dataclasses
import json

import pytest

from monitor.judges.reasons import Failure, Reason
from monitor.judges.servers.pricing import Tariff
from monitor.judges.servers.prompt_cut import SMALLEST_CUT, is_cut, least_tokens
from monitor.judges.servers.reading import read_reply
from monitor.judges.servers.registry import server_of
from monitor.judges.servers.transport import HttpReply
from tests.judge_server import completion
from tests.monitor.judges.servers.asks import ASK, Words, config

ENGLISH = Words(user="The warranty lasts two years and covers water damage. " * 500)  # 4,500 words
CHINESE = Words(user="本产品保修期为两年，涵盖进水损坏。" * 500)  # 7,500 characters


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("", 0),
        ("one two-three, four.", 3),
        ("- -- ===== |", 0),
        ("保修期为两年。", 2),
        ("保修 two 年 years", 3),
        ("=" * 100_000, 0),
        ("a" * 100_000, 1),
    ],
)
def test_a_text_has_at_least_a_token_a_word_and_one_for_three_characters_of_chinese(text: str, least: int) -> None:
    assert least_tokens(text) == least


@pytest.mark.parametrize(
    ("prompt", "counted", "cut"),
    [
        (ENGLISH, 2051, True),  # half of a context of 4096, which is what Ollama leaves
        (CHINESE, 2051, True),
        (ENGLISH, 5400, False),  # 1.2 tokens a word
        (CHINESE, 4400, False),  # 1.7 characters a token
        (ENGLISH, 0, False),  # not counted
        (ENGLISH, 10, False),  # counted in some other way
        (Words(), 600, False),
    ],
)
def test_fewer_tokens_than_words_mean_a_cut_prompt(prompt: Words, counted: int, *, cut: bool) -> None:
    assert is_cut(prompt, counted) is cut


LONG_SYSTEM = "Judge each claim of the answer by the passages. " * 200  # 1,800 words


@pytest.mark.parametrize("passages", [700, 1000, 2000, 4500])
def test_what_is_left_out_of_the_count_as_it_was_in_the_cache_is_no_cut(passages: int) -> None:
    """The instructions are the same in every call, so a server may have them in its cache and not count them."""
    prompt = Words(LONG_SYSTEM, "warranty " * passages)
    assert least_tokens(prompt.system) > 1.5 * SMALLEST_CUT
    assert not is_cut(prompt, passages)
    assert is_cut(prompt, int(0.8 * passages)) is (0.8 * passages >= SMALLEST_CUT)


@pytest.mark.parametrize("prompt", [CHINESE, Words(LONG_SYSTEM, CHINESE.user), Words(CHINESE.user, CHINESE.user)])
@pytest.mark.parametrize("added", [0, 1, 8])
def test_a_fourth_of_the_characters_is_a_guess_and_no_count(prompt: Words, added: int) -> None:
    guessed = (len(prompt.system) + len(prompt.user)) // 4
    assert not is_cut(prompt, guessed + added)
    if guessed < least_tokens(prompt.user):
        assert is_cut(prompt, int(guessed * 0.9))


def test_a_verdict_on_a_cut_prompt_is_none() -> None:
    usage = {"prompt_tokens": 2051, "completion_tokens": 5}
    body = json.dumps(completion('{"score": 4}', usage=usage)).encode()
    ask = dataclasses.replace(ASK, prompt=ENGLISH)
    result = read_reply(server_of(config()), HttpReply(200, {}, body), ask, Tariff({}, "m"), 0.0, 60.0)
    assert isinstance(result, Failure)
    assert (result.reason, result.detail, result.usage.input_tokens) == (Reason.TOO_LONG, "prompt_cut", 2051)
