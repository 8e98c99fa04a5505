"""What a model thinks aloud inside its reply, told from what it says."""

from __future__ import annotations

import re
from collections import Counter

_WORDS = (
    r"(?:ant|\w{1,12}[_-])?"  # <antThinking>, <inner_monologue>
    r"(?:think|thinking|thoughts?|reasoning|analysis|reflection|scratch[_-]?pad|monologue|思考|推理)"
)
_START = re.compile(
    rf"""<\s*(?:\w{{1,20}}:)?(?:{_WORDS})(?:\s[^<>]{{0,100}})?>     # <think>, <seed:think>, <think step="1">
    | \[(?:THINK|THINKING|思考)\] | ◁think▷
    | <\|(?:begin_of_thought|start_thinking)\|>
    | <\|channel\|>\s*(?:analysis|commentary)
    | (?-i:\A\s*analysis(?=[A-Z]+[a-z'’]*[\s,.]))    # channels whose marks a server took out""",
    re.IGNORECASE | re.VERBOSE,
)
_END = re.compile(
    rf"""<\s*/\s*(?:\w{{1,20}}:)?(?:{_WORDS})\s*>
    | \[/(?:THINK|THINKING|思考)\] | ◁/think▷
    | <\|(?:end_of_thought|end_thinking)\|>
    | final\b[^<>]{{0,40}}(?:<\|constrain\|>[^<>]{{0,40}})?<\|message\|>
    | (?-i:\A\s*analysis(?s:.*)assistantfinal)\s{{0,4}}(?:json)?(?=\s{{0,4}}[{{`\[])""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z_][\w:.-]{0,40})(?:\s[^<>]{0,100})?>")
_SAID = re.compile(
    r"""(?:\w{1,20}:)?(?:final[_-]?|your[_-]?|my[_-]?)?
    (?:answer|output|response|result|reply|verdict|evaluation|judge?ment|assessment|score|rating|json|object|data|text
      |message|assistant|content|completion|tool|tool[_-]?(?:calls?|use)|function|function[_-]?calls?|invoke|arguments
      |parameters?|artifact|conclusion|decision|grade|root|xml|s|pre|code|p|b|i|u|strong|em|div|span|font|center|h[1-6]|section|article
      |blockquote|details|body|html|li|ul|ol|td|tr|table)s?""",
    re.IGNORECASE | re.VERBOSE,
)
"""Tags in which a model speaks."""


def last_end(text: str) -> int:
    """What stands behind the last end of a thought begins here; 0 without any."""
    return max((end.end() for end in _END.finditer(text)), default=0)


def spoken(text: str) -> str:
    """What follows the last thought; an unfinished thought hides everything after it.

    A thought may lack its start, which then stands in the prompt, and thoughts may be nested: nothing before the last
    end is spoken, so that a verdict that was only considered never counts.
    """
    text = text[last_end(text) :]
    start = _START.search(text)
    return text if start is None else text[: start.start()]


def is_aside(before: str, after: str) -> bool:
    """Whether what stands between two texts is inside a tag that is none for answers, as a draft or a plan."""
    opened: Counter[str] = Counter()
    for tag in _TAG.finditer(before):
        name = tag["name"].lower()
        if not tag["end"]:
            opened[name] += 1
        elif opened[name]:
            opened[name] -= 1
    ended = {tag["name"].lower() for tag in _TAG.finditer(after) if tag["end"]}
    return any(name in ended and not _SAID.fullmatch(name) for name in +opened)
