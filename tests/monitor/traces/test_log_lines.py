from __future__ import annotations

import pytest

from monitor.traces.log_lines import event_in
from monitor.wire import AttributeValue, SpanEvent

PROMPT = "Chat Model Prompt Content:"


@pytest.mark.parametrize(
    ("line", "event", "key"),
    [
        (PROMPT, "gen_ai.content.prompt", "gen_ai.prompt"),
        ("Chat Model Completion:", "gen_ai.content.completion", "gen_ai.completion"),
        ("Chat Client Prompt Content:", "spring.ai.chat.client.prompt", "gen_ai.prompt"),
        ("Chat Client Completion:", "spring.ai.chat.client.completion", "gen_ai.completion"),
        ("Vector Store Query Response:", "db.vector.content.query.response", "db.vector.query.response.documents"),
    ],
)
def test_the_first_line_says_what_follows(line: str, event: str, key: str) -> None:
    assert event_in(f'{line}\n["One.\n\nTwo."]\n', 7) == SpanEvent(event, 7, {key: '["One.\n\nTwo."]'})


def test_a_layout_may_stand_before_it() -> None:
    """A collector that reads log files sends whole lines."""
    line = f"2026-05-27T12:00:00Z  INFO 1 [faq,5b97,00f0] o.s.a.c.o.ChatModelPromptContentObservationHandler : {PROMPT}"
    event = event_in(f'{line}\r\n["When?"]', 7)
    assert event is not None
    assert event.attributes == {"gen_ai.prompt": '["When?"]'}


@pytest.mark.parametrize("body", ["Started.", f"{PROMPT} When?\n[]", f"Now\n{PROMPT}\n[]", "", None, {"a": 1}, 3])
def test_any_other_record_is_none(body: AttributeValue) -> None:
    assert event_in(body, 7) is None
