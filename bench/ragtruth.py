"""How well the embedded judge does on RAGTruth: answers of six language models over passages, labelled by people.

    python bench/ragtruth.py --data FOLDER    # holds response.jsonl and source_info.jsonl of ParticleMedia/RAGTruth

Nothing of it was trained on. By task and split, the columns of answers.py; a sentence is unsupported where a span of
the labels touches it, whether or not what it says is true elsewhere. Answers that are cut off or refuse wrongly by the
labels are left out, and so is what the judge does not score: answers that claim nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from answers import BAD, GOOD, Answer, figures_of, line_of
from ground import arguments

FILES = ("response.jsonl", "source_info.jsonl")
_PASSAGE = re.compile(r"(?:^|\n)passage [0-9]{1,2}:")


def read_ragtruth(folder: Path) -> Iterator[tuple[str, Answer]]:
    """All answers of good quality with their task and split, such as `QA test`."""
    responses, sources = (_lines(folder / name) for name in FILES)
    known = {str(source["source_id"]): source for source in sources}
    for response in responses:
        source = known[str(response["source_id"])]
        if response["quality"] == "good":
            yield f"{source['task_type']} {response['split']}", _answer(response, source["source_info"])


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _answer(response: Mapping[str, object], source: object) -> Answer:
    text = str(response["response"])
    spans = tuple((int(span["start"]), int(span["end"]), BAD) for span in response["labels"])  # type: ignore[attr-defined]
    contexts, question = _contexts_of(source)
    return Answer("en", contexts, text, ((0, len(text), GOOD), *spans), question)


def _contexts_of(source: object) -> tuple[tuple[str, ...], str]:
    """The passages and the question of a source: an article, passages under a question, or data of one business."""
    match source:
        case {"question": str(question), "passages": str(passages)}:
            return tuple(filter(None, map(str.strip, _PASSAGE.split(passages)))), question
        case dict():
            return tuple(json.dumps({key: value}, ensure_ascii=False) for key, value in source.items()), ""
        case _:
            return (str(source),), ""


def main() -> int:
    """Print the table."""
    folder = Path(arguments(argparse.ArgumentParser(description=__doc__)).data)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        print(f"skipped: {folder} has no {' and no '.join(missing)}")
        return 0
    sets: dict[str, list[Answer]] = defaultdict(list)
    for name, answer in read_ragtruth(folder):
        sets[name].append(answer)
    for name, answers in sorted(sets.items()):
        print(line_of(name, figures_of(answers)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
