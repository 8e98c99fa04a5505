"""`ragmon replay`: the whole flow on files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import zstandard

from tests.monitor.offline.judging import dead_shadow
from tests.monitor.streams import entry, otlp, plain, retrieval, said
from tests.monitor.terminal import ragmon, spawn
from tests.monitor.traces.captures import FOLDER

ROOT = Path(__file__).parents[3]
WIRE = ROOT / "tests" / "data" / "wire"


def snapshot(text: str) -> dict[str, Any]:
    """The Snapshot; it fits its published schema and holds no NaN."""
    made: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    schema = json.loads((ROOT / "docs" / "schemas" / "snapshot.schema.json").read_text())
    jsonschema.validate(made, schema)
    return made


def stages(made: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {stage["stage"]: (stage["received"], stage["passed"]) for stage in made["stages"] if stage["received"]}


def many(count: int) -> bytes:
    """Plain records, every third with an invented answer."""
    answers = ["The desk closes at 18:00."] * 2 + ["Forty-two purple dragons sing."]
    return b"\n".join(
        plain(f"{n:032x}", answer=answers[n % 3], contexts=["The desk closes at 18:00."]) for n in range(count)
    )


def test_a_folder_in_all_forms_is_judged_whole_and_printed_as_json(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(70))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(many(70)))
    (tmp_path / "c.json.zst").write_bytes(zstandard.compress(otlp(entry("e" * 32), retrieval("e" * 32))))
    ended = ragmon("replay", tmp_path, "--json", "-")
    made = snapshot(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert stages(made)["judge"] == (141, 141)
    assert made["duplicates"] == 70 * 6  # the two files hold the same requests
    (window,) = [
        item
        for item in made["windows"]
        if (item["evaluation"], item["window_s"], item["slice"]["value"]) == ("faithfulness", 604800, "all")
    ]
    assert window["n"] == 71
    assert 0.5 < window["mean"]["value"] < 0.8
    assert window["mean"]["lower"] < window["mean"]["value"] < window["mean"]["upper"]


def test_the_json_goes_to_a_file_and_the_table_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(4))
    ended = ragmon("replay", tmp_path / "a.jsonl", "--json", tmp_path / "out.json")
    assert ended.code == 0
    assert "faithfulness" in ended.out
    assert "Accounts" in ended.out
    assert stages(snapshot((tmp_path / "out.json").read_text()))["judge"] == (4, 4)


@pytest.mark.parametrize(
    ("given", "out"), [("a.jsonl", "a.jsonl"), ("a.jsonl", "link.jsonl"), (".", "a.jsonl"), (".", "new.json")]
)
def test_the_json_never_takes_the_place_of_what_is_replayed(tmp_path: Path, given: str, out: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(2))
    (tmp_path / "link.jsonl").hardlink_to(tmp_path / "a.jsonl")
    ended = ragmon("replay", tmp_path / given, "--json", tmp_path / out)
    told = f"--json {tmp_path}/{out}: is among the files that are replayed; give another name"
    assert (ended.code, ended.out, ended.told) == (2, "", [told])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a.jsonl": many(2),
        "link.jsonl": many(2),
    }


def test_input_of_which_nothing_is_understood_leaves_the_json_of_before(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("before")
    for out in ("out.txt", "new.txt"):
        assert ragmon("replay", "/nowhere", "--json", tmp_path / out).code == 2
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.txt", "before")]


def test_recorded_kafka_records_give_what_the_collector_wrote() -> None:
    results = [snapshot(ragmon("replay", path, "--json", "-").out) for path in sorted(WIRE.glob("*.jsonl.gz"))]
    assert len(results) == 7
    for evaluation in ("faithfulness", "safety.pii"):
        windows = [
            [
                item | {"last_end_ns": item["last_end_ns"] // 1000}  # Zipkin has microseconds
                for item in made["windows"]
                if item["evaluation"] == evaluation and item["slice"]["value"] == "all"
            ]
            for made in results
        ]
        assert all(made == windows[0] for made in windows)
        assert windows[0]


def test_the_captures_are_read_as_a_folder_and_what_is_no_trace_is_told() -> None:
    ended = ragmon("replay", FOLDER, "--json", "-")
    made = snapshot(ended.out)
    assert ended.code == 1
    assert all(".expected.json: " in line or line.startswith("and ") for line in ended.told)
    assert stages(made)["judge"][0] > 40


def test_the_worst_requests_are_told_with_their_cause(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(40))
    _, _, worst = ragmon("replay", tmp_path).out.partition("Worst requests")
    rows = [line.split() for line in worst.splitlines() if "faithfulness" in line]
    assert len(rows) == 5
    assert all(float(cells[0]) < 0.5 and int(cells[2], 16) % 3 == 2 for cells in rows)
    assert worst.count("words") == 5  # why that cause is named
    (tmp_path / "a.jsonl").write_bytes(many(2))
    assert "Worst requests" not in ragmon("replay", tmp_path).out


def test_what_is_logged_does_not_stand_in_the_output(tmp_path: Path) -> None:
    ended = spawn("replay", "-", "-c", dead_shadow(tmp_path), "--json", "-", stdin=many(12))
    assert snapshot(ended.out)["windows"]
    (shadow,) = snapshot(ended.out)["shadows"]
    assert (shadow["pairs"], sum(shadow["candidate"]["unscored"].values())) == (0, 12)
    assert [line for line in ended.told if line.startswith("judge is not asked for a while judge=gpt reason=connect")]


def test_standard_input_is_read() -> None:
    ended = spawn("replay", "-", "--json", "-", stdin=many(3))
    assert (ended.code, ended.err) == (0, "")
    assert stages(snapshot(ended.out))["judge"] == (3, 3)


def test_feedback_is_joined_whichever_file_it_stands_in(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(said("a") + b"\n" + said("nobody"))
    (tmp_path / "b.jsonl").write_bytes(plain("a", feedback="up", app="shop") + b"\n" + plain("b"))
    made = snapshot(ragmon("replay", tmp_path, "--json", "-").out)
    joined = {(item["slice"]["value"], item["sentiment"]): item["count"] for item in made["feedback"]["joined"]}
    assert {key: joined[key] for key in joined if key[0] in {"all", "shop"}} == {
        ("all", "negative"): 1,
        ("all", "positive"): 1,
        ("shop", "negative"): 1,
        ("shop", "positive"): 1,
    }
    assert sum(item["count"] for item in made["feedback"]["heard"]) == 3
    assert stages(made)["hear"] == (3, 3)


def test_records_that_cannot_be_read_are_counted_and_the_exit_code_is_1(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(2) + b"\nnot json\n" + many(2))
    ended = ragmon("replay", tmp_path, tmp_path / "nosuch")
    assert ended.code == 1
    assert "1 dead_letter" in " ".join(ended.out.split())
    logged, *told = ended.told
    assert logged.startswith("a record cannot be understood: ")
    assert [line.partition(":")[0] for line in told] == [f"{tmp_path}/nosuch", "1 records"]


def test_without_a_configuration_everything_is_judged_and_with_one_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(plain(f"{'0' * 18}{n:02x}{'0' * 12}") for n in range(256)))
    config = tmp_path / "ragmon.yaml"
    config.write_text("sampling: {base: 1/4, content_share: 1, safety_hit: off}\n")
    judged = [
        stages(snapshot(ragmon("replay", tmp_path / "a.jsonl", "--json", "-", *more).out))["judge"][0]
        for more in ((), ("-c", str(config)))
    ]
    assert judged == [256, 64]


def test_a_wrong_encoding_is_told_by_the_records_that_it_cannot_read_and_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(many(2))
    ended = ragmon("replay", "--encoding", "otlp_json", tmp_path)
    assert ended.code == 2
    first, summary = ended.told  # of many records the log has one line
    assert first.startswith("a record cannot be understood: no_spans")
    assert "2 records: could not be read" in summary
    assert "2 dead_letter" in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("sampling", "said"),
    [
        (
            {"base": "1/1000000", "content_share": "1/1"},
            "0 of 3 requests are in the sample (sampling.base is 1/1000000)",
        ),
        (
            {"base": "1/1000000", "content_share": "1/1000000"},
            "no request came as far as the sample; 3 traces left out early",
        ),
        ({"base": "1/1", "content_share": "1/1"}, ""),
    ],
)
def test_a_table_without_scores_says_when_the_rates_are_the_reason(
    tmp_path: Path, sampling: dict[str, str], said: str
) -> None:
    config = tmp_path / "ragmon.yaml"
    config.write_text(json.dumps({"sampling": sampling}))
    (tmp_path / "a.jsonl").write_bytes(many(3))
    ended = ragmon("replay", "-c", config, tmp_path / "a.jsonl")
    assert ended.code == 0
    assert len(ended.told) == bool(said)
    assert said in ended.err
