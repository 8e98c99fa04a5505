"""Replies of further providers, as in `replies`: each has codes and words of its own for the same few faults."""

from __future__ import annotations

import json

from tests.monitor.judges.servers.replies import OTHER, READ, REPAIRED, VERDICT, Shape, block, error, said, text, tool


def minimax(code: int, message: str) -> dict[str, object]:
    """MiniMax's errors come under a success, in a place of their own."""
    return {"id": "x", "choices": None, "model": "", "base_resp": {"status_code": code, "status_msg": message}}


def _azure(content: str, *, is_filtered: bool) -> dict[str, object]:
    found = {"hate": {"filtered": is_filtered, "severity": "high"}, "violence": {"filtered": False, "severity": "safe"}}
    return {"message": {"content": content}, "finish_reason": "stop", "content_filter_results": found}


def _sglang(finish: str) -> dict[str, object]:
    return {"message": {"content": VERDICT}, "finish_reason": {"type": finish, "matched": 1}}


FINE = {"base_resp": {"status_code": 0, "status_msg": ""}, "input_sensitive": False, "output_sensitive": False}
FILTERED = {"base_resp": {"status_code": 1027, "status_msg": "output new_sensitive"}, "output_sensitive": True}
INSIDE = json.dumps({"error": {"message": "This model's maximum context length is 8192 tokens", "code": 400}})

ELSEWHERE = [
    Shape("MiniMax", said(VERDICT) | FINE, READ),
    Shape("MiniMax key", minimax(1004, "login fail: carry the API secret key"), "auth"),
    Shape("MiniMax key, newer", minimax(2049, "invalid api key"), "auth"),
    Shape("MiniMax rate", minimax(1002, "rate limit exceeded(RPM)"), "rate_limited"),
    Shape("MiniMax tokens", minimax(1039, "token limit"), "rate_limited"),
    Shape("MiniMax balance", minimax(1008, "insufficient balance"), "quota"),
    Shape("MiniMax plan used up", minimax(2056, "usage limit exceeded"), "quota"),
    Shape("MiniMax input filter", minimax(1026, "input new_sensitive"), "refused"),
    Shape("MiniMax output filter, text and all", said(VERDICT) | FILTERED, "refused"),
    Shape("MiniMax model", minimax(2013, "invalid params, unknown model 'm'"), "unknown_model"),
    Shape("MiniMax plan without the model", minimax(2061, "x"), "unknown_model"),
    Shape("MiniMax context", minimax(2013, "invalid params, context window exceeds limit"), "too_long"),
    Shape("MiniMax request", minimax(2013, "invalid params"), "bad_request"),
    Shape("MiniMax time", minimax(1001, "request timeout"), "timeout"),
    Shape("MiniMax anything else", minimax(1033, "system error"), "server_error"),
    Shape("Moonshot quota", error("account is suspended", type="exceeded_current_quota_error"), "quota", status=429),
    Shape("Moonshot busy", error("overloaded", type="engine_overloaded_error"), "rate_limited", status=429),
    Shape("Moonshot model", error("Not found the model m or Permission denied"), "unknown_model", status=404),
    Shape("Moonshot context", error("Your request exceeded model token limit: 8192"), "too_long", status=400),
    Shape("Zhipu arrears", error("您的账户已欠费，请充值后重试", code="1113"), "quota", status=429),
    Shape("Zhipu model", error("模型不存在，请检查模型代码。", code="1211"), "unknown_model", status=400),
    Shape("Zhipu context", error("Prompt 超长", code="1261"), "too_long", status=400),
    Shape("Ark arrears", error("overdue balance", code="AccountOverdueError", type="Forbidden"), "quota", status=403),
    Shape("Ark model", error("x", code="InvalidEndpointOrModel.NotFound"), "unknown_model", status=404),
    Shape("Ark model not open", error("x", code="ModelNotOpen", type="NotFound"), "unknown_model", status=404),
    Shape("Ark filter", error("x", code="OutputTextSensitiveContentDetected"), "refused", status=400),
    Shape("SiliconFlow balance", {"code": 30001, "message": "account balance is insufficient"}, "quota", status=403),
    Shape("SiliconFlow model", {"code": 20012, "message": "Model does not exist."}, "unknown_model", status=400),
    Shape("DashScope free tier", error("x", code="AllocationQuota.FreeTierOnly"), "quota", status=403),
    Shape("DashScope model", error("Model access denied.", code="Model.AccessDenied"), "unknown_model", status=403),
    Shape("DashScope context", error("Range of input length should be [1, 30720]"), "too_long", status=400),
    Shape("Google key", [error("API key not valid.", code=400, status="INVALID_ARGUMENT")], "auth", status=400),
    Shape("Google key expired", [error("API key expired. Renew it.", code=400)], "auth", status=400),
    Shape("Google model", [error("models/m is not found for API version v1")], "unknown_model", status=404),
    Shape("Google context", [error("token count (9) exceeds the maximum number of tokens")], "too_long", status=400),
    Shape("Google per minute", [error("You exceeded your current quota", code=429)], "rate_limited", status=429),
    Shape("Google filter", said(None, "content_filter: SAFETY"), "refused"),
    Shape("Groq call failed", error("Failed to call a function", code="tool_use_failed"), "parse", status=400),
    Shape("Groq model gone", error("x", code="model_decommissioned"), "unknown_model", status=400),
    Shape("Groq spend limit", error("x", code="blocked_api_access"), "quota", status=400),
    Shape("Groq restricted", error("x", code="organization_restricted"), "auth", status=400),
    Shape("OpenAI billing", error("not active", code="billing_not_active"), "quota", status=429),
    Shape("OpenAI no chat", error("This is not a chat model and thus not supported"), "unknown_model", status=404),
    Shape("OpenRouter policy", error("No endpoints found matching your data policy"), "unknown_model", status=404),
    Shape("OpenRouter key used up", error("Key limit exceeded (total limit)", code=403), "quota", status=403),
    Shape("OpenRouter's provider", error("Provider returned error", metadata={"raw": INSIDE}), "too_long", status=400),
    Shape("OpenRouter's provider busy", error("Provider returned error", code=429), "rate_limited"),
    Shape("Bedrock model", {"message": "The provided model identifier is invalid."}, "unknown_model", status=400),
    Shape("Bedrock access", {"message": "You don't have access to the model"}, "unknown_model", status=403),
    Shape("Bedrock guardrail", said("Blocked.", "guardrail_intervened"), "refused"),
    Shape("Bedrock reasoning", said(f"<reasoning>Perhaps {OTHER}</reasoning>{VERDICT}"), READ),
    Shape("LiteLLM model", error("x", type="key_model_access_denied", code="401"), "unknown_model", status=401),
    Shape("LiteLLM context", error("litellm.ContextWindowExceededError: x", code="400"), "too_long", status=400),
    Shape("Together model", error("Unable to access model m", code="model_not_available"), "unknown_model", status=404),
    Shape("Fireworks account", error("Account m is suspended", code="PRECONDITION_FAILED"), "quota", status=412),
    Shape("xAI key", {"code": "x y", "error": "Incorrect API key provided: x."}, "auth", status=400),
    Shape("xAI credit", {"code": "x y", "error": "Your team doesn't have any credits yet."}, "quota", status=403),
    Shape("Hugging Face model", error("x", code="model_not_supported", param="model"), "unknown_model", status=400),
    Shape("Databricks model", {"error_code": "ENDPOINT_NOT_FOUND", "message": "x"}, "unknown_model", status=404),
    Shape("One API quota", error("该令牌额度已用尽", type="one_api_error"), "quota", status=401),
    Shape("Cloudflare key", {"success": False, "errors": [{"code": 10000, "message": "x"}]}, "auth", status=401),
    Shape(
        "Cloudflare path", {"success": False, "errors": [{"code": 7000, "message": "No route for it"}]}, "bad_request"
    ),
    Shape("LM Studio path", {"error": "Unexpected endpoint or method. (POST /chat/completions)"}, "bad_request"),
    Shape("Azure took it away", said("") | {"choices": [_azure("", is_filtered=True)]}, "refused"),
    Shape("Azure looked at it", said("") | {"choices": [_azure(VERDICT, is_filtered=False)]}, READ),
    Shape("SGLang cut", said(VERDICT) | {"choices": [_sglang("length")]}, "truncated"),
    Shape("SGLang end", said(VERDICT) | {"choices": [_sglang("stop")]}, READ),
    Shape("input as text", block(tool(VERDICT), stop="tool_use"), READ, server="anthropic"),
    Shape("content as text", block() | {"content": VERDICT}, READ, server="anthropic"),
    Shape("blocks that are texts", block() | {"content": [VERDICT[:9], VERDICT[9:]]}, READ, server="anthropic"),
    Shape("parts that are texts", said([VERDICT[:10], VERDICT[10:]]), READ),
    Shape("one part", said(text(VERDICT)), READ),
    Shape("one thinking part", said({"type": "thinking", "thinking": VERDICT}), "parse", "empty"),
    Shape("channels without marks", said(f"analysisWe weigh {OTHER} here.assistantfinal{VERDICT}"), READ),
    Shape("such channels, fenced", said(f"analysisWe weigh it.assistantfinal json\n{VERDICT}"), READ),
    Shape("such a channel, unfinished", said(f"analysisWe could say {VERDICT}"), "parse", "only_reasoning"),
    Shape("analysis as a word", said(f"Analysis: supported.\n{VERDICT}"), REPAIRED),
]
