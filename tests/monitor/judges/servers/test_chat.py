from __future__ import annotations

import json

import pytest

from monitor.judges.reasons import Lesson
from monitor.judges.servers.wire import Ask
from tests.judge_server import completion
from tests.monitor.judges.servers.asks import SCHEMA, SCHEMA_WITHOUT_RANGES, Words, said, sent

# -------------------------------------------------------------------------------------------------------- the request


def test_a_call_asks_for_a_repeatable_reply_in_the_schema() -> None:
    assert sent() == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Judge. Reply with JSON."},
            {"role": "user", "content": "Is it good?"},
        ],
        "stream": False,
        "max_tokens": 300,
        "temperature": 0.0,
        "seed": 7,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "criterion", "strict": True, "schema": SCHEMA},
        },
    }


def test_no_seed_is_sent_where_none_is_configured() -> None:
    assert "seed" not in sent(seed=None)


def test_each_step_down_asks_for_json_in_a_weaker_way() -> None:
    steps = [sent(*[Lesson.STRUCTURED] * count) for count in range(4)]
    named = {"type": "function", "function": {"name": "criterion"}}
    assert [step.get("response_format", {}).get("type") for step in steps] == ["json_schema", "json_object", None, None]
    assert [step.get("tool_choice") for step in steps] == [None, None, named, None]
    assert steps[2]["tools"][0]["function"]["parameters"] == SCHEMA
    assert "tools" not in steps[3]


def test_a_function_that_cannot_be_forced_is_offered() -> None:
    assert sent(Lesson.STRUCTURED, Lesson.STRUCTURED, Lesson.FORCED_TOOL)["tool_choice"] == "auto"


def test_ranges_are_left_out_of_the_schema_for_a_decoder_that_knows_none() -> None:
    schema = sent(Lesson.RANGES)["response_format"]["json_schema"]["schema"]
    assert schema == SCHEMA_WITHOUT_RANGES


def test_a_property_that_is_named_like_a_range_stays() -> None:
    schema = {"type": "object", "properties": {"minimum": {"type": "integer", "minimum": 1}}, "required": ["minimum"]}
    ask = Ask(Words(), "v", schema, 300)
    assert sent(Lesson.RANGES, ask=ask)["response_format"]["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"minimum": {"type": "integer"}},
        "required": ["minimum"],
    }


def test_instructions_move_into_the_users_message_for_a_template_without_a_system_role() -> None:
    assert sent(Lesson.SYSTEM_ROLE)["messages"] == [
        {"role": "user", "content": "Judge. Reply with JSON.\n\nIs it good?"}
    ]


def test_probabilities_are_asked_for_only_where_they_are_wanted() -> None:
    wanted = sent(wants_logprobs=True)
    assert (wanted["logprobs"], wanted["top_logprobs"]) == (True, 20)
    assert "logprobs" not in sent()


@pytest.mark.parametrize(
    ("server", "reasoning", "fields"),
    [
        ("compatible", "none", {"reasoning_effort": "none"}),
        ("azure", "low", {"reasoning_effort": "low"}),
        ("deepseek", "none", {"thinking": {"type": "disabled"}}),
        ("deepseek", "high", {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        ("dashscope", "none", {"enable_thinking": False}),
        ("dashscope", 2000, {"enable_thinking": True, "thinking_budget": 2000}),
        ("openrouter", "none", {"reasoning": {"enabled": False}}),
        ("openrouter", "medium", {"reasoning": {"effort": "medium"}}),
        ("vllm", "none", {"chat_template_kwargs": {"enable_thinking": False}}),
    ],
)
def test_reasoning_is_asked_for_in_the_words_of_the_server(
    server: str, reasoning: object, fields: dict[str, object]
) -> None:
    body = sent(server=server, reasoning=reasoning)
    assert {name: body[name] for name in fields} == fields
    assert not fields.keys() & sent(Lesson.REASONING, server=server, reasoning=reasoning).keys()
    assert not fields.keys() & sent(server=server).keys()


def test_mistral_has_a_name_of_its_own_for_the_seed() -> None:
    body = sent(server="mistral")
    assert (body["random_seed"], "seed" in body) == (7, False)


def test_text_generation_inference_takes_the_schema_as_the_value_of_the_format() -> None:
    assert sent(server="tgi")["response_format"] == {"type": "json_object", "value": SCHEMA}


def test_half_a_character_can_be_sent() -> None:
    ask = Ask(Words(user="half \ud83e"), "v", SCHEMA, 300)
    assert sent(ask=ask)["messages"][1]["content"] == "half ?"


# ---------------------------------------------------------------------------------------------------------- the reply


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}, 5),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 115}, 105),  # reasoning in the total alone
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 12}, 5),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": True}, 5),
        ({"prompt_tokens": 10, "completion_tokens": 5}, 5),
    ],
)
def test_reasoning_tokens_are_part_of_the_output(usage: dict[str, object], counted: int) -> None:
    read = said(completion("{}", usage=usage))
    assert isinstance(read.usage, dict)
    assert read.usage["completion_tokens"] == counted


@pytest.mark.parametrize(
    ("body", "reasoned"),
    [
        (completion("{}"), False),
        (completion("{}", message={"reasoning_content": "hm"}), True),
        (completion("{}", message={"reasoning": "hm"}), True),
        (completion("{}", message={"reasoning_content": "", "reasoning": None}), False),
        (completion("{}", usage={"completion_tokens_details": {"reasoning_tokens": 7}}), True),
        (completion("{}", usage={"completion_tokens_details": {"reasoning_tokens": 0}}), False),
        (completion("{}", usage={"completion_tokens_details": {"reasoning_tokens": True}}), False),
        (completion(None, message={"content": [{"type": "thinking", "thinking": []}]}), True),
    ],
)
def test_reasoning_is_noticed_wherever_the_server_puts_it(body: dict[str, object], *, reasoned: bool) -> None:
    assert said(body).reasoned is reasoned


def test_the_tokens_of_the_reply_come_with_it() -> None:
    body = completion('{"score": 4}')
    texts = ['{"', "score", '":', " ", "4", "}"]
    body["choices"][0]["logprobs"] = {"content": [{"token": text, "logprob": -0.5} for text in texts]}
    tokens = said(json.loads(json.dumps(body))).tokens
    assert [(token.text, token.start) for token in tokens] == [
        ('{"', 0),
        ("score", 2),
        ('":', 7),
        (" ", 9),
        ("4", 10),
        ("}", 11),
    ]
