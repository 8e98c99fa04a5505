"""Code in an answer: what it calls with is an example, not a statement."""

from __future__ import annotations

import re

_CODE = re.compile(r"(?<![`~])(?P<fence>`{3,8}|~{3,8})(?![`~])[^`~]{0,8000}(?:(?P=fence)|\Z)|`[^`\n]{1,400}`")
_CALL = re.compile(r"(?<=[\w\]])\([^()\n]{1,200}\)")
_LITERAL = re.compile(r"""(?<![\w.])-?[0-9][\w.]*|"[^"\n]*"|'[^'\n]*'""")


def without_literals(answer: str) -> str:
    """`answer` with blanks in place of the literals that calls in its code are given; its length stays.

    `rides(2023)` is an example of a documented `rides(year)`.
    """
    if "`" not in answer and "~~~" not in answer:
        return answer
    return _CODE.sub(lambda code: _CALL.sub(_blank_literals, code[0]), answer)


def _blank_literals(call: re.Match[str]) -> str:
    return _LITERAL.sub(lambda literal: " " * len(literal[0]), call[0])
