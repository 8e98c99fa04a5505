"""The sentences of an answer that state something: greetings, questions and offers of help are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.judges.text.sentences import Sentence, split_sentences
from monitor.judges.text.tokens import Tokens, is_function_word, tokenize

_CITATION = re.compile(
    r"\[(?:citation|source|doc|passage)?[ :#]?[0-9]{1,3}(?:[ ]?[,;–-][ ]?[0-9]{1,3}){0,9}\]|【[^】]{1,24}】"
    r"|\((?:source|passage|document|doc)s?[ #]?[0-9]{1,3}(?:, ?[0-9]{1,3}){0,9}\)"
    r"|[（(]?(?:资料|文档|片段)[ ]?[0-9]{1,3}[）)]",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"(?:based on|according to|as (?:stated|mentioned|described) in|from) (?:the )?"
    r"(?:(?:above|provided|given|retrieved) )?"
    r"(?:context|passages?|documents?|documentation|information|sources?|texts?|search results)[^,:]{0,40}[,:]\s*"
    r"|(?:根据|依据|按照|基于)(?:所?提供的?|上述|以上|给定的?|检索到的)?"
    r"(?:资料|文档|上下文|信息|内容|文件|材料)[^，,：:]{0,12}[，,：:]",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"""(?:hi|hello|hey|dear[ ][\w ]{1,30}|good[ ](?:morning|afternoon|evening)|thanks?(?:[ ]you)?|sure|certainly
          |of[ ]course|great[ ]question|absolutely|you'?re[ ]welcome|no[ ]problem)\b[^.!?。！？]{0,60}[.!,。！]?$
      | (?:and[ ]|but[ ]|so[ ])?(?:i[ ]hope[ ](?:this|that|it)|hope[ ](?:this|that)[ ]helps|let[ ](?:me|us)[ ]know
          |(?:please[ ])?feel[ ]free[ ]to|(?:please[ ])?do(?:n't|[ ]not)[ ]hesitate
          |i(?:'m|[ ]am)[ ](?:happy|glad|here)[ ]to|if[ ]you[ ](?:have|need)[ ](?:any|more|further|other)[ ]
          |have[ ]a[ ](?:nice|great|good)[ ])
      | (?:here[ ](?:are|is)|below[ ](?:are|is)|the[ ]following)\b[^.!?]{0,100}:$
      | (?:[您你]好|亲|(?:早上|下午|晚上)好|好的|当然(?:可以)?|没问题|谢谢|感谢|不客气)[^。！？]{0,12}[，,。！!～~]?$
      | (?:希望.{0,8}(?:有(?:所)?帮助|帮到)
          |如(?:果您?|您|需|有).{0,14}(?:疑问|问题|需要|帮助|了解).{0,4}[，,]?.{0,6}(?:请|欢迎|可|随时)
          |祝您?|(?:请|欢迎)随时|很高兴)
      | [^。！？]{0,40}(?:如下|以下(?:几点|内容|步骤|信息))[：:]$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？][\"'”’)）」』]{0,4}$")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that can be checked, with the tokens of what it states."""

    sentence: Sentence
    tokens: Tokens


def stated_part(sentence: str) -> str:
    """What a sentence states: without citation marks and a lead-in such as "According to the passages,"."""
    plain = _CITATION.sub("", sentence).strip()
    lead_in = _PREAMBLE.match(plain)
    return plain[lead_in.end() :] if lead_in else plain


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence is a question, a greeting, a lead-in or an offer of help: nothing that can be checked."""
    return bool(_QUESTION.search(sentence) or _SMALL_TALK.match(sentence))


def claims_of(answer: str) -> tuple[Claim, ...]:
    """The checkable sentences of `answer`, in order; empty when nothing in it can be checked.

    Citation marks and lead-ins such as "According to the passages," are no part of what is stated.
    """
    found = []
    for sentence in split_sentences(answer):
        stated = stated_part(sentence.text)
        if is_small_talk(stated):
            continue
        tokens = tokenize(stated)
        if not all(is_function_word(word) for word in tokens.words):
            found.append(Claim(sentence, tokens))
    return tuple(found)
