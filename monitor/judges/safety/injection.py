"""Signs of an attack on the model or on the judge: phrases, hidden characters, forged frames.

They say that somebody attacks, not that the answer obeyed. Phrase lists know known wording only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from monitor.judges.safety.finding import Family, Finding, Severity, texts_of
from monitor.privacy.folding import fold
from monitor.records import RagTrace, SensitiveHit

_OVERRIDE = re.compile(
    r"""\b(?:(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass(?:ing)?|discard|do[ ]not[ ]follow)[ ]
          (?:(?:all|any|the|your|every|each|of|these|those|my|our|its|other)[ ]){0,4}
          (?:(?:previous|prior|above|earlier|preceding|foregoing|initial|original|existing|system|safety|developer)
            (?:ly)?[ ](?:[a-z-]+[ ]){0,2}
            (?:instructions?|prompts?|directions?|directives?|rules|guidelines|commands|context|messages?|text|training
              |programming|constraints|conversations?|guardrails|filters?|polic(?:y|ies))
          |(?:instructions?|prompts?|programming|guardrails|guidelines)[ ](?:you|that|above|given|before|i[ ]gave)
          |(?:everything|what|anything)[ ](?:above|before|you[ ](?:were|have|know|'ve)|i[ ](?:said|told)))
        |(?:ignore|disregard|forget)[ ](?:all[ ]|any[ ]|your[ ]|the[ ]){1,3}
          (?:instructions|programming|guardrails|safety)\b
        |ignore[ ]the[ ]question[ ]and\b)
      | (?:忽略|无视|忘记|忘掉|不要理会|不要遵守|抛开|放弃|跳过|覆盖|忽視|無視)(?:掉|了)?(?:你)?
          (?:之前|以上|上面|前面|先前|此前|上述|原来|所有|全部|一切|任何|系统|原有|你的|你收到)[^。，,；\n]{0,12}
          (?:指令|提示词?|规则|要求|内容|设定|限制|对话|命令|约束|信息|说明|准则|指示)
    """,
    re.VERBOSE,
)
_JAILBREAK = re.compile(
    r"""\b(?:do[ ]anything[ ]now\b|dan[ ]mode\b
        |jail[ ]?broken?\b[^.\n]{0,40}\b(?:mode|chatgpt|gpt|prompt|ai|model|version)\b
        |(?:developer|dev|god|debug|maintenance)[ ]mode\b[^.\n]{0,30}\b(?:enabled|output|activated|policy)
        |(?:unfiltered|uncensored|amoral|unrestricted|unethical|immoral|unlimited)\b[^.\n]{0,40}
          \b(?:ai|chat[ ]?bot|assistant|persona|character|language[ ]model|llm|gpt|responses?|answers?|advice)\b
        |(?:responses?|answers?)[ ](?:will[ ]be|are|must[ ]be)[ ](?:unfiltered|uncensored)
        |(?:ai|chat[ ]?bot|chatgpt|assistant|character|model|persona|bot|you)\b[^.\n]{0,40}
          \b(?:no|zero|without|free[ ](?:of|from)|freed[ ]from|lacks?)[ ](?:any[ ]|all[ ]|the[ ]|of[ ])?
          (?:ethics|ethical|morals|morality|restrictions?|filters?|censorship|limitations?|content[ ]polic(?:y|ies))\b
        |(?:without|no|ignore|disregards?|regardless[ ]of)[ ](?:any[ ]|all[ ])?(?:ethical|moral|safety)
          (?:,?[ ](?:or|and)[ ][a-z]+)?[ ]
          (?:guidelines|restrictions?|constraints?|limits?|limitations?|filters?|bound(?:arie)?s|considerations|concerns)\b
        |(?:never|not|cannot|can't|won't|don't)[ ](?:ever[ ])?(?:refus(?:e|ing)|reject)[ ]
          (?:to[ ]answer|any|a[ ](?:request|question|prompt|human)|my|user|the[ ]user|direct)\b
        |never[ ]refuses?\b|(?:stay|remain|keep)(?:s|ing)?[ ]in[ ]character\b
        |break(?:ing)?[ ](?:out[ ]of[ ])?character\b
        |broken[ ]free[ ]of[ ]the[ ]typical\b|confines[ ]of[ ]ai\b
        |free[ ](?:of|from)[ ](?:your|all|its)[ ](?:confines|limitations)\b
        |openai(?:'s)?[ ](?:content[ ]|use[ ])?polic(?:y|ies)\b|you[ ]are[ ]no[ ]longer[ ](?:chatgpt|an?[ ]ai)
        |forget[ ]that[ ]you[ ]are[ ]an?[ ](?:ai|language)
        |(?:does|do)(?:n't|[ ]not)[ ]have[ ]any[ ]content[ ]polic
        |(?:not|n't|no[ ]longer|never)[ ](?:be[ ])?(?:bound|restricted|constrained|restrained|limited)[ ](?:by|to)[ ]
          (?:any[ ](?:rules|moral|ethic|law)|the[ ]rules|open[ ]?ai|rules|ethic|moral|laws)
        |(?:illegal|unethical|immoral|harmful)\b[^.\n]{0,30}\b(?:unethical|immoral|illegal|dangerous|harmful|nsfw)\b
          [^.\n]{0,60}\b(?:answer|respon[ds]|comply|request|question|advice|content|without))
      | 越狱(?:模式|提示)|开发者模式(?:已)?(?:启用|开启|输出|下)
      | (?:不(?:再)?受|没有|无视|摆脱)(?:任何|一切|所有)?(?:的)?(?:道德|伦理|法律|审查|内容|安全|规则)
          (?:和[^，。]{1,6})?(?:的)?(?:限制|约束|束缚|规范|过滤|政策)
      | 绕过(?:你的|所有|任何|内容|安全|系统)?(?:安全|审查|过滤|限制|内容|防护)
    """,
    re.VERBOSE,
)
_EXTRACTION = re.compile(
    r"""\b(?:reveal|print|show|repeat|output|display|leak|expose|dump|recite|give|tell|what[ ](?:is|are))[ ]
          (?:me[ ]|us[ ])?(?:(?:all|back|out|exactly|verbatim)[ ]){0,2}
          (?:(?:your|the)[ ](?:system|initial|hidden|original|secret|internal|developer|full)[ ](?:system[ ])?
            (?:prompt|instructions?|messages?|rules)|your[ ](?:prompt|instructions)|(?:the[ ])?text[ ]above)\b
      | (?:泄露|输出|显示|告诉我|打印|重复|复述|展示|给我)(?:出)?(?:一下)?(?:你的?|系统|完整){1,3}(?:的)?
          (?:系统|初始|隐藏|原始|内部)?(?:提示词|提示语|系统提示|系统指令|系统设定|初始指令|指令|prompt)
    """,
    re.VERBOSE,
)
_ADDRESSED = re.compile(
    r"""\b(?:(?:important|attention|note|notice|instructions?|message|warning|hey|dear|hello)[ :,!-]{1,3}
          (?:to[ ]|for[ ])?(?:the[ ]|all[ ]|any[ ])?
          (?:ai|a\.i\.|llm|language[ ]models?|chat[ ]?bots?|assistant|agents?|gpt)\b[^.\n]{0,6}[:,.!]?[ ]
          (?=[^\n]{0,120}\b(?:ignore|instead|must|tell|say|respond|reply|output|include|recommend|do[ ]not|email|send
            |visit|click)\b)
        |(?:if[ ]you[ ]are|as)[ ]an?[ ](?:ai|llm|language[ ]model)\b[^.\n]{0,60}
          \b(?:you[ ]must|ignore|instead|output|respond[ ]with)\b)
      | (?:系统|管理员|开发者|隐藏)(?:指令|命令|消息)[:：](?=[^\n]{0,60}(?:忽略|无视|告诉用户|必须|回复|输出|访问|执行))
      | (?:ai|人工智能|大模型|语言模型|智能助手|助手)(?:请)?(?:注意|请注意|必须|务必)[:：,，]
          (?=[^\n]{0,60}(?:忽略|无视|告诉用户|回复|输出|访问|推荐))
    """,
    re.VERBOSE,
)
_FORGED = re.compile(
    r"""<\|(?:im_start|im_end|im_sep|system|assistant|user|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>
      | \[/?inst\]|<</?sys>>
      | [\[【<(]{1,3}[ ]?/?(?:end[ ]of|begin|start[ ]of|end)[ ](?:the[ ])?
          (?:answer|passages?|contexts?|question|input|data|documents?|prompt|conversation|evaluation|user[ ]input
            |instructions?)[ ]?[\]】>)]{1,3}
      | [\[【][ ]?(?:verdict|judge?ment|final[ ]score|evaluation[ ]result|评分结果|判定|裁决)[ ]?[\]】]
      | ["']verdict["'][ ]?:[ ]?["'](?:yes|supported|faithful|pass(?:ed)?|correct|safe|true)["']
      | \b(?:(?:as[ ](?:the|an?)|dear|attention|note[ ]to(?:[ ]the)?)[ ]
          (?:evaluator|grader|judge|reviewer|evaluation[ ]model)\b[,:]?[^.\n]{0,60}
          \b(?:must|should|give|assign|score|rate|mark|output|respond|answer|return)\b
        |(?:rate|score|grade|mark)[ ]this[ ](?:answer|response|reply|output)[ ](?:as[ ]|with[ ]|at[ ])?(?:an?[ ])?
          (?:perfect|full|maximum|10|5|100|1\.0|faithful|safe))
      | (?:作为|身为|尊敬的|请)(?:评审|评委|裁判|评估者|评测模型|评分员|打分)[^。\n]{0,24}
          (?:满分|打分|给出|判定|评为|通过)
      | [【\[<](?:回答|答案|资料|上下文|问题|输入|数据)(?:结束|到此为止|完毕)[】\]>]
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A kind of attack. Every match of `pattern` holds one of `cues`: looking for those first is ten times as fast."""

    kind: str
    pattern: re.Pattern[str]
    cues: tuple[str, ...]

    def search(self, lower: str) -> re.Match[str] | None:
        """The first match in a lower-case text."""
        for cue in self.cues:
            if cue in lower:
                return self.pattern.search(lower)
        return None


_PHRASES = (
    _Phrase(
        "instruction_override",
        _OVERRIDE,
        (
            *("ignor", "disregard", "forget", "overrid", "bypass", "discard", "do not follow"),
            *("忽略", "无视", "忘记", "忘掉", "不要理会", "不要遵守", "抛开", "放弃", "跳过", "覆盖", "忽視", "無視"),
        ),
    ),
    _Phrase(
        "jailbreak",
        _JAILBREAK,
        (
            *(
                "do anything now",
                "jail",
                "mode",
                "unfiltered",
                "uncensored",
                "unrestricted",
                "unlimited",
                "ethic",
                "moral",
            ),
            *("restrict", "filter", "censorship", "limit", "content polic", "safety", "refus", "reject", "character"),
            *("broken free", "confines", "openai", "no longer", "forget that", "bound", "constrained", "restrained"),
            *("illegal", "harmful", "越狱", "开发者模式", "限制", "约束", "束缚", "规范", "过滤", "政策", "绕过"),
        ),
    ),
    _Phrase(
        "prompt_extraction",
        _EXTRACTION,
        ("prompt", "instruction", "message", "rules", "text above", "提示", "指令", "设定"),
    ),
    _Phrase(
        "addressed_to_model",
        _ADDRESSED,
        (
            *("important", "attention", "note", "notice", "instruction", "message", "warning", "hey", "dear", "hello"),
            *("you are a", "as a ai", "as an ai", "as a llm", "as an llm", "as a language", "as an language"),
            *("指令", "命令", "消息", "注意", "必须", "务必"),
        ),
    ),
)
_FORGED_FRAME = _Phrase(
    "forged_frame",
    _FORGED,
    (
        *("<|", "inst]", "sys>", "verdict", "judgement", "judgment", "final score", "evaluation result"),
        *(
            f"{bracket}{gap}{word}"
            for bracket in "[【<("
            for gap in ("", " ", "/", " /")
            for word in ("end", "begin", "start of")
        ),
        *("evaluator", "grader", "judge", "reviewer", "evaluation model", "rate this", "score this", "grade this"),
        *("mark this", "评分结果", "判定", "裁决", "评审", "评委", "裁判", "评估者", "评测模型", "评分员", "打分"),
        *("结束", "到此为止", "完毕"),
    ),
)

_FLAG_EMOJI = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_TAGS = re.compile("[\U000e0000-\U000e007f]{2,}")
_SELECTORS = re.compile("[\U000e0100-\U000e01ef]{4,}|[\ufe00-\ufe0f]{4,}")
_ZERO_WIDTH_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]{4,}")
_SPLIT_WORD = re.compile("(?<=[A-Za-z])[\u200b-\u200d\u2060\ufeff](?=[A-Za-z])")
_OVERRIDES = re.compile("[\u202d\u202e]")
_MANY_SPLITS = 3


def injections(trace: RagTrace, hits: Sequence[SensitiveHit]) -> Iterator[Finding]:
    """Attacks in question and passages; forged frames and hidden text in the answer, too, as that is judged next.

    A phrase in a question is a fact about the user, so only `controversial`; in a passage it is `unsafe`.
    """
    del hits
    for target, passage, text in texts_of(trace):
        severity = Severity.CONTROVERSIAL if target == "question" else Severity.UNSAFE
        for kind, start, end in _signs(text, phrases=target != "answer"):
            yield Finding(Family.INJECTION, kind, target, severity, start, end, passage)


def _signs(text: str, *, phrases: bool) -> Iterator[tuple[str, int, int]]:
    """The first sign of each kind, as kind, start, end."""
    hidden = _hidden(text)
    if hidden is not None:
        yield "hidden_text", *hidden.span()
    folded = fold(text)
    lower = _lower(folded.text)
    for phrase in (*(_PHRASES if phrases else ()), _FORGED_FRAME):
        found = phrase.search(lower)
        if found:
            yield phrase.kind, *folded.span(*found.span())


def _lower(text: str) -> str:
    """Lower case with the same offsets; lower text and plain patterns are twice as fast as `re.IGNORECASE`."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def _hidden(text: str) -> re.Match[str] | None:
    """Characters that a reader does not see and that can carry text; joiners of scripts and of emoji pass."""
    if text.isascii():
        return None
    plain = _FLAG_EMOJI.sub(lambda flag: " " * len(flag[0]), text)
    splits = _SPLIT_WORD.findall(plain)
    found = _TAGS.search(plain) or _SELECTORS.search(plain) or _ZERO_WIDTH_RUN.search(plain) or _OVERRIDES.search(plain)
    return found or (_SPLIT_WORD.search(plain) if len(splits) >= _MANY_SPLITS else None)
