"""What is said around a question in Chinese, and its words of grammar: cut as whole words, never out of a term."""

from __future__ import annotations

import re

FIRST, SECOND = "first", "second"
Person = tuple[str, str, str]
"""What stands before a person, what stands behind, and which person: the one who asks, or the one who is asked."""

_BEGIN = r"(?:^|(?<=[\s,.;:!?~。、]))"
_END = r"(?=[\s,.;:!?~…。、]|$)"
_ASKS = (
    "怎|如何|咋|多(?![元边头])|几|什么|啥|哪|何|要(?![求件约素点闻])|需(?!求)|是|会(?![计员议所])|能(?![力量源耗])|可以|可否"
    f"|应该|在(?![建线校职岗途])|来说|情况|{_END}"
)
"""What follows words of grammar. Others may be one term with them: 一般纳税人, 我爱我家."""
_WELCOME = f"(?={_ASKS}|[您你]们?|请|我|想问|麻烦)"
_SAME = tuple(
    (re.compile(pattern), same)
    for pattern, same in (
        (f"{_BEGIN}(?:您好[啊呀]?|(?:你好|哈喽)[啊呀]?{_WELCOME})", ""),
        ("(?<![申邀聘])请问(?:一下)?", ""),
        (f"{_BEGIN}(?:麻烦|劳驾)(?:[您你]|{_WELCOME}|(?=[查问帮告]))", ""),
        (f"{_BEGIN}(?:谢谢|多谢|感谢)(?:[您你]们?|大家)?(?:了|啦)?{_END}|(?:谢谢|多谢)(?:[您你]们?)?{_END}", ""),
        ("(?<!不)[请能]?告诉我|(?<![理思梦])我?想(?:知道|了解|问|咨询)(?!题|卷|答|机)", ""),
        ("(?:(?<!申)请|帮我)(?:查|看|说|介绍|解释)(?=一下)", ""),
        (r"(?<![周期十0-9])一下(?![午子班学半旬周个级月降调游载])", ""),
        (f"是什么(?=[呢啊呀]?{_END})|{_BEGIN}什么是", ""),
        (f"{_BEGIN}请(?![假示求款客帖柬辞愿领调战安教问])", ""),
        (f"(?:一般|通常|大概|具体|到底|究竟)(?={_ASKS})", ""),
        ("是否", ""),
        ("可不可以|可以|能否|可否|能不能|能没能", "能"),
        (r"([会要行好对是有该])[不没]\1", r"\1"),
        ("(?:怎样|怎么样|怎么|如何|咋样?)(?:才?能(?:够)?)?", "怎么"),
        ("多长时间|多少时间", "多久"),
        ("什么时[候间]|啥时候?|几时", "何时"),
        ("哪儿|何处|什么地方", "哪里"),
        ("为什么|为啥", "为何"),
        ("哪些|哪个|哪种|啥", "什么"),
        ("需要", "要"),
    )
)
_PERSON = re.compile(
    rf"(?<!自)(?:(?P<first>我们|咱们|我)|(?P<second>你们|您们|[你您]))(?:的(?![士确话]|世界|名字|祖国)|(?={_ASKS}|有(?!限)|[没不该]|公司))"
)
_GRAMMAR = re.compile(
    f"(?<![目美标有真别似无众])的(?![士确])|(?<![为除了罢])了(?![解结了不得然])|(?<![于但还要只凡或不就可总都求正算若而老])是(?![非否])"
    f"|(?:[吗呀啊哦嘛]|(?<![酒网贴氧书水茶话餐])吧|(?<![毛花])呢){{1,4}}{_END}"
)


def without_grammar(text: str) -> tuple[str, list[Person]]:
    """The text with one wording for what is said in several, and the persons that were left out of it."""
    for pattern, same in _SAME:
        text = pattern.sub(same, text)
    persons = [
        (text[: found.start()][-1:], text[found.end() :][:1], FIRST if found["first"] else SECOND)
        for found in _PERSON.finditer(text)
    ]
    return _GRAMMAR.sub("", _PERSON.sub("", text)), persons
