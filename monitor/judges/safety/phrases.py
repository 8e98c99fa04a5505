"""The wording of attacks, English and Chinese, each with what a text must hold to be worth a search."""

from __future__ import annotations

import re

from monitor.judges.safety.wording import Either, Every, Phrase, Wording, Words
from monitor.privacy.outline import Holds, Latin

_OVERRIDE_EN = re.compile(
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
    """,
    re.VERBOSE,
)
_OVERRIDE_ZH = re.compile(
    r"""(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|抛开|放弃|跳过|覆盖|忽視|無視)(?:掉|了)?(?:你)?
          (?:之前|以上|上面|前面|先前|此前|上述|原来|所有|全部|一切|任何|系统|原有|你的|你收到)[^。，,；\n]{0,12}
          (?:指令|提示词?|规则|要求|内容|设定|限制|对话|命令|约束|信息|说明|准则|指示)
    """,
    re.VERBOSE,
)
_JAILBREAK_EN = re.compile(
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
    """,
    re.VERBOSE,
)
_JAILBREAK_ZH = re.compile(
    r"""越狱(?:模式|提示)|开发者模式(?:已)?(?:启用|开启|输出|下)
      | (?:不(?:再)?受|没有|无视|摆脱)(?:任何|一切|所有)?(?:的)?(?:道德|伦理|法律|审查|内容|安全|规则)
          (?:和[^，。]{1,6})?(?:的)?(?:限制|约束|束缚|规范|过滤|政策)
      | 绕过(?:你的|所有|任何|内容|安全|系统)?(?:安全|审查|过滤|限制|内容|防护)
    """,
    re.VERBOSE,
)
_EXTRACTION_EN = re.compile(
    r"""\b(?:reveal|print|show|repeat|output|display|leak|expose|dump|recite|give|tell|what[ ](?:is|are))[ ]
          (?:me[ ]|us[ ])?(?:(?:all|back|out|exactly|verbatim)[ ]){0,2}
          (?:(?:your|the)[ ](?:system|initial|hidden|original|secret|internal|developer|full)[ ](?:system[ ])?
            (?:prompt|instructions?|messages?|rules)|your[ ](?:prompt|instructions)|(?:the[ ])?text[ ]above)\b
    """,
    re.VERBOSE,
)
_EXTRACTION_ZH = re.compile(
    r"""(?:泄露|输出|显示|告诉我|打印|重复|复述|展示|给我)(?:出)?(?:一下)?(?:你的?|系统|完整){1,3}(?:的)?
          (?:系统|初始|隐藏|原始|内部)?(?:提示词|提示语|系统提示|系统指令|系统设定|初始指令|指令|prompt)
    """,
    re.VERBOSE,
)
_ADDRESSED_EN = re.compile(
    r"""\b(?:(?:important|attention|note|notice|instructions?|message|warning|hey|dear|hello)[ :,!-]{1,3}
          (?:to[ ]|for[ ])?(?:the[ ]|all[ ]|any[ ])?
          (?:ai|a\.i\.|llm|language[ ]models?|chat[ ]?bots?|assistant|agents?|gpt)\b[^.\n]{0,6}[:,.!]?[ ]
          (?=[^\n]{0,120}\b(?:ignore|instead|must|tell|say|respond|reply|output|include|recommend|do[ ]not|email|send
            |visit|click)\b)
        |(?:if[ ]you[ ]are|as)[ ]an?[ ](?:ai|llm|language[ ]model)\b[^.\n]{0,60}
          \b(?:you[ ]must|ignore|instead|output|respond[ ]with)\b)
    """,
    re.VERBOSE,
)
_ADDRESSED_ZH = re.compile(
    r"""(?:系统|管理员|开发者|隐藏)(?:指令|命令|消息)[:：](?=[^\n]{0,60}(?:忽略|无视|告诉用户|必须|回复|输出|访问|执行))
      | (?:ai|人工智能|大模型|语言模型|智能助手|助手)(?:请)?(?:注意|请注意|必须|务必)[:：,，]
          (?=[^\n]{0,60}(?:忽略|无视|告诉用户|回复|输出|访问|推荐))
    """,
    re.VERBOSE,
)

_OVERRIDE_EN_NEEDS = Either(
    Words("ignore ignoring disregard disregarding forget override overriding bypass bypassing discard"),
    Every(Words("follow"), Words("not"), Words("do")),
)
_OVERRIDE_ZH_NEEDS = Holds(
    *("忽略", "无视", "忘记", "忘掉", "不要理会", "不要遵守", "抛开", "放弃", "跳过", "覆盖", "忽視", "無視")
)

_JAILBREAK_EN_NEEDS = Either(
    Every(Words("anything"), Words("now"), Words("do")),
    Every(Words("mode"), Words("dan developer dev god debug maintenance")),
    Every(Words("jail jailbroke jailbroken"), Words("mode chatgpt gpt prompt ai model version")),
    Every(
        Words("unfiltered uncensored amoral unrestricted unethical immoral unlimited"),
        Words("ai bot chatbot assistant persona character model llm gpt response responses answer answers advice"),
    ),
    Every(Words("response responses answer answers"), Words("be are"), Latin("unfiltered", "uncensored")),
    Every(
        Words(
            "ethics ethical morals morality restriction restrictions filter filters censorship limitation limitations"
            " policy policies"
        ),
        Words("ai bot chatbot chatgpt assistant character model persona you"),
        Words("no zero without free freed lack lacks"),
    ),
    Every(
        Words("ethical moral safety"),
        Words("without no ignore disregard disregards regardless"),
        Words(
            "guidelines restriction restrictions constraint constraints limit limits limitation limitations filter"
            " filters bounds boundaries considerations concerns"
        ),
    ),
    Every(Words("refuse refusing reject"), Words("never not cannot t")),
    Every(Words("refuse refuses"), Words("never")),
    Every(
        Words("character"),
        Words("stay stays staying remain remains remaining keep keeps keeping break breaking"),
    ),
    Every(Words("broken"), Words("free"), Words("typical")),
    Every(Words("confines"), Words("ai")),
    Every(Words("confines limitations"), Words("free")),
    Every(Words("openai"), Words("policy policies")),
    Every(Words("longer"), Words("you"), Latin("you are no longer")),
    Every(Words("forget"), Words("that"), Words("you")),
    Every(Words("content"), Words("any"), Words("have")),
    Every(Words("bound restricted constrained restrained limited"), Words("by to"), Words("not t longer never")),
    Every(Words("illegal unethical immoral harmful"), Words("unethical immoral illegal dangerous harmful nsfw")),
)
_JAILBREAK_ZH_NEEDS = Either(
    Holds("越狱", "开发者模式", "绕过"),
    Every(
        Holds("政策", "限制", "规范", "约束", "束缚", "过滤"),
        Holds("没有", "不受", "再受", "无视", "摆脱"),
        Holds("安全", "内容", "法律", "道德", "伦理", "审查", "规则"),
    ),
)

_EXTRACTION_EN_NEEDS = Every(
    Words("reveal print show repeat output display leak expose dump recite give tell what"),
    Either(
        Every(
            Words("system initial hidden original secret internal developer full"),
            Words("prompt instruction instructions message messages rules"),
        ),
        Every(Words("prompt instructions"), Words("your")),
        Every(Words("above"), Words("text")),
    ),
)
_EXTRACTION_ZH_NEEDS = Every(
    Either(Holds("指令", "提示词", "提示语", "系统提示", "系统设定"), Latin("prompt")),
    Holds("显示", "展示", "输出", "泄露", "告诉我", "打印", "重复", "复述", "给我"),
)

_ADDRESSED_EN_NEEDS = Either(
    Every(
        Words("important attention note notice instruction instructions message warning hey dear hello"),
        Either(
            Words("ai llm model models chatbot chatbots bot bots assistant agent agents gpt"),
            Latin("a.i."),
        ),
        Words("ignore instead must tell say respond reply output include recommend not email send visit click"),
    ),
    Every(Words("ai llm model"), Words("must ignore instead output respond"), Words("as if")),
)
_ADDRESSED_ZH_NEEDS = Either(
    Holds("令:", "令：", "消息:", "消息："),
    Every(Holds("注意", "必须", "务必"), Either(Holds("助手", "大模型", "语言模型", "人工智能"), Latin("ai"))),
)

PHRASES = (
    Phrase(
        "instruction_override",
        (Wording(_OVERRIDE_EN, _OVERRIDE_EN_NEEDS), Wording(_OVERRIDE_ZH, _OVERRIDE_ZH_NEEDS)),
    ),
    Phrase("jailbreak", (Wording(_JAILBREAK_EN, _JAILBREAK_EN_NEEDS), Wording(_JAILBREAK_ZH, _JAILBREAK_ZH_NEEDS))),
    Phrase(
        "prompt_extraction",
        (Wording(_EXTRACTION_EN, _EXTRACTION_EN_NEEDS), Wording(_EXTRACTION_ZH, _EXTRACTION_ZH_NEEDS)),
    ),
    Phrase(
        "addressed_to_model",
        (Wording(_ADDRESSED_EN, _ADDRESSED_EN_NEEDS), Wording(_ADDRESSED_ZH, _ADDRESSED_ZH_NEEDS)),
    ),
)
"""Looked for in questions and passages."""
