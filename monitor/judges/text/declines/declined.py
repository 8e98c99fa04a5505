"""What stands beside a decline in the same sentence: more of it, or a statement that can be judged."""

from __future__ import annotations

import re

from monitor.judges.text.tokens import tokenize

_BETWEEN = re.compile(
    r"[,;:](?=\s|$)\s*|[，；：]\s*|(?<=[\u3400-\u9fff])[,;:]|\s[–—-]+\s|[–—]{1,4}"
    r"|\s(?=because\b|as (?:[a-z]+ ){1,3}(?:is|are|was|were)\b"
    r"|(?:since|while|whereas|given that|as) (?:it|they|he|she|there|(?:the|its|their|our) [a-z]+) [a-z]{2,})"
    r"|\sand (?=(?:so |thus |therefore )?(?:it|they|he|she|this|there) )",
    re.IGNORECASE,
)
"""Where clauses meet."""
_INSERTED = re.compile(
    r"\b(that|whether|if|what|how|why|when|where|who|which), (?:for|on|in|at|during|besides|apart from|as)\b"
    r"[^,]{1,40}, "
    r"|, if (?:any|so|applicable)(?:, |(?=\.?$))",
    re.IGNORECASE,
)
"""What is put between a conjunction and its clause: `that, on weekends, the hotel is closed`."""
_BRACKETS = re.compile(r"[(（]([^()（）]{1,200})[)）]")
_EVIDENCE = re.compile(
    r"\b(?:contexts?|passages?|documents?|documentation|information|texts?|sources?|excerpts?|results|materials?|data)\b"
    r"|资料|文档|上下文|信息|知识库|文件|材料|原文|内容",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(r"such as|including|例如|比如|包括", re.IGNORECASE)
_TOPIC = re.compile(
    r"(?:(?:or )?(?:whether|how (?:much|many|long|often))"
    r"|regarding|concerning|as (?:for|of)|with regards?|about|if|based|according|from|for"
    r"|in|on|at|to|as an?|given th(?:is|at)|despite|after|i|i'm|i've|we|you|your|my|so|sorry|unfortunately)\b"
    r"|关于|对于|针对|根据|截至|就|有关|您|你|我|如果|若|在|从|至于",
    re.IGNORECASE,
)
"""How a clause in front of a decline begins that only says what is declined."""
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|can|will|costs?|lasts?|takes?|opens?|closes?|includes?|offers?)\b"
    r"|是|为(?!您)|可以?|能够|必须|应|将|已|有(?!关)|需|免",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:(?:and|or|nor) )?(?:like|e\.g\.|i\.e\.|for (?:example|instance)|who|whom|whose|what|when|where|why|how"
    r"|whether|if|nor)\b|or\b|and (?:the|its|their|other|any)\b(?!.*\b(?:is|are|was|were|has|have|can|will|costs?)\b)"
    r"|(?:例如|比如|包括|以及|或者?|和|如)",
    re.IGNORECASE,
)
"""How a clause begins that names more of what is declined."""
_ASKED = re.compile("是否|何时|何地|多少|如何|哪|什么|怎么|怎样|几|谁|为何|有没有|能不能|是不是|可不可以")
_REASON = re.compile(
    r"(?:as|because|since|so|therefore|thus|which)\b.*\b(?:no|not|cannot|n't|unable|impossible|unclear|illegal"
    r"|unethical|harm|harmful|dangerous|unsafe|against|violates?|privacy|inappropriate|personal|sensitive|policy|beyond|outside"
    r"|an ai|my (?:knowledge|training))\b"
    r"|(?:因为|由于|所以|因此)?(?:这|此|它|该)?.{0,6}(?:涉及|违反|违法|隐私|不道德|不合适|不当|不安全|超出|属于敏感|有害)",
    re.IGNORECASE,
)
"""Why something is declined, of the asking and not of the subject."""
_NAMED_ZH = re.compile(r"[^，。]{0,12}(?:信息|内容|资料|说明|规定|记录|答案|细节|详情|情况)")
_DENIED_ZH = re.compile(
    r"(?:也|都|并|均|尚)*(?:没有?|未能?|不)(?:有|明确|具体|直接)*"
    r"(?:提及|提到|说明|找到|涉及|给出|提供|记载|介绍|写明|清楚|知道|回答|确定)"
    r"|(?:资料|信息|内容|证据|数据)(?:不足|有限|不全|不够)"
    r"|(?:还?请|敬请|望)(?:您)?(?:稍后|稍候|谅解|理解|见谅|知悉|核实)"
)
_UNABLE = re.compile(
    r"(?:it|this|that) (?:is|was|would be) (?:therefore |thus |also )?"
    r"(?:(?:not|im)[ ]?possible|unclear|not clear|hard|difficult|unknown)\b",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"(?:(?:so|and|therefore|thus|hence|then|because|as|since)\b"
    r"|因此|所以|故而?|因而|因为|由于|也|并且?|而且|且)[ ,，]*",
    re.IGNORECASE,
)
_JOINS = re.compile(r"(?:and|or|nor)\b", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or|nor)\b", re.IGNORECASE)
_NAMES_NOTHING = re.compile(r"(?:it|this|that|these|them|so|any|anything|either)?", re.IGNORECASE)
_LONGEST_ITEM = 4
"""Words of what is named in a list."""
_COMPARED = re.compile(
    r"\b(?:find|found|see|locate|located)[ ][^.,;:]{0,60}\bthan\b"
    r"|(?:找到|查到|检索到|发现)[^，。]{0,16}(?:低于|高于|超过|少于|多于|不到|更)",
    re.IGNORECASE,
)


_OF_SOME_ZH = re.compile(
    "^(?:没有(?:相关|找到|任何)|看不出|难以(?:判断|确定))[^，。]{0,12}的[^，。]{1,8}(?:不[得能予]|一律|[需须应可将由])"
)
"""What is so for those of whom nothing is known: 没有相关记录的客人需支付押金."""


def states_an_absence(sentence: str) -> bool:
    """Whether what looks like a decline says that there is no such thing: "nothing cheaper than 500 euros"."""
    return _COMPARED.search(sentence) is not None or _OF_SOME_ZH.search(sentence) is not None


def clauses(text: str) -> list[str]:
    """The clauses of a sentence, without marks at their ends."""
    return [clause.strip(" .。!！*_") for clause in _BETWEEN.split(_INSERTED.sub(r"\1 ", text))]


def statements_in_brackets(text: str) -> list[str]:
    """What a sentence states in round brackets."""
    return [
        inside for inside in _BRACKETS.findall(text) if _PREDICATE.search(inside) and not names_the_declined(inside)
    ]


def without_connective(clause: str) -> str:
    """A clause without `so`, 因此 and the like at its beginning."""
    return _CONNECTIVE.sub("", clause, count=1) if _CONNECTIVE.match(clause) else clause


def names_the_declined(clause: str) -> bool:
    """Whether a clause in front of a decline says what is asked for or what the evidence is, and no more."""
    counts, has_verb = bool(tokenize(clause).numbers), _PREDICATE.search(clause) is not None
    if any(find(clause) for find in (_TOPIC.match, _EVIDENCE.search, _UNABLE.match, _ASKED.search)):
        return not (counts and has_verb)
    return not (counts or has_verb)


def others_than_declined(named: str, behind: list[str]) -> list[str]:
    """Those of the clauses behind a decline that do not name more of what is declined, or why it is.

    `named` is what the decline's own clause names behind it: "do not mention opening hours, prices or addresses".
    """
    listed = any(map(_JOINS.match, behind))
    if _NAMES_NOTHING.fullmatch(named) is None:
        listed |= any(_is_item(clause) and _JOINED.search(clause) for clause in behind)
    return [clause for clause in behind if clause and not _goes_on(clause) and not (listed and _is_item(clause))]


def _is_item(clause: str) -> bool:
    short = len(clause.split()) <= _LONGEST_ITEM
    return clause.isascii() and short and not tokenize(clause).numbers and _PREDICATE.search(clause) is None


def _goes_on(clause: str) -> bool:
    if _EXAMPLES.match(clause):
        return True
    if tokenize(clause).numbers:
        return False
    names_more = _LIST.match(clause) or _DENIED_ZH.match(clause) or _NAMED_ZH.fullmatch(clause)
    return bool(names_more or _REASON.match(clause) or _UNABLE.match(clause) or _ASKED.search(clause))
