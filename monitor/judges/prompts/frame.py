"""The frame around judged text: nothing in it can end the frame or look like a part of the prompt.

The data is one line of JSON between two marker lines that share a random word of this call. A line break, a `<` (chat
templates: `<|im_end|>`, `</s>`) or the random word cannot occur in the line, whatever the text holds. The
instructions stay the same in every call, so that servers can cache them.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from monitor.judges.prompts.evaluation import Evaluation, Language
from monitor.judges.prompts.forged import looks_forged
from monitor.judges.prompts.group import FRAME, Group
from monitor.judges.prompts.material import Material
from monitor.records import RagTrace

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = tuple((mark, f"\\u{ord(mark):04x}") for mark in "<\x7f\x85\u2028\u2029")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one call says. `shown` is everything that an echo could bring back."""

    system: str
    user: str
    shown: tuple[str, ...]
    forged: bool
    """A judged text looks like a part of a prompt or of a verdict: `injection_suspected`."""


class Size(NamedTuple):
    """Length of a text in characters, and in bytes of UTF-8."""

    characters: int
    octets: int


def language_of(trace: RagTrace) -> Language:
    """The language of the instructions: Chinese for Chinese requests, else English."""
    return "zh" if trace.language.partition("-")[0].lower() == "zh" else "en"


def build_prompt(group: Group, asked: Sequence[Evaluation], material: Material, rng: random.Random) -> Prompt:
    """The prompt of one call that asks for some evaluations of a group."""
    data = _data(asked, material)
    system, user = _composed(group, asked, material, f"{rng.getrandbits(64):016x}")
    texts = _texts(data)
    return Prompt(system, user, (system, user, *texts), forged=any(map(looks_forged, texts)))


def size_of_prompt(group: Group, asked: Sequence[Evaluation], material: Material) -> Size:
    """How long that prompt is."""
    return size_of(*_composed(group, asked, material, "0" * 16))


def _composed(group: Group, asked: Sequence[Evaluation], material: Material, word: str) -> tuple[str, str]:
    """The texts of system and user. Which evaluations are asked for stands last: all before it can be cached."""
    language = language_of(material.trace)
    block = encode_data(_data(asked, material)).replace(word, "")
    names = ", ".join(f'"{evaluation.evaluation}"' for evaluation in asked)
    reminder = FRAME.reminder.by(language).replace("{names}", names)
    return group.systems[language], f"BEGIN DATA {word}\n{block}\nEND DATA {word}\n\n{reminder}"


def _data(asked: Sequence[Evaluation], material: Material) -> dict[str, object]:
    return material.data(frozenset(name for evaluation in asked for name in evaluation.data))


def encode_data(data: Mapping[str, object]) -> str:
    """One line of JSON that decodes to the data, lone surrogates replaced by U+FFFD."""
    line = json.dumps(data, ensure_ascii=False, allow_nan=False)
    line = _SURROGATE.sub("\ufffd", line)
    for mark, escaped in _ESCAPED:  # six times as fast as `translate`
        line = line.replace(mark, escaped)
    return line


def size_of(*texts: str) -> Size:
    """How long some texts are together."""
    return Size(sum(map(len, texts)), sum(len(text.encode("utf-8", "surrogatepass")) for text in texts))


def _texts(value: object) -> tuple[str, ...]:
    match value:
        case str():
            return (value,)
        case Mapping():
            return tuple(text for item in value.values() for text in _texts(item))
        case list():
            return tuple(text for item in value for text in _texts(item))
        case _:
            return ()
