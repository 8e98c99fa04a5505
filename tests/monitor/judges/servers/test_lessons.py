from __future__ import annotations

import pytest

from monitor.judges.reasons import Lesson, Reason
from monitor.judges.servers.lessons import lesson_of

REFUSALS = {
    # what servers say, in their own order of words; the judged text never stands in it
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.": (
        Lesson.OUTPUT_LIMIT
    ),
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.": (
        Lesson.TEMPERATURE
    ),
    "`temperature` is deprecated for this model.": Lesson.TEMPERATURE,
    "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.": Lesson.TEMPERATURE,
    "invalid temperature: only 1 is allowed for this model": Lesson.TEMPERATURE,
    "extra_forbidden body seed Extra inputs are not permitted": Lesson.SEED,
    "extra_forbidden body random_seed Extra inputs are not permitted": Lesson.SEED,
    "`logprobs` is not supported with this model": Lesson.LOGPROBS,
    "Logprobs is not enabled for models/m": Lesson.LOGPROBS,
    "Requested sample logprobs of 20, which is greater than max allowed: 5": Lesson.LOGPROBS,
    "top_logprobs should be in the range of 0 to 5": Lesson.LOGPROBS,
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.": Lesson.SYSTEM_ROLE,
    "Unsupported value: 'messages[0].role' does not support 'developer' with this model.": Lesson.SYSTEM_ROLE,
    "System role not supported": Lesson.SYSTEM_ROLE,
    "Conversation roles must alternate user/assistant/user/assistant/...": Lesson.SYSTEM_ROLE,
    "Developer instruction is not enabled for models/gemma-3-27b-it": Lesson.SYSTEM_ROLE,
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model": Lesson.STRUCTURED,
    "This response_format type is unavailable now": Lesson.STRUCTURED,
    "response_format: missing field `value` at line 1 column 168": Lesson.STRUCTURED,
    "Unable to generate parser for this template: JSON schema error at #: unrecognized type": Lesson.STRUCTURED,
    "Json mode response is not supported when enable_thinking is true": Lesson.STRUCTURED,
    "Prompt must contain the word 'json' in some form to use 'response_format'": Lesson.STRUCTURED,
    "'messages' must contain the word 'json' in some form": Lesson.STRUCTURED,
    "output_config.format: Extra inputs are not permitted": Lesson.STRUCTURED,
    "gemma:2b does not support tools": Lesson.STRUCTURED,
    "No endpoints found that support tool use.": Lesson.STRUCTURED,
    "Failed to compile the grammar": Lesson.STRUCTURED,
    "output_config.format.schema: For 'integer' type, properties maximum, minimum are not supported": Lesson.RANGES,
    "Invalid schema for response_format 'v': In context=('score',), 'minimum' is not permitted.": Lesson.RANGES,
    "Thinking may not be enabled when tool_choice forces tool use.": Lesson.FORCED_TOOL,
    "deepseek-reasoner does not support this tool_choice": Lesson.FORCED_TOOL,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set': Lesson.FORCED_TOOL,
    "Unrecognized request argument supplied: reasoning_effort": Lesson.REASONING,
    "adaptive thinking is not supported on this model": Lesson.REASONING,
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model.": Lesson.REASONING,
    "thinking.type: 'disabled' is not supported for this model": Lesson.REASONING,
    "chat_template_kwargs: extra fields not permitted": Lesson.REASONING,
    "`reasoning_effort` must be one of `none` or `default`": Lesson.REASONING,
    "Budget 0 is invalid. This model only works in thinking mode.": Lesson.REASONING,
    "Reasoning is mandatory for this endpoint and cannot be disabled.": Lesson.REASONING,
    "当前模型不支持 enable_thinking 参数": Lesson.REASONING,
    "该模型不支持 temperature 参数": Lesson.TEMPERATURE,
    "'system' is not one of ['user', 'assistant'] - 'messages.0.role'": Lesson.SYSTEM_ROLE,
    'Invalid JSON payload received. Unknown name "seed": Cannot find field.': Lesson.SEED,
    "The tool_choice parameter does not support being set to object in thinking mode": Lesson.FORCED_TOOL,
    "'response_format.type' must be 'json_schema' or 'text'": Lesson.STRUCTURED,
    "deepseek-reasoner does not support Function Calling": Lesson.STRUCTURED,
    "tools param requires --jinja flag": Lesson.STRUCTURED,
}
NO_LESSON = [
    "max_tokens: 8192 > 4096, which is the maximum number of output tokens",
    "max_tokens is too large: 8000. This model supports at most 4096 completion tokens",
    "temperature: range: 0..1",
    "The model `m` does not exist",
    "Invalid request data",
    "",
]


@pytest.mark.parametrize("said", REFUSALS)
def test_each_refusal_teaches_one_thing(said: str) -> None:
    assert lesson_of(400, Reason.BAD_REQUEST, said) is REFUSALS[said]


@pytest.mark.parametrize("said", NO_LESSON)
def test_an_error_about_anything_else_teaches_nothing(said: str) -> None:
    assert lesson_of(400, Reason.BAD_REQUEST, said) is None


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (429, Reason.RATE_LIMITED),
        (401, Reason.AUTH),
        (400, Reason.TOO_LONG),
        (400, Reason.REFUSED),
        (402, Reason.QUOTA),
        (503, Reason.SERVER_ERROR),
    ],
)
def test_a_failure_of_another_kind_teaches_nothing_whatever_it_says(status: int, reason: Reason) -> None:
    assert lesson_of(status, reason, "response_format is not supported") is None


@pytest.mark.parametrize("status", [400, 404, 422, 500, 501])
def test_a_refusal_is_understood_under_every_status_that_servers_give_it(status: int) -> None:
    reason = Reason.SERVER_ERROR if status >= 500 else Reason.BAD_REQUEST
    assert lesson_of(status, reason, "System role not supported") is Lesson.SYSTEM_ROLE


def test_log_probabilities_that_are_forbidden_are_no_fault_of_the_key() -> None:
    said = "You are not allowed to request logprobs from this model"
    assert lesson_of(403, Reason.AUTH, said) is Lesson.LOGPROBS
    assert lesson_of(403, Reason.AUTH, "You are not allowed to use tools") is None
