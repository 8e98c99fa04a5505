from __future__ import annotations

from monitor.judges.reasons import Lesson
from tests.monitor.judges.servers.asks import SCHEMA_WITHOUT_RANGES, said, sent
from tests.monitor.judges.servers.replies import THOUGHT, block, text, tool


def test_a_call_says_the_instructions_apart_and_asks_for_the_schema() -> None:
    assert sent(server="anthropic") == {
        "model": "m-1",
        "max_tokens": 300,
        "stream": False,
        "system": [{"type": "text", "text": "Judge. Reply with JSON.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "Is it good?"}],
        "temperature": 0.0,
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA_WITHOUT_RANGES}},
    }


def test_the_next_ways_of_asking_for_json_are_a_tool_and_the_prompt() -> None:
    called, offered, asked = (
        sent(*lessons, server="anthropic")
        for lessons in (
            [Lesson.STRUCTURED],
            [Lesson.STRUCTURED, Lesson.FORCED_TOOL],
            [Lesson.STRUCTURED, Lesson.STRUCTURED],
        )
    )
    assert called["tools"][0]["input_schema"] == SCHEMA_WITHOUT_RANGES
    assert called["tool_choice"] == {"type": "tool", "name": "criterion"}
    assert offered["tool_choice"] == {"type": "auto"}
    assert not {"tools", "tool_choice", "output_config"} & asked.keys()


def test_effort_and_format_share_their_place() -> None:
    body = sent(server="anthropic", reasoning="low")
    assert body["thinking"] == {"type": "adaptive"}
    assert body["output_config"].keys() == {"effort", "format"}
    assert sent(Lesson.REASONING, server="anthropic", reasoning="low")["output_config"].keys() == {"format"}


def test_thinking_has_a_budget_or_is_switched_off() -> None:
    assert sent(server="anthropic", reasoning=2048)["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert sent(server="anthropic", reasoning="none")["thinking"] == {"type": "disabled"}


def test_a_temperature_above_the_scale_of_this_api_is_its_highest() -> None:
    assert sent(server="anthropic", temperature=1.5)["temperature"] == 1.0
    assert "temperature" not in sent(Lesson.TEMPERATURE, server="anthropic")


def test_instructions_can_move_into_the_users_message() -> None:
    body = sent(Lesson.SYSTEM_ROLE, server="anthropic")
    assert ("system" in body, body["messages"][0]["content"]) == (False, "Judge. Reply with JSON.\n\nIs it good?")


def test_cached_tokens_are_part_of_the_input() -> None:
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 200,
        "cache_read_input_tokens": 3000,
        "output_tokens": 5,
    }
    assert said(block(text("{}"), usage=usage), server="anthropic").usage == {
        "prompt_tokens": 3210,
        "prompt_tokens_details": {"cached_tokens": 3000, "cache_write_tokens": 200},
        "completion_tokens": 5,
    }


def test_missing_cache_counts_are_none() -> None:
    usage = {"input_tokens": 10, "cache_creation_input_tokens": None, "output_tokens": 5}
    read = said(block(text("{}"), usage=usage), server="anthropic")
    assert isinstance(read.usage, dict)
    assert read.usage["prompt_tokens"] == 10


def test_thinking_is_noticed_and_left_out() -> None:
    read = said(block(THOUGHT, text('{"score": 4}')), server="anthropic")
    assert (read.text, read.reasoned) == ('{"score": 4}', True)


def test_the_input_of_the_tool_is_the_reply() -> None:
    assert said(block(tool({"score": 0.1})), server="anthropic").text == '{"score": 0.1}'
