"""Results that an answer works out in sight, `2 nights × €80 = €160`, `half of £64 is £32`, 680元的一半，即340元.

Where the operation is written and the result is right to its last written place, the result says nothing of its own:
what it is worked out from is judged. A wrong one is a number as any other, and so is a sum that is not shown.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from typing import NamedTuple

from monitor.judges.text.tokens import normalise

SIGNS = ("×", "÷", "x")
"""Signs of operations that are read as words."""
_TEX = re.compile(r"\\(?:text|mathrm|mathbf)\{([^{}]{0,60})\}|\\[()\[\],;! ]|\*\*|__")
_TEX_SIGNS = {r"\times": "×", r"\cdot": "×", r"\div": "÷", r"\approx": "≈", r"\%": "%", r"\$": "$"}
_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,8})?"
_AMOUNT = rf"[$€£¥]?[ ]?{_NUMBER}"
_IS = (
    r"(?<![a-z])(?:i\.e\.|(?:that|which)[ ](?:is|makes)|is|are|equals?|makes?|gives?|totals?|comes[ ]to|amounts[ ]to"
    r"|works[ ]out[ ](?:at|to|as)|so)(?![a-z])|(?:后|约)?等于|也就是|就是|即|[共合总]计|[后共][为是]?|[为是得]"
)
_NEARLY = "(?:(?:a[ ]total[ ]of|about|approximately|roughly|only|just|exactly)[ ]|约|大约|仅|共)?"
_KINDS = {
    "hundredths": rf"百分之(?P<of_hundred>{_NUMBER})",
    "number": rf"(?<![0-9.,])(?P<written>{_NUMBER})(?![0-9]|[.,][0-9])(?P<unit>[ ]?(?:%|per[ ]?cent\b)|折)?",
    "share": r"\bhalf\b|一半",
    "equals": rf"[,，]?[ ]?(?:[=≈]|{_IS})(?=[ ]?{_NEARLY}[ ]?{_AMOUNT})"
    rf"|[(（](?:[=≈约即][ ]?|i\.e\.,?[ ])?(?={_AMOUNT}[^()（）0-9]{{0,16}}[)）])",
    "times": r"[×*·⋅]|\b(?:x|times|multiplied[ ]by)\b|(?<=[0-9])x(?=[0-9])|乘以?"
    rf"|(?:\bat|@)(?=[ ]{_AMOUNT})|\b(?:per|an?|each|every)[ ][a-z]{{2,12}}[ ](?:for|over)(?=[ ][0-9])"
    "|[,，]?打(?=[0-9.]{1,4}折)",
    "by": rf"÷|/(?=[ ]?{_AMOUNT})|\bdivided[ ]by\b|除以",
    "plus": r"\+|\bplus\b|加上?",
    "minus": rf"[-−–](?=[ ]?{_AMOUNT})|\b(?:minus|less)\b|减去?",
    "of": r"\bof\b|的(?=[ ]?(?:一半|百分之|[0-9.]{1,6}[ ]?[%折]))",
    "open": "[(（]",
    "close": "[)）]",
    "stop": r"[,，.。;；:：!！?？|\n]",
    "word": "[a-z'’]+|[\u4e00-\u9fff]",
}
"""What an equation is written with; other signs are none of it."""
_LEXEME = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()), re.IGNORECASE)
_WORKS = re.compile(
    r"[×*·⋅÷+−/%@折半乘除加减]|[0-9]x|[0-9€$£ ][-–] ?[$€£¥]?[0-9]|\\(?:times|cdot|div)|百分"
    r"|\b(?:half|third|quarter|fifth|tenth|x|times|multiplied|plus|minus|less|divided|at|for)\b",
    re.IGNORECASE,
)
"""Without it nothing is worked out."""
_OPERATIONS = frozenset(("times", "by", "plus", "minus"))
_FAR = 48
"""Lexemes before a sign of equality that may be of what it equals."""
_WORDS, _BETWEEN = 6, 3
"""Words behind an operand at most, its unit and what it counts, and before one or before a result."""
_HALF, _TEN = Decimal("0.5"), 10
"""And the tenths of a price, 七折, from where on they are hundredths: 85折."""


class _Lexeme(NamedTuple):
    kind: str
    text: str = ""
    value: Decimal = Decimal(0)
    place: Decimal = Decimal(1)
    """The value of the last digit that is written."""


class _Value(NamedTuple):
    """What an expression makes, and the numbers in it as they are written."""

    value: Decimal
    operands: tuple[str, ...]


class _NoExpressionError(Exception):
    pass


def calculated_in(text: str) -> frozenset[str]:
    """The results of the calculations of a text, as `normalise` writes them, without those that it also starts from."""
    if _WORKS.search(text) is None:
        return frozenset()
    for sign, plain in _TEX_SIGNS.items():
        text = text.replace(sign, plain)
    lexemes = [_lexeme(match) for match in _LEXEME.finditer(normalise(_TEX.sub(lambda m: m[1] or "", text)))]
    found: set[str] = set()
    given: set[str] = set()
    for result, made in _equations(lexemes):
        given |= set(made.operands) - found
        if result.text not in given and abs(made.value - result.value) <= result.place / 2:
            found.add(result.text)
    return frozenset(found)


def _lexeme(match: re.Match[str]) -> _Lexeme:
    kind = next(kind for kind in _KINDS if match[kind])
    if kind == "share":
        return _Lexeme(kind, value=_HALF)
    written = match["written"] or match["of_hundred"]
    if not written:
        return _Lexeme(kind, match[0])
    value, place = Decimal(written), Decimal(1).scaleb(-len(written.partition(".")[2]))
    unit = match["unit"]
    if unit == "折":
        return _Lexeme("number", written, value / (10 if value < _TEN else 100), place)
    size = 100 if unit or match["of_hundred"] else 1
    return _Lexeme("number", written, value / size, place / size)


def _equations(lexemes: Sequence[_Lexeme]) -> Iterator[tuple[_Lexeme, _Value]]:
    """Each result with the value of what is said to make it, in front of it or in brackets behind."""
    for place, lexeme in enumerate(lexemes):
        if lexeme.kind == "equals":
            result = _next_number(lexemes[place + 1 : place + 1 + _BETWEEN])
            made = result and _worked_out(lexemes[max(0, place - _FAR) : place])
        elif lexeme.kind == "open":
            result = _next_number(lexemes[max(0, place - _BETWEEN) : place][::-1])
            made = result and _in_brackets(lexemes[place + 1 : place + 1 + _FAR])
        else:
            continue
        if result and made:
            yield result, made


def _next_number(lexemes: Sequence[_Lexeme]) -> _Lexeme | None:
    """The number that comes next, behind a few words, if nothing is worked out with it at once."""
    for place, lexeme in enumerate(lexemes):
        if lexeme.kind == "number":
            return None if any(other.kind in _OPERATIONS for other in lexemes[place + 1 : place + 2]) else lexeme
        if lexeme.kind != "word":
            break
    return None


def _in_brackets(lexemes: Sequence[_Lexeme]) -> _Value | None:
    inside = list(itertools.takewhile(lambda lexeme: lexeme.kind not in {"open", "stop", "close"}, lexemes))
    if len(inside) == len(lexemes) or lexemes[len(inside)].kind != "close":
        return None
    return _Reading(inside).whole()


def _worked_out(lexemes: Sequence[_Lexeme]) -> _Value | None:
    """The value of the longest expression at the end of some lexemes."""
    start = max((at + 1 for at, lexeme in enumerate(lexemes) if lexeme.kind in {"stop", "equals"}), default=0)
    for first in range(start, len(lexemes)):
        if lexemes[first].kind in {"number", "share", "open"}:
            value = _Reading(lexemes[first:]).whole()
            if value is not None:
                return value
    return None


class _Reading:
    """Reads operands, with words behind them, and the operations between."""

    def __init__(self, lexemes: Sequence[_Lexeme]) -> None:
        self._lexemes = lexemes
        self._at = 0
        self._operands: list[str] = []
        self._operations = 0

    def whole(self) -> _Value | None:
        """The value of all that is there; None where it is no expression, or nothing is worked out."""
        self._skip(2)
        try:
            value = self._sum()
        except (InvalidOperation, DivisionByZero, _NoExpressionError):
            return None
        if self._at < len(self._lexemes) or not self._operations:
            return None
        return _Value(value, tuple(self._operands))

    def _kind(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._lexemes[at].kind if at < len(self._lexemes) else ""

    def _skip(self, most: int) -> None:
        end = self._at + most
        while self._at < end and self._kind() == "word":
            self._at += 1

    def _sum(self) -> Decimal:
        value = self._product()
        while (kind := self._kind()) in {"plus", "minus"}:
            self._operation()
            value += self._product() * (1 if kind == "plus" else -1)
        return value

    def _product(self) -> Decimal:
        value = self._operand()
        while (kind := self._kind()) in {"times", "by", "of"}:
            self._operation()
            operand = self._operand()
            if kind == "of" and min(value, operand) >= 1:
                raise _NoExpressionError
            value = value / operand if kind == "by" else value * operand
        return value

    def _operation(self) -> None:
        self._at += 1
        self._operations += 1
        self._skip(_BETWEEN)

    def _operand(self) -> Decimal:
        kind, lexeme = self._kind(), self._lexemes[self._at] if self._kind() else None
        self._at += 1
        if kind == "open":
            value = self._sum()
            if self._kind() != "close":
                raise _NoExpressionError
            self._at += 1
        elif lexeme is not None and kind in {"number", "share"}:
            value = lexeme.value
            self._operands.append(lexeme.text)
        else:
            raise _NoExpressionError
        self._skip(_WORDS)
        return value
