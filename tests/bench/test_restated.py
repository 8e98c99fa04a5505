"""Sentences that the rest of the passages says in other words, of which the embedded judge learns."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

LEAD = "The city council of Rome decided to close the aged bridge after 2 storms."
BODY = (
    "The vote of the council came on Monday night.",
    "Two storms had damaged the bridge in the old city.",
    "Rome will close it in June.",
    "Traffic is to take the tunnel instead.",
)


def test_a_lead_that_its_body_tells_is_taken_out_of_the_evidence(module: ModuleType) -> None:
    contexts = [" ".join((LEAD, *BODY))]
    told = {one.text: one for one in module.restated(contexts, ["The mayor of Berlin spoke."], "en", random.Random(1))}
    found = told[LEAD]
    assert LEAD not in found.rest[0]
    assert all(sentence in found.rest[0] for sentence in BODY)
    assert {"name", "number"} <= found.wrong.keys()
    assert LEAD not in found.wrong.values()


@pytest.mark.parametrize(
    "lead",
    [
        "The city council of Rome and Milan decided to close the aged bridge after 2 storms.",
        "The city council of Rome decided to close the aged bridge after 14 storms.",
        "Shares of the largest bank fell sharply when its chairman resigned without notice.",
        "Two storms had damaged the bridge in the old city.",
    ],
)
def test_what_the_body_does_not_tell_or_copies_is_none(module: ModuleType, lead: str) -> None:
    """A name, a number or most words more than the rest holds, or no word less."""
    assert lead not in {found.text for found in module.restated([" ".join((lead, *BODY))], [], "en", random.Random(1))}


def test_a_short_passage_has_none(module: ModuleType) -> None:
    assert not list(module.restated([LEAD], [], "en", random.Random(1)))


def test_chinese_sentences_may_be_shorter(module: ModuleType) -> None:
    lead = "市议会决定六月关闭老城的旧桥。"
    body = "周一晚上市议会就老城的旧桥作出决定。两场暴风雨损坏了这座桥。六月起旧桥将会关闭。车辆改走江底隧道。"
    assert [found.text for found in module.restated([lead + body], [], "zh", random.Random(1))][:1] == [lead]
