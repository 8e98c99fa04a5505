"""Referrals: "It is recommended to consult a tax professional for more information." states nothing of its subject.

Answers end with them whatever the passages say. What gives a number or a name, or says more than whom to ask and why,
is a claim: "Contact support for a full refund."
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
_WHEN = r"""(?P<when>
    if[ ](?:you(?:r|'re)?|the|this|that|these|those|it|they|symptoms?|problems?|any|necessary|needed|in[ ]doubt)\b
      [^.;:]{0,120}?,[ ]
  | for[ ](?:more|further|additional|specific|detailed|other)\b[^.;:]{0,80}?,[ ])?"""
_ADVISED = r"""(?:
    (?:please|be[ ]sure[ ]to)[ ]
  | (?P<advised>(?:it|this)(?:[ ](?:is|may[ ]be|might[ ]be|would[ ]be|will[ ]be)|'s)[ ]
      (?:(?:always|also|generally|usually|still|therefore|highly|strongly)[ ]){0,2}
      (?:recommended|best|advisable|advised|important|necessary|essential|a[ ]good[ ]idea|wise|better|crucial
        |suggested)[ ](?:that[ ]you|(?:for[ ]you[ ])?to)[ ])
  | (?:you|one)[ ](?:(?:may|might)[ ](?:also[ ])?(?:want|need|wish)[ ]to|should|can|could|must|may|might)[ ]
  | (?:i|we)(?:'d|[ ]would)?[ ](?:recommend|suggest|advise)[ ](?:that[ ])?(?:you[ ])?(?:to[ ])?)?
    (?:(?:also|always|then|first)[ ])?"""
_ASK = r"""(?:consult(?:ing)?(?:[ ]with)?|contact(?:ing)?|seek(?:ing)?|check(?:ing)?(?:[ ]with)?
    |speak(?:ing)?[ ](?:to|with)|talk(?:ing)?[ ](?:to|with)|reach(?:ing)?[ ]out[ ]to
    |refer(?:ring)?[ ]to|get(?:ting)?|ask(?:ing)?)"""
_WHOM = rf"""(?:professionals?|doctors?|physicians?|experts?|specialists?|veterinarians?|vets?|pharmacists?|dentists?
    |advis[oe]rs?|attorneys?|lawyers?|accountants?|providers?|support(?:[ ]team)?|manufacturers?|documentation|manuals?
    |authorit(?:y|ies)|customer[ ]service|help[ ]?desk|administrators?|technicians?|locksmiths?|electricians?|plumbers?
    |mechanics?|carpenters?|websites?|instructions?|resources|{_HELP})"""
_WHY = rf"""(?:
    (?P<why>[ ]for[ ](?:(?:{_ABOUT}|and)[ ]){{0,3}}{_HELP}(?:[ ](?:on|about|regarding|and|or|based)\b[^.;:]{{0,100}})?
      |[ ]to[ ](?:ensure|confirm|verify|check|determine|rule[ ]out|discuss|find[ ]out|learn|diagnose)\b[^.;:,]{{0,100}})
  | [ ](?:about|on|regarding|before)[ ](?:(?!\b(?:is|are|was|were|has|have|can|will)\b)[^.;:,]){{0,80}})?"""
_REFERS_EN = re.compile(
    rf"{_WHEN}{_ADVISED}{_ASK}[ ](?:[a-z'-]+[ ]){{0,5}}?{_WHOM}"
    rf"(?:[ ](?:or|and)[ ](?:{_ASK}[ ])?(?:[a-z'-]+[ ]){{0,4}}?{_WHOM})?{_WHY}[.!]?",
    re.VERBOSE | re.IGNORECASE,
)
_WHOM_ZH = (
    "(?:专业人[士员]|专家|医[生师]|药师|律师|会计师|顾问|客服|(?:工作|技术)人员|厂商|制造商|部门|机构|官网|说明书|手册)"
)
_HELP_ZH = "(?:信息|资料|建议|意见|帮助|指导|支持|诊断|治疗|解答|说明)"
_ABOUT_ZH = "(?:更多|进一步|专业|详细|具体|准确|个性化|最新|相关|的|和|及|与|、)*"
_REFERS_ZH = re.compile(
    "(?P<when>(?:如|若|假如|要是|对于)[^，。]{0,20}[，,])?"
    "(?:(?P<advised>建议|推荐|最好)|请|可以?|应当?|需要?)(?:您|你|用户)?(?:及时|尽快|进一步|先|直接|务必|向)*(?:就医|就诊)?[或并]?"
    rf"(?:(?:咨询|联系|询问|寻求|求助|查阅|参考)(?:于|当地|相关|专业|官方|的|您|你|领域|方面|或者?|和|、)*[^，。0-9]{{0,8}}?"
    rf"(?:{_WHOM_ZH}|{_HELP_ZH})(?:的?{_HELP_ZH})?)?"
    rf"(?P<why>[，,]?(?:以便?)?(?:获[取得]|了解|得到){_ABOUT_ZH}(?:{_HELP_ZH}{_ABOUT_ZH})+)?[。！!]?"
)


def refers_elsewhere(stated: str) -> bool:
    """Whether a statement only says whom to ask, in some case, as advice or for what kind of help.

    A bare "Please consult a doctor." may be what the passages say, or not, and so may one with a number or a name.
    """
    plain = stated.replace("’", "'").strip("*_ ")
    found = _REFERS_EN.fullmatch(plain) or _REFERS_ZH.fullmatch(plain)
    if found is None or not any(found.group("when", "advised", "why")):
        return False
    tokens = tokenize(plain)
    return not (tokens.numbers or tokens.names or tokenize(plain[max(0, found.end("when")) :]).negated)
