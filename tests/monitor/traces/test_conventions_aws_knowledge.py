"""Searches of knowledge bases that only the AWS SDK shows."""

from __future__ import annotations

import pytest

from monitor.traces.conventions.aws_knowledge import AWS_KNOWLEDGE
from monitor.traces.reading import Role
from monitor.wire import Span
from tests.monitor.traces.library_spans import OPEN, RIDERS, filled, one
from tests.monitor.traces.spans import ANSWER, QUESTION, span


def _called(service: str, method: str) -> Span:
    attributes = {"rpc.service": service, "rpc.method": method, "aws.bedrock.knowledge_base.id": "KB1"}
    return span("k", "r", 1, attributes=attributes)


@pytest.mark.parametrize(
    ("service", "method", "role"),
    [
        ("Bedrock Agent Runtime", "Retrieve", Role.RETRIEVER),
        ("BedrockAgentRuntime", "RetrieveAndGenerate", Role.RETRIEVER),
        ("", "BedrockAgentRuntime/Retrieve", Role.RETRIEVER),
        ("Bedrock Agent Runtime", "InvokeAgent", None),
        ("S3", "Retrieve", None),
    ],
)
def test_a_search_is_told_by_service_and_method(service: str, method: str, role: Role | None) -> None:
    assert AWS_KNOWLEDGE.role(_called(service, method)) is role


def test_a_request_whose_search_shows_nothing_takes_the_documents_from_the_prompt() -> None:
    request = one(span("r", name="POST /ask"), _called("Bedrock Agent Runtime", "Retrieve"), filled("m", "r", 2))
    assert (request.question, request.answer, request.knowledge_base) == (QUESTION, ANSWER, "KB1")
    assert (request.contexts_source.value, [one.text for one in request.contexts]) == ("prompt", [f"{RIDERS}\n{OPEN}"])


def test_a_request_without_contents_is_counted() -> None:
    call = span("m", "r", 2, attributes={"gen_ai.operation.name": "chat", "gen_ai.request.model": "chat-1"})
    request = one(span("r", name="POST /ask"), _called("Bedrock Agent Runtime", "Retrieve"), call)
    assert (request.question, request.contexts_source.value, request.model) == (None, "unknown", "chat-1")
