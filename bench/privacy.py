"""Precision and recall of the privacy patterns on labelled rows; run `python bench/privacy.py FILE.jsonl.gz`.

A row counts for a family only where its `known` says that the family was annotated. A labelled span is found when a hit
of the same kind overlaps it (secrets: of any secret kind); a hit is right when it overlaps a labelled span.
`--mistakes` prints every one.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.privacy import scan

KINDS = {
    "email": "email",
    "email_address": "email",
    "phone": "phone",
    "phone_number": "phone",
    "bank_card": "card",
    "credit_card": "card",
    "id_card": "resident_id",
    "ip_address": "ip",
    "iban_code": "iban",
    "us_ssn": "us_ssn",
    "us_driver_license": "driver_license",
    "wechat": "wechat",
}
"""Names of the labels that patterns can decide, and ours for them; names, addresses and dates are left out."""


@dataclass(frozen=True)
class Found:
    """A labelled or found span."""

    kind: str
    start: int
    end: int

    def overlaps(self, other: Found) -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


@dataclass
class Score:
    """Labels found and missed, hits right and wrong."""

    found: int = 0
    missed: int = 0
    right: int = 0
    wrong: int = 0

    def line(self, name: str) -> str:
        """One printed line."""
        labelled, hit = self.found + self.missed, self.right + self.wrong
        recall = f"R {self.found / labelled:.3f} of {labelled:4d}" if labelled else ""
        precision = f"P {self.right / hit:.3f} of {hit:4d}" if hit else ""
        return f"{name:<36} {recall:<16} {precision}"


def rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """The labelled rows."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def hits(text: str) -> list[Found]:
    """What our patterns find."""
    return [Found(span.kind, span.start, span.end) for span in scan.scan_text(text, scan.KINDS)]


def labels(row: Mapping[str, Any], family: str) -> list[Found]:
    """What the labels say, in our words."""
    spans = [Found(kind, start, end) for kind, start, end in row.get("spans") or []]
    if family == "secret":
        return [span for span in spans if span.kind.startswith("secret")]
    return [Found(KINDS[span.kind], span.start, span.end) for span in spans if span.kind in KINDS]


def measure(row: Mapping[str, Any], family: str, scores: dict[str, Score], mistakes: list[str]) -> None:
    """Compare one row's hits with its labels."""
    secret = family == "secret"
    predicted = [hit for hit in hits(row["answer"]) if hit.kind.startswith("secret") == secret]
    wanted, name = labels(row, family), f"{row['source']} {row['lang']}"
    for label in wanted:
        seen = any(hit.overlaps(label) and (secret or hit.kind == label.kind) for hit in predicted)
        for key in (f"{family} | {name}", f"label  | {label.kind} {row['lang']}"):
            scores[key].found += seen
            scores[key].missed += not seen
        if not seen:
            mistakes.append(f"missed {label.kind}: {row['answer'][max(0, label.start - 40) : label.end + 20]!r}")
    for hit in predicted:
        right = any(hit.overlaps(label) for label in wanted)
        for key in (f"{family} | {name}", f"hit    | {hit.kind} {row['lang']}"):
            scores[key].right += right
            scores[key].wrong += not right
        if not right:
            mistakes.append(f"wrong {hit.kind}: {row['answer'][max(0, hit.start - 40) : hit.end + 20]!r}")


def flagged(path: Path, mistakes: list[str]) -> dict[str, tuple[int, int]]:
    """For each source without labels of ours: answers with any hit, and answers."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for row in rows(path):
        if row["answer"] and not {"pii", "secret"} & set(row["known"]):
            found = hits(row["answer"])
            counts[row["source"]][bool(found)] += 1
            mistakes += [
                f"flagged {hit.kind}: {row['answer'][max(0, hit.start - 40) : hit.end + 20]!r}" for hit in found
            ]
    return {source: (count[True], count.total()) for source, count in counts.items()}


def speed(path: Path) -> float:
    """Characters scanned in a second of CPU time."""
    texts = [row["answer"] for row in rows(path) if row["answer"]]
    size = sum(map(len, texts))
    start = time.process_time()
    for text in texts:
        hits(text)
    return size / (time.process_time() - start)


def main(arguments: list[str]) -> int:
    """Print the report; a missing file is no failure, as the rows are not part of this repository."""
    path = Path(arguments[0]) if arguments else Path("safety-dev.jsonl.gz")
    if not path.exists():
        print(f"{path}: not there; nothing measured")
        return 0
    scores: dict[str, Score] = defaultdict(Score)
    mistakes: list[str] = []
    for row in rows(path):
        for family in {"pii", "secret"} & set(row["known"]):
            if row["source"] != "own-customer-service":  # labelled by case, without spans
                measure(row, family, scores, mistakes)
    for name in sorted(scores):
        print(scores[name].line(name))
    for source, (hit, total) in flagged(path, mistakes).items():
        print(f"flagged | {source:<32} {hit} of {total} answers, {hit / total:.2%}")
    print(f"speed   | {speed(path) / 500:,.0f} texts of 500 characters a second of CPU time")
    if "--mistakes" in arguments:
        print("\n".join(mistakes))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
