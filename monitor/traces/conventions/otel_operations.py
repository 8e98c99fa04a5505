"""The words by which spans after OpenTelemetry GenAI say what they do, and the roles that these stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.reading import Role

OPERATIONS: Final[Mapping[str, Role]] = {
    "chat": Role.MODEL,
    "text_completion": Role.MODEL,
    "generate_content": Role.MODEL,
    "chat.completions": Role.MODEL,
    "text.completions": Role.MODEL,
    "chat.streaming_completions": Role.MODEL,
    "text.streaming_completions": Role.MODEL,
    "chat_streaming": Role.MODEL,
    "interactions": Role.MODEL,
    "interactions_streaming": Role.MODEL,
    "completion": Role.MODEL,
    "acompletion": Role.MODEL,
    "atext_completion": Role.MODEL,
    "responses": Role.MODEL,
    "aresponses": Role.MODEL,
    "anthropic_messages": Role.MODEL,
    "agenerate_content": Role.MODEL,
    "generate": Role.MODEL,
    "response": Role.MODEL,
    "retrieval": Role.RETRIEVER,
    "retrieve": Role.RETRIEVER,
    "retriever": Role.RETRIEVER,
    "vector_db_retrieve": Role.RETRIEVER,
    "rerank": Role.RERANKER,
    "arerank": Role.RERANKER,
    "invoke_agent": Role.CHAIN,
    "invoke_workflow": Role.CHAIN,
    "chain": Role.CHAIN,
    "execute_tool": Role.TOOL,
    "evaluate": Role.EVALUATOR,
    "embeddings": Role.STEP,
    "embedding": Role.STEP,
    "aembedding": Role.STEP,
    "create_agent": Role.STEP,
    "execute_task": Role.STEP,
    "plan": Role.STEP,
    "agent_handoff": Role.STEP,
    "guardrail_check": Role.GUARDRAIL,
}
"""What the values of `gen_ai.operation.name` stand for, in all revisions and in the distributions seen."""
KINDS: Final[Mapping[str, Role]] = {
    "LLM": Role.MODEL,
    "RETRIEVER": Role.RETRIEVER,
    "RERANKER": Role.RERANKER,
    "CHAIN": Role.CHAIN,
    "WORKFLOW": Role.CHAIN,
    "AGENT": Role.CHAIN,
    "TOOL": Role.TOOL,
    "EMBEDDING": Role.STEP,
    "TASK": Role.STEP,
}
"""Values of `gen_ai.span.kind`, which distributions of OpenTelemetry add."""
