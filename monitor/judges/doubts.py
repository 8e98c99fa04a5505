"""Whether what stands around a verdict says that it is none: taken back, an example, only supposed, or another's.

Prose beside a verdict is not what was asked for, so what it may mean is taken seriously: doubt costs one verdict,
belief would make a score that the judge did not give. A word of doubt in a sentence about the judged texts ("the claim
is wrong", "passage 2 says the opposite") is a finding; in any other sentence it is about the verdict.
"""

from __future__ import annotations

import re

from monitor.judges.text.sentences import iter_sentences

_OWN = r"(?:verdicts?|scores?|ratings?|grades?|jsons?|judge?ments?|evaluations?|assessments?|outputs?)"
_NAMES = rf"(?:{_OWN}|values?|numbers?|objects?|repl(?:y|ies)|responses?|results?)"
_IT = (
    rf"(?:the above(?: {_NAMES})?|(?:the|that|all)(?: of the)? (?:previous |earlier )?{_OWN}"
    rf"|(?:this|my|these|those|the (?:above|previous|earlier)) {_NAMES}|(?:the|all) {_NAMES} (?:above|given|shown))"
    r"(?: (?:above|given|shown|here|of [0-9.]{1,8}))?"
)
"""The verdict or the reply, as it is called behind it; a response may also be the judged one."""
_THIS = r"(?:this|that|it|these|those)"
_IS = r"(?:['’]s| is| are| was| were)"
_NOT = r"(?: not|n['’]t|not)"
_ONLY = r"(?:only|just|merely|simply)"
_BEGINS = r"(?:\A|[.!?\n])[\W_]{0,8}"
_END = r"\W{0,8}\Z"
_REST = rf"[^.!?\n{{}}]{{0,40}}{_END}"
"""The rest of the sentence that leads to the verdict."""
_AGAIN = r"(?:correct|revise|reconsider|rethink|redo|change|re-?(?:evaluate|assess|judge|think|check))"
_BLANK = r"(?:placeholders?|dumm(?:y|ies)|mock(?:ed|-?up)?)\b"
_SHAM = rf"(?:{_BLANK}|(?:examples?|samples?|illustrations?|templates?|guess(?:es)?)\b(?! size))"
_A_SHAM = rf"(?:an? |for |the )?(?:\w{{1,20}} )?{_SHAM}"
_JUDGE = r"(?:judged?|evaluated?|assess(?:ed)?|rated?|graded?|scored?)\b"
_READ = (
    r"(?:read|access|open|see|looked? at|check(?:ed)?) (?:the|any|all) (?:\w{1,12} )?"
    r"(?:passages|documents|sources|contexts?|data|texts?|files?|answer)\b(?! (?:that|which))"
)
_UNABLE = (
    rf"\bI (?:can(?:not| not|['’]t)|(?:could|did|have){_NOT}|(?:am|was) (?:not able|unable) to) (?:\w{{1,12}}ly )?"
    rf"(?:{_JUDGE}|{_READ}|(?:verify|confirm) {_IT}|(?:make|give|provide|reach) (?:an?|any|the) (?:\w{{1,12}} )?{_OWN})"
)
_SAY = r"(?:say|answer|reply|output|write|give|return|respond|accept)"
_WOULD = r"\bI(?:['’]d| would| could| might)\b"
_ABOVE = r"(?:以上|上述|上面|前面|刚才)"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_TAKEN_BACK = _any_of(
    rf"{_BEGINS}(?:(?:but|oh|ah|no|actually)\b\W{{0,3}})?wait\b|\bwait(?=,|\.\.|…|!)|{_BEGINS}(?:hm+|oops|hold on)\b",
    r"\b(?:correction:|(?:scratch|strike) that|never ?mind|on second thoughts?|my (?:mistake|bad))",
    r"\b(?:up)?on (?:a )?(?:further |closer |second |another )?"
    r"(?:reflection|reconsideration|inspection|examination|reading|look|review)\b(?! of\b)",
    rf"{_BEGINS}(?:re-?(?:evaluat|consider|assess|check|think|judg)ing|change (?:{_THIS}|the (?:score|verdict)) to)\b",
    rf"\blet me (?:{_AGAIN}|fix (?:it|this|that)|start over|try (?:(?:this|that|it) )?again)",
    r"\bI (?:was wrong|(?:have )?made (?:a mistake|an error)|mis(?:read|judged|understood|took))",
    rf"\bI (?:got {_THIS} wrong|(?:hereby )?(?:retract|withdraw|revoke)\b|take (?:{_THIS}|{_IT}) back\b)",
    rf"\bI (?:\w{{1,12}} ){{0,3}}(?:need|should|must|have|had|want|like|would) (?:to )?{_AGAIN} "
    rf"(?:myself|{_THIS}|{_IT})\b",
    rf"{_UNABLE}|\bbefore I can (?:{_JUDGE}|give)|\bI (?:would|['’]d) (?:lower|raise|change|revise)\b",
    rf"\A\W{{0,8}}(?:that|this){_IS} (?:wrong|incorrect|a mistake|an (?:error|example))",
    rf"\bno,? (?:that|this){_IS} (?:wrong|incorrect|not (?:right|correct))",
    r"\bactually,? (?:no|not|the (?:score|verdict))\b",
    rf"{_BEGINS}{_THIS}{_IS} (?:the wrong {_NAMES}|not an? (?:real|actual)|{_ONLY} {_A_SHAM}|(?:an? )?{_BLANK})",
    rf"{_BEGINS}(?:that|this|it) (?:answer |verdict )?(?:is|was) for (?:a different|another)\b",
    rf"\b{_IT}{_IS} (?:(?:an?|the|all) )?(?:wrong|incorrect|void|invalid|mistaken|mistake)",
    rf"\b{_IT}{_IS} not (?:right|correct|valid|real|reliable)",
    rf"\b{_IT}{_IS} (?:invented|made[ -]up|fabricated|hypothetical|(?:{_ONLY} )?{_A_SHAM})",
    rf"(?:{_BEGINS}|[,:;][\s*_\"'`]{{0,8}})(?:please )?(?:disregard|ignore|forget|discard) (?:the|that|my|this|what)\b",
    rf"{_BEGINS}correct(?:ing|ions?)\b(?: needed)?\b(?! answer)|(?:{_BEGINS}|,[\s*_\"'`]{{0,8}})"
    r"(?:revised|corrected|updated|edit(?:ed)?|amended)(?: (?:score|verdict|reply|answer|json|version))?\s{0,8}[:=]",
    r"更正|纠正|改为|改成|(?:判断|评判|判定|弄|搞|说|看)错|重新(?:评估|评判|判定|打分)|(?:评分|分数)错误|(?:判断|判定|评分|分数)有误",
    r"(?:\A|[。！？，,!?\n])\W{0,4}(?:不对(?=[，,。！!：:…\s]|\Z)|等等[，,])|我(?:实在|目前|现在)?(?:无法|不能|没法|难以)(?:判|评|打分)",
    rf"忽略{_ABOVE}|{_ABOVE}的?(?:\w{{0,4}}(?:作废|无效|不正确|不准|不成立|不算|有误)|\w{{0,6}}(?:示例|样例|占位|模板|随意|编造|虚构|猜))",
)
"""What takes a verdict back, whatever else the sentence says."""
_DOUBT = _any_of(
    r"\b(?:wrong|incorrect|mistaken|inaccurate|invalid|void|unreliable|unusable|failed|unavailable|lie|typo|nope)\b",
    r"\b(?:my|the|an) (?:mistakes?|errors?)\b(?= (?:in my|above|here)|\W*\Z)",
    rf"{_NOT} (?:really )?(?:an? |the |my |be )?(?:right|correct|true|valid|real|actual|final|reliable|accurate)\b",
    rf"{_NOT} (?:really )?(?:confident|possible|hold|my|look|seem|trust|rely|be (?:used|trusted|relied|counted))\b",
    r"\b(?:un(?:able|sure|certain)|sorry|apologi[sz]e|apologies|kidding|joking|confused|lenient|harsh)\b",
    r"\b(?:no, no|instead|no longer)\b",
    r"\b(?:revis(?:e|ing)|(?:reconsider|rethink|retract|withdr[ae]w|revok|scrap|cancel|undo|discard|disregard)\w{0,4})\b",
    r"\b(?:ignore|forget|corrections?|changed?|meant|I mean|other way|opposite|contrary|reversed?|preliminary|TBD)\b",
    r"\b(?:delete|swap|swapped|flip|flipped|invert|inverted|mixed up|reject this|start again|second attempt|my real)\b",
    r"\bshould (?:be|have been) (?:higher|lower|different)\b|\bmade (?:this|it|that|these) up\b|\bmade-up\b",
    rf"\b(?:{_SHAM}|(?:arbitrary|random|hypothetical|fictitious|fallback|demonstration)\b)",
    rf"\b{_ONLY} (?:shows?|demonstrates?|illustrates?|for|(?:here )?to (?:show|satisfy))\b",
    r"忽略|作废|无效|收回|撤回|撤销|改变|反过来|相反|[弄搞][反混]|对调|不算|判错|有误|不准|不对|错了|不可信|请勿|重来|算了",
    r"随便|随意|猜|编造|虚构|示例|样例|占位|模板|抱歉|不好意思|(?:不是|并非)(?:最终|我的|真)|当我没说",
    r"(?:无法|不能|没法|难以)(?:评|判|打分)|不要(?:使用|采用|采信)",
)
"""Words that doubt a verdict where the sentence speaks of nothing else."""
_MATERIAL = _any_of(
    r"\b(?:claims?|statements?|sentences?|passages?|documents?|sources?|contexts?|texts?|evidence|answers?|responses?)\b",
    r"\b(?:questions?|quer(?:y|ies)|users?|customers?|references?|parts?|points?|facts?|details?|reason(?:s|ing)?)\b",
    r"\b(?:explanations?|criteri(?:on|a)|rubric|scale|schema|instructions?|model|service|author)\b",
    r"论断|陈述|说法|段落?|资料|文档|文本|回答|答案|问题|用户|参考|依据|理由|标准|步骤|要点|模型",
)
"""What is judged, and by what."""
_OPEN = _any_of(
    rf"{_BEGINS}(?:if|should you|feel free|let me know|please let)\b|如有|如果|若有|如需",
    r"\bno (?:\w{1,12} )?(?:corrections?|changes?|errors?|mistakes?)\b",
)
"""An offer to hear of mistakes, or the word that there are none."""
_SUPPOSED = _any_of(
    rf"\b(?:for an?|if)\b[^.:\n{{}}]{{0,80}}{_WOULD}[^.:\n{{}}]{{0,40}}\Z",
    rf"\bif I (?:had|were|could)\b[^.\n{{}}]{{0,80}}{_WOULD}{_REST}",
    rf"{_BEGINS}(?:suppos(?:e|ing)|assum(?:e|ing)|imagine|pretend)\b[^.!?\n{{}}]{{0,120}}[:,\s]{{1,4}}\Z",
    rf"\b(?:wrong|an? (?:mistake|error)) to {_SAY}{_END}|{_BEGINS}not (?:this|that){_END}",
    rf"(?:\bI\b[^.\n{{}}]{{0,20}}(?: not|n['’]t| never| refuse to)|{_BEGINS}(?:do not|don['’]t|never)) {_SAY}\b{_REST}",
    rf"\b(?:might|could|may|would|should) look (?:something )?like\b{_REST}|{_UNABLE}{_REST}",
    rf"\bbefore (?:re-?)?(?:reconsider|evaluat|check|think|judg)ing{_END}|\b(?:told|forced) to {_SAY}\b{_REST}",
    r"\b(?:answer|text|passage|document|data|content|instructions?|injection|attacker)\b[^.\n{}]{0,30}"
    r"\b(?:tr(?:y|ies|ying)|attempts?|attempting|wants?|asks?|tells?|instructs?|orders?|contains?|includes?|says?)\b"
    rf"[^.\n{{}}]{{0,30}}\b(?:me|judge|{_SAY}|json|verdict|object)\b{_REST}",
    rf"如果[^。\n]{{0,40}}我(?:就|可能|也许)?会[^。\n]{{0,10}}{_END}|我(?:不会|不能|拒绝)(?:输出|回答|给出)[^。\n]{{0,10}}{_END}",
)
"""What makes a verdict none that follows, whatever else its sentence says."""
_SHOWN = _any_of(
    rf"\b{_SHAM}{_REST}|\be\.g\b|\bhypothetical(?:ly)?\b|\bdrafts?\b(?!>)|\b(?:instead of|rather than)\b",
    r"\b(?:old|outdated|earlier|previous|withdrawn|initial|tentative|preliminary|wrong|incorrect|bad|biased|careless) "
    rf"(?:\w{{1,12}} )?(?:{_NAMES}|impression|judge|evaluator)\b|{_BEGINS}(?:wrong|incorrect|bad){_END}",
    r"\bpreviously\b|\b(?:some(?:one|body)|one) (?:might|could|may)\b",
    r"示例|样例|范例|反例|(?:例如|比如)\W{0,8}\Z|占位|模板|草稿|初步|假设|假如|错误(?:的)?(?:判定|回答|输出)",
)
"""Words for something else than the judge's verdict, in the sentence that leads to it."""
_ANNOUNCED = _any_of(
    rf"\b(?:my|final|requested|resulting|following|given) (?:json )?{_NAMES}\b|\bresults?\b|\bgiven\b|最终|判定结果",
    r"\b(?:expected|requested|described|required|same|that) (?:json )?format\b",
    r"\b(?:the|its|this) (?:answer|claim|statement|passage|response)\b",
)
"""What such a sentence says where it does lead to the verdict."""
_LEAD = 400
"""Characters in front of a verdict in which that sentence is looked for."""


def takes_back(after: str) -> bool:
    """Whether the text behind a verdict says that it does not hold, or that the judge did not judge."""
    if _TAKEN_BACK.search(after):
        return True
    sentences = (sentence.text for sentence in iter_sentences(after))
    return any(_DOUBT.search(one) and not (_MATERIAL.search(one) or _OPEN.search(one)) for one in sentences)


def supposes(before: str) -> bool:
    """Whether the text in front of a verdict makes it an example, a supposition or somebody else's.

    A model that thinks aloud may change its mind in front of it ("wait"); that is no supposition.
    """
    if _SUPPOSED.search(before):
        return True
    *_, lead = "", *(sentence.text for sentence in iter_sentences(before[-_LEAD:]))
    return _SHOWN.search(lead) is not None and not _ANNOUNCED.search(lead)
