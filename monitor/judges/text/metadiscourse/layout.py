"""What arranges an answer and states nothing: code fences, headings, labels, heads of tables, lists of sources."""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.headings import names_a_topic
from monitor.judges.text.metadiscourse.listed import without_count
from monitor.judges.text.metadiscourse.pointers import names_sources
from monitor.judges.text.metadiscourse.references import without_references
from monitor.judges.text.sentences import LIST_MARK, RINGED, Sentence
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_run

_LAYOUT = re.compile(
    r"""(?:`{3,}|~{3,})[\w+#.-]{0,20}$                                                      # a code fence
      | [*_]{0,3}(?:[^\W\d_][\w'’&/-]{0,30}[ ]){0,3}[^\W\d_]{1,8}[a-z'’-]{0,20}[*_]{0,3}[:：][*_]{0,3}$  # a label
      | [*_]{0,3}(?:step|part|option|section|步骤)[ ]?[0-9]{1,2}[*_]{0,3}[:：][*_]{0,3}$
      | [*_]{0,3}(?:[0-9]\ufe0f?\u20e3){1,2}[*_]{0,3}$                                      # an item's mark alone
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TITLE = re.compile(
    r"[*_]{0,3}(?:(?:key|main|important|short|final|quick|brief|additional|relevant|further|related)[ ])?"
    r"(?:overview|summary|conclusions?|introduction|background|explanation|answer|points|takeaways|details|notes|information"
    r"|sources|references|steps|disclaimer|recap|findings|tips|next[ ]steps|tl[;,]?dr"
    r"|in[ ](?:short|brief|sum|summary|a[ ]nutshell)"
    r"|(?:the[ ])?(?:bottom[ ]line|short[ ](?:answer|version)|gist)|at[ ]a[ ]glance|long[ ]story[ ]short|to[ ]sum[ ]up"
    r"|简而言之|总而言之|总之|综上(?:所述)?|一句话(?:总结|概括|回答|结论|版|说明)?|长话短说|太长不看版?|省流版?|速览"
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
_IN_BOLD = re.compile(r"(?P<mark>[*_]{2,3})(?P<inside>[^*_\n]{1,80})(?P=mark)[ \t\r]*(?:$|(?=\n))")
_RUN_IN = re.compile(r"(?P<mark>[*_]{2,3})(?P<inside>[^*_\n.。]{1,40})[.。](?P=mark)")
_GOES_ON = re.compile(r"[ \t]+\S|[ \t]*[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_一二三四五六七八九十]")
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
_FOLLOWS = re.compile(r"\bfollow(?:s|ing)\b|\bbelow\b|[以如]下|下[面列]", re.IGNORECASE)
_LONGEST_INTRODUCTION = 12
"""Words of what introduces a list and states nothing of its own; of pairs of characters twice as many."""
_STOP = re.compile(r"[.。!！][*_]{0,3}$")


def is_layout(sentence: Sentence, answer: str) -> bool:
    """Whether a sentence of `answer` only arranges it: a code fence, heading, label, head of a table, list of sources.

    A heading that ends like a sentence or states something is one. The body rows of a table and the lines of code state
    something.
    """
    text = sentence.text
    label = _SOURCES.match(text)
    if label is not None and names_sources(text[label.end() :], titles=label.lastgroup is not None):
        return True
    if (
        _LAYOUT.match(text)
        or _TITLE.fullmatch(text)
        or (_HERE_IS.fullmatch(text) and _is_plain(text, answer[sentence.end :]))
    ):
        return True
    if ("|" in text and _TABLE_RULE.match(answer, sentence.end)) or _is_run_in_heading(sentence, answer):
        return True
    below = _LINE_ENDS.match(answer, sentence.end)
    if below is not None and (
        _is_bold_heading(sentence, answer, below.end()) or _introduces(text, answer, below.end())
    ):
        return True
    before = answer[max(0, sentence.start - 24) : sentence.start]
    if "#" not in before or not _HEADING_MARK.search(before):
        return False
    return _HEADING_NUMBER.fullmatch(text) is not None or (
        not ends_like_a_sentence(text) and names_a_topic(text, answer[sentence.end :], counts=True)
    )


def _is_bold_heading(sentence: Sentence, answer: str, below: int) -> bool:
    """Whether a sentence is a line of its own in bold that only names what stands below it.

    That is of another kind: of several items, or lines in bold, each one says something.
    """
    start = answer.rfind("\n", 0, sentence.start) + 1
    mark = answer[start : sentence.start]
    bold = _IN_BOLD.fullmatch(sentence.text) or _IN_BOLD.fullmatch(answer[start : sentence.end].strip())
    if bold is None or _LETTER.search(mark) or _is_alike(mark, answer, below):
        return False
    inside = bold["inside"].strip()
    return not ends_like_a_sentence(inside) and names_a_topic(inside, answer[below:])


def _is_run_in_heading(sentence: Sentence, answer: str) -> bool:
    """Whether a sentence in bold begins a paragraph or an item and only names what the rest of it says."""
    bold = _RUN_IN.fullmatch(sentence.text)
    if bold is None or not _GOES_ON.match(answer, sentence.end):
        return False
    start = answer.rfind("\n", 0, sentence.start) + 1
    behind = answer[sentence.end :].partition("\n\n")[0]
    return not _LETTER.search(answer[start : sentence.start]) and names_a_topic(bold["inside"].strip(), behind)


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
    return mark.strip().lstrip("*_(（0123456789abcdefghivx一二三四五六七八九十" + RINGED)


def _introduces(text: str, answer: str, below: int) -> bool:
    """Whether a short sentence ends in a colon above what it points at, and states no number, name or negation.

    That is a list, or anything where the sentence says that something follows.
    """
    if _INTRODUCES.search(text) is None or not _POINTS_BELOW.search(text):
        return False
    if LIST_MARK.match(answer, below) is None and not _FOLLOWS.search(text):
        return False
    text = without_references(text)
    words = tokenize(text).words
    longest = _LONGEST_INTRODUCTION * (2 if any(map(is_run, words)) else 1)
    return len(words) <= longest and _is_plain(text, answer[below:])


def _is_plain(text: str, below: str) -> bool:
    """Whether a text above another has no number, name or negation, but for how many are listed below it."""
    tokens = tokenize(without_count(text, below))
    return not (tokens.numbers or tokens.names or tokens.negated)


def source_label(text: str) -> re.Match[str] | None:
    """A label such as "Sources:" alone, which a list of sources follows; `only`: nothing else can."""
    return _LABEL.fullmatch(text)


def ends_like_a_sentence(text: str) -> bool:
    """Whether a text has a full stop or an exclamation mark at its end."""
    return _STOP.search(text) is not None
