"""Answers that decline: for want of information (abstention) or on purpose (refusal), in English and Chinese."""

from __future__ import annotations

import itertools
import re

from monitor.judges.text.claims import is_small_talk, stated_part
from monitor.judges.text.declined import (
    clauses,
    names_the_declined,
    others_than_declined,
    states_an_absence,
    without_connective,
)
from monitor.judges.text.sentences import Sentence, iter_sentences

_HEAD = 2
"""Sentences in which an answer must begin to decline."""

_LONGEST = 2000
"""Characters; an answer that only declines is short."""

_EVIDENCE = (
    r"(?:context|passages?|documents?|documentation|information|texts?|sources?|excerpts?|search results|knowledge base"
    r"|materials?|data)"
)
_ABSTAINS_EN = rf"""
    \b(?:i|we)(?:[ ]|'m[ ]|'re[ ])(?:am[ ]|are[ ]|was[ ]|were[ ])?(?:sorry,?[ ](?:but[ ])?(?:i|we)[ ])?
      (?:really[ ]|currently[ ]|simply[ ]|still[ ])?
      (?:can(?:no|')t|could(?:n't|[ ]not)|can[ ]not|did(?:n't|[ ]not)|(?:not[ ]able|unable)[ ]to|wasn't[ ]able[ ]to
        |haven't|have[ ]not)[ ](?:been[ ]able[ ]to[ ])?
      (?:find|found|locate|located|answer|determine|tell[ ]you|say[ ]for[ ](?:sure|certain)|see[ ]any|confirm|verify)\b
  | \b(?:i|we)[ ](?:do(?:n't|[ ]not))[ ](?:actually[ ]|really[ ]|currently[ ])?
      (?:know\b|have[ ](?:any[ ]|enough[ ]|sufficient[ ]|specific[ ]|the[ ]|that[ ]|access[ ]to[ ])*
      (?:information|details?|data|answers?|knowledge|context|record|records|it\b))
  | \b(?:i'm|i[ ]am|we're|we[ ]are)[ ]not[ ](?:sure|certain|aware)\b
  | \b(?:the|this|these|your|my)[ ](?:[a-z]+[ ]){{0,2}}{_EVIDENCE}(?:[ ](?:provided|given|available|above|i[ ]have))*[ ]
      (?:do(?:es)?(?:n't|[ ]not)|did(?:n't|[ ]not))[ ](?:[a-z]+[ ])?
      (?:contain|mention|include|provide|specify|say|state|have|cover|discuss|address|give|answer|offer|explain|describe)\b
  | \bthere(?:[ ]is|'s|[ ]was|[ ]isn't|[ ]is[ ]not)[ ](?:no|not|any|not[ ]any)[ ](?:[a-z]+[ ]){{0,2}}
      (?:mention|information|details?|data|reference|indication|answer)\b
  | ^no[ ](?:[a-z]+[ ]){{0,2}}(?:information|results?|answer|details|data|documents?|passages?)\b[^.]{{0,60}}
      \b(?:found|available|provided|given|exists?)\b
  | \b(?:not|n't)[ ](?:[a-z]+[ ])?
      (?:mentioned|specified|provided|stated|available|included|covered|given|found|answered)[ ]
      (?:in|by|from)[ ](?:the|this|these|my|any)[ ](?:[a-z]+[ ]){{0,2}}{_EVIDENCE}\b
  | ^(?:(?:it|this|that)(?:[ ]is|'s)[ ])?not[ ](?:specified|mentioned|stated|disclosed|documented|indicated)\.?$
  | \b(?:the|this|that)[ ](?:answer|information|info)\b[^.,;]{{0,60}}[ ](?:is|was)(?:n't|[ ]not)[ ]
      (?:[a-z]+[ ]){{0,2}}(?:in|within|part[ ]of|among)[ ](?:the|this|these|my|any)[ ](?:[a-z]+[ ]){{0,2}}{_EVIDENCE}\b
  | ^(?:insufficient|not[ ]enough)[ ](?:information|data|context)\b | ^(?:unanswerable|unknown|no[ ]answer|n/a)\.?$
"""
_EVIDENCE_ZH = "(?:资料|文档|上下文|信息|知识库|文件|内容|材料|文本|段落|检索结果|搜索结果|原文)"
_SORRY_ZH = "(?:很|非常|十分|实在)?(?:抱歉|对不起|遗憾|不好意思)"
_ABSTAINS_ZH = rf"""
    {_SORRY_ZH}[^。！？]{{0,24}}(?:没有?(?:能)?(?:找到|查到|检索到|相关|这方面|关于|足够|您)|未能?(?:找到|查到|检索到|查询到)|找不到|查不到
      |无法(?:回答|确定|得知|判断|查询|找到|确认|获取|给出|提供)|不能(?:回答|确定|判断)|不(?:太)?(?:知道|清楚|了解|确定)|暂无|答不上)
  | ^(?:(?:我|我们|目前|暂时|系统|小助手|这里)[，,]?)*(?:也|还|暂时|目前|暂)?(?:无法|不能|未能|没法|没办法|没有办法)
      (?:从[^。，]{{0,16}})?(?:准确|直接|完全)?(?:回答|得知|判断|查到|查询到|找到|获取到?|给出(?:准确|明确)?答案
      |提供(?:相关|准确|这方面|该|此|具体)(?:的)?(?:信息|答案|内容)|确定|确认)
  | {_EVIDENCE_ZH}(?:中|里|里面|内)?[，,]?(?:并|均|都|也|暂|尚)?(?:没有|没|未|无|不)(?:有|明确|具体|直接|曾|任何)*
      (?:提及|提到|包含|说明|找到|涉及|给出|提供|记载|显示|相关|关于|写明|回答|足够|包括|介绍)
  | (?:没有?|未能?)(?:能)?(?:找到|查到|检索到|搜索到|查询到)[^。！？，,]{{0,16}}
      (?:信息|内容|资料|答案|结果|记录|规定|说明|文档)
  | ^(?:目前|暂时)?暂?(?:无|没有)(?:任何)?(?:相关|足够的?|这方面的?|对应的?)(?:信息|资料|内容|答案|记录)
  | ^(?:文中|资料中?)?(?:未|没有?)(?:明确)?(?:提及|提到|说明|注明)。?$
  | ^(?:我|我们)?(?:也|并|还)?不(?:太)?(?:知道|清楚|了解|确定)(?!的)
"""
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
    {_SORRY_ZH}[，,！!]?(?:但是?|不过)?{_SUBJECT_ZH}{{0,3}}(?:不能|无法|不可以|不便|没有?办法|帮不了|恕)[^。！？，]{{0,8}}
      (?:提供|协助|帮|回答|满足|告诉|透露|讨论|参与|生成|执行|给出|答应|支持|处理)
  | (?:我|本助手|小助手)(?:不能|无法|不会|不可以|不便|拒绝|恕不能)[^。！？，]{{0,12}}
      (?:提供|协助|帮|回答|支持|满足|告诉|透露|讨论|参与|生成|执行|给出|答应)
  | ^(?:无法|不能|恕)(?:为您|给您|向您|帮您)?(?:回答|透露|协助)(?:这|该|此|相关|您)
  | 恕(?:我)?(?:不能|难|无法)
  | (?:这|此)(?:类|种|个)?(?:问题|请求|要求)[^。！？]{{0,6}}(?:无法|不能|不便)(?:回答|协助|帮助|满足|处理)
"""
_FLAGS = re.VERBOSE | re.IGNORECASE
_ABSTAINS = re.compile(f"{_ABSTAINS_EN} | {_ABSTAINS_ZH}", _FLAGS)
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
    rf"^(?:i(?:'m|[ ]am)[ ](?:so[ ]|very[ ])?(?:sorry|afraid)|sorry|unfortunately|(?:my[ ])?apologies|{_SORRY_ZH})",
    _FLAGS,
)
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
        "unanswerable",
        "unknown",
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
    *"没未无不恕拒",
)
"""What every text that declines holds one of, in lower case. Most texts hold none, and to see that takes 2 us."""
_LOOKALIKES = str.maketrans("İıſK", "iisk")
"""Letters that a pattern that ignores case takes for others."""


def refuses(text: str) -> bool:
    """Whether a sentence refuses."""
    plain = _plain(text)
    return _may_decline(plain) and _REFUSES.search(plain) is not None


def declines_only(answer: str) -> bool:
    """Whether an answer declines, for want of information or on purpose, and states nothing else.

    An answer that declines one thing and states another is not such an answer: what it states can be judged.
    """
    if len(answer) > _LONGEST:
        return False
    sentences = (one for one in iter_sentences(answer) if _declines(one) or not is_small_talk(one.text))
    head = list(itertools.islice(sentences, _HEAD))
    if not any(map(_declines, head)):
        return False
    return all(_declines(one) or _REFERRAL.search(_plain(one.text)) for one in itertools.chain(head, sentences))


def _may_decline(plain: str) -> bool:
    lower = (plain if plain.isascii() else plain.translate(_LOOKALIKES)).lower()
    return any(sign in lower for sign in _SIGNS)


def _declines(sentence: Sentence) -> bool:
    """Whether a sentence declines and does not turn to a statement after it."""
    whole = _plain(sentence.text)
    if not _may_decline(whole):
        return False
    if states_an_absence(whole):
        return False
    parts = [part for part in _TURN.split(whole) if part.strip(" ,，.。!！")]
    found = list(map(_decline_in, parts))
    if not any(found):
        one = _decline_in(whole)
        return one is not None and _only_declines(one) and all(map(_excuse, parts[1:]))
    return all(_only_declines(one) if one else _excuse(part) for part, one in zip(parts, found, strict=True))


def _decline_in(part: str) -> re.Match[str] | None:
    return _ABSTAINS.search(part) or _REFUSES.search(part)


def _only_declines(decline: re.Match[str]) -> bool:
    """Whether the clauses around a decline state nothing."""
    text = decline.string
    before, behind = clauses(text[: decline.start()])[:-1], clauses(text[decline.end() :])[1:]
    if not all(_excuse(clause) or names_the_declined(clause) for clause in before):
        return False
    return all(map(_declines_too, others_than_declined(behind)))


def _declines_too(clause: str) -> bool:
    plain = without_connective(clause)
    return _excuse(plain) or _decline_in(plain) is not None


def _excuse(part: str) -> bool:
    """Whether a clause only apologises, refers elsewhere or offers help."""
    return bool(_APOLOGY.search(part) or _REFERRAL.search(part) or is_small_talk(part))


def _plain(text: str) -> str:
    """What a sentence states, with straight apostrophes, on one line, with single blanks."""
    return " ".join(stated_part(text).replace("’", "'").split())
