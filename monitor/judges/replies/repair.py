"""The second stage of parsing: the slips that models make in JSON, undone without choosing between two meanings."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter

import json_repair

from monitor.judges.replies.strict_json import STRING, AmbiguousError, Json, keys_in, strict_json

MAX_GUESSED = 16_384
"""Characters of one reply beyond which nothing is guessed: json-repair takes its time on the event loop."""

_STRING_OR_LITERAL = re.compile(rf"{STRING}|\b(?:True|False|None)\b", re.DOTALL)
_ESCAPE = re.compile(r'\\(?:["\\/nrt]|[bf](?![A-Za-z])|u[0-9a-fA-F]{4}|(?P<illegal>))')
_CONTROL = re.compile(r"[\x00-\x1f]")
_CODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_PLAIN = re.compile(r'\\(["/\\])')
_PUNCTUATION = re.compile(r"""[\s"'`“”{}\[\],:]+""")
_NUMBER = re.compile(r"[-+]?[0-9]{1,17}(?:\.[0-9]{0,17})?(?:[eE][-+]?[0-9]{1,2})?")
_KEY = re.compile(r"""(?<!\\)\b(\w++)["']?\s*+:""")
"""The last word of what stands as a key."""
_LAST_WORD = re.compile(r"(?<!\w)\w++\Z")
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_WIDE = re.compile(
    rf"""{STRING}
    | “(?P<text>[^“”"\\\x00-\x1f]*)”
    | (?P<mark>[｛｝［］：，])""",
    re.DOTALL | re.VERBOSE,
)
_BRACES = str.maketrans("｛｝", "{}")


def repair_syntax(text: str) -> str:
    r"""The slips that models make, undone: Python's literals outside strings, illegal escapes and raw controls in them.

    A backslash that starts no legal escape is kept as a backslash, and so is the one of LaTeX's `\frac` and `\beta`.
    """
    return _STRING_OR_LITERAL.sub(_repair_piece, text)


def narrowed(text: str) -> str:
    """With the marks of JSON in the width that it knows: Chinese models write `｛“score”：4，` at times.

    Inside straight quotes nothing is touched. Wide digits stay as they are: no number is made that was not written.
    """
    return _WIDE.sub(_narrow, text)


def narrowed_braces(text: str) -> str:
    """With straight braces; for a text that has no other ones."""
    return text.translate(_BRACES)


class Guesser:
    """The last resort, for missing commas and stray quotes: guesses that change punctuation and nothing else.

    All the guesses of one take at most `MAX_GUESSED` characters.
    """

    def __init__(self) -> None:
        self._left = MAX_GUESSED

    def guess_object(self, piece: str) -> dict[str, Json] | None:
        """The object that a piece of text is meant to be, None where it cannot be told. Raises ValueError.

        A guess may neither merge nor invent a key, and it must hold every word and number of the piece in their order:
        `4 or 5`, `4/5` and a comment are no punctuation.
        """
        if len(piece) > self._left:
            return None
        self._left -= len(piece)
        try:
            guess = json_repair.loads(piece, skip_json_loads=True)
        except (ValueError, RecursionError):
            return None
        rewritten = strict_json(json.dumps(guess))
        if not isinstance(rewritten, dict):
            return None
        if not _has_the_keys(piece, rewritten):
            msg = "unclear_keys"
            raise AmbiguousError(msg)
        return rewritten if _says_the_same(piece, json.dumps(guess, ensure_ascii=False)) else None


def _has_the_keys(piece: str, guess: Json) -> bool:
    """Whether each key was written as often as the guess has it; keys are told by their last words."""
    keys = Counter(word[0] if (word := _LAST_WORD.search(key)) else "" for key in keys_in(guess))
    written = Counter(_KEY.findall(piece))
    return all(written[word] == count for word, count in keys.items())


def _says_the_same(piece: str, guess: str) -> bool:
    ours, theirs = _words(piece), _words(guess)
    return len(ours) == len(theirs) and all(map(_is_same, ours, theirs))


def _words(text: str) -> list[str]:
    """Everything that is no punctuation of JSON; a character escaped by its code is that character."""
    plain = _PLAIN.sub(r"\1", _CODE.sub(lambda code: chr(int(code[1], 16)), text))
    return _PUNCTUATION.sub(" ", plain).split()


def _is_same(one: str, other: str) -> bool:
    if one == other:
        return True
    return bool(_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)) and float(one) == float(other)


def _repair_piece(match: re.Match[str]) -> str:
    piece = match[0]
    if piece in _LITERALS:
        return _LITERALS[piece]
    return _CONTROL.sub(lambda control: f"\\u{ord(control[0]):04x}", _ESCAPE.sub(_repair_escape, piece))


def _narrow(match: re.Match[str]) -> str:
    if match["text"] is not None:
        return json.dumps(match["text"], ensure_ascii=False)
    return unicodedata.normalize("NFKC", match[0]) if match["mark"] else match[0]


def _repair_escape(match: re.Match[str]) -> str:
    return "\\\\" if match["illegal"] is not None else match[0]
