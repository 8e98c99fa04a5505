"""The names that the setting `source.plain_fields` may give a path to; the decoder's own are checked against them."""

from __future__ import annotations

import difflib

PLAIN_FIELDS = (
    "trace_id",
    "question",
    "answer",
    "contexts",
    "contexts.text",
    "contexts.id",
    "contexts.score",
    "contexts.source",
    "search_query",
    "model",
    "response_model",
    "response_id",
    "error",
    "session_id",
    "user_id",
    "tenant",
    "app",
    "app_version",
    "environment",
    "prompt_version",
    "knowledge_base",
    "language",
    "feedback",
    "adjusted_count",
    "tracestate",
    "truncated",
    "redacted",
    "input_tokens",
    "output_tokens",
    "start_time",
    "end_time",
)
"""What `source.plain_fields` may name: the fields of a plain record, and with a dot those of each passage."""
_MAX_PATH = 256
_SHOWN = 40


def plain_path_problem(field: str, path: str) -> str | None:
    """What is wrong with one entry of `source.plain_fields`, and how to mend it; None when nothing is."""
    if field not in PLAIN_FIELDS:
        near = difflib.get_close_matches(field, PLAIN_FIELDS, n=1, cutoff=0.5)
        hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(PLAIN_FIELDS)}"
        return f"`{field[:_SHOWN]}` is no field of a plain record; {hint}"
    if not path.strip() or len(path) > _MAX_PATH or not all(path.split(".")):
        return f"{field}: {path[:_SHOWN]!r} is no path; write a key, or keys with dots between, such as request.text"
    return None
