"""The conventions in use, in order: the first that knows a span gives its role, the first that has a value gives it.

To add one: write its file with a `Convention`, and name it here.
"""

from __future__ import annotations

from monitor.traces.asking import Known
from monitor.traces.conventions.agenta import AGENTA
from monitor.traces.conventions.agentops import AGENTOPS
from monitor.traces.conventions.aws_distro import AWS_DISTRO
from monitor.traces.conventions.aws_knowledge import AWS_KNOWLEDGE
from monitor.traces.conventions.azure_agents import AZURE_AGENTS
from monitor.traces.conventions.basalt import BASALT
from monitor.traces.conventions.braintrust import BRAINTRUST
from monitor.traces.conventions.confident import CONFIDENT
from monitor.traces.conventions.cozeloop import COZELOOP
from monitor.traces.conventions.datadog import DATADOG
from monitor.traces.conventions.fiddler import FIDDLER
from monitor.traces.conventions.future_agi import FUTURE_AGI, FUTURE_AGI_OLD
from monitor.traces.conventions.galileo import GALILEO
from monitor.traces.conventions.generic import GENERIC
from monitor.traces.conventions.genkit import GENKIT
from monitor.traces.conventions.google_adk import GOOGLE_ADK
from monitor.traces.conventions.haystack import HAYSTACK
from monitor.traces.conventions.honeyhive import HONEYHIVE
from monitor.traces.conventions.input_output import INPUT_OUTPUT
from monitor.traces.conventions.judgment import JUDGMENT
from monitor.traces.conventions.laminar import LAMINAR
from monitor.traces.conventions.langfuse import LANGFUSE
from monitor.traces.conventions.langsmith import LANGSMITH
from monitor.traces.conventions.langtrace import LANGTRACE
from monitor.traces.conventions.langwatch import LANGWATCH
from monitor.traces.conventions.livekit import LIVEKIT
from monitor.traces.conventions.llama_index import LLAMA_INDEX
from monitor.traces.conventions.llama_stack import LLAMA_STACK
from monitor.traces.conventions.mastra import MASTRA
from monitor.traces.conventions.mirascope import MIRASCOPE
from monitor.traces.conventions.mlflow import MLFLOW, MLFLOW_TRANSLATED
from monitor.traces.conventions.monocle import MONOCLE
from monitor.traces.conventions.netra import NETRA
from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.conventions.openlit import OPENLIT
from monitor.traces.conventions.otel_genai import OTEL_GENAI
from monitor.traces.conventions.pipecat import PIPECAT
from monitor.traces.conventions.promptflow import PROMPTFLOW
from monitor.traces.conventions.pydantic_ai import PYDANTIC_AI
from monitor.traces.conventions.quarkus import QUARKUS
from monitor.traces.conventions.respan import RESPAN
from monitor.traces.conventions.spring_ai import SPRING_AI
from monitor.traces.conventions.strands import STRANDS
from monitor.traces.conventions.traceloop import TRACELOOP
from monitor.traces.conventions.traceloop_sequences import TRACELOOP_SEQUENCES
from monitor.traces.conventions.trpc_agent import TRPC_AGENT
from monitor.traces.conventions.trulens import TRULENS
from monitor.traces.conventions.vector_stores import VECTOR_STORES
from monitor.traces.conventions.vercel import VERCEL
from monitor.traces.conventions.voltagent import VOLTAGENT
from monitor.traces.reading import Convention

CONVENTIONS: tuple[Convention, ...] = (
    AWS_DISTRO,
    OPENINFERENCE,
    FUTURE_AGI_OLD,
    DATADOG,
    TRULENS,
    HAYSTACK,
    MLFLOW,
    LANGFUSE,
    LANGSMITH,
    MLFLOW_TRANSLATED,
    TRACELOOP_SEQUENCES,
    TRACELOOP,
    OPENLIT,
    VERCEL,
    SPRING_AI,
    PYDANTIC_AI,
    STRANDS,
    GOOGLE_ADK,
    GENKIT,
    LANGTRACE,
    LANGWATCH,
    LAMINAR,
    BRAINTRUST,
    MASTRA,
    VOLTAGENT,
    LLAMA_INDEX,
    LLAMA_STACK,
    LIVEKIT,
    PIPECAT,
    AGENTOPS,
    MIRASCOPE,
    NETRA,
    MONOCLE,
    HONEYHIVE,
    AGENTA,
    CONFIDENT,
    BASALT,
    RESPAN,
    TRPC_AGENT,
    COZELOOP,
    PROMPTFLOW,
    GALILEO,
    AZURE_AGENTS,
    FUTURE_AGI,
    JUDGMENT,
    QUARKUS,
    OTEL_GENAI,
    FIDDLER,
    VECTOR_STORES,
    AWS_KNOWLEDGE,
    INPUT_OUTPUT,
    GENERIC,
)

KNOWN = Known(CONVENTIONS)
