"""How answers say that what is asked is not there: the grammar of it in English and Chinese.

A denial of saying ("the documents do not say that the hotel has a pool") states nothing of the subject, whatever it
denies: a thing, whether, how, that. What it must not do is bring in a value of its own; `declining` looks for those.
"""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.citations import NUMBERS

_ASK = "(?:whether|if|what|when|where|who|whose|why|how|which)"
_SOURCES = (
    r"(?:contexts?|passages?|documents?|documentation|information|texts?|sources?|excerpts?|search[ ]results"
    r"|knowledge[ ]base|materials?|chunks?|snippets?)"
)
_EVIDENCE = rf"(?:{_SOURCES}|data)"
_WRITINGS = (
    r"(?:articles?|(?:web[ ]?)?pages?|web[ ]?sites?|handbooks?|manuals?|guides?|reports?|files?|brochures?|listings?"
    r"|descriptions?|summary|faq)"
)
"""What also stands for the evidence, where it says something; that "the report contains no errors" is a statement."""
_THE = r"(?:(?:any|either|both|all)[ ]of[ ])?(?:the|this|that|these|those|your|my|our)[ ](?:[a-z0-9-]+[ ]){0,2}"
_GIVEN = (
    r"(?:[ ](?:(?:(?:that|which)[ ](?:is|are|was|were|have[ ]been)[ ])?(?:provided|given|available|retrieved|supplied)"
    r"|above|at[ ]hand|here|(?:that[ ])?(?:i|we)[ ](?:have|found|was[ ]given|were[ ]given)(?:[ ]access[ ]to)?"
    r"|you[ ](?:provided|gave[ ]me)|(?:on|about|for)(?:[ ][a-z'-]+){1,4}?)){0,2}"
)


def _subject(nouns: str) -> str:
    return rf"(?:{_THE}(?:{nouns})|(?:passages?|documents?|sources?|chunks?)(?=[ ][0-9]))(?:[ ]{NUMBERS})?{_GIVEN}[ ]"


_IT, _IT_SAYS, _IT_SHOWS = map(_subject, (_EVIDENCE, f"{_SOURCES}|{_WRITINGS}", _SOURCES))
"""The evidence as the subject of a sentence."""
_IN_IT = (
    r"(?:in|by|from|within|among|using|(?:based|relying)[ ]on|on[ ]the[ ]basis[ ]of)[ ]"
    r"(?:the|this|these|your|my|our|any|given|provided|available|retrieved|supplied)[ ](?:[a-z-]+[ ]){0,2}"
    rf"(?:{_EVIDENCE}|{_WRITINGS})\b"
)
_NOT = r"(?:do(?:es)?(?:n't|[ ]not)|did(?:n't|[ ]not)|fail(?:s|ed)?[ ]to)[ ](?:(?:seem|appear)[ ]to[ ])?(?:[a-z]+[ ])?"
_HOLD = "(?:contain|include|provide|have|cover|give|answer|offer)"
_SAY = (
    "(?:mention|specify|say|state|discuss|address|explain|describe|clarify|tell|disclose|detail|elaborate"
    "|make[ ](?:it[ ])?clear|make[ ]any[ ](?:mention|reference)|go[ ]into|refer[ ]to)"
)
_SHOW = "(?:indicate|show|confirm|reveal|report|note|list|name|identify)"
"""Documents do so as a witness does; reports and data as their result: "the data does not show that it works"."""
_SAID = (
    r"(?:say|said|stat(?:es?|ed)|mention|specif|clarif|explain|describ|disclos|discuss|address|tell|told|indicat|reveal|confirm"
    r"|show)[a-z]*"
)
_MENTIONED = (
    r"(?:mentioned|specified|provided|stated|available|included|covered|given|found|answered|listed|disclosed|documented"
    r"|described|explained|indicated|discussed|addressed|shown|known|clear|said)"
)
_DETAIL = "(?:mention|information|details?|data|reference|indication|answers?|records?|knowledge|clue)"
_UNKNOWN = (
    r"(?:unclear|unknown|unspecified|(?:not|impossible)[ ](?:possible[ ])?to[ ](?:say|tell|determine|know|judge)"
    r"|not[ ](?:[a-z]+[ ])?(?:clear|known|mentioned|stated|specified|said|indicated|disclosed|explained|documented))"
)
_TO_SOMEBODY = "[ ](?:to[ ](?!me\\b|us\\b|answer)|by|at|upon|unless|until|before|after|when)(?:[ ]|\\b)"
"""Behind what is no decline: `no documents are provided to guests`."""
_EN = rf"""\b(?:
    (?:i|we)(?:[ ]|'m[ ]|'re[ ])(?:am[ ]|are[ ]|was[ ]|were[ ])?(?:sorry,?[ ](?:but[ ])?(?:i|we)[ ])?
      (?:really[ ]|currently[ ]|simply[ ]|still[ ])?
      (?:can(?:no|')t|could(?:n't|[ ]not)|can[ ]not|did(?:n't|[ ]not)|(?:not[ ]able|unable)[ ]to|wasn't[ ]able[ ]to
        |haven't|have[ ]not|do(?:n't|[ ]not)(?=[ ]see))[ ](?:been[ ]able[ ]to[ ])?
      (?:find|found|locate|located|answer|determine|tell[ ]you|say[ ]for[ ](?:sure|certain)|see[ ]any
        |see[ ](?:it|this|that)[ ]{_IN_IT}|confirm|verify
        |(?:say|tell|see|judge)(?=[ ](?:from[ ][^,]{{1,40}}[ ])?{_ASK}\b|[ ]from[ ]|[.]?$))\b
  | (?:i|we)[ ](?:do(?:n't|[ ]not))[ ](?:actually[ ]|really[ ]|currently[ ])?
      (?:know\b|have[ ](?:any[ ]|enough[ ]|sufficient[ ]|specific[ ]|the[ ]|that[ ]|access[ ]to[ ])*
      (?:information|details?|data|answers?|knowledge|context|record|records|it\b))
  | (?:i|we)[ ](?:have[ ])?(?:found?|see|have)[ ]
      (?:no[ ](?:[a-z]+[ ]){{0,2}}{_DETAIL}|nothing[ ](?:on|about|{_IN_IT}))\b
  | (?:i'm|i[ ]am|we're|we[ ]are)[ ]not[ ](?:sure|certain|aware)\b
  | {_IT}(?:{_NOT}(?:{_HOLD}|{_SAY})
      |(?:contain|provide|give|have|has|include|offer|make|say|tell|mention)s?[ ](?:us[ ])?
        (?:no[ ](?:[a-z]+[ ]){{0,2}}{_DETAIL}|nothing)
      |(?:is|are|remain)s?[ ](?:silent|unclear|insufficient|not[ ](?:clear|sufficient|enough))
      |leaves?[ ](?:it[ ])?(?:open|unclear)|lacks?[ ](?:[a-z]+[ ]){{0,3}}{_DETAIL})\b
  | ^(?:(?:so|therefore|thus|hence),?[ ])?(?:the[ ]answer[ ](?:is|would[ ]be):?[ ]["“]?)?
      (?:(?:unable|not[ ]able)[ ]to|can(?:no|')t|can[ ]not|could(?:n't|[ ]not))[ ]
      (?:answer|determine|tell|say|find|locate|(?:provide|give)[ ]an[ ]answer)\b
  | (?:it(?:[ ]is|'s)[ ])?(?:not[ ]possible|impossible)[ ]to[ ]
      (?:answer|(?:determine|tell|say|know)(?=[ ](?:{_ASK}|{_IN_IT})\b|\.?$))\b
  | (?:^|\b(?:question|it|this|that)(?:[ ](?:is|was)|'s)[ ])(?:not[ ]answerable|unanswerable)\b
  | none[ ]of[ ]{_THE}{_SOURCES}{_GIVEN}[ ](?:contain|provide|give|include|offer|ha(?:ve|s))s?[ ]
      (?:[a-z]+[ ]){{0,3}}{_DETAIL}\b
  | {_IT}(?:(?:is|are)(?:n't|[ ]not)[ ](?:[a-z]+ly[ ])?(?:related|relevant|about)
      |(?:is|are)[ ](?:unrelated|irrelevant)[ ]to)\b
  | {_IT_SAYS}(?:{_NOT}(?:{_SAY}|{_SHOW}[ ]{_ASK})|(?:never[ ](?:[a-z]+ly[ ])?|ha(?:ve|s)(?:n't|[ ]not)[ ]){_SAID})\b
  | {_IT_SHOWS}{_NOT}{_SHOW}\b
  | (?:none[ ]of[ ]{_THE}{_SOURCES}{_GIVEN}|neither[ ](?:of[ ]{_THE})?(?:documents?|passages?|sources?|texts?)
      |no[ ](?:[a-z]+[ ])?(?:documents?|passages?|sources?|texts?)|nothing[ ]{_IN_IT}{_GIVEN})
      [ ](?:[a-z]+ly[ ])?{_SAID}\b
  | nowhere[ ](?:{_IN_IT}[ ]is[ ]it|do(?:es)?[ ]{_THE}{_SOURCES})[ ]{_SAID}\b
  | there(?:[ ]is|'s|[ ]was|[ ]isn't|[ ]is[ ]not)[ ](?:no|not|any|not[ ]any|(?:not[ ])?(?:enough|sufficient))[ ]
      (?:[a-z]+[ ]){{0,2}}(?:mention|information|details?|data|reference|indication|answer|evidence[ ]{_IN_IT})\b
  | there(?:[ ]is|'s)[ ]nothing[ ]{_IN_IT}
  | ^no[ ](?:[a-z]+[ ]){{0,2}}(?:information|results?|answer|details|data|documents?|passages?|mention)\b[^.]{{0,60}}
      (?:found|available|provided|given|made|exists?)\b(?!{_TO_SOMEBODY})
  | ^no[ ](?:[a-z]+[ ]){{0,3}}(?:prices?|costs?|fees?|rates?|dates?|address(?:es)?|figures?|amounts?|duration)\b
      [^.,]{{0,40}}[ ](?:is|are|was|were)[ ](?:[a-z]+ly[ ])?
      (?:given|listed|mentioned|specified|stated)\b(?!{_TO_SOMEBODY})
  | ^(?:the[ ])?(?:[a-z]+[ ]){{0,2}}(?:prices?|costs?|fees?|rates?|dates?|details|information)\b[^.,;:]{{0,60}}
      [ ](?:is|are|was|were)(?:n't|[ ]not)[ ](?:provided|given)\.?$
  | ^nothing[ ](?:is|was)[ ](?:said|mentioned|stated|specified)(?:[ ](?:about|on|of|regarding)\b|\.?$)
  | (?:[a-z]{{2,5}}n't|not|never|nowhere)[ ](?:[a-z]+[ ])?{_MENTIONED}[ ](?:anywhere[ ])?{_IN_IT}
  | (?:cannot|can't|could[ ]not|couldn't)[ ]be[ ](?:found|determined|answered|told|said)[ ]{_IN_IT}
  | do(?:es)?(?:n't|[ ]not)[ ]appear[ ]{_IN_IT}
  | (?:is|are|was|were)(?:n't|[ ](?:not|never|nowhere))[ ](?:[a-z]+ly[ ])?
      (?:mentioned|stated|specified|discussed|described|listed)(?:[ ]anywhere)?\.?$
  | ^(?:[a-z'-]+[ ]){{1,5}}not[ ](?:[a-z]+ly[ ])?(?:specified|mentioned|stated)\.?$
  | it(?:[ ](?:is|was)|'s)[ ]{_UNKNOWN}(?:[ ]{_IN_IT}{_GIVEN})?[ ]{_ASK}\b
  | it(?:[ ](?:is|was)(?:[ ]not|n't)|'s[ ]not)[ ](?:[a-z]+[ ])?(?:mentioned|stated|specified|said|indicated|disclosed)
      [ ](?:that|{_ASK})\b
  | it[ ](?:cannot|can't)[ ]be[ ](?:determined|said|told|known)(?:[ ]{_IN_IT}{_GIVEN})?[ ]{_ASK}\b
  | it[ ](?:does|did)(?:n't|[ ]not)[ ](?:[a-z]+ly[ ])?(?:say|state|mention|specify|indicate|clarify|explain)
      (?:[ ]{_ASK}\b|\.?$)
  | ^{_ASK}[ ][^.,;:]{{1,80}}?(?:,[ ](?:and|or)[ ]{_ASK}[ ][^.,;:]{{1,80}}?)?[ ]
      (?:(?:is|are|was|remains)[ ]{_UNKNOWN}|isn't[ ]{_MENTIONED}|(?:cannot|can't)[ ]be[ ](?:determined|said|told))
  | ^(?:(?:it|this|that)(?:[ ]is|'s)[ ])?
      (?:not[ ](?:[a-z]+ly[ ])?(?:specified|mentioned|stated|disclosed|documented|indicated|given|listed
        |described|discussed|addressed|explained)|unspecified
        |(?:none|nothing)[ ](?:[a-z]+ly[ ])?(?:mentioned|specified|stated|given|listed)
        |no[ ](?:explicit[ ]|clear[ ])?mention)
      (?:[ ]{_IN_IT}{_GIVEN})?\.?$
  | (?:the|this|that)[ ](?:answer|information|info)\b[^.,;]{{0,60}}[ ](?:is|was)(?:n't|[ ]not)[ ]
      (?:[a-z]+[ ]){{0,2}}(?:in|within|part[ ]of|among)[ ](?:the|this|these|my|any)[ ](?:[a-z]+[ ]){{0,2}}{_EVIDENCE}\b
  | (?:is|are|was)(?:n't|[ ]not)[ ]part[ ]of[ ](?:the|these|my)[ ](?:[a-z]+[ ]){{0,2}}{_SOURCES}\b
  | ^(?:no[ ](?:such[ ]|further[ ]|specific[ ]|relevant[ ])?(?:information|details|data)
      |(?:information|details?|data)[ ]not[ ](?:available|provided|given|found|specified)
      |(?:not[ ](?:known|clear|found)|unclear|unspecified|undisclosed|cannot[ ]be[ ](?:determined|said|told))
        (?:[ ](?:from|{_IN_IT}{_GIVEN})(?:[ ](?:the[ ])?(?:[a-z]+[ ])?{_EVIDENCE})?)?)\.?$
  | ^(?:insufficient|not[ ]enough)[ ](?:[a-z]+[ ])?(?:information|data|context)
      (?=[.,;:]?$|[.,;:][ ]|[ ](?:(?:about|on|regarding|in|from|for)\b
        |to[ ](?:answer|determine|say|tell|provide|give|confirm|know|judge|conclude)\b
        |(?:(?:is|was)[ ])?(?:available|provided|given)\b(?!{_TO_SOMEBODY})))
  | ^(?:unanswerable|unknown|no[ ]answer|n/a)\.?$)
"""
_SOURCES_ZH = (
    "(?:资料|文档|上下文|信息|知识库|文件|内容|材料|文本|段落|片段|来源|检索结果|搜索结果|原文"
    "|第[0-9一二三四五六七八九十]{1,3}[段页篇章节条份])"
    "(?:[0-9]{1,3}(?:[和与及、](?:资料|文档|段落|片段|来源)?[0-9]{1,3}){0,4})?"
)
_WRITINGS_ZH = "(?:文章|文中|[该本此]文|手册|报道|网?页面?|网页|官网|网站|说明书|报告|指南|常见问题)"
_INSIDE_ZH = "(?:中|里面?|内|上)?"
_ALSO_ZH = "[，,]?(?:并|均|都|也|暂|尚|还|同样)*"
_HOW_ZH = "(?:有|明确|具体|直接|曾|任何|清楚|详细|进一步|单独|专门|地)*"
_SAY_ZH = (
    r"(?:提及|提到|提过|提(?![供高升前出交取醒示倡])|说明(?!书)|说(?![明服法])|指出|写明|写|讲|交代|透露|注明|标明|规定|描述|介绍"
    r"|告诉|告知|列出|列明|阐明|解释|谈及|谈到|明确|涉及|记载|给出)"
)
_KNOW_ZH = "(?:回答|得知|获知|判断|确定|确认|看出|推断|得出|了解|知道|查到|查询到|找到|获取|断定)"
_KNOWLEDGE_ZH = "(?:信息|资料|内容|记录|说明|描述|介绍|数据|详情|细节|答案)"
SORRY_ZH = "(?:很|非常|十分|实在)?(?:抱歉|对不起|遗憾|不好意思)"
_ZH = rf"""
    {SORRY_ZH}[^。！？]{{0,24}}(?:没有?(?:能)?(?:找到|查到|检索到|相关|这方面|关于|足够|您)|未能?(?:找到|查到|检索到|查询到)|找不到|查不到
      |无法(?:回答|确定|得知|判断|查询|找到|确认|获取|给出|提供)|不能(?:回答|确定|判断)|不(?:太)?(?:知道|清楚|了解|确定)|暂无|答不上)
  | ^(?:(?:我|我们|目前|暂时|系统|小助手|这里)[，,]?)*(?:也|还|暂时|目前|暂)?(?:无法|不能|未能|没法|没办法|没有办法)
      (?:(?:从|由|根?据|依据|基于|按照?)[^。，]{{0,16}})?(?:准确|直接|完全)?(?:回答|得知|判断|查到|查询到|找到|获取到?|给出(?:准确|明确)?答案
      |提供(?:相关|准确|这方面|该|此|具体)(?:的)?(?:信息|答案|内容)|确定|确认)
  | {_SOURCES_ZH}[^，。0-9]{{0,6}}(?:无法|不能|难以|没法)(?:准确|直接|完全|据此|由此)?{_KNOW_ZH}
  | ^(?:由于|因为?|鉴于)?(?:现有|目前|所?提供|给定|给出|检索到|上述|以上)?的?(?:资料|信息|内容|证据|数据|上下文|文档)
      (?:不足|不够|不充分|有限(?!公司|责任))
  | {_SOURCES_ZH}[^，。0-9]{{0,6}}(?:看不出|找不到|查不到)
  | {_SOURCES_ZH}{_INSIDE_ZH}{_ALSO_ZH}(?:没有|没|未能?|无|不|从未){_HOW_ZH}
      (?:{_SAY_ZH}|包含|找到|提供|显示|表明|相关|关于|回答|足够|包括|证实)
  | {_WRITINGS_ZH}{_INSIDE_ZH}{_ALSO_ZH}(?:没有|没|未|从未){_HOW_ZH}{_SAY_ZH}
  | (?:{_SOURCES_ZH}|{_WRITINGS_ZH}){_INSIDE_ZH}对[^，。]{{1,16}}
      (?:只字未提|{_ALSO_ZH}(?:没有|未)(?:作|做|进行)?(?:任何)?{_KNOWLEDGE_ZH})
  | (?:{_SOURCES_ZH}|{_WRITINGS_ZH}){_INSIDE_ZH}(?:不足以|没有(?:任何)?(?:证据|信息|迹象)(?:表明|显示|证明|说明))
  | 没有(?:任何|一份|一篇|哪份)?{_SOURCES_ZH}(?:明确|具体|直接)?(?:表明|显示|{_SAY_ZH})
  | (?:没有?|未能?)(?:能)?(?:找到|查到|检索到|搜索到|查询到)[^。！？，,]{{0,16}}
      (?:信息|内容|资料|答案|结果|记录|规定|说明|文档)
  | ^(?:目前|暂时)?暂?(?:无|没有)(?:任何)?(?:相关|足够的?|这方面的?|对应的?)(?:信息|资料|内容|答案|记录)
  | (?:^|{_SOURCES_ZH}{_INSIDE_ZH})(?:目前|暂时)?(?:暂无|并?没有|并?无)(?:任何)?(?:关于|有关)?
      [^，。0-9]{{1,16}}的(?:相关|具体)?{_KNOWLEDGE_ZH}
  | {_SOURCES_ZH}{_INSIDE_ZH}{_ALSO_ZH}(?:没有|未)(?:作|做|进行)出?(?:任何|进一步|具体)?{_KNOWLEDGE_ZH}
  | ^(?:未|没有)(?:明确)?(?:提及|提到)[^，。0-9者的不需可应须]{{1,10}}。?$
  | ^[^，。0-9]{{0,10}}(?:价格|费用|金额|日期|地址|地点|电话|数量|信息|详情)(?:暂)?(?:不详|未知|未给出)。?$
  | ^(?:没有|未)给出[^，。0-9者]{{0,8}}的(?:价格|费用|金额|日期|地址|信息|详情)。?$
  | ^(?:目前|暂时)?[查找]不到[^，。0-9]{{1,12}}(?:信息|内容|资料|记录)。?$
  | ^[^，。0-9]{{0,16}}(?:未|没有)(?:明确)?(?:提及|提到|说明|注明)。?$ | ^(?:没有?|未)[说提写](?:到|及|明)?。?$
  | ^(?:不详|不明|未知|(?:暂无|无|没有)(?:任何|相关|具体|明确)*的?{_KNOWLEDGE_ZH})。?$
  | (?:答案|信息|内容)[^，。0-9]{{0,6}}不在{_SOURCES_ZH}
  | {_SOURCES_ZH}{_INSIDE_ZH}(?:关于|有关|对)[^，。0-9]{{1,16}}(?:并|尚)?(?:不|未)(?:太)?(?:明确|清楚|详细)
  | ^(?:我|我们)?(?:也|并|还)?不(?:太)?(?:知道|清楚|了解|确定)(?!的)
  | ^(?:(?:尚|目前)?难以(?:判断|确定)|看不出|不得而知)
"""
_ONLY = r"(?:only|mainly|mostly|do(?:es)?)[ ]"
_WRITES = (
    r"(?:discuss|describ|mention|cover|contain|provid|talk|focus|refer|list|includ|address|concern|deal|explain)[a-z]*"
)
_BUT_EN = rf"""^(?:(?:while|although|though|even[ ]though)[ ])?{_IT_SAYS}(?:{_ONLY})?{_WRITES}[ ]
    (?:(?!\b(?:that|is|are|was|were|has|have|can|will|costs?|{_WRITES})\b)[^.;:]){{1,80}}?
    ,?[ ](?:(?:and|but),?[ ])?(?:(?:they|it)[ ])?{_NOT}(?:{_SAY}|{_HOLD}[ ]any|{_SHOW}[ ]{_ASK})\b
"""
_BUT_ZH = rf"""^(?:虽然|尽管)?{_SOURCES_ZH}{_INSIDE_ZH}(?:仅|只|主要)?
    (?:介绍|提到|提及|说明|描述|涉及|包含|讨论)了?[^，。是为可将]{{1,20}}[，,](?:但是?|而|不过)?{_ALSO_ZH}(?:没有|没|未){_HOW_ZH}{_SAY_ZH}
"""
_ABSTAINS_EN, _ABSTAINS_ZH, _DENIES_THE_REST_EN, _DENIES_THE_REST_ZH = (
    re.compile(grammar, re.VERBOSE | re.IGNORECASE) for grammar in (_EN, _ZH, _BUT_EN, _BUT_ZH)
)


def abstention_in(text: str) -> re.Match[str] | None:
    """What says first that something asked is not known or not in the evidence, in text on one line."""
    found = [_ABSTAINS_EN.search(text), None if text.isascii() else _ABSTAINS_ZH.search(text)]
    return min(filter(None, found), key=re.Match.start, default=None)


def denial_of_the_rest(text: str) -> re.Match[str] | None:
    """How a sentence begins that says what the evidence is about and that it is not about what is asked."""
    return _DENIES_THE_REST_EN.match(text) if text.isascii() else _DENIES_THE_REST_ZH.match(text)
