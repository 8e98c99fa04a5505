"""What makes a statement of words that could name something: verbs, and how far something goes."""

from __future__ import annotations

import re

STATES = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|will|would|should|shall|need|needs)\b"
    r"|[是无]|为(?![什何])|[有没](?!关)|不|可以|[可应必]须?(?!知)|会(?!议)|(?<!所)需(?!要注意|知)|将",
    re.IGNORECASE,
)
"""Verbs of statements."""
LIMITS = re.compile(
    r"\b(?:no|not|never|none|nothing|only|free|every|unlimited|lifetime|always|until|within|permanent)\b|[ ]all[ ]"
    r"|\b(?:included|excluded|allowed|permitted|prohibited|forbidden|banned|guaranteed)\b"
    r"|全部|所有|任何|终身|永久|免费|全额|[仅只均都]|禁止|至[少多]|最[多少]|以内|包含|赠送|保证|未",
    re.IGNORECASE,
)
"""What a longer line says of something rather than names it."""
