"""Reading attributes by key or by numbered prefix, for every convention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from monitor.traces.reading import Role, Rule
from monitor.traces.values import as_float, as_json, as_mapping, as_text
from monitor.wire import AttributeValue, Span

# plain names under which applications put what no convention has a key for into their free metadata
SESSION_NAMES = ("session_id", "thread_id", "conversation_id")
USER_NAMES = ("user_id",)
TENANT_NAMES = ("tenant", "tenant_id")
APP_VERSION_NAMES = ("app_version", "service_version")
PROMPT_NAMES = ("prompt_version",)
KNOWLEDGE_BASE_NAMES = ("knowledge_base", "knowledge_base_version", "knowledge_base_id", "kb_version", "kb_id")

_MAX_DIGITS = 6
_GIVES_ANSWER = re.compile(r"(?:submit_?)?final_?(?:answer|result|output)(?:_?tool)?", re.IGNORECASE)
_RETRIEVES = re.compile(r"retriev|search|knowledge|(?:^|[^a-z])rag(?:[^a-z]|$)", re.IGNORECASE)
_TEXTUAL = (str, bytes, int, float)


def text_of(attributes: Mapping[str, AttributeValue], *keys: str) -> str | None:
    """The first non-blank text under the keys; numbers count as text (ids may be integers), structures do not."""
    for key in keys:
        value = attributes.get(key)
        if value is None:
            continue  # the usual case: this runs for every key of every convention on every span
        if isinstance(value, _TEXTUAL) and (text := as_text(value)) and text.strip():
            return text
    return None


def count_of(attributes: Mapping[str, AttributeValue], *keys: str) -> int | None:
    """The first whole number of 0 or more under the keys."""
    for key in keys:
        if key not in attributes:
            continue
        number = as_float(attributes[key])
        if number is not None and number >= 0 and number.is_integer():
            return int(number)
    return None


def gives_answer(tool: str | None) -> bool:
    """Whether a tool of this name only hands over the agent's answer: what went through it is no evidence for it."""
    return tool is not None and _GIVES_ANSWER.fullmatch(tool) is not None


def names_retrieval(name: str) -> bool:
    """Whether the name of a function says that it retrieves."""
    return _RETRIEVES.search(name) is not None


def step_if_answer(role: Role | None, tool: str | None) -> Role | None:
    """The role, but that of a step for a tool of this name that only hands over the agent's answer."""
    return Role.STEP if role is Role.TOOL and gives_answer(tool) else role


def texted(key: str) -> Rule[str]:
    """The rule for a text under a key, see `text_of`."""
    return Rule(key, lambda span: text_of(span.attributes, key), key)


def quoted(key: str) -> Rule[str]:
    """The rule for a text that may stand in JSON quotes under a key."""
    return Rule(key, lambda span: word(as_json(span.attributes.get(key))), key)


def word(value: AttributeValue) -> str | None:
    """A value that is a non-blank text or a number, as text."""
    return text_of({"": value}, "")


def member(key: str, *names: str) -> Rule[str]:
    """The rule for a text in the JSON object under a key: the first of these members that holds one."""
    where = f"{key}: {', '.join(names)}"
    return Rule(where, lambda span: text_of(_members(span, key, names), *names), key)


def counted_member(key: str, *names: str) -> Rule[int]:
    """The rule for a count in the JSON object under a key: the first of these members that holds one."""
    where = f"{key}: {', '.join(names)}"
    return Rule(where, lambda span: count_of(_members(span, key, names), *names), key)


def _members(span: Span, key: str, names: Iterable[str]) -> Mapping[str, AttributeValue]:
    """The JSON object under a key; an empty one, without parsing, when the text cannot have any of these members.

    JSON without an escape spells their names as they are. Metadata is asked for one member after another.
    """
    value = span.attributes.get(key)
    if isinstance(value, str) and "\\" not in value and not any(name in value for name in names):
        return {}
    return as_mapping(value)


def named(prefix: str, names: Iterable[str]) -> tuple[Rule[str], ...]:
    """The rules for texts in free metadata, one key for each name."""
    return tuple([quoted(prefix + name) for name in names])


def versioned(*parts: str | None) -> str | None:
    """Name and version of a prompt as one text, as far as they are given: two prompts may both have a version 3."""
    return ":".join([part for part in parts if part is not None]) or None


def prompt_version(name: str, *versions: str) -> Rule[str]:
    """The rule for the version of a prompt, see `versioned`: its name under a key, and the first text under others."""
    keys = (name, *versions)

    def read(span: Span) -> str | None:
        return versioned(text_of(span.attributes, name), text_of(span.attributes, *versions))

    return Rule(", ".join(keys), read, keys)


def counted(key: str) -> Rule[int]:
    """The rule for a count under a key, see `count_of`."""
    return Rule(key, lambda span: count_of(span.attributes, key), key)


def numbered(attributes: Mapping[str, AttributeValue], prefix: str) -> list[dict[str, AttributeValue]]:
    """Flattened list items `PREFIX.N.rest`, by N, each as a mapping of `rest` to its value.

    Numbers may start anywhere and have gaps: SDKs drop attributes over their limit.
    """
    found: dict[int, dict[str, AttributeValue]] = {}
    start = prefix + "."
    for key, value in attributes.items():
        if value is not None and key.startswith(start):
            index, _, rest = key[len(start) :].partition(".")
            if index.isascii() and index.isdigit() and len(index) <= _MAX_DIGITS and rest:
                found.setdefault(int(index), {})[rest] = value
    return [found[index] for index in sorted(found)]
