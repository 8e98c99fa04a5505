"""What real runs of clients and platforms with tracing of their own showed, in the form in which they wrote it."""

from __future__ import annotations

from tests.monitor.traces.library_spans import FILLED, OPEN, RIDERS, Told, agent, dropped, one, said, told
from tests.monitor.traces.spans import ANSWER, QUESTION, span

BOTH = f"{RIDERS}\n{OPEN}"

# -------------------------------------------------------------------------------------------------------------- Mistral

ASKED = said(("user", FILLED))
REPLIED = said(("assistant", ANSWER))


def test_a_call_that_shows_only_its_reply_was_asked_what_its_agent_was() -> None:
    """As Mistral's client writes a conversation: the span of the reply is made of what the service sent back."""
    reply = {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "chat-1",
        "gen_ai.output.messages": REPLIED,
    }
    request = one(agent("a", gen_ai__input__messages=ASKED), span("m", "a", 1, attributes=reply))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt", None)


def test_an_agent_that_another_service_runs_speaks_for_its_calls() -> None:
    request = one(agent("a", gen_ai__input__messages=ASKED, gen_ai__output__messages=REPLIED))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt", None)


def test_an_agent_that_was_given_no_context_is_no_request() -> None:
    asked = said(("user", QUESTION))
    assert dropped(agent("a", gen_ai__input__messages=asked, gen_ai__output__messages=REPLIED)) == {"no_request": 1}
