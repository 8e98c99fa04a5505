"""The frames in which platforms put context and question before a model: often all that a gateway's trace shows."""

from __future__ import annotations

import pytest

from monitor.traces.prompts import context_block, is_grading, prompt_question
from monitor.traces.reading import Message
from tests.monitor.traces.spans import chat, extract, only, retrieval, workflow

RIDERS = "Riders are sixteen or older."
DEPOSIT = "The deposit is fifty euros, paid in advance."
QUESTION = "Who may ride?"
BOTH = f"{RIDERS}\n\n{DEPOSIT}"
JSON = f'{{"reference_id": "1", "content": "{RIDERS}"}}\n{{"reference_id": "2", "content": "{DEPOSIT}"}}'
CHINESE = "骑行者须年满十六岁。\n押金为五十欧元。"
ASKED = "谁可以骑车？"
DASHES = "-" * 12


def _system(text: str, asked: str = QUESTION) -> list[Message]:
    return [Message("system", text), Message("user", asked)]


def _user(text: str) -> list[Message]:
    return [Message("user", text)]


@pytest.mark.parametrize(
    ("prompt", "context"),
    [
        pytest.param(_system(f"以下是知识库：\n  {CHINESE}\n  以上是知识库。", ASKED), CHINESE, id="RAGFlow"),
        pytest.param(
            _user(f"Refer to <Reference></Reference>:\n\n<Reference>\n{BOTH}\n</Reference>\n\nQuestion: {QUESTION}"),
            BOTH,
            id="FastGPT",
        ),
        pytest.param(
            _system(f"使用 <Cites></Cites> 的内容:\n\n<Cites>\n{CHINESE}\n</Cites>\n\n回答要求：\n- 简短。", ASKED),
            CHINESE,
            id="FastGPT, later",
        ),
        pytest.param(
            _user(f"已知信息：{CHINESE}\n用户问题：{ASKED}\n回答要求：\n - 请使用中文"), CHINESE, id="MaxKB"
        ),
        pytest.param(
            _user(f"【指令】根据已知信息回答。\n\n【已知信息】{CHINESE}\n\n【问题】{ASKED}\n"),
            CHINESE,
            id="Langchain-Chatchat",
        ),
        pytest.param(
            _user(f"参考信息：\n{CHINESE}\n---\n我的问题或指令：\n{ASKED}\n---\n请根据上述参考信息回答我的问题。"),
            CHINESE,
            id="QAnything",
        ),
        pytest.param(
            _user(f"参考文本：\n{CHINESE}\n\n问题：{ASKED}\n\n根据参考文本回答上述问题。"), CHINESE, id="Bisheng"
        ),
        pytest.param(
            _system(f"Using the provided context, answer briefly.\n{DASHES}\n{BOTH}\n{DASHES}\nREMEMBER: be brief."),
            BOTH,
            id="Flowise",
        ),
        pytest.param(
            _user(f"{BOTH}\n\n---\n\nGiven the context above, answer.\n\nQuestion: {QUESTION}\n\nAnswer: "),
            BOTH,
            id="Langflow",
        ),
        pytest.param(
            _user(f"Cite them.\n\n## My question is:\n\n{QUESTION}\n\n## Reference Materials:\n\n{BOTH}"),
            BOTH,
            id="Cherry Studio",
        ),
        pytest.param(
            _user(
                f"{QUESTION}\n\n<info>\n<retrieved_chunks>\n{BOTH}\n</retrieved_chunks>\n<user_query>\n"
                f"<user_query_docstring>As rewritten.</user_query_docstring>\n<raw_query>{QUESTION}</raw_query>\n"
                "</user_query>\n</info>"
            ),
            BOTH,
            id="LobeChat",
        ),
        pytest.param(
            _user(f"### Task:\nAnswer with [id] of the <source> tag.\n\n<context>\n{BOTH}\n</context>\n\n{QUESTION}"),
            BOTH,
            id="Open WebUI",
        ),
        pytest.param(_user(f"{QUESTION}\n\nSources:\n\n{BOTH}"), BOTH, id="Azure Search demo"),
        pytest.param(
            _user(f"Use the search results.\n\nHere are the search results in numbered order:\n{BOTH}\n\n"
                  f"Here is the user's question:\n{QUESTION}"),
            BOTH,
            id="Bedrock",
        ),
        pytest.param(
            _system(f"Be helpful.\n{DASHES}\nPossible additional context from uploaded sources:\n{BOTH}"),
            BOTH,
            id="DocsGPT",
        ),
        pytest.param(
            _system(
                "5. Reference Section Example:\n```\n### References\n\n- [1] Document Title One\n```\n\n"
                f"6. Additional Instructions: n/a\n\n\n---Context---\n\n{JSON}\n"
            ),
            JSON,
            id="LightRAG",
        ),
        pytest.param(
            _system(
                f"---Goal---\n\nBrief.\n\n---Knowledge Graph and Document Chunks---\n-----Chunks(DC)-----\n{JSON}\n\n"
                "---Response Rules---\n\n- Use markdown"
            ),
            f"-----Chunks(DC)-----\n{JSON}",
            id="LightRAG, older",
        ),
        pytest.param(
            _system(f"---Role---\n\nHelp.\n\n---Data tables---\n\nid|text\n0|{RIDERS}\n\n\n---Goal---\n\nBe brief.\n"),
            f"id|text\n0|{RIDERS}",
            id="GraphRAG",
        ),
        pytest.param(_system(f"Answer using the following context: {BOTH}"), BOTH, id="by hand, on the same line"),
    ],
)  # fmt: skip
def test_context_and_question_are_found_in_the_frame_of(prompt: list[Message], context: str) -> None:
    asked = QUESTION if RIDERS in context else ASKED
    assert (context_block(prompt), prompt_question(prompt, ())) == (context, asked)


@pytest.mark.parametrize(
    "prompt",
    [
        _user(
            "The following content is an output format template only. It is not source text.\n\nentity|name\n\n"
            "---Real Data---\nUser Query: Who may ride?\n\n---Output---\nOutput:"
        ),
        _user("Given the provided context: may I ride?"),
        _user("Which of these documents are needed? The following ones I have. Is a passport a source of truth?"),
    ],
)
def test_what_only_speaks_of_a_context_holds_none(prompt: list[Message]) -> None:
    assert context_block(prompt) is None


def test_a_frame_says_more_than_what_the_user_says_of_passages() -> None:
    asked = "By the given information: may I ride, aged twelve? I would be with both of my parents all of the time."
    prompt = _system(f"Context:\n{BOTH}", asked)
    assert (context_block(prompt), prompt_question(prompt, ())) == (BOTH, asked)


def test_numbered_passages_of_an_example_are_no_context() -> None:
    """LlamaIndex shows how to cite before it asks."""
    example = (
        "Source 1:\nSnow is cold.\nSource 2:\nIce is colder.\nQuery: What is cold?\nAnswer: Snow [1] and ice [2].\n"
    )
    asked = f"Cite. For example:\n{example}Your turn.\n------\nSource 1:\n{RIDERS}\n\nSource 2:\n{DEPOSIT}\n------\n"
    prompt = _user(f"{asked}Query: {QUESTION}\nAnswer: ")
    assert context_block(prompt) == f"Source 1:\n{RIDERS}\n\nSource 2:\n{DEPOSIT}"
    assert prompt_question(prompt, ()) == QUESTION


def test_an_instruction_above_a_context_is_no_question() -> None:
    assert prompt_question(_user(f"Answer from these.\n\nSources:\n\n{BOTH}"), ()) is None


def test_documents_that_dashes_part_are_all_context() -> None:
    parted = f"{DASHES}\n{RIDERS}\n{DASHES}\n{DEPOSIT}\n{DASHES}\nOpen daily."
    assert context_block(_system(f"Use the following context.\n{parted}")) == parted.removeprefix(f"{DASHES}\n")


ANSWER = "Anyone who is sixteen or older, as the rules of the shop have it."


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(
            "Say whether the answer is factual or hallucinated.\n\n"
            f"    # Query: {QUESTION}\n    # Reference text: {BOTH}\n    # Answer: {ANSWER}\n"
            "    Is the answer above factual or hallucinated?",
            id="Phoenix",
        ),
        pytest.param(
            f"Evaluate it.\n[BEGIN DATA]\n[Question]: {QUESTION}\n[Context]: {BOTH}\n[Answer]: {ANSWER}\n[END DATA]",
            id="Phoenix, in brackets",
        ),
        pytest.param(
            f"You are a teacher.\nQUESTION: {QUESTION}\nCONTEXT: {BOTH}\nSTUDENT ANSWER: {ANSWER}\nGRADE:",
            id="LangChain",
        ),
        pytest.param(
            f"You are a grader of relevance.\nRetrieved document:\n\n{BOTH}\n\nUser question: {QUESTION}",
            id="LangGraph",
        ),
        pytest.param(f"QUESTION: {QUESTION}\n\nCONTEXT: {BOTH}\n\nRELEVANCE: ", id="TruLens"),
        pytest.param(
            f"Judge it.\n<question>{QUESTION}</question>\n<claim>{ANSWER}</claim>\n<context>{BOTH}</context>",
            id="MLflow",
        ),
    ],
)
def test_a_call_that_judges_an_answer_is_no_request(asked: str) -> None:
    assert is_grading(_user(asked))
    assert dict(extract(chat("m", prompt=asked, reply="factual")).dropped) == {"evaluator": 1}


@pytest.mark.parametrize(
    "asked",
    [
        f"Context: {BOTH}\n\nQuestion: {QUESTION}\nAnswer:",
        f"Be factual.\n\nQuestion: Is it open?\nAnswer: {ANSWER}\n\nContext: {BOTH}\n\nQuestion: {QUESTION}\nAnswer:",
        f"Context: {BOTH}\n\nQuestion: {QUESTION}\nAnswer: Let's think step by step, from the first to the last one.",
        "What does a good answer look like?",
        f"You are a judge's clerk.\n\nContext: {BOTH}\n\nQuestion: {QUESTION}",
    ],
)
def test_a_prompt_with_examples_or_the_beginning_of_an_answer_asks_for_no_judgement(asked: str) -> None:
    assert not is_grading(_user(asked))


def test_an_evaluators_call_beside_a_request_takes_nothing_from_it() -> None:
    """The judgement of an answer in the trace of the request, after it."""
    judged = f"Judge it.\nQuestion: {QUESTION}\nContext: {BOTH}\nAnswer: {ANSWER}\nGrade:"
    request = only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a"), chat("d", at=50, prompt=judged)))
    assert request.request_id == "a"
