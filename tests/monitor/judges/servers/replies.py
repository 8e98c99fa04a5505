"""Every shape of reply that a judge's server is known to give, as a table: what came, and what has to be made of it.

The bodies are put together by hand after what servers say in public; none is a recording.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.judge_server import completion

VERDICT = '{"verdict": "yes", "score": 4}'
OTHER = '{"verdict": "no", "score": 1}'
READ = "read"
REPAIRED = "repaired"


@dataclass(frozen=True)
class Shape:
    """One reply. `becomes` is `read` or `repaired` for the verdict of `VERDICT`, else the reason for none."""

    name: str
    body: object
    becomes: str
    detail: str = ""
    server: str = "compatible"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def raw(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body, ensure_ascii=False).encode()


def said(content: object, finish: str | None = "stop", usage: object = None, **message: object) -> dict[str, Any]:
    """A chat completion."""
    return completion(None, finish_reason=finish, usage=usage, message={"content": content, **message})


def two_choices(first: str, second: str) -> dict[str, Any]:
    """A completion with a choice that nobody asked for."""
    return said(first) | {"choices": [*said(first)["choices"], *said(second)["choices"]]}


def block(*blocks: Mapping[str, object], stop: str | None = "end_turn", **more: object) -> dict[str, object]:
    """A reply of Anthropic's messages."""
    usage = {"input_tokens": 10, "output_tokens": 5}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-1",
        "content": list(blocks),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
        **more,
    }


def call(arguments: object, name: str = "verdict") -> dict[str, object]:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


def text(value: str) -> dict[str, object]:
    return {"type": "text", "text": value}


def tool(value: object) -> dict[str, object]:
    return {"type": "tool_use", "id": "toolu_1", "name": "verdict", "input": value}


def error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


THOUGHT = {"type": "thinking", "thinking": f"Perhaps {OTHER}", "signature": "c2ln"}
SPENT = {"prompt_tokens": 10, "completion_tokens": 300, "completion_tokens_details": {"reasoning_tokens": 300}}

CHAT = [
    # ------------------------------------------------------------------------------------------ a verdict, somehow
    Shape("plain", said(VERDICT), READ),
    Shape("blanks around", said(f"\n\n{VERDICT}\n"), READ),
    Shape("byte order mark", said(f"\ufeff{VERDICT}"), READ),
    Shape("no finish reason", said(VERDICT, None), READ),
    Shape("end of sequence", said(VERDICT, "eos_token"), READ),
    Shape("typed parts", said([text(VERDICT[:10]), text(VERDICT[10:])]), READ),
    Shape("output parts", said([{"type": "output_text", "text": VERDICT}]), READ),
    Shape("fence", said(f"```json\n{VERDICT}\n```"), REPAIRED),
    Shape("end token left in", said(f"{VERDICT}<|eot_id|>"), REPAIRED),
    Shape("Python literals", said('{"verdict": "yes", "score": 4, "note": None}'), REPAIRED),
    Shape("words before", said(f"Sure! Here it is: {VERDICT}"), REPAIRED),
    Shape("wrapped", said(f'{{"result": {VERDICT}}}'), REPAIRED),
    Shape("encoded twice", said(json.dumps(VERDICT)), REPAIRED),
    Shape("said twice", said(f"{VERDICT}\n{VERDICT}"), REPAIRED),
    Shape("call written out", said(f'<tool_call>{{"name": "verdict", "arguments": {VERDICT}}}</tool_call>'), REPAIRED),
    Shape(
        "call written out, with its type",
        said(f'{{"type": "function", "name": "verdict", "parameters": {VERDICT}}}'),
        REPAIRED,
    ),
    Shape("Chinese marks", said("｛“verdict”：“yes”，“score”：4｝"), REPAIRED),
    Shape("function called", said(None, "tool_calls", tool_calls=[call(VERDICT)]), READ),
    Shape("arguments as object", said("", tool_calls=[call(json.loads(VERDICT))]), READ),
    Shape("old function call", said(None, "function_call", function_call=call(VERDICT)["function"]), READ),
    Shape("words beside the call", said("I will call it.", "tool_calls", tool_calls=[call(VERDICT)]), READ),
    Shape("function called twice", said(None, tool_calls=[call(VERDICT), call(VERDICT)]), REPAIRED),
    Shape("null logprobs", said(VERDICT) | {"system_fingerprint": None, "service_tier": "default"}, READ),
    # ---------------------------------------------------------------------------------------------------- reasoning
    Shape("think block", said(f"<think>Perhaps {OTHER}</think>\n{VERDICT}"), READ),
    Shape("nested think", said(f"<think>a <think>b</think> {OTHER}</think>{VERDICT}"), READ),
    Shape("Chinese think", said(f"<think>\n嗯，用户问……也许是 {OTHER}？\n</think>\n\n{VERDICT}"), READ),
    Shape("think start in the prompt", said(f"Perhaps {OTHER}.</think>{VERDICT}"), READ),
    Shape(
        "channels",
        said(
            f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>final "
            f"<|constrain|>json<|message|>{VERDICT}"
        ),
        READ,
    ),
    Shape("reasoning_content", said(VERDICT, reasoning_content=f"Perhaps {OTHER}"), READ),
    Shape("reasoning", said(VERDICT, reasoning=OTHER, reasoning_details=[{"type": "reasoning.text"}]), READ),
    Shape("thinking part", said([{"type": "thinking", "thinking": [text(OTHER)]}, text(VERDICT)]), READ),
    Shape("open think", said(f"<think>Perhaps {VERDICT}"), "parse", "only_reasoning"),
    Shape("verdict in the thought only", said(f"<think>{VERDICT}</think>"), "parse", "only_reasoning"),
    Shape("verdict in reasoning_content only", said(None, reasoning_content=VERDICT), "parse", "only_reasoning"),
    Shape("limit spent on reasoning", said("", "length", SPENT), "truncated", "reasoning_budget"),
    Shape("the same as a normal end", said("", "stop", SPENT), "truncated", "reasoning_budget"),
    Shape("open think at the limit", said("<think>Let me", "length"), "truncated", "reasoning_budget"),
    # ------------------------------------------------------------------------------------------------- not a verdict
    Shape("cut", said(VERDICT[:-4], "length"), "truncated"),
    Shape("cut, yet whole", said(VERDICT, "length"), "truncated"),
    Shape(
        "cut, as a gateway says it",
        completion(VERDICT)
        | {
            "choices": [
                {"message": {"content": VERDICT}, "finish_reason": "stop", "native_finish_reason": "MAX_TOKENS"}
            ]
        },
        "truncated",
    ),
    Shape("cut before it began", {"choices": [{"finish_reason": "length"}]}, "truncated"),
    Shape("call cut", said(None, "length", tool_calls=[call(VERDICT[:-4])]), "truncated"),
    Shape("cut without saying so", said(VERDICT[:-4]), "parse", "fragment"),
    Shape("empty", said(""), "parse", "empty"),
    Shape("null", said(None), "parse", "empty"),
    Shape("prose", said("The answer is yes, 4 of 5."), "parse", "no_verdict"),
    Shape("two verdicts", said(f"{VERDICT}\nNo: {OTHER}"), "parse", "two_verdicts"),
    Shape("taken back", said(f"{VERDICT}\nWait, that is wrong: it should be no."), "parse", "taken_back"),
    Shape("taken back in Chinese", said(f"{VERDICT}\n更正：应为 no。"), "parse", "taken_back"),
    Shape("contradicted in words", said(f"**Score:** 2/5\n\n```json\n{VERDICT}\n```"), "parse", "two_verdicts"),
    Shape("key in two cases", said('{"verdict": "yes", "score": 4, "Score": 1}'), "parse", "duplicate_key"),
    Shape("wide digits", said('{"verdict": "yes", "score": ４}'), "parse"),
    Shape("content against call", said(OTHER, tool_calls=[call(VERDICT)]), "parse", "two_verdicts"),
    Shape("words against call", said("The verdict is no.", tool_calls=[call(VERDICT)]), "parse", "two_verdicts"),
    Shape("words for the call", said("The verdict is yes.", tool_calls=[call(VERDICT)]), REPAIRED),
    Shape("two calls", said(None, tool_calls=[call(VERDICT), call(OTHER)]), "parse", "two_verdicts"),
    Shape("two choices", two_choices(VERDICT, OTHER), "parse", "two_verdicts"),
    Shape("the same choice twice", two_choices(VERDICT, VERDICT), READ),
    Shape("key twice", said('{"verdict": "yes", "verdict": "no", "score": 4}'), "parse", "duplicate_key"),
    Shape("number out of JSON", said('{"verdict": "yes", "score": NaN}'), "invalid_score"),
    Shape("number too large", said('{"verdict": "yes", "score": 1e999}'), "invalid_score"),
    Shape("5,000 digits", said('{"verdict": "yes", "score": ' + "4" * 5000 + "}"), "invalid_score"),
    Shape("100,000 brackets", said("[" * 100_000), "parse"),
    Shape("echo of the schema", said('{"type": "object", "required": ["verdict", "score"]}'), "parse", "no_verdict"),
    Shape("refusal", said(None, refusal="I cannot help with that."), "refused"),
    Shape("refusal in words", said("I'm sorry, but I can't help with that."), "refused"),
    Shape("refusal after a thought", said("<think>Hm.</think>I cannot evaluate this content."), "refused"),
    Shape("refusal in Chinese", said("很抱歉，我无法对此内容进行评估。"), "refused"),
    Shape("refusal beside a verdict", said(f"I can't help with that, but: {VERDICT}"), REPAIRED),
    Shape("prose that refuses nothing", said("I could not find the second claim in any passage."), "parse"),
    Shape("filtered", said("", "content_filter"), "refused"),
    Shape("filtered, text and all", said(VERDICT, "content_filter"), "refused"),
    Shape("sensitive", said("", "sensitive"), "refused"),
    Shape("server gave up", said(VERDICT, "insufficient_system_resource"), "server_error", "finish_error"),
    Shape("aborted", said("", "abort"), "server_error", "finish_error"),
    Shape("error in the choice", {"choices": [{"error": {"code": 502, "message": "x"}}]}, "server_error"),
    Shape("error under 200", error("slow down", code=429), "rate_limited"),
    Shape("no choice", {"choices": []}, "parse", "no_choice"),
    Shape("completion without a message", {"choices": [{"text": VERDICT}]}, "parse", "no_choice"),
    Shape("HTML", b"<html><body>502</body></html>", "parse", "not_json"),
    Shape("a stream", b'data: {"choices": []}\n\ndata: [DONE]\n\n', "parse", "stream"),
    Shape("a stream with events", b"\nevent: message_start\ndata: {}\n\n", "parse", "stream"),
    Shape("a stream with comments", b": OPENROUTER PROCESSING\n\ndata: {}\n\n", "parse", "stream"),
    Shape("a stream by its type", b"x", "parse", "stream", headers={"content-type": "text/event-stream;charset=utf-8"}),
    Shape("nothing", b"", "parse", "not_json"),
    Shape("log probability of minus infinity", json.dumps(said(VERDICT) | {"x": float("-inf")}).encode(), READ),
    # ------------------------------------------------------------------------------------------------------- errors
    Shape("OpenAI quota", error("quota", type="insufficient_quota", code="insufficient_quota"), "quota", status=429),
    Shape("OpenAI key", error("Incorrect API key", code="invalid_api_key"), "auth", status=401),
    Shape("OpenAI context", error("x", code="context_length_exceeded"), "too_long", status=400),
    Shape("OpenAI model", error("does not exist", code="model_not_found"), "unknown_model", status=404),
    Shape("Azure filter", error("content management policy", code="content_filter"), "refused", status=400),
    Shape("Azure deployment", error("no deployment", code="DeploymentNotFound"), "unknown_model", status=404),
    Shape(
        "vLLM context",
        {"object": "error", "message": "maximum context length is 5", "code": 400},
        "too_long",
        status=400,
    ),
    Shape(
        "llama.cpp context",
        error("exceeds the available context size", type="exceed_context_size_error"),
        "too_long",
        status=400,
    ),
    Shape(
        "TGI context",
        {"error": "`inputs` tokens + `max_new_tokens` must be <= 4096", "error_type": "validation"},
        "too_long",
        status=422,
    ),
    Shape("TGI busy", {"error": "Model is overloaded", "error_type": "overloaded"}, "rate_limited", status=429),
    Shape("Ollama model", error("model 'x' not found", type="not_found_error"), "unknown_model", status=404),
    Shape("DeepSeek balance", error("Insufficient Balance"), "quota", status=402),
    Shape("DashScope filter", error("x", code="data_inspection_failed"), "refused", status=400),
    Shape("Groq saw no JSON", error("Failed to generate JSON", code="json_validate_failed"), "parse", status=400),
    Shape(
        "Mistral validation",
        {
            "object": "error",
            "message": {
                "detail": [
                    {
                        "type": "extra_forbidden",
                        "loc": ["body", "seed"],
                        "msg": "Extra inputs are not permitted",
                        "input": 7,
                    }
                ]
            },
        },
        "bad_request",
        status=422,
    ),
    Shape("Google error in a list", [error("Resource exhausted", code=429)], "rate_limited", status=429),
    Shape("OpenRouter moderation", error("requires moderation", code=403), "refused", status=403),
    Shape("gateway", b"<html>Bad gateway</html>", "server_error", status=502),
    Shape("LiteLLM filter", error("litellm.ContentPolicyViolationError: x", code="400"), "refused", status=400),
    Shape("LiteLLM budget", error("Budget has been exceeded! Max: 1", type="budget_exceeded"), "quota", status=400),
    Shape(
        "OpenRouter flagged",
        error("Input flagged", code=403, metadata={"reasons": ["violence"], "flagged_input": "..."}),
        "refused",
        status=403,
    ),
    Shape("OpenAI flagged", error("your prompt was flagged", code="invalid_prompt"), "refused", status=400),
    Shape("Zhipu filter", error("系统检测到输入可能包含敏感内容", code="1302"), "refused", status=400),
]

MESSAGES = [
    Shape("text", block(text(VERDICT)), READ, server="anthropic"),
    Shape("texts", block(text(VERDICT[:9]), text(VERDICT[9:])), READ, server="anthropic"),
    Shape("stop sequence", block(text(VERDICT), stop="stop_sequence"), READ, server="anthropic"),
    Shape("tool", block(tool(json.loads(VERDICT)), stop="tool_use"), READ, server="anthropic"),
    Shape("words and tool", block(text("I will."), tool(json.loads(VERDICT))), READ, server="anthropic"),
    Shape("thinking", block(THOUGHT, text(VERDICT)), READ, server="anthropic"),
    Shape(
        "hidden thinking", block({"type": "redacted_thinking", "data": "x"}, text(VERDICT)), READ, server="anthropic"
    ),
    Shape("fence", block(text(f"```json\n{VERDICT}\n```")), REPAIRED, server="anthropic"),
    Shape("unknown block", block({"type": "novelty", "text": OTHER}, text(VERDICT)), READ, server="anthropic"),
    Shape("text against tool", block(text(OTHER), tool(json.loads(VERDICT))), "parse", "two_verdicts", "anthropic"),
    Shape("thinking only", block(THOUGHT), "parse", "only_reasoning", "anthropic"),
    Shape("limit", block(text(VERDICT[:9]), stop="max_tokens"), "truncated", "", "anthropic"),
    Shape("limit in a tool", block(tool({"verdict": "yes"}), stop="max_tokens"), "truncated", "", "anthropic"),
    Shape("limit spent on thinking", block(THOUGHT, stop="max_tokens"), "truncated", "reasoning_budget", "anthropic"),
    Shape(
        "context full",
        block(text(VERDICT[:9]), stop="model_context_window_exceeded"),
        "too_long",
        "context_full",
        "anthropic",
    ),
    Shape("refusal", block(stop="refusal"), "refused", "", "anthropic"),
    Shape("refusal after text", block(text(VERDICT), stop="refusal"), "refused", "", "anthropic"),
    Shape("paused", block(text(VERDICT), stop="pause_turn"), "server_error", "finish_error", "anthropic"),
    Shape("a chat completion", said(VERDICT), "parse", "no_choice", "anthropic"),
    Shape("no content", block() | {"content": None}, "parse", "no_choice", "anthropic"),
    Shape(
        "overloaded",
        {"type": "error", **error("Overloaded", type="overloaded_error")},
        "server_error",
        "",
        "anthropic",
        529,
    ),
    Shape(
        "overloaded under 200",
        {"type": "error", **error("Overloaded", type="overloaded_error")},
        "server_error",
        "",
        "anthropic",
    ),
    Shape("rate limit", {"type": "error", **error("x", type="rate_limit_error")}, "rate_limited", "", "anthropic", 429),
    Shape(
        "key",
        {"type": "error", **error("invalid x-api-key", type="authentication_error")},
        "auth",
        "",
        "anthropic",
        401,
    ),
    Shape(
        "credit",
        {"type": "error", **error("Your credit balance is too low", type="invalid_request_error")},
        "quota",
        "",
        "anthropic",
        400,
    ),
    Shape(
        "prompt too long",
        {"type": "error", **error("prompt is too long: 9 tokens > 8")},
        "too_long",
        "",
        "anthropic",
        400,
    ),
    Shape(
        "request too large", {"type": "error", **error("x", type="request_too_large")}, "too_long", "", "anthropic", 413
    ),
    Shape(
        "model", {"type": "error", **error("model: x", type="not_found_error")}, "unknown_model", "", "anthropic", 404
    ),
    Shape(
        "filter",
        {"type": "error", **error("Output blocked by content filtering policy")},
        "refused",
        "",
        "anthropic",
        400,
    ),
]

SHAPES = CHAT + MESSAGES
