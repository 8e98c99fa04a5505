"""Lines of code that state nothing: what every program of a language has, and what the answer itself defines.

A line that holds a literal, a call, an address or a name of a library that is not part of its language is judged, as it
says what the passages must hold: `from acme import Client`, `retry = 5`, `client.post("/v2/orders")`.
"""

from __future__ import annotations

import bisect
import re

_FENCE = re.compile(r"^[ \t]{0,8}(?:`{3,8}|~{3,8})(?=[\w+#.-]{0,20}[ \t\r]*$)", re.MULTILINE)
_STANDARD = (
    r"(?:abc|argparse|ast|asyncio|base64|binascii|bisect|calendar|collections|concurrent|contextlib|copy|csv|ctypes"
    r"|dataclasses|datetime|decimal|enum|functools|getpass|glob|gzip|hashlib|heapq|hmac|html|inspect|io|itertools|json"
    r"|logging|math|mimetypes|multiprocessing|operator|os|pathlib|pickle|platform|pprint|queue|random|re|secrets|shlex"
    r"|shutil|signal|smtplib|socket|sqlite3|ssl|statistics|string|struct|subprocess|sys|tempfile|textwrap|threading|time"
    r"|timeit|traceback|types|typing|unicodedata|unittest|urllib|uuid|warnings|xml|zipfile|zlib|zoneinfo)(?:\.[a-z]{1,16})?"
)
_NODE = (
    r"(?:node:)?(?:assert|buffer|child_process|crypto|events|fs|https?|net|os|path|querystring|stream|tls|url|util"
    r"|zlib)"
)
_NAME = r"[A-Za-z_$]\w{0,24}"
_NAMES = rf"{_NAME}(?:[ ]?,[ ]?{_NAME}){{0,9}}"
_OWN = r"(?:[a-z]{1,16}(?:_[a-z]{1,16}){0,2}|[A-Za-z][a-z]{0,16}(?:[A-Z][a-z]{1,16}){0,2})"
"""A name that the answer gives, of up to three words: more could state something."""
_TYPE = rf"{_NAME}(?:[.\[]{_NAME}\]?)?"
_GIVEN = rf"\((?:{_OWN}(?::[ ]?{_TYPE})?(?:,[ ]?(?=\w))?){{0,8}}\)"
_SCAFFOLDING = re.compile(
    rf"""import[ ]{_STANDARD}(?:[ ]as[ ]{_NAME})?(?:,[ ]?{_STANDARD}){{0,9}}
      | from[ ]{_STANDARD}[ ]import[ ](?:{_NAMES}|\({_NAMES}\))
      | (?:const|let|var|import)[ ](?:\{{[ ]?{_NAMES}[ ]?\}}|(?:\*[ ]as[ ])?{_NAME})[ ]
        (?:=[ ]require\((?P<quote>['"]){_NODE}(?P=quote)\)
        |from[ ](?P<mark>['"]){_NODE}(?P=mark));?
      | \#include[ ]<(?:std(?:io|lib|int|bool)|string|math|time|iostream|vector|map|algorithm)(?:\.h)?>
      | import[ ]javax?(?:\.\w{{1,16}}){{1,5}}(?:\.\*)?; | using[ ]System(?:\.\w{{1,16}}){{0,5}};
      | (?:async[ ])?def[ ]{_OWN}{_GIVEN}(?:[ ]->[ ]{_TYPE})?:
      | (?:export[ ])?(?:async[ ])?function[ ]{_OWN}{_GIVEN}[ ]?\{{
      | (?:const|let)[ ]{_OWN}[ ]=[ ](?:async[ ])?{_GIVEN}[ ]=>[ ]\{{
      | if[ ]__name__[ ]==[ ](?:"__main__"|'__main__'): | \}}?[ ]?(?:else|try|finally)[ ]?[:{{]""",
    re.VERBOSE,
)


def fences(answer: str) -> list[int]:
    """Where the lines begin that open and close blocks of code."""
    return [fence.start() for fence in _FENCE.finditer(answer)]


def is_scaffolding(line: str, start: int, blocks: list[int]) -> bool:
    """Whether a line of an answer with blocks of code, which begins at `start`, is in one and states nothing."""
    return bisect.bisect_right(blocks, start) % 2 == 1 and _SCAFFOLDING.fullmatch(line) is not None
