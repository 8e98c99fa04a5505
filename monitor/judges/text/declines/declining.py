"""Answers that decline: for want of information (abstention) or on purpose (refusal), in English and Chinese."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from monitor.judges.text.claims import is_small_talk, stated_part
from monitor.judges.text.declines.abstaining import SORRY_ZH, abstention_in, denial_of_the_rest
from monitor.judges.text.declines.brought_in import denies_a_value, is_brought_in, names_put_forward, numbers_of
from monitor.judges.text.declines.declined import (
    clauses,
    names_the_declined,
    others_than_declined,
    statements_in_brackets,
    states_an_absence,
    without_connective,
)
from monitor.judges.text.declines.known import NOTHING, Words
from monitor.judges.text.metadiscourse.stating import ACTS, LIMITS
from monitor.judges.text.sentences import iter_sentences
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.traditional import simplified
from monitor.judges.text.words import is_function_word

_HEAD = 2
"""Sentences in which an answer must begin to decline."""

_LONGEST = 2000
"""Characters; an answer that only declines is short."""

_REFUSES_EN = r"""
    \b(?:sorry|apologi[sz]e|afraid)\b[^.!?]{0,40}\b(?:i[ ]|i'm[ ])(?:am[ ])?
      (?:can(?:no|')t|can[ ]not|won't|unable|not[ ](?:able|comfortable|allowed)|do[ ]not|don't|must[ ]decline)
  | \bi[ ](?:simply[ ]|just[ ]|really[ ])?(?:can(?:no|')t|can[ ]not|could(?:n't|[ ]not)[ ]possibly|won't|will[ ]not)[ ]
      (?:be[ ]able[ ]to[ ]|ever[ ]|in[ ]good[ ]conscience[ ]|and[ ]will[ ]not[ ])?
      (?:help|assist|provide|support|comply|fulfil+|satisfy|do[ ]that|answer|offer|give|engage|encourage|condone
        |promote|discuss|create|generate|write|share|recommend|endorse|participate|accept|explain|tell|suggest|respond
        |advise|teach|facilitate|continue)\b
  | \bwe[ ](?:can(?:no|')t|can[ ]not|won't)[ ](?:help|assist|answer|comply|discuss)\b
  | \b(?:i'm|i[ ]am)[ ](?:not[ ](?:able|allowed|permitted|programmed|capable|comfortable)|unable)[ ](?:to|with|of)\b
  | \bi[ ](?:must|have[ ]to)[ ](?:(?:respectfully|politely)[ ])?(?:decline|refuse)\b
  | \bagainst[ ]my[ ](?:programming|guidelines|policy|policies|principles)\b
  | \b(?:it[ ](?:is|would[ ]be)|it's|this[ ]is)[ ]
      (?:not[ ](?:appropriate|ethical|acceptable|right)|inappropriate|unethical)(?:[ ](?:or|and)[ ][a-z]+)?[ ]
      (?:for[ ]me[ ])?to[ ](?:help|assist|provide|support|discuss|encourage|promote|share)\b
  | \bmy[ ](?:purpose|goal|programming)[ ][^.]{0,60}\b(?:not|cannot|prevents?|prohibits?)\b
"""
_SUBJECT_ZH = "(?:我|这个?问题|这一?点|目前|暂时|本助手|小助手|作为[^，。]{0,16}[，,]我)"
_REFUSES_ZH = rf"""
    {SORRY_ZH}[，,！!]?(?:但是?|不过)?{_SUBJECT_ZH}{{0,3}}(?:不能|无法|不可以|不便|没有?办法|帮不了|恕)[^。！？，]{{0,8}}
      (?:提供|协助|帮|回答|满足|告诉|透露|讨论|参与|生成|执行|给出|答应|支持|处理)
  | (?:我|本助手|小助手)(?:不能|无法|不会|不可以|不便|拒绝|恕不能)[^。！？，]{{0,12}}
      (?:提供|协助|帮|回答|支持|满足|告诉|透露|讨论|参与|生成|执行|给出|答应)
  | ^(?:无法|不能|恕)(?:为您|给您|向您|帮您)?(?:回答|透露|协助)(?:这|该|此|相关|您)
  | 恕(?:我)?(?:不能|难|无法)
  | (?:这|此)(?:类|种|个)?(?:问题|请求|要求)[^。！？]{{0,6}}(?:无法|不能|不便)(?:回答|协助|帮助|满足|处理)
"""
_FLAGS = re.VERBOSE | re.IGNORECASE
_REFUSES = re.compile(f"{_REFUSES_EN} | {_REFUSES_ZH}", _FLAGS)
_REFERRAL = re.compile(
    r"""(?:please|you[ ](?:may|can|could|should|might)|i[ ](?:suggest|recommend)|we[ ]recommend|try)\b[^.!?]{0,30}
          \b(?:contact|check|consult|visit|ask|reach|refer|rephras|provide|call|see|look|search|clarif|speak|share)
      | (?:请|建议|可以|推荐|欢迎)[^。！？]{0,16}
          (?:联系|咨询|拨打|查看|查阅|访问|询问|提供|补充|重新|换|关注|参考|致电|前往)
    """,
    _FLAGS,
)
_APOLOGY = re.compile(
    rf"^(?:i(?:'m|[ ]am)[ ](?:so[ ]|very[ ])?(?:sorry|afraid)|sorry|unfortunately|(?:my[ ])?apologies|{SORRY_ZH})",
    _FLAGS,
)
_LABEL = re.compile(r"(?P<subject>[^:：|–—.!?。！？]{1,40}?)[*_]{0,3}(?:[ ]?[:：|]|[ ][–—-](?=[ ]))[*_]{0,3}[ ]?(?=\S)")
"""What is asked for in front of `not specified`."""
_UNKNOWN = re.compile(
    r"(?:unknown|unclear|undisclosed|not[ ](?:known|clear|found)|cannot[ ]be[ ](?:determined|said|told)"
    r"|不详|不明|未知|不得而知)\W*",
    re.IGNORECASE,
)
"""What says so of the world as well as of the text, where nothing else stands behind a label."""
_LONGEST_LABELLED = 120
"""Characters of a decline behind a label."""
_OPENING, _CLOSING = ("(", "（"), (")", "）")
_LISTED = re.compile(r"[;；]\s*")
_TURN = re.compile(
    r"(?:[,，;；]\s*+|(?<!\s)\s++|)"
    r"(?:\b(?:but|however|although|though|that said|nevertheless|instead)\b|但(?:是)?|不过|然而|可是)"
    r"[,，]?\s*",
    re.IGNORECASE,
)


_SIGNS = (
    *(
        "cannot",
        "can not",
        "do not",
        "not ",
        "n't",
        "no ",
        " any ",
        "unable",
        "insufficient",
        "answerable",
        *(
            "unknown",
            "unclear",
            "unspecified",
            "impossible",
            "unrelated",
            "irrelevant",
            "silent",
            "undisclosed",
            "none ",
            "neither",
            "nothing",
            "nowhere",
            "never",
        ),
        *(" leave", " lack", " fail"),
    ),
    *(
        "n/a",
        "decline",
        "refuse",
        "against my",
        "my purpose",
        "my goal",
        "my programming",
        "inappropriate",
        "unethical",
    ),
    *"没未无不恕拒难",
)
"""What every text that declines holds one of, in lower case. Most texts hold none, and to see that takes 2 us."""
_LOOKALIKES = str.maketrans("İıſK", "iisk")
"""Letters that a pattern that ignores case takes for others."""


class _Said(NamedTuple):
    """What a sentence states, and whether that is a decline."""

    plain: str
    declines: bool


def refuses(text: str) -> bool:
    """Whether a sentence refuses."""
    plain = _plain(text)
    return _may_decline(plain) and _REFUSES.search(plain) is not None


def declines_only(answer: str, known: Words | None = None, passages: Words = NOTHING) -> bool:
    """Whether an answer declines, for want of information or on purpose, and states nothing else.

    An answer that declines one thing and states another is not such an answer: what it states can be judged. `known`
    are those of the texts that its numbers and names may be of, the question and the passages: one that brings in its
    own ("I don't know whether it is 500 or 600") is no such answer. Where they are not known (None), only a statement
    with a number in it that the evidence is said not to make is looked for. What `passages` hold is not unknown.
    """
    if len(answer) > _LONGEST or not ("<" in answer or _may_decline(_on_one_line(simplified(answer)))):
        return False
    sentences = _said_in(answer)
    head = list(itertools.islice(sentences, _HEAD))
    if not any(one.declines for one in head):
        return False
    told: list[str] = []
    lists = False
    for plain, declines in itertools.chain(head, sentences):
        lists = plain.endswith((":", "：")) if declines else lists and names_the_declined(plain)
        if not (declines or lists or _REFERRAL.search(plain)):
            return False
        told.append(plain)
    return not (_brings_in(told, known) or any(_is_told(label, passages) for label in _labels_of(told)))


def _brings_in(sentences: Sequence[str], known: Words | None) -> bool:
    if known is None:
        return any(map(denies_a_value, sentences))
    if any(_puts_forward(label["subject"], known) for label in _labels_of(sentences)):
        return True
    numbers = frozenset().union(*(numbers_of(one, refers=_REFERRAL.search(one) is not None) for one in sentences))
    names = names_put_forward(clause for one in sentences for clause in clauses(one) if not _REFERRAL.search(clause))
    return is_brought_in(numbers, names, known)


def _may_decline(plain: str) -> bool:
    lower = (plain if plain.isascii() else plain.translate(_LOOKALIKES)).lower()
    return any(sign in lower for sign in _SIGNS)


def _said_in(answer: str) -> Iterator[_Said]:
    """Its sentences but small talk, each read once."""
    for sentence in iter_sentences(answer):
        plain = _plain(sentence.text)
        declines = _declines(plain)
        if declines or not is_small_talk(sentence.text):
            yield _Said(plain, declines)


def _declines(whole: str) -> bool:
    """Whether a sentence, or what stands behind its label, declines and does not turn to a statement after it."""
    if not _may_decline(whole):
        return False
    if _declines_in(whole):
        return True
    return len(whole) <= _LONGEST_LABELLED and all(map(_declines_behind_a_label, _LISTED.split(whole)))


def _declines_behind_a_label(part: str) -> bool:
    label = _LABEL.match(part)
    if label is None or not _names_only(label["subject"]):
        return False
    return _declines_in(part[label.end() :].strip("*_()（） "))


def _names_only(label: str) -> bool:
    """Whether a label states nothing: no verb, and nothing in brackets."""
    if not names_the_declined(label) or any(mark in label for mark in (*_OPENING, *_CLOSING)):
        return False
    return ACTS.isdisjoint(tokenize(label).words)


def _labels_of(sentences: Sequence[str]) -> list[re.Match[str]]:
    return [label for one in sentences for part in _LISTED.split(one) if (label := _LABEL.match(part)) is not None]


def _is_told(label: re.Match[str], passages: Words) -> bool:
    """Whether the passages hold what stands in front of `unknown`: its side effects may be said to be that."""
    if not passages or _UNKNOWN.fullmatch(label.string, label.end()) is None:
        return False
    return passages.all.issuperset(_content(label["subject"]))


def _puts_forward(label: str, known: Words) -> bool:
    """Whether a label goes far or names somebody, and nobody asked for that: `The killer Bob Miller`, `Free pass`."""
    names = not label.istitle() and tokenize(label).names
    if not names and LIMITS.search(label) is None:
        return False
    return not known.all.issuperset(_content(label))


def _content(label: str) -> frozenset[str]:
    return frozenset(word for word in tokenize(label).words if not is_function_word(word))


def _declines_in(whole: str) -> bool:
    if states_an_absence(whole):
        return False
    rest = denial_of_the_rest(whole)
    if rest is not None and _TURN.search(whole, rest.end()) is None:
        return _only_declines(rest)
    parts = [part for part in _TURN.split(whole) if part.strip(" ,，.。!！")]
    found = list(map(_decline_in, parts))
    if not any(found):
        one = _decline_in(whole)
        return one is not None and _only_declines(one) and all(map(_excuse, parts[1:]))
    return all(_only_declines(one) if one else _excuse(part) for part, one in zip(parts, found, strict=True))


def _decline_in(part: str) -> re.Match[str] | None:
    return abstention_in(part) or _REFUSES.search(part)


def _only_declines(decline: re.Match[str]) -> bool:
    """Whether the clauses around a decline state nothing."""
    text = decline.string
    before, (named, *behind) = clauses(text[: decline.start()])[:-1], clauses(text[decline.end() :])
    if not all(_excuse(clause) or names_the_declined(clause) for clause in before):
        return False
    beside = [*others_than_declined(named, behind), *statements_in_brackets(text)]
    return all(map(_declines_too, beside))


def _declines_too(clause: str) -> bool:
    plain = without_connective(clause)
    return _excuse(plain) or _decline_in(plain) is not None


def _excuse(part: str) -> bool:
    """Whether a clause only apologises, refers elsewhere or offers help."""
    return bool(_APOLOGY.search(part) or _REFERRAL.search(part) or is_small_talk(part))


def _plain(text: str) -> str:
    """What a sentence states, with straight apostrophes and simplified characters, on one line, without brackets."""
    plain = _on_one_line(stated_part(simplified(text))).strip("*_| ")
    return plain[1:-1] if plain[:1] in _OPENING and plain[-1:] in _CLOSING else plain


def _on_one_line(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("**", "").split())
