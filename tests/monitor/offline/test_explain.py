"""`ragmon extract --explain`: every input is accounted for, in words, and none of it steers the terminal."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from monitor.accounting import STAGES
from monitor.config.settings import Settings
from monitor.judges.scorable import REASONS
from monitor.offline.explain import main
from monitor.offline.explained import ExplainedRow
from tests.monitor.terminal import Ended, ragmon
from tests.monitor.traces.captures import FOLDER, NAMES

RUN = [sorted(FOLDER.glob(f"{name}.pb")) for name in NAMES]
WORDS = {reason.name for stage in STAGES if stage.name == "extract" for reason in stage.reasons} | set(REASONS)
HOSTILE = "\x1b[2J\x1b]0;owned\x07[bold]x[/bold]\u202e[link=file:///etc/passwd]y"


def explain(*arguments: str | Path) -> Ended:
    return ragmon("extract", "--explain", *arguments)


def rows(*arguments: str | Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in explain("--json", *arguments).out.splitlines()]


def write(path: Path, *records: dict[str, Any] | str) -> Path:
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    path.write_text("\n".join(lines) + "\n")
    return path


class Terminal(io.StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("files", RUN, ids=lambda files: files[0].stem if files else "split")
def test_every_capture_is_explained_in_the_published_form(files: list[Path]) -> None:
    for row in rows(*files) if files else ():
        read = msgspec.convert(row, ExplainedRow)
        assert read.judged == (not read.reason)
        assert read.judged or read.reason in WORDS
        assert read.because


def test_a_field_says_where_it_came_from() -> None:
    (row,) = rows(FOLDER / "otel-genai-openai-success.pb")
    assert (row["kind"], row["judged"], row["because"]) == ("request", True, "nothing is missing")
    assert row["fields"]["answer"]["places"][0]["where"] == "gen_ai.output.messages"
    assert row["fields"]["app"]["places"][0]["where"] == "resource service.name"


def test_hidden_contents_would_not_be_judged_and_are_not_shown() -> None:
    ended = explain(FOLDER / "openinference-langchain-redacted.pb")
    assert "would not be judged: hidden_content" in ended.out
    assert "25 euros" not in ended.out


def test_cut_contents_are_kept_out_of_the_evaluations_that_need_the_whole() -> None:
    (row,) = rows(FOLDER / "openinference-langchain-truncated.pb")
    told = {one["evaluation"]: one["reason"] for one in row["evaluations"]}
    assert told["faithfulness"] == "incomplete_input"
    assert told["safety.pii"] == ""


def test_what_is_no_request_and_what_cannot_be_read_has_a_row(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", {"trace_id": "t-1", "question": "Why?"}, "{broken")
    ended = explain("--json", file, FOLDER / "manual-notrag.pb")
    kinds = [(row["kind"], row["reason"]) for row in map(json.loads, ended.out.splitlines())]
    assert sorted(kinds) == [
        ("record", "dead_letter"),
        ("request", "no_answer"),
        ("trace", "ingestion"),
        ("trace", "no_request"),
        ("trace", "no_request"),
    ]
    assert ended.code == 1


def test_it_says_that_contents_are_printed() -> None:
    assert "contents of users" in explain(FOLDER / "manual-notrag.pb").err


def test_a_pipe_gets_plain_lines_and_a_terminal_a_tree() -> None:
    file, terminal = FOLDER / "manual-notrag.pb", Terminal()
    assert "\n    GET /healthz" in explain(file).out
    assert main([str(file)], "auto", Settings(), terminal, as_json=False) == 0
    assert "└── GET /healthz" in terminal.getvalue()


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()], ids=["pipe", "terminal"])
def test_hostile_texts_are_shown_and_not_obeyed(tmp_path: Path, out: io.StringIO) -> None:
    record = {"trace_id": f"t{HOSTILE}", "question": HOSTILE, "answer": HOSTILE, "contexts": [HOSTILE], "app": HOSTILE}
    file = write(tmp_path / "x.jsonl", record)
    main([str(file)], "plain", Settings(), out, as_json=False)
    text = out.getvalue()
    assert "\\x1b[2J" in text
    assert "[bold]x[/bold]" in text.replace("\n", "")
    assert not {"\x1b[2J", "\x1b]", "\x07", "\u202e"} & {
        text[at : at + n] for at in range(len(text)) for n in (1, 2, 4)
    }


def test_passwords_and_keys_are_not_shown(tmp_path: Path) -> None:
    key = "sk-proj-" + "abcDEF0123456789" * 3
    record = {"trace_id": "t", "question": f"{'x' * 100} {key}", "answer": f"It is {key}.", "contexts": [f"key {key}"]}
    ended = explain(write(tmp_path / "x.jsonl", record))
    assert "abcDEF0123456789" not in ended.out
    assert "It is <secret.openai>." in ended.out


def test_a_long_text_is_shortened(tmp_path: Path) -> None:
    (row,) = rows(write(tmp_path / "x.jsonl", {"trace_id": "t", "question": "Why?", "answer": "x" * 5000}))
    assert row["fields"]["answer"]["value"] == "x" * 160 + "... (4840 more)"


def test_without_a_configuration_there_are_no_rates_to_tell_of(tmp_path: Path) -> None:
    asked = {"trace_id": "0" * 31 + "1", "question": "Q?", "answer": "A.", "contexts": ["A."]}
    file, config = write(tmp_path / "a.jsonl", asked), tmp_path / "ragmon.yaml"
    config.write_text("sampling: {base: 1/1}\n")
    told = ["in the sample" in ragmon("extract", "--explain", file, *more).out for more in ((), ("-c", config))]
    assert told == [False, True]


def test_feedback_that_comes_later_changes_no_decision(tmp_path: Path) -> None:
    config = tmp_path / "ragmon.yaml"
    config.write_text("sampling: {base: 1/1000, content_share: 1/1, negative_feedback: 1/1}\n")
    asked = {"question": "Q?", "answer": "A.", "contexts": ["A."]}
    late, own = "0" * 31 + "1", "0" * 31 + "2"
    file = write(
        tmp_path / "a.jsonl",
        {"trace_id": late, **asked},
        {"trace_id": late, "feedback": "down"},
        {"trace_id": own, **asked, "feedback": "down"},
    )
    found = {row["trace_id"]: row for row in rows(file, "-c", config) if row["kind"] == "request"}
    assert {name: row["sample"]["sampled"] for name, row in found.items()} == {late: False, own: True}
    assert found[late]["fields"]["feedback"]["value"]


def test_plain_feedback_says_how_it_is_counted(tmp_path: Path) -> None:
    said: list[Any] = [{"label": "thumbs_down", "response_id": "reply-1"}, True, {"score": 4, "name": "stars"}]
    told = rows(write(tmp_path / "x.jsonl", *({"trace_id": "t-1", "feedback": one} for one in said)))
    assert {(row["kind"], row["reason"], row["trace_id"]) for row in told} == {("feedback", "feedback", "t-1")}
    assert "trace t-1, else with that of the reply reply-1" in told[0]["because"]
    assert [row["notes"] for row in told] == [
        ["feedback: label thumbs_down; counted as negative"],
        ["feedback: score 1.0; counted as positive"],
        ["stars: score 4.0; counted as unrated"],
    ]


@pytest.mark.parametrize("said", [{}, {"labl": "bad"}])
def test_feedback_that_says_nothing_asks_for_a_misspelt_key(tmp_path: Path, said: dict[str, str]) -> None:
    ended = explain(write(tmp_path / "x.jsonl", {"trace_id": "t-1", "feedback": said}))
    assert "feedback on t-1" in ended.out
    assert "neither label nor score; counted as unrated" in ended.out
    assert "name, score, label, comment, negative, human, response_id; is one misspelt?" in ended.out


def test_a_recorded_record_is_named_with_its_partition(tmp_path: Path) -> None:
    """Offsets alone are not unique: every partition has its own."""
    recorded = [{"partition": number, "offset": 11, "value": base64.b64encode(b"{").decode()} for number in (0, 3)]
    ended = ragmon("extract", write(tmp_path / "x.jsonl", *recorded))
    assert [line.partition(".jsonl ")[2].partition(":")[0] for line in ended.told] == [
        "record 11",
        "partition 3 record 11",
    ]


def test_a_field_of_a_plain_record_is_shown_with_the_path_that_was_tried(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", {"req": {"id": "t-1", "q": "Why?"}, "user_id": "u"})
    paths = {"trace_id": "req.id", "question": "req.q", "answer": "out.0.msg"}
    config = tmp_path / "ragmon.yaml"
    config.write_text(json.dumps({"source": {"plain_fields": paths}}))
    (row,) = rows("-c", config, "--encoding", "plain", file)
    fields = row["fields"]
    assert [fields[name]["places"][0]["where"] for name in ("question", "user_id")] == ["req.q", "user_id"]
    (missing,) = fields["answer"]["passed_over"]
    assert (missing["places"][0]["where"], missing["why"]) == (
        "out.0.msg",
        "source.plain_fields names it, and nothing stands there",
    )
    assert fields["model"] == {"value": None, "places": [], "passed_over": []}


def test_contexts_that_are_unknown_are_not_shown_as_an_empty_list(tmp_path: Path) -> None:
    record = {"trace_id": "t", "question": "Why?", "answer": "So."}
    unknown, empty = rows(write(tmp_path / "x.jsonl", record, record | {"contexts": []}))
    assert unknown["fields"]["contexts"]["value"] is None
    assert empty["fields"]["contexts"]["value"] == []


def test_hidden_texts_are_called_hidden_in_one_line() -> None:
    out = explain(FOLDER / "openinference-langchain-redacted.pb").out.splitlines()
    assert [line for line in out if line.startswith("  question:")] == ["  question: hidden"]
    assert sum("contents are hidden on purpose" in line for line in out) == 1  # where the marks are


@pytest.mark.parametrize("field", ["question", "answer", "contexts"])
def test_a_plain_record_with_a_mark_in_place_of_a_content_is_called_hidden(tmp_path: Path, field: str) -> None:
    record = {"trace_id": "t", "question": "Why?", "answer": "So.", "contexts": ["So."]}
    mark = ["[REDACTED]"] if field == "contexts" else "[REDACTED]"
    (row,) = rows(write(tmp_path / "x.jsonl", record | {field: mark}))
    assert (row["judged"], row["reason"]) == (False, "hidden_content")
    assert {verdict["reason"] for verdict in row["evaluations"]} == {"hidden_content"}
    redacted = row["fields"]["redacted"]
    where = f"{field}: a mark stands in place of contents: they are hidden on purpose"
    assert (redacted["value"], [place["where"] for place in redacted["places"]]) == ("yes", [where])


@pytest.mark.parametrize(
    ("said", "truncated", "redacted"),
    [
        ({}, ("no", []), ("no", [])),
        ({"truncated": True}, ("yes", ["truncated"]), ("no", [])),
        ({"redacted": True}, ("no", []), ("yes", ["redacted"])),
        (
            {"contexts": ["So.", "[REDACTED]"]},
            ("yes", ["contexts: a mark stands in place of contents: they are hidden on purpose"]),
            ("no", []),
        ),
    ],
)
def test_a_plain_record_says_whether_its_texts_were_cut_or_hidden_and_by_what(
    tmp_path: Path, said: dict[str, Any], truncated: tuple[str, list[str]], redacted: tuple[str, list[str]]
) -> None:
    (row,) = rows(write(tmp_path / "x.jsonl", {"trace_id": "t", "question": "Why?", "answer": "So.", **said}))
    told = [row["fields"][name] for name in ("truncated", "redacted")]
    assert [(one["value"], [place["where"] for place in one["places"]]) for one in told] == [truncated, redacted]


def test_texts_of_a_plain_record_that_were_to_be_hidden_are_not_shown(tmp_path: Path) -> None:
    record = {"trace_id": "t", "question": "PRIVATE", "answer": "PRIVATE", "contexts": ["PRIVATE"], "redacted": True}
    out = explain(write(tmp_path / "x.jsonl", record)).out
    assert "PRIVATE" not in out
    assert "  question: hidden\n" in out


def test_the_error_and_the_tokens_of_a_plain_record_are_shown(tmp_path: Path) -> None:
    record = {
        "trace_id": "t",
        "question": "Why?",
        "error": {"type": "Timeout", "stage": "retrieval"},
        "input_tokens": 3,
    }
    (row,) = rows(write(tmp_path / "x.jsonl", record))
    told = {name: row["fields"][name]["value"] for name in ("error", "input_tokens", "output_tokens")}
    assert told == {"error": "Timeout in retrieval", "input_tokens": "3", "output_tokens": None}


def test_a_mapping_that_matched_no_span_is_told_on_standard_error(tmp_path: Path) -> None:
    config = tmp_path / "ragmon.yaml"
    kinds = [{"when": {"service": "acne-*"}, "role": "chain"}, {"when": {"service": "velora-*"}, "role": "chain"}]
    config.write_text(json.dumps({"mappings": [{"name": "acme", "version": 1, "spans": kinds}]}))
    ended = explain("-c", config, FOLDER / "manual-notrag.pb")
    assert "mapping acme: spans[0] matches no span: service is never 'acne-*'; there are: velora-helpdesk" in ended.err
    assert "spans[1]" not in ended.err


@pytest.mark.parametrize(("service", "said"), [("acne-*", True), ("velora-*", False)])
def test_a_trace_without_a_request_says_whether_a_mapping_meant_it(tmp_path: Path, service: str, *, said: bool) -> None:
    config = tmp_path / "ragmon.yaml"
    kind = {"when": {"service": service}, "role": "other"}
    config.write_text(json.dumps({"mappings": [{"name": "acme", "version": 1, "spans": [kind]}]}))
    for row in rows("-c", config, FOLDER / "manual-notrag.pb"):
        assert ("no mapping of the configuration matches any of its spans" in row["notes"]) == said


def test_the_row_of_an_unreadable_record_begins_with_its_place(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", {"trace_id": "t-1", "question": "Why?"}, "{broken")
    assert f"{file} line 2" in explain(file).out.splitlines()
