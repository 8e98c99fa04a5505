"""The exception tree of ragmon.

    RagmonError                      anything ragmon raises on purpose
    ├── ConfigError                  a setting is wrong; every problem at once        exit code 2
    ├── InputError                   a file or argument is wrong                       exit code 2
    ├── DecodeError                  a record cannot be understood; never retried      dead letter
    ├── SourceError                  the record source failed; retryable
    ├── SinkError                    a write was not confirmed; retryable
    ├── UnfitCasesError              cases that the sample set cannot hold; the others can be written
    └── JudgeError                   the judge gave no usable verdict
        ├── JudgeUnavailable         no answer now: timeout, 5xx, rate limit; retryable
        └── JudgeRejected            a retry of the same call cannot help: refusal, bad reply, too long

`retryable` says whether the same call may succeed later without a change by a person.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar


class RagmonError(Exception):
    """Base of every error that ragmon raises on purpose."""

    retryable: ClassVar[bool] = False


class ConfigError(RagmonError):
    """The configuration is wrong.

    `problems` holds one line for each problem: where it is, what is wrong, how to fix it.
    """

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class InputError(RagmonError):
    """A file, row or argument given by the user is wrong; the message says where and how to fix it."""


class DecodeError(RagmonError):
    """A record's bytes cannot be understood.

    `kind` is a short bounded word for metrics and dead letters, such as `not_protobuf` or `bad_json`.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class SourceError(RagmonError):
    """The record source failed; the supervisor rebuilds it."""

    retryable = True


class SinkError(RagmonError):
    """A verdict, case or dead letter was not confirmed as durable; its records stay uncommitted."""

    retryable = True


class UnfitCasesError(RagmonError):
    """Cases hold a value that the sample set has no room for. Nothing was written; without them the rest can be.

    `case_ids` names them.
    """

    def __init__(self, case_ids: frozenset[str]) -> None:
        super().__init__(f"{len(case_ids)} cases do not fit the sample set")
        self.case_ids = case_ids


class JudgeError(RagmonError):
    """The judge gave no usable verdict. `reason` is the bounded word of the outcome `judge_error{reason}`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class JudgeUnavailable(JudgeError):  # noqa: N818 - the family name is on the base
    """No answer now: timeout, connection, server error, rate limit, open circuit."""

    retryable = True


class JudgeRejected(JudgeError):  # noqa: N818 - the family name is on the base
    """The same call cannot succeed: refusal, content filter, too long, unreadable or truncated reply."""


def where(error: BaseException) -> dict[str, str]:
    """The class and the place of an error, for a log: never its text, which may quote what users wrote.

    Of a group it is the first error inside.
    """
    while isinstance(error, BaseExceptionGroup):  # out of a group of tasks
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown"
    return {"error": type(error).__name__, "place": place}


@contextlib.contextmanager
def plain_config_errors() -> Iterator[None]:
    """Let a ConfigError out of the task groups that wrapped it, so that it is told as one."""
    try:
        yield
    except* ConfigError as group:
        raise ConfigError([line for error in _flat(group) for line in error.problems]) from None


def _flat(group: BaseExceptionGroup[ConfigError]) -> list[ConfigError]:
    return [
        found
        for error in group.exceptions
        for found in (_flat(error) if isinstance(error, BaseExceptionGroup) else [error])
    ]
