"""Train the trees of the embedded judge on the training rows of the grounding benchmark, and write them as JSON.

    python bench/train_embedded.py --data FOLDER               # holds ground-train.jsonl.gz; writes the shipped files
    python bench/train_embedded.py --data FOLDER --leave-out   # prints what transfers: one source left out each time
    python bench/train_embedded.py --data FOLDER --embeddings  # the model with sentence vectors, an hour at most

Seeded, numpy only: the same rows give the same bytes, which tests/bench/test_train_embedded.py holds. Each file names
the examples that it is of (`trained_on`), so that the model with sentence vectors, which no test trains, cannot fall
behind unseen.

Four kinds of sentence go in. The labelled ones, each source and each class with the same weight (HaluEval left out, as
length alone solves it). Anchors: a sentence copied from the passages is supported, one from another request's passages
is not. Restated ones: sentences of the passages that the rest of them says in other words (restated.py). Edits: one
thing made wrong (edits.py), in Chinese in copies, in English in restated sentences. How much each kind weighs and which
features stay was chosen by leaving one source out and by the long answers of answers.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from boosting import Options, Tree, boost, noisy_or
from edits import wrong_versions
from ground import Row, arguments, auroc, balanced_accuracy, read_rows, wrong_share
from numpy.typing import NDArray
from restated import restated

from monitor.judges.embedded import Nearest
from monitor.judges.grounding import rarity
from monitor.judges.grounding.assessment import UNSUPPORTED
from monitor.judges.grounding.features import FEATURES, SIGNS, Grounding
from monitor.judges.grounding.trees import Trees, parse, terms
from monitor.judges.text.claims import claims_of
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.words import is_function_word

Floats = NDArray[np.float64]
SHIPPED = Path(rarity.__file__).parent
SEED = 5
RISKY = 1.0 - UNSUPPORTED
"""Risk above which the judge calls a sentence unsupported."""
LEFT_OUT = {"halueval_qa"}


@dataclass(frozen=True)
class Recipe:
    """How the model of one language is made.

    `linear` are the features of the words that it holds, `lacks` those of what makes it wrong by itself, and `trees`
    those of its trees. `anchors` is the weight of all anchors against all labelled sentences, `edits` that of each kind
    of edit of a copy; as much is added to the copied anchors. `restated` is the weight of sentences in other words and
    that of each kind of edit of these.
    """

    linear: tuple[str, ...]
    lacks: tuple[str, ...]
    trees: tuple[str, ...]
    anchors: float
    edits: Mapping[str, float]
    options: Options
    restated: Mapping[str, float] = field(default_factory=dict)


_LACKS = ("numbers", "window_numbers", "names", "window_names", "negation")
_OF_CHARACTERS = ("missing_run", "rare_character")
_WORDS = tuple(name for name in FEATURES if name not in {"nearest", *_LACKS})
SPACED = Recipe(
    linear=("window", "window_phrases", "found"),
    lacks=_LACKS,
    trees=tuple(name for name in _WORDS if name not in {*_OF_CHARACTERS, "number_company"}),
    anchors=2.0,
    edits={},
    options=Options(trees=20),
    restated={
        "restated": 0.5,
        "restated_number": 0.1,
        "restated_name": 0.1,
        "restated_negation": 0.07,
        "restated_opposite": 0.07,
    },
)
UNSPACED = Recipe(
    linear=_WORDS,
    lacks=_LACKS,
    trees=_WORDS,
    anchors=0.2,
    edits={"number": 0.03, "name": 0.03, "run": 0.03, "negation": 0.08},
    options=Options(trees=60),
    restated={"restated": 0.1},
)
WITH_VECTORS = replace(
    SPACED,
    linear=(*SPACED.linear, "nearest"),
    edits={"number": 0.04, "name": 0.02, "negation": 0.04, "opposite": 0.02},
    restated={kind: 0.4 * weight for kind, weight in SPACED.restated.items()},
)
FAMILIES = {"begin_wow": "begin", "begin_cmu-dog": "begin"}
"""Sources that are left out together."""
LEAST_TEXTS = 8
"""Texts that hold a word of the table of rarity."""
LEAST_SOURCES = 3
REMEMBERED = 1 << 17
"""Texts whose vectors are remembered, more than there are: 150 MB."""
SHORTEST_CLAUSE = 5
"""Characters."""
SENTENCES = 5
"""Sentences of one text when words are counted."""


@dataclass(frozen=True)
class Example:
    """One sentence: its features by window, where it comes from, and whether the passages do not support it."""

    windows: Floats
    row: int
    source: str
    kind: str
    wrong: bool
    clauses: tuple[Floats, ...] = ()
    """Of each clause of a labelled sentence, as the judge looks at them."""


class _Said(NamedTuple):
    """A sentence before it is measured."""

    text: str
    tokens: Tokens
    kind: str
    wrong: bool
    clauses: tuple[Tokens, ...] = ()


def examples(rows: Sequence[Row], rng: random.Random, nearest: Nearest | None = None) -> Iterator[Example]:
    """Labelled sentences, anchors and edits of `rows`, with their cosines where `nearest` gives them."""
    sentences = [[piece.text for text in row.contexts for piece in split_sentences(text)] for row in rows]
    for number, row in enumerate(rows):
        claims = [
            _Said(piece.text, tokens, "labelled", wrong_share(row, piece.start, piece.end) > 0, clauses)
            for piece, tokens, clauses in ((one.sentence, one.tokens, one.clauses) for one in claims_of(row.answer))
        ]
        other = rng.randrange(len(rows))
        if sentences[number]:
            claims += _made(sentences[number], sentences[other] if rows[other].group != row.group else [], rng)
        for claim, measured, clauses in _measured(claims, row.contexts, nearest):
            yield Example(measured, number, row.source, claim.kind, claim.wrong, clauses)
    yield from _restated(rows, sentences, random.Random(rng.random()), nearest)


def _measured(
    claims: Sequence[_Said], contexts: Sequence[str], nearest: Nearest | None
) -> Iterator[tuple[_Said, Floats, tuple[Floats, ...]]]:
    """Each claim with its features, and those of its clauses."""
    grounding = Grounding(contexts, [tokens for claim in claims for tokens in (claim.tokens, *claim.clauses)])
    cosines = np.zeros(len(claims), np.float32)
    if nearest is not None:
        cosines = nearest([claim.text for claim in claims], grounding.passages.texts(), lambda: False)
    for claim, cosine in zip(claims, cosines, strict=True):
        windows, *clauses = (grounding.measure(tokens).values for tokens in (claim.tokens, *claim.clauses))
        for measured in (windows, *clauses):
            measured[:, FEATURES.index("nearest")] = cosine
        yield claim, windows, tuple(clauses)


def _restated(
    rows: Sequence[Row], sentences: Sequence[list[str]], rng: random.Random, nearest: Nearest | None
) -> Iterator[Example]:
    """Sentences in other words and their edits, of each set of passages once."""
    seen = set()
    for number, row in enumerate(rows):
        other = rng.randrange(len(rows))
        if tuple(row.contexts) in seen:
            continue
        seen.add(tuple(row.contexts))
        for found in restated(
            row.contexts, sentences[other] if rows[other].group != row.group else [], row.language, rng
        ):
            texts = [("restated", found.text, False)]
            texts += [(f"restated_{kind}", wrong, True) for kind, wrong in found.wrong.items()]
            claims = [_Said(text, tokenize(text), kind, wrong) for kind, text, wrong in texts]
            for claim, measured, _ in _measured(claims, found.rest, nearest):
                yield Example(measured, number, row.source, claim.kind, claim.wrong)


def _made(own: list[str], other: list[str], rng: random.Random) -> Iterator[_Said]:
    texts = [("copy", _clause(rng.choice(own), rng), False)]
    if other:
        texts.append(("foreign", _clause(rng.choice(other), rng), True))
        for text in rng.sample(own, min(2, len(own))):
            texts += [(kind, wrong, True) for kind, wrong in wrong_versions(text, own, other, rng).items()]
    for kind, text, wrong in texts:
        tokens = tokenize(text)
        if not all(map(is_function_word, tokens.words)):
            yield _Said(text, tokens, kind, wrong)


def _clause(sentence: str, rng: random.Random) -> str:
    """One clause of a Chinese sentence, as those of the labelled rows are; other sentences as they are."""
    clauses = [clause for clause in re.split("[，；]", sentence) if len(clause) >= SHORTEST_CLAUSE]
    return rng.choice(clauses) if clauses else sentence


def weights_of(data: Sequence[Example], recipe: Recipe) -> Floats:
    """Weight of each example: sources equal, classes equal within a source; 0 for what is left out."""
    kind = np.array([example.kind for example in data])
    source = np.array([example.source for example in data])
    wrong = np.array([example.wrong for example in data])
    weight = np.zeros(len(data))
    used = set(source) - LEFT_OUT
    for name in used:
        for value in (False, True):
            chosen = (kind == "labelled") & (source == name) & (wrong == value)
            weight[chosen] = 0.5 / len(used) / max(1, chosen.sum())
    half = recipe.anchors / 2
    anchors = {"copy": half + sum(recipe.edits.values()), "foreign": half}
    for name, share in {**anchors, **recipe.edits, **recipe.restated}.items():
        weight[kind == name] = share / max(1, (kind == name).sum())
    return weight


def train(data: Sequence[Example], recipe: Recipe) -> bytes:
    """The JSON of the model for some examples."""
    weight = weights_of(data, recipe)
    used = [example for example, share in zip(data, weight, strict=True) if share > 0]
    weight = weight[weight > 0]
    rows = np.array([example.windows[0] for example in used])
    target = np.array([float(example.wrong) for example in used])
    straight = terms(rows)[:, [FEATURES.index(name) for name in recipe.linear]]
    lacking = rows[:, [FEATURES.index(name) for name in recipe.lacks]]
    base, weights, causes = noisy_or(straight, lacking, target, weight, [SIGNS[name] for name in recipe.linear])
    base, weights, causes = round(base, 4), np.round(weights, 4), np.round(causes, 4)
    signs = [SIGNS[name] for name in recipe.trees]
    columns = rows[:, [FEATURES.index(name) for name in recipe.trees]]
    clean = np.exp(-lacking @ causes)
    trees = boost(columns, target, weight, base + straight @ weights, clean, signs, recipe.options)
    straight_part = {
        "base": base,
        "trained_on": digest(data),
        "linear": dict(zip(recipe.linear, weights.tolist(), strict=True)),
        "lacks": dict(zip(recipe.lacks, causes.tolist(), strict=True)),
    }
    return as_json(straight_part, trees, recipe.trees)


def digest(data: Sequence[Example]) -> str:
    """Identifies the examples, whether or not they have cosines: another text rule or another row changes it."""
    found = hashlib.sha256()
    for example in data:
        lexical = example.windows.copy()
        lexical[:, FEATURES.index("nearest")] = 0.0
        found.update(lexical.tobytes())
        found.update(f"{example.row} {example.source} {example.kind} {example.wrong}\n".encode())
    return found.hexdigest()[:12]


def as_json(straight: Mapping[str, object], trees: Sequence[Tree], names: Sequence[str]) -> bytes:
    """One model, one tree a line."""
    lines = ",\n".join(
        json.dumps({"split": [names[column] for column in tree.split], "above": tree.above, "leaves": tree.leaves})
        for tree in trees
    )
    return f'{json.dumps(straight)[:-1]}, "trees": [\n{lines}\n]}}\n'.encode()


def common_words(rows: Sequence[Row]) -> list[str]:
    """English stems by level of rarity, those that several sources use."""
    texts: Counter[str] = Counter()
    sources: dict[str, set[str]] = {}
    count = 0
    for source, context in sorted(
        {(row.source, text) for row in rows if row.language == "en" for text in row.contexts}
    ):
        pieces = split_sentences(context)
        for start in range(0, len(pieces), SENTENCES):
            words = {word for piece in pieces[start : start + SENTENCES] for word in tokenize(piece.text).words}
            texts.update(words)
            count += 1
            for word in words:
                sources.setdefault(word, set()).add(source)
    kept = {
        word: number
        for word, number in texts.items()
        if number >= LEAST_TEXTS and len(sources[word]) >= LEAST_SOURCES and word.isascii() and word.isalpha()
    }
    return _levels(kept, count, 9.0)


def common_characters(rows: Sequence[Row]) -> list[str]:
    """Chinese characters by level of rarity."""
    contexts = {text for row in rows if row.language == "zh" for text in row.contexts}
    texts = Counter(character for text in contexts for character in set(text) if "\u3400" <= character <= "\u9fff")
    return _levels({character: number for character, number in texts.items() if number > 1}, len(contexts), 6.0)


def _levels(texts: dict[str, int], count: int, scale: float) -> list[str]:
    levels: list[list[str]] = [[] for _ in range(rarity.LEVELS)]
    for word, number in sorted(texts.items()):
        level = int(-math.log(min(1.0, number / count)) / scale * rarity.LEVELS)
        levels[min(level, rarity.LEVELS - 1)].append(word)
    return [" ".join(words) for words in levels]


def answers(rows: Sequence[Row], data: Sequence[Example], trees: Trees) -> tuple[Floats, Floats]:
    """Mean and highest risk of each row's sentences; 0.5 without any."""
    labelled = [example for example in data if example.kind == "labelled"]
    risks: list[list[float]] = [[] for _ in rows]
    for example in labelled:
        risks[example.row].append(max(float(trees.risk(windows).min()) for windows in example.clauses))
    return (
        np.array([np.mean(found) if found else 0.5 for found in risks]),
        np.array([max(found, default=0.5) for found in risks]),
    )


def leave_out(rows: Sequence[Row], data: Sequence[Example], recipe: Recipe) -> str:
    """One line: each source's AUROC by mean and worst sentence, balanced accuracy of the label, and their means."""
    table = {}
    wrong = np.array([row.hallucinated for row in rows])
    for source in sorted({row.source for row in rows}):
        family = FAMILIES.get(source, source)
        trees = parse(train([one for one in data if FAMILIES.get(one.source, one.source) != family], recipe))
        mean, worst = answers(rows, [one for one in data if one.source == source], trees)
        of = np.array([row.source == source for row in rows])
        flagged = worst[of] > RISKY
        table[source] = auroc(-mean[of], wrong[of]), auroc(-worst[of], wrong[of]), balanced_accuracy(flagged, wrong[of])
    macro = np.mean(list(table.values()), axis=0)
    parts = [f"{source[:9]} {a:.3f} {b:.3f} {c:.2f}" for source, (a, b, c) in table.items()]
    return " | ".join([*parts, f"macro {macro[0]:.4f} {macro[1]:.4f} {macro[2]:.4f}"])


def table_of_rarity(rows: Sequence[Row]) -> bytes:
    """The JSON of the words and characters by level of rarity, which the examples are measured with."""
    table = {"words": common_words(rows), "characters": common_characters(rows)}
    return f"{json.dumps(table, ensure_ascii=False, indent=0)}\n".encode()


def models(given: argparse.Namespace) -> Iterator[tuple[str, str, Recipe, Nearest | None]]:
    """The models that are asked for: name of the file, language of the rows, recipe, cosines."""
    if not given.embeddings:
        yield "spaced", "en", SPACED, None
        yield "unspaced", "zh", UNSPACED, None
        return
    from monitor.judges.grounding.vectors import Vectors  # noqa: PLC0415 - an extra: may be missing

    yield "spaced_vectors", "en", WITH_VECTORS, Vectors(REMEMBERED).nearest


def main() -> int:
    """Write the files, or print what transfers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leave-out", action="store_true", help="print what transfers instead of writing files")
    parser.add_argument("--embeddings", action="store_true", help="the model with sentence vectors (needs the extra)")
    given = arguments(parser)
    rows = read_rows(given.data, "ground-train")
    if not given.leave_out and not given.embeddings:
        (SHIPPED / "common.json").write_bytes(table_of_rarity(rows))
    for name, language, recipe, nearest in models(given):
        chosen = [row for row in rows if row.language == language]
        data = list(examples(chosen, random.Random(SEED), nearest))
        print(language, dict(Counter(example.kind for example in data)))
        if not given.leave_out:
            (SHIPPED / f"{name}.json").write_bytes(train(data, recipe))
        elif language == "en":  # Chinese has one source
            print(leave_out(chosen, data, recipe))
    return 0


if __name__ == "__main__":
    sys.exit(main())
