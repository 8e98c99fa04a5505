"""Adverbials of time and manner that a claim adds to what a passage denies: `at any time`, 随时, 在线.

What is not so is not so at any time nor by e-mail, unless a passage says that it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from monitor.judges.grounding.contrary import clauses_of, says_contrary
from monitor.judges.grounding.harmless import bare
from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.words import NEGATIONS, is_run

_COUNT = (
    r"(?:the first )?(?:[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|thirty|sixty)"
)
_UNIT = r"(?:(?:business|working|calendar) )?(?:minute|hour|day|night|week|month|year)s?"
_FROM = r"(?: (?:before|after|of|from|prior to|following) (?:the |your |their |its )?[a-z]{1,20})?"
_ENGLISH = re.compile(
    r"[ ,]{0,2}\b(?:"
    r"(?:at )?any ?time|at all times|whenever (?:you|they) (?:like|want|wish)|around the clock|24/7|24 hours a day"
    rf"|(?:with)?in {_COUNT} {_UNIT}{_FROM}|(?:up to|for|until) {_COUNT} {_UNIT}{_FROM}"
    r"|every (?:day|week|month|year)|daily|(?:on|at) (?:weekdays|weekends)|all year round|year-round|all day"
    r"|online|in person"
    r"|(?:by|via|over the|through the|in the) (?:e-?mail|phone|telephone|app|website|internet|post|fax)"
    r"|free of charge|for free|at no (?:extra |additional )?(?:cost|charge)|without (?:any )?(?:fees?|charge|penalty)"
    r"|in full|immediately|instantly|automatically|easily|freely|on the spot"
    r")(?![\w-])",
    re.IGNORECASE,
)
_COUNT_ZH = "[0-9零一二两三四五六七八九十百半]{1,5}个?"
_EVENT_ZH = "(?:购买|付款|支付|下单|签收|收货|发货|到货|入住|预订|订购|出票|激活|注册|开通|提交)"
_CHINESE = re.compile(
    "随时随地|随时|任何时[候间]|任意时间|全天候|全天|全年|每[天日周月年]|周末|工作日|24小时(?![以之]?[内后前])"
    f"|(?:[自在于从]?{_EVENT_ZH}(?:之日|之)?[起后]?|在|于)?{_COUNT_ZH}(?:工作日|自然日|天|日|小时|分钟|周|星期|月|年)(?:之内|以内|内)"
    "|在线上?|线上|网上|(?:通过|经由?|使用|用)(?:电话|短信|电子邮件|邮件|微信|官网|网站|小程序|手机|应用|APP|App)"
    "|免费|无偿|全额|立即|立刻|马上|当场|自动|自由|无条件"
)
_ON_CONDITION = re.compile(
    r"\b(?:after|before|within|during|once|when|while|if|as|since|from|in|by|on|at|for|with|under|through|thereafter|afterwards?|then"
    r"|otherwise|else|later|unless|until|till|except|exceptions?|without|only|this|these|those|that|such)\b|[:：?？0-9]"
    r"|[后前内时]|若|如|除|否则|逾期|超|过期|期间|此|该|这|仅|只|例外",
    re.IGNORECASE,
)
"""What may say beside a clause that it is so only then."""
_EXCEPTION = re.compile(
    r"\b(?:otherwise|else|unless|except|exceptions?|exempt(?:ed)?|however)\b|除|否则|例外|但", re.IGNORECASE
)
_LABEL = re.compile("[:：]")
_END = re.compile(r"(?<=[.!?])\s|[。！？]")
MOST_READ = 16
"""Different sentences that are read for one claim whether they affirm it."""
_LEAST = 2
_ANOTHER, _ANOTHER_APART = 1, 2
"""Words in which a clause about another thing differs from one about the same, at most."""


class Added(NamedTuple):
    """A claim without its adverbials, and what these are."""

    core: Tokens
    adverbial: Tokens
    content: frozenset[str]
    """What carries content in the core."""

    def is_denied_by(self, text: str) -> bool:
        """Whether a sentence of a text, or a clause of it, says that the core is not so, and nothing of when or how."""
        if not says_contrary(text, self.core):
            return False
        sentences = [sentence for sentence in _END.split(text) if sentence]
        return any(map(self._is_plainly_denied, sentences)) and not _EXCEPTION.search(text)

    def _is_plainly_denied(self, sentence: str) -> bool:
        if not says_contrary(sentence, self.core):
            return False
        others = (clause for clause in clauses_of(sentence) if not says_contrary(clause, self.core))
        return not any(map(_ON_CONDITION.search, others)) and _LABEL.search(sentence) is None

    def is_affirmed_by(self, text: str, *, counted: bool) -> bool:
        """Whether a text or a clause of it says the core, or some of it with the adverbials, and negates nothing.

        So does what says a number of theirs, be it in another way (`counted`). Not where it says another thing in place
        of one of the claim, and else all that the claim says.
        """
        tokens = tokenize(text)
        if counted and not self.adverbial.numbers <= tokens.numbers:
            return True
        return any(map(self._is_said_by, clauses_of(text) if tokens.negated else [text]))

    def _is_said_by(self, clause: str) -> bool:
        tokens = tokenize(clause)
        said = content_of(bare(tokenize(_parted(clause)[0]).words))
        missing, more = self.content - said, said - self.content
        most = _ANOTHER_APART if any(map(is_run, self.core.words)) else _ANOTHER
        another = 0 < len(missing) <= most and 0 < len(more) <= most
        numbers = self.adverbial.numbers
        if numbers and numbers <= tokens.numbers:
            return not another
        if tokens.negated:
            return False
        about = content_of(self.adverbial.words) <= content_of(tokens.words) and not self.content.isdisjoint(said)
        return not missing or (about and not another)


def added_to(claim: Tokens) -> Added | None:
    """The adverbials of a claim that says more than them, None without any."""
    rest, adverbials = _parted(claim.text)
    if not adverbials:
        return None
    core = tokenize(rest)
    content = content_of(bare(core.words))
    if len(content) < _LEAST:
        return None
    return Added(core, tokenize("; ".join(adverbials)), content)


def content_of(words: Iterable[str]) -> frozenset[str]:
    """The words that carry content."""
    return frozenset(word for word in words if WEIGHTS[word] > 0.0) - NEGATIONS


def _parted(text: str) -> tuple[str, list[str]]:
    """A text without adverbials, and these."""
    found: list[str] = []

    def kept(match: re.Match[str]) -> str:
        found.append(match[0])
        return ""

    return _CHINESE.sub(kept, _ENGLISH.sub(kept, text)), found
