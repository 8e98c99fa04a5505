"""Cutting the question and the context block out of a filled prompt, by the frames that templates use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from monitor.traces.messages import last_text
from monitor.traces.reading import Message
from monitor.traces.values import as_json

_CONTEXT_VARIABLES = ("context", "context_str", "contexts", "documents", "docs", "passages", "sources")
_QUESTION_VARIABLES = ("question", "query", "query_str", "user_query", "user_input", "input")

# Every frame begins a line. A pattern that begins with the line break is found at the speed of memory, one that begins
# with `^|\n` forty times slower: so a text is searched with a line break in front of it, see `_in_lines`.
_LEAD = r"\n[ \t>*#]*(?:\*\*)?"
_COLON = r"(?:\*\*)?[ \t]*[:：](?:\*\*)?"
_OPENED = r"\n[ \t]*(?:#{1,6}[ \t]*(?:\*\*)?|\*\*|\[|【|={2,}[ \t]*|-{2,}[ \t]*)"
_CLOSED = r"(?:\*\*|\]|】)?[ \t]*(?:#+|={2,}|-{2,})?[ \t]*[:：]?[ \t]*(?=\n|\Z)"


def _label(words: str) -> re.Pattern[str]:
    """These words before a colon, or as a heading: `Context:`, `## Context`, `**Context**`, `[Context]`."""
    return re.compile(f"{_LEAD}(?:{words})(?: is| are)?{_COLON}|{_OPENED}(?:{words}){_CLOSED}", re.IGNORECASE)


_CONTEXT_LABEL = _label(
    r"(?:retrieved |relevant |provided |given |additional |reference )?(?:contexts?|documents?|passages?|sources?"
    r"|search results|references?|excerpts?)|context information|background|knowledge(?: base)?"
    r"|kontext|contexte|contexto|contesto|quellen|dokumente|documentos|fuentes|fontes|контекст"
    r"|已知(?:信息|内容)|参考(?:资料|内容|文档|信息)|上下文|背景(?:信息|知识|资料)"
    r"|知识库|资料|检索(?:结果|内容)|文档内容|文档|コンテキスト|参考情報|컨텍스트|문맥"
)
_QUESTION_LABEL = _label(
    r"(?:user(?:'s)? |the |current |follow[- ]up )?(?:question|query)|用户问题|用户提问|当前问题|问题|提问"
    r"|frage|pregunta|pergunta|domanda|вопрос|質問|질문"
)
_ANSWER_LABEL = _label(
    r"(?:helpful |final |your )?answer|response|回答|答案|答复|答"
    r"|antwort|réponse|respuesta|resposta|risposta|ответ|답변"
)
_SHORT = re.compile(r"\nQ[ \t]*+[:：]([^\n]*+)(?:\nA[ \t]*+[:：])?+\s*+\Z", re.IGNORECASE)
"""A last line `Q: ...`, maybe with `A:` to be filled in: a passage may hold such pairs, too, but does not end so."""
_PASSAGES = (
    r"\b(?:contexts?|documents?|passages?|sources?|excerpts?|search results|references?|information|articles?|snippets?"
    r"|knowledge base)\b"
)
_LED_IN = re.compile(
    r"\n[^\n]{0,300}?"
    rf"(?:\b(?:following|below|provided|given|retrieved|here (?:is|are))\b[^\n]{{0,60}}?{_PASSAGES}"
    rf"|{_PASSAGES}[^\n]{{0,20}}?\bbelow\b)"
    r"(?:[^\n]{0,100}[:：][ \t]*(?=\n)|[^\n]{0,600}(?:\n[^\n-][^\n]{0,300}){0,2}(?=\n(?:[ \t]*|-{3,})\n))",
    re.IGNORECASE,
)
"""A sentence that announces the context: it stands behind the colon, or behind the paragraph."""
_ANNOUNCING = ("following", "below", "provided", "given", "retrieved", "here is", "here are")
"""Words of which such a sentence has one."""
_CLOSING = re.compile(
    r"\n[ \t]*(?:-{3,}[ \t]*\Z"
    r"|(?:(?:given|based on) the (?:above )?context|the above is the knowledge base"
    r"|you are an agent\. your internal name is"
    r"|请?(?:根据|基于)(?:上述|以上))[^\n]*\Z"
    r"|instruction: based on the above documents[^\n]*(?:\n[^\n]*)?\Z)",
    re.IGNORECASE,
)
"""A last line, or two, that say what to do with the context above, who the agent is (Google ADK), or only close it."""
_HEAD = 10_000
"""Characters in which such a sentence is looked for: it stands above the context."""
_RULE = re.compile(r"\A-{3,}[ \t]*\n")
_TAIL = 400
"""Characters in which such a line is looked for."""
_FENCES = ('"""', "```", "'''")
_CONTEXT_TAG = re.compile(
    r"<(/?)(contexts?|documents?|docs|sources|passages|references|search_results|retrieved_(?:docs|documents|context))>",
    re.IGNORECASE,
)
_QUESTION_TAG = re.compile(r"<(/?)(question|query|user_question|user_query)>", re.IGNORECASE)
_RULED = re.compile(
    r"\nContext information is below(?:\.|, surrounded by -+)?\s*\n-{3,}\n(.*)\n-{3,}(?:\n|$)", re.DOTALL
)
_BELOW = "Context information is below"
_ANNOUNCED = (
    "\n\nAnswer using the following information:\n",
    "\n\nUse the following information to complete your task:\n",
    "\n\nUse the following references from the knowledge base if it helps:\n",
)
"""How LangChain4j, Genkit and Agno do; of several lines before it the first may be instructions."""
_BEHIND = (", surrounded by -", ".\n-")
_BEHIND_END = "\nreply to the user comment"
"""How Spring AI puts the context behind the user's words."""
_FIELD = re.compile(
    r"\n(?:([^\S\n]*)\[\[ ## (?:(\w+) ## \]\])?|Respond with (?:the corresponding output fields|a JSON object))"
)
"""DSPy marks each field of its prompts and replies, and says what it wants behind the last one of a prompt.

An indented or broken mark only ends the field before it, as that sentence does.
"""
_MARK = "[[ ## "
_NUMBERED = re.compile(r"\n【1】")
_TASK = "Current Task:"
_TASK_END = "\n\nThis is the expect"
_THINKS = "Thought:"
_FINAL = "\nFinal Answer:"
"""The marks of ReAct, which CrewAI and the older agents of LangChain use."""
_MANY = 2_000_000
"""Characters beyond which a prompt is not searched."""
_SEARCHED = 200_000_000
"""Characters that are searched for documents in one prompt: thousands of documents may be none of it."""


def named_context(variables: Mapping[str, str]) -> str | None:
    """The context among the values that were filled into a prompt; None when none has such a name."""
    return next((variables[name].strip() for name in _CONTEXT_VARIABLES if name in variables), None)


def context_block(messages: Sequence[Message]) -> str | None:
    """The context that was filled into the prompt, as one text; None when no known frame is there, empty when it is.

    The last user message comes first, then those right before it, then system messages: earlier turns are no context.
    """
    asked = _asked(messages)
    candidates = [asked] if asked is not None else []
    candidates += _beside_asked(messages)
    candidates += [message.text for message in messages if message.role in {"system", "developer"}]
    if asked is None:
        candidates += _nobodys(messages)
    return next((block for text in candidates if (block := _context_in(text)) is not None), None)


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
    yield from (text for text in texts if len(text) <= _MANY and (_RULED.search(text) or is_filled(text)))


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
    return next((variables[name] for name in _QUESTION_VARIABLES if variables.get(name, "").strip()), None)


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
    filled = _context_in(asked) is not None or holds_any(asked, texts)
    return None if filled else asked


def announced_at(text: str) -> int | None:
    """Where a sentence begins that announces the context behind the user's words; None without one."""
    return min((at for sentence in _ANNOUNCED if (at := text.find(sentence)) >= 0), default=None)


def is_filled(text: str) -> bool:
    """Whether a text is a prompt that was filled in: a context and a question stand in it, each in its frame."""
    return len(text) <= _MANY and bool(_context_in(text)) and _question_in(text) is not None


def holds_any(text: str, documents: Iterable[str]) -> bool:
    """Whether one of the documents stands in a text, word for word; of very many the first are looked for."""
    return any(document in text for document in islice(documents, _SEARCHED // (len(text) + 1)) if document)


def without_question(messages: Sequence[Message], question: str | None) -> str:
    """The system messages and the last user message, less the question: the last resort for a context."""
    texts = [message.text for message in messages if message.role in {"system", "developer"}]
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
    if _MARK not in reply:
        return _behind_thoughts(reply)
    fields = dict(_fields(reply))
    return next((fields[name] for name in ("answer", "response", "output") if name in fields), None)


def _behind_thoughts(reply: str) -> str:
    """What an agent that thinks aloud gives as its final answer; any other reply as it is."""
    _, mark, answer = reply.rpartition(_FINAL)
    return answer.strip() if mark and reply.lstrip().startswith(_THINKS) and answer.strip() else reply


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
    if _MARK not in text:
        return
    lines = _in_lines(text)
    marks = list(_FIELD.finditer(lines))
    ends = [*(mark.start() for mark in marks[1:]), len(lines)]
    for mark, end in zip(marks, ends, strict=False):
        value = lines[mark.end() : end].strip()
        if mark[2] and not mark[1] and value != f"{{{mark[2]}}}":  # the template itself stands in system messages
            yield mark[2], value


def _in_lines(text: str) -> str:
    """A text whose first line, too, stands behind a line break."""
    return "\n" + text


def _context_in(text: str) -> str | None:
    if len(text) > _MANY:
        return None
    if tagged := list(_tagged(text, _CONTEXT_TAG)):  # an empty one may only be spoken of
        return next((one.text for one in tagged if one.text), "")
    lines = _in_lines(text)
    if match := _RULED.search(lines):
        return match[1].strip()
    for name, value in _fields(text):
        if name in _CONTEXT_VARIABLES:
            return value
    start = _CONTEXT_LABEL.search(lines)
    at = start.end() if start else None
    if at is None and (numbered := _NUMBERED.search(lines)):
        at = numbered.start()
    if at is None and _may_announce(text) and (announced := _LED_IN.search(lines, 0, _HEAD + 1)):
        return _unfenced(lines[announced.end() : _block_end(lines, announced.end())]) or None
    return None if at is None else _unfenced(lines[at : _block_end(lines, at)])


def _may_announce(text: str) -> bool:
    """Whether a sentence may announce a context: it is not looked for in vain, which takes a while."""
    if "\n" not in text:
        return False
    head = text[:_HEAD]
    return not head.isascii() or any(map(head.lower().__contains__, _ANNOUNCING))  # other scripts have more cases


def _unfenced(text: str) -> str:
    """A text, stripped of the marks that a template put around it, and of what it says behind it."""
    text = text.strip()
    closing = _CLOSING.search(text, max(0, len(text) - _TAIL))
    text = _RULE.sub("", text[: closing.start()] if closing else text, count=1).strip()
    for fence in _FENCES:
        if text.startswith(fence) and text.endswith(fence) and len(text) >= 2 * len(fence):
            return text[len(fence) : -len(fence)].strip()
    return text


def _task_in(text: str) -> str | None:
    """What an agent of CrewAI is told to do, where its prompt says what the answer must be like."""
    start = text.find(_TASK)
    end = text.find(_TASK_END, start)
    return None if start < 0 or end < 0 else text[start + len(_TASK) : end].strip() or None


def _behind_tags(text: str) -> str | None:
    """The one line that stands alone behind a tagged context and a blank line: the user's words without a label."""
    tagged = list(_tagged(text, _CONTEXT_TAG))
    apart, _, rest = text[tagged[-1].end :].partition("\n\n") if tagged else ("", "", "")
    rest = rest.strip()
    is_alone = not apart.strip() and "\n" not in rest and _ANSWER_LABEL.match(_in_lines(rest)) is None
    return rest if rest and is_alone else None


def _block_end(lines: str, start: int) -> int:
    """Where the last question label after the block stands: a passage may itself hold `Question:` and `Answer:`."""
    questions = (match.start() for match in _QUESTION_LABEL.finditer(lines, start))
    tags = (tagged.start for tagged in _tagged(lines, _QUESTION_TAG, start))
    answers = (match.start() for match in _ANSWER_LABEL.finditer(lines, start))
    short = _short_question(lines, start)
    shorts = [] if short is None else [short.start()]
    lasts = (max(starts, default=None) for starts in (questions, tags, shorts, answers))
    return next((last for last in lasts if last is not None), len(lines))


def _short_question(lines: str, start: int = 0) -> re.Match[str] | None:
    """The last line that is labelled as a question with one letter."""
    at = max(lines.rfind("\nQ", start), lines.rfind("\nq", start))
    return None if at < 0 else _SHORT.match(lines, at)


def _before_context(text: str) -> str | None:
    """The user's words in front of the context; None when the context does not stand behind them."""
    for announced in _ANNOUNCED:
        line, behind, _ = text.partition(announced)
        if behind and line.strip() and "\n" not in line.strip():
            return line.strip()
    at = text.find(_BELOW)
    words = text[: max(at, 0)].rstrip(" \t")
    if not words.endswith("\n") or not text.startswith(_BEHIND, at + len(_BELOW)):
        return None
    return words.strip() or None if _BEHIND_END in text[at:] else None


def _question_in(text: str) -> str | None:
    tags = list(_tagged(text, _QUESTION_TAG))
    if tags:
        return tags[-1].text or None
    for name, value in _fields(text):
        if name in _QUESTION_VARIABLES:
            return value or None
    lines = _in_lines(text)
    labels = list(_QUESTION_LABEL.finditer(lines))
    if not labels:
        short = _short_question(lines)
        return _task_in(text) or _behind_tags(text) or (short[1].strip() if short else None) or None
    start = labels[-1].end()
    answer = _ANSWER_LABEL.search(lines, start)
    context = _CONTEXT_LABEL.search(lines, start)
    end = min(match.start() if match else len(lines) for match in (answer, context))
    return _unfenced(lines[start:end]) or None
