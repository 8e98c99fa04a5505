"""What a reply says around its verdict: a verdict that is taken back, or contradicted in words, is none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from unicodedata import normalize

from monitor.judges.strict_json import AmbiguousError

_TAKEN_BACK = re.compile(
    r"""\b(?:wait|correction|scratch\ that|on\ second\ thoughts?)\b
    | \bon\ (?:further\ )?(?:reflection|reconsideration)\b(?!\ of\b)
    | (?:\A|[.!?\n])\W{0,8}(?:oops|hold\ on|change\ (?:it|that|this|the\ (?:score|verdict))\ to)\b
    | \A\W{0,8}(?:that|this)(?:['’]s|\ is|\ was)\ (?:wrong|incorrect|a\ mistake|an\ (?:error|example))
    | \bmy\ (?:mistake|bad)\b
    | \bactually,?\ (?:no|not|the\ (?:score|verdict))\b
    | \bI\ (?:was\ wrong|(?:have\ )?made\ (?:a\ mistake|an\ error))
    | \blet\ me\ (?:correct|revise|redo|re-?(?:consider|evaluate|assess|think|check))
    | \bno,?\ (?:that|this)(?:['’]s|\ is|\ was)\ (?:wrong|incorrect|not\ (?:right|correct))
    | \b(?:the\ above|my\ (?:verdict|score|rating|judge?ment|reply)
      |(?:the|this|that)\ (?:verdict|score|rating|json)(?:\ above|\ of\ [0-9.]{1,8})?)
      \ (?:is|was)\ (?:wrong|incorrect|void|invalid|not\ (?:right|correct)|a\ mistake)
    | (?:\A|[.!?\n,:])[\s*_"'`]{0,8}(?:please\ )?(?:disregard|ignore|forget|discard)\ (?:the|that|my|this|what)\b
    | (?:\A|[.!?\n,])[\s*_"'`]{0,8}(?:revised|corrected|updated|edit(?:ed)?|amended)
      (?:\ (?:score|verdict|reply|answer|json|version))?\s{0,8}[:=]
    | 忽略(?:以上|上述|上面|前面)|(?:评分|分数)(?:错误|有误)
    | 更正|纠正|改为|改成|不对|等等[，,]|(?:判断|评判|判定|弄|搞)错|重新(?:评估|评判|判定|打分)
    | (?:以上|上述|上面的?)(?:评分|判定)?(?:作废|无效|有误)""",
    re.IGNORECASE | re.VERBOSE,
)
_SUPPOSED = re.compile(
    r"""\b(?:for\ an?|if)\b[^.:\n{}]{0,80}\bI(?:['’]d|\ would|\ could|\ might)\b[^.:\n{}]{0,40}\Z
    | \bwrong\ to\ (?:answer|say|give|write|reply)\W{0,8}\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMES = {"score": "score|评分|分数|得分|打分", "verdict": "verdict|判定|结论|裁决", "severity": "severity|严重程度"}
_SAME = {"true": "yes", "false": "no"}
_IN_TEXTS = frozenset({"passage"})
"""Keys whose name is a word of judged texts."""
_GAP = r"""["'`*_\s]{0,8}"""
_LINK = (
    r"(?:[:=]|[-=]>|[→–—-]|(?:is|was|changed|should|would|must|has|to|rather|really|actually|instead|now|be|becomes|of)\b"
    r"|应该|应当|应|改|为|是)"
)
_IS = rf"(?P<link>(?:{_GAP}\([^()\n]{{0,40}}\))?{_GAP}(?:{_LINK}{_GAP}){{1,5}})"
_FIGURE = r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?"
_TO = r"\s{0,4}(?:\([^()\n]{0,40}\)\s{0,4})?(?:[-–—~至到]|to\b|through\b|or\b)\s{0,4}"
_NUMBER = rf"(?P<low>(?>{_FIGURE}))(?:{_TO}(?P<high>(?>{_FIGURE})))?"
_PART = r"[a-z][a-z_-]{0,20}"
_WORD_END = r"""(?=["'`*_]{0,3}(?:,|\s{0,4}(?:[.;!?){\n]|\Z|because\b|since\b)))"""
_WORD = rf"(?P<word>{_PART}(?: {_PART}){{0,2}}){_WORD_END}"
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
)
"""Words that are a verdict also in a sentence, where any word may stand."""
_GIVEN = re.compile(
    r"\bi(?:'d|'ll| would| will)? (?:rather )?(?:give|rate|score) (?:it|this|the answer)(?: with| as)?(?: an?)? "
    rf"(?P<low>{_FIGURE})"
)
_ALONE = re.compile(
    rf"[\W_]{{0,40}}(?:(?:rather|or|final|final answer|i mean|not [\w.]{{1,20}} but|(?:it )?should be)\b[\W_]{{0,8}})?"
    rf"(?:(?P<low>{_FIGURE})(?:/[0-9]{{1,3}})?|(?P<word>{_PART}(?: {_PART}){{0,2}}))[\W_]{{0,40}}"
)
"""All that follows a verdict, where it is another one; `correct` would be a word about the answer."""
_ABOUT = frozenset({"correct", "incorrect", "pass", "fail"})

Words = Mapping[str, Collection[float | str]]
"""What a verdict gives, by lower-case keys: numbers, and words in lower case."""


def refuse_objections(before: str, after: str, verdict: Words) -> None:
    """Raise AmbiguousError, with a bounded word, where a reply speaks against its own verdict.

    `before` and `after` are the texts around the verdict, with `{}` for other objects. Only what follows it can take
    it back ("wait" before it is a model that thinks aloud); a number or a word that is given otherwise counts on both
    sides. The ends of a scale and a rubric are no such numbers.
    """
    if _TAKEN_BACK.search(after):
        msg = "taken_back"
        raise AmbiguousError(msg)
    if _SUPPOSED.search(before):
        msg = "supposed"
        raise AmbiguousError(msg)
    said = normalize("NFKC", f"{before}{{}}{after}").casefold()
    alone = _ALONE.fullmatch(normalize("NFKC", after).casefold())
    if any(_differs(said, alone, key, values) for key, values in verdict.items()):
        msg = "two_verdicts"
        raise AmbiguousError(msg)


def _differs(said: str, alone: re.Match[str] | None, key: str, values: Collection[float | str]) -> bool:
    if key in _IN_TEXTS:
        return False
    numbers = [value for value in values if isinstance(value, float)]
    words = [value for value in values if isinstance(value, str)]
    figures, given = list(_figures(said, key)), list(_words(said, key))
    if alone is not None and key in _NAMES:
        figures += [(float(alone["low"]),) * 2] if alone["low"] else []
        given += [alone["word"]] if alone["word"] in _WORDS - _ABOUT else []
    is_other = any(not any(low <= one <= high for one in numbers) for low, high in figures)
    return (bool(numbers) and is_other) or (bool(words) and any(not _is_among(word, words) for word in given))


def _figures(said: str, key: str) -> Iterator[tuple[float, float]]:
    """The numbers that stand as a score in words, each as the ends of a range."""
    for found in re.finditer(rf"{_named(key)}(?:{_IS}|(?<=分){_GAP}(?=[0-9])){_NUMBER}", said):
        if _LIMIT.search(said, max(0, found.start() - 16), found.start()) or _MEANS.match(said, found.end()):
            continue
        is_any = (found["link"] or "").strip() == "of" and said[: found.start()].endswith(("a ", "an "))
        if is_any and _RUBRIC.match(said, found.end()):
            continue
        yield float(found["low"]), float(found["high"] or found["low"])
    if key == "score":
        yield from ((float(found["low"]),) * 2 for found in _GIVEN.finditer(said))


def _words(said: str, key: str) -> Iterator[str]:
    """The words that stand as a verdict."""
    for found in re.finditer(rf"{_named(key)}{_IS}{_WORD}", said):
        word = re.sub(r"[ _-]+", "_", found["word"])
        is_given = re.search(r"[:=>→]", found["link"]) is not None and not _EMPTY.match(found["word"])
        if (is_given or word in _WORDS) and not _OFFERS.match(said, found.end()):
            yield word


def _is_among(word: str, words: Collection[str]) -> bool:
    """Whether it is one of them, be it with more words behind."""
    same = f"{_SAME.get(word, word)}_"
    return any(same.startswith(re.sub(r"[ _-]+", "_", _SAME.get(one, one)) + "_") for one in words)


def _named(key: str) -> str:
    return rf"(?<![a-z0-9])(?:{_NAMES.get(key) or re.escape(key)})"
