"""Cutting the question and the context block out of a filled prompt, by the frames that templates use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from monitor.traces import frames
from monitor.traces.messages import last_text
from monitor.traces.reading import Message
from monitor.traces.values import as_json

_MANY = 2_000_000
"""Characters beyond which a prompt is not searched."""
_LONG_RULE = 8
"""Dashes from which on a line frames the context."""
_SEARCHED = 200_000_000
"""Characters that are searched for documents in one prompt: thousands of documents may be none of it."""


def named_context(variables: Mapping[str, str]) -> str | None:
    """The context among the values that were filled into a prompt; None when none has such a name."""
    return next((variables[name].strip() for name in frames.CONTEXT_VARIABLES if name in variables), None)


def context_block(messages: Sequence[Message]) -> str | None:
    """The context that was filled into the prompt, as one text; None when no known frame is there, empty when it is.

    The last user message comes first, then those right before it, then system messages: earlier turns are no context.
    """
    asked = _asked(messages)
    candidates = [asked] if asked is not None else []
    candidates += _beside_asked(messages)
    candidates += _instructions(messages)
    if asked is None:
        candidates += _nobodys(messages)
    # a sentence in the user's own words may sound like one of a template; a frame anywhere says more
    blocks = (block for read in (_framed, _announced) for text in candidates if (block := read(text)) is not None)
    return next(blocks, None)


def _instructions(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if message.role in {"system", "developer"}]


def _beside_asked(messages: Sequence[Message]) -> Iterator[str]:
    """The user messages that nothing parts from the last one, the nearest first: frameworks add the context as one."""
    turns = [message for message in messages if message.role not in {"system", "developer"}]
    while turns and turns[-1].role != "user":
        turns.pop()
    yield from (message.text for message in takewhile(lambda one: one.role == "user", reversed(turns[:-1])))


def _nobodys(messages: Sequence[Message]) -> Iterator[str]:
    """The texts with a context in a frame that closes it, of messages whose speaker is unknown (Spring AI's log).

    Several may stand in one, in quotation marks: a wrong cut leaves a frame open, or none at all.
    """
    texts = (text for message in messages if not message.role for text in message.text.split('", "'))
    yield from (text for text in texts if len(text) <= _MANY and (frames.RULED.search(text) or is_filled(text)))


def _asked(messages: Sequence[Message]) -> str | None:
    """The last user message; one of several lines that was written as JSON once more is read again."""
    asked = last_text(messages, "user")
    if asked is not None and asked[:1] == '"' and asked[-1:] == '"' and "\\n" in asked:
        read = as_json(asked)
        return read if isinstance(read, str) else asked
    return asked


def users_words(messages: Sequence[Message]) -> str | None:
    """What the user typed, as an agent is given it: an application may have filled a template with it before.

    None when the rest of the template cannot be told from it.
    """
    return prompt_question(messages, ())


def named_question(variables: Mapping[str, str]) -> str | None:
    """The question among the values that were filled into a prompt; None when none has such a name."""
    return next((variables[name] for name in frames.QUESTION_VARIABLES if variables.get(name, "").strip()), None)


def prompt_question(messages: Sequence[Message], texts: Iterable[str]) -> str | None:
    """The user's question out of a filled prompt; None when it cannot be told from the rest.

    `texts` are the retrieved documents: a user message that holds one of them is a filled template, not a question.
    """
    asked = _asked(messages)
    if asked is None or len(asked) > _MANY:
        return None
    if (cut := _question_in(asked)) is not None:
        return cut
    if (words := _before_context(asked)) is not None:
        return words
    filled = _framed(asked) is not None or holds_any(asked, texts)
    spoken_of = not filled and _announced(asked) is not None
    return None if filled or (spoken_of and not any(map(_framed, _instructions(messages)))) else asked


def is_grading(messages: Sequence[Message]) -> bool:
    """Whether a judgement is asked for: from a grader, on an answer in the prompt, or by a grade to be filled in."""
    instructions = (one.text for one in messages if one.role in {"system", "developer", "user"})
    if any(frames.GRADER.search(text, 0, frames.HEAD) for text in instructions):
        return True
    asked = _asked(messages)
    if asked is None or len(asked) > _MANY:
        return False
    lines = _in_lines(asked.rstrip())
    if frames.GRADE.search(lines, max(0, len(lines) - frames.TAIL)):
        return True
    answered = max((match.start() for match in frames.JUDGED.finditer(lines)), default=-1)
    questions = (match.start() for match in frames.QUESTION_LABEL.finditer(lines, answered)) if answered >= 0 else ()
    return answered >= 0 and next(iter(questions), None) is None and frames.JUDGING.search(lines) is not None


def announced_at(text: str) -> int | None:
    """Where a sentence begins that announces the context behind the user's words; None without one."""
    return min((at for sentence in frames.ANNOUNCED if (at := text.find(sentence)) >= 0), default=None)


def is_filled(text: str) -> bool:
    """Whether a text is a prompt that was filled in: a context and a question stand in it, each in its frame."""
    return len(text) <= _MANY and bool(_context_in(text)) and _question_in(text) is not None


def holds_any(text: str, documents: Iterable[str]) -> bool:
    """Whether one of the documents stands in a text, word for word; of very many the first are looked for."""
    return any(document in text for document in islice(documents, _SEARCHED // (len(text) + 1)) if document)


def without_question(messages: Sequence[Message], question: str | None) -> str:
    """The system messages and the last user message, less the question: the last resort for a context."""
    texts = _instructions(messages)
    texts.append(last_text(messages, "user") or "")
    whole = "\n".join(text for text in texts if text)
    if question:
        # the last place, from behind: `find` is linear on any text, and `rfind` is not
        behind = whole[::-1].find(question[::-1])
        end = len(whole) - behind
        whole = whole[: end - len(question)] + whole[end:] if behind >= 0 else whole
    return whole.strip()


def marked_answer(reply: str) -> str | None:
    """A model's reply as the user got it: out of field marks where it has them; None when no answer field is there."""
    if frames.MARK not in reply:
        return _behind_thoughts(reply)
    fields = dict(_fields(reply))
    return next((fields[name] for name in ("answer", "response", "output") if name in fields), None)


def _behind_thoughts(reply: str) -> str:
    """What an agent that thinks aloud gives as its final answer; any other reply as it is."""
    _, mark, answer = reply.rpartition(frames.FINAL)
    return answer.strip() if mark and reply.lstrip().startswith(frames.THINKS) and answer.strip() else reply


@dataclass(frozen=True, slots=True)
class _Tagged:
    """What stands between two tags, stripped, and where they stand."""

    start: int
    text: str
    end: int
    """Where the closing tag ends."""


def _tagged(text: str, pattern: re.Pattern[str], start: int = 0) -> Iterator[_Tagged]:
    """Each opening tag with the next closing one of its name; inside a pair no other is looked for.

    Takes linear time, however many tags stay open: they are paired here and not by the pattern.
    """
    tags = list(pattern.finditer(text, start))
    closing: dict[str, re.Match[str]] = {}
    pairs: list[tuple[re.Match[str], re.Match[str]]] = []
    for tag in reversed(tags):
        name = tag[2].casefold()
        if tag[1]:
            closing[name] = tag
        elif name in closing:
            pairs.append((tag, closing[name]))
    done = start
    for opened, closed in reversed(pairs):
        if opened.start() >= done:
            yield _Tagged(opened.start(), text[opened.end() : closed.start()].strip(), closed.end())
            done = closed.end()


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """The marked fields with their stripped values, in order."""
    if frames.MARK not in text:
        return
    lines = _in_lines(text)
    marks = list(frames.FIELD.finditer(lines))
    ends = [*(mark.start() for mark in marks[1:]), len(lines)]
    for mark, end in zip(marks, ends, strict=False):
        value = lines[mark.end() : end].strip()
        if mark[2] and not mark[1] and value != f"{{{mark[2]}}}":  # the template itself stands in system messages
            yield mark[2], value


def _in_lines(text: str) -> str:
    """A text whose first line, too, stands behind a line break."""
    return "\n" + text


def _context_in(text: str) -> str | None:
    framed = _framed(text)
    return _announced(text) if framed is None else framed


def _framed(text: str) -> str | None:
    """The context between tags or rules, in a field, behind a label or at the first numbered passage."""
    if len(text) > _MANY:
        return None
    if tagged := list(_tagged(text, frames.CONTEXT_TAG)):  # an empty one may only be spoken of
        return next((one.text for one in tagged if one.text), "")
    lines = _in_lines(text)
    if match := frames.RULED.search(lines):
        return match[1].strip()
    field = next((value for name, value in _fields(text) if name in frames.CONTEXT_VARIABLES), None)
    if field is not None:
        return field
    label = _context_label(lines)
    numbered = None if label else frames.NUMBERED.search(lines)
    at = label.end() if label else numbered.start() if numbered else None
    return None if at is None else _unfenced(lines[at : _block_end(lines, at)])


def _announced(text: str) -> str | None:
    """The context above a sentence that speaks of it, else behind one."""
    if len(text) > _MANY:
        return None
    lines = _in_lines(text)
    if above := frames.ABOVE.search(lines):
        return _unfenced(lines[: above.start()]) or None
    announced = frames.LED_IN.search(lines, 0, frames.HEAD + 1) if _may_announce(lines) else None
    return _unfenced(lines[announced.end() : _block_end(lines, announced.end())]) or None if announced else None


def _context_label(lines: str) -> re.Match[str] | None:
    """The first label of a context that stands outside of code, else the first one."""
    fences, at, first = 0, 0, None
    for label in frames.CONTEXT_LABEL.finditer(lines):
        fences += lines.count(frames.CODE, at, label.start() + len(frames.CODE) - 1)
        at, first = label.start(), first or label
        if fences % 2 == 0:
            return label
    return first


def _may_announce(text: str) -> bool:
    """Whether a sentence may announce a context: it is not looked for in vain, which takes a while."""
    head = text[: frames.HEAD]
    return not head.isascii() or any(map(head.lower().__contains__, frames.ANNOUNCING))  # other scripts have more cases


def _unfenced(text: str) -> str:
    """A text, stripped of the marks that a template put around it, and of what it says behind it."""
    text = text.strip()
    closing = frames.CLOSING.search(text, max(0, len(text) - frames.TAIL))
    text = _between_rules(text[: closing.start()] if closing else text).strip()
    for fence in frames.FENCES:
        if text.startswith(fence) and text.endswith(fence) and len(text) >= 2 * len(fence):
            return text[len(fence) : -len(fence)].strip()
    return text


def _between_rules(text: str) -> str:
    """A text without a line of dashes in front, nor what stands behind the only other one that is as long.

    Short ones may part the documents.
    """
    opened = frames.RULE.match(text)
    if opened is None:
        return text
    rule = opened[0].strip()
    inside, closed, rest = text[opened.end() :].partition(f"\n{rule}\n")
    is_closed = closed and len(rule) >= _LONG_RULE and rule not in rest
    return inside if is_closed else text[opened.end() :]


def _task_in(text: str) -> str | None:
    """What an agent of CrewAI is told to do, where its prompt says what the answer must be like."""
    start = text.find(frames.TASK)
    end = text.find(frames.TASK_END, start)
    return None if start < 0 or end < 0 else text[start + len(frames.TASK) : end].strip() or None


def _behind_tags(text: str) -> str | None:
    """The one line that stands alone behind a tagged context and a blank line: the user's words without a label."""
    tagged = list(_tagged(text, frames.CONTEXT_TAG))
    apart, _, rest = text[tagged[-1].end :].partition("\n\n") if tagged else ("", "", "")
    rest = rest.strip()
    is_alone = not apart.strip() and "\n" not in rest and frames.ANSWER_LABEL.match(_in_lines(rest)) is None
    return rest if rest and is_alone else None


def _block_end(lines: str, start: int) -> int:
    """Where the last question label after the block stands: a passage may itself hold `Question:` and `Answer:`.

    Under a heading of LightRAG's kind the next one ends it, too.
    """
    heading = frames.SECTION.match(lines, lines.rfind("\n", 0, start))
    section = frames.SECTION.search(lines, start) if heading and heading.end() == start else None
    if section is not None:
        return section.start()
    questions = (match.start() for match in frames.QUESTION_LABEL.finditer(lines, start))
    tags = (tagged.start for tagged in _tagged(lines, frames.QUESTION_TAG, start))
    answers = (match.start() for match in frames.ANSWER_LABEL.finditer(lines, start))
    short = _short_question(lines, start)
    shorts = [] if short is None else [short.start()]
    lasts = (max(starts, default=None) for starts in (questions, tags, shorts, answers))
    return next((last for last in lasts if last is not None), len(lines))


def _short_question(lines: str, start: int = 0) -> re.Match[str] | None:
    """The last line that is labelled as a question with one letter."""
    at = max(lines.rfind("\nQ", start), lines.rfind("\nq", start))
    return None if at < 0 else frames.SHORT.match(lines, at)


def _before_context(text: str) -> str | None:
    """The user's words in front of the context; None when the context does not stand behind them."""
    for announced in frames.ANNOUNCED:
        line, behind, _ = text.partition(announced)
        if behind and line.strip() and "\n" not in line.strip():
            return line.strip()
    if (asked := _asked_above(text)) is not None:
        return asked
    at = text.find(frames.BELOW)
    words = text[: max(at, 0)].rstrip(" \t")
    if not words.endswith("\n") or not text.startswith(frames.BEHIND, at + len(frames.BELOW)):
        return None
    return words.strip() or None if frames.BEHIND_END in text[at:] else None


def _asked_above(text: str) -> str | None:
    """A question without a label, alone on the first line, where a labelled context follows behind a blank one."""
    line, blank, rest = text.partition("\n\n")
    is_question = line.rstrip().endswith(("?", "？")) and "\n" not in line.strip()
    return line.strip() if blank and is_question and frames.CONTEXT_LABEL.match(_in_lines(rest)) else None


def _question_in(text: str) -> str | None:
    tags = list(_tagged(text, frames.QUESTION_TAG))
    if tags:
        inside = list(_tagged(tags[-1].text, frames.QUESTION_TAG))  # LobeChat explains the tag within it
        return (inside or tags)[-1].text or None
    for name, value in _fields(text):
        if name in frames.QUESTION_VARIABLES:
            return value or None
    lines = _in_lines(text)
    labels = list(frames.QUESTION_LABEL.finditer(lines))
    if not labels:
        short = _short_question(lines)
        return _task_in(text) or _behind_tags(text) or (short[1].strip() if short else None) or None
    start = labels[-1].end()
    answer = frames.ANSWER_LABEL.search(lines, start)
    context = frames.CONTEXT_LABEL.search(lines, start)
    end = min(match.start() if match else len(lines) for match in (answer, context))
    return _unfenced(lines[start:end]) or None
