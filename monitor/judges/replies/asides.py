"""What a reply says around its verdict: a verdict that is taken back, or contradicted in words, is none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from unicodedata import normalize

from monitor.judges.replies.doubts import supposes, takes_back
from monitor.judges.replies.strict_json import AmbiguousError
from monitor.judges.replies.summaries import agrees, counts_otherwise, shares_otherwise

_NAMES = {"score": "score|评分|分数|得分|打分", "verdict": "verdict|判定|结论|裁决", "severity": "severity|严重程度"}
_SAME = {"true": "yes", "false": "no"}
_IN_TEXTS = frozenset({"passage"})
"""Keys whose name is a word of judged texts."""
_GAP = r"""["'`*_\s]{0,8}"""
_LINK = (
    r"(?:[:=~≈]|[-=]>|[→–—-]"
    r"|(?:is|was|changed|should|would|must|ought|has|to|rather|really|actually|closer|instead|now|be|becomes|equals|of)\b"
    r"|应该|应当|应|改|为|是)"
)
_IS = rf"(?P<link>(?:{_GAP}\([^()\n]{{0,40}}\))?{_GAP}(?:{_LINK}{_GAP}){{1,5}})"
_FIGURE = r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?"
_TO = r"\s{0,4}(?:\([^()\n]{0,40}\)\s{0,4})?(?:[-–—~至到]|to\b|through\b|or\b)\s{0,4}"
_NUMBER = rf"(?P<low>(?>{_FIGURE}))(?:{_TO}(?P<high>(?>{_FIGURE})))?"
_PART = r"[a-z][a-z_-]{0,20}"
_WORD_END = r"""(?=["'`*_]{0,3}(?:,|\s{0,4}(?:[.;!?){\n]|\Z|because\b|since\b)))"""
_WORD = rf"(?P<word>{_PART}(?: {_PART}){{0,2}}){_WORD_END}"
_HAN_WORD = r"""(?P<word>[\u4e00-\u9fff]{1,8})(?=["'`*_]{0,3}(?:[,。.;!?)\s]|\Z))"""
_OVERALL = re.compile(r"(?:overall|final|summary|total|combined|总体|整体|最终|综合)\W{0,4}\Z")
_OF_ONE = re.compile(
    r"\b(?:claim|statement|sentence|part|point|fact|passage)s?\W{0,3}[0-9]|第[ ]?[0-9一二三四五六七八九十]"
    r"|\A\W{0,4}[0-9]{1,2}[.):、]|\A\s{0,4}[-*•]\s[^\n]*\w"
)
"""In front of a verdict on one of a list."""
_LINE = 200
_LIMIT = re.compile(
    r"(?:\b(?:max|maximum|highest|top|perfect|full|min|minimum|lowest|passing|possible|best|confidence|similarity) ?"
    r"|[最满][高低]?)\Z"
)
"""What stands before a score that is the end of a scale, or no verdict."""
_MEANS = re.compile(r"""["'`*_)\s]{0,4}(?:=|means?\b|indicates?\b|represents?\b|denotes?\b|would\b|表示|代表|意味)""")
_RUBRIC = re.compile(r"""["'`*_)\s]{0,4}(?:[:=]|if\b|when\b|is\b|was considered\b)""")
_OFFERS = re.compile(r"""["'`*_\s]{0,4}(?:[|/]|,\s{0,4}["'`])""")
"""What follows a number or a word that is explained, or one of several."""
_EMPTY = re.compile(r"(?:see|the|below|above|as|here|in|my|this|json|based|what|how|one|clear|final|follows)\b")
"""First words behind `verdict:` that are none."""
_WORDS = frozenset(
    {"yes", "no", "true", "false", "none", "safe", "unsafe", "controversial", "relevant", "partly", "irrelevant"}
    | {"supported", "unsupported", "not_supported", "contradicted", "not_found", "correct", "incorrect", "pass", "fail"}
    | {"answers", "misses", "answered", "unanswered"}
)
"""Words that are a verdict also in a sentence, where any word may stand."""
_GIVEN = re.compile(
    r"\bi(?:'d|'ll| would| will)? (?:rather )?(?:give|rate|score) (?:it|this|the answer)(?: with| as)?(?: an?)? "
    rf"(?P<low>{_FIGURE})"
)
_ON_ITS_LINE = re.compile(
    r"(?:\A|[\n{}])[^\w\n]{0,8}(?:score|rating|grade|mark)[^\w\n]{0,8}(?:\([^()\n]{0,20}\)[^\w\n]{0,8})?\n?[^\w\n]{0,8}"
    rf"(?<![-+])(?P<low>(?>{_FIGURE}))(?:/[0-9]{{1,3}})?[^\w\n]{{0,8}}(?:score\W{{0,4}})?(?:\n|\Z|\{{)"
)
"""A line, a tag or a row of a table that is a name of the score and a number."""
_RATED = re.compile(
    r"(?:\A|[\n.!?{}])[\W_]{0,8}(?:(?:my|the|final|overall|new|correct|actual) ){0,3}(?:rating|grade)"
    rf"{_GAP}(?:[:=]|is\b|was\b){_GAP}(?P<low>(?>{_FIGURE}))(?! ?(?:stars?\b|%|[-–~]))"
)
_POINTS = re.compile(
    r"(?:\A|[\n。！？；，,.;!?{}])\W{0,4}(?:最终|应为|应该是|应当是|应是|我给|我打)\W{0,3}"
    rf"(?P<low>(?>{_FIGURE}))\s?分(?![钟之数米期店公类别析])"
)
"""Other words for it, where a sentence begins with them: a product has a rating, too, and an exam has points."""
_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SPELLED = rf"(?P<numeral>{'|'.join(_NUMERALS)})(?=[\W_]{{0,4}}(?:[.,;!\n{{]|\Z))"
_ALONE = re.compile(
    rf"[\W_]{{0,40}}(?:(?:rather|or|final|final answer|i mean|not [\w.]{{1,20}} but|(?:it )?should be)\b[\W_]{{0,8}}"
    r"|我?[打给]|(?:其实)?(?:只有|是))?"
    rf"(?:(?P<low>{_FIGURE})(?:/[0-9]{{1,3}}| ?分)?|(?P<word>{_PART}(?: {_PART}){{0,2}}))[\W_]{{0,40}}"
)
"""All that follows a verdict, where it is another one; `correct` would be a word about the answer."""
_ABOUT = frozenset({"correct", "incorrect", "pass", "fail"})

Words = Mapping[str, Collection[float | str]]
"""What a verdict gives, by lower-case keys: numbers, and words in lower case."""


def refuse_objections(before: str, after: str, verdict: Words, parts: Collection[str] = ()) -> None:
    """Raise AmbiguousError, with a bounded word, where a reply speaks against its own verdict.

    `before` and `after` are the texts around the verdict, with `{}` for other objects. Only what follows it can take
    it back ("wait" before it is a model that thinks aloud); a number or a word that is given otherwise counts on both
    sides. The ends of a scale and a rubric are no such numbers. `parts` are the verdicts of a list: a word may be that
    of one of them, or sum them up.
    """
    if takes_back(after):
        msg = "taken_back"
        raise AmbiguousError(msg)
    if supposes(before):
        msg = "supposed"
        raise AmbiguousError(msg)
    said = normalize("NFKC", f"{before}{{}}{after}").casefold()
    alone = _ALONE.fullmatch(normalize("NFKC", after).casefold())
    is_other = any(_differs(said, alone, key, values, parts) for key, values in verdict.items())
    if is_other or counts_otherwise(said, parts):
        msg = "two_verdicts"
        raise AmbiguousError(msg)


def _differs(
    said: str, alone: re.Match[str] | None, key: str, values: Collection[float | str], parts: Collection[str]
) -> bool:
    if key in _IN_TEXTS:
        return False
    if key == "verdict" and parts:
        return _differs_from_parts(said, alone, parts)
    numbers = [value for value in values if isinstance(value, float)]
    words = [value for value in values if isinstance(value, str)]
    figures, given = [ends for ends, _ in _figures(said, key)], [word for word, _ in _words(said, key)]
    if alone is not None and key in _NAMES:
        figures += [(float(alone["low"]),) * 2] if alone["low"] else []
        given += [alone["word"]] if alone["word"] in _WORDS - _ABOUT else []
    is_other = any(not any(low <= one <= high for one in numbers) for low, high in figures)
    return (bool(numbers) and is_other) or (bool(words) and any(not _is_among(word, words) for word in given))


def _differs_from_parts(said: str, alone: re.Match[str] | None, parts: Collection[str]) -> bool:
    """Whether a word is the verdict of none of the parts, or one or a score sums them up as they are not.

    It sums them up where it is called the verdict on the whole, or is the only one; not on a line of a claim's own.
    """
    given = [(word, _whose(said, start)) for word, start in _words(said, "verdict", parts)]
    shares = (ends[0] for ends, start in _figures(said, "score") if ends[0] == ends[1] and _whose(said, start) != "one")
    if any(shares_otherwise(share, parts) for share in shares):
        return True
    nobodys = {word for word, whose in given if not whose}
    for word, whose in given:
        sums_up = whose == "all" or (not whose and len(nobodys) == 1)
        is_same = agrees(word, parts) if sums_up else any(agrees(word, (part,)) for part in parts) or None
        if not (_is_among(word, parts) if is_same is None else is_same):
            return True
    last = alone["word"] if alone is not None else None
    return last is not None and last not in _ABOUT and agrees(re.sub(r"[ _-]+", "_", last), parts) is False


def _whose(said: str, start: int) -> str:
    """Whose verdict stands at a place: `all`, `one` of a list, or nobody says."""
    line = said[max(said.rfind("\n", max(0, start - _LINE), start) + 1, start - _LINE) : start]
    return "all" if _OVERALL.search(line) else "one" if _OF_ONE.search(line) else ""


def _figures(said: str, key: str) -> Iterator[tuple[tuple[float, float], int]]:
    """The numbers that stand as a score in words, each as the ends of a range, and where."""
    for found in re.finditer(rf"{_named(key)}(?:{_IS}|(?<=分){_GAP}(?=[0-9])){_NUMBER}", said):
        if _LIMIT.search(said, max(0, found.start() - 16), found.start()) or _MEANS.match(said, found.end()):
            continue
        is_any = (found["link"] or "").strip() == "of" and said[: found.start()].endswith(("a ", "an "))
        if is_any and _RUBRIC.match(said, found.end()):
            continue
        yield (float(found["low"]), float(found["high"] or found["low"])), found.start()
    if key == "score":
        for pattern in (_GIVEN, _ON_ITS_LINE, _RATED, _POINTS):
            yield from (((float(found["low"]),) * 2, found.start()) for found in pattern.finditer(said))
        for found in re.finditer(rf"{_named(key)}{_IS}{_SPELLED}", said):
            yield (float(_NUMERALS.index(found["numeral"])),) * 2, found.start()


def _words(said: str, key: str, parts: Collection[str] = ()) -> Iterator[tuple[str, int]]:
    """The words that stand as a verdict, and where; of parts also words that sum them up, in Chinese as well."""
    for found in re.finditer(rf"{_named(key)}{_IS}{_WORD}", said):
        word = re.sub(r"[ _-]+", "_", found["word"])
        is_given = re.search(r"[:=>→]", found["link"]) is not None and not _EMPTY.match(found["word"])
        is_verdict = is_given or word in _WORDS or agrees(word, parts) is not None
        if is_verdict and not _OFFERS.match(said, found.end()):
            yield word, found.start()
    if parts:
        han = re.finditer(rf"{_named(key)}{_IS}{_HAN_WORD}", said)
        yield from ((found["word"], found.start()) for found in han if agrees(found["word"], parts) is not None)


def _is_among(word: str, words: Collection[str]) -> bool:
    """Whether it is one of them, be it with more words behind."""
    same = f"{_SAME.get(word, word)}_"
    return any(same.startswith(re.sub(r"[ _-]+", "_", _SAME.get(one, one)) + "_") for one in words)


def _named(key: str) -> str:
    return rf"(?<![a-z0-9])(?:{_NAMES.get(key) or re.escape(key)})"
