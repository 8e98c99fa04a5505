"""What makes a statement of words that could name something: verbs, and how far something goes."""

from __future__ import annotations

import re

from monitor.judges.text.words import stem_of

STATES = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|(?<!to[ ])do|did|can|could|may|might|must|will|would|should|shall"
    r"|need|needs)\b(?!-)"
    r"|[是无]|为(?![什何])|[有没](?!关)|不|可以|(?:可(?!能的)|应(?![急用对])|必(?!备))须?(?!知)|会(?!议)|(?<!所)需(?!要注意|知)|将",
    re.IGNORECASE,
)
"""Verbs of statements."""
ACTS = frozenset(
    map(
        stem_of,
        """receive receives get gets give gives take takes pay pays make makes die dies kill kills ignore ignores delete
        deletes inject injects swallow swallows keep keeps lose loses earn earns win wins enter enters expire expires
        fall falls rise rises grow grows go goes come comes become becomes allow allows require requires provide
        provides contain contains include includes accept accepts buy buys sell sells bring brings send sends spend
        spends begin begins wear wears apply applies throw throws refuse refuses deny denies made went gave took came
        fell rose grew lost won sold built found paid""".split(),  # noqa: SIM905 - a word list reads as text
    )
)
"""Verbs, as stems, that are seldom nouns: behind its first word a statement has one."""
COMMANDS = frozenset(map(stem_of, ("drink", "eat", "inject", "swallow", "mix", "ignore", "delete", "throw", "stop")))
"""Verbs, as stems, with which a command begins rather than the name of something."""
LIMITS = re.compile(
    r"\b(?:no|not|never|none|nothing|only|free|every|unlimited|lifetime|always|until|(?<=[ ])within|permanent)\b(?!-)"
    r"|[ ]all[ ]"
    r"|\b(?:included|excluded|allowed|permitted|prohibited|forbidden|banned|guaranteed)\b"
    r"|全部|所有|任何|终身|永久|免费|全额|[仅只均都]|禁止|至[少多]|最[多少]|以内|包含|赠送|保证|未",
    re.IGNORECASE,
)
"""What a longer line says of something rather than names it."""
