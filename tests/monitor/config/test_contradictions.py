"""Rules of options that are wrong together: told beside what is wrong by itself, but where they rest on that."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.config.loading import load
from tests.monitor.config.configured import problems, write

pytestmark = pytest.mark.usefixtures("no_variables")

JUDGE = "type: llm, base_url: 'https://x', model: m-2026"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("source: {topics: []}", "source.topics: name at least one topic, or give source.pattern"),
        ("source: {pattern: '('}", "source.pattern: is not a regular expression: "),
        ("topics: {cases: rag.verdicts}", "topics: verdicts, cases and dead_letters must be three different topics"),
        ("source: {topics: [rag.cases]}", "source.topics: ragmon would read what it writes; see topics"),
        ("judges: [{type: embedded}, {type: scanner, name: embedded}]", "judges: the name 'embedded' is used twice"),
        ("judges: []", "judges: "),
        ("kafka: {security: {ca_file: /nowhere.pem}}", "kafka.security.ca_file: /nowhere.pem is not a file"),
        ("kafka: {security: {protocol: sasl_ssl, mechanism: oauthbearer}}", "kafka.security.token: is required"),
        ("kafka: {security: {protocol: sasl_ssl, username: u}}", "kafka.security.password: is required for plain"),
        ("kafka: {security: {cert_file: /nowhere}}", "kafka.security: give both cert_file and key_file, or neither"),
        ("privacy: {pseudonym_key: {env: A, file: b}}", "privacy.pseudonym_key: give exactly one of env, file"),
        ("kafka: {security: {password: hunter2}}", "kafka.security.password: "),
        ("kafka: {security: {username: u}}", "kafka.security.username: has no effect with protocol plaintext; set "),
        ("kafka: {security: {protocol: sasl_plaintext, ca_file: x}}", "kafka.security.ca_file: has no effect with "),
        ("kafka: {security: {protocol: ssl, token: {env: A}}}", "kafka.security.token: has no effect with protocol "),
        ("source: {pattern: 'rag'}", "source.pattern: matches rag.verdicts, rag.cases, rag.dead-letters: ragmon would"),
        ("source: {group: g}\ndataset: {group: g}", "dataset.group: must be another consumer group than source.group"),
        ("assembly: {quiet: 31s}", "assembly.quiet: must be at most assembly.timeout, after which a trace is taken "),
        ("source: {stall_after: 5s}", "kafka.request_timeout: must be at most source.stall_after, or one slow "),
    ],
)
def test_contradictions_are_told(tmp_path: Path, text: str, problem: str) -> None:
    found = problems(tmp_path, text)
    assert any(line.startswith(problem) for line in found)
    assert "hunter2" not in str(found)


def test_contradictions_are_told_beside_what_is_wrong_by_itself(tmp_path: Path) -> None:
    """Also of judges beside a wrong one, and of files that the configuration names."""
    (tmp_path / "maps.yaml").write_text("mappings: [{name: Upper}]", encoding="utf-8")
    found = problems(
        tmp_path,
        """
kafka: {brokers: [nowhere], client: x}
web: {port: -1}
assembly: {quiet: 1m}
mapping_files: [maps.yaml]
judges:
  - {type: llm, modle: m, base_url: "https://x", cost_per_day: 5}
  - {type: llm, name: two, model: m, base_url: "https://x", cost_per_day: 5, rate: often}
  - {type: scanner, name: two}
""",
    )
    assert {line.partition(": ")[0] for line in found if not line.startswith(str(tmp_path))} == {
        "kafka.client",
        "kafka.brokers[0]",
        "web.port",
        "assembly.quiet",
        "judges[0].modle",
        "judges[0].model",
        "judges[1].rate",
        "judges[1].cost_per_day",
        "judges",
    }
    assert any(line.startswith(f"{tmp_path}/maps.yaml: mappings[0]") for line in found)


@pytest.mark.parametrize(
    "text",
    [
        "source: {topics: often, pattern: 7}",
        "kafka: {security: {protocol: sasl, username: u}}",
        "kafka: {security: {protocol: sasl_ssl, username: 7, password: {env: A}}}",
        "assembly: {quiet: 1m, timeout: long}",
        "judges: [{type: llm, model: m, base_url: 'https://x', cost_per_day: 5, prices: 7}]",
        "judges: [{type: scanner, name: s}, {type: scaner, name: s}]",
        "judges: [{type: scanner, name: S}, {type: embedded, shadow_of: s}]",
        "kafka: {brokers: [1, nowhere]}",
    ],
)
def test_nothing_is_told_of_what_rests_on_a_wrong_option(tmp_path: Path, text: str) -> None:
    """Who mends the option may have mended the rest with it."""
    told = {line.partition(": ")[0] for line in problems(tmp_path, text)}
    assert told <= {
        "source.topics",
        "source.pattern",
        "kafka.security.protocol",
        "kafka.security.username",
        "assembly.timeout",
        "judges[0].prices",
        "judges[0].name",
        "judges[1]",
        "kafka.brokers[0]",
    }


@pytest.mark.parametrize("cap", ["cost_per_hour", "cost_per_day"])
def test_a_limit_of_money_needs_the_price_of_the_model(tmp_path: Path, cap: str) -> None:
    unpriced = problems(tmp_path, f"judges: [{{{JUDGE}, {cap}: 5, prices: {{other: {{input: 1, output: 2}}}}}}]")
    (line,) = unpriced
    assert line.startswith(f"judges[0].{cap}: nothing prices model 'm-2026'; give `prices: {{m-2026: {{input: ")
    assert problems(tmp_path, f"judges: [{{{JUDGE}, {cap}: 5, input_price: 1}}]") == [
        f"judges[0].{cap}: needs both input_price and output_price, not one of them"
    ]


@pytest.mark.parametrize(
    "priced",
    [
        "cost_per_day: 5, prices: {m: {input: 1, output: 2}}",
        "cost_per_day: 5, prices: {m-2026: {input: 0, output: 0}}",
        "cost_per_day: 5, input_price: 1, output_price: 2",
        "requests_per_minute: 60, tokens_per_minute: 10000",
    ],
)
def test_a_limit_that_can_be_kept_starts(tmp_path: Path, priced: str) -> None:
    assert load(write(tmp_path, f"judges: [{{{JUDGE}, {priced}}}]")).judges
