"""Words by which a number is a rough one: `about 20`, `over 600`, 约20人, 三年多, 20人左右."""

from __future__ import annotations

import re

ABOUT, NEAR, LESS, MORE = "about", "near", "less", "more"
"""On which side of the number what it stands for may be: on both, a little below, below, above."""
_ENGLISH = {
    ABOUT: "about|around|roughly|approximately|approx\\.?|some|close[ ]to|circa|ca?\\.",
    NEAR: "nearly|almost|just[ ]under",
    LESS: "(?:less|fewer)[ ]than|under|below",
    MORE: "(?:more|greater)[ ]than|over|above|exceed(?:s|ed|ing)?|in[ ]excess[ ]of|upwards[ ]of",
}
_YUE = (
    "约(?<![签违预公契履隐爽缔纽]约)(?<!(?<![折混结配集综联组])合约)(?<!(?<![每调环章一这本小关音情0-9])节约)"
    "(?![定束见请谈法稿])"
)
"""约 as a word: in 合约, 节约 and 预约 it is a part of another one, in 折合约 and 每节约 it is not."""
_CHINESE = {
    ABOUT: f"[~≈]|{_YUE}|大概(?!率)",
    NEAR: "将近|接近|几乎|(?<![最附靠邻])近",
    LESS: "不到|不足|[不未]满|低于|少于",
    MORE: "超过?|逾|多于|高于|大于",
}
_BEFORE = re.compile(
    "(?:(?<![a-z])(?:" + "|".join(f"(?P<{kind}>{words})" for kind, words in _ENGLISH.items()) + ")|"
    "(?:" + "|".join(f"(?P<{kind}_zh>{words})" for kind, words in _CHINESE.items()) + "))"
    r"[ ]?(?:an?[ ]|the[ ]|(?<=[约概])[\u4e00-\u9fff]{1,5})?[$€£¥]?[ ]?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[ ]?(?:[a-z]+[ ](?P<about>or[ ]so)\b"
    r"|(?P<more>[多余](?![数额])|[\u4e00-\u9fff]{1,2}?[多余](?=[^\u4e00-\u9fff]|$|[月年里的了来前后以时小星钟礼世学季百一]))"
    r"|[%\u4e00-\u9fff]{0,4}?(?:(?P<about_zh>左右(?![两侧边手脚岸转逢翼])|上下(?![班楼文车级游两床铺左午]))"
    r"|(?P<more_zh>以上(?!述))|(?P<less_zh>以下(?![简列述几称]))))"
)
"""Behind what is counted 多 and 余 begin other words more often: 1000人多为学生, 1000元余额."""
_FAR = 16
"""Characters before a number in which such a word is looked for."""


def roughness_of(text: str, start: int, end: int) -> str:
    """Which of `ABOUT`, `NEAR`, `LESS` and `MORE` the words around a number say; empty where it stands for itself."""
    match = _BEFORE.search(text[max(0, start - _FAR) : start]) or _BEHIND.match(text[end : end + _FAR])
    return "" if match is None else str(match.lastgroup).removesuffix("_zh")
