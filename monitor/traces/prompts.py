"""Cutting the question and the context block out of a filled prompt, by the frames that templates use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from monitor.traces.messages import last_text
from monitor.traces.reading import Message

_CONTEXT_VARIABLES = ("context", "context_str", "contexts", "documents", "docs", "passages", "sources")
_QUESTION_VARIABLES = ("question", "query", "query_str", "user_query", "user_input", "input")

_START = r"(?:^|\n)[ \t>*#]*(?:\*\*)?"
_END = r"(?:\*\*)?[ \t]*[:：](?:\*\*)?"
_CONTEXT_LABEL = re.compile(
    _START
    + r"(?:(?:retrieved |relevant |provided |given )?(?:contexts?|documents?|passages?|sources?|search results"
    + r"|references?|excerpts?)|context information|background|knowledge(?: base)?"
    + r"|已知(?:信息|内容)|参考(?:资料|内容|文档|信息)|上下文|背景(?:信息|知识|资料)"
    + r"|知识库|资料|检索(?:结果|内容)|文档内容|文档)"
    + _END,
    re.IGNORECASE,
)
_QUESTION_LABEL = re.compile(
    _START
    + r"(?:(?:user(?:'s)? |the |current |follow[- ]up )?(?:question|query)|用户问题|用户提问|当前问题|问题|提问)"
    + _END,
    re.IGNORECASE,
)
_ANSWER_LABEL = re.compile(
    _START + r"(?:(?:helpful |final |your )?answer|response|回答|答案|答复|答)" + _END, re.IGNORECASE
)
_CONTEXT_TAG = re.compile(
    r"<(contexts?|documents?|docs|sources|passages|search_results|retrieved_(?:docs|documents|context))>\s*(.*?)\s*</\1>",
    re.IGNORECASE | re.DOTALL,
)
_QUESTION_TAG = re.compile(r"<(question|query|user_question|user_query)>\s*(.*?)\s*</\1>", re.IGNORECASE | re.DOTALL)
_RULED = re.compile(r"(?:^|\n)Context information is below\.?\s*\n-{3,}\n(.*)\n-{3,}(?:\n|$)", re.DOTALL)
_FIELD = re.compile(r"(?:^|\n)\[\[ ## (\w+) ## \]\][ \t]*\n?(.*?)(?=\n\s*\[\[ ## |\Z)", re.DOTALL)
"""DSPy marks each field of its prompts and replies."""
_NUMBERED = re.compile(r"(?:^|\n)【1】")
_MANY = 10_000_000
"""Characters beyond which a prompt is not searched."""


def context_block(messages: Sequence[Message], variables: Mapping[str, str]) -> str | None:
    """The context that was filled into the prompt, as one text; None when no known frame is there, empty when it is.

    Template variables come first, then the last user message, then system messages: earlier turns are no context.
    """
    for name in _CONTEXT_VARIABLES:
        if name in variables:
            return variables[name].strip()
    asked = last_text(messages, "user")
    candidates = [asked] if asked is not None else []
    candidates += [message.text for message in messages if message.role in {"system", "developer"}]
    return next((block for text in candidates if (block := _context_in(text)) is not None), None)


def prompt_question(messages: Sequence[Message], variables: Mapping[str, str], texts: Iterable[str]) -> str | None:
    """The user's question out of a filled prompt; None when it cannot be told from the rest.

    `texts` are the retrieved documents: a user message that holds one of them is a filled template, not a question.
    """
    for name in _QUESTION_VARIABLES:
        if variables.get(name, "").strip():
            return variables[name]
    asked = last_text(messages, "user")
    if asked is None or len(asked) > _MANY:
        return None
    if (cut := _question_in(asked)) is not None:
        return cut
    filled = _context_in(asked) is not None or any(text in asked for text in texts if text)
    return None if filled else asked


def without_question(messages: Sequence[Message], question: str | None) -> str:
    """The system messages and the last user message, less the question: the last resort for a context."""
    texts = [message.text for message in messages if message.role in {"system", "developer"}]
    texts.append(last_text(messages, "user") or "")
    whole = "\n".join(text for text in texts if text)
    if question:
        head, found, tail = whole.rpartition(question)
        whole = head + tail if found else whole
    return whole.strip()


def marked_answer(reply: str) -> str | None:
    """A model's reply as the user got it: out of field marks where it has them; None when no answer field is there."""
    if "[[ ## " not in reply:
        return reply
    fields = {match[1]: match[2].strip() for match in _FIELD.finditer(reply)}
    return next((fields[name] for name in ("answer", "response", "output") if name in fields), None)


def _context_in(text: str) -> str | None:
    if len(text) > _MANY:
        return None
    for pattern, group in ((_CONTEXT_TAG, 2), (_RULED, 1)):
        if match := pattern.search(text):
            return match[group].strip()
    for match in _FIELD.finditer(text):
        if match[1] in _CONTEXT_VARIABLES:
            return match[2].strip()
    start = _CONTEXT_LABEL.search(text)
    at = start.end() if start else None
    if at is None and (numbered := _NUMBERED.search(text)):
        at = numbered.start()
    return None if at is None else text[at : _block_end(text, at)].strip()


def _block_end(text: str, start: int) -> int:
    """Where the last question label after the block stands: a passage may itself hold `Question:` and `Answer:`."""
    for label in (_QUESTION_LABEL, _QUESTION_TAG, _ANSWER_LABEL):
        starts = [match.start() for match in label.finditer(text, start)]
        if starts:
            return starts[-1]
    return len(text)


def _question_in(text: str) -> str | None:
    tags = list(_QUESTION_TAG.finditer(text))
    if tags:
        return tags[-1][2] or None
    for match in _FIELD.finditer(text):
        if match[1] in _QUESTION_VARIABLES:
            return match[2].strip() or None
    labels = list(_QUESTION_LABEL.finditer(text))
    if not labels:
        return None
    start = labels[-1].end()
    answer = _ANSWER_LABEL.search(text, start)
    context = _CONTEXT_LABEL.search(text, start)
    end = min(match.start() if match else len(text) for match in (answer, context))
    return text[start:end].strip() or None
