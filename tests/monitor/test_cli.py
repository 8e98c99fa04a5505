"""The command line: exit codes, one line for each problem, help that is enough to work from."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from monitor import __version__, running
from monitor.errors import ConfigError, RagmonError
from monitor.offline import record
from tests.monitor.terminal import Ended, ragmon, spawn

COMMANDS = (
    "run",
    "check-config",
    "extract",
    "judge",
    "judge rows",
    "judge compare",
    "judge promote",
    "judge audit",
    "replay",
    "record",
    "demo",
    "dataset",
    "dataset show",
    "dataset export",
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_says_what_a_command_does_and_every_option(command: str) -> None:
    ended = ragmon(*command.split(), "--help")
    assert (ended.code, ended.err) == (0, "")
    assert "Usage: ragmon" in ended.out
    options = [line for line in ended.out.splitlines() if line.lstrip().startswith("-")]
    assert options
    assert all(len(line.split()) > 2 for line in options)


def test_judge_shows_its_commands_and_what_it_takes_without_one() -> None:
    told = ragmon("judge", "--help").out
    assert all(name in told for name in ("rows", "compare", "promote", "audit", "--evaluation", "--judge", "--config"))
    assert ragmon("judge").err == ragmon("judge", "rows").err


def test_without_arguments_the_commands_and_exit_codes_are_told() -> None:
    ended = ragmon()
    text = ended.out + ended.err
    assert all(command.split()[0] in text for command in COMMANDS)
    assert "Exit codes: 0 done, 1 failed while running, 2 usage" in " ".join(text.split())


def test_the_version_is_told() -> None:
    assert ragmon("--version").out == f"{__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["extract"],
        ["judge"],
        ["judge", "rows"],
        ["judge", "compare"],
        ["judge", "promote", "x"],
        ["replay"],
        ["check-config"],
        ["demo", "--seconds", "-1"],
        ["record", "topic"],
        ["record", "--out", "file"],
        ["record", "topic", "--out", "file", "--last", "0"],
        ["record", "topic", "--out", "file", "--seconds", "nan"],
        ["run", "--nosuch"],
    ],
)
def test_a_wrong_usage_is_told_and_ends_with_2(arguments: list[str]) -> None:
    ended = ragmon(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--role", "boss"], "--role boss: there is no such role; known are judge, board, harvest"),
        (["judge", "--evaluation", "x", "/nowhere"], "--evaluation x: no configured judge gives it; known are "),
        (
            ["judge", "--evaluation", "faithfullness", "/nowhere"],
            "--evaluation faithfullness: no configured judge gives it; did you mean faithfulness? known are ",
        ),
        (
            ["judge", "--evaluation", "safety.harm", "/nowhere"],
            "--evaluation safety.harm: it takes a judge of `type: llm`; list it under `evaluations` of one in a config",
        ),
        (
            ["judge", "--evaluation", "safety.harm", "--judge", "scanner", "/nowhere"],
            "--judge scanner: does not give safety.harm; it takes a judge of `type: llm`",
        ),
        (
            ["judge", "--evaluation", "faithfulness", "--judge", "scanner", "/nowhere"],
            "--judge scanner: does not give faithfulness; --judge embedded does",
        ),
        (["judge", "--evaluation", "faithfulness", "/nowhere"], "/nowhere: cannot be read (No such file or directory)"),
        (["judge", "--evaluation", "faithfulness", "/"], "/: cannot be read (Is a directory)"),
        (["judge", "--evaluation", "faithfulness", "--judge", "x"], "--judge x: there is no such judge; configured "),
        (["replay", "/nowhere"], "/nowhere: no such file or directory"),
        (["extract", "/nowhere"], "/nowhere: no such file or directory"),
        (["replay", "--json", "/nowhere/out", "/nowhere"], "--json /nowhere/out: cannot be written (No such file "),
        (["record", "t", "--out", "/nowhere/out"], "--out /nowhere/out: cannot be written (No such file or directory)"),
        (["record", "t", "--out", "/"], "--out /: is a folder; give the name of a file, such as "),
        (["record", "t", "--out", __file__], f"--out {__file__}: exists already; give another name, or --force to "),
        (["record", "t", "--out", "x", "--last", "1", "--seconds", "1"], "--last, --seconds: give one of them"),
        (["record", "t", "--out", "x", "--brokers", "a:1,b"], "--brokers: 'b' is no address; write host:port"),
        (["check-config", "/nowhere"], "/nowhere: cannot be read (No such file or directory)"),
        (["run", "-c", "/nowhere"], "/nowhere: cannot be read (No such file or directory)"),
        (["dataset", "show", "/nowhere"], "/nowhere: no sample set here; see dataset.path in the configuration"),
        (
            ["dataset", "show", __file__],
            f"{__file__}: is no folder, and a sample set is one; see dataset.path in the c",
        ),
        (["dataset", "export", __file__], f"{__file__}: is no folder, and a sample set is one; see dataset.path in "),
        (["dataset", "export", "/nowhere"], "/nowhere: no sample set here; see dataset.path in the configuration"),
    ],
)
def test_wrong_input_is_told_in_one_line_with_where_and_how_and_ends_with_2(arguments: list[str], told: str) -> None:
    ended = ragmon(*arguments)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert ended.told[0].startswith(told)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check-config", "{}"],
        ["extract", "-c", "{}", __file__],
        ["judge", "promote", "x", "-c", "{}"],
        ["dataset", "show", "{}"],
        ["extract", "{}"],
        ["judge", "--evaluation", "faithfulness", "{}"],
        ["calibrate", "{}"],
    ],
)
def test_what_may_not_be_read_is_told_in_one_line(arguments: list[str], tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    if os.access(locked, os.R_OK):
        pytest.skip("nothing is forbidden to root")
    ended = ragmon(*(argument.format(locked) for argument in arguments))
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert ended.told[0].casefold().endswith(("permission denied", "(permission denied)"))


LONG = f"/{'x' * 300}"
"""No name that a file system takes."""


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract", LONG],
        ["replay", LONG],
        ["replay", "--json", LONG, __file__],
        ["judge", "--evaluation", "faithfulness", LONG],
        ["judge", "audit", "--evaluation", "faithfulness", LONG],
        ["calibrate", LONG],
        ["calibrate", __file__, "--out", LONG],
        ["record", "topic", "--out", LONG],
        ["check-config", LONG],
        ["extract", "-c", LONG, __file__],
        ["dataset", "show", LONG],
        ["dataset", "export", LONG],
        ["dataset", "export", "\udcff"],
    ],
)
def test_a_name_that_cannot_be_one_is_told_in_one_line(arguments: list[str]) -> None:
    ended = ragmon(*arguments)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)


@pytest.mark.parametrize("arguments", [["extract", "-"], ["judge", "--evaluation", "faithfulness"], ["calibrate", "-"]])
def test_a_closed_standard_input_is_told_in_one_line(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as Python has it then
    ended = ragmon(*arguments)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert "standard input is closed" in ended.told[0]


def test_an_unknown_encoding_is_told_with_those_that_are_known() -> None:
    ended = ragmon("extract", "--encoding", "thrift", __file__)
    assert ended.code == 2
    assert "thrift" in ended.err
    assert "otlp_proto" in ended.err


def test_a_failure_while_running_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        msg = "the broker went away"
        raise RagmonError(msg)

    monkeypatch.setattr(running, "main", fail)
    ended = ragmon("run")
    assert (ended.code, ended.told) == (1, ["the broker went away"])


def test_every_problem_of_a_configuration_stands_in_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise ConfigError(["a: is wrong", "b: is wrong"])

    monkeypatch.setattr(running, "main", fail)
    ended = ragmon("run")
    assert (ended.code, ended.told) == (2, ["a: is wrong", "b: is wrong"])


def test_check_config_says_what_would_run(tmp_path: Path) -> None:
    path = tmp_path / "ragmon.yaml"
    path.write_text(
        "kafka: {brokers: ['a:1', 'b:2']}\nsource: {topics: [rag]}\nsampling: {base: 1/20, budget_per_minute: 30}\n"
    )
    ended = ragmon("check-config", path)
    assert ended.code == 0
    assert ended.out.splitlines() == [
        "the configuration is valid",
        "reads   rag from a:1, b:2 as ragmon",
        "samples 1/20 of the requests, 30 a minute at most; judges: embedded (embedded), scanner (scanner)",
        "writes  rag.verdicts, rag.cases, rag.dead-letters; sample set in ragmon-data/cases",
        "serves  http://0.0.0.0:9464/metrics",
    ]


def test_check_config_says_what_runs_beside_what_is_judged_again_and_what_is_of_one_family(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"answer": "x", "contexts": ["x"]}\n' * 3)
    path = tmp_path / "ragmon.yaml"
    llm = "{type: llm, name: next, model: gpt-4.1, base_url: 'https://j.example/v1', shadow_of: embedded}"
    path.write_text(f"judges: [{{type: embedded}}, {llm}]\nanchors: a.jsonl\nservice_models: [o3]\n")
    lines = ragmon("check-config", path).out.splitlines()
    assert lines[2].endswith("judges: embedded (embedded), next (llm, beside embedded)")
    assert lines[3] == "asks    next: faithfulness; 1 call a request, all of the sampled requests"
    assert lines[4] == f"anchors 1 rows (2 duplicates left out) of {tmp_path / 'a.jsonl'}, every 1d"
    assert lines[5].startswith("warns   judge next (gpt-4.1) is of the family of one of the service_models")
    (tmp_path / "a.jsonl").write_text("{\n")
    ended = ragmon("check-config", path)
    assert (ended.code, ended.told[0].startswith(f"{path}: anchors: {tmp_path / 'a.jsonl'}:1: is not JSON")) == (
        2,
        True,
    )


def test_check_config_tells_every_problem_and_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "ragmon.yaml"
    path.write_text("kafak: {}\nweb: {port: x}\n")
    ended = ragmon("check-config", path)
    assert ended.code == 2
    assert sorted(line.removeprefix(f"{path}: ").partition(":")[0] for line in ended.told) == ["kafak", "web.port"]


@pytest.mark.parametrize(("command", "start"), [("check-config", ragmon), ("run -c", spawn)])
def test_a_missing_key_of_a_judge_is_told_at_start(tmp_path: Path, command: str, start: Callable[..., Ended]) -> None:
    path = tmp_path / "ragmon.yaml"
    path.write_text(
        "kafka: {brokers: ['127.0.0.1:1']}\n"
        "judges: [{type: llm, base_url: 'https://judge.example/v1', model: m, api_key: {env: NO_SUCH_KEY}}]\n"
        "log: {level: error}\n"
    )
    ended = start(*command.split(), path)
    assert ended.code == 2
    assert ended.told == [
        f"{path}: judges[0].api_key: environment variable NO_SUCH_KEY is not set or empty; set it, or remove the option"
    ]


def test_check_config_says_what_would_run_without_the_secrets_too(tmp_path: Path) -> None:
    path = tmp_path / "ragmon.yaml"
    path.write_text(
        "kafka: {security: {protocol: sasl_ssl, mechanism: scram-sha-512, username: u, password: {env: NO_SUCH_KEY}}}\n"
        "judges: [{type: llm, base_url: 'https://judge.example/v1', model: m, api_key: {file: /nowhere/key}}]\n"
    )
    ended = ragmon("check-config", path)
    lines = ended.out.splitlines()
    assert (ended.code, lines[0]) == (2, "the configuration is valid, but for the secrets (2 missing)")
    assert [line.split(": ")[:2] for line in ended.told] == [
        [str(path), "kafka.security.password"],
        [str(path), "judges[0].api_key"],
    ]
    skipped = ragmon("check-config", "--no-secrets", path)
    assert (skipped.code, skipped.err) == (0, "")
    assert skipped.out.splitlines() == ["the configuration is valid; its secrets were not looked at", *lines[1:]]


def test_a_wrong_address_of_a_judge_is_told_by_check_config(tmp_path: Path) -> None:
    path = tmp_path / "ragmon.yaml"
    path.write_text("judges: [{type: llm, base_url: 'ftp://judge.example', model: m}]\n")
    ended = ragmon("check-config", path)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert "base_url" in ended.told[0]


def test_a_reader_that_goes_away_is_no_error_to_tell(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 7, "answer": "The desk closes at five.", "contexts": ["x"]}\n' * 2000)
    command = [sys.executable, "-m", "monitor", "judge", "--evaluation", "faithfulness", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith(b'{"id":7,')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 1


def test_the_module_is_the_command() -> None:
    ended = spawn("judge", "--evaluation", "safety.pii", stdin=b'{"id": 1, "answer": "x"}\n')
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith('{"id":1,"evaluation":"safety.pii","outcome":"scored"')


def test_the_default_of_record_is_told() -> None:
    assert f"{record.DEFAULT} by default" in " ".join(ragmon("record", "--help").out.split())


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "judges: [{type: llm, base_url: 'http://127.0.0.1:1/v1', model: m}]",
            "judge llm: base_url leads to a private",
        ),
        ("judges: [{type: embedded}, {type: scanner, shadow_of: x}]", "judges[1].shadow_of: 'x' is no judge"),
        ("calibration_files: [nofile.json]", "calibration_files: {folder}/nofile.json: cannot be read"),
        ("anchors: nofile.jsonl", "anchors: {folder}/nofile.jsonl: cannot be read"),
        ("mapping_files: [nofile.yaml]", "mapping_files: {folder}/nofile.yaml: cannot be read"),
        ("promotions: .", "promotions: {folder}: cannot be read"),
        ("kafka: {brokers: [x]}", "kafka.brokers[0]: 'x' is no address"),
        ("web: {port: x}", "web.port: "),
    ],
)
def test_a_problem_of_an_option_is_told_with_the_file_and_the_option(
    content: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kafka.yaml"
    path.write_text(f"{content}\n")
    ended = ragmon("check-config", path)
    assert ended.code == 2
    assert [line.startswith(f"{path}: {problem.format(folder=tmp_path)}") for line in ended.told] == [True], ended.told
    monkeypatch.chdir(tmp_path)
    assert ragmon("check-config", "kafka.yaml").told[0].count("kafka.yaml") == 1


def test_a_problem_of_an_option_that_a_variable_sets_is_not_told_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGMON_KAFKA__BROKERS", '["x"]')
    path = tmp_path / "ragmon.yaml"
    path.write_text("source: {topics: [t]}\n")
    assert ragmon("check-config", path).told == [
        "kafka.brokers[0]: 'x' is no address; write host:port, such as localhost:9092"
    ]
