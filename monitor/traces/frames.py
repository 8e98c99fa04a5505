"""The frames that templates put around a context and a question: labels, headings, tags, sentences. Data only.

Those of libraries, and of platforms whose own templates are in wide use (Dify, FastGPT, RAGFlow, MaxKB, LightRAG, ...).

The rule
    A prompt is that of a request when a context and a question stand in it, and something tells them apart. People
    write `Context:` and `<context>` above their own words, too, and a chat that counts as a request is worse than a
    request that is missed. So the less the frame of the question says, the more the context must look filled in:

    question labelled or tagged     any context in a frame of `LABELS.contexts`, in tags, or behind a sentence; under a
                                    word of `LABELS.loose` only several lines that read as passages
    question in another message     the same, without the loose words; a label counts only with a sentence below it
                                    that gives no order: instructions have such headings
    question bare (it asks, alone)  a context in tags or under a label, that reads as passages and in which nobody
                                    speaks of oneself; under a word of `OWN_WORDS` several lines of it; and a question
                                    that wants something done with a text (`REWORKING`) only with instructions that
                                    speak of passages: people paste what they want to have translated
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

CONTEXT_VARIABLES = ("context", "context_str", "contexts", "documents", "docs", "passages", "sources")
QUESTION_VARIABLES = ("question", "query", "query_str", "user_query", "user_input", "input")


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of one language that stand before a colon or in a heading, as parts of patterns."""

    contexts: str
    questions: str
    answers: str = ""
    loose: str = ""
    """Words for a context that any text may have as a heading."""
    speakers: str = ""
    """Words by which somebody speaks of oneself, as parts of a pattern of their own: templates are filled with none."""


LABELS: Mapping[str, Labels] = {
    "en": Labels(
        r"(?:retrieved |relevant |provided |given |additional |reference )?(?:contexts?|documents?|passages?|sources?"
        r"|search results|references?|excerpts?|materials?)|context information|background|knowledge(?: base)?"
        r"|(?:retrieved|relevant) (?:chunks?|snippets?|articles?|information|facts|text)"
        r"|(?:knowledge graph and )?document chunks|data tables|possible additional context from uploaded sources"
        r"|additional information relevant to the user's next message",
        r"(?:here is )?(?:the )?(?:user(?:'s)? |current |follow[- ]up |my )?(?:question|query)",
        r"(?:helpful |final |your )?answer|response",
        r"facts|information|info|snippets?|articles?|texts?|data|content|chunks?|paragraphs?",
        r"\b(?:I(?!\.)|[Ii]['’](?:m|ve|d|ll)|i (?:am|have|need|want)|[Mm]y|[Mm]e|[Mm]yself)\b",
    ),
    "zh": Labels(
        r"(?:以下[是为])?(?:已知(?:信息|内容)|参考(?:资料|内容|文档|信息|文本|片段)|上下文|背景(?:信息|知识|资料)"
        r"|知识库(?:内容)?|资料|检索(?:结果|内容)|搜索结果|文档内容|文档|相关(?:文档|资料|内容|信息|片段))",
        r"(?:用户的?|当前|我的)?(?:问题(?:或指令)?|提问)是?|用户输入",
        r"回答(?:要求)?|答案|答复|答",
        r"内容|文本|材料|正文|文章|信息|知识|数据|片段",
        r"我(?!们|国|司)",
    ),
    "de": Labels(
        r"kontext|quellen|dokumente|auszüge|suchergebnisse|hintergrund", r"(?:die )?frage", r"antwort",
        r"texte?|informationen|fakten|artikel|daten", r"\b(?:[Ii]ch|[Mm]eine?[mnrs]?|[Mm]ich|[Mm]ir)\b",
    ),
    "fr": Labels(
        r"contexte|documents|extraits|passages", r"question", r"réponse",
        r"textes?|informations|faits|articles|données",
        r"\b(?:[Jj]e\b|[Jj]['’]\w|[Mm]on\b|[Mm]oi\b)",
    ),
    "es": Labels(
        r"contexto|documentos|fuentes|fragmentos", r"pregunta", r"respuesta",
        r"textos?|información|hechos|artículos|datos",
        r"\b(?:[Yy]o|[Mm]is?|[Ee]stoy|[Tt]engo)\b",
    ),
    "pt": Labels(
        r"contexto|documentos|fontes|trechos", r"pergunta", r"resposta", r"textos?|informações|fatos|artigos|dados",
        r"\b(?:[Ee]u|[Mm]eus?|[Mm]inhas?|[Ee]stou|[Tt]enho)\b",
    ),
    "it": Labels(
        r"contesto|documenti|fonti|estratti", r"domanda", r"risposta", r"test[oi]|informazioni|fatti|articoli|dati",
        r"\b(?:[Ii]o|[Mm]io|[Mm]ia|[Mm]iei|[Hh]o)\b",
    ),
    "nl": Labels(
        r"documenten|bronnen|fragmenten", r"vraag", r"antwoord", r"tekst|informatie|feiten",
        r"\b(?:[Ii]k|[Mm]ijn)\b",
    ),
    "pl": Labels(
        r"kontekst|dokumenty|źródła", r"pytanie", r"odpowiedź", r"tekst|informacje|fakty",
        r"\b(?:[Mm]ój|[Mm]oja|[Mm]nie)\b",
    ),
    "tr": Labels(r"bağlam|belgeler|kaynaklar", r"soru", r"cevap|yanıt", r"metin|bilgiler", r"\b(?:[Bb]en|[Bb]enim)\b"),
    "vi": Labels(r"ngữ cảnh|tài liệu", r"câu hỏi", r"(?:câu )?trả lời", r"thông tin|văn bản", r"\b[Tt]ôi\b"),
    "id": Labels(r"konteks|dokumen|sumber", r"pertanyaan", r"jawaban", r"teks|informasi", r"\b(?:[Ss]aya|[Aa]ku)\b"),
    "ru": Labels(
        r"контекст|документы|источники", r"вопрос", r"ответ", r"текст|информация|факты|данные",
        r"\b(?:[Яя]|[Мм]ой|[Мм]оя|[Мм]не|[Мм]еня)\b",
    ),
    "ja": Labels(
        r"コンテキスト|文脈|参考情報|参考資料|検索結果", r"(?:ユーザーの)?質問", r"回答", r"情報|本文|テキスト",
        r"私|僕|俺",
    ),
    "ko": Labels(
        r"컨텍스트|문맥|맥락|참고 ?자료|참고 ?문서|검색 ?결과", r"(?:사용자 ?)?질문", r"답변", r"정보|본문|내용",
        r"저는|제가|나는|내가",
    ),
    "ar": Labels(
        r"السياق|المصادر|المستندات|الوثائق|المراجع|نتائج البحث", r"السؤال|سؤال المستخدم", r"الإجابة|الجواب",
        r"النص|المعلومات|الحقائق", r"\bأنا\b|\bلدي\b",
    ),
    "hi": Labels(r"संदर्भ|दस्तावेज़", r"प्रश्न|सवाल", r"उत्तर", r"जानकारी|पाठ", r"मैं|मेर[ाीे]"),
}  # fmt: skip
"""By the code of the language; the scripts tell them apart, so all of them are looked for in every prompt."""
OWN_WORDS = re.compile(
    r"context\b(?! information)|background|(?<!参考)背景|上下文|[ck]onte[kx]st?|contesto|hintergrund|контекст|السياق",
    re.IGNORECASE,
)
"""Labels of contexts that people write above what they tell of themselves."""
GROUPS = re.compile(
    r"\b(?:we|we['’]re|our|us|wir|uns|unsere?|nous|notre|nuestr[oa]|noi|nossa?|мы|наш\w*)\b|我们", re.IGNORECASE
)
"""Words by which several do: a company's documents have them as well."""
_TEXT = (
    r"(?:this|that(?=[ \t]*\?)|it|these|them|my|(?:the )?above|the (?:text|following|passage|paragraph|sentence"
    r"|letter|e-?mail|message|note|draft))"
)
REWORKING = re.compile(
    r"\b(?:re-?(?:write|word|phrase)|paraphrase|proof-?read|summari[sz]e|shorten|condense|simplify|translate|improve"
    rf"|polish|edit|correct|check|grade|review|critique|fix|format|put|turn|make|explain|sum up|quiz me on) {_TEXT}\b"
    r"|\b(?:can|could|would|will) you [^?\n]{0,40}?\b(?:write|draft|compose) (?:me )?(?:an?|the|my|some) "
    r"(?:\w+ ){0,3}?(?:e-?mail|letter|reply|response|message|post|poem|story|tweet|speech|essay|article|summary|report"
    r"|announcement|headline|title|slogan|paragraph|note)\b"
    r"|\b(?:draft|write) (?:an?|the) (?:reply|response|answer) (?:for|to) (?:me|him|her|them|this|it)\b"
    r"|\bis (?:this|that|it)\b[^?\n]{0,30}\b(?:ok|okay|fine|good|clear|correct|polite|rude|well[- ]written|convincing"
    r"|professional|readable|understandable|(?:too )?(?:long|short|formal|informal))(?: enough| as it is)?[ \t]*\?"
    r"|\b(?:tone|wording|grammar|spelling)\b[^?\n]{0,40}\b(?:this|it|here)\b"
    r"|这(?:段|篇|句)(?:话|文字|文章|句子|文本)?|(?:帮我|替我|为我|请你?)[^？?\n]{0,12}(?:翻译|改写|润色|缩写|总结|概括|修改|校对|写)"
    r"|\b(?:kannst|könntest|würdest) du (?:das|es|dies\w*|den text|mir)\b|\bist (?:das|es) (?:so )?"
    r"(?:gut|richtig|klar|höflich|verständlich)[ \t]*\?"
    r"|\b(?:peux|pourrais)-tu [^?\n]{0,40}\b(?:ce texte|cela|ça|cette? \w+)\b",
    re.IGNORECASE,
)
"""How people ask for something to be done with the text that they give, or what they want to have written."""
SPEAKERS = re.compile("|".join(labels.speakers for labels in LABELS.values()))

# Every frame begins a line. A pattern that begins with the line break is found at the speed of memory, one that begins
# with `^|\n` forty times slower: so a text is searched with a line break in front of it, see `in_lines`.
_LEAD = r"\n[ \t>*#]*(?:\*\*)?"
_COLON = r"(?:\*\*)?[ \t]*[:：](?:\*\*)?"
_OPENED = r"\n[ \t]*(?:#{1,6}[ \t]*(?:\*\*)?|\*\*|\[|【|={2,}[ \t]*|-{2,}[ \t]*)"
_CLOSED = r"(?:\*\*|\]|】)?[ \t]*(?:#+|={2,}|-{2,})?[ \t]*[:：]?[ \t]*(?=\n|\Z)"


def _label(words: Iterable[str], more: str = "") -> re.Pattern[str]:
    """These words before a colon, or as a heading: `Context:`, `## Context`, `**Context**`, `[Context]`, `【...】`."""
    any_word = "|".join(word for word in words if word)
    headed = rf"{_OPENED}(?:{any_word}){_CLOSED}|\n[ \t]*【(?:{any_word})】"
    return re.compile(f"{_LEAD}(?:{any_word})(?: is| are)?{_COLON}|{headed}{more}", re.IGNORECASE)


CONTEXT_LABEL = _label(labels.contexts for labels in LABELS.values())
LOOSE_LABEL = _label(labels.loose for labels in LABELS.values())
QUESTION_LABEL = _label(
    (labels.questions for labels in LABELS.values()), r"|\n请?(?:根据|基于)[^\n]{0,100}?(?:问题是|回答)[:：]"
)
ANSWER_LABEL = _label(labels.answers for labels in LABELS.values())
SCENE = re.compile(
    r"(?:[-*][ \t])?(?:you(?:['’]re| are) (?:an?|the|in|on|at|talking|chatting|speaking|helping|assisting)\b"
    r"|you (?:help|work|act|assist|support|serve)\b|(?:the|this) (?:user|customer|assistant|bot|chat|app)\b"
    r"|today(?:['’]s date)? is\b|(?:the )?current (?:date|time|user)|always cite|cite\b"
    r"|(?:never|do not|don['’]t) (?:invent|make up)|你是|用户是|今天是|当前(?:时间|日期|用户)"
    r"|du bist|vous êtes|eres un)",
    re.IGNORECASE,
)
"""How a text under a label begins that tells the model where it is, or what to do: no context that was found."""
INLINE_LABEL = re.compile(
    r"[.!。][ \t]*(?:context|sources|documents|上下文|参考资料|已知信息)[ \t]*[:：]", re.IGNORECASE
)
"""A label behind a sentence on its line, as system messages have it."""
SHORT = re.compile(
    r"\n(?:Q|User|Human|用户)[ \t]*+[:：]([^\n]*+)(?:\n(?:A|Assistant|AI)[ \t]*+[:：])?+\s*+\Z", re.IGNORECASE
)
"""A last line `Q: ...` or `User: ...`, maybe with `A:` to be filled in: a passage may hold such pairs, too, but does
not end so."""
SHORT_MARKS = ("\nQ", "\nq", "\nUser", "\nuser", "\nHuman", "\n用户")
"""How such a line begins."""
ASKING = ("?", "？", "؟")
"""How a text ends that asks."""
ORDERING = re.compile(
    r"(?:you (?:can|may|must|should|will|are|have)|use|prefer|be|always|never|do not|don['’]t|answer|respond|reply"
    r"|give|write|keep|ask|avoid|follow|include|summari[sz]e|请|不要|使用)",
    re.IGNORECASE,
)
"""How a line begins that tells a model what to do."""
INSTRUCTING = re.compile(
    r"\b(?:answer|respond|reply|question|context|instructions?|concise|frage|réponds|pregunta|вопрос)|回答|问题|请",
    re.IGNORECASE,
)
"""Words of what a model is told to do."""
_PASSAGES = (
    r"\b(?:contexts?|documents?|passages?|sources?|excerpts?|search results|references?|information|articles?|snippets?"
    r"|knowledge base)\b"
)
SPOKEN_OF = re.compile(_PASSAGES + r"|资料|文档|上下文|知识库|参考|内容", re.IGNORECASE)
"""Words by which instructions speak of what the model is given."""
LED_IN = re.compile(
    r"\n[^\n]{0,300}?"
    rf"(?:\b(?:following|below|provided|given|retrieved|these|here (?:is|are))\b[^\n.]{{0,60}}?{_PASSAGES}"
    rf"|{_PASSAGES}[^\n]{{0,20}}?\bbelow\b)"
    r"(?:[ \t]*[:：][ \t]*(?=\S[^\n]{79}|\S[^\n]{0,79}\n)|[^\n]{0,100}[:：][ \t]*(?=\n)"
    r"|[^\n]{0,600}(?:\n[^\n-][^\n]{0,300}){0,2}(?=\n(?:[ \t]*|-{3,})\n))"
    r"|\n[^\n]{0,100}?(?:根据|基于|参考|使用|利用)[^\n。]{0,10}?(?:以下|下面|下列)[^\n。]{0,12}?"
    r"(?:资料|文档|知识|内容|信息|片段|材料|文本|上下文|结果)[^\n]{0,40}[:：][ \t]*(?=\n)",
    re.IGNORECASE,
)
"""A sentence that announces the context: it stands behind the colon, or behind the paragraph.

A few words behind a colon are what the user says.
"""
SENTENCES = (re.compile(r"\nanswer this query: '(.{1,2000}?)' with this provided context: ", re.IGNORECASE),)
"""Sentences that hold the question, with the context behind them (Verba)."""
ADDED = "Additional information relevant to the user's next message:"
"""How the context begins that agents of LiveKit put before the user's words, as something the assistant says."""
ABOVE = re.compile(r"\n(?:given|based on|using) the (?:context|information|documents?) above\b", re.IGNORECASE)
"""A sentence below a context that has no frame of its own (Langflow)."""
SECTION = re.compile(r"\n---[a-z][a-z ]{0,60}---[ \t]*(?=\n|\Z)", re.IGNORECASE)
"""A heading of LightRAG and GraphRAG: what stands under one ends at the next."""
CODE = "\n```"
"""What stands between two of them is an example, when labels stand outside as well."""
ANNOUNCING = ("following", "below", "provided", "given", "retrieved", "these", "here is", "here are")
"""Words of which such a sentence has one."""
CLOSED = re.compile(r"\n[ \t]*(?:the above is the knowledge base|以上[是为]知识库)[^\n]*", re.IGNORECASE)
"""A line that only closes the context (RAGFlow)."""
CLOSING = re.compile(
    r"\n[ \t]*(?:-{3,}[ \t]*\Z|(?:-{3,}[ \t]*\n)?"
    r"(?:(?:given|based on) the (?:above )?context"
    r"|you are an agent\. your internal name is"
    r"|请?(?:根据|基于)(?:上述|以上|参考))[^\n]*\Z"
    r"|instruction: based on the above documents[^\n]*(?:\n[^\n]*)?\Z)",
    re.IGNORECASE,
)
"""A last line, or two, that say what to do with the context above, or who the agent is (Google ADK)."""
HEAD = 10_000
"""Characters in which such a sentence is looked for: it stands above the context."""
RULE = re.compile(r"\A-{3,}[ \t]*\n")
TAIL = 400
"""Characters in which such a line is looked for."""
FENCES = ('"""', "```", "'''")
CONTEXT_TAG = re.compile(
    r"<(/?)(contexts?|documents?|docs|sources?|passages?|references?|cites|chunks?|search_results?|knowledge(?:_base)?"
    r"|(?<=/)file|file(?= id:)|retrieved_(?:docs|documents|context|chunks))(?:[ \t][^<>\n]{0,200})?>",
    re.IGNORECASE,
)
"""A file only as Rig writes it: others put code into such a tag."""
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
NUMBERED = re.compile(
    r"\n(?:【1】|(?:文档|资料|片段)[ \t]?1[:：]|(?:document|passage|source|chunk|excerpt) 1:"
    r"|\[(?:document|doc|passage|source|chunk) ?1\])",
    re.IGNORECASE,
)
LISTED = re.compile(r"\n(?=\[1\][ \t])")
"""How passages begin that are only numbered; any text may have such a list."""
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
