"""Whether a reply says one thing: whatever decides in any of its objects has to agree with its verdict."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from monitor.judges.replies.strict_json import AmbiguousError, Json, folded, objects_in
from monitor.judges.replies.summaries import agrees, shares_otherwise

DECIDING = frozenset({"verdict", "score", "severity", "passage"})
"""Keys inside a verdict that decide its score."""
_FREE = frozenset({"reason"})
"""Keys of a verdict that decide nothing."""
_VERDICT = frozenset({"verdict"})
_SUMMING_UP = frozenset({"verdict", "overall_verdict", "final_verdict", "reason", "explanation", "summary"})
_LONGEST_WORD = 40
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_AGAIN = r"(?:final|revised|corrected|updated|new|actual|true|real|overall|adjusted)"
_REVISED = re.compile(
    rf"{_AGAIN}[_\s-]?(?P<key>score|verdict|severity)|(?P<base>score|verdict|severity)[_\s-]?{_AGAIN}"
)

_SHARE = re.compile(
    r"(?:overall[_\s-]?)?(?:faithfulness|groundedness|completeness|correctness|accuracy|recall|support(?:ed)?(?=.))"
    r"(?:[_\s-]?(?:score|share|rate|ratio|fraction))?"
)
_COUNT = re.compile(
    r"(?:num(?:ber)?_(?:of_)?)?(?:supported|answered|given|found)(?:_(?:claims|parts))?(?:_(?:count|number))?"
)
_WHOLE = re.compile(
    r"overall|conclusion|judge?ment|label|(?:is_?|all_?)?(?:faithful|grounded|supported|complete|correct|accurate)"
    r"|faithfulness|groundedness|completeness|correctness"
)
"""Keys of a model's own beside a list: the share or the number of what stands, or a word that sums it up."""

Fact = tuple[str, float | str]
"""A key that decides, and what it says."""


class Stated:
    """What a verdict says under the keys that decide."""

    def __init__(self, verdict: Mapping[str, Json], keys: frozenset[str]) -> None:
        """Of `verdict` only what stands under `keys` counts, and under a key that decides wherever it stands."""
        self._names = frozenset(map(folded, keys - _FREE)) | DECIDING
        asked = {key: value for key, value in verdict.items() if key in keys or folded(key) in DECIDING}
        self._facts = set(_stated(asked, self._names))
        self._top = frozenset(key for key, _ in _facts_of(asked, self._names))
        is_one = "verdict" in self._names & set(map(folded, keys))
        self.parts: frozenset[str] = frozenset() if is_one else frozenset(_verdicts_in_lists(asked))
        """The verdicts of a list, each of one part, where the verdict has none of its own."""

    def refuse_rivals(self, other: Json) -> None:
        """Raise AmbiguousError where another object, however deep, decides otherwise.

        One that only sums up the verdicts of a list may say so in a word of its own.
        """
        if isinstance(other, dict) and _SUMMING_UP.issuperset(map(folded, other)) and self._is_summed_up_by(other):
            return
        self._refuse(_all_facts(other, self._names))

    def refuse_rivals_inside(self, whole: Json) -> None:
        """Raise AmbiguousError where the verdict, or a wrapper of it, says once more and otherwise what it has said.

        What it says besides, as of an evaluation that nobody asked for, is left alone.
        """
        if _sums_up_otherwise(whole, self.parts):
            _refuse_two()
        self._refuse(_repeated_facts(whole, self._names, self._top, self._top))

    def _refuse(self, rivals: Iterable[frozenset[Fact]]) -> None:
        if not all(map(self._agrees, set(rivals))):
            _refuse_two()

    def words(self) -> Mapping[str, frozenset[float | str]]:
        """The numbers and words that it gives, by their keys; lists and sentences are neither."""
        said: dict[str, set[float | str]] = {}
        for key, value in frozenset().union(*self._facts):
            if isinstance(value, float) or (len(value) <= _LONGEST_WORD and not value.startswith(("[", "{"))):
                said.setdefault(key, set()).add(value)
        return {key: frozenset(values) for key, values in said.items()}

    def _is_summed_up_by(self, other: Mapping[str, Json]) -> bool:
        return all(agrees(word, self.parts) for word in _summaries(other))

    def _agrees(self, facts: frozenset[Fact]) -> bool:
        return facts in self._facts or any(facts <= own for own in self._facts)


def _refuse_two() -> NoReturn:
    msg = "two_verdicts"
    raise AmbiguousError(msg)


def _verdicts_in_lists(verdict: Mapping[str, Json]) -> list[str]:
    items = itertools.chain.from_iterable(value for value in verdict.values() if isinstance(value, list))
    facts = itertools.chain.from_iterable(_facts_of(item, _VERDICT) for item in items if isinstance(item, dict))
    return [re.sub("[ -]+", "_", str(word)) for _, word in facts]


def _summaries(value: Mapping[str, Json]) -> Iterator[str]:
    """The words at the top of an object that sum up a list."""
    facts = [*_facts_of(value, _VERDICT), *(fact for fact in _revised_facts(value) if fact[0] in _VERDICT)]
    yield from (str(word) for _, word in facts)
    yield from (word for word in _told_under(value, _WHOLE) if isinstance(word, str))


def _shares(value: Mapping[str, Json], parts: int) -> Iterator[float]:
    """The numbers at the top of an object that say how much of its list of so many parts stands."""
    facts = [*_facts_of(value, frozenset({"score"})), *_revised_facts(value)]
    scores = [number for key, number in facts if key == "score"]
    yield from (number for number in (*scores, *_told_under(value, _SHARE)) if isinstance(number, float))
    yield from (number / parts for number in _told_under(value, _COUNT) if isinstance(number, float))


def _told_under(value: Mapping[str, Json], keys: re.Pattern[str]) -> Iterator[float | str]:
    return (_told(item) for key, item in value.items() if keys.fullmatch(folded(key)))


def _sums_up_otherwise(value: Json, parts: frozenset[str]) -> bool:
    """Whether an object, or one in it, sums up its own list, else `parts`, as they are not."""
    if not isinstance(value, dict):
        return False
    own = _verdicts_in_lists(value)
    return (
        any(agrees(word, own or parts) is False for word in _summaries(value))
        or any(shares_otherwise(share, own) for share in _shares(value, max(1, len(own))))
        or any(_sums_up_otherwise(item, parts) for item in value.values())
    )


def _stated(value: Json, names: frozenset[str], above: frozenset[str] = frozenset()) -> Iterator[frozenset[Fact]]:
    """What each object of a verdict says; not one inside an object that has said the same key already."""
    match value:
        case list():
            for item in value:
                yield from _stated(item, names)
        case dict():
            facts = _facts_of(value, names)
            own = frozenset(key for key, _ in facts)
            if facts and not own & above:
                yield facts
            for item in value.values():
                yield from _stated(item, names, above | own)
        case _:
            pass


def _all_facts(value: Json, names: frozenset[str]) -> Iterator[frozenset[Fact]]:
    """What each object in a value says, and what stands under keys such as `final_score`."""
    for one in objects_in(value):
        yield from filter(None, [_facts_of(one, names)])
        yield from (frozenset({fact}) for fact in _revised_facts(one))


def _repeated_facts(
    value: Json, names: frozenset[str], top: frozenset[str], above: frozenset[str]
) -> Iterator[frozenset[Fact]]:
    """What each object in a value says under keys that the objects around it have; in lists only those at the top."""
    match value:
        case list():
            for item in value:
                yield from _repeated_facts(item, names, top, top)
        case dict():
            facts = _facts_of(value, names)
            yield from filter(None, [frozenset(fact for fact in facts if fact[0] in above)])
            above = above.union(key for key, _ in facts)
            yield from (frozenset({fact}) for fact in _revised_facts(value) if fact[0] in above)
            for item in value.values():
                yield from _repeated_facts(item, names, top, above)
        case _:
            pass


def _revised_facts(value: Mapping[str, Json]) -> Iterator[Fact]:
    for key, item in value.items():
        revised = _REVISED.fullmatch(folded(key))
        if revised is not None:
            yield revised["key"] or revised["base"], _told(item)


def _facts_of(value: Mapping[str, Json], names: frozenset[str]) -> frozenset[Fact]:
    return frozenset((name, _told(item)) for key, item in value.items() if (name := folded(key)) in names)


def _told(value: Json) -> float | str:
    match value:
        case bool() | None:
            return json.dumps(value)
        case int() | float():
            return float(value)
        case str():
            word = folded(value)
            return float(word) if _NUMBER.fullmatch(word) else word
        case _:
            return json.dumps(value, sort_keys=True)
