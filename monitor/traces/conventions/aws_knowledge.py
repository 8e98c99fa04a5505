"""Searches of Amazon's knowledge bases as the AWS SDKs show them: that there was one, and what was not said of it."""

from __future__ import annotations

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.reading import KNOWLEDGE_BASE, Convention, Role, says
from monitor.wire import Span

_SERVICES = frozenset({"bedrockagentruntime", "bedrock agent runtime"})
_READS = frozenset({"retrieve", "retrieveandgenerate", "retrieveandgeneratestream"})


def _role(span: Span) -> Role | None:
    """By the service and its operation, which newer versions put in front of each other."""
    method = (text_of(span.attributes, "rpc.method") or "").lower()
    service, _, operation = method.rpartition("/")
    service = service or (text_of(span.attributes, "rpc.service") or "").lower()
    return Role.RETRIEVER if service in _SERVICES and operation in _READS else None


AWS_KNOWLEDGE = Convention(
    name="aws_knowledge",
    version="1",
    heads=frozenset({"rpc"}),
    role=_role,
    facts=(says(KNOWLEDGE_BASE, texted(semconv.BEDROCK_KNOWLEDGE_BASE_ID)),),
)
"""Spans with `rpc.service`. None shows a text: the documents are in the prompt, or nowhere."""
