"""The sentences of an answer that state something: talk, questions and layout are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from monitor.judges.text.clauses import clauses_of
from monitor.judges.text.metadiscourse.calculations import SIGNS, calculated_in
from monitor.judges.text.metadiscourse.citations import raised, without_citations
from monitor.judges.text.metadiscourse.code import fences, is_scaffolding
from monitor.judges.text.metadiscourse.conversions import converted_in, without_conversions
from monitor.judges.text.metadiscourse.layout import ends_like_a_sentence, is_layout, source_label
from monitor.judges.text.metadiscourse.leadins import without_lead_ins
from monitor.judges.text.metadiscourse.listed import count_in
from monitor.judges.text.metadiscourse.pointers import is_pointer, names_a_place, names_sources
from monitor.judges.text.metadiscourse.references import listed_numbers, without_references
from monitor.judges.text.metadiscourse.referrals import refers_elsewhere
from monitor.judges.text.metadiscourse.tables import ordered_in
from monitor.judges.text.metadiscourse.talk import without_talk
from monitor.judges.text.sentences import Sentence, split_sentences
from monitor.judges.text.spellings.otherwise import Otherwise
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.words import is_function_word

_TAG = re.compile(
    r"</?(?:[abipu]|br|em|strong|span|div|li|[uo]l|h[1-6]|t[dhr]|table|small|font|sup|sub)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_LONE_ANSWER = re.compile(
    r"[*_]{0,3}(?:(?:yes|no|yep|yeah|nope|correct|right|exactly|indeed|ok(?:ay)?|true|false)"
    r"|不?是的?|不?可以的?|不?对的?|不?正确|不?包含|不?支持|不?需要|不?能|不?会|没错|有的?|没有|嗯)[。！!.,，]{0,3}[*_]{0,3}$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"""(?:[*_]{2,3}[^*_\n]{1,60}(?:[*_]{2,3}[ ]?[:：–—-]|[:：][*_]{2,3})
      | (?:[^\W\d_](?>[\w'’&/-]{0,30}(?![\w'’&/-])  # to the end of the word: it can be cut in one way only
                     |[\w'’&/-]{0,30}(?=[^\W\d_]))[ ]?){1,4}[:：](?=(?:\s+\S+){4}))\s*(?=\S)""",
    re.VERBOSE,
)
"""A short label before a statement: `**Opening Hours:** Visitors may ...`."""
_QUESTION = re.compile(r"[?？](?:[^\w.。!！]|</\w{1,10}>){0,8}$")

_ASSERTING = re.compile(
    r"[,，;；—–][ ]?(?:right|correct|no|ok(?:ay)?|(?:isn't|aren't|wasn't|doesn't|don't|didn't)[ ](?:it|they|he|she|you)"
    r"|是吧|对吧|对吗|不是吗)[ ]?[?？]"
    r"|^(?:did you know (?:that )?|(?:would you like|do you want) to (?:know|hear) that |are you aware that )\w",
    re.IGNORECASE,
)
"""Questions that state what they ask about."""


_BOLD_MARK = re.compile(r"(?P<mark>[*_]{1,3})\(?(?:[0-9]{1,3}[.)、]|(?:[0-9]\ufe0f?\u20e3){1,2})\s{1,4}\Z")
"""The number of an item that begins in bold with its label: `**1. Badge:** ...`."""
_BLANK = re.compile("[\u00a0\u2007\u2009\u202f](?![0-9])|(?<![0-9])[\u00a0\u2007\u2009\u202f]")
"""Other blanks, which models write in front of units; between digits they are no blanks (`numbers/notation.py`)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that can be checked, with the tokens of what it states, of all of it and of each clause."""

    sentence: Sentence
    tokens: Tokens
    clauses: tuple[Tokens, ...]


def stated_part(sentence: str) -> str:
    """What a sentence states: without tags, citation marks and lead-ins ("Answer:", "Yes,", "According to ...,")."""
    plain = _TAG.sub(" ", raised(sentence)) if "<" in sentence else sentence
    return without_lead_ins(without_citations(plain).strip())


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence is a question, a lone yes or no, or talk: a greeting, a lead-in, an offer of help.

    None of them can be checked: a lone "Yes." states what only the question says.
    """
    return _is_no_statement(sentence) or not without_talk(sentence)


def _is_no_statement(sentence: str) -> bool:
    asks = _QUESTION.search(sentence) and not _ASSERTING.search(sentence)
    return bool(asks or _LONE_ANSWER.match(sentence))


_LONGEST_MARK = 16
"""Characters."""


def _tokens_of(stated: str) -> Tokens:
    """Tokens of a statement. A label in front of it says no name by its capitals, and what follows begins anew."""
    label = _LABEL.match(stated)
    if label is None:
        return tokenize(stated)
    said = tokenize(without_lead_ins(stated[label.end() :]))
    above = tokenize(label[0])
    return Tokens(
        above.words + said.words,
        above.numbers | said.numbers,
        said.names,
        negated=above.negated or said.negated,
        values=above.values | said.values,
        named=above.named | said.named,
        amounts=above.amounts | said.amounts,
        otherwise=above.otherwise | said.otherwise,
        denies_bound=above.denies_bound or said.denies_bound,
        text=stated,
        singles=above.singles | said.singles,
    )


def _with_own_count(tokens: Tokens, count: str) -> Tokens:
    """`tokens` of which a number that only counts what the answer lists is held by any sentence."""
    if not count or tokens.words.count(count) > 1:
        return tokens
    return replace(tokens, otherwise=tokens.otherwise | {Otherwise((count,), "")})


def _shown(sentence: Sentence, answer: str) -> Sentence:
    """`sentence` with the mark of a list in front of it where an emphasis begins there that ends in the sentence."""
    mark = _BOLD_MARK.search(answer, max(0, sentence.start - _LONGEST_MARK), sentence.start)
    if mark is None or sentence.text.count(mark["mark"]) % 2 == 0:
        return sentence
    return Sentence(answer[mark.start() : sentence.end], mark.start(), sentence.end)


def claims_of(answer: str) -> tuple[Claim, ...]:
    """The checkable sentences of `answer`, in order; empty when nothing in it can be checked.

    Citation marks, lead-ins such as "According to the passages," and references to numbered passages or to the answer's
    own steps are no part of what is stated. Layout and referrals state nothing, and neither do the lines after a label
    such as "Sources:" that name sources, up to one that ends like a sentence. A web address, a file name or a section
    of a document alone on its line points at evidence, unless the answer holds nothing else.
    """
    answer = _BLANK.sub(" ", answer)
    found: list[Claim] = []
    pointers: list[Claim] = []
    listing, own, blocks = None, listed_numbers(answer), fences(answer)
    for sentence in split_sentences(answer):
        label = source_label(sentence.text)
        listing = label or (None if ends_like_a_sentence(sentence.text) else listing)
        if listing and (label or names_sources(sentence.text, titles=listing["only"] is not None)):
            continue
        if blocks and is_scaffolding(sentence.text, sentence.start, blocks):
            continue
        stated = stated_part(sentence.text)
        if _is_no_statement(stated) or is_layout(sentence, answer) or refers_elsewhere(stated):
            continue
        points = is_pointer(stated) or names_a_place(stated)
        stated = without_references(without_talk(stated), own)
        converted, stated = converted_in(stated), without_conversions(stated)
        tokens = _with_own_count(_tokens_of(stated), count_in(stated, answer[sentence.end :]))
        results = frozenset(Otherwise((result, *SIGNS), "") for result in calculated_in(stated))
        ordered = frozenset(ordered_in(sentence.text, answer[: sentence.start]))
        tokens = replace(tokens, otherwise=tokens.otherwise | results | ordered)
        if not all(is_function_word(word) for word in tokens.words):
            clauses = (replace(clause, amounts=clause.amounts | converted) for clause in clauses_of(stated, tokens))
            whole = replace(tokens, amounts=tokens.amounts | converted)
            (pointers if points else found).append(Claim(_shown(sentence, answer), whole, tuple(clauses)))
    return tuple(found or pointers)
