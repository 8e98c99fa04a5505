"""Rules of the golden file: what an entry is, and that every problem is told with its line."""

import json
import time
from pathlib import Path

import pytest

from monitor.errors import ConfigError
from monitor.judges.reference.golden import Entry, read_golden
from monitor.judges.reference.references import Reference

NEAR = "is not read; did you mean"
ANOTHER = "A field for people needs another name"


def lines(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        read_golden(path, "judges[0].golden")
    return [problem.replace(str(path), path.name) for problem in raised.value.problems]


def test_an_entry_has_wordings_and_what_is_right(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "golden.jsonl",
        {
            "question": "How long is the warranty?",
            "wordings": ["What is the warranty period?"],
            "reference": "2 years",
            "references": ["two years", 24],
            "sources": "warranty.md",
            "passages": ["The warranty lasts 2 years."],
            "language": "en-GB",
            "author": "somebody",
        },
        "",
        {"question": "Q", "sources": ["a.md", " "]},
    )
    assert read_golden(path, "golden") == (
        Entry(
            ("How long is the warranty?", "What is the warranty period?"),
            Reference(("2 years", "two years", "24"), ("warranty.md",), ("The warranty lasts 2 years.",)),
            "en",
        ),
        Entry(("Q",), Reference(sources=("a.md",))),
    )


def test_csv_has_lists_as_json_and_lines_inside_cells(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_bytes(
        "\ufeffquestion,wordings,reference,sources,note\r\n"
        '"保修多久?","[""保修期?"", ""质保?""]","第一行\r\n第二行",a.md,x\r\n'
        "Q,,[draft] 1,,\r\n".encode()
    )
    first, second = read_golden(path, "golden")
    assert first == Entry(("保修多久?", "保修期?", "质保?"), Reference(("第一行\r\n第二行",), ("a.md",)))
    assert second.reference.answers == ("[draft] 1",)


@pytest.mark.parametrize(
    "text",
    [
        "question;reference;sources\nHow long, please?;2 years;w.md\n",
        "Question\tREFERENCE\tSources\nHow long, please?\t2 years\tw.md\n",
        'sep=|\r\n\r\nquestion|reference|"note\r\n2"|sources\r\nHow long, please?|2 years||w.md\r\n',
        '\n\nquestion,reference,sources\n"How long, please?",2 years,w.md\n',
    ],
)
def test_a_table_is_read_as_spreadsheets_of_all_countries_write_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "golden.CSV"
    path.write_bytes(text.encode())
    assert read_golden(path, "golden") == (Entry(("How long, please?",), Reference(("2 years",), ("w.md",))),)


def test_every_problem_is_told_with_its_line(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "golden.jsonl",
        {"question": "Q", "reference": "A"},
        "{not json",
        {"reference": "A"},
        {"question": "Q", "answers": "A"},
        {"question": ["Q", True], "reference": {"text": "A"}},
        [1],
        '{"question": "Q", "question": "R", "reference": "A"}',
        '{"question": "Q", "reference": NaN}',
        {"question": "Q", "reference": "A", "language": ["en"]},
    )
    assert problems(path) == [
        "judges[0].golden: golden.jsonl:2: is not JSON: Expecting property name enclosed in double quotes",
        "judges[0].golden: golden.jsonl:3: has no question",
        "judges[0].golden: golden.jsonl:4: has no reference, references, sources or passages; not read: answers",
        "judges[0].golden: golden.jsonl:5: reference is neither a text nor a list of texts",
        "judges[0].golden: golden.jsonl:5: question is neither a text nor a list of texts",
        "judges[0].golden: golden.jsonl:6: is not an object",
        "judges[0].golden: golden.jsonl:7: is not JSON: a key stands twice in it",
        "judges[0].golden: golden.jsonl:8: is not JSON: NaN is no JSON",
        "judges[0].golden: golden.jsonl:9: language is no text",
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"frage,reference\nQ,A\n", "golden.csv:1: the head line names no column `question`"),
        (
            b"question,reference,wording\nQ,A,a\nR,A,b\n",
            f"golden.csv:1: the head line: `wording` {NEAR} `wordings`? {ANOTHER}",
        ),
        (b"question,reference,reference\nQ,A,B\n", "golden.csv:1: the head line names reference twice"),
        (b"question,reference\nQ,A\nQ,A,B\n", "golden.csv:3: has 3 cells under 2 columns"),
        (b'question,reference\nQ,"A\n', "golden.csv:2: is not CSV: unexpected end of data"),
        (b"question,reference\n", "golden.csv has no entries"),
        (b"question,reference\nQ,A\nQ,\xff\n", "golden.csv:3: is not UTF-8"),
    ],
)
def test_csv_problems_are_told_with_their_line(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "golden.csv"
    path.write_bytes(content)
    assert problems(path) == [f"judges[0].golden: {told}"]


def test_a_field_that_is_nearly_one_that_is_read_is_no_field_for_people(tmp_path: Path) -> None:
    right = {"question": "Q", "reference": "A", "sources": ["a.md"]}
    path = lines(
        tmp_path / "golden.jsonl",
        right | {"source": "a ticket", "reference_id": 7, "passage_ids": [], "author": "somebody"},
        {"question": "Q", "reference": "A", "source": ["a.md"]},
        {"Question": "Q", "refernce": "A", "langauge": "en"},
    )
    assert problems(path) == [
        f"judges[0].golden: golden.jsonl:2: `source` {NEAR} `sources`? {ANOTHER}",
        f"judges[0].golden: golden.jsonl:3: `Question` {NEAR} `question`? {ANOTHER}",
        f"judges[0].golden: golden.jsonl:3: `langauge` {NEAR} `language`? {ANOTHER}",
        f"judges[0].golden: golden.jsonl:3: `refernce` {NEAR} `reference`? {ANOTHER}",
    ]


def test_very_many_columns_are_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text(f"{'question,' * 50_000}\n", encoding="utf-8")
    started = time.process_time()
    assert problems(path) == ["judges[0].golden: golden.csv:1: the head line names question twice"]
    assert time.process_time() - started < 5  # by the square of them 30 s and more


def test_very_many_problems_are_told_in_part(tmp_path: Path) -> None:
    told = problems(lines(tmp_path / "golden.jsonl", *["{"] * 1000))
    assert (len(told), told[-1]) == (51, "judges[0].golden: golden.jsonl: and 950 more")


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(ConfigError, match="has more than"):
        read_golden(Path("/dev/zero"), "judges[0].golden")


def test_a_file_that_is_not_there_is_one_problem(tmp_path: Path) -> None:
    assert problems(tmp_path / "none.jsonl") == [
        "judges[0].golden: none.jsonl cannot be read (No such file or directory)"
    ]


def test_half_a_character_becomes_a_whole_one(tmp_path: Path) -> None:
    path = lines(tmp_path / "golden.jsonl", r'{"question": "Q \ud83d", "reference": "\udc00"}')
    assert read_golden(path, "") == (Entry(("Q \ufffd",), Reference(("\ufffd",))),)
