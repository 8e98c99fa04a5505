"""What `ragmon extract --explain` says of a plain record: the key or path of each field, and what marks have hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from monitor.feedback import Feedback
from monitor.offline.explained import ExplainedField, ExplainedOther, ExplainedPlace, text_of
from monitor.offline.shown import shown
from monitor.records import ContextsSource, RagTrace
from monitor.traces.decode.plain_record import PlainFeedback
from monitor.traces.explain import HIDDEN
from monitor.traces.masks import hides, is_withheld

_NAME = 200
_TEXTS = ("question", "answer", "contexts", "search_query")
_LABELS = (
    "model", "response_model", "response_id", "session_id", "user_id", "tenant", "app", "app_version", "prompt_version",
    "knowledge_base", "environment", "input_tokens", "output_tokens",
)  # fmt: skip
_MARKED = "{}: a mark stands in place of contents: they are hidden on purpose"


def fields_of(trace: RagTrace, paths: Mapping[str, str]) -> dict[str, ExplainedField]:
    """The fields of a plain request by name; `paths` are those of `source.plain_fields`. Hidden texts are not shown."""
    values = {name: getattr(trace, name) for name in (*_TEXTS, *_LABELS)}
    if trace.contexts_source is ContextsSource.UNKNOWN:
        values["contexts"] = None  # not the same as none
    values["error"] = None if trace.error is None else f"{trace.error.type} in {trace.error.stage}"
    fields = {name: _field(name, value, paths) for name, value in values.items()}
    if trace.redacted:
        hidden = ExplainedField(None, passed_over=(ExplainedOther(None, (), HIDDEN),))
        fields |= dict.fromkeys(_TEXTS, hidden)
    fields["truncated"] = _marked(trace.truncated, "truncated", _withheld(trace), paths)
    fields["redacted"] = _marked(trace.redacted, "redacted", _masked(trace), paths)
    return fields


def feedback_notes(said: Feedback) -> Iterator[str]:
    """What plain feedback says, and how it is counted."""
    sentiment = {True: "negative", False: "positive", None: "unrated"}[said.negative]
    parts = {"label": said.label, "score": said.score}
    words = ", ".join(f"{name} {text_of(value)}" for name, value in parts.items() if value is not None)
    yield f"{text_of(said.name)}: {words or 'neither label nor score'}; counted as {sentiment}"
    if said.negative is None and not words and said.comment is None:
        yield f"feedback has only the keys {', '.join(PlainFeedback.__struct_fields__)}; is one misspelt?"


def _field(name: str, value: object, paths: Mapping[str, str]) -> ExplainedField:
    """A field with the key or path where it stands, or where the configuration says that it should."""
    place = (_place(paths.get(name, name)),)
    if value is not None:
        return ExplainedField(text_of(value), place)
    missing = (ExplainedOther(None, place, "source.plain_fields names it, and nothing stands there"),)
    return ExplainedField(None, passed_over=missing if name in paths else ())


def _marked(value: bool, name: str, signs: Iterator[str], paths: Mapping[str, str]) -> ExplainedField:  # noqa: FBT001 - the mark itself
    """Whether texts were cut or hidden, and by what it is told: marks in place of texts, else its own key."""
    marks = tuple(_place(_MARKED.format(paths.get(sign, sign))) for sign in signs)
    return ExplainedField(text_of(value), (marks or (_place(paths.get(name, name)),)) if value else ())


def _masked(trace: RagTrace) -> Iterator[str]:
    """The fields for which marks stand."""
    yield from (name for name in ("question", "answer", "search_query") if hides((getattr(trace, name),), ()))
    if hides((), [passage.text for passage in trace.contexts]):
        yield "contexts"


def _withheld(trace: RagTrace) -> Iterator[str]:
    if any(is_withheld(passage.text) for passage in trace.contexts):
        yield "contexts"


def _place(where: str) -> ExplainedPlace:
    return ExplainedPlace("", "", shown(where, _NAME), "plain")
