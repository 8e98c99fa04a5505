"""Attribute, event and resource keys as they stand on the wire: constants, nothing else."""

from __future__ import annotations

from typing import Final

# ------------------------------------------------------------------------------------------------------------ resource

SERVICE_NAME: Final = "service.name"
SERVICE_VERSION: Final = "service.version"
VERSION_KEYS: Final = (SERVICE_VERSION, "langfuse.release")
ENVIRONMENT_KEYS: Final = ("deployment.environment.name", "deployment.environment", "langfuse.environment")

PARENT_KNOWN: Final = 0x100
PARENT_REMOTE: Final = 0x200
"""Flags of a span: whether its parent is in another process is known, and that it is."""

# ------------------------------------------------------------------------------------------------- any instrumentation

ERROR_TYPE: Final = "error.type"
EXCEPTION_EVENT: Final = "exception"
EXCEPTION_TYPE: Final = "exception.type"
EXCEPTION_MESSAGE: Final = "exception.message"
HTTP_STATUS: Final = "http.response.status_code"
HTTP_STATUS_OLD: Final = "http.status_code"
SESSION_ID: Final = "session.id"
USER_ID: Final = "user.id"
END_USER_ID: Final = "enduser.id"
TENANT_KEYS: Final = ("tenant.id", "tenant_id")
DB_SYSTEM: Final = "db.system.name"
DB_SYSTEM_OLD: Final = "db.system"
DB_OPERATION: Final = "db.operation.name"
DB_OPERATION_OLD: Final = "db.operation"
DB_QUERY_RESULT: Final = "db.query.result"
DB_TOP_K_KEYS: Final = ("db.vector.query.top_k", "db.chroma.query.n_results")

# --------------------------------------------------------------------------------------------------------- OTel GenAI

OPERATION: Final = "gen_ai.operation.name"
SYSTEM: Final = "gen_ai.system"
PROVIDER: Final = "gen_ai.provider.name"
SPAN_KIND: Final = "gen_ai.span.kind"
REQUEST_MODEL: Final = "gen_ai.request.model"
RESPONSE_MODEL: Final = "gen_ai.response.model"
RESPONSE_ID: Final = "gen_ai.response.id"
FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
CONVERSATION_ID: Final = "gen_ai.conversation.id"
BEDROCK_KNOWLEDGE_BASE_ID: Final = "aws.bedrock.knowledge_base.id"
DATA_SOURCE_ID: Final = "gen_ai.data_source.id"
PROMPT_VERSION: Final = "gen_ai.prompt.version"
PROMPT_NAME: Final = "gen_ai.prompt.name"
PROMPT_VARIABLE: Final = "gen_ai.prompt.variable."
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
INPUT_TOKENS_OLD: Final = "gen_ai.usage.prompt_tokens"
OUTPUT_TOKENS_OLD: Final = "gen_ai.usage.completion_tokens"
INPUT_TOKENS_OF_RESPONSE: Final = "gen_ai.response.prompt_tokens"
OUTPUT_TOKENS_OF_RESPONSE: Final = "gen_ai.response.completion_tokens"
INPUT_MESSAGES: Final = "gen_ai.input.messages"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
SYSTEM_INSTRUCTIONS: Final = "gen_ai.system_instructions"
RETRIEVAL_QUERY: Final = "gen_ai.retrieval.query.text"
RETRIEVAL_DOCUMENTS: Final = "gen_ai.retrieval.documents"
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_ARGUMENTS: Final = "gen_ai.tool.call.arguments"
TOOL_DEFINITIONS: Final = "gen_ai.tool.definitions"
TOOL_RESULT: Final = "gen_ai.tool.call.result"
AGENT_VERSION: Final = "gen_ai.agent.version"
WHOLE_PROMPT: Final = "gen_ai.prompt"
WHOLE_COMPLETION: Final = "gen_ai.completion"
RETRIEVAL_QUERY_OLD: Final = "gen_ai.retrieval.query"
RERANKED: Final = "gen_ai.rerank.output_documents"
DETAILS_EVENT: Final = "gen_ai.client.inference.operation.details"
SYSTEM_EVENT: Final = "gen_ai.system.message"
USER_EVENT: Final = "gen_ai.user.message"
ASSISTANT_EVENT: Final = "gen_ai.assistant.message"
TOOL_EVENT: Final = "gen_ai.tool.message"
CHOICE_EVENT: Final = "gen_ai.choice"
PROMPT_EVENT: Final = "gen_ai.content.prompt"
COMPLETION_EVENT: Final = "gen_ai.content.completion"
EVENT_CONTENT: Final = "gen_ai.event.content"
EVALUATION: Final = "gen_ai.evaluation."
EVALUATION_EVENT: Final = "gen_ai.evaluation.result"
EVALUATION_NAME: Final = "gen_ai.evaluation.name"
EVALUATION_SCORE: Final = "gen_ai.evaluation.score.value"
EVALUATION_LABEL: Final = "gen_ai.evaluation.score.label"
EVALUATION_EXPLANATION: Final = "gen_ai.evaluation.explanation"

# ------------------------------------------------------------------------------------------------------- OpenInference

OI_KIND: Final = "openinference.span.kind"
OI_INPUT: Final = "input.value"
OI_INPUT_TYPE: Final = "input.mime_type"
OI_OUTPUT: Final = "output.value"
OI_OUTPUT_TYPE: Final = "output.mime_type"
OI_JSON: Final = "application/json"
OI_DOCUMENTS: Final = "retrieval.documents"
OI_RERANKED: Final = "reranker.output_documents"
OI_RERANK_QUERY: Final = "reranker.query"
OI_INPUT_MESSAGES: Final = "llm.input_messages"
OI_OUTPUT_MESSAGES: Final = "llm.output_messages"
OI_PROMPTS: Final = "llm.prompts"
OI_CHOICES: Final = "llm.choices"
OI_TOOL_NAME: Final = "tool.name"
OI_MODEL: Final = "llm.model_name"
OI_REQUEST_MODEL: Final = "llm.request.model_name"
OI_RESPONSE_MODEL: Final = "llm.response.model_name"
OI_PARAMETERS: Final = "llm.invocation_parameters"
OI_INPUT_TOKENS: Final = "llm.token_count.prompt"
OI_OUTPUT_TOKENS: Final = "llm.token_count.completion"
OI_TEMPLATE_VARIABLES: Final = "llm.prompt_template.variables"
OI_TEMPLATE_VERSION: Final = "llm.prompt_template.version"
OI_REDACTED: Final = "__REDACTED__"
OI_HUMAN: Final = "HUMAN"
