"""The context in one text of a prompt: what stands in a frame, and where that ends. See `frames.py` for the frames."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from monitor.traces import frames
from monitor.traces.documents import read_documents
from monitor.traces.values import as_json, as_mapping
from monitor.wire import AttributeValue

MANY = 2_000_000
"""Characters beyond which a prompt is not searched."""
_LONG_RULE = 8
"""Dashes from which on a line frames the context."""
_LEAST_BYTES = 60
"""Of UTF-8, of what an application fills in."""
_BULLETS = " \t-*•>#.0123456789"
_SENTENCE = 20
"""Bytes of UTF-8 from which on a line may be a sentence."""
_LONG = 600
"""Bytes of UTF-8 from which on a text is no few words of a user."""
_LONG_LINE = 40
"""Bytes of UTF-8 from which on a line may be a passage."""
_BEGINNING = 200
"""Characters under a label that tell whether it only sets the scene."""
_SHOWN = 60
"""Characters of a frame that are shown to people."""
_FEW_LINES = 3
_FEW = 1000
"""Lines and characters of a question that nothing marks as one."""
_MARKS = ("\n", ":", "：", "<")
"""What frames are made of, but for those that stand at the beginning of a line (`## Context`, `[1]`)."""
_STATED = re.compile(r"[.!।](?=[\s<\"'”)\]]|$)|[。！]")
"""How a sentence ends that asks nothing."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """What stands between two tags, stripped, and where they stand."""

    start: int
    name: str
    text: str
    end: int
    """Where the closing tag ends."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A context and the question beside it, where nothing marks the question."""

    context: str
    question: str
    is_filled: bool = True
    """Whether an application filled it in; else the user may have written the context as well."""


def in_lines(text: str) -> str:
    """A text whose first line, too, stands behind a line break."""
    return "\n" + text


def is_bare(text: str) -> bool:
    """Whether a text is one line without a mark of which any frame has one, as what people type: it is in none."""
    return text[:1].isalnum() and not [mark for mark in _MARKS if mark in text]


def context_in(text: str) -> str | None:
    """The context in a text; None when none is there, empty when its frame is."""
    framed = framed_in(text)
    return announced_in(text) if framed is None else framed


def framed_in(text: str) -> str | None:
    """The context in an object, between tags or rules, in a field, behind a label or at the first numbered passage."""
    if len(text) > MANY:
        return None
    if (written := as_object(text)) is not None:
        return written.context
    if tagged := list(tagged_in(text, frames.CONTEXT_TAG)):
        return context_of(tagged)
    lines = in_lines(text)
    if match := frames.RULED.search(lines):
        return match[1].strip()
    field = next((value for name, value in fields_in(text) if name in frames.CONTEXT_VARIABLES), None)
    return _under_label(lines) if field is None else field


def is_framed(text: str) -> bool:
    """Whether a text has the frame of a context, though the user may have put it around words of their own."""
    return framed_in(text) is not None or (len(text) <= MANY and context_label(in_lines(text)) is not None)


def announced_in(text: str) -> str | None:
    """The context above a sentence that speaks of it, else behind one."""
    if len(text) > MANY:
        return None
    lines = in_lines(text)
    if above := frames.ABOVE.search(lines):
        return unfenced(lines[: above.start()]) or None
    announced = frames.LED_IN.search(lines, 0, frames.HEAD + 1) if _may_announce(lines) else None
    return unfenced(lines[announced.end() : block_end(lines, announced.end())]) or None if announced else None


def context_of(tagged: list[Tagged]) -> str:
    """What the tags hold of the kind that first holds something; an empty pair may only be spoken of."""
    first = next((one for one in tagged if one.text), None)
    same = [one.text for one in tagged if first is not None and one.name == first.name and one.text]
    return "\n\n".join(same)


def _under_label(lines: str) -> str | None:
    label = context_label(lines)
    if label and (parted := beside_label(lines, label)) is not None:
        return parted.context if parted.is_filled else None
    # of several first passages the others are examples, which stand before (LlamaIndex's citations)
    start = label or next(iter(deque(frames.NUMBERED.finditer(lines), 1)), None)
    if start is not None:
        at = label.end() if label else start.start()
        block = unfenced(lines[at : block_end(lines, at)])
        return block if label or states_something(block) else None
    held = in_sentence(lines)
    return _under_loose(lines) if held is None else held.context


def in_sentence(lines: str) -> Parted | None:
    """Question and context of a sentence that holds both; None for any other text."""
    match = next((found for sentence in frames.SENTENCES if (found := sentence.match(lines))), None)
    return None if match is None else Parted(lines[match.end() :].strip(), match[1])


def _under_loose(lines: str) -> str | None:
    """The context under a word that any text may have as a heading, or in a list: beside a labelled question only."""
    label = frames.LOOSE_LABEL.search(lines) or frames.LISTED.search(lines)
    if label is None or not asks_by_label(lines):
        return None
    block = unfenced(lines[label.end() : block_end(lines, label.end())])
    return block if reads_as_passages(block, several=True) else None


def inline_context(text: str) -> str | None:
    """The context behind a label within a line of a system message; None without one."""
    label = frames.INLINE_LABEL.search(text[: frames.HEAD])
    block = "" if label is None else text[label.end() :].strip()
    return block if reads_as_passages(block, several=True) else None


def asks_by_label(lines: str) -> bool:
    """Whether a question stands in a text in a frame of its own."""
    if frames.QUESTION_LABEL.search(lines) or next(tagged_in(lines, frames.QUESTION_TAG), None):
        return True
    return short_question(lines) is not None


def beside_label(lines: str, label: re.Match[str]) -> Parted | None:
    """The context under a label, and the question that stands bare above it or as the last paragraph below it.

    Or behind a line that closes the context.
    """
    if asks_by_label(lines):
        return None
    rest = lines[label.end() :]
    if (closed := frames.CLOSED.search(rest)) is not None:
        behind = rest[closed.end() :].strip()
        return Parted(unfenced(rest[: closed.start()]), behind) if behind and "\n" not in behind else None
    above = lines[: label.start()]
    if above.endswith("\n") and "\n" not in above.strip() and (question := bare_question(above)) is not None:
        return _parted(unfenced(lines[label.end() : block_end(lines, label.end())]), question, label[0])
    block, _, last = rest.rstrip().rpartition("\n\n")
    if block.strip() and (question := bare_question(last)) is not None:
        return _parted(unfenced(block), question, label[0])
    return None


def _parted(context: str, question: str, label: str) -> Parted:
    several = frames.OWN_WORDS.search(label) is not None
    return Parted(context, question, reads_as_passages(context, several=several))


def reads_as_passages(block: str, *, several: bool = False) -> bool:
    """Whether a text reads as what an application found, not as what a user says: sentences, nobody's own, no code.

    `several`: of two passages at least, in lines of their own.
    """
    if frames.CODE in in_lines(block):
        return False
    lines = [line for line in block.split("\n") if len(line.encode(errors="replace")) >= _LONG_LINE]
    if several:
        lines = [line for line in lines if _STATED.search(line)]
        return len(lines) > 1 and not frames.SPEAKERS.search(block) and not frames.GROUPS.search(block)
    is_long_enough = len(block.encode(errors="replace")) >= _LEAST_BYTES
    return is_long_enough and any(map(_STATED.search, lines)) and not speaks_of_oneself(block)


def states_something(block: str) -> bool:
    """Whether a line of a text is a sentence, a row or an object, and no order: settings and headings are none."""
    lines = (line for line in block.split("\n") if len(line.encode(errors="replace")) >= _SENTENCE)
    return any((_STATED.search(line) or "|" in line or '": ' in line) and not _orders(line) for line in lines)


def _orders(line: str) -> bool:
    return frames.ORDERING.match(line.lstrip(_BULLETS)) is not None


def speaks_of_oneself(block: str) -> bool:
    """Whether the user may have written it: in a long one, questions and answers of others may stand."""
    return len(block.encode(errors="replace")) < _LONG and frames.SPEAKERS.search(block) is not None


def bare_question(paragraph: str) -> str | None:
    """A paragraph of a few lines that asks, less a first line that only leads in; None for any other."""
    lines = paragraph.strip().split("\n")
    if len(lines) > 1 and lines[0].rstrip().endswith((":", "：")):
        del lines[0]
    text = "\n".join(lines)
    return text.strip() if text.endswith(frames.ASKING) and len(lines) <= _FEW_LINES and len(text) <= _FEW else None


def as_object(text: str) -> Parted | None:
    """A question and its context as the members of an object; None for any other text."""
    held = as_mapping(text) if text[:1] == "{" and '"' in text[:200] else {}
    if held.keys().isdisjoint(frames.CONTEXT_VARIABLES):
        return None
    question = next((one for name in frames.QUESTION_VARIABLES if isinstance(one := held.get(name), str)), "")
    contexts = (_written(held[name]) for name in frames.CONTEXT_VARIABLES if name in held)
    context = next((one for one in contexts if one), None)
    return Parted(context, question.strip()) if context and question.strip() else None


def _written(value: AttributeValue) -> str | None:
    """A text that reads as passages, or a list of documents as JSON again; None for anything else."""
    read = as_json(value)
    if isinstance(read, str):
        return read.strip() if reads_as_passages(read) else None
    if not isinstance(read, list):
        return None
    texts = [one for one in read if isinstance(one, str)]
    if len(texts) == len(read):
        read = [{"text": one} for one in texts] if reads_as_passages("\n".join(texts)) else []
    has_text = any(one.text for one in read_documents(read) or ())
    return json.dumps(read, ensure_ascii=False, default=str) if has_text else None


def mark_in(text: str) -> str | None:
    """What of a text may frame a context, for explanations: a tag, a label, a sentence; None when nothing does."""
    lines = in_lines(text[:MANY])
    patterns = (frames.CONTEXT_TAG, frames.CONTEXT_LABEL, frames.LOOSE_LABEL, frames.NUMBERED)
    found = next((match[0] for pattern in patterns if (match := pattern.search(lines)) is not None), None)
    if found is None and _may_announce(lines) and (announced := frames.LED_IN.search(lines, 0, frames.HEAD + 1)):
        found = announced[0]
    return None if found is None else found.strip()[:_SHOWN]


def context_label(lines: str) -> re.Match[str] | None:
    """The first label of a context that stands outside of code, else the first one; not what only sets the scene."""
    fences, at, first = 0, 0, None
    for label in frames.CONTEXT_LABEL.finditer(lines):
        if frames.SCENE.match(lines[label.end() : label.end() + _BEGINNING].lstrip()):
            continue
        fences += lines.count(frames.CODE, at, label.start() + len(frames.CODE) - 1)
        at, first = label.start(), first or label
        if fences % 2 == 0:
            return label
    return first


def _may_announce(text: str) -> bool:
    """Whether a sentence may announce a context: it is not looked for in vain, which takes a while."""
    head = text[: frames.HEAD]
    return not head.isascii() or any(map(head.lower().__contains__, frames.ANNOUNCING))  # other scripts have more cases


def unfenced(text: str) -> str:
    """A text, stripped of the marks that a template put around it, and of what it says behind it."""
    text = text.strip()
    if (closed := frames.CLOSED.search(in_lines(text))) is not None:
        text = text[: max(0, closed.start() - 1)].rstrip()
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


def block_end(lines: str, start: int) -> int:
    """Where the label of the question that is asked stands, if it stands behind: see `asked_label`.

    Under a heading of LightRAG's kind the next one ends it, too. Behind a question in front only an answer to be given
    does: others are those of a passage.
    """
    heading = frames.SECTION.match(lines, lines.rfind("\n", 0, start))
    section = frames.SECTION.search(lines, start) if heading and heading.end() == start else None
    if section is not None:
        return section.start()
    asked = asked_label(lines)
    if asked is not None and asked.start() >= start:
        return asked.start()
    tags = (tagged.start for tagged in tagged_in(lines, frames.QUESTION_TAG, start))
    short = short_question(lines, start)
    shorts = [] if short is None else [short.start()]
    answers = (match for match in frames.ANSWER_LABEL.finditer(lines, start))
    last = next(iter(deque(answers, 1)), None)
    gives = last is not None and (asked is None or not lines[last.end() :].strip())
    lasts = (max(starts, default=None) for starts in (tags, shorts, [last.start()] if last and gives else []))
    return next((last for last in lasts if last is not None), len(lines))


def asked_label(lines: str) -> re.Match[str] | None:
    """Of several labels of questions the last behind which no answer is filled in, else the last one.

    The others are examples before the question, or passages of questions and answers around it.
    """
    labels = list(frames.QUESTION_LABEL.finditer(lines))
    if len(labels) < 2:  # noqa: PLR2004 - one, or none
        return labels[0] if labels else None
    ends = [*(label.start() for label in labels[1:]), len(lines)]
    at, filled = 0, [False] * len(labels)
    for answer in frames.ANSWER_LABEL.finditer(lines, labels[0].end()):
        while answer.start() >= ends[at] and at < len(ends) - 1:
            at += 1
        filled[at] = filled[at] or bool(lines[answer.end() : ends[at]].strip())
    return next(
        (label for label, is_filled in zip(labels[::-1], filled[::-1], strict=True) if not is_filled), labels[-1]
    )


def short_question(lines: str, start: int = 0) -> re.Match[str] | None:
    """The last line that is labelled as a question with one letter, or as a speaker's."""
    at = max(lines.rfind(mark, start) for mark in frames.SHORT_MARKS)
    return None if at < 0 else frames.SHORT.match(lines, at)


def tagged_in(text: str, pattern: re.Pattern[str], start: int = 0) -> Iterator[Tagged]:
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
            inside = text[opened.end() : closed.start()].strip()
            yield Tagged(opened.start(), opened[2].casefold(), inside, closed.end())
            done = closed.end()


def fields_in(text: str) -> Iterator[tuple[str, str]]:
    """The marked fields with their stripped values, in order."""
    if frames.MARK not in text:
        return
    lines = in_lines(text)
    marks = list(frames.FIELD.finditer(lines))
    ends = [*(mark.start() for mark in marks[1:]), len(lines)]
    for mark, end in zip(marks, ends, strict=False):
        value = lines[mark.end() : end].strip()
        if mark[2] and not mark[1] and value != f"{{{mark[2]}}}":  # the template itself stands in system messages
            yield mark[2], value
