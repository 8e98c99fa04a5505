"""Cutting the question and the context block out of a filled prompt, by the frames that templates use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile

from monitor.traces import frames
from monitor.traces.blocks import (
    MANY,
    announced_in,
    as_object,
    asked_label,
    asks_by_label,
    bare_question,
    beside_label,
    context_in,
    context_label,
    context_of,
    fields_in,
    framed_in,
    in_lines,
    in_sentence,
    inline_context,
    is_bare,
    is_framed,
    mark_in,
    reads_as_passages,
    short_question,
    speaks_of_oneself,
    states_something,
    tagged_in,
    unfenced,
)
from monitor.traces.messages import last_text
from monitor.traces.reading import Message
from monitor.traces.values import as_json

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
    instructions = _instructions(messages)
    candidates += instructions
    if asked is None:
        candidates += _nobodys(messages)
    # a sentence in the user's own words may sound like one of a template; a frame anywhere says more
    blocks = (block for read in (framed_in, announced_in) for text in candidates if (block := read(text)) is not None)
    found = next(blocks, None)
    return next(filter(None, map(inline_context, instructions)), None) if found is None else found


def evident_context(messages: Sequence[Message]) -> str | None:
    """As `context_block`, where it alone is to tell that a call is a request.

    Beside a question in a message of its own a label may stand above anything that instructions say: it counts only
    with a sentence below it.
    """
    block, asked = context_block(messages), _asked(messages)
    if not block or asked is None:
        return block
    if (question := _question_in(asked)) is not None:
        return None if _is_pasted(asked, question, messages) else block
    in_tags = any(next(tagged_in(text, frames.CONTEXT_TAG), None) for text in _instructions(messages))
    return block if in_tags or states_something(block) else None


def _is_pasted(asked: str, question: str, messages: Sequence[Message]) -> bool:
    """Whether the user may have pasted the text: the question, which nothing marks, wants something done with one.

    Instructions that speak of passages say that an application puts them there.
    """
    if frames.REWORKING.search(question) is None or asks_by_label(in_lines(asked)):
        return False
    return not any(frames.SPOKEN_OF.search(text, 0, frames.HEAD) for text in _instructions(messages))


def context_mark(messages: Sequence[Message]) -> str | None:
    """What in the last user's messages or the instructions may frame a context, for explanations; None without any."""
    asked = _asked(messages)
    texts = [*([] if asked is None else [asked]), *_beside_asked(messages), *_instructions(messages)]
    return next((mark for text in texts if (mark := mark_in(text)) is not None), None)


def _instructions(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if message.role in {"system", "developer"}]


def _beside_asked(messages: Sequence[Message]) -> Iterator[str]:
    """The user messages that nothing parts from the last one, the nearest first: frameworks add the context as one.

    Or as one that the assistant says (LiveKit).
    """
    turns = [message for message in messages if message.role not in {"system", "developer"}]
    while turns and turns[-1].role != "user":
        turns.pop()
    added = takewhile(lambda one: one.role == "user" or one.text.startswith(frames.ADDED), reversed(turns[:-1]))
    yield from (message.text for message in added)


def _nobodys(messages: Sequence[Message]) -> Iterator[str]:
    """The texts with a context in a frame that closes it, of messages whose speaker is unknown (Spring AI's log).

    Several may stand in one, in quotation marks: a wrong cut leaves a frame open, or none at all.
    """
    texts = (text for message in messages if not message.role for text in message.text.split('", "'))
    yield from (text for text in texts if len(text) <= MANY and (frames.RULED.search(text) or is_filled(text)))


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
    if asked is None or len(asked) > MANY:
        return None
    if is_bare(asked):
        return None if holds_any(asked, texts) else asked
    if (cut := _question_in(asked)) is not None:
        return cut
    if (words := _before_context(asked)) is not None:
        return words
    filled = is_framed(asked) or holds_any(asked, texts)
    spoken_of = not filled and announced_in(asked) is not None
    return None if filled or (spoken_of and not any(map(framed_in, _instructions(messages)))) else asked


def is_grading(messages: Sequence[Message]) -> bool:
    """Whether a judgement is asked for: from a grader, on an answer in the prompt, or by a grade to be filled in."""
    instructions = (one.text for one in messages if one.role in {"system", "developer", "user"})
    if any(frames.GRADER.search(text, 0, frames.HEAD) for text in instructions):
        return True
    asked = _asked(messages)
    if asked is None or len(asked) > MANY:
        return False
    lines = in_lines(asked.rstrip())
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
    return not is_bare(text) and len(text) <= MANY and bool(context_in(text)) and _question_in(text) is not None


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


def passages_beside(messages: Sequence[Message], question: str | None) -> str | None:
    """The last user message less the question, where it reads as passages and asks for nothing; None where not."""
    beside = without_question([message for message in messages if message.role == "user"], question)
    return beside if reads_as_passages(beside, several=True) and not frames.INSTRUCTING.search(beside) else None


def marked_answer(reply: str) -> str | None:
    """A model's reply as the user got it: out of field marks where it has them; None when no answer field is there."""
    if frames.MARK not in reply:
        return _behind_thoughts(reply)
    fields = dict(fields_in(reply))
    return next((fields[name] for name in ("answer", "response", "output") if name in fields), None)


def _behind_thoughts(reply: str) -> str:
    """What an agent that thinks aloud gives as its final answer; any other reply as it is."""
    _, mark, answer = reply.rpartition(frames.FINAL)
    return answer.strip() if mark and reply.lstrip().startswith(frames.THINKS) and answer.strip() else reply


def _task_in(text: str) -> str | None:
    """What an agent of CrewAI is told to do, where its prompt says what the answer must be like."""
    start = text.find(frames.TASK)
    end = text.find(frames.TASK_END, start)
    return None if start < 0 or end < 0 else text[start + len(frames.TASK) : end].strip() or None


def _beside_tags(text: str) -> str | None:
    """The user's words beside a tagged context, without a label: the one line that stands alone behind a blank one.

    Else the last paragraph behind the context, if it asks; else what asks in front of it, where nothing stands behind.
    """
    tagged = list(tagged_in(text, frames.CONTEXT_TAG))
    if not tagged:
        return None
    before, behind = text[: tagged[0].start].strip(), text[tagged[-1].end :]
    apart, _, rest = behind.partition("\n\n")
    rest = rest.strip()
    is_alone = not apart.strip() and "\n" not in rest and frames.ANSWER_LABEL.match(in_lines(rest)) is None
    context = context_of(tagged)
    if rest and is_alone:
        return rest if states_something(context) and not speaks_of_oneself(context) else None
    if not reads_as_passages(context):
        return None
    if behind.strip():
        return bare_question(behind.rstrip().rpartition("\n\n")[2])
    return None if "\n" in before else bare_question(before)


def _beside_label(text: str) -> str | None:
    """The user's words above or below a context under a label, or behind its end, without a label of their own."""
    lines = in_lines(text)
    label = context_label(lines)
    parted = None if label is None else beside_label(lines, label)
    return parted.question if parted is not None and parted.is_filled else None


def _before_context(text: str) -> str | None:
    """The user's words in front of the context; None when the context does not stand behind them."""
    for announced in frames.ANNOUNCED:
        line, behind, _ = text.partition(announced)
        if behind and line.strip() and "\n" not in line.strip():
            return line.strip()
    at = text.find(frames.BELOW)
    words = text[: max(at, 0)].rstrip(" \t")
    if not words.endswith("\n") or not text.startswith(frames.BEHIND, at + len(frames.BELOW)):
        return None
    return words.strip() or None if frames.BEHIND_END in text[at:] else None


def _question_in(text: str) -> str | None:
    tags = list(tagged_in(text, frames.QUESTION_TAG))
    if tags:
        inside = list(tagged_in(tags[-1].text, frames.QUESTION_TAG))  # LobeChat explains the tag within it
        return (inside or tags)[-1].text or None
    for name, value in fields_in(text):
        if name in frames.QUESTION_VARIABLES:
            return value or None
    lines = in_lines(text)
    label = asked_label(lines)
    if label is None:
        return _unlabelled(text, lines)
    start = label.end()
    answer = frames.ANSWER_LABEL.search(lines, start)
    context = frames.CONTEXT_LABEL.search(lines, start) or frames.LOOSE_LABEL.search(lines, start)
    end = min(match.start() if match else len(lines) for match in (answer, context))
    return unfenced(lines[start:end]) or None


def _unlabelled(text: str, lines: str) -> str | None:
    """The question where no label says `Question:`."""
    if (parted := as_object(text) or in_sentence(lines)) is not None:
        return parted.question
    short = short_question(lines)
    found = _task_in(text) or _beside_tags(text) or (short[1].strip() if short else None)
    return found or _beside_label(text) or None
