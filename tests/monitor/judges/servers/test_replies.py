"""Each known shape of reply becomes the verdict that it states, or the one reason for none."""

from __future__ import annotations

import pytest

from monitor.config import judges as judge_settings
from monitor.errors import JudgeRejected
from monitor.judges.reasons import Failure
from monitor.judges.replies.parse import parse_verdict
from monitor.judges.servers.pricing import Tariff
from monitor.judges.servers.reading import read_reply
from monitor.judges.servers.registry import server_of
from monitor.judges.servers.transport import HttpReply
from tests.monitor.judges.servers.asks import ASK
from tests.monitor.judges.servers.replies import READ, REPAIRED, SHAPES, Shape, error
from tests.monitor.judges.servers.replies_elsewhere import ELSEWHERE


def outcome(shape: Shape) -> tuple[str, str]:
    """What becomes of a reply, and its detail."""
    config = judge_settings.LlmJudge(base_url="https://judge.example", model="m", server=shape.server)
    reply = HttpReply(shape.status, shape.headers, shape.raw)
    result = read_reply(server_of(config), reply, ASK, Tariff({}, "m"), 0.0, 60.0)
    if isinstance(result, Failure):
        return result.reason, result.detail
    try:
        parsed = parse_verdict(result.text, frozenset({"verdict", "score"}))
    except JudgeRejected as rejected:
        return rejected.reason, rejected.detail
    assert parsed.value["verdict"] == "yes"
    assert parsed.value["score"] == 4
    return REPAIRED if parsed.repaired else READ, ""


@pytest.mark.parametrize("shape", SHAPES + ELSEWHERE, ids=lambda shape: f"{shape.server}: {shape.name}")
def test_a_reply_becomes_the_verdict_that_it_states_or_the_reason_for_none(shape: Shape) -> None:
    becomes, detail = outcome(shape)
    assert becomes == shape.becomes
    assert not shape.detail or detail == shape.detail


WORDS = [
    (401, "auth", error("Incorrect API key provided", type="invalid_request_error", code="invalid_api_key")),
    (401, "auth", {"type": "error", **error("invalid x-api-key", type="authentication_error")}),
    (401, "auth", error("No key passed in.", type="auth_error")),
    (401, "auth", {"code": "InvalidApiKey", "message": "Invalid API-key provided.", "request_id": "x"}),
    (401, "auth", {"object": "error", "message": "Unauthorized", "type": "UnauthorizedError"}),
    (403, "auth", {"type": "error", **error("x", type="permission_error")}),
    (401, "auth", {"error": "unauthorized"}),
    (401, "auth", error("x", status="UNAUTHENTICATED")),
    (403, "auth", {"code": "AccessDenied", "message": "x"}),
    (404, "unknown_model", error("x", type="invalid_request_error", code="model_not_found")),
    (404, "unknown_model", {"object": "error", "message": "The model `m` does not exist.", "type": "NotFoundError"}),
    (404, "unknown_model", {"type": "error", **error("model: m-1", type="not_found_error")}),
    (404, "unknown_model", {"code": "ModelNotFound", "message": "x"}),
    (429, "rate_limited", error("Rate limit reached", type="requests", code="rate_limit_exceeded")),
    (429, "rate_limited", {"type": "error", **error("x", type="rate_limit_error")}),
    (429, "rate_limited", {"code": "Throttling.RateQuota", "message": "Requests rate limit exceeded"}),
    (429, "rate_limited", {"code": "Throttling", "message": "x"}),
    (429, "rate_limited", {"code": "limit_requests", "message": "x"}),
    (429, "rate_limited", error("x", code="RESOURCE_EXHAUSTED")),
    (429, "rate_limited", {"choices": [error("x", code="TooManyRequests")]}),
    (429, "quota", error("x", type="insufficient_quota", code="insufficient_quota")),
    (400, "bad_request", error("x", type="invalid_request_error", code="unsupported_value")),
    (400, "too_long", error("x", type="invalid_request_error", code="context_length_exceeded")),
    (500, "server_error", error("x", type="server_error")),
    (500, "server_error", {"type": "error", **error("x", type="api_error")}),
]


@pytest.mark.parametrize(("status", "reason", "body"), WORDS)
@pytest.mark.parametrize("server", ["compatible", "anthropic"])
def test_a_fault_in_words_under_a_success_is_the_one_that_its_status_would_be(
    status: int, reason: str, body: object, server: str
) -> None:
    by_word, by_status = (outcome(Shape("", body, "", server=server, status=one)) for one in (200, status))
    assert by_word == by_status
    assert by_word[0] == reason
