from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config import judges as judge_settings
from monitor.config.prices import Price
from monitor.judges.reasons import Failure, Reason
from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.chat import ChatCompletions
from monitor.judges.servers.failures import classify_error
from monitor.judges.servers.pricing import Tariff
from monitor.judges.servers.providers import PROVIDERS
from monitor.judges.servers.reading import read_reply
from monitor.judges.servers.transport import HttpReply
from monitor.judges.servers.wire import ChatReply
from monitor.records import Usage
from tests.judge_server import completion
from tests.monitor.judges.servers.asks import ASK

PRICES = Tariff({"*": Price(input=2.0, output=10.0)}, "m")
NOW_S = 1_790_000_000.0
CHAT = ChatCompletions(judge_settings.LlmJudge(base_url="http://j.example", model="m-1"), PROVIDERS["compatible"])


def reply(body: object, status: int = 200, **headers: str) -> HttpReply:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HttpReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, raw)


def read(body: object, status: int = 200, **headers: str) -> ChatReply | Failure:
    return read_reply(CHAT, reply(body, status, **headers), ASK, PRICES, NOW_S, 60.0)


def failure_of(body: object, status: int = 200, **headers: str) -> Failure:
    result = read(body, status, **headers)
    assert isinstance(result, Failure)
    return result


def error(message: str = "", **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


# ------------------------------------------------------------------------------------------------------ good replies


SAID = '{"quote": "stäted 保修期"}'


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("gb18030", "application/json; charset=GB18030"),
        ("gbk", 'application/json; charset="gbk"'),
        ("utf-8", "application/json; charset=iso-8859-1"),
        ("utf-8", "application/json; charset=klingon"),
        ("utf-16", "application/json"),
        ("utf-8-sig", "text/plain"),
    ],
)
def test_a_reply_is_read_in_the_encoding_that_it_has_or_declares(encoding: str, declared: str) -> None:
    text = SAID.replace("ä", "a")  # GBK has none
    raw = json.dumps(completion(text), ensure_ascii=False).encode(encoding)
    result = read(raw, content_type=declared)
    assert isinstance(result, ChatReply)
    assert result.text == text


@pytest.mark.parametrize("charset", ["iso-8859-1", "ISO-8859-15", "latin1", "windows-1252", "'cp1252'"])
def test_a_western_reply_is_read_as_it_declares(charset: str) -> None:
    raw = json.dumps(completion("stäted"), ensure_ascii=False).encode("latin-1")
    result = read(raw, content_type=f"application/json;charset={charset}")
    assert isinstance(result, ChatReply)
    assert result.text == "stäted"


@pytest.mark.parametrize("charset", ["klingon", "latin-99", "unicode_escape", "punycode", "zlib", "us-ascii", ""])
def test_an_encoding_that_is_none_or_does_not_fit_is_no_json(charset: str) -> None:
    raw = json.dumps(completion("stäted"), ensure_ascii=False).encode("latin-1")
    assert failure_of(raw, content_type=f"application/json; charset={charset}").detail == "not_json"


def test_a_finished_reply_has_text_model_and_cost() -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 200}
    assert read(completion("{}", model="m-2026", usage=usage)) == ChatReply(
        "{}", "m-2026", Usage(1, 1000, 200, 0.004), usage_known=True
    )


@pytest.mark.parametrize(
    "usage",
    [
        {},
        [],
        "12",
        {"prompt_tokens": None, "completion_tokens": None},
        {"prompt_tokens": -1, "completion_tokens": True},
    ],
)
def test_a_missing_usage_is_0_and_known_to_be_missing(usage: object) -> None:
    result = read(completion("{}", usage=usage))
    assert (result.usage, result.usage_known) == (Usage(1), False)


@pytest.mark.parametrize("model", [None, 7, "", "x" * 200, "a b", "é", "a\nb"])
def test_an_odd_model_name_is_no_snapshot(model: object) -> None:
    assert read(completion("{}") | {"model": model}).model is None


@pytest.mark.parametrize("finish", ["stop", "eos", "", None, "end_turn"])
def test_other_words_for_the_end_are_accepted(finish: str | None) -> None:
    assert isinstance(read(completion("{}", finish_reason=finish)), ChatReply)


def test_typed_parts_are_joined_and_reasoning_is_left_out() -> None:
    parts = [{"type": "thinking", "text": "no"}, {"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}]
    message = {"content": parts, "reasoning_content": '{"a": 2}'}
    result = read(completion(None, message=message))
    assert isinstance(result, ChatReply)
    assert result.text == '{"a": 1}'


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_every_encoding_of_json_is_read(encoding: str) -> None:
    result = read(json.dumps(completion("中"), ensure_ascii=False).encode(encoding))
    assert isinstance(result, ChatReply)
    assert result.text == "中"


# --------------------------------------------------------------------------------------------------- replies without


@pytest.mark.parametrize(
    "finish",
    [
        "length",
        "max_tokens",
        "MAX_TOKENS",
        "model_length",
        "max_length",
        "max_new_tokens",
        "maxTokens",
        "MAX-TOKENS",
        "FinishReason.MAX_TOKENS",
        " length ",
        "time_limit",
        "incomplete",
        "repetition_truncation",
        "ERROR_LIMIT",
        "token_budget_exhausted",
        "quota_exceeded",
    ],
)
def test_the_finish_reason_comes_before_the_text(finish: str) -> None:
    failure = failure_of(completion('{"claims": [], "claim_count": 0}', finish_reason=finish))
    assert (failure.reason, failure.usage.calls, failure.counts) == (Reason.TRUNCATED, 1, False)


@pytest.mark.parametrize(
    "body",
    [
        completion(None, finish_reason="content_filter"),
        completion('{"claims": []}', finish_reason="content_filter"),
        completion(None, message={"refusal": "I cannot help with that."}),
        completion("", finish_reason="SAFETY"),
        completion("", finish_reason="sensitive"),
        completion('{"claims": []}', finish_reason="content_filter: PROHIBITED_CONTENT"),
        completion('{"claims": []}', finish_reason="ERROR_TOXIC"),
        completion('{"claims": []}', finish_reason="policy_violation"),
        completion('{"claims": []}', finish_reason="blocked"),
        completion('{"claims": []}', finish_reason="LANGUAGE"),
        completion(None, message={"content": [{"type": "refusal", "refusal": "I cannot."}]}),
        {"choices": [{"finish_reason": "content_filter", "content_filter_results": {}}]},
    ],
)
def test_a_refusal_is_refused_whatever_else_it_says(body: object) -> None:
    failure = failure_of(body)
    assert (failure.reason, failure.counts) == (Reason.REFUSED, False)


@pytest.mark.parametrize("content", [None, "", " \n", [], 7, {"a": 1}])
def test_an_empty_reply_is_unreadable_but_the_judge_lives(content: object) -> None:
    failure = failure_of(completion(None, message={"content": content}))
    assert (failure.reason, failure.counts) == (Reason.PARSE, False)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body>Bad gateway</body></html>",
        b"\xff\xfe\x00",
        b"[]",
        b'"text"',
        b'{"choices": [1',
        {"choices": []},
        {"choices": None},
        {"choices": ["x"]},
        {"choices": [{"text": "{}"}]},
        b'{"choices": [], "choices": []}',
        b"[" * 200_000,
    ],
)
def test_what_is_no_chat_completion_speaks_against_the_endpoint(body: object) -> None:
    failure = failure_of(body)
    assert (failure.reason, failure.counts) == (Reason.PARSE, True)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (error("upstream", code=502), Reason.SERVER_ERROR),
        (error("slow down", code=429), Reason.RATE_LIMITED),
        (error("slow down", code="429"), Reason.RATE_LIMITED),
        (error("no key", code=401), Reason.AUTH),
        ({"error": "boom"}, Reason.SERVER_ERROR),
        ({"choices": [{"error": {"code": 503, "message": "x"}, "finish_reason": "error"}]}, Reason.SERVER_ERROR),
        (completion('{"claims": [', finish_reason="error"), Reason.SERVER_ERROR),
        (error("filtered", code="content_filter"), Reason.REFUSED),
        ({"object": "error", "message": "bad", "code": 400}, Reason.BAD_REQUEST),
        ({"object": "error", "message": "maximum context length is 10 tokens", "code": 400}, Reason.TOO_LONG),
        ({"code": "DataInspectionFailed", "message": "May contain inappropriate content."}, Reason.REFUSED),
        ({"code": "InternalError", "message": "x"}, Reason.SERVER_ERROR),
        ({"statusCode": 401, "message": "Access token is missing"}, Reason.AUTH),
        (completion('{"claims": []}', finish_reason="timeout"), Reason.SERVER_ERROR),
        (completion('{"claims": []}', finish_reason="pause_turn"), Reason.SERVER_ERROR),
        (completion('{"claims": []}', finish_reason="preempted"), Reason.SERVER_ERROR),
        (completion('{"claims": []}', finish_reason="UNEXPECTED_TOOL_CALL"), Reason.SERVER_ERROR),
    ],
)
def test_an_error_under_a_good_status_is_an_error(body: object, reason: Reason) -> None:
    assert failure_of(body).reason is reason


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (301, b"", Reason.REDIRECT),
        (307, b"", Reason.REDIRECT),
        (400, error("bad"), Reason.BAD_REQUEST),
        (401, error("no key"), Reason.AUTH),
        (402, error("Insufficient Balance"), Reason.QUOTA),
        (403, error("forbidden"), Reason.AUTH),
        (403, error("Your chosen model requires moderation and your input was flagged"), Reason.REFUSED),
        (404, error("no such model"), Reason.UNKNOWN_MODEL),
        (408, b"", Reason.TIMEOUT),
        (413, b"", Reason.TOO_LONG),
        (422, error("bad"), Reason.BAD_REQUEST),
        (429, b"", Reason.RATE_LIMITED),
        (429, error("quota", code="insufficient_quota"), Reason.QUOTA),
        (429, error("You exceeded your current quota. Please retry in 34.07s."), Reason.RATE_LIMITED),
        (400, error("access denied", code="Arrearage"), Reason.QUOTA),
        (400, error("x", code="data_inspection_failed"), Reason.REFUSED),
        (400, error("x", code="content_policy_violation"), Reason.REFUSED),
        (400, error("x", innererror={"code": "ResponsibleAIPolicyViolation"}), Reason.REFUSED),
        (400, error("x", code="context_length_exceeded"), Reason.TOO_LONG),
        (400, error("This model's maximum context length is 8192 tokens."), Reason.TOO_LONG),
        (400, error("prompt is too long: 208310 tokens > 200000 maximum"), Reason.TOO_LONG),
        (429, error("Request too large for the context size per minute"), Reason.RATE_LIMITED),
        (500, b"<html>", Reason.SERVER_ERROR),
        (503, {"detail": "overloaded"}, Reason.SERVER_ERROR),
        (529, b"", Reason.SERVER_ERROR),
        (600, b"", Reason.SERVER_ERROR),
    ],
)
def test_each_error_has_one_bounded_reason(status: int, body: object, reason: Reason) -> None:
    assert failure_of(body, status).reason is reason


def test_a_wish_to_wait_is_kept_for_errors_that_pass() -> None:
    assert failure_of(error("x"), 429, retry_after="7").wait_s == 7.0
    assert failure_of(error("Please try again in 1.5s"), 429).wait_s == 1.5
    assert failure_of(b"Retry after 3 seconds", 503).wait_s == 3.0
    assert failure_of(error("x"), 400, retry_after="7").wait_s == 0.0


def test_an_unknown_model_or_path_speaks_against_the_endpoint() -> None:
    assert [failure_of(error("x"), status).counts for status in (404, 405, 400, 422)] == [True, True, False, False]


def test_filtered_categories_are_kept_as_known_words_only() -> None:
    results = {
        "violence": {"filtered": True, "severity": "medium"},
        "hate": {"filtered": False, "severity": "safe"},
        "sexual": {"filtered": True, "severity": "SECRET-TEXT"},
        "SECRET-TEXT": {"filtered": True},
    }
    failure = failure_of(
        error("SECRET-TEXT", code="content_filter", innererror={"content_filter_result": results}), 400
    )
    assert (failure.label, failure.detail) == (
        "provider_filter",
        "status 400, content_filter, filtered sexual (unknown), violence (medium)",
    )


@given(
    st.integers(300, 599),
    st.recursive(st.none() | st.text() | st.integers(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)),
)
def test_any_error_body_gives_a_reason(status: int, body: Json) -> None:
    failure = classify_error(reply({"error": body}, status), {"error": body}, NOW_S, 60.0)
    assert failure.reason in Reason
    assert len(failure.detail) < 400


def test_a_servers_free_text_is_never_kept() -> None:
    failure = failure_of(
        error("SECRET-TEXT in the prompt", code="SECRET TEXT", type="SECRET\nTEXT", param="SECRET TEXT"), 400
    )
    assert "SECRET" not in repr(failure)


# ------------------------------------------------------------------------------------------------------ what it costs

COUNTED = {"prompt_tokens": 1000, "completion_tokens": 50}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (error(code="content_filter"), 200),
        (error(code="content_filter"), 400),
        ({"choices": [{"message": {"content": "{"}, "error": {"code": 502}}]}, 200),
        ({"choices": [{"message": {"content": "{}"}}, {"error": {"code": 502}}]}, 200),
        ({"object": "error", "message": "x", "code": 500}, 200),
    ],
)
def test_an_error_that_says_what_it_used_is_charged(body: dict[str, object], status: int) -> None:
    free, charged = failure_of(body, status), failure_of(body | {"usage": COUNTED}, status)
    assert (free.usage, free.usage_known) == (Usage(calls=1), True)
    assert (charged.usage, charged.usage_known) == (Usage(1, 1000, 50, 0.0025), True)
    assert (free.reason, free.detail) == (charged.reason, charged.detail)


def test_an_error_without_a_reply_has_no_tokens_of_one() -> None:
    failure = failure_of(error(code="content_filter") | {"usage": {"prompt_tokens": 1000, "total_tokens": 1000}})
    assert (failure.usage.input_tokens, failure.usage.output_tokens, failure.usage_known) == (1000, 0, True)


@pytest.mark.parametrize("usage", [{"prompt_tokens": 0, "completion_tokens": 0}, {}, [], None, "7", {"tokens": 7}])
def test_an_error_that_used_nothing_costs_nothing(usage: Json) -> None:
    assert failure_of(error(code="content_filter") | {"usage": usage}).usage == Usage(calls=1)


@pytest.mark.parametrize(
    ("asked", "said", "known"), [(9_000_000, 5, False), (5, 9_000_000, False), (30_000, 60_000, True)]
)
def test_a_count_far_above_what_was_sent_or_allowed_is_not_known(asked: int, said: int, *, known: bool) -> None:
    given = read(completion("{}", usage={"prompt_tokens": asked, "completion_tokens": said}))
    assert given.usage_known is known
    assert given.usage.input_tokens + given.usage.output_tokens < 100_000
