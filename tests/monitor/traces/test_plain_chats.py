"""Ordinary chats with the words of frames in them are no requests: what a user tells is no evidence to judge by."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from monitor.config.settings import Assembly
from monitor.traces.extract import Extractor
from monitor.wire import Assembled, CloseReason
from tests.monitor.traces.spans import TRACE, span

Turn = tuple[str, str]

PASTED = "The meeting was moved to Friday by the board.\nThe budget was approved in full last week."
PASTED_ZH = "董事会已经把会议改到了星期五下午三点。\n预算已经在上周全部获得批准，没有任何修改。"
PASTED_DE = "Das Treffen wurde auf den Freitag verschoben.\nDas Budget wurde letzte Woche ganz genehmigt."
PASTED_FR = "La réunion a été déplacée à vendredi prochain.\nLe budget a été approuvé en entier la semaine passée."

CHATS: list[list[Turn]] = [
    [("user", "Context: I work nights as a nurse.\n\nHow can I sleep better during the day?")],
    [("user", "How can I sleep?\n\nContext: I work nights as a nurse and have two small children.")],
    [("user", "Background: we run Postgres 16 with three replicas.\nReads time out.\n\nWhat should we check first?")],
    [("user", "Context: FastAPI 0.110, Python 3.12, uvicorn.\n\nWhy does a POST without a body give 422?")],
    [("user", "Which visa applies?\n\nDocuments: passport, birth certificate.")],
    [("user", "Documents: a passport and an identity card.\n\nWhat else do I need to travel to Japan?")],
    [("user", "<context>I'm writing to my landlord about the heating.</context>\n\nIs this tone fine?")],
    [("user", "Sources: my own notes from class. I missed two lectures.\n\nCan you quiz me on mitosis?")],
    [("user", "References: please use APA style.\n\nHow do I cite a podcast?")],
    [("user", "Can you check my code?\n\n```python\n# Context:\ncontext = load()\n```\n\nWhy is it slow?")],
    [("user", "Text: The quick brown fox jumps.\n\nQuestion: is this sentence correct?")],
    [("user", "Text:\nI have went to the market and buyed some apples for my aunt.\nQuestion: what is wrong?")],
    [("user", "Facts: water boils at 100 degrees.\nQuestion: why lower on a mountain?")],
    [("user", "Information: 2 adults, 1 child, 3 nights.\n\nQuestion: how much should we tip?")],
    [("user", "Data: 3, 5, 8, 13\nQuestion: what comes next?")],
    [("user", "Article: the\nQuestion: when is it left out in English?")],
    [("user", "Notes:\n- buy milk\n- call Ana\n\nCan you sort these by urgency?")],
    [("user", "Translate the following text into French:\n\nThe shop is closed on Mondays.\n\nThank you!")],
    [("user", "Summarize the following article:\n\nThe council met on Tuesday. It voted for the new bridge.")],
    [("user", "Given the following information, is it legal?\nMy neighbour cut my hedge. He did not ask.")],
    [("user", "Here is my essay:\n\nCities are loud. Trees help.\n\nWhat grade would you give it?")],
    [("user", "What is the context of the Gettysburg address?")],
    [("user", "What sources did Shakespeare use? Name three documents.")],
    [("user", "Explain the question: what is being?")],
    [("user", "Question: what is the capital of Peru?")],
    [("user", "Q: What is 2+2?\nA:")],
    [("user", "User: hi\nAssistant: hello\nUser: what can you do?")],
    [("user", '{"query": "weather in Rome", "units": "metric"}')],
    [("user", '{"question": "Is it raining?", "context": ""}')],
    [("user", '{"question": "Is it raining?", "context": []}')],
    [("user", "<question>What is a monad?</question>")],
    [("user", "Wrap the answer in <documents></documents> tags. What are the four seasons?")],
    [("user", "How do I write a <context> tag in JSX?\n\nIs <context></context> valid?")],
    [("user", "Rewrite this prompt:\n\n'Use the context to answer. Question: {question}'")],
    [("system", "You are a helpful assistant. Ask for context when the question is unclear."), ("user", "Hi there!")],
    [("system", "Do not invent sources. Give references where you know them."), ("user", "Who was Ada Lovelace?")],
    [("system", "Answer in the language of the question.\nBe brief. Context: a school."), ("user", "What is pi?")],
    [("system", "You are a translator. Translate the following text:"), ("user", "The documents are in the car.")],
    [("system", "You write SQL. Use the given tables only when asked."), ("user", "Count the rows of orders.")],
    [("system", "# Role\nAgent.\n\n# Context\nYou help at a bike shop.\n\n# Task\nBe kind."), ("user", "Hi!")],
    [("system", "Context: Today is Monday, 30 November. The user is called Ana."), ("user", "What day is it?")],
    [("system", "## Background\nThe user works in sales and likes short answers."), ("user", "Write a slogan.")],
    [("system", "## Sources\nAlways cite where you know it from.\n\n## Tone\nFriendly."), ("user", "Who was Ada?")],
    [("system", "背景：你是一家自行车店的客服。"), ("user", "你好！")],
    [("user", "Context: today is my birthday.\n\nWhat cake should I bake?")],
    [("user", '{"input": "Write a slogan", "context": "pricing page"}')],
    [("user", '{"query": "Which visa?", "documents": ["passport", "identity card"]}')],
    [("user", '{"question": "Which is older?", "documents": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}')],
    [("system", "# Knowledge\nYou can use general knowledge.\n# Style\nfriendly"), ("user", "Hi there!")],
    [("system", "## References\n- Use APA style.\n- Prefer primary sources."), ("user", "Who was Ada?")],
    [("system", "Follow what stands below. When given documents, summarise:\n- be brief"), ("user", "Hello!")],
    [("system", "Context:\n- Python\n- Framework: Django\n- Be strict about types"), ("user", "def f(x): ...")],
    [("system", "Here is information about the user:\nName: Ana\nPlan: Pro\n\nBe kind."), ("user", "Can I upgrade?")],
    [("system", "A conversation. Use information below if needed.\n\nBe nice."), ("user", "Hi!")],
    [("system", "你是一个助手。请使用以下内容格式回答：\n1. 标题\n2. 正文"), ("user", "介绍一下你自己")],
    [("user", "Write a blog post.\n\nContext:\n- audience: developers\n- tone: funny\n- length: 500 words")],
    [("user", "Data:\nname,age,city\nAna,31,Lyon\nBob,44,Nice\n\nQuestion: who is older?")],
    [("user", "Document 1: my CV\nDocument 2: my cover letter\n\nQuestion: which first?")],
    [("user", "[1] I like tea in the late afternoon.\n[2] I like coffee in the morning.\nQuestion: which is it?")],
    [("user", "<document>\nDear Sir, I am writing to complain about the late order.\n</document>\n\nIs it polite?")],
    [("user", "<file id: a>\nx=1\n</file>\n\nWhat does it do?")],
    [("user", '<source lang="python">\ndef f(): pass\n</source>\n\nIs this ok?')],
    [("user", "请根据以下要求写一篇文章：\n1. 五百字\n2. 关于春天")],
    [("user", "根据以下信息给我写一封信：\n我叫小王，来自北京，想申请这个工作，请正式一点。")],
    [("user", "背景：我是一名护士，经常上夜班，白天睡不好。\n\n怎样才能睡得更好？")],
    [("user", "请把以下内容翻译成英文：\n\n今天天气很好，我们去公园吧。")],
    [("user", "内容：春天来了。\n问题：这句话有语病吗？")],
    [("user", "我有一个问题是：怎么学好英语？")],
    [("user", "Kontext: Ich ziehe nach Wien und habe zwei Katzen.\n\nWas muss ich beachten?")],
    [("user", "Contexte : je prépare mon mariage pour juin.\n\nPar quoi commencer ?")],
    [("user", "Contexto: tengo dos perros y un piso pequeño.\n\n¿Puedo adoptar otro?")],
    [("user", "السياق: أنا طالب في السنة الأولى.\n\nكيف أنظم وقتي؟")],
    [("user", "Relevant experience: ten years as a cook.\n\nHow do I write a cover letter?")],
    [("user", "Source: https://example.org/page\n\nIs this a reliable site?")],
    [("user", "Search results: none of them helped.\n\nDo you know how to reset the router?")],
    [("user", f"Context:\n{PASTED}\n\nCan you write an email to the team about it?")],
    [("user", f"Context:\n{PASTED}\n\nCould you summarize this in one sentence?")],
    [("user", f"Background:\n{PASTED}\n\nWould you draft a reply for me?")],
    [("user", f"<source>\n{PASTED}\n</source>\n\nCan you proofread this?")],
    [("user", f"<source>\n{PASTED}\n</source>\n\nIs it grammatically correct?")],
    [("user", f"<document>\n{PASTED}\n</document>\n\nCan you turn this into plain English?")],
    [("user", f"Source:\n{PASTED}\n\nWhat tone does this have?")],
    [("user", f"背景：\n{PASTED_ZH}\n\n能帮我写一封邮件吗？")],
    [("user", f"<context>\n{PASTED_ZH}\n</context>\n\n这段话有语病吗？")],
    [("user", f"Kontext:\n{PASTED_DE}\n\nKannst du das kürzer schreiben?")],
    [("user", f"Contexte :\n{PASTED_FR}\n\nPeux-tu corriger ce texte ?")],
    [("system", "You are a helpful assistant."), ("user", f"<source>{PASTED}</source>\n\nCan you rephrase that?")],
]  # fmt: skip


def dropped(chat: list[Turn]) -> dict[str, int]:
    messages = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in chat]
    reply = [{"role": "assistant", "parts": [{"type": "text", "content": "Sure: here is how."}]}]
    call = span(
        "a",
        attributes={
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "m",
            "gen_ai.input.messages": json.dumps(messages),
            "gen_ai.output.messages": json.dumps(reply),
        },
    )
    reading = Extractor(Assembly(), ()).read(Assembled(TRACE, (call,), (), CloseReason.QUIET))
    return dict(reading.extracted.dropped)


@pytest.mark.parametrize("chat", CHATS, ids=[chat[-1][1][:40] for chat in CHATS])
def test_an_ordinary_chat_is_no_request(chat: list[Turn]) -> None:
    assert dropped(chat) == {"plain_chat": 1}


MUTATIONS: dict[str, Callable[[str], str]] = {
    "greeted": lambda text: f"Hello!\n\n{text}",
    "thanked": lambda text: f"{text}\n\nThank you!",
    "loud": str.upper,
    "in small letters": str.lower,
    "close": lambda text: text.replace("\n\n", "\n"),
    "far apart": lambda text: text.replace("\n", "\n\n"),
    "quoted": lambda text: "> " + text.replace("\n", "\n> "),
    "in bold": lambda text: "**" + text.replace(": ", ":** ", 1),
    "as a heading": lambda text: "# " + text.replace(": ", "\n", 1),
    "twice": lambda text: f"{text}\n\n{text}",
}


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS)
def test_an_ordinary_chat_that_is_written_otherwise_is_no_request(mutate: Callable[[str], str]) -> None:
    mutants = [[*chat[:-1], ("user", mutate(chat[-1][1]))] for chat in CHATS]
    assert [chat for chat in mutants if dropped(chat) != {"plain_chat": 1}] == []


@pytest.mark.parametrize(
    "chat",
    [
        [("user", f"Context:\n{PASTED}\n\nWhen is the meeting?")],
        [("user", f"<source>\n{PASTED}\n</source>\n\nHow do I write a letter to the board?")],
        [("user", f"Context:\n{PASTED}\n\nIs it correct that the budget was approved?")],
        [("user", f"Context:\n{PASTED}\n\nQuestion: Can you summarize this?")],
        [("system", "Answer from the context."), ("user", f"Context:\n{PASTED}\n\nCan you summarize this?")],
        [("system", "请根据资料回答。"), ("user", f"<context>\n{PASTED_ZH}\n</context>\n\n请帮我总结一下？")],
    ],
    ids=lambda chat: chat[-1][1][-30:],
)
def test_what_is_asked_of_a_filled_prompt_is_a_request(chat: list[Turn]) -> None:
    """The same texts, where a fact is asked for, a label frames the question, or instructions speak of passages."""
    assert dropped(chat) == {}
