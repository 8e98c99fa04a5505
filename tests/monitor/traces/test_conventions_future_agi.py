"""Future AGI's traceAI, before and after it went over to `gen_ai.*`."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.future_agi import FUTURE_AGI
from monitor.traces.reading import Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import FILLED, RIGHT, oi, oi_documents, oi_messages, oi_model, one
from tests.monitor.traces.library_spans import told as request_told
from tests.monitor.traces.spans import ANSWER, QUESTION, span, told


def _traced(span_id: str, parent: str, at: int, kind: str, **more: AttributeValue) -> Span:
    named = {key.replace("__", "."): value for key, value in more.items()}
    return span(span_id, parent, at, attributes={"gen_ai.span.kind": kind, **named})


def _call(*asked: tuple[str, str]) -> Span:
    """A model call, with its first message as its input, and the answering model as the requested one."""
    return _traced(
        "m",
        "r",
        2,
        "LLM",
        input__value=asked[0][1],
        output__value=ANSWER,
        gen_ai__request__model="chat-1-2026",
        gen_ai__request__parameters=json.dumps({"model": "chat-1"}),
        **oi_messages("gen_ai.input.messages", asked),
        **oi_messages("gen_ai.output.messages", [("assistant", ANSWER)]),
    )


def test_a_request() -> None:
    root = _traced("r", "", 0, "CHAIN", input__value=json.dumps({"input": QUESTION}), output__value=ANSWER)
    found = _traced("k", "r", 1, "RETRIEVER", input__value=QUESTION, **oi_documents())
    request = one(root, found, _call(("system", "Answer."), ("user", FILLED)))
    assert request_told(request) == RIGHT
    assert request.response_model == "chat-1-2026"


def test_all_messages_count_and_not_the_first_one_only() -> None:
    read = told(FUTURE_AGI, _call(("system", "Answer."), ("user", FILLED)), Role.MODEL)
    assert read == {
        "prompt": (Message("system", "Answer."), Message("user", FILLED)),
        "output": Message("assistant", ANSWER),
    }


@pytest.mark.parametrize(
    ("kind", "role"),
    [("EVALUATOR", Role.EVALUATOR), ("guardrail", Role.GUARDRAIL), ("CONVERSATION", Role.CHAIN), ("LLM", None)],
)
def test_its_own_kinds(kind: str, role: Role | None) -> None:
    assert FUTURE_AGI.role(_traced("x", "", 0, kind)) is role


def test_a_prompt_template_is_a_step_that_says_what_was_filled_in() -> None:
    filled = {"question": QUESTION, "context": "Open daily."}
    template = _traced("t", "r", 1, "UNKNOWN", gen_ai__prompt__template__variables=json.dumps(filled))
    assert FUTURE_AGI.role(template) is Role.STEP
    assert told(FUTURE_AGI, template, Role.STEP) == {"variables": filled}


def _old(read: Span) -> Span:
    attributes = {
        "fi.span.kind" if key == "openinference.span.kind" else key: value for key, value in read.attributes.items()
    }
    return span(read.span_id, read.parent_id, read.start_ns, attributes=attributes)


def test_a_request_of_its_first_versions() -> None:
    """They are those of OpenInference under another kind."""
    spans = (
        oi("CHAIN", "r", asked={"question": QUESTION}, returned=ANSWER),
        oi("RETRIEVER", "k", "r", 1, asked=QUESTION, **oi_documents()),
        oi_model("m", "r", 2, [("user", FILLED)], ANSWER),
    )
    request = one(*map(_old, spans))
    assert (request_told(request), request.input_tokens, request.convention) == (RIGHT, 10, "future_agi_old")
