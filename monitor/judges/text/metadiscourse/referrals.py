"""Referrals and disclaimers: "It is best to consult a tax professional for more information." states nothing.

Answers end with them whatever the passages say. What gives a number or a name, or says more than whom to ask and what
for, is a claim: "Contact support for a full refund."
"""

from __future__ import annotations

import re

from monitor.judges.text.tokens import tokenize

_ABOUT = (
    "(?:more|further|additional|specific|detailed|personali[sz]ed|professional|proper|expert|medical|legal|appropriate)"
)
_HELP = (
    "(?:information|details?|advice|guidance|assistance|help|support|clarification|evaluation|diagnosis|treatment"
    "|instructions|recommendations?|answers?|attention)"
)
_FINITE = "is|are|was|were|has|have|had|can|may|will|must|should|that|which"
_NO_VERB = rf"(?!\b(?:{_FINITE}|you|they|it)\b)"
_TOPIC = rf"(?:[ ](?:on|about|regarding)[ ](?:{_NO_VERB}[^.;:,]){{1,80}})"
_WHEN = rf"""(?P<when>
    if[ ](?:you(?:r[ ][a-z]+|'re)?|(?:the|this|that|these|those|it|they|any)(?:[ ][a-z]+)?|symptoms?|problems?)
      [ ]?(?:have|has|need|want|are|is|feel|experience|persists?|continues?|worsens?|remains?|do[ ]not|don't|does[ ]not
        |doesn't|would[ ]like|get|gets|becomes?|still|occurs?|arises?)\b
      (?:{_NO_VERB}(?!\b(?:take|use|stop|free|safe|the)\b)[^.;:,]){{0,120}},[ ]
  | (?:if[ ](?:necessary|needed|in[ ]doubt|possible)|when[ ]in[ ]doubt),[ ]
  | for[ ](?:the[ ])?(?:most[ ]accurate|more|further|additional|specific|detailed|other)[ ](?:{_ABOUT}[ ]){{0,2}}
      (?:{_HELP}|questions|concerns|inquiries){_TOPIC}?,[ ]
  | for[ ](?:[a-z]+[ ]){{1,2}}(?:information|advice|questions|concerns|inquiries),[ ])?"""
_ADVISED = r"""(?:
    (?:please|be[ ]sure[ ]to)[ ]
  | (?P<advised>(?:please[ ])?consider[ ]
    | (?:it|this)(?:[ ](?:is|may[ ]be|might[ ]be|would[ ]be|will[ ]be)|'s)[ ]
      (?:(?:always|also|generally|usually|still|therefore|highly|strongly)[ ]){0,2}
      (?:recommended|best|advisable|advised|important|necessary|essential|a[ ]good[ ]idea|wise|better|crucial
        |suggested)[ ](?:that[ ]you|(?:for[ ]you[ ])?to)[ ]
    | (?:i|we)(?:'d|[ ]would)?[ ](?:recommend|suggest|advise)[ ](?:that[ ])?(?:you[ ])?(?:to[ ])?)
  | (?:you|one)[ ](?:(?:may|might)[ ](?:also[ ])?(?:want|need|wish)[ ]to|should|can|could|must|may|might)[ ])?
    (?:(?:also|always|then|first)[ ])?"""
_CONSULT = r"""(?:consult(?:ing)?(?:[ ]with)?|contact(?:ing)?|ask(?:ing)?|speak(?:ing)?[ ](?:to|with)
    |talk(?:ing)?[ ](?:to|with))"""
_ASK = rf"""(?:{_CONSULT}|seek(?:ing)?|check(?:ing)?(?:[ ]with)?|reach(?:ing)?[ ]out[ ]to|refer(?:ring)?[ ]to
    |get(?:ting)?|call(?:ing)?|visit(?:ing)?)"""
_WHOM = rf"""(?:professionals?|doctors?|physicians?|experts?|specialists?|veterinarians?|vets?|pharmacists?|dentists?
    |advis[oe]rs?|attorneys?|lawyers?|accountants?|providers?|support(?:[ ]team)?|manufacturers?|documentation|manuals?
    |authorit(?:y|ies)|customer[ ]service|help[ ]?desk|administrators?|technicians?|locksmiths?|electricians?|plumbers?
    |mechanics?|carpenters?|websites?|instructions?|resources|representatives?|airline|hotel|lodge|shop|store|seller
    |bank|insurer|school|embassy|operator|company|organi[sz]er|landlord|employer|{_HELP})(?:[ ]directly)?"""
_WHY = rf"""(?:
    (?P<why>[ ]for[ ](?:(?:{_ABOUT}|and)[ ]){{0,3}}{_HELP}{_TOPIC}?(?:[ ](?:and|or)[ ](?:{_ABOUT}[ ])?{_HELP})?
      |[ ]to[ ](?:confirm|check|ask|find[ ]out|verify)[ ](?:whether|if|what|when|how|where)\b[^.;:,]{{0,60}}
      |[ ]to[ ](?:diagnose|discuss|rule[ ]out)[ ](?:the|this|other|any|your)[ ](?:problems?|issues?|causes?|conditions?
        |options|situation)
      |[ ](?:if[ ]needed|if[ ]necessary))
  | {_TOPIC}
  | [ ]before[ ][a-z]+ing[ ](?:(?!\b(?:{_FINITE})\b)[^.;:,]){{1,80}})?"""
_REFERS_EN = re.compile(
    rf"{_WHEN}{_ADVISED}(?:(?P<consult>{_CONSULT})|{_ASK})[ ](?:[a-z'-]+[ ]){{0,5}}?{_WHOM}"
    rf"(?P<either>[ ](?:or|and)[ ](?:{_ASK}[ ])?(?:[a-z'-]+[ ]){{0,4}}?{_WHOM})?{_WHY}[.!]?",
    re.VERBOSE | re.IGNORECASE,
)
_STANDING = r"(?:general|informational|educational|illustrative|reference)"
_ADVICE = r"(?:[a-z]+[ ]){0,3}(?:advice|diagnosis|treatment|consultation|judge?ment|care|opinion)"
_BY_WHOM = (
    rf"(?:[ ](?:from|by|of|with)[ ](?:[a-z]+[ ]){{0,3}}?{_WHOM}(?:[ ](?:or|and)[ ](?:[a-z]+[ ]){{0,3}}?{_WHOM})?)?"
)
_NO_ADVICE = (
    rf"(?:(?:is|are)[ ]not|isn't|aren't|not|does[ ]not|do[ ]not|doesn't|cannot|can't|should[ ]not|shouldn't)[ ]"
    r"(?:a[ ](?:substitute|replacement)[ ]for[ ]|be[ ][a-z]+[ ]as[ ]|replace[ ]|constitute[ ]|substitute(?:[ ]for)?[ ]"
    r"|(?:intended|meant)[ ](?:as|to[ ](?:be|replace))[ ])?(?:an?[ ]|any[ ]|your[ ])?"
    rf"(?:(?<!not[ ]){_ADVICE}{_BY_WHOM}"
    rf"|(?:[a-z]+[ ]){{0,3}}(?:advice|opinion|consultation){_BY_WHOM}|(?:doctor|lawyer|physician)(?:'s[ ]advice)?)"
)
_OF_THE_ANSWER = (
    r"(?:(?:please[ ])?note[ ]that[ ])?(?:this|it|the[ ]above"
    r"|this[ ](?:[a-z]+[ ])?(?:information|answer|summary|content|response|advice|overview|guide)"
    r"|the[ ](?:above[ ])?(?:information|answer|summary)(?:[ ](?:above|provided|here))?)"
)
_LABEL = re.compile(
    r"(?:disclaimer|important|note|please note|reminder|免责声明|声明|注意|提示|温馨提示|特别提醒)"
    r"[*_]{0,3}[:：][*_]{0,3}[ ]*",
    re.IGNORECASE,
)
_DISCLAIMS_EN = re.compile(
    rf"""(?:please[ ]note[ ]that[ ])?(?:this|the)[ ](?:[a-z]+[ ])?(?:information|answer|summary|content|response|advice)
        (?:[ ](?:provided|above|given))?[ ]is[ ](?:provided[ ]|intended[ ])?for[ ]{_STANDING}
        (?:[ ](?:and|or)[ ]{_STANDING})?
        (?:[ ](?:purposes?|information|guidance|use))?(?:[ ]only)?
        (?:,?[ ]and[ ](?:does[ ]not|is[ ]not|should[ ]not|cannot)[ ](?:a[ ]substitute[ ]for|be[ ][a-z]+[ ]as
          |replace
          |constitute|substitute(?:[ ]for)?|intended[ ]to[ ]replace)[ ]{_ADVICE})?[.!]?
      | {_OF_THE_ANSWER}(?:[ ](?:is|provides|gives|offers))?
        (?:[ ](?:only|just|purely|meant|intended|provided|as|for|an?))*[ ]{_STANDING}
        (?:[ ](?:and|or)[ ]{_STANDING})?(?:[ ](?:purposes?|information|guidance|overview|summary|use))
        (?:[ ]only)?(?:(?:,|,?[ ]and|,?[ ]but)[ ]{_NO_ADVICE})?[.!]?
      | {_OF_THE_ANSWER}[ ]{_NO_ADVICE}(?:,[ ](?:just|only|but)(?:[ ]{_STANDING})?[ ](?:information|guidance))?[.!]?
      | (?:(?:please[ ])?(?:note|keep[ ]in[ ]mind)[ ]that[ ])?i(?:'m|[ ]am)[ ]not[ ]an?[ ](?:[a-z]+[ ])?
        (?:lawyer|doctor|physician|pharmacist|attorney|accountant|adviser|advisor|vet|professional|expert)
        (?:,?[ ]so[ ](?:please[ ])?(?:treat|take|see|regard|consider)[ ](?:this|it)[ ]as[ ]{_STANDING}[ ]
        (?:information|guidance)(?:[ ]only)?(?:,?[ ](?:and[ ])?not[ ]{_ADVICE})?)?[.!]?
      | (?:please[ ]note[ ]that[ ])?(?:individual[ ])?(?:circumstances|results|experiences)[ ](?:may|can)[ ]vary
        [.!]?""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOM_ZH = (
    "(?:专业人[士员]|专家|医[生师]|药师|律师|会计师|顾问|客服|(?:工作|技术)人员|厂商|制造商|部门|机构|官网|说明书|手册"
    "|酒店|商家|航空公司|银行)"
)
_HELP_ZH = "(?:信息|资料|建议|意见|帮助|指导|支持|诊断|治疗|解答|说明)"
_ABOUT_ZH = "(?:更多|进一步|专业|详细|具体|准确|个性化|最新|相关|的|和|及|与|、)*"
_REFERS_ZH = re.compile(
    "(?P<when>(?:(?:如|若|假如|要是)(?:果)?(?:您|你)?"
    "(?:仍?有|还有|出现|感到|感觉|遇到|需要?|想|症状|问题|情况|病情|疼痛|不确定|不适|不清楚)[^，。可应须必能会将免退赔]{0,14}[，,])|具体(?:情况|问题|细节|事宜|规定)?)?"
    "(?:(?P<advised>建议|推荐|最好)|请|可以?|应当?|需要?)?(?:您|你|用户)?(?:及时|尽快|进一步|先|直接|务必|向)*(?:就医|就诊)?[或并]?"
    "(?:(?:咨询|联系|询问|寻求|求助|查阅|参考|致电|(?<=向))(?:于|当地|相关|专业|官方|儿科|的|您|你|领域|方面|或者?|和|、)*[^，。0-9]{0,8}?"
    rf"(?:{_WHOM_ZH}|{_HELP_ZH})(?:的?{_HELP_ZH}|(?:进一步)?(?:询问|咨询|确认|核实))?)?"
    rf"(?P<why>[，,]?(?:以便?)?(?:获[取得]|了解|得到){_ABOUT_ZH}(?:{_HELP_ZH}{_ABOUT_ZH})+)?[。！!]?"
)
_DISCLAIMS_ZH = re.compile(
    "(?:(?:以上|上述|本|此)?(?:内容|信息|回答|建议|资料|答复)?(?:仅|只)?供(?:您)?参考"
    "[，,](?:并?不能|不可|不得|不应)(?:代替|替代|取代|作为|构成)[^，。0-9]{0,16}(?:诊断|建议|意见|治疗|依据|咨询)"
    "|(?:请?注意[，,：:])?(?:以上|上述|本)(?:内容|信息|回答|建议|资料|答复|说明)?(?:仅|均|只)?(?:为|是|属于)?(?:一般性?|通用|参考性?)?(?:的?(?:信息|说明|建议|内容|参考|科普))?"
    "(?:[，,]?仅?供(?:您)?参考)?[，,]?(?:并?不(?:构成|能替代|能代替|能取代|可替代|作为|等同于|属于)(?:任何)?)"
    "(?:专业|医疗|法律|投资|财务|税务|正式|的|和|或|医[生师]|律师)*(?:诊断|建议|意见|治疗|依据|咨询|诊疗)(?:和|或)?(?:治疗|建议|意见)?"
    "|(?:(?:以上|上述)(?:内容|信息|回答)?仅供参考[，,])?(?:具体|实际|详情)?(?:情况|内容|政策|信息)?请?"
    "以(?:官方|官网|最新|实际|当地|医生|说明书|公告|现场)[^，。0-9]{0,10}为准"
    "|请?(?:遵医嘱|遵照医嘱))[。！!]?"
)


def refers_elsewhere(stated: str) -> bool:
    """Whether a statement only says whom to ask, in some case, as advice or for what kind of help, or what it is not.

    A bare "Please consult a doctor." may be what the passages say, or not, and so may one with a number or a name.
    """
    plain = _LABEL.sub("", stated.replace("’", "'").strip("*_ "), count=1)
    if _DISCLAIMS_EN.fullmatch(plain) or _DISCLAIMS_ZH.fullmatch(plain):
        return True
    found = _REFERS_EN.fullmatch(plain) or _REFERS_ZH.fullmatch(plain)
    if found is None:
        return False
    parts = found.groupdict()
    either = parts.get("consult") and parts.get("either")
    if not (parts["when"] or parts["advised"] or parts["why"] or either):
        return False
    tokens = tokenize(plain)
    return not (tokens.numbers or tokens.names or tokenize(plain[max(0, found.end("when")) :]).negated)
