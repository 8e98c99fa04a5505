"""How well live questions find their golden ones: the questions of the bench rows, edited lightly and wrongly.

python bench/golden_matching.py [--data DIR] [--similarity 0.9]

Every distinct question is a golden one. `kept` edits leave what is asked (courtesies, case, punctuation, articles, one
slip of the keyboard): the share that finds its entry. `turned` edits ask something else (another number, name, word, a
negation): the share that finds any entry, which is always wrong. `alone` leaves the question's own entry out: which
share still finds one. Seeded.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ground import arguments, read_rows

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from monitor.judges.reference.book import GoldenBook
from monitor.judges.reference.golden import Entry
from monitor.judges.reference.references import Absence, Reference
from monitor.records import RagTrace

Edit = Callable[[str, random.Random], str]
_WORD = re.compile(r"[A-Za-z]{6,}")
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_HAN = re.compile(r"[\u4e00-\u9fff]{2}")


def questions(data: Path) -> dict[str, list[str]]:
    """Distinct questions by language."""
    found: dict[str, list[str]] = {"en": [], "zh": []}
    for name in ("ground-train", "ground-dev"):
        for row in read_rows(data, name):
            if row.question.strip() and not row.source.startswith("begin"):  # turns of a chat are no questions
                found[row.language].append(row.question)
    return {language: list(dict.fromkeys(each)) for language, each in found.items()}


def _slip(text: str, rng: random.Random) -> str:
    words = [match for match in _WORD.finditer(text) if match[0].islower()]
    if not words:
        return text
    match = rng.choice(words)
    at = match.start() + rng.randrange(1, len(match[0]) - 2)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _exchanged(pattern: re.Pattern[str], others: list[str]) -> Edit:
    def edit(text: str, rng: random.Random) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        match = rng.choice(found)
        new = rng.choice(others)
        return text[: match.start()] + new + text[match.end() :]

    return edit


def _negated(text: str, rng: random.Random) -> str:
    del rng
    return re.sub(r"\b(is|are|was|were|does|do|did|can|has|have|will)\b", r"\1 not", text, count=1)


def _negated_zh(text: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(text))
    return f"{text[:at]}不{text[at:]}"


def _counted(text: str, rng: random.Random) -> str:
    del rng
    return re.sub(r"\d+", lambda match: str(int(match[0]) + 1), text, count=1)


def _edits(language: str, all_questions: list[str]) -> dict[str, dict[str, Edit]]:
    if language == "zh":
        runs = [match for text in all_questions for match in _HAN.findall(text)]
        return {
            "kept": {
                "polite": lambda text, _: f"您好，请问{text}？谢谢",
                "spaced": lambda text, _: re.sub(r"(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])", " ", text),
                "width": lambda text, _: text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
                "particle": lambda text, _: f"{text.rstrip('？?。')}呢",
            },
            "turned": {
                "number": _counted,
                "word": _exchanged(_HAN, runs),
                "negation": _negated_zh,
            },
        }
    names = [match for text in all_questions for match in _NAME.findall(text)]
    words = [match[0] for text in all_questions for match in _WORD.finditer(text) if match[0].islower()]
    return {
        "kept": {
            "case": lambda text, _: text.lower(),
            "marks": lambda text, _: re.sub(r"[?.!]+$", "", text),
            "polite": lambda text, _: f"Hi, could you please tell me: {text} Thanks!",
            "articles": lambda text, _: re.sub(r"\b(?:the|a|an) ", "", text),
            "slip": _slip,
        },
        "turned": {
            "number": _counted,
            "name": _exchanged(_NAME, names),
            "word": _exchanged(re.compile(r"\b[a-z]{6,}\b"), words),
            "added word": lambda text, rng: re.sub(r"\b(the|a) ", rf"\1 {rng.choice(words)} ", text, count=1),
            "negation": _negated,
        },
    }


def _found(book: GoldenBook, question: str) -> str:
    """The golden question that was found; empty when none or no single one was."""
    found = book.of(RagTrace("t", "r", question, "a"))
    return "" if isinstance(found, Absence) else found.answers[0]


def _shares(book: GoldenBook, each: list[str], language: str) -> Iterator[str]:
    for kind, edits in _edits(language, each).items():
        for name, edit in edits.items():
            rng = random.Random(7)
            edited = [(text, edit(text, rng)) for text in each]
            edited = [(text, new) for text, new in edited if new != text]
            right = sum(_found(book, new) == text for text, new in edited)
            other = sum(_found(book, new) not in {"", text} for text, new in edited)
            found = f"its entry {right / len(edited):.3f}  another {other}"
            yield f"{language} {kind:7} {name:11} n {len(edited):4}  {found}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--similarity", type=float, default=0.9)
    given = arguments(parser)
    for language, each in questions(given.data).items():
        entries = [Entry((text,), Reference((text,))) for text in each]
        book = GoldenBook(entries, given.similarity)
        for line in _shares(book, each, language):
            print(line)
        sample = random.Random(7).sample(range(len(each)), 100)
        alone = sum(
            bool(_found(GoldenBook(entries[:at] + entries[at + 1 :], given.similarity), each[at])) for at in sample
        )
        started = time.perf_counter()
        for text in each:
            _found(book, f"{text} perhaps")
        microseconds = (time.perf_counter() - started) / len(each) * 1e6
        print(f"{language} alone: {alone} of {len(sample)} find another's entry; a look-up takes {microseconds:.0f} us")


if __name__ == "__main__":
    main()
