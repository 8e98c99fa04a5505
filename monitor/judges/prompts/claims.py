"""Reads lists of claims: each piece of one text held against another, the score is the share that stands.

What a model may get wrong is treated the same every time:

- a word that is not one of the verdicts, a missing claim text, a passage number that was not shown, or a verdict on a
  passage without its number: the whole verdict is `parse`, as none of its parts can be trusted;
- one claim twice with one verdict counts once, and with two verdicts it makes the whole verdict `parse`;
- a verdict that needs a quotation, and the quotation does not stand where it should: that claim was not judged. The
  score is over the others, `coverage` says how many they are, and `quote_not_found` is flagged;
- fewer claims than the model says it made: the score is over those that came, and `claims_missing` is flagged;
- a claim that the text does not make (`listing`): not judged either, `claims_foreign` is flagged;
- a sentence of the answer without a claim (`listing`): a missing claim, `claims_left_out` is flagged. It is the flag
  alone for a reference, of which only what responds to the question is to be listed, and for a question, whose parts
  have names of their own;
- less than half of the claims judged: `parse`; more claims than announced: a miscount, all of them count; a negative
  number of them: `invalid_score`;
- no claim at all: `not_scorable{no_claims}` for an answer that states nothing by our own reading, too; else the judge
  overlooked something, or was talked out of it: `judge_error{no_claims}`, a missing verdict.

Over several windows a claim has the best of its verdicts: it is supported when any window supports it, contradicted
only when a window contradicts it and none supports it.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Literal

from pydantic import Field

from monitor.config.section import Section
from monitor.errors import JudgeRejected
from monitor.judges.prompts.listing import Listing, compare, compare_parts
from monitor.judges.prompts.material import Material
from monitor.judges.prompts.quotes import Quotable, folded
from monitor.judges.prompts.reading import Items, Reading, Said, reject, text_of, whole_number
from monitor.judges.reasons import Reason
from monitor.judges.replies.parse import choice
from monitor.judges.replies.strict_json import Json
from monitor.judges.text.claims import claims_of
from monitor.records import Evidence

MIN_COVERAGE = 0.5
MAX_NAMED = 5
"""Claims that an explanation quotes."""
MAX_QUOTED = 300
"""Characters of a sentence of the text that an explanation quotes."""
UNVERIFIED = "unverified"
"""Label of a claim whose quotation does not stand where it should; never leaves this module's readings."""
CLAIMS_FOREIGN = "claims_foreign"
CLAIMS_LEFT_OUT = "claims_left_out"
CLAIMS_MISSING = "claims_missing"
QUOTE_NOT_FOUND = "quote_not_found"

Read = Callable[[str], Quotable]


class Claims(Section):
    """See the module's docstring. `verdicts` stand from the strongest to the weakest."""

    kind: Literal["claims"]
    of: Literal["answer", "question", "reference"] = Field(description="The text that is split.")
    against: Literal["passages", "answer"] = Field(description="The text that they are held against.")
    items: str = "claims"
    item: str = "claim"
    count: str = "claim_count"
    verdicts: dict[str, float] = Field(description="Score of each verdict.")
    quoted: tuple[str, ...] = Field(description="Verdicts that need a quotation.")
    labels: tuple[str, str] = Field(description="Label without and with a claim of score 0.")

    def judged(self, said: Said, material: Material) -> Items:
        """The claims of one call. Raises JudgeRejected."""
        given = said.verdict[self.items]
        announced = whole_number(said.verdict[self.count])
        if not isinstance(given, list) or announced is None:
            reject("schema")
        if announced < 0:
            raise JudgeRejected(Reason.INVALID_SCORE)
        read = functools.cache(Quotable)  # a passage is often quoted several times
        evidence = self._each_once(self._stated_and_read(claim, material, read) for claim in given)
        if material.claims is not None and [*map(_key, evidence)] != [*map(folded, material.claims)]:
            reject("claims")
        return Items(evidence, missing=max(0, announced - len(given)))

    def merge(self, earlier: Items, later: Items) -> Items:
        """The claims of `earlier`, each with the best of its verdicts in both."""
        found = {_key(piece): piece for piece in later.evidence}
        evidence = tuple(min(piece, found.get(_key(piece), piece), key=self._rank) for piece in earlier.evidence)
        return Items(evidence, earlier.missing)

    def unsettled(self, items: Items) -> tuple[str, ...]:
        """The claims that another window may still settle otherwise."""
        return tuple(piece.text for piece in items.evidence if self._rank(piece) > 0)

    def reading(self, items: Items, material: Material) -> Reading:
        """The score of all the claims. Raises JudgeRejected when there are too few."""
        if not items.evidence and not items.missing:
            return self._nothing(material)
        listing = self._listing(items, material)
        own = tuple(piece for place, piece in enumerate(items.evidence) if place not in listing.foreign)
        evidence = tuple(piece for piece in own if piece.label != UNVERIFIED)
        left_out = len(listing.left_out) if self.of == "answer" else 0
        # one that was announced and did not come is most likely the one of a sentence that has none
        coverage = len(evidence) / (len(items.evidence) + max(items.missing, left_out))
        flags = {
            CLAIMS_MISSING: items.missing > 0,
            QUOTE_NOT_FOUND: len(evidence) < len(own),
            CLAIMS_FOREIGN: bool(listing.foreign),
            CLAIMS_LEFT_OUT: bool(listing.left_out),
        }
        if coverage < MIN_COVERAGE:
            reject(next(flag for flag, is_set in flags.items() if is_set))
        return Reading(
            score=sum(piece.score for piece in evidence) / len(evidence),
            label=self.labels[any(piece.score == 0 for piece in evidence)],
            explanation=_explanation(evidence, next(iter(self.verdicts)), items, listing),
            evidence=evidence,
            coverage=coverage,
            flags=tuple(flag for flag, is_set in flags.items() if is_set),
        )

    def _listing(self, items: Items, material: Material) -> Listing:
        """How the claims compare with the text that they are of."""
        claims = [piece.text for piece in items.evidence]
        question = material.text("question")
        match self.of:
            case "answer":
                around = (question, material.trace.search_query or "")
                return compare(claims, [material.text("answer")], around)
            case "reference":
                return compare(claims, material.references, [question])
            case "question":
                return compare_parts(claims, question)

    def _nothing(self, material: Material) -> Reading:
        if self.of != "answer" or claims_of(material.text("answer")):
            raise JudgeRejected(Reason.NO_CLAIMS)
        return Reading(score=None, reason=Reason.NO_CLAIMS)

    def _rank(self, piece: Evidence) -> int:
        """0 for the strongest verdict. What could not be verified may have been just that one."""
        ranks = [*self.verdicts]
        ranks.insert(1, UNVERIFIED)
        return ranks.index(piece.label)

    def _each_once(self, given: Iterable[tuple[str, Evidence]]) -> tuple[Evidence, ...]:
        """Each claim once, with a quotation that stands where one was given."""
        kept: dict[str, tuple[str, Evidence]] = {}
        for verdict, piece in given:
            before = kept.setdefault(_key(piece), (verdict, piece))
            if before[0] != verdict:
                reject("two_verdicts")
            if before[1].label == UNVERIFIED:
                kept[_key(piece)] = (verdict, piece)
        return tuple(piece for _, piece in kept.values())

    def _stated_and_read(self, claim: Json, material: Material, read: Read) -> tuple[str, Evidence]:
        """The verdict that is stated, and the claim with what became of it."""
        if not isinstance(claim, dict) or not folded(text_of(claim, self.item)):
            reject("claim")
        label, score = choice(claim.get("verdict"), self.verdicts)
        piece = Evidence(text_of(claim, self.item), score, label=label, note=text_of(claim, "reason"))
        match self.against:
            case "passages":
                number = _passage_number(claim.get("passage"), material, required=label in self.quoted)
                piece = _placed(dataclasses.replace(piece, passage=number), material)
                place = _place_in_passage(text_of(claim, "quote"), number, material, read)
                quoted = dataclasses.replace(piece, passage_start=place[0], passage_end=place[1]) if place else piece
            case "answer":
                place = read(material.text("answer")).find(text_of(claim, "quote"))
                quoted = dataclasses.replace(piece, start=place[0], end=place[1]) if place else piece
        if label not in self.quoted:
            return label, piece
        return label, quoted if place else dataclasses.replace(piece, label=UNVERIFIED, score=0.0)


def _placed(piece: Evidence, material: Material) -> Evidence:
    """With its place in the answer, where it stands there word for word."""
    start = material.text("answer").find(piece.text)
    return piece if start < 0 else dataclasses.replace(piece, start=start, end=start + len(piece.text))


def _place_in_passage(quote: str, number: int, material: Material, read: Read) -> tuple[int, int] | None:
    for excerpt in material.excerpts:
        place = read(excerpt.text).find(quote) if excerpt.number == number else None
        if place is not None:
            return place[0] + excerpt.start, place[1] + excerpt.start
    return None


def _passage_number(value: Json, material: Material, *, required: bool) -> int:
    number = whole_number(value)
    if number is None or (number not in material.numbers and (required or number != 0)):
        reject("passage")
    return number


def _key(piece: Evidence) -> str:
    return folded(piece.text)


def _explanation(evidence: tuple[Evidence, ...], best: str, items: Items, listing: Listing) -> str:
    """For a person: how many claims stand, which do not, which were not asked for and what was left out.

    The first few of each, quoted.
    """
    standing = sum(piece.score == 1 for piece in evidence)
    told = {
        "Not so": [f'"{piece.text}" ({piece.label})' for piece in evidence if piece.score == 0],
        "Not of this text": [f'"{items.evidence[place].text}"' for place in sorted(listing.foreign)],
        "Left out": [f'"{sentence[:MAX_QUOTED]}"' for sentence in listing.left_out],
    }
    lists = [f"{what}: {'; '.join(named[:MAX_NAMED])}" for what, named in told.items() if named]
    return " ".join((f"{standing} of {len(evidence)} {best}.", ". ".join(lists))).strip()
