"""Whether a retrieved passage is of a relevant document: by the names of documents, which are written in many ways."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from monitor.judges.reference.references import Reference
from monitor.judges.text.tokens import read_words
from monitor.judges.text.words import BREAK, NEGATION
from monitor.records import Passage

_EXTENSION = re.compile(
    r"\.(?:pdf|docx?|odt|rtf|txt|text|md|mdx|markdown|rst|adoc|tex|html?|xhtml|php|aspx?|jsp|xml|json|jsonl|ya?ml|csv"
    r"|tsv|xlsx?|ods|pptx?|odp|epub|eml|msg|log|ipynb|srt|vtt|wps|et|dps)(?![a-z0-9]).*$"
    r"|\.(?:key|pages|numbers|zip|7z|rar|tgz|(?:tar\.)?(?:gz|bz2|xz)|tar)(?=$|[#?:]).*$"
)
"""A document's extension, and behind it the number of a page or chunk."""
_HAN_NUMBER = "[0-9零〇一二两三四五六七八九十百]{1,5}"
_PREFIX = re.compile(
    rf"^(?:[\[(【]?\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}[\])】]?[\s._\-、:)]+|0\d{{0,2}}(?=[^\W\d_])"
    rf"|第{_HAN_NUMBER}[章节条部分篇]+[\s._\-、:]*|{_HAN_NUMBER}、\s*|[(【]{_HAN_NUMBER}[)】]\s*)"
    r"(?=\D*[^\W\d_])(?!\d)"
)
"""A number that orders files or a list of sources. A year stays: it names the document."""
_CIRCLED = re.compile("[\u2460-\u2473]")
_FRAGMENT = re.compile(r"#(?=[\w/!:~=-]).*", re.DOTALL)
"""What stands behind a `#`, but not in `C# guide`."""
_ENDING = re.compile(r"\.[a-z]{2,5}$")
"""Before it, a `#` is part of the name: `C#-guide.pdf`."""
_GAPS = re.compile(r"[\s_\-–—.,、:;()\[\]【】《》<>'\"“”‘’]+")
_GENERATED = re.compile(
    r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|(?=[a-f]*[0-9])[0-9a-f]{16,}|[0-9]+", re.IGNORECASE
)
"""Ids that a store makes up."""
_IDENTIFIES = frozenset(
    "doc document article file p post slug title name topic key path pagename number sysparmarticle tenant".split()  # noqa: SIM905 - reads as text
)
_NO_DOCUMENT = re.compile("(?:session|client|user|visitor|campaign|tracking|request|utm|^s|cl)id$")
"""Ids in a query that are not the document's: of who asks, and of where they come from."""
_DIRECTORY_PAGES = frozenset({"index", "readme", "default"})

_ALIKE = 0.7
"""Share of the word pairs of the shorter text that the longer one holds when one is cut out of the other."""
_LEAST_PAIRS = 4


@dataclass(frozen=True, slots=True)
class _Part:
    """The name of a document or a folder, and the number that it begins with."""

    name: str
    number: tuple[int, ...] = ()

    def may_be(self, other: _Part) -> bool:
        """Whether the names are the same, and not numbered differently."""
        return self.name == other.name and (not self.number or not other.number or self.number == other.number)


_NAMELESS = _Part("")


@dataclass(frozen=True, slots=True)
class SourceName:
    """The name of a document: without its extension and number prefix, case and width, query and fragment.

    Its number prefix, the `folders` it is in (the nearest first), the `host` of a web address and the `items` that the
    query asks for decide where both names have one, so that `hr/policy.md` is not `sales/policy.md`. A path may be
    seen from elsewhere (a container), so that `/kb/policy.md` may be `/srv/kb/policy.md`; an address is whole.
    """

    document: _Part
    folders: tuple[_Part, ...] = ()
    host: str = ""
    items: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What is left of the document's own name."""
        return self.document.name

    def names_the_same(self, other: SourceName) -> bool:
        """Whether both may be names of one document."""
        return (
            self.document.may_be(other.document)
            and all(one.may_be(its) for one, its in zip(self.folders, other.folders, strict=False))
            and (not self.host or not other.host or self._is_beside(other))
            and (not self.items or not other.items or _ask_for_the_same(self.items, other.items))
        )

    def _is_beside(self, other: SourceName) -> bool:
        """Whether the two, which have a host, are of one: then they are whole addresses, and equally deep."""
        return self.host == other.host and len(self.folders) == len(other.folders)


def _ask_for_the_same(items: Mapping[str, str], others: Mapping[str, str]) -> bool:
    both = items.keys() & others.keys()
    return bool(both) and all(items[key] == others[key] for key in both)


def source_name(text: str) -> SourceName:
    """The name of a document by its path, file name, title or web address. Its name is empty when nothing is left."""
    text = _CIRCLED.sub(lambda mark: f"{unicodedata.normalize('NFKC', mark[0])}. ", text)
    plain = unicodedata.normalize("NFKC", unquote(unicodedata.normalize("NFKC", text))).casefold().strip()
    host, path, items = _address_of(plain)
    folders = [part for part in re.split(r"[/\\]+", path) if part not in {"", ".", ".."}]
    parts = [part for folder in folders if (part := _part(folder)).name]
    if len(parts) > 1 and parts[-1].name in _DIRECTORY_PAGES:
        parts.pop()
    *outer, document = parts or [_NAMELESS]
    return SourceName(document, tuple(reversed(outer)), host, items)


def _address_of(plain: str) -> tuple[str, str, dict[str, str]]:
    """The host and path of a name, and what identifies the document in its query."""
    web = re.match(r"[a-z][a-z0-9+.-]*://", plain)
    if _ENDING.search(plain) is None:
        plain = _FRAGMENT.sub("", plain, count=1) or plain
    if web is None:
        head, _, query = plain.partition("?") if "=" in plain.partition("?")[2] else (plain, "", "")
        return "", head, _items(query)
    try:
        parts = urlsplit(plain.replace("#", "%23"))
    except ValueError:  # a bracket that is no address
        return "", plain, {}
    host = parts.netloc.rpartition("@")[2].removeprefix("www.")
    return host, unquote(parts.path).strip("/") or parts.netloc, _items(parts.query)


def _items(query: str) -> dict[str, str]:
    pairs = ((key.replace("_", "").replace("-", ""), value) for key, value in parse_qsl(query))
    return {key: value for key, value in pairs if _identifies(key)}


def _identifies(key: str) -> bool:
    return key in _IDENTIFIES or (key.endswith("id") and _NO_DOCUMENT.search(key) is None)


def _part(folder: str) -> _Part:
    name = _EXTENSION.sub("", folder).strip()
    prefix = _PREFIX.match(name)
    if prefix is None:
        return _Part(_GAPS.sub(" ", name).strip())
    number = tuple(map(_value, re.findall(f"[0-9]+|{_HAN_NUMBER}", prefix[0])))
    return _Part(_GAPS.sub(" ", name[prefix.end() :]).strip(), number)


def _value(numeral: str) -> int:
    """The value of a numeral up to 999, in digits or in Chinese."""
    if numeral.isascii():
        return int(numeral)
    value, digit = 0, 0
    for character in numeral.replace("两", "二"):
        if character in _UNITS:
            value += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            digit = 10 * digit + (
                int(character) if character.isascii() else _DIGITS.index(character.replace("〇", "零"))
            )
    return value + digit


_UNITS = {"十": 10, "百": 100}
_DIGITS = "零一二三四五六七八九"


def is_generated(identifier: str) -> bool:
    """Whether an id says nothing of the document: a UUID, a hash, a number."""
    return _GENERATED.fullmatch(identifier.strip()) is not None


def relevant_ranks(passages: Sequence[Passage], reference: Reference) -> tuple[int, ...] | None:
    """The ranks, from 1, of the passages that are of a relevant document; None when that cannot be told.

    A passage is relevant when its id or source names a relevant document, or its text is one of the relevant passages,
    whole or cut out of one another. It cannot be told of a reference without either, nor where nothing was found by
    name among passages some of which have no name and no id but a generated one.
    """
    if not reference.sources and not reference.passages:
        return None
    wanted = [source_name(source) for source in reference.sources]
    generated = any(map(is_generated, reference.sources))
    texts = [_pairs(text) for text in reference.passages]
    ranks = tuple(
        rank
        for rank, passage in enumerate(passages, 1)
        if _is_named(passage, wanted) or (texts and _is_of(_pairs(passage.text), texts))
    )
    nameless = any(not _named(passage, generated=generated) for passage in passages)
    return None if nameless and not ranks and not texts else ranks


def _named(passage: Passage, *, generated: bool) -> bool:
    """Whether something of a passage could be one of the golden names."""
    return bool(passage.source) or bool(passage.id and (generated or not is_generated(passage.id)))


def _is_named(passage: Passage, wanted: Sequence[SourceName]) -> bool:
    names = [source_name(text) for text in (passage.id, passage.source) if text]
    return any(name.name and name.names_the_same(other) for name in names for other in wanted)


def _is_of(pairs: frozenset[tuple[str, str]], texts: Sequence[frozenset[tuple[str, str]]]) -> bool:
    """Whether one of the texts holds most of the passage, or the passage most of one of them."""
    for text in texts:
        shorter = min(len(pairs), len(text))
        if shorter >= min(_LEAST_PAIRS, len(text)) and shorter and len(pairs & text) >= _ALIKE * shorter:
            return True
    return False


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    """Neighbouring words of a text."""
    words = [word for word in read_words([text]) if word not in {BREAK, NEGATION}]
    return frozenset(itertools.pairwise(words))
