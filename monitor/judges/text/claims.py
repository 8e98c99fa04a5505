"""The sentences of an answer that state something: talk, questions and layout are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.judges.text.layout import ends_like_a_sentence, is_layout, is_pointer, is_source_label
from monitor.judges.text.sentences import Sentence, split_sentences
from monitor.judges.text.talk import without_talk
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.words import is_function_word

_CITATION = re.compile(
    r"\[(?:citation|source|doc|passage)?[ :#]?[0-9]{1,3}(?:[ ]?[,;–-][ ]?[0-9]{1,3}){0,9}\]|【[^】]{1,24}】"
    r"|\((?:source|passage|document|doc)s?[ #]?[0-9]{1,3}(?:, ?[0-9]{1,3}){0,9}\)"
    r"|[（(]?(?:资料|文档|片段)[ ]?[0-9]{1,3}[）)]"
    r"|\[(?:sources?|references?|来源|出处|参考)[ ]?[:：][^\]\n]{1,160}\]|\[\^[\w-]{1,16}\]"
    r"|[（(](?:sources?|来源|出处|参考)[ ]?(?:[:：][^）)\n]{1,160}|[0-9]{1,3})[）)]"
    # raised figures are marks after a stop or a long word, and exponents after a unit (km²)
    r"|(?:(?<=[a-z]{4})|(?<=[.,;!?。，；！？”’\"\u3400-\u9fff]))[¹²³⁰⁴-⁹]{1,3}",
    re.IGNORECASE,
)
_CITATION_START = re.compile(r"[\[(【（资文片¹²³⁰⁴-⁹]")
"""First characters of citations: few sentences hold one."""
_TAG = re.compile(
    r"</?(?:[abipu]|br|em|strong|span|div|li|[uo]l|h[1-6]|t[dhr]|table|small|font|sup|sub)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"(?:based on|according to|as (?:stated|mentioned|described) in|from) (?:the )?"
    r"(?:(?:above|provided|given|retrieved) )?"
    r"(?:context|passages?|documents?|documentation|information|sources?|texts?|search results)[^,:]{0,40}[,:]\s*"
    r"|(?:根据|依据|按照|基于)(?:所?提供的?|上述|以上|给定的?|检索到的)?"
    r"(?:资料|文档|上下文|信息|内容|文件|材料)[^，,：:]{0,12}[，,：:]"
    r"|据(?:悉|了解|介绍|报道|透露)[，,：:]|记者(?:从[^，,]{1,16})?(?:了解到|获悉)[，,：:]",
    re.IGNORECASE,
)
_ASSENT = re.compile(
    r"[*_]{0,3}(?:yes|yep|yeah|correct|right|exactly|indeed|ok(?:ay)?)"
    r"(?:[,:;.!][*_]{0,3}|[*_]{1,3}[,:;.!]|[ ]?[—–]|[ ]-(?=[ ]))\s*|(?:是的?|对的?|没错|正确|可以的?)[，,：:；]\s*",
    re.IGNORECASE,
)
"""Before a statement that says the same; `No,` stays, it negates."""
_ANSWER_LABEL = re.compile(
    r"[*_]{0,3}(?:(?:short |final )?answer|(?:in )?summary|conclusion|note|tl;dr|step [0-9]{1,2}"
    r"|答案|回答|答|总结|结论|摘要|注意|注|步骤[ ]?[0-9]{1,2})[*_]{0,3}[:：][*_]{0,3}[ ]?(?=\S)",
    re.IGNORECASE,
)
"""Names no subject and counts nothing, where the label of `**Price:** 12 euros` does."""
_LONE_ANSWER = re.compile(
    r"[*_]{0,3}(?:(?:yes|no|yep|yeah|nope|correct|right|exactly|indeed|ok(?:ay)?|true|false)"
    r"|不?是的?|不?可以的?|不?对的?|不?正确|不?包含|不?支持|不?需要|不?能|不?会|没错|有的?|没有|嗯)[。！!.,，]{0,3}[*_]{0,3}$",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？](?:[^\w.。!！]|</\w{1,10}>){0,8}$")

_ASSERTING = re.compile(
    r"[,，;；—–][ ]?(?:right|correct|no|ok(?:ay)?|(?:isn't|aren't|wasn't|doesn't|don't|didn't)[ ](?:it|they|he|she|you)"
    r"|是吧|对吧|对吗|不是吗)[ ]?[?？]|^did you know (?:that )?\w",
    re.IGNORECASE,
)
"""Questions that state what they ask about."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that can be checked, with the tokens of what it states."""

    sentence: Sentence
    tokens: Tokens


def stated_part(sentence: str) -> str:
    """What a sentence states: without tags, citation marks and lead-ins ("Answer:", "Yes,", "According to ...,")."""
    plain = _TAG.sub(" ", sentence) if "<" in sentence else sentence
    plain = (_CITATION.sub("", plain) if _CITATION_START.search(plain) else plain).strip()
    for lead_in in (_ANSWER_LABEL, _ASSENT, _PREAMBLE):
        match = lead_in.match(plain)
        plain = plain[match.end() :] if match else plain
    return plain


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence is a question, a lone yes or no, or talk: a greeting, a lead-in, an offer of help.

    None of them can be checked: a lone "Yes." states what only the question says.
    """
    return _is_no_statement(sentence) or not without_talk(sentence)


def _is_no_statement(sentence: str) -> bool:
    asks = _QUESTION.search(sentence) and not _ASSERTING.search(sentence)
    return bool(asks or _LONE_ANSWER.match(sentence))


def claims_of(answer: str) -> tuple[Claim, ...]:
    """The checkable sentences of `answer`, in order; empty when nothing in it can be checked.

    Citation marks and lead-ins such as "According to the passages," are no part of what is stated. Layout states
    nothing, and neither do the lines after a label such as "Sources:" up to one that ends like a sentence. A web
    address or a file name alone on its line points at evidence, unless the answer holds nothing else.
    """
    found: list[Claim] = []
    pointers: list[Claim] = []
    among_sources = False
    for sentence in split_sentences(answer):
        listed = among_sources and not ends_like_a_sentence(sentence.text)
        among_sources = listed or is_source_label(sentence.text)
        if among_sources:
            continue
        stated = stated_part(sentence.text)
        if _is_no_statement(stated) or is_layout(sentence, answer):
            continue
        stated = without_talk(stated)
        tokens = tokenize(stated)
        if not all(is_function_word(word) for word in tokens.words):
            (pointers if is_pointer(stated) else found).append(Claim(sentence, tokens))
    return tuple(found or pointers)
