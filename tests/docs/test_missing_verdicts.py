"""docs/missing-verdicts.md explains every word that stands in place of a score."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from monitor.judges.grounding.assessment import FOREIGN_SCRIPT
from monitor.judges.panel import INTERNAL
from monitor.judges.prompts.claims import CLAIMS_FOREIGN, CLAIMS_LEFT_OUT, CLAIMS_MISSING, QUOTE_NOT_FOUND
from monitor.judges.reasons import EMPTY, REASONING_BUDGET, TOO_MUCH, Reason
from monitor.judges.servers.transport import NOT_SENT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "missing-verdicts.md").read_text(encoding="utf-8")
REASONS, WORDS = (
    re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for part in PAGE.split("## Words of the explanation")
)
_FAILING = {"reject", "_reject", "_finished", "Failure", "JudgeRejected", "JudgeUnavailable"}
_WORD = re.compile(r"[a-z]+(?:_[a-z]+)*")


def details() -> set[str]:
    """The bounded words that the code of the judges gives as a detail."""
    flags = {CLAIMS_FOREIGN, CLAIMS_LEFT_OUT, CLAIMS_MISSING, QUOTE_NOT_FOUND}
    named = flags | {REASONING_BUDGET, EMPTY, TOO_MUCH, NOT_SENT}
    files = sorted((ROOT / "monitor" / "judges").rglob("*.py"))
    return named | {word for file in files for word in _in(ast.parse(file.read_text(encoding="utf-8")))}


def _in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for part in _parts(node):
            for leaf in ast.walk(part):
                if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str) and _WORD.fullmatch(leaf.value):
                    yield leaf.value


def _parts(node: ast.AST) -> list[ast.expr]:
    """The arguments of what fails a verdict, a reason with its detail, or the message of an error of one word."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if name in _FAILING:
            return args
        case ast.Tuple(elts=[ast.Attribute(value=ast.Name(id="Reason")), *details]):
            return details
        case ast.Assign(targets=[ast.Name(id="msg")], value=value):
            return [value]
        case _:
            return []


def test_every_detail_of_a_failure_is_explained_and_no_other() -> None:
    assert {"severity", "duplicate_key", "not_sent", "schema", "cut"} <= details()
    assert set(WORDS) == details()


def test_every_reason_is_explained_and_no_other() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "monitor").rglob("*.py")))
    skipping = set(re.findall(r'\.skipped\("(\w+)"\)', sources))
    assert len(skipping) > 1
    assert set(REASONS) == {*map(str, Reason), *skipping, INTERNAL, FOREIGN_SCRIPT, "unreadable_row"}


def test_no_word_is_explained_twice() -> None:
    assert (len(REASONS), len(WORDS)) == (len(set(REASONS)), len(set(WORDS)))


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)[)#]", PAGE):
        assert (ROOT / "docs" / target).exists(), target
