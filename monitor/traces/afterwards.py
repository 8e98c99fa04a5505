"""Model calls after the one that answered: they check the answer, name the chat, suggest what to ask next.

Where the entry of a request tells the answer, the call that replied it gave it. Else the prompts tell: an answer is
made of the documents, and what comes after it of the answer. One that is put together of several replies, refined with
a further document, or written by another agent comes last all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from monitor.traces.lazy import lazy
from monitor.traces.messages import whole_text
from monitor.traces.placing import place_all
from monitor.traces.prompts import holds_any
from monitor.traces.reading import ANSWER, DOCUMENTS, OUTPUT, PROMPT, RESULT, Role
from monitor.traces.requests import Request
from monitor.traces.shapes import answer_in
from monitor.traces.tree import Node
from monitor.traces.values import as_json
from monitor.wire import AttributeValue

_SENTENCE = 20
"""Characters from which on a document is more than a word that a question may hold."""
_MOST_EARLIER = 32
"""Calls before one that are looked into for what it was told of them."""
_SEARCHED = 2_000_000
"""Characters of a prompt, times texts, up to which these are looked for in other forms, too."""
_QUOTED = 8
"""Bytes from which on a reply of several words is told from what any prompt holds."""
_LONGEST_WORD, _LONGEST_FOREIGN = 16, 4
"""Characters of a verdict in one word; in scripts that put no blanks between words it is shorter."""
_NO_TITLE = (".", "!", "。", "！")
"""What sentences end with, and titles do not."""
_LONGEST_TITLE, _LONGEST_FOREIGN_TITLE = 80, 20
"""Characters of a title, also in scripts that put no blanks between words."""
MOST_BESIDE = 8
"""Calls after the answer that are looked into: a trace of thousands is no chat with a name."""
_VERDICTS = frozenset(
    """
    yes no true false y n safe unsafe pass passed fail failed correct incorrect wrong right ok okay valid invalid
    supported unsupported grounded ungrounded faithful unfaithful relevant irrelevant accept accepted reject rejected
    approve approved good bad high medium low positive negative neutral harmless harmful partial partially none finish
    finished terminate done stop end continue allow allowed block blocked hallucinated ja nein oui non si sí
    是 否 对 错 安全 不安全 正确 错误 通过 不通过 支持 不支持 はい いいえ
    """.split()  # noqa: SIM905 - sixty words, one a line otherwise
)
"""What a check replies in one word."""
_ABOUT = frozenset(
    """
    title topic topics tag tags category categories label labels score rating rate grade verdict reason reasons
    reasoning explanation rationale feedback critique confidence safe pass passed valid correct grounded faithful
    relevant supported hallucination flagged issues follow_ups followups follow_up_questions suggestions questions
    suggested_questions related_questions next_questions sentiment emoji decision judgement
    judgment binary_score toxic toxicity hate harassment violence sexual harmful unsafe
    """.split()  # noqa: SIM905 - sixty words, one a line otherwise
)
"""Names of what is said about an answer, as members of data."""
_ASKS_FOR_TITLE = re.compile(
    r"\b(?:titles?|headline|heading|subject|topics?|labels?|categor\w+|classif\w+|tags?|keywords?|intent"
    r"|name (?:this|the|it|that)|names? for)\b|标题|命名|主题|分类|标签|题目|取名",
    re.IGNORECASE,
)
_ASKS_FOR_ANOTHER = re.compile(
    r"\b(?:condens|shorten|rewrit|rewrote|translat|rephras|paraphras|simplif|reformat|polish|put it in)"
    r"|精简|缩短|改写|翻译|润色|简化",
    re.IGNORECASE,
)
_AROUND = " .!*\"'`\n。！"
"""What stands around a word that a model replies."""
_ASKS_FOR_NUMBER = re.compile(r"\b(?:rat(?:e|ing)|scores?|grade|how likely|from \d+ to \d+)\b|评分|打分", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)?(?:\s*/\s*\d{1,3}|\s*%)?")

SAW_NOTHING = "it saw neither the documents nor what the call before it made of them"
ASIDE = "it was told the answer and none of the documents, and replies something else: a title, a check, suggestions"
REWRITING = "it was told the answer and none of the documents: it may have rewritten it, or said something about it"
STATED = "an earlier call replied what the request's own span says"
DOUBT = "it was told the answer and documents, and replies data or a number: a check, or the answer in another form"
CHECK = "it was told the answer, and replies a mere verdict: a check"


class Afterwards:
    """What the model calls of a request do after one of them has answered."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._known: dict[Node, bool] = {}

    def does(self, call: Node) -> str:
        """What a call with a reply does instead of answering: a reason above; empty when it may have answered."""
        began = call.span.start_ns
        earlier = [node for node in self._request.innermost if node.span.start_ns < began and _replied(node)]
        stated = self._request.entry.get(ANSWER)
        if stated is not None:
            return STATED if _replied(call) != stated.strip() and stated.strip() in map(_replied, earlier) else ""
        if not self._texts:
            return ""
        beside = [node for node in earlier[-_MOST_EARLIER:] if _tool_of(node) is _tool_of(call)]
        informed = [node for node in beside if self._is_informed(node)]
        if not informed:
            return ""
        quoted = _quoted(call, informed)
        if self._is_informed(call):
            return _refined(call, _replied(quoted[-1])) if quoted else ""
        if quoted or holds_any(_given(call), map(_replied, earlier)):
            return _made_of(call, quoted)
        is_known = bool(self._request.searches) or any(_agent_of(node) is _agent_of(call) for node in informed)
        return SAW_NOTHING if is_known else ""

    def is_doubtful(self, call: Node) -> bool:
        """Whether the reply of a call that answered may be a check: a mere word, told an answer, or long after one."""
        began = call.span.start_ns
        earlier = [node for node in self._request.innermost if node.span.start_ns < began and _replied(node)]
        if not self._texts:
            return False
        if not self._is_informed(call):  # and what came long before it was not looked into
            return len(earlier) > _MOST_EARLIER and any(map(self._is_informed, earlier[:MOST_BESIDE]))
        if not _is_verdict(_replied(call)):
            return False
        return bool(_quoted(call, list(filter(self._is_informed, earlier[-_MOST_EARLIER:]))))

    @lazy
    def _texts(self) -> Sequence[str]:
        """Those of the documents that were found, by searches, else by tools."""
        nodes = self._request.searches or self._request.having(Role.TOOL)
        texts = [document.text or "" for node in nodes for document in node.get(DOCUMENTS) or ()]
        texts += [node.get(RESULT) or "" for node in nodes if not node.get(DOCUMENTS)]
        return [text for text in texts if len(text) >= _SENTENCE]

    def _is_informed(self, call: Node) -> bool:
        """Whether a call was given a document."""
        if call not in self._known:
            self._known[call] = _holds(_given(call), self._texts)
        return self._known[call]


def rewritings(request: Request, final: Node) -> Iterator[Node]:
    """Calls from the one that was taken for the answer on that may have rewritten it: what the user got is not known.

    Where too many come after the answer, the last of them that is looked into stands for it: it may be no answer.
    """
    if request.entry.get(ANSWER) is not None:
        return
    later = [node for node in request.innermost if node.span.start_ns > final.span.start_ns and _replied(node)]
    afterwards = Afterwards(request)
    if afterwards.is_doubtful(final) or (len(later) >= MOST_BESIDE and afterwards.does(final)):
        yield final
    yield from (node for node in later if afterwards.does(node) in {REWRITING, DOUBT})


def _quoted(call: Node, informed: Sequence[Node]) -> list[Node]:
    """Those of the calls whose reply stands in what a program or person told the later one.

    What a model itself said, or a tool gave back, is a conversation that goes on.
    """
    told = _told(call)
    return [node for node in informed if _can_be_quoted(_replied(node)) and _holds(told, [_replied(node)])]


def _told(call: Node) -> str:
    return "\n".join(message.text for message in call.get(PROMPT) or () if message.role not in {"assistant", "tool"})


def _holds(prompt: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts stands in a prompt; escaped, wrapped or shortened only where that is soon found out."""
    if holds_any(prompt, texts):
        return True
    is_small = len(prompt) * len(texts) <= _SEARCHED
    return is_small and any(at is not None for at in place_all(texts, prompt))


def _made_of(call: Node, quoted: Sequence[Node]) -> str:
    """What a call does with the replies that it was told, without a document."""
    if len({_replied(node) for node in quoted}) != 1:
        return ""  # put together of several, or a conversation
    if _is_aside(call, _replied(quoted[-1])):
        return ASIDE
    return REWRITING if _agent_of(call) is _agent_of(quoted[-1]) else ""


def _refined(call: Node, draft: str) -> str:
    """What a call does instead of answering that was given documents, and a draft that it may refine."""
    reply = _replied(call)
    if _NUMBER.fullmatch(reply.strip(_AROUND)):  # what is asked for may as well be a rate
        return DOUBT if _ASKS_FOR_NUMBER.search(_told(call)) else ""
    if _is_check(call, draft):
        return CHECK
    read = _data(reply)
    return "" if read is None or answer_in(read) is not None or _data(draft) is not None else DOUBT


def _given(call: Node) -> str:
    """All that a call was given; empty when it is not on the wire."""
    prompt = call.get(PROMPT)
    return "" if prompt is None else whole_text(prompt)


def _replied(call: Node) -> str:
    output = call.get(OUTPUT)
    return "" if output is None else output.text.strip()


def _can_be_quoted(reply: str) -> bool:
    return len(reply.encode(errors="replace")) >= _QUOTED and not _is_verdict(reply)


def _is_aside(call: Node, answer: str) -> bool:
    """Whether a reply is clearly no other form of an answer: a verdict, known data, questions only, an asked-for title.

    In doubt it is not.
    """
    reply = _replied(call)
    if _is_check(call, answer):
        return True
    if _data(reply) is not None:
        return False
    if _asks_only(reply.splitlines()):
        return True
    longest = _LONGEST_TITLE if reply.isascii() or " " in reply else _LONGEST_FOREIGN_TITLE
    if len(reply) > longest or "\n" in reply or reply.endswith(_NO_TITLE):
        return False
    asked = _told(call).replace(answer, "")
    return _ASKS_FOR_TITLE.search(asked) is not None and _ASKS_FOR_ANOTHER.search(asked) is None


def _is_check(call: Node, answer: str) -> bool:
    """Whether a reply is what a check says: a verdict, the number that was asked for, data about an answer."""
    reply = _replied(call)
    read = _data(reply)
    if read is not None:
        return answer_in(read) is None and _is_about(read)
    word = reply.strip(_AROUND)
    if _NUMBER.fullmatch(word):
        return word not in answer and _ASKS_FOR_NUMBER.search(_told(call).replace(answer, "")) is not None
    return word.lower() in _VERDICTS


def _is_about(read: AttributeValue) -> bool:
    """Whether data have no members but such as tell about an answer: its grade, what to ask next."""
    if isinstance(read, list):
        return all(isinstance(item, str) for item in read) and _asks_only(map(str, read))
    return isinstance(read, dict) and all(
        key.lower().removeprefix("is_") in _ABOUT or (isinstance(value, list) and _is_about(value))
        for key, value in read.items()
    )


def _asks_only(lines: Iterable[str]) -> bool:
    return all(line.rstrip(" *\"'").endswith(("?", "？")) for line in lines if line.strip())


def _is_verdict(reply: str) -> bool:
    """Whether it is one word, a number, or data with such a member: what a check replies."""
    read = _data(reply)
    if isinstance(read, dict):
        return answer_in(read) is None and any(map(_is_mark, read.values()))
    return read is None and _is_mark(reply)


def _is_mark(value: object) -> bool:
    if not isinstance(value, str):
        return isinstance(value, bool | int | float)
    word = value.strip(" .!*\"'`\n")
    return 0 < len(word) <= (_LONGEST_WORD if word.isascii() else _LONGEST_FOREIGN) and len(word.split()) == 1


def _data(reply: str) -> AttributeValue:
    """The object or list that a reply is, maybe between fences; None for a text."""
    read = as_json(reply.removeprefix("```json").removeprefix("```").removesuffix("```").strip())
    return read if isinstance(read, dict | list) else None


def _is_tool(node: Node) -> bool:
    return node.role is Role.TOOL


def _is_agent(node: Node) -> bool:
    return node.role is Role.CHAIN


def _tool_of(node: Node) -> Node | None:
    return node.nearest(_is_tool)


def _agent_of(node: Node) -> Node | None:
    return node.nearest(_is_agent)
