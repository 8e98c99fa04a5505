"""Whether a retrieved passage is of a relevant document: by the names of documents, which are written in many ways."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from monitor.judges.reference.references import Reference
from monitor.judges.text.tokens import read_words
from monitor.judges.text.words import BREAK, NEGATION
from monitor.records import Passage

_EXTENSION = re.compile(
    r"\.(?:pdf|docx?|odt|rtf|txt|text|md|mdx|markdown|rst|adoc|tex|html?|xhtml|php|aspx?|jsp|xml|json|jsonl|ya?ml|csv"
    r"|tsv|xlsx?|ods|pptx?|odp|epub|eml|msg|log|ipynb|srt|vtt|wps|et|dps)(?![a-z0-9]).*$"
)
"""A document's extension, and behind it the number of a page or chunk."""
_PREFIX = re.compile(
    r"^(?:[\[(【（]?\d{1,3}[\])】）]?[\s._\-、:)]+|第\d{1,3}[章节条部分篇]+[\s._\-、:]*)(?=\D*[^\W\d_])(?!\d)"
)
"""A number that orders files or a list of sources. A year stays: it names the document."""
_GAPS = re.compile(r"[\s_\-–—.,、:;()\[\]【】《》<>'\"“”‘’]+")
_GENERATED = re.compile(
    r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|(?=[a-f]*[0-9])[0-9a-f]{16,}|[0-9]+", re.IGNORECASE
)
"""Ids that a store makes up."""
_IDENTIFIES = frozenset({"id", "pageid", "docid", "doc", "documentid", "articleid", "article", "fileid", "file"})
_DIRECTORY_PAGES = frozenset({"index", "readme", "default"})

_ALIKE = 0.7
"""Share of the word pairs of the shorter text that the longer one holds when one is cut out of the other."""
_LEAST_PAIRS = 4


@dataclass(frozen=True, slots=True)
class SourceName:
    """The name of a document: without its folders, extension and number prefix, case and width, query and fragment.

    The `folder` it is in and the `item` that the query of a web address asks for decide where both names have one, so
    that `hr/policy.md` is not `sales/policy.md`.
    """

    name: str
    folder: str = ""
    item: str = ""

    def names_the_same(self, other: SourceName) -> bool:
        """Whether both may be names of one document."""
        return (
            self.name == other.name
            and (not self.folder or not other.folder or self.folder == other.folder)
            and (not self.item or not other.item or self.item == other.item)
        )


def source_name(text: str) -> SourceName:
    """The name of a document by its path, file name, title or web address. Its name is empty when nothing is left."""
    plain = unicodedata.normalize("NFKC", unquote(unicodedata.normalize("NFKC", text))).casefold().strip()
    path, item = _path_of(plain)
    folders = [part for part in re.split(r"[/\\]+", path) if part not in {"", ".", ".."}]
    names = [name for part in folders if (name := _plain_name(part))]
    if len(names) > 1 and names[-1] in _DIRECTORY_PAGES:
        names.pop()
    return SourceName(names[-1] if names else "", names[-2] if len(names) > 1 else "", item)


def _path_of(plain: str) -> tuple[str, str]:
    """The path of a name, and what identifies the document in its query."""
    web = re.match(r"[a-z][a-z0-9+.-]*://", plain)
    if web is None:
        head, mark, query = plain.partition("?") if "=" in plain.partition("?")[2] else (plain, "", "")
        return head.split("#", 1)[0] or head, _item(query) if mark else ""
    try:
        parts = urlsplit(plain)
    except ValueError:  # a bracket that is no address
        return plain, ""
    return parts.path.strip("/") or parts.netloc, _item(parts.query)


def _item(query: str) -> str:
    return " ".join(value for key, value in parse_qsl(query) if key.replace("_", "") in _IDENTIFIES)


def _plain_name(part: str) -> str:
    name = _EXTENSION.sub("", part)
    name = _PREFIX.sub("", name.strip(), count=1)
    return _GAPS.sub(" ", name).strip()


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
