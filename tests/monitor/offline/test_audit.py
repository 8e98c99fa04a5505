"""`ragmon judge audit` as a user has it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from monitor.offline.edits import EDITS
from tests.judge_server import Canned, JudgeServer, sensible
from tests.monitor.offline.judging import config_file, dead_shadow, row, rows_file
from tests.monitor.terminal import Ended, ragmon, spawn

NAMES = ["repeated", *(edit.name for edit in EDITS)]


def figures(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def edits_of(found: Mapping[str, Any]) -> dict[str, Any]:
    return {one["edit"]: one for one in found["edits"]}


def listed(request: Mapping[str, Any], judged: Mapping[str, object]) -> dict[str, Any]:
    """The claims that a sensible judge lists, all of them `judged` in the same way."""
    said: dict[str, Any] = json.loads(json.loads(sensible(request).body)["choices"][0]["message"]["content"])
    return said | {"claims": [claim | judged for claim in said["claims"]]}


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as started:
        yield started


def test_each_row_is_judged_as_it_is_under_each_edit_and_again(tmp_path: Path, server: JudgeServer) -> None:
    rows, config = rows_file(tmp_path, map(row, range(6))), config_file(tmp_path, server.url)
    found = figures(ragmon("judge", "audit", rows, "--judge", "candidate", "-c", config, "--repeats", "3", "--json"))
    assert (found["judge"]["name"], found["rows"], found["scored"], found["deterministic"]) == (
        "candidate",
        6,
        6,
        False,
    )
    assert [one["edit"] for one in found["edits"]] == NAMES
    edits = edits_of(found)
    assert (edits["repeated"]["rows"], edits["repeated"]["change"]["value"], edits["repeated"]["size"]) == (6, 0, 0)
    assert edits["reversed"]["rows"] == 6
    assert len(server.bodies) == 6 * (1 + 3) + sum(edits[edit.name]["rows"] for edit in EDITS)


def test_the_embedded_judge_is_not_moved_by_order_and_thanks_and_its_repetition_is_the_same_by_construction(
    tmp_path: Path,
) -> None:
    rows = rows_file(tmp_path, map(row, range(40)))
    found = figures(ragmon("judge", "audit", rows, "--json"))
    edits = edits_of(found)
    assert found["deterministic"]
    assert edits["repeated"]["same"]["value"] == 1
    assert all(edits[name]["size"] == 0 for name in ("repeated", "reversed", "shuffled", "polite", "bold"))


def test_a_judge_that_likes_politeness_is_found_out(tmp_path: Path) -> None:
    def polite(request: Mapping[str, Any]) -> Canned:
        prompt = json.dumps(request)
        if "Thank you" in prompt or "I hope this" in prompt:
            said = listed(request, {"passage": 1, "quote": "The desk closes at 18:00.", "verdict": "supported"})
            return Canned.chat(json.dumps(said))
        return sensible(request)

    rows = rows_file(tmp_path, (row(2 * number) for number in range(30)))
    with JudgeServer([polite]) as server:
        config = config_file(tmp_path, server.url)
        found = figures(ragmon("judge", "audit", rows, "--judge", "candidate", "-c", config, "--json"))
    moved = {name for name, one in edits_of(found).items() if one["change"] and one["change"]["lower"] > 0}
    assert moved == {"polite", "padded"}
    assert edits_of(found)["polite"]["flipped"]["value"] == 1


def test_quality_is_told_by_labels_where_enough_rows_have_one(tmp_path: Path) -> None:
    labelled = [row(number, label=number % 2) for number in range(40)]
    assert figures(ragmon("judge", "audit", rows_file(tmp_path, labelled), "--json"))["length"]["quality"] == "label"
    few = [row(number, **({"label": 1} if number < 5 else {})) for number in range(40)]
    found = figures(ragmon("judge", "audit", rows_file(tmp_path, few), "--json"))
    assert (found["length"]["quality"], found["length"]["rows"]) == ("coverage", 40)


def test_the_tables_fit_into_80_columns_and_say_what_was_done(tmp_path: Path) -> None:
    ended = spawn("judge", "audit", rows_file(tmp_path, map(row, range(40))))
    assert (ended.code, ended.err) == (0, "")
    assert max(map(len, ended.out.splitlines())) <= 80
    assert "…" not in ended.out
    for said in ("40 of 40 rows scored", "by construction", "padded: sentences that claim nothing", "Spearman"):
        assert said in " ".join(ended.out.split())


def test_a_row_that_stands_there_again_is_audited_once(tmp_path: Path) -> None:
    ended = ragmon("judge", "audit", rows_file(tmp_path, [row(n % 6) for n in range(40)]), "--json")
    assert figures(ended)["rows"] == 6
    assert "34 of 40 rows have the question, passages and answer of an earlier one" in ended.err


def test_only_the_first_rows_are_judged(tmp_path: Path) -> None:
    assert (
        figures(ragmon("judge", "audit", rows_file(tmp_path, map(row, range(40))), "--limit", "12", "--json"))["rows"]
        == 12
    )


@pytest.mark.parametrize(
    ("lines", "code", "told"),
    [
        (["{"], 2, "1: is not JSON"),
        (['{"answer": "x", "contexts": ["x"], "label": "perhaps"}'], 2, "1: 'perhaps' is no label"),
        ([], 2, "has no row"),
        (
            ['{"question": "x", "answer": "", "contexts": ["x"]}'],
            1,
            "embedded gave none of the 1 rows a score: 1 not_scorable{no_answer}",
        ),
    ],
)
def test_rows_that_cannot_be_audited_are_told(lines: list[str], code: int, told: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(lines))
    ended = ragmon("judge", "audit", file)
    assert (ended.code, len(ended.told)) == (code, 1)
    assert told in ended.told[0]


def test_what_is_so_by_construction_has_no_interval(tmp_path: Path, server: JudgeServer) -> None:
    rows, config = rows_file(tmp_path, map(row, range(4))), config_file(tmp_path, server.url)

    def repeated(judge: str) -> str:
        lines = ragmon("judge", "audit", rows, "-c", config, "--judge", judge).out.splitlines()
        return next(line for line in lines if line.startswith(" repeated"))

    assert repeated("embedded").split() == ["repeated", "4", "+0.000", "0.000", "100%", "0%"]
    assert repeated("candidate").count("[") == 2


@pytest.mark.parametrize("content", ["id,label\nr1,1\nr2,0\n", "\ufeffid;label\nr1;1\n", "id\tlabel\n"])
def test_labels_in_the_place_of_rows_are_told_in_one_line(tmp_path: Path, content: str) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(content, encoding="utf-8")
    ended = ragmon("judge", "audit", file)
    rows = "rows are JSON lines {id, question, contexts, answer}"
    tables = "CSV is for the labels of `ragmon calibrate`, which may have these columns beside `label`"
    assert (ended.code, ended.told) == (2, [f"{file}: holds no JSON; {rows}; {tables}"])


def test_the_same_problem_of_several_rows_is_told_once_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"answer": 3}\n{"answer": 3}\n[1]\n')
    assert ragmon("judge", "audit", file).told == [
        f"{file}:1-2: answer: is a number, and should be a text",
        f"{file}:3: is not an object {{id, question, contexts, answer}}",
    ]


@pytest.mark.parametrize("command", [("judge", "audit"), ("calibrate",)])
def test_an_endpoint_that_gives_no_score_is_named(tmp_path: Path, command: tuple[str, ...]) -> None:
    rows = rows_file(tmp_path, [row(number, label=number % 2) for number in range(3)])
    ended = ragmon(*command, rows, "--judge", "gpt", "-c", dead_shadow(tmp_path))
    assert ended.code == 1
    assert "connect" in ended.told[-1]
    assert "; no connection to http://127.0.0.1:" in ended.told[-1]
    assert "(judges[1].base_url)" in ended.told[-1]


def test_a_model_that_is_exchanged_in_between_is_not_taken_for_a_bias(tmp_path: Path) -> None:
    """Every fourth reply is of a model that finds nothing; the others say the same of the same text."""
    asked = itertools.count()

    def exchanged(request: Mapping[str, Any]) -> Canned:
        if next(asked) % 4:
            return sensible(request)
        said = listed(request, {"passage": 0, "quote": "", "verdict": "not_found"})
        return Canned.chat(json.dumps(said), model="another-model-2")

    rows = rows_file(tmp_path, (row(2 * number + 1) for number in range(30)))
    with JudgeServer([exchanged]) as server:
        config = config_file(tmp_path, server.url)
        ended = ragmon("judge", "audit", rows, "--judge", "candidate", "-c", config, "--json")
    found = figures(ended)
    assert 0 < found["scored"] < 30
    assert edits_of(found)["repeated"]["size"] == 0
    assert {one["lost"] for one in found["edits"]} == {0}
    (told,) = ended.told
    assert f"are of other fingerprints than {found['judge']['fingerprint']}, and do not count: was the model" in told


def test_texts_that_a_limit_of_money_leaves_out_are_told_in_one_line(tmp_path: Path, server: JudgeServer) -> None:
    rows = rows_file(tmp_path, map(row, range(30)))
    config = config_file(tmp_path, server.url, candidate="cost_per_day: 0.05")
    ended = ragmon("judge", "audit", rows, "--judge", "candidate", "-c", config, "--json")
    assert figures(ended)["scored"] > 0
    (told,) = ended.told
    assert "skipped{over_budget}; not asked, as one more call could pass the judge's own `cost_per_day`" in told
