"""Whether what stands around a verdict says that it is none: taken back, an example, only supposed, or another's.

Prose beside a verdict is not what was asked for, so what it may mean is taken seriously: doubt costs one verdict,
belief would make a score that the judge did not give. A sentence with a word of doubt that is about nothing but the
reply ("that can't be right") is about the verdict; any word besides ("the claim is wrong", "water is not covered")
makes it a finding.
"""

from __future__ import annotations

import re

from monitor.judges.text.sentences import iter_sentences
from monitor.judges.text.words import is_function_word

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
_BLANK = r"(?:placeholders?|fillers?|dumm(?:y|ies)|mock(?:ed|-?up)?)\b"
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
    r"\bgrain of salt\b|\bI (?:was|am|have been) too (?:lenient|harsh|strict|generous)\b",
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
_CHANGED = _any_of(
    r"\b(?:(?:scratch|strike) the [0-9]|upon second thoughts?)|(?-i:\bTODO\b)",
    r"\blet me (?:lower|raise|reduce|downgrade|bump|drop) (?:it|this|that|the score)\b",
    rf"{_BEGINS}(?:an? |the )?[0-9]{{1,2}}(?:\.[0-9])? (?:is|was) too (?:high|low|generous|lenient|harsh|strict)\b",
    rf"\bI (?:now )?change my (?:answer|mind|{_OWN})\b",
    r"(?:我|上面|前面|刚才|以上)[\u4e00-\u9fff]{0,4}[判评打写给]错",
)
"""What changes it, or fills in for it."""
_DOUBT = _any_of(
    rf"\b(?:not|never|none|cannot|should|could|might|may|no (?:longer|{_NAMES})|no, no)\b|n['’]t\b",
    r"\b(?:wrong|incorrect|mistake[ns]?|errors?|typos?|inaccurate|invalid|void|flawed|premature|unreliable|unusable)\b",
    r"\b(?:un(?:able|sure|certain|available)|failed|lie|nope|sorry|apologi[sz]e|apologies|kidding|joking|confused)\b",
    r"\b(?:revis|reconsider|rethink|rephras|retract|withdr|revok|rescind|scrap|discard|disregard|fabricat|guess)\w{0,4}\b",
    r"\b(?:cancel|undo|delete|swap(?:ped)?|flip(?:ped)?|invert(?:ed)?|mixed up|decline|refuse|reject|redo|suspended)\b",
    r"\b(?:ignore|forget|corrections?|change[ds]?|meant|I mean|other way|opposite|contrary|reversed?|different)\b",
    r"\b(?:instead|preliminary|TBD|retry(?:ing)?|too soon|second thoughts)\b",
    rf"\b(?:made (?:{_THIS} )?up|made-up|start again|second attempt|another look|my (?:real|actual)|was only)\b",
    rf"\b(?:{_SHAM}|(?:arbitrary|random|hypothetical|fictitious|fallback|demonstration|test)\b)",
    r"\b(?:the|my) (?:real|actual|true)(?= \w+ (?:is|follows))",
    rf"\b{_ONLY} (?:shows?|demonstrates?|illustrates?|for|(?:here )?to)\b",
    r"忽略|作废|无效|收回|撤回|撤销|改变|反过来|相反|[弄搞][反混]|对调|不算|判错|有误|不准|不对|错|待定|再想想|不可信|我改(?!变)|等一下|请勿|重来|算了",
    r"随便|随意|猜|编的|编造|虚构|示例|样例|占位|模板|抱歉|不好意思|(?:不是|并非)(?:最终|我的|真)|当我没说",
    r"(?:无法|不能|没法|难以)(?:评|判|打分)|不要(?:使用|采用|采信)",
)
"""Words that doubt a verdict in a sentence that speaks of nothing else."""
_NEUTRAL = _any_of(
    rf"\b(?:{_NAMES}|formats?|schema|purposes?|please|kindly|now|here|note|clear|real|really|actual|actually|final|true)\b",
    r"\b(?:mind|stand|anything|something|everything|attempt|try|previous|earlier|evaluated?|judged?|rated?|assess(?:ed)?)\b",
    r"\b(?:gives?|given|made|make|used?|looks?|looking|got|get|oh|ah|nah|well|okay|unfortunately|fact|sure|think|believe)\b",
    r"\b(?:need|say|said|see|like|let|rather|around|round|way|holds?|two|checked|subject|follows|right|correct|satisfy)\b",
    r"\b(?:ca|wo|task|completed?|possible|else|going|take|up|trust|rel(?:y|ied)|confident|counted|read|verify|valid|seem)\b",
    r"\b(?:reliable|accurate|higher|lower|longer|check|i['’]?(?:d|m|ve)|there['’]s)\b",
    rf"{_ABOVE}|判定|评分|打分|分数|得分|结果|评价|评估|判断|输出|内容|应该|应当|正好|恰好|其实|主意|最终|真实|看看|等一下|这个?|该|此",
    r"请|我|是|的|了|再|一下|改|为|只|仅|并非|并|不|一个|个|给|都|均|作|供|用|采|可|信|判|数|说",
)
"""What else such a sentence may hold: names of the reply, and words that say nothing of what was judged."""
_WORD = re.compile(r"(?<!['’])[^\W_]+")
_SUPPOSED = _any_of(
    rf"\b(?:for an?|if)\b[^.:\n{{}}]{{0,80}}{_WOULD}[^.:\n{{}}]{{0,40}}\Z",
    rf"\bif I (?:had|were|could)\b[^.\n{{}}]{{0,80}}{_WOULD}{_REST}",
    rf"{_BEGINS}(?:suppos(?:e|ing)|assum(?:e|ing)|imagine|pretend)\b[^.!?\n{{}}]{{0,120}}[:,\s]{{1,4}}\Z",
    rf"\b(?:wrong|an? (?:mistake|error)) to {_SAY}{_END}|{_BEGINS}not (?:this|that|my (?:own )?{_OWN}){_END}",
    rf"{_BEGINS}if I (?:had|were|was)\b[^.!?\n{{}}]{{0,60}}{_END}|\buser (?:wants|asks|tells|told) me to {_SAY}{_END}",
    rf"{_BEGINS}(?:some(?:one|body) else|another (?:judge|grader|model)) (?:answered|repli|said|gave|wrote){_REST}",
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
    rf"(?:\w{{1,12}} )?(?:{_NAMES}|impression|judge|grader|rater|evaluator)\b|{_BEGINS}(?:wrong|incorrect|bad){_END}",
    r"\bpreviously\b|\b(?:some(?:one|body)|one) (?:might|could|may)\b",
    r"示例|样例|范例|反例|(?:例如|比如)\W{0,8}\Z|占位|模板|草稿|初步|假设|假如|错误(?:的)?(?:判定|回答|输出)",
)
"""Words for something else than the judge's verdict, in the sentence that leads to it."""
_ANNOUNCED = _any_of(
    rf"\b(?:my|final|requested|resulting|following|given) (?:json )?{_NAMES}\b|\bresults?\b|\bgiven\b|最终|判定结果",
    r"\b(?:expected|requested|described|required|same|that) (?:json )?format\b",
    r"\b(?:the|its|this) (?:answer|claim|statement|passage|response)\b|(?:根据|按照?|参照|依照)",
    r"\b(?:according to|as in|following|using|based on|by|per) (?:the|this|your|my)\b",
)
"""What such a sentence says where it does lead to the verdict."""
_LEAD = 400
"""Characters in front of a verdict in which that sentence is looked for."""


def takes_back(after: str) -> bool:
    """Whether the text behind a verdict says that it does not hold, or that the judge did not judge."""
    if _TAKEN_BACK.search(after) or _CHANGED.search(after):
        return True
    return any(_doubts(sentence.text) for sentence in iter_sentences(after))


def _doubts(sentence: str) -> bool:
    """Whether a sentence has a word of doubt and is about nothing but the reply."""
    rest = _DOUBT.sub(" ", sentence)
    if rest == sentence:
        return False
    return all(map(is_function_word, _WORD.findall(_NEUTRAL.sub(" ", rest).casefold())))


def supposes(before: str) -> bool:
    """Whether the text in front of a verdict makes it an example, a supposition or somebody else's.

    A model that thinks aloud may change its mind in front of it ("wait"); that is no supposition.
    """
    if _SUPPOSED.search(before):
        return True
    *_, lead = "", *(sentence.text for sentence in iter_sentences(before[-_LEAD:]))
    return _SHOWN.search(lead) is not None and not _ANNOUNCED.search(lead)
