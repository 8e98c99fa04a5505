"""Patterns of credentials: known prefixes, key blocks, credentials in URLs, and values that are called a secret."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import AnyStr

from monitor.privacy import gates
from monitor.privacy.outline import Holds, Outline, odd_case
from monitor.privacy.patterns import Pattern, Span, after, before

_START = r"(?<![A-Za-z0-9_-])"
_END = r"(?![A-Za-z0-9_-])"


def _prefixed(kind: str, prefixes: tuple[str, ...], regex: str) -> Pattern:
    return Pattern(f"secret.{kind}", re.compile(_START + regex), needs=prefixes)


KEYS = (
    _prefixed("aws", ("AKIA", "ASIA"), rf"A[KS]IA[A-Z0-9]{{16}}{_END}"),
    _prefixed("aliyun", ("LTAI",), rf"LTAI[A-Za-z0-9]{{12,26}}{_END}"),
    _prefixed("tencent", ("AKID",), rf"AKID[A-Za-z0-9]{{13,40}}{_END}"),
    _prefixed("baidu", ("ALTAK",), rf"(?:bce-v3/)?ALTAK-?[A-Za-z0-9]{{20,22}}(?:/[0-9a-f]{{40}})?{_END}"),
    _prefixed("volcengine", ("AKLT",), rf"AKLT[A-Za-z0-9_-]{{16,60}}{_END}"),
    _prefixed("jdcloud", ("JDC_",), rf"JDC_[A-Z0-9]{{28,32}}{_END}"),
    _prefixed("anthropic", ("sk-ant-",), rf"sk-ant-[A-Za-z0-9_-]{{20,200}}{_END}"),
    _prefixed("openai", ("sk-",), rf"sk-(?!ant-)(?=[A-Za-z_-]{{0,60}}[0-9])[A-Za-z0-9_-]{{20,250}}{_END}"),
    _prefixed("github", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"gh[pousr]_[A-Za-z0-9]{{36,255}}{_END}"),
    _prefixed("github", ("github_pat_",), rf"github_pat_[A-Za-z0-9_]{{22,255}}{_END}"),
    _prefixed("gitlab", ("glpat-",), rf"glpat-[A-Za-z0-9_-]{{20,64}}{_END}"),
    _prefixed("slack", ("xox",), rf"xox[abeoprs]-[A-Za-z0-9-]{{10,250}}{_END}"),
    _prefixed("google", ("AIza",), rf"AIza[A-Za-z0-9_-]{{35}}{_END}"),
    _prefixed("google", ("ya29.",), rf"ya29\.[A-Za-z0-9_-]{{20,250}}{_END}"),
    _prefixed("google", ("GOCSPX-",), rf"GOCSPX-[A-Za-z0-9_-]{{28}}{_END}"),
    _prefixed("stripe", ("k_live_", "k_test_"), rf"[sr]k_(?:live|test)_[A-Za-z0-9]{{16,250}}{_END}"),
    _prefixed("sendgrid", ("SG.",), rf"SG\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}{_END}"),
    _prefixed("twilio", ("SK",), rf"SK[0-9a-f]{{32}}{_END}"),
    _prefixed("npm", ("npm_",), rf"npm_[A-Za-z0-9]{{36}}{_END}"),
    _prefixed("pypi", ("pypi-",), rf"pypi-[A-Za-z0-9_-]{{50,250}}{_END}"),
    _prefixed("huggingface", ("hf_",), rf"hf_[A-Za-z0-9]{{30,40}}{_END}"),
    _prefixed("docker", ("dckr_pat_",), rf"dckr_pat_[A-Za-z0-9_-]{{20,64}}{_END}"),
    _prefixed("shopify", ("shpat_", "shpca_", "shppa_", "shpss_"), rf"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}{_END}"),
    _prefixed("digitalocean", ("doo_v1_", "dop_v1_", "dor_v1_"), rf"do[opr]_v1_[0-9a-f]{{64}}{_END}"),
    _prefixed("groq", ("gsk_",), rf"gsk_[A-Za-z0-9]{{40,64}}{_END}"),
    _prefixed("nvidia", ("nvapi-",), rf"nvapi-[A-Za-z0-9_-]{{40,80}}{_END}"),
    _prefixed("replicate", ("r8_",), rf"r8_[A-Za-z0-9]{{37}}{_END}"),
    _prefixed("telegram", (":AA",), rf"[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{33}}{_END}"),
    _prefixed("azure", ("AccountKey=", "SharedAccessKey="), r"(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,90}={0,2}"),
    Pattern("secret.zhipu", re.compile(rf"{_START}[0-9a-f]{{32}}\.[A-Za-z0-9]{{16}}{_END}"), gate=gates.hex_run),
    _prefixed(
        "webhook",
        ("hooks.slack.com", "oapi.dingtalk.com", "qyapi.weixin.qq.com", "open.feishu.cn"),
        r"(?:https?://)?(?:hooks\.slack\.com/services/|oapi\.dingtalk\.com/robot/send\?access_token=|"
        r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=|open\.feishu\.cn/open-apis/bot/v2/hook/)"
        r"[A-Za-z0-9/_-]{16,120}",
    ),
)
"""Recognised by their own form: each is a long token, and its prefix stands in it or just before it; see `keys.py`.

There is no detector of mere disorder: it takes ids, hashes and digests for keys, which fill traces.
"""

WITH_MARKS = (
    Pattern(
        "secret.jwt",
        re.compile(rf"{_START}eyJ[A-Za-z0-9_-]{{8,}}+\.eyJ[A-Za-z0-9_-]{{8,}}+\.[A-Za-z0-9_-]{{8,}}+"),
        gate=Holds("eyJ"),
    ),
    Pattern(
        "secret.url",
        re.compile(
            r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@<>\"']{0,100}:[^\s/@<>\"']{1,200}@"
            r"[A-Za-z0-9.:\[\]-]{1,255}(?:[/?#][A-Za-z0-9._~%!$&*+,;=:@/?#-]{0,1000})?"
        ),
        gate=gates.url_with_login,
    ),
)
"""Recognised by their own form, too, with marks between their parts."""


# ----------------------------------------------------------------------------------------- values called a secret

_LEAST_BITS = 2.5  # per character: `aaaaaa1` has 0.6, a random word with digits about 3
_LEAST_PIN = 6
_CUE = (
    r"(?:(?<![A-Za-z])(?i:pass(?:word|wd|phrase|code)?|pwd|secret(?:[_ -]?(?:access[_ -]?)?key)?|"
    r"(?:api|access|auth|client|private|encryption)[_ -]?(?:key|secret|token)|app[_ -]?secret|"
    r"(?:bearer|auth|access|refresh)?[_ -]?token|credentials?)|密码|口令|密钥|令牌|凭证|凭据)"
)
_LINK = r"[\"'`]?[ ]{0,2}(?:is|was|are|为|是|:|\uff1a|=>|=|->|→|设为|改为|重置为)[ ]{0,2}[\"'`“「‘(]?"
_VALUE = r"(?P<hit>(?![$%{[*])[!#-&(-+\--:=?-_a-~]{5,127}[A-Za-z0-9!@#$%^&*_=+/-])"  # printable ASCII but blank "',;`<>
_PASSWORD_CUE = re.compile(r"(?i:pass|pwd)|密码|口令")


def _bits(value: str) -> float:
    """Shannon entropy in bits per character; 0 for the empty text."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def _is_called_secret(match: re.Match[str]) -> bool:
    """Words are no secrets: it takes a digit beside letters or signs and some disorder, or a PIN that is called one."""
    value = match["hit"]
    if value.isdigit():
        return len(value) >= _LEAST_PIN and bool(_PASSWORD_CUE.search(match[0]))
    has_digit = any(char.isdigit() for char in value)
    return len(value) >= _LEAST_PIN and has_digit and "://" not in value and _bits(value) >= _LEAST_BITS


_CUE_ENDS_EN = (b"pass", b"pwd", b"secret", b"key", b"token", b"credential")
_CUE_ENDS_ZH = ("密码", "口令", "密钥", "令牌", "凭证", "凭据")
_CUE_ZH = Holds(*_CUE_ENDS_ZH)
_ANY_CUE = Holds(*(cue.decode() for cue in _CUE_ENDS_EN), *_CUE_ENDS_ZH)
_LINKED = r"[^\S\n]{0,2}" + _LINK
_AFTER_CUE = re.compile(rf"(?i:word|wd|phrase|code|s)?{_LINKED}(?=[!-~]{{0,127}}[0-9])" + _VALUE)


def _cue_with_value(outline: Outline) -> bool:
    """A cue, and right after it a link and a value that holds a digit: a cue alone stands in every other text."""
    text, latin = outline.text, outline.latin
    if any(cue in latin and _followed(outline.lower_octets, text, cue) for cue in _CUE_ENDS_EN):
        return True
    if _CUE_ZH(outline) and any(_followed(text, text, cue) for cue in _CUE_ENDS_ZH):
        return True
    return odd_case(outline) and _ANY_CUE.within(outline.lower)


def _followed(searched: AnyStr, text: str, cue: AnyStr) -> bool:
    place = searched.find(cue)
    while place >= 0:
        if _AFTER_CUE.match(text, place + len(cue)):
            return True
        place = searched.find(cue, place + 1)
    return False


CALLED_SECRET = Pattern(
    "secret.value",
    re.compile(_CUE + _LINKED + _VALUE),
    accept=_is_called_secret,
    gate=_cue_with_value,
)

_USE_CUE = re.compile(
    r"(?i:(?<![a-z])(?:key|token|secret|password|credential|log ?in|sign ?in|connect|authenticat|authoriz|api|"
    r"header|account|bearer))|密钥|密码|口令|令牌|凭证|凭据|登录|登陆|请求头|连接|鉴权|认证|账号"
)
_OTHER_USE = re.compile(
    r"(?i:commit|sha|hash|digest|checksum|md5|etag|request[ -]?id|trace|span|order|revision|build|blob|version|uuid)"
    r"|提交|订单|编号|单号|哈希|摘要|校验|版本|请求(?!头)|追踪|流水"
)


def _is_hex_key(match: re.Match[str]) -> bool:
    context = before(match, 40)
    if _OTHER_USE.search(context):
        return False
    return bool(_USE_CUE.search(context) or _USE_CUE.search(after(match, 24)))


HEX_KEY = Pattern(
    "secret.hex",
    re.compile(r"(?<![A-Za-z0-9_/.=-])(?:[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{40}|[0-9a-f]{32})(?![A-Za-z0-9_/-])"),
    accept=_is_hex_key,
    gate=gates.hex_run,
)

_CLASSES = re.compile(r"[A-Z]+|[a-z]+|[0-9]+|[!@#$%^&*]+")
_LEAST_TURNS = 6  # runs of one class: `Issue#1234A` has 5, a random password of 13 characters 7 or more


def _looks_like_password(match: re.Match[str]) -> bool:
    """Upper and lower case, two digits, a sign inside, and much turning between them: prose and code have none such."""
    value = match[0]
    tests = (
        any(char.isupper() for char in value),
        any(char.islower() for char in value),
        sum(char.isdigit() for char in value) > 1,
        0 < sum(char in gates.SIGNS for char in value) < 4,  # noqa: PLR2004 - more signs are markup or code
        len(_CLASSES.findall(value)) >= _LEAST_TURNS,
    )
    return all(tests)


BARE_PASSWORD = Pattern(
    "secret.password",
    re.compile(
        r"(?<![A-Za-z0-9!@#$%^&*_.=/?~+\\-])[A-Za-z0-9][A-Za-z0-9!@#$%^&*]{8,30}[A-Za-z0-9](?![A-Za-z0-9!@#$%^&*_=/~+\\-])"
    ),
    accept=_looks_like_password,
    gate=gates.sign_inside,
)

PRIVATE_KEY = "secret.private_key"
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/=\s\\]*+")


def private_keys(text: str) -> Iterator[Span]:
    """PEM private keys; one without an end (cut off) goes as far as its body. Linear: each end is looked for once."""
    if "PRIVATE KEY" not in text:
        return
    ends = [match.end() for match in _KEY_END.finditer(text)]
    begins = [match.span() for match in _KEY_BEGIN.finditer(text)]
    covered = 0
    for start, body in begins:
        if start < covered:
            continue
        while ends and ends[0] <= body:
            ends.pop(0)
        cut = _KEY_BODY.match(text, body)
        covered = ends[0] if ends else (cut.end() if cut else body)
        yield Span(PRIVATE_KEY, start, covered)
