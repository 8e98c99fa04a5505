"""Python values that a library printed with `str()`: `{'text': 'Open.', 'page': 3}` where JSON was meant.

Only literals are read: strings, numbers, True, False, None, and lists, tuples and dicts of them. Nothing is evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from monitor.traces.text import repair
from monitor.traces.values import MAX_DEPTH, as_float, as_int
from monitor.wire import AttributeValue

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r"(?P<string>[uU]?(?:'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"))"
    r"|(?P<number>[+-]?[0-9][0-9_.eE+-]{0,60})"
    r"|(?P<word>True|False|None)\b"
    r"|(?P<mark>[\[\](){},:]))",
    re.DOTALL,
)
_WORDS = {"True": True, "False": False, "None": None}
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class _NoLiteralError(Exception):
    """The text is something else, or was cut."""


def read_literal(text: str) -> AttributeValue:
    """The value that a printed literal stands for; None for anything else, cut text included.

    Tuples become lists; keys that are no texts become the text they are printed as.
    """
    tokens = _tokens(text)
    try:
        value = _value(next(tokens, ""), tokens, 0)
    except _NoLiteralError:
        return None
    return value if next(tokens, None) is None else None


def printed_argument(text: str, name: str) -> str | None:
    """The text that the first argument of this name has in printed objects (`Result(name='...')`); None without it."""
    _, mark, rest = text.partition(f"({name}=")
    found = _TOKEN.match(rest) if mark else None
    if found is None or found["string"] is None:
        return None
    try:
        return _string(found["string"])
    except _NoLiteralError:
        return None


def _tokens(text: str) -> Iterator[str]:
    """The tokens in order; an empty one where the text is no literal."""
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            yield ""
            return
        yield found[0].lstrip()
        at = found.end()


def _value(word: str, tokens: Iterator[str], depth: int) -> AttributeValue:
    if word in _CLOSING and depth < MAX_DEPTH:
        return _mapping(tokens, depth + 1) if word == "{" else _list(_CLOSING[word], tokens, depth + 1)
    if word in _WORDS:
        return _WORDS[word]
    if word[-1:] in {"'", '"'}:
        return _string(word)
    number = as_int(word) if word.lstrip("+-").isdecimal() else as_float(word)
    if number is None:
        raise _NoLiteralError
    return number


def _string(word: str) -> str:
    try:
        return repair(str(ast.literal_eval(word)))  # one string word: nothing nested, nothing to evaluate
    except (ValueError, SyntaxError) as error:  # such as a broken \x escape, or a line break inside
        raise _NoLiteralError from error


def _list(closing: str, tokens: Iterator[str], depth: int) -> list[AttributeValue]:
    items: list[AttributeValue] = []
    word = next(tokens, "")
    while word != closing:
        items.append(_value(word, tokens, depth))
        word = _after_item(closing, tokens)
    return items


def _mapping(tokens: Iterator[str], depth: int) -> dict[str, AttributeValue]:
    items: dict[str, AttributeValue] = {}
    word = next(tokens, "")
    while word != "}":
        key = _value(word, tokens, depth)
        if next(tokens, "") != ":":
            raise _NoLiteralError
        items[key if isinstance(key, str) else str(key)] = _value(next(tokens, ""), tokens, depth)
        word = _after_item("}", tokens)
    return items


def _after_item(closing: str, tokens: Iterator[str]) -> str:
    """The word after an item and its comma, or the closing mark."""
    word = next(tokens, "")
    if word == closing:
        return word
    if word != ",":
        raise _NoLiteralError
    return next(tokens, "")
