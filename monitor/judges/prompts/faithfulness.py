"""Faithfulness: the share of the answer's claims that the passages support.

Score = mean over the claims, a supported one counting 1, a partly supported one 1/2, an unsupported one 0. The rules
for what a model may get wrong are the same every time:

- a word that is not one of the three verdicts, a missing claim text, a passage number that does not exist, or support
  that names no passage: the whole reply is `parse`, as none of its verdicts can be trusted;
- fewer claims than the model says it made: the score is over those that came, `coverage` says how many of them did, and
  `claims_missing` is flagged; below half of them the reply is `parse`;
- more claims than it says: a miscount, all of them count;
- a claim without support makes the answer `unfaithful`, like one sentence does for the embedded judge;
- no claim at all: `not_scorable{no_claims}` for an answer that is only a greeting by our own reading, too; else the
  judge overlooked something, or was talked out of it: `judge_error{no_claims}`, a missing verdict.
"""

from __future__ import annotations

from collections.abc import Mapping

from monitor.errors import JudgeRejected
from monitor.judges.parse import choice
from monitor.judges.prompts.rubric import Reading, load_text, text_of
from monitor.judges.reasons import Reason
from monitor.judges.strict_json import Json
from monitor.judges.text.claims import claims_of
from monitor.records import Evidence, Passage, PassageKind, RagTrace

VERDICTS = {"supported": 1.0, "partial": 0.5, "unsupported": 0.0}
MIN_COVERAGE = 0.5
MAX_NAMED = 5
"""Unsupported claims that an explanation quotes."""

_CLAIM = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claim", "passage", "reason", "verdict"],
    "properties": {
        "claim": {"type": "string"},
        "passage": {"type": "integer"},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(VERDICTS)},
    },
}


class Faithfulness:
    """See the module's docstring."""

    evaluation = "faithfulness"
    version = 1
    keys = frozenset({"claims", "claim_count"})
    schema: Mapping[str, object] = {
        "type": "object",
        "additionalProperties": False,
        "required": ["claims", "claim_count"],
        "properties": {"claims": {"type": "array", "items": _CLAIM}, "claim_count": {"type": "integer"}},
    }

    def __init__(self) -> None:
        self.texts: Mapping[str, str] = {language: load_text(f"faithfulness.{language}") for language in ("en", "zh")}

    def data(self, trace: RagTrace) -> Mapping[str, object]:
        """Passages with their numbers, the question, the retriever's own query where it differs, the answer."""
        passages = [_passage(number, passage) for number, passage in enumerate(trace.contexts, start=1)]
        data: dict[str, object] = {"passages": passages, "question": trace.question or ""}
        if trace.search_query is not None and trace.search_query != trace.question:
            data["search_query"] = trace.search_query
        return data | {"answer": trace.answer or ""}

    def read(self, verdict: Mapping[str, Json], trace: RagTrace) -> Reading:
        """See the module's docstring for the rules."""
        claims = verdict["claims"]
        announced = verdict["claim_count"]
        if not isinstance(claims, list) or isinstance(announced, bool) or not isinstance(announced, int):
            raise JudgeRejected(Reason.PARSE, "schema")
        coverage = _coverage(len(claims), announced)
        if not claims:
            return _nothing_claimed(trace.answer or "")
        evidence = tuple(_evidence(claim, trace) for claim in claims)
        return Reading(
            score=sum(piece.score for piece in evidence) / len(evidence),
            label="unfaithful" if any(piece.score == 0 for piece in evidence) else "faithful",
            explanation=_explanation(evidence),
            evidence=evidence,
            coverage=coverage,
            flags=("claims_missing",) if coverage < 1 else (),
        )


def _passage(number: int, passage: Passage) -> dict[str, object]:
    numbered: dict[str, object] = {"number": number, "text": passage.text}
    if passage.kind is PassageKind.TOOL:
        numbered["kind"] = "tool result"
    return numbered


def _coverage(came: int, announced: int) -> float:
    if announced <= came:
        return 1.0
    coverage = came / announced
    if coverage < MIN_COVERAGE:
        raise JudgeRejected(Reason.PARSE, "claims_missing")
    return coverage


def _nothing_claimed(answer: str) -> Reading:
    if claims_of(answer):
        raise JudgeRejected(Reason.NO_CLAIMS)
    return Reading(score=None, reason=Reason.NO_CLAIMS)


def _evidence(claim: Json, trace: RagTrace) -> Evidence:
    if not isinstance(claim, dict) or not text_of(claim, "claim"):
        raise JudgeRejected(Reason.PARSE, "claim")
    label, score = choice(claim.get("verdict"), VERDICTS)
    text = text_of(claim, "claim")
    start = (trace.answer or "").find(text)
    return Evidence(
        text=text,
        score=score,
        passage=_passage_number(claim.get("passage"), len(trace.contexts), required=score > 0),
        start=start,
        end=start + len(text) if start >= 0 else -1,
        label=label,
        note=text_of(claim, "reason"),
    )


def _passage_number(value: Json, passages: int, *, required: bool) -> int:
    fits = isinstance(value, int) and not isinstance(value, bool) and int(required) <= value <= passages
    if not fits or not isinstance(value, int):
        raise JudgeRejected(Reason.PARSE, "passage")
    return value


def _explanation(evidence: tuple[Evidence, ...]) -> str:
    """For a person: how many claims are supported, and which are not (the first few, quoted)."""
    supported = sum(piece.score == 1 for piece in evidence)
    text = f"{supported} of {len(evidence)} claims supported by the passages."
    named = [f'"{piece.text}"' for piece in evidence if piece.score == 0][:MAX_NAMED]
    return f"{text} Not supported: {'; '.join(named)}" if named else text
