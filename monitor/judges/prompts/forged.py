"""Text in what is judged that looks like a part of a prompt or of a verdict."""

from __future__ import annotations

import re

_FORGED = re.compile(
    r"""\[\s*+(?:/\s*+)?(?:(?:END|BEGIN|START)\s+(?:OF\s+)?)?(?:ANSWER|PASSAGES?|QUESTION|VERDICT|DATA)\s*\]
    | \b(?:BEGIN|END)\ DATA\b
    | ["'](?:verdict|claims|claim_count|parts|part_count|findings|severity|score)["']\s*:
    | <\|?/?(?:im_start|im_end|system|assistant|eot_id|endoftext|start_header_id|start_of_turn|end_of_turn)\b
    | \[/?INST\] | <</?SYS>>
    | \bas\ (?:the|an|a)\ (?:evaluator|judge|grader)\b.{0,20}\byou\ (?:must|should|shall|will)\b
    | \bignore\ (?:all\ |any\ )?(?:the\ )?(?:previous|prior|above|earlier)\ (?:instructions|rules|prompts?)\b
    | 忽略(?:以上|上述|之前|前面)(?:的)?(?:所有|全部|一切)?(?:指令|指示|规则|提示)
    | (?:评审|评判|评估|裁判)(?:者|员|模型)?.{0,6}(?:必须|应当|应该).{0,12}(?:判定|判为|给出|打)""",
    re.IGNORECASE | re.VERBOSE,
)


def looks_forged(text: str) -> bool:
    """Whether there is any in a text."""
    return _FORGED.search(text) is not None
