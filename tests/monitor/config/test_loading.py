"""Rules of loading the settings: every problem at once, each with its place and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.config.judges import LlmJudge, ReferenceJudge
from monitor.config.loading import check_secrets, load, load_secret
from monitor.config.settings import Settings
from monitor.config.values import Secret
from monitor.errors import ConfigError
from tests.monitor.config.configured import problems, write

pytestmark = pytest.mark.usefixtures("no_variables")


def test_without_a_file_or_with_an_empty_one_the_defaults_apply(tmp_path: Path) -> None:
    assert load(None).model_dump() == load(write(tmp_path, "")).model_dump() == Settings().model_dump()


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    settings = load(
        write(
            tmp_path,
            """
kafka: {brokers: ["a:9092", "b:9092"]}
source: {topics: [rag], encoding: plain, session_timeout: 1m}
sampling: {base: 1/20, error: off, budget_per_minute: 30}
judges:
  - {type: embedded}
  - {type: llm, name: big, base_url: "https://judge.example/v1", model: m, rate: 0.1, api_key: {env: KEY}}
board: {windows: [5m, 7d]}
""",
        )
    )
    assert settings.kafka.brokers == ("a:9092", "b:9092")
    assert settings.source.session_timeout == 60.0
    assert (settings.sampling.base, settings.sampling.error, settings.sampling.budget_per_minute) == (20, 0, 30.0)
    judge = settings.judges[1]
    assert isinstance(judge, LlmJudge)
    assert (judge.rate, judge.api_key) == (10, Secret(env="KEY"))
    assert settings.board.windows == (300.0, 604800.0)


def test_every_file_that_is_named_is_looked_for_beside_the_configuration(tmp_path: Path) -> None:
    for name in ("ca.pem", "cert.pem"):
        (tmp_path / name).touch()
    settings = load(
        write(
            tmp_path,
            """
kafka: {security: {protocol: sasl_ssl, mechanism: plain, username: u, password: {file: pw}, ca_file: ca.pem}}
judges:
  - {type: reference, golden: golden.jsonl}
  - {type: llm, name: big, base_url: "https://judge.example/v1", model: m, ca_file: cert.pem, api_key: {file: key}}
anchors: anchors.jsonl
calibration_files: [calibration.json]
""",
        )
    )
    reference, judge = settings.judges
    assert isinstance(reference, ReferenceJudge)
    assert isinstance(judge, LlmJudge)
    assert reference.golden == tmp_path / "golden.jsonl"
    assert (judge.ca_file, judge.api_key) == (tmp_path / "cert.pem", Secret(file=tmp_path / "key"))
    assert (settings.anchors, settings.calibration_files) == (
        tmp_path / "anchors.jsonl",
        (tmp_path / "calibration.json",),
    )
    security = settings.kafka.security
    assert (security.ca_file, security.password) == (tmp_path / "ca.pem", Secret(file=tmp_path / "pw"))


def test_every_problem_is_told_at_once_with_its_path_and_the_nearest_key(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        """
kafak: {}
source: {sesion_timeout: 3, session_timeout: soon}
sampling: {base: 2/3}
judges:
  - {type: llm, name: Big, modle: m, model: ""}
  - {type: embeded}
  - {name: untold}
  - {type: reference, goldn: x}
judging: {when_full: drop, workers: 0}
web: 9464
zzz: 1
""",
    )
    assert "kafak: unknown key; did you mean `kafka`?" in found
    assert "source.sesion_timeout: unknown key; did you mean `session_timeout`?" in found
    assert "judges[0].modle: unknown key; did you mean `model`?" in found
    assert "judges[0].base_url: is required" in found
    kinds = "`type: embedded`, `scanner`, `reference` or `llm`"
    assert f"judges[1]: needs {kinds}, not 'embeded'; did you mean `embedded`?" in found
    assert f"judges[2]: needs {kinds}" in found
    assert "judges[3].goldn: unknown key; did you mean `golden`?" in found
    assert any(line.startswith("zzz: unknown key; known here: anchors, anchors_every,") for line in found)
    assert any(line.startswith("source.session_timeout: 'soon' is not a duration; write seconds") for line in found)
    assert any(line.startswith("sampling.base: '2/3' is not a rate; write 1/k") for line in found)
    where = {line.partition(": ")[0] for line in found}
    assert where >= {"judges[0].name", "judges[0].model", "judging.when_full", "judging.workers", "web"}
    assert len(found) == 15


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kafka: [", "line 1 is not YAML: "),
        ("kafka:\n\tbrokers: 1", "line 2 is not YAML: found character '\\t'"),
        ("a: 1\nb: {c: 1, d: 2, c: 3}", "line 2: the key `c` stands twice; join the two"),
        ("- kafka", "must be a mapping of sections, such as `kafka:`"),
        ("1: 2", "must be a mapping of sections, such as `kafka:`"),
        ("? [a]\n: 1", "line 1 is not YAML: "),
        ("kafka:\n  client_id: 2020-13-45", "line 2: looks like a value of type timestamp, but is none"),
        ("web: {port: " + "9" * 5000 + "}", "line 1: looks like a value of type int, but is none"),
        ("a: " + "[" * 20_000 + "]" * 20_000, "is nested too deep"),
        ("a: " + "{" * 10_000, "is nested too deep"),
        ("- " * 10_000, "is nested too deep"),
        ("a: 1\nb: [1:30, 2:00]", "line 2: `1:30` is a number to the base of 60 in YAML; write it plainly"),
        ("a: 1:30.5", "line 1: `1:30.5` is a number to the base of 60 in YAML; write it plainly, or in quotes"),
        ("a: 010", "line 1: `010` is a number to the base of 8 in YAML; write it plainly, or in quotes"),
        ("sampling: {base: '1e400000000'}", "sampling.base: '1e400000000' is not a rate"),
        ("sampling: {base: '1/1" + "0" * 5000 + "'}", "sampling.base: '1/1000"),
        ("a: !!python/object:os.system x", "line 1 is not YAML: could not determine a constructor"),
    ],
)
def test_what_is_no_configuration_is_told_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (found,) = problems(tmp_path, text)
    assert found.startswith(problem)
    assert len(found) < 200


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("anchors: {file: rows.jsonl}", "anchors: needs the path of a file, such as rows.jsonl"),
        (
            "judges: [{type: llm, base_url: 'https://j.example/v1', model: m, evaluations: [criteria.tone]}]",
            "judges[0].evaluations[0]: is a criterion of your own, which `criteria` or `criteria_files` switch on",
        ),
    ],
)
def test_what_belongs_elsewhere_is_told_in_words(tmp_path: Path, text: str, told: str) -> None:
    assert [problem.removesuffix("; leave it out") for problem in problems(tmp_path, text)] == [told]


def test_a_key_that_stands_twice_in_a_variable_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGMON_JUDGES", '[{"type": "embedded", "name": "a", "name": "b"}]')
    assert problems(tmp_path, "") == ["environment variable RAGMON_JUDGES: the key `name` stands twice; join the two"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "version: 1\nevaluation: faithfulness\njudge: e\nfingerprint: f\nlabels_by: people\nthreshold: 0.5",
            "is a calibration file, and no configuration of ragmon; a configuration names it in `calibration_files`",
        ),
        (
            "image: x\nports: [1]\nversion: 3",
            "is no configuration of ragmon; none of its 3 keys is a section, such as `kafka:`",
        ),
    ],
)
def test_a_file_of_something_else_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    assert [problem.removesuffix("; leave it out") for problem in problems(tmp_path, text)] == [told]


@pytest.mark.parametrize("text", ["kafak: {}", "kafak: {}\nsorce: {}\nzzz: 1", "zzz: 1"])
def test_keys_that_may_be_misspelt_are_told_one_by_one(tmp_path: Path, text: str) -> None:
    assert all(": unknown key; " in problem for problem in problems(tmp_path, text))


@pytest.mark.parametrize("key", ["_env_file", "_cli_parse_args", "_anything"])
def test_no_key_reaches_the_library_that_loads_the_settings(tmp_path: Path, key: str) -> None:
    found = problems(tmp_path, f"{key}: x\nweb: {{port: -1}}")
    assert [line.partition(";")[0] for line in sorted(found)] == [
        f"{key}: unknown key",
        "web.port: Input should be greater than or equal to 0",
    ]


@pytest.mark.parametrize("content", [b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "ragmon.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=f"^{path}: (cannot be read .No such file|is not UTF-8 text)"):
        load(path)


# -------------------------------------------------------------------------------------------------------- environment


def test_the_environment_is_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "sampling: {base: 1/10, error: 1/3}")
    monkeypatch.setenv("RAGMON_SAMPLING__BASE", "1/7")
    monkeypatch.setenv("ragmon_kafka__brokers", '["x:1"]')
    monkeypatch.setenv("RAGMON_OTLP", '{"interval": "5m"}')
    settings = load(path)
    assert (settings.sampling.base, settings.sampling.error) == (7, 3)
    assert (settings.kafka.brokers, settings.otlp.interval) == (("x:1",), 300.0)


def test_a_variable_that_is_no_option_is_a_problem_and_one_that_is_no_setting_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAGMON_JUDGE_KEY", "sk-1")
    monkeypatch.setenv("RAGMON_SAMPLING__BAZE", "1/7")
    monkeypatch.setenv("RAGMON_SAMPLIN__BASE", "1/7")
    with pytest.raises(ConfigError) as caught:
        load(None)
    assert caught.value.problems == [
        "environment variable RAGMON_SAMPLING__BAZE: no such option; did you mean RAGMON_SAMPLING__BASE?",
        "environment variable RAGMON_SAMPLIN__BASE: no such option; did you mean RAGMON_SAMPLING__BASE?",
    ]


def test_a_wrong_value_from_the_environment_is_told_with_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "web: {port: 99999}")
    monkeypatch.setenv("RAGMON_SAMPLING__BASE", "often")
    with pytest.raises(ConfigError) as caught:
        load(path)
    first, second = sorted(caught.value.problems, key=lambda line: "web" in line)
    assert first.startswith("environment variable RAGMON_SAMPLING__BASE: sampling.base: 'often' is not a rate")
    assert second.startswith(f"{path}: web.port: ")


def test_a_list_that_is_not_json_is_told_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGMON_KAFKA__BROKERS", "a:9092")
    with pytest.raises(ConfigError) as caught:
        load(None)
    assert caught.value.problems == [
        'environment variable RAGMON_KAFKA__BROKERS: is not JSON; write a list as ["a", "b"]'
    ]


def test_what_is_wrong_in_the_file_is_told_beside_a_list_that_is_not_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGMON_KAFKA__BROKERS", "a:9092")
    found = problems(tmp_path, "kafka: {brokers: [nowhere]}\nweb: {port: -1}")
    assert [line.partition(": ")[0] for line in found] == [
        "environment variable RAGMON_KAFKA__BROKERS",
        "web.port",
    ]


# ------------------------------------------------------------------------------------------------------------ secrets


def test_a_secret_comes_from_a_variable_or_a_file_without_blanks_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", " s3cret\n")
    (tmp_path / "key").write_text("s3cret\n", encoding="utf-8")
    assert load_secret(Secret(env="KEY"), "w") == load_secret(Secret(file=tmp_path / "key"), "w") == "s3cret"
    assert load_secret(None, "w") is None


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff"])
def test_a_missing_or_empty_secret_is_told_with_its_path_in_the_configuration(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=f"^judges.0..api_key: file {path} (cannot be read|is not set or empty)"):
        load_secret(Secret(file=path), "judges[0].api_key")
    with pytest.raises(ConfigError, match="environment variable NO_SUCH_KEY is not set or empty"):
        load_secret(Secret(env="NO_SUCH_KEY"), "w")


def test_every_secret_that_is_named_is_checked_at_start(tmp_path: Path) -> None:
    for name in ("ca.pem", "cert.pem"):
        (tmp_path / name).touch()
    settings = load(
        write(
            tmp_path,
            """
kafka: {security: {protocol: sasl_ssl, username: u, password: {env: NO_1}, token: {env: NO_2}}}
privacy: {pseudonym_key: {env: NO_3}}
judges: [{type: scanner}, {type: llm, base_url: "https://x", model: m, api_key: {file: /nowhere}}]
""",
        )
    )
    assert [line.partition(":")[0] for line in check_secrets(settings)] == [
        "kafka.security.password",
        "kafka.security.token",
        "privacy.pseudonym_key",
        "judges[1].api_key",
    ]
    assert check_secrets(Settings()) == []


def test_a_secret_is_never_in_a_repr_or_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "sk-s3cret")
    text = 'judges: [{type: llm, base_url: "https://x", model: m, api_key: {env: KEY}}]'
    settings = load(write(tmp_path, text))
    assert "s3cret" not in repr(settings) + settings.model_dump_json()
    found = problems(tmp_path, text.replace("{env: KEY}", "sk-s3cret"))
    assert "s3cret" not in str(found)


def test_a_file_that_is_no_configuration_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ConfigError, match="has more than 4 MB"):
        load(path)


def test_a_price_is_a_finite_number_of_at_least_zero(tmp_path: Path) -> None:
    found = problems(
        tmp_path, "judges: [{type: llm, base_url: 'https://x', model: m, prices: {m: {input: -1, output: .nan}}}]"
    )
    assert [line.partition(":")[0] for line in found] == ["judges[0].prices.m.input", "judges[0].prices.m.output"]
