"""The files of `deploy/`, checked without a container engine: what they name exists, and they agree.

What only the real programs can tell, such as option names of the Collector, was checked with them by hand: see
`deploy/README.md`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from monitor.config.loading import load
from monitor.config.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
YAML_FILES = sorted(path for path in DEPLOY.rglob("*.y*ml") if "mypy_cache" not in path.parts)
CONFIGURATIONS = [DEPLOY / "ragmon.yaml", *sorted((DEPLOY / "kubernetes").rglob("ragmon.yaml"))]

Tree = dict[str, Any]


def _name(path: Path) -> str:
    return str(path.relative_to(DEPLOY))


def _load(path: Path) -> Any:  # noqa: ANN401 - YAML holds anything
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("RAGMON_")]:
        monkeypatch.delenv(name)


@pytest.mark.parametrize("path", YAML_FILES, ids=_name)
def test_every_yaml_file_is_yaml_and_not_empty(path: Path) -> None:
    documents = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    assert documents
    assert None not in documents


# ---------------------------------------------------------------------------------------------------- ragmon's own


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=_name)
def test_every_configuration_loads(path: Path) -> None:
    assert isinstance(load(path), Settings)


def test_the_examples_in_the_comments_of_the_configuration_load_when_they_are_used(tmp_path: Path) -> None:
    text = (DEPLOY / "ragmon.yaml").read_text(encoding="utf-8")
    used, count = re.subn(r"(?m)^  #   (?=\S)", "  ", text)
    file = tmp_path / "ragmon.yaml"
    file.write_text(used, encoding="utf-8")
    settings = load(file)
    assert count == 3
    assert settings.kafka.security.protocol == "sasl_ssl"
    assert settings.privacy.pseudonym_key is not None
    assert [judge.type for judge in settings.judges] == ["embedded", "scanner", "llm"]


# ------------------------------------------------------------------------------------------------------- Dockerfile


def _instructions() -> list[tuple[str, str]]:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    lines = [line for line in code.replace("\\\n", " ").splitlines() if line.strip()]
    return [(keyword.upper(), rest.strip()) for keyword, _, rest in (line.partition(" ") for line in lines)]


def _last_stage() -> list[tuple[str, str]]:
    instructions = _instructions()
    start = max(index for index, (keyword, _) in enumerate(instructions) if keyword == "FROM")
    return instructions[start:]


def test_the_image_runs_as_a_number_that_is_not_root() -> None:
    users = [rest for keyword, rest in _last_stage() if keyword == "USER"]
    assert users == ["65532:65532"]


def test_no_shell_stands_between_the_container_and_ragmon() -> None:
    final = dict(_last_stage())
    assert json.loads(final["ENTRYPOINT"]) == ["ragmon"]
    assert json.loads(final["CMD"])[0] == "run"
    _, _, check = final["HEALTHCHECK"].partition("CMD ")
    assert json.loads(check)[0] == "python"
    assert final["STOPSIGNAL"] == "SIGTERM"


def test_the_health_check_of_the_image_is_python_that_compiles() -> None:
    _, _, check = dict(_last_stage())["HEALTHCHECK"].partition("CMD ")
    compile(json.loads(check)[2], "HEALTHCHECK", "exec")


def test_every_image_is_pinned_to_a_version() -> None:
    arguments = dict(rest.split("=", 1) for keyword, rest in _instructions() if keyword == "ARG")
    bases = [rest.split()[0] for keyword, rest in _instructions() if keyword == "FROM"]
    images = [re.sub(r"\$\{(\w+)\}", lambda found: arguments[found[1]], base) for base in bases]
    images += [service["image"] for service in _compose()["services"].values()]
    for image in images:
        _, _, tag = image.partition(":")
        assert tag, image
        assert tag != "latest", image


def test_what_the_image_copies_exists_and_is_in_the_build_context() -> None:
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    allowed = {pattern[1:] for pattern in patterns if pattern.startswith("!")}
    copied = set()
    for keyword, rest in _instructions():
        if keyword == "COPY" and "--from=" not in rest:
            copied |= set(rest.split()[:-1])
    assert "*" in patterns
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)


# ------------------------------------------------------------------------------------------------------------ compose


def _compose() -> Tree:
    tree: Tree = _load(DEPLOY / "compose.yaml")
    return tree


SERVICES: dict[str, Tree] = _compose()["services"]


def _mounts(service: Tree) -> Iterator[tuple[str, str]]:
    for mount in service.get("volumes", ()):
        source, target, *_ = mount.split(":")
        yield source, target


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_limits_no_privileges_and_an_image(name: str) -> None:
    service = SERVICES[name]
    assert service["image"]
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("read_only", False) is (service["image"] != SERVICES["kafka"]["image"])
    assert not {"privileged", "network_mode", "pid", "cap_add"} & service.keys()


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_service_mounts_exists(name: str) -> None:
    volumes = _compose()["volumes"].keys()
    for source, target in _mounts(SERVICES[name]):
        assert target.startswith("/")
        assert (DEPLOY / source).resolve().exists() if source.startswith(".") else source in volumes, source


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_for_what_can_be_waited_for(name: str) -> None:
    for other, how in SERVICES[name].get("depends_on", {}).items():
        waited = SERVICES[other]
        match how["condition"]:
            case "service_healthy":  # our image brings a health check of its own
                assert "healthcheck" in waited or "build" in waited
                assert not waited.get("healthcheck", {}).get("disable")
            case "service_completed_successfully":
                assert waited["restart"] == "on-failure"
            case condition:
                assert condition == "service_started"


def test_ports_are_published_on_the_loopback_only_and_once() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in published)
    assert len({port.split(":")[1] for port in published}) == len(published)


def test_the_environment_of_ragmon_is_valid_over_its_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in SERVICES["ragmon"]["environment"].items():
        monkeypatch.setenv(key, value)
    settings = load(DEPLOY / "ragmon.yaml")
    assert settings.kafka.brokers == ("kafka:9092",)
    assert (settings.sampling.base, settings.topics.replication) == (1, 1)
    assert settings.dataset.path.startswith(dict(_mounts(SERVICES["ragmon"]))["ragmon-data"])


def test_ragmon_is_given_the_time_to_drain() -> None:
    drain = load(DEPLOY / "ragmon.yaml").judging.drain
    assert float(SERVICES["ragmon"]["stop_grace_period"].removesuffix("s")) >= drain + 10


def test_the_parts_of_the_compose_file_speak_of_the_same_addresses_and_topics() -> None:
    settings = load(DEPLOY / "ragmon.yaml")
    prometheus = (DEPLOY / "prometheus" / "prometheus.yaml").read_text(encoding="utf-8")
    traces = _load(DEPLOY / "otel-collector.yaml")["exporters"]["kafka"]["traces"]
    assert settings.source.topics == (traces["topic"],)
    assert settings.source.encoding == traces["encoding"]
    assert f"--topic={traces['topic']}" in SERVICES["topics"]["command"]
    assert f"ragmon:{settings.web.port}" in prometheus
    assert "alertmanager:9093" in prometheus
    (source,) = _load(DEPLOY / "grafana" / "provisioning" / "datasources" / "ragmon.yaml")["datasources"]
    assert source["url"] == "http://prometheus:9090"
    assert SERVICES["collector"]["environment"]["KAFKA_BROKERS"] == "kafka:9092"
    assert "--endpoint=http://collector:4318" in SERVICES["service"]["command"]


def test_the_dashboards_that_grafana_is_told_of_are_mounted() -> None:
    mounts = [target for _, target in _mounts(SERVICES["grafana"])]
    for file in (DEPLOY / "grafana" / "provisioning" / "dashboards").glob("*.yaml"):
        for provider in _load(file)["providers"]:
            path = provider["options"]["path"]
            assert any(path == target or path.startswith(f"{target}/") for target in mounts), path


# ---------------------------------------------------------------------------------------- Collector and Alertmanager


def test_the_collector_uses_what_it_declares_and_declares_what_it_uses() -> None:
    tree = _load(DEPLOY / "otel-collector.yaml")
    pipelines = tree["service"]["pipelines"].values()
    for kind in ("receivers", "processors", "exporters"):
        assert {name for pipeline in pipelines for name in pipeline[kind]} == set(tree[kind])
    assert set(tree["service"]["extensions"]) == set(tree["extensions"])


def test_the_collector_keys_records_by_trace_id_and_waits_for_all_replicas() -> None:
    tree = _load(DEPLOY / "otel-collector.yaml")
    kafka = tree["exporters"]["kafka"]
    assert kafka["partition_traces_by_id"] is True
    assert kafka["producer"]["required_acks"] == -1
    assert tree["service"]["pipelines"]["traces"]["processors"][0] == "memory_limiter"


def test_the_broker_takes_the_largest_message_of_the_collector() -> None:
    producer = _load(DEPLOY / "otel-collector.yaml")["exporters"]["kafka"]["producer"]
    assert int(SERVICES["kafka"]["environment"]["KAFKA_MESSAGE_MAX_BYTES"]) > producer["max_message_bytes"]


def test_the_collector_batches_for_a_shorter_time_than_ragmon_waits_for_late_spans() -> None:
    batch = _load(DEPLOY / "otel-collector.yaml")["processors"]["batch"]["timeout"]
    assert float(batch.removesuffix("ms")) / 1000 < load(DEPLOY / "ragmon.yaml").assembly.quiet


def test_every_route_leads_to_a_receiver_and_every_rule_names_alerts_that_exist() -> None:
    tree = _load(DEPLOY / "alertmanager.yaml")
    receivers = {receiver["name"] for receiver in tree["receivers"]}
    routes = [tree["route"], *tree["route"]["routes"]]
    assert {route["receiver"] for route in routes} == receivers
    rules = _load(DEPLOY / "prometheus" / "rules" / "ragmon-alerts.yaml")
    alerts = {rule["alert"]: rule["labels"]["severity"] for group in rules["groups"] for rule in group["rules"]}
    named = re.findall(r"Ragmon[A-Z]\w+", json.dumps(tree["inhibit_rules"]))
    assert set(named) <= alerts.keys()
    routed = set(re.findall(r'severity = \\"(\w+)\\"', json.dumps(tree["route"])))
    assert routed <= set(alerts.values()) <= routed | {"info"}


def _compose_works() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not _compose_works(), reason="docker compose is missing")
def test_docker_compose_takes_the_compose_file() -> None:
    command = ["docker", "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"]
    subprocess.run(command, check=True, timeout=50)


def test_a_full_page_is_within_the_sample_limits_of_the_scrapes() -> None:
    (scraped,) = _load(DEPLOY / "prometheus" / "prometheus.yaml")["scrape_configs"]
    pods = _load(DEPLOY / "kubernetes" / "components" / "pod-monitor" / "pod-monitor.yaml")["spec"]
    limits = [scraped["sample_limit"], pods["sampleLimit"]]
    assert all(load(path).web.max_series * 1.1 < min(limits) for path in CONFIGURATIONS)
    assert Settings().web.max_series * 1.1 < min(limits)
