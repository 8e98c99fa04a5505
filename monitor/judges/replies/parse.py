"""The text of a judge's reply to the one JSON object that is its verdict.

Strict JSON comes first. Only when that fails is the text searched and repaired, and then the result says so. What is
never done: take a verdict out of a thought, out of an echo of the judged text, out of a fragment, or one of two.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from monitor.errors import JudgeRejected
from monitor.judges.reasons import Reason
from monitor.judges.replies.asides import refuse_objections
from monitor.judges.replies.echoes import Echoes, squeezed_of
from monitor.judges.replies.repair import Guesser, narrowed, narrowed_braces, repair_syntax
from monitor.judges.replies.rivals import DECIDING, Stated
from monitor.judges.replies.strict_json import (
    TOKEN,
    AmbiguousError,
    BadNumberError,
    Json,
    refuse_twins,
    strict_json,
    strict_object,
)
from monitor.judges.replies.thoughts import is_aside, last_end, spoken

PARSER = 9
"""Version of the rules by which replies are read, from here to the quotations of claims and to claims left out. Part of
every LLM judge's fingerprint: raise it when a reply may read differently."""

MAX_OBJECTS = 16
MAX_WRAPPERS = 3

_WRAPPERS = frozenset(
    {"result", "results", "output", "response", "reply", "evaluation", "judgement", "judgment", "final", "final_answer"}
    | {"arguments", "parameters", "function", "properties", "json", "json_object", "data"}
    | {"evaluations", "verdicts"}
)
"""Names under which models put a whole reply, beside its own; no verdict consists of one key of such a name."""
_LABELS = frozenset({"id", "name"})
"""What may stand beside it, as in a function call that is written out: `{"name": ..., "arguments": {...}}`."""
_JOINED = re.compile(r"[ -]+")
_WRAPPED = re.compile(r'\{"([\w.]{1,64})":(.*)\}', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A verdict object, and whether the text had to be repaired or searched to get it."""

    value: Mapping[str, Json]
    repaired: bool


@dataclass(frozen=True, slots=True)
class _Object:
    """An object of a reply: where it stands, all that it says, and what is in its wrapper; nothing for an echo."""

    start: int
    end: int
    whole: dict[str, Json] | None
    value: dict[str, Json]


def parse_verdict(
    text: str, keys: frozenset[str], judged: Sequence[str] = (), *, some: bool = False, name: str = ""
) -> Parsed:
    """The one object in `text` that has all `keys`, or with `some` at least one of them.

    It may stand alone under its `name`, or another one that models put a reply under.
    `judged` are the texts that the judge was shown, the prompt's own data block among them: an object that stands in
    one of them is an echo and never a verdict. Raises JudgeRejected: `parse` for no object, a fragment, duplicate keys,
    two different verdicts or one that is taken back; `invalid_score` for a number that JSON does not have.
    """
    echoes, wrappers = Echoes(judged), _WRAPPERS | ({name.lower()} - {""})

    def is_wanted(value: Mapping[str, Json]) -> bool:
        return not keys.isdisjoint(value) if some else keys <= value.keys()

    try:
        said = spoken(text)
        for candidate in (text, said):
            whole = strict_object(candidate)
            if (
                whole is not None
                and is_wanted(whole)
                and not (echoes.hold(whole) or _is_echo(candidate, echoes, wrappers))
            ):
                refuse_twins(whole, keys | DECIDING)
                Stated(whole, keys).refuse_rivals_inside(whole)
                return Parsed(whole, repaired=False)
        _refuse_cut_object(text)
        said = _unwrapped_text(said)
        objects = list(_read(said, echoes, wrappers))
        found = _only_one([one for one in objects if one.whole is not None and is_wanted(one.value)])
        refuse_twins(found.value, keys | DECIDING)
        stated = Stated(found.value, keys)
        for one in objects:
            if one.value == found.value:
                stated.refuse_rivals_inside(one.whole)
            else:
                stated.refuse_rivals(one.whole)
        _refuse_asides(_without(said, objects, 0, found.start), _without(said, objects, found.end, len(said)), stated)
        return Parsed(found.value, repaired=True)
    except BadNumberError:
        raise JudgeRejected(Reason.INVALID_SCORE) from None
    except AmbiguousError as error:
        _reject(str(error))


def is_object(text: str) -> bool:
    """Whether a reply is one JSON object and nothing else, thoughts aside."""
    try:
        return any(strict_object(candidate) is not None for candidate in (text, spoken(text)))
    except ValueError:
        return False


def holds_object(text: str) -> bool:
    """Whether an object can be read in a reply, be it by repair; one that says two things at once is there as well."""
    try:
        said = _unwrapped_text(spoken(text))
        guesser, places = Guesser(), itertools.islice(_objects(said), MAX_OBJECTS)
        return any(_lenient(said[start:end], guesser) is not None for start, end in places)
    except ValueError:
        return True
    except JudgeRejected:
        return False


def choice(value: Json, options: Mapping[str, float]) -> tuple[str, float]:
    """The option that `value` names, and its score. Case and surrounding blanks do not count, nor how words are joined.

    Raises JudgeRejected (`parse`) for anything else: a word that was not offered is no verdict.
    """
    word = str(value).lower() if isinstance(value, bool) else value
    found = word.strip().lower() if isinstance(word, str) else ""
    if found not in options:
        found = _JOINED.sub("_", found)  # "not found" is the offered `not_found`
    if found not in options:
        _reject("verdict")
    return found, options[found]


def is_echo(part: Json, judged: Sequence[str]) -> bool:
    """Whether a part of a reply stands, as JSON, in one of the texts that the judge was shown."""
    echoes = Echoes(judged)
    if isinstance(part, dict) and echoes.hold(part):
        return True
    return any(_is_echo(json.dumps(part, ensure_ascii=ascii_only), echoes, _WRAPPERS) for ascii_only in (False, True))


def _reject(detail: str) -> NoReturn:
    raise JudgeRejected(Reason.PARSE, detail)


def _read(text: str, echoes: Echoes, wrappers: frozenset[str]) -> Iterator[_Object]:
    """The objects of a text that can be read; what stands in braces and cannot is text."""
    guesser = Guesser()
    for count, (start, end) in enumerate(_objects(text)):
        if count == MAX_OBJECTS:
            msg = "too_many_objects"
            raise AmbiguousError(msg)
        piece = text[start:end]
        is_shown = _is_echo(piece, echoes, wrappers)
        whole = None if is_shown else _lenient(piece, guesser)
        value = {} if whole is None else _unwrapped(whole, wrappers)
        if is_shown or (value and echoes.hold(value)):
            yield _Object(start, end, None, {})
        elif whole is not None:
            yield _Object(start, end, whole, value)


def _only_one(verdicts: Sequence[_Object]) -> _Object:
    """The last of several verdicts that are all the same."""
    if not verdicts:
        _reject("no_verdict")
    if any(other.value != verdicts[0].value for other in verdicts):
        _reject("two_verdicts")
    return verdicts[-1]


def _without(text: str, objects: Sequence[_Object], start: int, end: int) -> str:
    """A part of a text without the objects in it."""
    kept = []
    for one in objects:
        if start <= one.start and one.end <= end:
            kept.append(text[start : one.start])
            start = one.end
    return "{}".join([*kept, text[start:end]])


def _refuse_asides(before: str, after: str, stated: Stated) -> None:
    if is_aside(before, after):
        msg = "unclear_thought"
        raise AmbiguousError(msg)
    refuse_objections(before, after, stated.words(), stated.parts)


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Where the outermost `{...}` of a text stand, with all brackets closed; one that stays open is an error."""
    position = 0
    while (start := text.find("{", position)) >= 0:
        end = _closing(text, start)
        if end is None:
            _reject("fragment")
        yield start, end
        position = end


def _refuse_cut_object(text: str) -> None:
    """Raise AmbiguousError where an object goes on over the last end of a thought, which stands in a text of it then.

    What follows that end is no reply: mostly it is what the judged text says.
    """
    thought, position = last_end(text), 0
    while 0 <= (start := text.find("{", position)) < thought:
        end = _closing(text, start)
        if end is None:
            return
        if end > thought:
            msg = "unclear_thought"
            raise AmbiguousError(msg)
        position = end


def _closing(text: str, start: int) -> int | None:
    """The end of the object that begins at `start`, or None when its brackets do not close in order."""
    open_brackets: list[str] = []
    for token in TOKEN.finditer(text, start):
        match token[0]:
            case "{" | "[":
                open_brackets.append(token[0])
            case "}" | "]":
                if not open_brackets or open_brackets.pop() + token[0] not in ("{}", "[]"):
                    return None
                if not open_brackets:
                    return token.end()
            case _:
                pass
    return None


def _lenient(piece: str, guesser: Guesser) -> dict[str, Json] | None:
    repaired = repair_syntax(piece)
    for text in (piece, repaired, narrowed(repaired)):
        value = strict_object(text)
        if value is not None:
            return value
    return guesser.guess_object(repaired)


def _unwrapped(value: dict[str, Json], wrappers: frozenset[str]) -> dict[str, Json]:
    """The object inside a wrapper such as `{"result": {...}}`, also where it stands there as a text."""
    for _ in range(MAX_WRAPPERS):
        labels = {"type"} if value.get("type") == "function" else set()
        inside = {key: inner for key, inner in value.items() if key not in labels | _LABELS}
        key, inner = next(iter(inside.items()), ("", None))
        if len(inside) > 1 or key.lower() not in wrappers:
            break
        found = strict_object(inner) if isinstance(inner, str) else inner
        if not isinstance(found, dict):
            break
        value = found
    return value


def _unwrapped_text(text: str) -> str:
    """The text inside, where a reply is one JSON string; with straight braces, where it has no other ones."""
    try:
        value = strict_json(text.strip())
    except ValueError:
        value = None
    inside = spoken(value) if isinstance(value, str) else text
    return inside if "{" in inside else narrowed_braces(inside)


def _is_echo(piece: str, echoes: Echoes, wrappers: frozenset[str]) -> bool:
    """Whether the piece stands in one of the texts, as it is or in wrappers of the model's own."""
    squeezed = squeezed_of(piece)
    for _ in range(MAX_WRAPPERS + 1):
        if echoes.hold_text(squeezed):
            return True
        wrapped = _WRAPPED.fullmatch(squeezed)
        if wrapped is None or wrapped[1].lower() not in wrappers:
            return False
        squeezed = wrapped[2]
    return False
