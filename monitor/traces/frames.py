"""The frames that templates put around a context and a question: labels, headings, tags, sentences. Data only.

Those of libraries, and of platforms whose own templates are in wide use (Dify, FastGPT, RAGFlow, MaxKB, LightRAG, ...).
"""

from __future__ import annotations

import re

CONTEXT_VARIABLES = ("context", "context_str", "contexts", "documents", "docs", "passages", "sources")
QUESTION_VARIABLES = ("question", "query", "query_str", "user_query", "user_input", "input")

# Every frame begins a line. A pattern that begins with the line break is found at the speed of memory, one that begins
# with `^|\n` forty times slower: so a text is searched with a line break in front of it, see `_in_lines`.
_LEAD = r"\n[ \t>*#]*(?:\*\*)?"
_COLON = r"(?:\*\*)?[ \t]*[:：](?:\*\*)?"
_OPENED = r"\n[ \t]*(?:#{1,6}[ \t]*(?:\*\*)?|\*\*|\[|【|={2,}[ \t]*|-{2,}[ \t]*)"
_CLOSED = r"(?:\*\*|\]|】)?[ \t]*(?:#+|={2,}|-{2,})?[ \t]*[:：]?[ \t]*(?=\n|\Z)"


def _label(words: str) -> re.Pattern[str]:
    """These words before a colon, or as a heading: `Context:`, `## Context`, `**Context**`, `[Context]`, `【...】`."""
    headed = rf"{_OPENED}(?:{words}){_CLOSED}|\n[ \t]*【(?:{words})】"
    return re.compile(f"{_LEAD}(?:{words})(?: is| are)?{_COLON}|{headed}", re.IGNORECASE)


CONTEXT_LABEL = _label(
    r"(?:retrieved |relevant |provided |given |additional |reference )?(?:contexts?|documents?|passages?|sources?"
    r"|search results|references?|excerpts?|materials?)|context information|background|knowledge(?: base)?"
    r"|(?:knowledge graph and )?document chunks|data tables|possible additional context from uploaded sources"
    r"|kontext|contexte|contexto|contesto|quellen|dokumente|documentos|fuentes|fontes|контекст"
    r"|(?:以下[是为])?(?:已知(?:信息|内容)|参考(?:资料|内容|文档|信息|文本)|上下文|背景(?:信息|知识|资料)"
    r"|知识库|资料|检索(?:结果|内容)|文档内容|文档)|コンテキスト|参考情報|컨텍스트|문맥"
)
QUESTION_LABEL = _label(
    r"(?:here is )?(?:the )?(?:user(?:'s)? |current |follow[- ]up |my )?(?:question|query)"
    r"|用户问题|用户提问|当前问题|我的问题(?:或指令)?是?|问题|提问"
    r"|frage|pregunta|pergunta|domanda|вопрос|質問|질문"
)
ANSWER_LABEL = _label(
    r"(?:helpful |final |your )?answer|response|回答(?:要求)?|答案|答复|答"
    r"|antwort|réponse|respuesta|resposta|risposta|ответ|답변"
)
SHORT = re.compile(r"\nQ[ \t]*+[:：]([^\n]*+)(?:\nA[ \t]*+[:：])?+\s*+\Z", re.IGNORECASE)
"""A last line `Q: ...`, maybe with `A:` to be filled in: a passage may hold such pairs, too, but does not end so."""
_PASSAGES = (
    r"\b(?:contexts?|documents?|passages?|sources?|excerpts?|search results|references?|information|articles?|snippets?"
    r"|knowledge base)\b"
)
LED_IN = re.compile(
    r"\n[^\n]{0,300}?"
    rf"(?:\b(?:following|below|provided|given|retrieved|here (?:is|are))\b[^\n.]{{0,60}}?{_PASSAGES}"
    rf"|{_PASSAGES}[^\n]{{0,20}}?\bbelow\b)"
    r"(?:[ \t]*[:：][ \t]*(?=\S[^\n]{79}|\S[^\n]{0,79}\n)|[^\n]{0,100}[:：][ \t]*(?=\n)"
    r"|[^\n]{0,600}(?:\n[^\n-][^\n]{0,300}){0,2}(?=\n(?:[ \t]*|-{3,})\n))",
    re.IGNORECASE,
)
"""A sentence that announces the context: it stands behind the colon, or behind the paragraph.

A few words behind a colon are what the user says.
"""
ABOVE = re.compile(r"\n(?:given|based on|using) the (?:context|information|documents?) above\b", re.IGNORECASE)
"""A sentence below a context that has no frame of its own (Langflow)."""
SECTION = re.compile(r"\n---[a-z][a-z ]{0,60}---[ \t]*(?=\n|\Z)", re.IGNORECASE)
"""A heading of LightRAG and GraphRAG: what stands under one ends at the next."""
CODE = "\n```"
"""What stands between two of them is an example, when labels stand outside as well."""
ANNOUNCING = ("following", "below", "provided", "given", "retrieved", "here is", "here are")
"""Words of which such a sentence has one."""
CLOSING = re.compile(
    r"\n[ \t]*(?:-{3,}[ \t]*\Z|(?:-{3,}[ \t]*\n)?"
    r"(?:(?:given|based on) the (?:above )?context|the above is the knowledge base|以上[是为]知识库"
    r"|you are an agent\. your internal name is"
    r"|请?(?:根据|基于)(?:上述|以上|参考))[^\n]*\Z"
    r"|instruction: based on the above documents[^\n]*(?:\n[^\n]*)?\Z)",
    re.IGNORECASE,
)
"""A last line, or two, that say what to do with the context above, who the agent is (Google ADK), or only close it."""
HEAD = 10_000
"""Characters in which such a sentence is looked for: it stands above the context."""
RULE = re.compile(r"\A-{3,}[ \t]*\n")
TAIL = 400
"""Characters in which such a line is looked for."""
FENCES = ('"""', "```", "'''")
CONTEXT_TAG = re.compile(
    r"<(/?)(contexts?|documents?|docs|sources|passages|references?|cites|search_results"
    r"|retrieved_(?:docs|documents|context|chunks))>",
    re.IGNORECASE,
)
QUESTION_TAG = re.compile(r"<(/?)(question|query|user_question|user_query|raw_query)>", re.IGNORECASE)
RULED = re.compile(
    r"\nContext information is below(?:\.|, surrounded by -+)?\s*\n-{3,}\n(.*)\n-{3,}(?:\n|$)", re.DOTALL
)
BELOW = "Context information is below"
ANNOUNCED = (
    "\n\nAnswer using the following information:\n",
    "\n\nUse the following information to complete your task:\n",
    "\n\nUse the following references from the knowledge base if it helps:\n",
)
"""How LangChain4j, Genkit and Agno do; of several lines before it the first may be instructions."""
BEHIND = (", surrounded by -", ".\n-")
BEHIND_END = "\nreply to the user comment"
"""How Spring AI puts the context behind the user's words."""
FIELD = re.compile(
    r"\n(?:([^\S\n]*)\[\[ ## (?:(\w+) ## \]\])?|Respond with (?:the corresponding output fields|a JSON object))"
)
"""DSPy marks each field of its prompts and replies, and says what it wants behind the last one of a prompt.

An indented or broken mark only ends the field before it, as that sentence does.
"""
MARK = "[[ ## "
NUMBERED = re.compile(r"\n【1】")
TASK = "Current Task:"
TASK_END = "\n\nThis is the expect"
THINKS = "Thought:"
FINAL = "\nFinal Answer:"
"""The marks of ReAct, which CrewAI and the older agents of LangChain use."""
_JUDGED = (
    r"(?:(?:student|submitted|candidate|model|generated|assistant|ai|llm|predicted|actual)(?:'s)?[ _-])?"
    r"(?:answer|response|output|submission|claim|statement)s?"
)
JUDGED = re.compile(
    rf"\n[ \t>*#]*(?:{_JUDGED}[ \t*]*[:：]|\[{_JUDGED}\][:：]?|<{_JUDGED}>)[*]*\s*(?=\S[^\n]{{29}})",
    re.IGNORECASE,
)
"""The label of an answer that was filled in: a model that is to answer finds that place empty."""
JUDGING = re.compile(
    r"\b(?:evaluat|grad(?:e|ing)\b|scor(?:e|ing)\b|judg|hallucinat|factual|faithful|groundedness|assess"
    r"|is the (?:answer|response|claim)\b)",
    re.IGNORECASE,
)
GRADE = re.compile(
    r"\n[ \t>*#]*(?:grade|score|rating|relevance|verdict|judge?ment|evaluation)[ \t*]*[:：][ \t*]*\Z", re.IGNORECASE
)
"""How prompts of evaluators ask, and what their last line is for."""
GRADER = re.compile(r"\byou are an? [^\n.]{0,60}?\b(?:grader|evaluator|rater|judge)\b(?!['’])", re.IGNORECASE)
"""What the model is told to be."""
