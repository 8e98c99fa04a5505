"""Words that lead into a statement: labels, assent, connectives, and who is said to say so.

They are no part of what is stated: "Answer: According to passage 2, the fee is 40 euros, as noted in the text." states
"the fee is 40 euros." What negates ("The passages do not say") or counts ("Article 5") is none of them.
"""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.citations import AS_STATED, NUMBERS

_MOST = 6
"""Lead-ins of one statement."""
_ANSWER_LABEL = re.compile(
    r"""[*_]{0,3}(?:(?:(?:short|final|direct)[ ])?(?:answer|response|assistant|[aq]|summary|conclusion|note|step)
        (?:[ ]?[0-9]{1,2}|[ ](?:one|two|three|four|five|six|seven|eight|nine|ten))?
      | in[ ](?:summary|short|brief|conclusion)|tl;dr
      | (?:(?:key|main|important|interesting|quick|brief)[ ])?(?:points?|takeaways?|findings?|facts?|reasons?
        |evidence|details?|results?|context|overview|explanation|examples?|claim|quote|tips?|warning|important)
        (?:[ ]?[0-9]{1,2})?
        (?=[*_]{0,3}:[*_]{0,3}(?:[ ]+\S+){4})                                   # `Points: 30` counts something
      | 答案|回答|答|总结|小结|摘要|注意|注|说明|提示|背景|概述|原文|主要内容|关键点
      | (?:结论|要点|步骤)[ ]?[0-9一二三四五六]{0,2}
      | 第[一二三四五六七八九十0-9]{1,3}[点步])[*_]{0,3}[:：][*_]{0,3}[ ]?(?=\S)""",
    re.VERBOSE | re.IGNORECASE,
)
"""Names no subject and counts nothing, where the label of `**Price:** 12 euros` does."""
_STEP = re.compile(
    r"""[*_]{0,3}(?:step[ ]?(?:[0-9]{1,2}|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)
        |步骤[ ]?(?:[0-9]{1,2}|[一二三四五六七八九十]{1,2})|第(?:[一二三四五六七八九十]{1,2}|[0-9]{1,2})步)
      (?:[*_]{0,3}(?:[:：、)）]|\.(?=[\s*_])|[ ]?[–—]{1,2}(?![0-9])|[ ]-(?=[ ])|(?<=步)[，,])[*_]{0,3}
        |[*_]{2,3}(?=[ \u3400-\u9fff]))
      \s*(?=\S)""",
    re.VERBOSE | re.IGNORECASE,
)
"""The number of a step in front of what it says: `**Step 1** – Open it`, `Step 2. Close it`."""
_ASSENT = re.compile(
    r"[*_]{0,3}(?:yes|yep|yeah|correct|right|exactly|indeed|ok(?:ay)?)"
    r"(?:[,:;.!][*_]{0,3}|[*_]{1,3}[,:;.!]|[ ]?[—–]|[ ]-(?=[ ]))\s*|(?:是的?|对的?|没错|正确|可以的?)[，,：:；]\s*",
    re.IGNORECASE,
)
"""Before a statement that says the same; `No,` stays, it negates."""
_CONNECTIVE = re.compile(
    r"""(?:(?:and|but|so)[ ])?(?:furthermore|additionally|moreover|in[ ]addition|notably|(?:more[ ])?specifically
      |apparently|overall|however|therefore|thus|hence|consequently|as[ ](?:a[ ](?:result|consequence)|such)
      |in[ ](?:summary|short|brief|conclusion|essence|particular|general|fact|other[ ]words|contrast|turn
      |this[ ](?:context|case|regard))|by[ ]contrast|finally|lastly|also|similarly|likewise|meanwhile|nevertheless
      |nonetheless|conversely|on[ ]the[ ](?:one|other)[ ]hand|for[ ](?:example|instance)|(?:mo(?:st|re)[ ])?importantly
      |interestingly|(?:un)?fortunately|generally(?:[ ]speaking)?|indeed|that[ ]said|then|next|first(?:ly|[ ]of[ ]all)?
      |second(?:ly)?|third(?:ly)?|to[ ](?:summari[sz]e|conclude|sum[ ]up|(?:begin|start)[ ]with|be[ ](?:clear|precise))
      |put[ ]simply|simply[ ]put|ultimately|essentially|accordingly|still|instead|of[ ]course|clearly|presumably|again
      |at[ ]the[ ]same[ ]time|besides|otherwise|(?:given|based[ ]on)[ ]th(?:is|at)
      |as[ ](?:noted|mentioned|stated|described)[ ](?:above|earlier|before)),[ ]
      | (?:此外|另外|因此|所以|然而|不过|同时|总之|综上(?:所述|可知)?|(?:具体|简单|总体|总的|一般)(?:来[说看讲]|而言)
      |简而言之|简单地说|总结来说|其实|更重要的是|换(?:句话说|言之)|也就是说|值得(?:注意|一提)的是|需要(?:说明|注意|指出|强调|提醒)的是|首先|其次|再次|最后|其中
      |例如|比如|特别是|尤其是|事实上|实际上|可以看出|由此可见|一方面|另一方面|与此同时|除此之外|相比之下|显然
      |第[一二三四五六]|正?如[上前]文?所[述示])[，,：:][ ]?""",
    re.VERBOSE | re.IGNORECASE,
)
EVIDENCE = (
    r"(?:(?:(?:the|this|that|these|those|your|all)[ ])?(?:(?:above|provided|given|retrieved|available|first|second"
    r"|third|last|same|supplied|attached|relevant|cited|reference|source)[ ]){0,3}(?:(?:contexts?|passages?|documents?"
    rf"|docs?|sources?|texts?|excerpts?|snippets?|references?|chunks?)(?:[ ]?(?:\#|no\.?[ ]?)?\[?{NUMBERS}\]?)?"
    r"|articles?(?![ ]?[0-9])|documentation|information|materials?|knowledge[ ]base|search[ ]results))"
)
SAYS = (
    r"(?:states?|says?|notes?|mentions?|indicates?|reports?|explains?|suggests?|shows?|describes?|confirms?|highlights?"
    r"|specif(?:y|ies)|emphasi[sz]es?|reveals?|adds?|points?[ ]out|stated|said|noted|mentioned|reported|explained"
    r"|recommends?|advises?|discuss(?:es)?|concurs?|agrees?|recommended|advised|suggested)"
)
_EVIDENCE_ZH = (
    r"(?:有|所?提供的?|上述|以上|给定的?|检索到的|现有的?|相关的?|该|本|这[些份篇]|此)?(?:参考)?"
    r"(?:资料|文档|上下文|信息|内容|文件|材料|文章|原文|文中|[该本]文|文本|段落|片段|来源|文献|报道|知识库)[ ]?"
    r"(?:[\[［(（]?[0-9]{1,3}[\]］)）]?(?:[和与及、](?:资料|文档|文件|片段|段落|来源)[0-9]{1,3}){0,20})?[中里内]?"
)
_SAYS_ZH = (
    "(?:明确|还|也|均|都|进一步)*(?:显示(?![屏器])|指出|提到|提及|表明|说明(?!书)|写道|介绍|记载|强调"
    "|称(?![号为])|说(?![法服明]))"
)
_ATTRIBUTION = re.compile(
    rf"""(?:based[ ](?:up)?on|according[ ]to|as[ ]per|(?:as[ ])?{AS_STATED})
        (?:[ ](?:{EVIDENCE}|the[ ]authors?)[^,:0-9]{{0,40}}|[ ]?)[,:]\s*
      | (?:per|from|in|given)[ ]{EVIDENCE}(?:[ ](?:provided|given|above))?,\s*
        (?:it[ ](?:is|was)[ ](?:stated|mentioned|noted|said|reported|explained)[ ]that[ ])?
      | (?:both[ ]|one[ ]of[ ])?{EVIDENCE}[ ]{{1,2}}(?:provided[ ])?
        (?:(?:also|further|clearly|explicitly|specifically|both|all)[ ]){{0,2}}(?:{SAYS}|agree|make[ ]clear)
        (?:[ ]that[ ]|(?:[ ]this)?[:,]\s*)
      | as[ ]{EVIDENCE}[ ]{SAYS},[ ] | (?:passage|source|document|excerpt)[ ][0-9]{{1,3}}(?::|[ ][—–-])[ ](?=\S)
      | the[ ](?:answer|(?:key|main)[ ](?:point|takeaway|finding))[ ]is[ ]that[ ] | there[ ]is[ ]evidence[ ]that[ ]
      | it[ ]?(?:is|'s|should[ ]be|must[ ]be)[ ](?:also[ ])?(?:
        (?:worth|important|interesting|useful|essential|crucial)[ ]
        (?:to[ ](?:note|mention|remember|know|understand|point[ ]out)|noting|mentioning|remembering)
        |noted|stated|mentioned|clear|evident)(?:[ ]here|[ ]in[ ]{EVIDENCE})?[ ]that[ ]
      | it[ ](?:appears|seems|can[ ]be[ ](?:seen|said|concluded|inferred|noted))[ ]that[ ]
      | this[ ](?:means|shows|indicates|suggests)[ ]that[ ]
      | (?:(?:please[ ])?(?:note|remember|keep[ ]in[ ]mind|be[ ]aware)(?:[ ]also)?
        |(?:we|you)[ ]can[ ](?:see|conclude|infer)|i[ ]can[ ]confirm)(?:[ ]that[ ]|[,:]\s*)
      | (?:根据|依据|按照|基于|据)(?:{_EVIDENCE_ZH}|第[ ]?[0-9]{{1,3}}[段篇])[^，,：:0-9]{{0,12}}[，,：:]
      | (?:正?如|从|在|由){_EVIDENCE_ZH}(?:所[述示说]|来?看|可[以]?(?:知|看出))?[，,]
      | {_EVIDENCE_ZH}{_SAYS_ZH}了?[，,：:]? | 答案是[：:] | (?:资料|文档|文件|片段|段落|来源)[ ]?[0-9]{{1,3}}[：:]
      | 据(?:悉|了解|介绍|报道|透露|称)[，,：:]|记者(?:从[^，,]{{1,16}})?(?:了解到|获悉)[，,：:]""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD_INS = (_ANSWER_LABEL, _STEP, _ASSENT, _CONNECTIVE, _ATTRIBUTION)
_BY_IT = rf"[ ](?:as[ ]{AS_STATED}|according[ ]to|as[ ]per|per)[ ]{EVIDENCE}"
_INSERTED = re.compile(rf",?{_BY_IT}(?=[.!]?$)|,{_BY_IT},(?=[ ])", re.VERBOSE | re.IGNORECASE)
"""Who says so, behind a statement and between commas inside it."""
_MAY_BE_INSERTED = re.compile(r"(?: as|according to|per) ", re.IGNORECASE)
"""How few sentences go on."""


def without_lead_ins(text: str) -> str:
    """What is stated; empty where a text only leads into something."""
    start = 0
    for _ in range(_MOST):
        match = next(filter(None, (lead_in.match(text, start) for lead_in in _LEAD_INS)), None)
        if match is None:
            break
        start = match.end()
    text = text[start:]
    return _INSERTED.sub("", text) if _MAY_BE_INSERTED.search(text) else text
