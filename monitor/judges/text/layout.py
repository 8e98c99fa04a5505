"""What arranges an answer and states nothing: code fences, headings, labels, heads of tables, lists of sources."""

from __future__ import annotations

import re

from monitor.judges.text.pointers import names_sources
from monitor.judges.text.sentences import LIST_MARK, Sentence
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_function_word, is_run

_LAYOUT = re.compile(
    r"""(?:`{3,}|~{3,})[\w+#.-]{0,20}$                                                      # a code fence
      | [*_]{0,3}(?:[^\W\d_][\w'’&/-]{0,30}[ ]){0,3}[^\W\d_]{1,8}[a-z'’-]{0,20}[*_]{0,3}[:：][*_]{0,3}$  # a label
      | [*_]{0,3}(?:step|part|option|section|步骤)[ ]?[0-9]{1,2}[*_]{0,3}[:：][*_]{0,3}$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TITLE = re.compile(
    r"[*_]{0,3}(?:(?:key|main|important|short|final|quick|brief|additional|relevant|further|related)[ ])?"
    r"(?:overview|summary|conclusions?|introduction|background|explanation|answer|points|takeaways|details|notes|information"
    r"|sources|references|steps|disclaimer|recap|findings|tips|next[ ]steps"
    r"|(?:详细|简要|主要|核心|参考|具体|温馨|操作)?(?:总结|小结|概述|概览|结论|要点|重点|说明|解答|回答|答案|资料|来源|背景|简介|步骤|提示|信息))"
    r"[*_]{0,3}",
    re.IGNORECASE,
)
"""Words that only ever stand above what is stated."""
_LABEL = re.compile(
    r"[*_]{0,3}(?:sources?|来源|(?P<only>references?|出处|参考(?:资料|文献|来源)?))[*_]{0,3}[:：][*_]{0,3}",
    re.IGNORECASE,
)
"""Labels of sources; what stands below `only` is never the answer, as a source of energy may be."""
_SOURCES = re.compile(rf"{_LABEL.pattern}|(?P<footnote>\[\^[\w-]{{1,16}}\]:)", re.IGNORECASE)
_HEADING_MARK = re.compile(r"(?:^|[\n\r])[ ]{0,3}#{1,6}[ \t][^\n\r]{0,12}\Z")
_TABLE_RULE = re.compile(r"[ \t|]{0,8}\r?\n[ \t]{0,8}\|?[ \t]{0,8}:?--[-:| \t]{0,400}(?:[\r\n]|$)")
_HEADING_NUMBER = re.compile(r"[0-9.]{1,8}")
_ASKS = re.compile(r"(?:what|why|how|when|where|which|who)\b", re.IGNORECASE)
_ASSERTS = re.compile(
    rf"(?!{_ASKS.pattern}).{{2,80}}?"
    r"(?:\b(?:is|are|was|were|has|have|costs?|lasts?|takes?|opens?|closes?|pays?|holds?|offers?|includes?)\b|[为是需有达])"
    r".{0,40}?[0-9]",
    re.IGNORECASE,
)
"""A heading with a verb and a number behind it states something."""
_IN_BOLD = re.compile(r"(?P<mark>[*_]{2,3})(?P<inside>[^*_\n]{1,60})(?P=mark)[ \t\r]*(?:$|(?=\n))")
_LONGEST_HEADING, _LONGEST_RUN = 3, 10
"""Words that carry content, and characters in scripts without blanks, of a line in bold that may be a heading."""
_LETTER = re.compile(r"[^\W\d_一二三四五六七八九十]")
_NUMBERED = re.compile(
    rf"(?:{LIST_MARK.pattern}|(?:step|part|option|section|phase|步骤)[ ]?[0-9]{{1,2}}(?:[.:：、–-]|$)"
    r"|第[一二三四五六七八九十0-9]{1,2}[步章节](?:[.:：、–-]|$)|)\s*",
    re.IGNORECASE,
)
"""What numbers a heading."""
_STATES = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|will|would|should|shall|need|needs)\b"
    r"|[是无]|为(?![什何])|[有没](?!关)|不|可以|[可应必]须?(?!知)|会(?!议)|需(?!要注意|知)|将",
    re.IGNORECASE,
)
"""What makes a statement of a line that could be a heading."""
_HERE_IS = re.compile(
    r"(?:[a-z ]{1,16}[,!.][ ])?(?:based on [^,:\n]{0,60}, )?"
    r"here(?:['’]s|[ ](?:is|are))[ ][^.!?;:\n]{1,200}[:：][*_]{0,3}",
    re.IGNORECASE,
)
"""What says that an answer or a list follows, be it in the same line."""
_LINE_ENDS = re.compile(r"[ \t]*(?:\r?\n)\s*(?=\S)")
_INTRODUCES = re.compile(r"[:：][*_]{0,3}$")
_POINTS_BELOW = re.compile(
    r"\b(?:here(?:['’]s|[ ](?:is|are))|below|follow(?:s|ing)|(?:these|several|few|various|main|key)\b.{1,40}s)\b"
    r"|^whether\b|^(?:to|if|when)(?:[ ][^\s,]{1,30}){1,5}$"
    r"|[以如]下|下[面列]|[这几][个些点种项类样方]|主要|具体|包括",
    re.IGNORECASE,
)
"""What says that something is listed below, or only when or what for."""
_LONGEST_INTRODUCTION = 12
"""Words of what introduces a list and states nothing of its own."""
_STOP = re.compile(r"[.。!！][*_]{0,3}$")


def is_layout(sentence: Sentence, answer: str) -> bool:
    """Whether a sentence of `answer` only arranges it: a code fence, heading, label, head of a table, list of sources.

    A heading that ends like a sentence is one, and so is one with a verb and a number. The body rows of a table and the
    lines of code state something.
    """
    text = sentence.text
    label = _SOURCES.match(text)
    if label is not None and names_sources(text[label.end() :], titles=label.lastgroup is not None):
        return True
    if _LAYOUT.match(text) or _TITLE.fullmatch(text) or (_HERE_IS.fullmatch(text) and _is_plain(text)):
        return True
    if "|" in text and _TABLE_RULE.match(answer, sentence.end):
        return True
    below = _LINE_ENDS.match(answer, sentence.end)
    if below is not None and (
        _is_bold_heading(sentence, answer, below.end()) or _introduces(text, answer, below.end())
    ):
        return True
    before = answer[max(0, sentence.start - 24) : sentence.start]
    if "#" not in before or not _HEADING_MARK.search(before):
        return False
    return _HEADING_NUMBER.fullmatch(text) is not None or not (ends_like_a_sentence(text) or _ASSERTS.match(text))


def _is_bold_heading(sentence: Sentence, answer: str, below: int) -> bool:
    """Whether a sentence is a short line of its own in bold without a number, a verb of statements or a stop.

    What stands below it is of another kind: of several items, or lines in bold, each one says something.
    """
    start = answer.rfind("\n", 0, sentence.start) + 1
    mark = answer[start : sentence.start]
    bold = _IN_BOLD.fullmatch(sentence.text) or _IN_BOLD.fullmatch(answer[start : sentence.end].strip())
    if bold is None or _LETTER.search(mark) or _is_alike(mark, answer, below):
        return False
    inside = bold["inside"].strip()
    tokens = tokenize(_NUMBERED.sub("", inside, count=1))
    if (_STATES.search(inside) and not _ASKS.match(inside)) or ends_like_a_sentence(inside) or tokens.numbers:
        return False
    runs = sum(map(is_run, tokens.words))
    content = sum(not is_function_word(word) for word in tokens.words)
    return len(inside) <= _LONGEST_RUN if runs else content <= _LONGEST_HEADING


def _is_alike(mark: str, answer: str, below: int) -> bool:
    """Whether the line at `below` is in bold alone as well, or an item of the list that `mark` begins an item of."""
    start = answer.rfind("\n", 0, below) + 1
    listed = LIST_MARK.match(answer, below)
    if _IN_BOLD.match(answer, listed.end() if listed else below):
        return True
    own = mark.strip()
    if not own or own[0] in "#*_" or listed is None:
        return False
    return _kind_of(own) == _kind_of(listed[0]) and below - start <= len(mark) - len(mark.lstrip())


def _kind_of(mark: str) -> str:
    """The list mark without its number."""
    return mark.strip().lstrip("*_(（0123456789一二三四五六七八九十")


def _introduces(text: str, answer: str, below: int) -> bool:
    """Whether a short sentence ends in a colon above the list it points at, and states no number, name or negation."""
    if _INTRODUCES.search(text) is None or LIST_MARK.match(answer, below) is None or not _POINTS_BELOW.search(text):
        return False
    return len(tokenize(text).words) <= _LONGEST_INTRODUCTION and _is_plain(text)


def _is_plain(text: str) -> bool:
    """Whether a text has no number, name or negation."""
    tokens = tokenize(text)
    return not (tokens.numbers or tokens.names or tokens.negated)


def source_label(text: str) -> re.Match[str] | None:
    """A label such as "Sources:" alone, which a list of sources follows; `only`: nothing else can."""
    return _LABEL.fullmatch(text)


def ends_like_a_sentence(text: str) -> bool:
    """Whether a text has a full stop or an exclamation mark at its end."""
    return _STOP.search(text) is not None
