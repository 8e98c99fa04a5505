"""Which context and which question are found in prompts that mark only one of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from monitor.traces.blocks import is_bare, is_framed
from monitor.traces.frames import LABELS
from monitor.traces.prompts import context_block, is_filled, passages_beside, prompt_question
from monitor.traces.reading import Message

RIDERS = "Riders of the mountain trail are sixteen or older, and wear a helmet."
DEPOSIT = "The deposit for a bike is fifty euros, and it is paid in advance."
LINES = f"{RIDERS}\n{DEPOSIT}"
APART = f"{RIDERS}\n\n{DEPOSIT}"
QUESTION = "Who may ride?"


def _user(text: str) -> list[Message]:
    return [Message("user", text)]


@pytest.mark.parametrize(
    ("prompt", "context"),
    [
        pytest.param(f"Context:\n{APART}\n\n{QUESTION}", APART, id="label, bare question behind"),
        pytest.param(f"{QUESTION}\n\nContext:\n{APART}", APART, id="label, bare question in front"),
        pytest.param(f"Answer briefly.\n\nSources:\n{RIDERS}\n\n{QUESTION}", RIDERS, id="one source"),
        pytest.param(f"<context>\n{LINES}\n</context>\n{QUESTION}", LINES, id="tag and one line break"),
        pytest.param(f"<context>\n{LINES}\n</context>\n\nTell me:\n{QUESTION}", LINES, id="tag and a lead-in"),
        pytest.param(f"{QUESTION}\n\n<context>{RIDERS}</context>", RIDERS, id="tag behind the question"),
        pytest.param(
            f"<context></context> holds it:\n<context>\n{LINES}\n</context>\n\nWhere unsure, say so.\n\n{QUESTION}",
            LINES,
            id="instructions between",
        ),
        pytest.param(
            f"<file id: a>\n{RIDERS}\n</file>\n<file id: b>\n{DEPOSIT}\n</file>\n\n{QUESTION}", APART, id="Rig"
        ),
        pytest.param(
            f"<reference>{RIDERS}</reference>\n<reference>{DEPOSIT}</reference>\n{QUESTION}", APART, id="several tags"
        ),
        pytest.param(f"Facts:\n{LINES}\n\nQuestion: {QUESTION}", LINES, id="facts"),
        pytest.param(f"Information:\n{LINES}\n\nQuestion: {QUESTION}", LINES, id="information"),
        pytest.param(f"Snippets:\n{LINES}\n\nQuestion: {QUESTION}", LINES, id="snippets"),
        pytest.param(f"Question: {QUESTION}\n\nArticles:\n{LINES}", LINES, id="articles behind"),
        pytest.param(f"Knowledge base:\n{LINES}\n\nUser: {QUESTION}", LINES, id="a speaker"),
        pytest.param(f"Answer this query: '{QUESTION}' with this provided context: {RIDERS}", RIDERS, id="Verba"),
        pytest.param(f"内容：\n{LINES}\n\n问题：{QUESTION}", LINES, id="内容"),
        pytest.param(f"已知信息：\n{LINES}\n\n根据上述已知信息，简洁地回答。问题是：{QUESTION}", LINES, id="问题是"),
        pytest.param(f"参考资料：\n{LINES}\n\n用户的问题是：{QUESTION}", LINES, id="用户的问题是"),
        pytest.param(f"以下是知识库：\n------\n{LINES}\n以上是知识库。\n{QUESTION}", LINES, id="以上是知识库"),
        pytest.param(
            f'<document id="1">\n{RIDERS}\n</document>\n<document id="2">\n{DEPOSIT}\n</document>\n\n{QUESTION}',
            APART,
            id="tags with attributes",
        ),
        pytest.param(f"<knowledge_base>\n{LINES}\n</knowledge_base>\n\n{QUESTION}", LINES, id="knowledge base"),
        pytest.param(
            f"[1] {RIDERS}\n[2] {DEPOSIT}\n\nQuestion: {QUESTION}", f"[1] {RIDERS}\n[2] {DEPOSIT}", id="numbered"
        ),
        pytest.param(
            f"Chunk 1:\n{RIDERS}\nChunk 2:\n{DEPOSIT}\n\nQuestion: {QUESTION}",
            f"Chunk 1:\n{RIDERS}\nChunk 2:\n{DEPOSIT}",
            id="chunks",
        ),
        pytest.param(
            f"[1] {RIDERS}\n[2] {DEPOSIT}\n\n请根据以上资料回答：{QUESTION}",
            f"[1] {RIDERS}\n[2] {DEPOSIT}",
            id="以上资料",
        ),
        pytest.param(f"السياق:\n{LINES}\n\nالسؤال: {QUESTION}", LINES, id="Arabic"),
    ],
)
def test_one_frame_is_enough_where_the_rest_asks(prompt: str, context: str) -> None:
    assert (context_block(_user(prompt)), prompt_question(_user(prompt), ())) == (context, QUESTION)


@pytest.mark.parametrize(
    ("system", "context"),
    [
        (f"You are helpful. Context: {LINES}", LINES),
        (f"Use these documents to answer:\n\n- {RIDERS}\n- {DEPOSIT}", f"- {RIDERS}\n- {DEPOSIT}"),
        (f"你是客服。请根据以下参考资料回答用户的问题：\n\n{LINES}", LINES),
    ],
)
def test_instructions_may_hold_the_context(system: str, context: str) -> None:
    prompt = [Message("system", system), Message("user", QUESTION)]
    assert (context_block(prompt), prompt_question(prompt, ())) == (context, QUESTION)


@pytest.mark.parametrize("contexts", [[RIDERS, DEPOSIT], [{"content": RIDERS}, {"content": DEPOSIT}], APART])
def test_question_and_context_may_be_members_of_an_object(contexts: object) -> None:
    prompt = _user(json.dumps({"question": QUESTION, "context": contexts}))
    block = context_block(prompt)
    assert block is not None
    assert RIDERS in block
    assert DEPOSIT in block
    assert prompt_question(prompt, ()) == QUESTION


SPOKEN = {
    "en": ("Context", "Facts", "Question"),
    "zh": ("已知信息", "内容", "用户的问题"),
    "de": ("Kontext", "Informationen", "Frage"),
    "fr": ("Contexte", "Informations", "Question"),
    "es": ("Contexto", "Hechos", "Pregunta"),
    "pt": ("Contexto", "Fatos", "Pergunta"),
    "it": ("Contesto", "Fatti", "Domanda"),
    "nl": ("Bronnen", "Tekst", "Vraag"),
    "pl": ("Kontekst", "Fakty", "Pytanie"),
    "tr": ("Bağlam", "Metin", "Soru"),
    "vi": ("Ngữ cảnh", "Thông tin", "Câu hỏi"),
    "id": ("Konteks", "Teks", "Pertanyaan"),
    "ru": ("Контекст", "Текст", "Вопрос"),
    "ja": ("コンテキスト", "本文", "質問"),
    "ko": ("컨텍스트", "정보", "질문"),
    "ar": ("السياق", "النص", "السؤال"),
    "hi": ("संदर्भ", "जानकारी", "प्रश्न"),
}


def test_every_language_has_an_example() -> None:
    assert SPOKEN.keys() == LABELS.keys()


@pytest.mark.parametrize(("context", "loose", "question"), SPOKEN.values(), ids=SPOKEN)
def test_the_labels_of_a_language_frame_a_context(context: str, loose: str, question: str) -> None:
    for label in (context, loose):
        prompt = _user(f"{label}:\n{LINES}\n\n{question}: {QUESTION}")
        assert (context_block(prompt), prompt_question(prompt, ())) == (LINES, QUESTION)


def test_of_what_is_known_to_be_there_sentences_beside_the_question_are_it() -> None:
    asked = _user(f"{LINES}\n{QUESTION}")
    assert passages_beside([Message("system", "You help."), *asked], QUESTION) == LINES
    told = _user(
        f"Answer the question below in one or two short sentences.\nSay that it is unknown where it is.\n{QUESTION}"
    )
    assert passages_beside(told, QUESTION) is None


_WORDS = (
    "context", "Context information is below", "Given the context above", "documents", "[1]", "[document 1]", "above",
    "question", "Q", "User", "answer", "the following passages", "Current Task", "Thought", "【1】", "根据以下资料",
    "参考资料", "问题", "1.", "##", "**", "---", "{", "}", ".", "?", ",", ":", "：", "<context>", "\n", "is", "Who may",
)  # fmt: skip


@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9).map(" ".join))
def test_a_bare_line_has_no_frame_of_any_kind(text: str) -> None:
    """Else the question would be looked for in vain where it is, and found where it is not."""
    assume(is_bare(text))
    assert not is_framed(text)
    assert context_block(_user(text)) is None
    # behind an empty line it is not bare, and all frames are looked for
    assert prompt_question(_user(f"\n{text}"), ()) == f"\n{text}"
    assert not is_filled(f"\n{text}")
