"""The vocabulary: what a request is, and what becomes of it.

They stand in the order in which a request walks through the stages: RagTrace, Decision, Judgement, Verdict, Case.
What comes in is in `monitor/wire.py`; what people say of answers is in `monitor/feedback.py`; what the board makes of
verdicts is in `monitor/snapshot.py`.
Times are integer nanoseconds since the Unix epoch (`*_ns`) unless a name says otherwise. Ids of traces and
spans are lower-case hex text. Scores run from 0 to 1, and higher is always better.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from monitor.feedback import Feedback
from monitor.usage import Usage as Usage  # noqa: PLC0414 - whoever reads judgements finds it here


class TopicPartition(NamedTuple):
    """One partition of one topic."""

    topic: str
    partition: int


class Position(NamedTuple):
    """The place of one record: an offset commit may move past it only when the record's effect is durable.

    `generation` counts the assignments of the partition to this process: what finishes after the partition was revoked
    belongs to an older generation and moves nothing.
    """

    topic: str
    partition: int
    offset: int
    generation: int = 0


class ContextsSource(enum.StrEnum):
    """Where the passages were found."""

    SPAN = "span"
    """Values of a retriever, reranker or tool span; no passages with this source means an empty retrieval."""
    PROMPT = "prompt"
    """Cut out of the model's prompt."""
    RECORD = "record"
    """The plain record's own list; no passages with this source means an empty retrieval."""
    UNKNOWN = "unknown"
    """Nothing said whether there was a retrieval; not the same as an empty one."""


class PassageKind(enum.StrEnum):
    """A retrieved document, or the result of a tool call that the answer could rest on."""

    DOCUMENT = "document"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of evidence that the model was given. `score` is the retriever's own number, in its own scale."""

    text: str
    id: str | None = None
    score: float | None = None
    kind: PassageKind = PassageKind.DOCUMENT
    source: str | None = None
    """Name of the document that it is of: a path, file name, title or address; the id often is a chunk's."""


@dataclass(frozen=True, slots=True)
class RequestError:
    """A failed request: `stage` is `retrieval`, `generation` or `request`; `type` is a class name or a status."""

    type: str
    stage: str
    message: str = ""


ANCHOR = "anchor"
"""Convention of a row of the anchor set: it is judged again, whatever was said of the same content before."""


@dataclass(frozen=True, slots=True)
class RagTrace:
    """One request to a RAG service: the key is (`trace_id`, `request_id`), as a trace can hold several requests.

    None means "not on the wire"; the empty string is a real empty text.
    """

    trace_id: str
    request_id: str
    """Span id of the entry span; empty for plain records."""
    question: str | None
    answer: str | None
    contexts: tuple[Passage, ...] = ()
    contexts_source: ContextsSource = ContextsSource.UNKNOWN
    search_query: str | None = None
    """The retriever's query where it differs from the question (follow-up turns)."""
    model: str | None = None
    """The requested model."""
    response_model: str | None = None
    response_id: str | None = None
    error: RequestError | None = None
    session_id: str | None = None
    user_id: str | None = None
    tenant: str | None = None
    app: str | None = None
    """`service.name`."""
    app_version: str | None = None
    environment: str | None = None
    prompt_version: str | None = None
    knowledge_base: str | None = None
    language: str = "und"
    """`en`, `zh`, another ISO 639-1 code, or `und` when it cannot be told."""
    feedback: tuple[Feedback, ...] = ()
    truncated: bool = False
    """A content attribute was cut or dropped upstream: "not supported" cannot be trusted."""
    redacted: bool = False
    """The producer hid contents on purpose; no content of the trace may be used."""
    trace_state: str = ""
    """The W3C tracestate that carried `ot=`; empty when none did."""
    adjusted_count: float = 1.0
    """How many requests this one stands for after upstream head sampling (1 / its probability); 1 when unknown."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    start_ns: int = 0
    end_ns: int = 0
    """End of the entry span: the event time of every window."""
    convention: str = "unknown"
    """Name of the convention that read it: `otel_genai`, `openinference`, `plain`, ...; `ANCHOR` for an anchor."""


# --------------------------------------------------------------------------------------------------------- from sample


class DecisionKind(enum.StrEnum):
    """What becomes of a request."""

    SAMPLED = "sampled"
    NOT_SAMPLED = "not_sampled"
    SHED = "shed"
    """Sampled, but not judged because the judge queue was full; counts as a missing verdict."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a request is judged, and how likely that was.

    `probability` in (0, 1] includes upstream head sampling; `weight` is its inverse as an integer (unbiased rounding
    by the trace's own randomness when it is not whole). `policies` are the names of the policies that matched and kept
    it, the one with the largest rate first. A request that is not sampled has weight 0 and no policies.
    """

    kind: DecisionKind
    probability: float
    weight: int
    policies: tuple[str, ...] = ()
    threshold: int = 0
    """The trace's random number R was kept in [threshold, 2^56): where a sub-sample by the same R is cut from."""

    @property
    def sampled(self) -> bool:
        """Whether the request belongs to the sample (shed requests do: they are missing verdicts)."""
        return self.kind is not DecisionKind.NOT_SAMPLED


# --------------------------------------------------------------------------------------------------------- from redact


class Provenance(enum.StrEnum):
    """Where a sensitive text in an answer came from."""

    QUESTION = "question"
    """Echoed from the user's own question: not a leak."""
    CONTEXT = "context"
    """Copied from a passage."""
    NOVEL = "novel"
    """In neither: invented or memorised."""
    ALLOWED = "allowed"
    """On the operator's allow-list (hotlines, public mailboxes)."""


@dataclass(frozen=True, slots=True)
class SensitiveHit:
    """One sensitive text found in a request; holds no content.

    `kind` is a bounded word (`email`, `phone`, `card`, `resident_id`, `ip`, `secret.aws`, ...); `target` is `question`,
    `contexts` or `answer`; `start` and `end` are character offsets in the unredacted target (for contexts: in passage
    number `passage`, counted from 1).
    """

    kind: str
    target: str
    start: int
    end: int
    provenance: Provenance | None = None
    passage: int = 0


# ---------------------------------------------------------------------------------------------------------- from judge


class Outcome(enum.StrEnum):
    """The closed set of what a judge can give; quality numbers use `scored` only."""

    SCORED = "scored"
    NOT_SCORABLE = "not_scorable"
    """The evaluation does not apply: no answer, no context, abstention, hidden content, ..."""
    JUDGE_ERROR = "judge_error"
    """It applies, but the judge gave no usable verdict: a missing verdict."""
    SKIPPED = "skipped"
    """It applies, but we did not ask: budget, shed, circuit open, deadline: a missing verdict."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One judged piece of the answer, or of a text that the answer or the passages are held against.

    `text` is the sentence or claim (empty where the piece is a whole passage); `start` and `end` are the character
    offsets in the answer of the piece, or of the words that settle it (-1 when it is a claim in the judge's own words).
    `score` is its support from 0 to 1, `passage` the number of the best passage, from 1 (0: none), `passage_start` and
    `passage_end` the offsets of the evidence in that passage (-1: not told).
    """

    text: str
    score: float
    passage: int = 0
    start: int = -1
    end: int = -1
    label: str = ""
    """Bounded word: `supported`, `partial`, `unsupported`, a verdict of an evaluation's file, or a scanner's kind."""
    note: str = ""
    passage_start: int = -1
    passage_end: int = -1


NOBODY = "0" * 8
"""A fingerprint that begins so stands for several judges that nobody tells apart."""


def is_somebody(fingerprint: str) -> bool:
    """Whether a fingerprint is of one judge, so that what was found out about it holds for its next verdict."""
    return not fingerprint.startswith(NOBODY)


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """Who judged. Scores of two fingerprints are never mixed in one series.

    `fingerprint` is 12 hex characters over model snapshot, prompt, parameters and parser. `calibrated` says whether it
    was checked against people.
    """

    name: str
    """Bounded, from the configuration: `embedded`, `scanner`, or an LLM judge's name."""
    fingerprint: str
    calibrated: bool = False
    shadow_of: str = ""
    """Name of the judge that it runs beside, to be compared with it; empty for a judge whose scores count."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says about one request under one evaluation. Holds content: it never enters the verdict topic.

    `score` is None unless the outcome is `scored`; `reason` is a bounded word and is empty only when scored.
    `coverage` is the share of the answer's claims that were judged.
    """

    evaluation: str
    judge: JudgeIdentity
    outcome: Outcome
    reason: str = ""
    score: float | None = None
    label: str = ""
    explanation: str = ""
    evidence: tuple[Evidence, ...] = ()
    coverage: float = 1.0
    usage: Usage = Usage()  # noqa: RUF009 - it is frozen
    latency_s: float = 0.0
    flags: tuple[str, ...] = ()
    """Bounded words: `injection_suspected`, `repaired_reply`, `model_changed`, ..."""
    cause: str = ""
    cause_evidence: str = ""
    """Of a low score, a word of `monitor.cause.Cause`, and what speaks for it, without content; else empty."""

    def __post_init__(self) -> None:
        scored = self.outcome is Outcome.SCORED
        if scored != (self.score is not None) or (not scored and not self.reason):
            msg = f"a judgement has a score or a reason: {self.outcome}, score {self.score}, reason {self.reason!r}"
            raise ValueError(msg)
        if self.score is not None and not 0.0 <= self.score <= 1.0:  # also refuses NaN
            msg = f"score {self.score} is outside 0 to 1"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of the verdict topic: a judgement without content, with its weight. The topic is the state.

    `verdict_id` is a function of trace id, request id, evaluation and judge fingerprint, so a redelivered record gives
    the same id and is counted once.
    """

    verdict_id: str
    trace_id: str
    request_id: str
    evaluation: str
    judge: str
    fingerprint: str
    calibrated: bool
    outcome: Outcome
    reason: str
    score: float | None
    label: str
    weight: int
    probability: float
    policies: tuple[str, ...]
    """As of the decision on the request; then `uncertain`, when a cascade chose the judge's share."""
    end_ns: int
    """Event time: end of the request."""
    judged_ns: int
    app: str | None = None
    app_version: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    knowledge_base: str | None = None
    tenant: str | None = None
    language: str = "und"
    coverage: float = 1.0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    latency_s: float = 0.0
    flags: tuple[str, ...] = ()
    response_id: str | None = None
    """Id of the model's reply, so that feedback that names it finds its request."""
    cause: str = ""
    cause_evidence: str = ""
    shadow_of: str = ""
    """As of the judge's identity: such a verdict is compared, and counts in no quality number."""
    anchor: bool = False
    """On a row of the anchor set (`trace_id`, by its content) in the run `request_id`; in no quality number either."""
    baseline: float | None = None
    """Of an anchor's score: the one of the first run under the same fingerprint; None in that run."""


MAX_NAMED = 256
"""Characters of an id by which a verdict or feedback can be found; a longer one is left out."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the case topic: a sampled request with its content (redacted) and all its judgements."""

    case_id: str
    trace: RagTrace
    decision: Decision
    judgements: tuple[Judgement, ...]
    hits: tuple[SensitiveHit, ...]
    redaction: str
    """Identity of the redactor: detectors' version and pattern hash."""
    harvest_reason: str
    """Why it was harvested: the policy with the largest rate."""
    position: Position
    """The last record that brought the request."""
    judged_ns: int
