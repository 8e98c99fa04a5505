"""A reply of whatever shape is a verdict that it gives, or a reason for none; never a defect of ours."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from monitor.judges.reasons import Failure, Reason
from monitor.judges.servers.pricing import Tariff
from monitor.judges.servers.reading import read_reply
from monitor.judges.servers.registry import server_of
from monitor.judges.servers.transport import HttpReply
from monitor.judges.servers.wire import ChatReply, End, end_of
from monitor.records import Outcome
from tests.judge_server import Canned, completion
from tests.monitor.judges.scripted import judge_one
from tests.monitor.judges.servers.asks import ASK, config

VERDICT = '{"reason": "r", "score": 5}'
CRITERIA: dict[str, Any] = {
    "evaluations": [],
    "criteria": [{"name": "tone", "criteria": "Is it polite?", "steps": ["read"], "scale": [1, 5]}],
    "retries": 0,
    "retry_budget": 0,
}
CALL = {"id": "c", "type": "function", "function": {"name": "tone", "arguments": VERDICT}}
CHAT: dict[str, Any] = {
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "native_finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": VERDICT}, {"type": "thinking", "thinking": "t"}],
                "refusal": None,
                "tool_calls": [CALL],
                "reasoning_content": "r",
            },
            "content_filter_results": {"hate": {"filtered": False}},
            "logprobs": {"content": [{"token": "a", "logprob": -0.1, "bytes": [97], "top_logprobs": []}]},
        }
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 1}},
}
MESSAGE: dict[str, Any] = {
    "type": "message",
    "model": "m",
    "content": [{"type": "text", "text": VERDICT}, {"type": "tool_use", "input": {"score": 5}}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 5, "output_tokens": 5},
}
ERROR: dict[str, Any] = {
    "error": {"message": "m", "code": "c", "type": "t", "param": "p", "innererror": {"code": "x"}, "status": 400},
    "usage": {"prompt_tokens": 5},
    "base_resp": {"status_code": 1000},
}
ODD: tuple[Any, ...] = (
    *(None, True, 7, 1.5, "", "x", [], ["length"], [None]),
    *({}, {"a": 1}, {"type": {"a": 1}}, {"type": ["text"]}),
)


def _odd_ones(body: Any) -> Iterator[Any]:  # noqa: ANN401 - any part of a reply may be odd
    """The body with each of its parts, one after the other, replaced by each odd value."""
    yield from copy.deepcopy(ODD)
    places = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, inside in places:
        for odd in _odd_ones(inside):
            changed = copy.copy(body)
            changed[key] = odd
            yield changed


@pytest.mark.parametrize(("server", "body"), [("compatible", CHAT), ("anthropic", MESSAGE), ("compatible", ERROR)])
def test_no_part_of_a_reply_of_another_type_is_a_defect(server: str, body: dict[str, Any]) -> None:
    adapter, tariff = server_of(config(server=server)), Tariff({}, "m")
    for odd in _odd_ones(body):
        read = read_reply(adapter, HttpReply(200, {}, json.dumps(odd).encode()), ASK, tariff, 0.0, 60.0)
        assert isinstance(read, ChatReply | Failure)


# ----------------------------------------------------------------------------------------------------- finish reasons


@pytest.mark.parametrize(
    "word", ["partial", "in_progress", "IN_PROGRESS", "running", "compaction", 7, True, ["stop", 1]]
)
def test_a_word_for_an_unfinished_reply_is_no_end(word: Any) -> None:  # noqa: ANN401
    assert end_of(word) is End.BROKEN


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (("敏感",), End.REFUSED),
        (("超长截断",), End.LENGTH),
        ((None, ""), End.UNSAID),
        (("stop", "MAX_TOKENS"), End.LENGTH),
        (("eos_token",), End.DONE),
        (("tool_calls",), End.DONE),
        (("stop_sequence",), End.DONE),
        (("COMPLETE",), End.DONE),
        (({"type": "length"},), End.LENGTH),
    ],
)
def test_a_word_is_what_it_stands_for(words: tuple[Any, ...], end: End) -> None:
    assert end_of(*words) is end


def _read(said: int, finish: str | None = None, **changes: object) -> ChatReply | Failure:
    body = completion(VERDICT, finish_reason=finish, usage={"prompt_tokens": 5, "completion_tokens": said})
    reply = HttpReply(200, {}, json.dumps(body).encode())
    return read_reply(server_of(config(**changes)), reply, ASK, Tariff({}, "m"), 0.0, 60.0)


@pytest.mark.parametrize("server", ["openai", "mistral", "deepseek"])
def test_a_reply_without_an_end_is_unfinished_where_each_has_one(server: str) -> None:
    failure = _read(9, server=server)
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.SERVER_ERROR


def test_elsewhere_it_is_finished_unless_it_is_as_long_as_its_limit() -> None:
    assert isinstance(_read(9), ChatReply)
    cut = _read(ASK.output_limit)
    assert isinstance(cut, Failure)
    assert cut.reason is Reason.TRUNCATED
    assert isinstance(_read(ASK.output_limit, "stop"), ChatReply)


def test_a_message_without_an_end_is_unfinished() -> None:
    reply = HttpReply(200, {}, json.dumps(MESSAGE | {"stop_reason": None}).encode())
    read = read_reply(server_of(config(server="anthropic")), reply, ASK, Tariff({}, "m"), 0.0, 60.0)
    assert isinstance(read, Failure)


# ------------------------------------------------------------------------------------------------------------ choices


def _choice(content: str, finish: str = "stop", **message: object) -> dict[str, object]:
    return {"message": {"role": "assistant", "content": content} | message, "finish_reason": finish}


def _judged(*choices: dict[str, object], logprobs: object = None) -> tuple[Outcome, str, float | None]:
    given = [dict(choice) for choice in choices]
    if logprobs:
        given[0]["logprobs"] = {"content": logprobs}
    body = {"model": "m", "usage": {"prompt_tokens": 10, "completion_tokens": 5}, "choices": given}
    judged = judge_one(Canned(body=json.dumps(body).encode()), **CRITERIA)
    return judged.outcome, judged.reason, judged.score


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (_choice(VERDICT, "length"), "truncated"),
        (_choice(VERDICT, "content_filter"), "refused"),
        (_choice(VERDICT, "error"), "server_error"),
        (_choice(VERDICT, refusal="I cannot"), "refused"),
    ],
)
def test_each_of_several_choices_has_to_be_finished(second: dict[str, object], reason: str) -> None:
    assert _judged(_choice(""), second) == (Outcome.JUDGE_ERROR, reason, None)


@pytest.mark.parametrize(
    "beside",
    [
        "Ignore my call, it was an error.",
        "I cannot judge this.",
        "Scratch that, it deserves 1.",
        "我判错了，应该是1分。",
        "Suppose I had to write something:",
        VERDICT.replace("5", "1"),
    ],
)
def test_what_stands_beside_a_call_may_take_it_back(beside: str) -> None:
    assert _judged(_choice(beside, tool_calls=[CALL]))[:2] == (Outcome.JUDGE_ERROR, "parse")


@pytest.mark.parametrize(
    "beside",
    [
        "",
        "I will judge the answer now.",
        "Calling the function.",
        "<think>Wait, no. Let me re-check.</think>",
        "好的。",
    ],
)
def test_what_else_stands_beside_a_call_is_commentary(beside: str) -> None:
    assert _judged(_choice(beside, tool_calls=[CALL])) == (Outcome.SCORED, "", 1.0)


# ------------------------------------------------------------------------------------------------------------ numbers


def _tokens(probability: float, *alternatives: tuple[str, float]) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = [{"token": one, "logprob": 0.0, "top_logprobs": []} for one in VERDICT]
    others = [{"token": token, "logprob": logprob} for token, logprob in alternatives]
    entries[VERDICT.index("5")] = {"token": "5", "logprob": probability, "top_logprobs": others}
    return entries


@pytest.mark.parametrize(
    "tokens",
    [
        _tokens(-0.1, ("1", -0.01)),
        _tokens(-0.1, ("5", -3.0), ("1", -0.1)),
        _tokens(-0.1, ("5", -3.0), ("1", -3.5)),
    ],
)
def test_probabilities_of_no_distribution_are_none(tokens: list[dict[str, object]]) -> None:
    assert _judged(_choice(VERDICT), logprobs=tokens) == (Outcome.SCORED, "", 1.0)


@pytest.mark.parametrize("alternatives", [[("5", -0.1), ("1", -2.4)], [("1", -2.4)]])
def test_those_of_one_count(alternatives: list[tuple[str, float]]) -> None:
    _, _, score = _judged(_choice(VERDICT), logprobs=_tokens(-0.1, *alternatives))
    assert score == pytest.approx(0.909, abs=0.001)


@pytest.mark.parametrize("number", ["4.9999999999999999999", "1.00000000000000001", "1e-999999999999999999999"])
def test_a_number_that_only_rounds_to_one_of_the_scale_is_none(number: str) -> None:
    assert _judged(_choice(f'{{"reason": "r", "score": {number}}}'))[:2] == (Outcome.JUDGE_ERROR, "invalid_score")


@pytest.mark.parametrize("number", ["5.0", "5.000000000000000000000000", "50e-1", "0.5E1"])
def test_a_whole_number_may_be_written_otherwise(number: str) -> None:
    assert _judged(_choice(f'{{"reason": "r", "score": {number}}}')) == (Outcome.SCORED, "", 1.0)
