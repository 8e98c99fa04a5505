"""The Kubernetes manifests, checked without a cluster: what they name exists, and they agree with the configuration."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from monitor.config.loading import load

Tree = dict[str, Any]

KUBERNETES = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"
OVERLAYS = ("fleet", "sidecar")
RESERVED = 250 << 20
"""Bytes that the process takes with history and libraries (measured: 231 MiB for all roles); see deploy/README.md."""


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("RAGMON_")]:
        monkeypatch.delenv(name)


def _load(path: Path) -> Any:  # noqa: ANN401 - YAML holds anything
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _files(folder: Path) -> Iterator[tuple[Path, Tree]]:
    """Every manifest that a kustomization takes in, with the file that it stands in."""
    tree = _load(folder / "kustomization.yaml")
    for name in tree.get("resources", ()):
        for document in yaml.safe_load_all((folder / name).read_text(encoding="utf-8")):
            yield folder / name, document
    for component in tree.get("components", ()):
        yield from _files((folder / component).resolve())


def _manifests(overlay: str) -> list[Tree]:
    return [document for _, document in _files(KUBERNETES / overlay)]


def _workloads(overlay: str) -> list[Tree]:
    return [manifest for manifest in _manifests(overlay) if manifest["kind"] == "Deployment"]


def _containers(workload: Tree) -> list[Tree]:
    pod = workload["spec"]["template"]["spec"]
    return [*pod.get("initContainers", ()), *pod["containers"]]


def _ragmon(workload: Tree) -> Tree:
    (container,) = [container for container in _containers(workload) if container["name"] == "ragmon"]
    return container


def _bytes(quantity: str) -> int:
    number, unit = quantity[:-2], quantity[-2:]
    return int(number) << {"Mi": 20, "Gi": 30}[unit]


def test_no_manifest_is_left_out_of_every_overlay() -> None:
    taken = {path for overlay in OVERLAYS for path, _ in _files(KUBERNETES / overlay)}
    beside = {"kustomization.yaml", "ragmon.yaml"}
    assert {path for path in KUBERNETES.rglob("*.yaml") if path.name not in beside} == taken


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_manifest_has_a_kind_and_a_name_of_its_own(overlay: str) -> None:
    named = [(m["apiVersion"], m["kind"], m["metadata"]["name"]) for m in _manifests(overlay)]
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_selector_finds_pods(overlay: str) -> None:
    pods = [workload["spec"]["template"]["metadata"]["labels"] for workload in _workloads(overlay)]

    def selects(labels: Mapping[str, str]) -> bool:
        return any(labels.items() <= pod.items() for pod in pods)

    for manifest in _manifests(overlay):
        spec = manifest.get("spec", {})
        match manifest["kind"]:
            case "Deployment":
                assert spec["selector"]["matchLabels"].items() <= spec["template"]["metadata"]["labels"].items()
                for constraint in spec["template"]["spec"].get("topologySpreadConstraints", ()):
                    assert constraint["labelSelector"] == spec["selector"]
            case "PodDisruptionBudget" | "PodMonitor":
                assert selects(spec["selector"]["matchLabels"])
            case "NetworkPolicy":
                assert selects(spec["podSelector"]["matchLabels"])
            case "Service":
                assert selects(spec["selector"])
            case _:
                assert manifest["kind"] in {
                    "Namespace",
                    "PersistentVolumeClaim",
                    "ScaledObject",
                    "TriggerAuthentication",
                }


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_container_is_confined_and_every_mount_has_its_volume(overlay: str) -> None:
    for workload in _workloads(overlay):
        pod = workload["spec"]["template"]["spec"]
        context = pod["securityContext"]
        assert (context["runAsNonRoot"], context["runAsUser"], context["fsGroup"]) == (True, 65532, 65532)
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        volumes = {volume["name"] for volume in pod["volumes"]}
        used = set()
        for container in _containers(workload):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert "memory" in container["resources"]["limits"]
            used |= {mount["name"] for mount in container["volumeMounts"]}
        assert used == volumes


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_config_maps_and_claims_that_pods_mount_exist(overlay: str) -> None:
    kustomization = _load(KUBERNETES / overlay / "kustomization.yaml")
    maps = {item["name"]: item["files"] for item in kustomization["configMapGenerator"]}
    claims = {m["metadata"]["name"] for m in _manifests(overlay) if m["kind"] == "PersistentVolumeClaim"}
    assert maps == {"ragmon": ["ragmon.yaml"]}
    for workload in _workloads(overlay):
        for volume in workload["spec"]["template"]["spec"]["volumes"]:
            assert volume.get("configMap", {}).get("name", "ragmon") in maps
            claim = volume.get("persistentVolumeClaim")
            assert claim is None or claim["claimName"] in claims


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_secret_files_of_the_configuration_lie_where_the_secret_is_mounted(overlay: str) -> None:
    settings = load(KUBERNETES / overlay / "ragmon.yaml")
    secrets = [settings.kafka.security.password, settings.privacy.pseudonym_key]
    files = [secret.file for secret in secrets if secret is not None]
    assert len(files) == len(secrets)
    for workload in _workloads(overlay):
        mounted = {Path(mount["mountPath"]) for mount in _ragmon(workload)["volumeMounts"]}
        assert all(file is not None and file.parent in mounted for file in files)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_pods_are_given_the_time_to_drain_and_the_memory_for_a_bomb(overlay: str) -> None:
    settings = load(KUBERNETES / overlay / "ragmon.yaml")
    bomb = {"fleet": 200, "sidecar": 150}[overlay] << 20
    for workload in _workloads(overlay):
        pod, ragmon = workload["spec"]["template"]["spec"], _ragmon(workload)
        assert pod["terminationGracePeriodSeconds"] >= settings.judging.drain + 10
        holds = settings.assembly.max_bytes if "judge" in ragmon["args"] else 0
        assert _bytes(ragmon["resources"]["limits"]["memory"]) >= RESERVED + holds + 2.5 * bomb


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_probes_and_annotations_name_the_port_that_ragmon_serves(overlay: str) -> None:
    port = load(KUBERNETES / overlay / "ragmon.yaml").web.port
    for workload in _workloads(overlay):
        ragmon = _ragmon(workload)
        annotations = workload["spec"]["template"]["metadata"]["annotations"]
        assert ragmon["ports"] == [{"name": "metrics", "containerPort": port}]
        assert ragmon["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "metrics"}
        assert annotations["prometheus.io/port"] == str(port)
        assert annotations["prometheus.io/scrape"] == "true"
        assert "startupProbe" not in ragmon


def test_a_pod_of_the_fleet_is_ready_when_ragmon_is() -> None:
    for workload in _workloads("fleet"):
        assert _ragmon(workload)["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "metrics"}


def test_the_sidecar_is_native_and_cannot_take_the_application_out_of_service() -> None:
    (workload,) = _workloads("sidecar")
    pod = workload["spec"]["template"]["spec"]
    (sidecar,) = pod["initContainers"]
    assert sidecar["restartPolicy"] == "Always"
    assert not {"readinessProbe", "startupProbe"} & sidecar.keys()
    assert sidecar["resources"]["limits"].keys() == {"cpu", "memory"}
    assert "harvest" not in sidecar["args"]


def test_the_roles_of_the_fleet_are_three_and_there_is_never_a_second_harvester() -> None:
    roles = {_ragmon(workload)["args"][-1]: workload["spec"] for workload in _workloads("fleet")}
    assert roles.keys() == {"judge", "board", "harvest"}
    assert roles["harvest"]["replicas"] == 1
    assert roles["harvest"]["strategy"] == {"type": "Recreate"}
    assert "replicas" not in roles["judge"], "the autoscaler owns it"


def test_the_autoscaler_watches_what_the_judges_read() -> None:
    settings = load(KUBERNETES / "fleet" / "ragmon.yaml")
    scaled = {m["kind"]: m for m in _manifests("fleet")}["ScaledObject"]["spec"]
    (trigger,) = scaled["triggers"]
    metadata = trigger["metadata"]
    assert scaled["scaleTargetRef"]["name"] in {m["metadata"]["name"] for m in _workloads("fleet")}
    assert metadata["bootstrapServers"].split(",") == list(settings.kafka.brokers)
    assert metadata["consumerGroup"] == settings.source.group
    assert metadata["topic"] == settings.source.topics[0]
    assert metadata["offsetResetPolicy"] == settings.source.start
    assert metadata["sasl"] == settings.kafka.security.mechanism.replace("scram-sha-", "scram_sha")
    assert scaled["minReplicaCount"] >= 1


def test_the_network_policy_lets_ragmon_reach_its_brokers_and_prometheus_reach_ragmon() -> None:
    settings = load(KUBERNETES / "fleet" / "ragmon.yaml")
    policy = {m["kind"]: m for m in _manifests("fleet")}["NetworkPolicy"]["spec"]
    out = {port["port"] for rule in policy["egress"] for port in rule["ports"]}
    into = {port["port"] for rule in policy["ingress"] for port in rule["ports"]}
    assert {int(broker.rpartition(":")[2]) for broker in settings.kafka.brokers} <= out
    assert into == {settings.web.port}


@pytest.mark.slow
@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is missing")
def test_kustomize_renders_the_overlay_and_renames_the_config_map(overlay: str) -> None:
    command = ["kubectl", "kustomize", str(KUBERNETES / overlay)]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True, timeout=50).stdout
    manifests = list(yaml.safe_load_all(rendered))
    (config,) = [m["metadata"]["name"] for m in manifests if m["kind"] == "ConfigMap"]
    assert fnmatch(config, "ragmon-*")
    for manifest in manifests:
        if manifest["kind"] == "Deployment":
            volumes = manifest["spec"]["template"]["spec"]["volumes"]
            assert [v["configMap"]["name"] for v in volumes if "configMap" in v] == [config]
            assert _ragmon(manifest)["image"] == "ragmon:0.1.0"
