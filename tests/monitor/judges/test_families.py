from __future__ import annotations

import pytest

from monitor.judges.families import akin, families_of


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("gpt-4o-2024-08-06", {"gpt"}),
        ("openai/gpt-oss-20b", {"gpt"}),
        ("azure/my-gpt4-prod", {"gpt"}),
        ("o3-mini", {"gpt"}),
        ("ft:gpt-3.5-turbo-0125:acme::x", {"gpt"}),
        ("us.anthropic.claude-3-5-sonnet-20240620-v1:0", {"claude"}),
        ("models/gemini-2.0-flash", {"gemini"}),
        ("gemma2:9b", {"gemini"}),
        ("meta-llama/Llama-3.1-8B-Instruct", {"llama"}),
        ("accounts/fireworks/models/llama-v3p1-405b", {"llama"}),
        ("Qwen/Qwen2.5-72B-Instruct-AWQ", {"qwen"}),
        ("deepseek-r1-distill-qwen-32b", {"deepseek", "qwen"}),
        ("mixtral-8x7b", {"mistral"}),
        ("chatglm3-6b", {"glm"}),
        ("nvidia/llama-3.1-nemotron-70b", {"llama", "nemotron"}),
        ("通义千问-plus", {"qwen"}),
        ("文心4.0", {"ernie"}),
        ("sonnet-4", {"claude"}),
        ("step-1-8k", {"step"}),
        ("stepfun/step3", {"step"}),
        ("sonar-pro", {"sonar"}),
        ("gpt4all-falcon", {"falcon"}),
        ("next-step-bot", set()),
        ("prod-chat", set()),
        ("o365-assistant", set()),
        ("", set()),
    ],
)
def test_a_family_is_known_by_its_word_whatever_the_version_and_the_path(name: str, families: set[str]) -> None:
    assert families_of(name) == families


def test_models_are_akin_by_a_family_or_by_the_same_name_and_never_because_nothing_is_known() -> None:
    assert akin(["gpt-4o"], [None, "o1"])
    assert akin(["Prod-Chat"], ["prod-chat"])
    assert not akin(["prod-chat"], ["other-chat"])
    assert not akin(["gpt-4o"], [None, "claude-sonnet-4"])
    assert not akin([None], [None])
