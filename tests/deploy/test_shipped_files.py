"""Dockerfile, compose file, manifests, unit and nginx configuration: valid against their schemas, hardened, and consistent."""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import typing

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from tests.deploy.behind_nginx import configuration
from tests.deploy.served import LOCK, locked
from tests.deploy.shipped_files import ROOT, Json, documents, stages, unit
from tfhelp.service.doors.cli.parsing import parser_of
from tfhelp.service.doors.http.interface import DEFAULT_MAX_BYTES
from tfhelp.service.doors.http.server import SHUTDOWN_S

MANIFESTS = sorted(path for path in (ROOT / "deploy" / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")


def container() -> Json:
    [deployment] = documents("deploy/kubernetes/deployment.yaml")
    [found] = deployment["spec"]["template"]["spec"]["containers"]
    return typing.cast(Json, found)


def test_the_last_stage_of_the_image_has_no_tools_and_no_root() -> None:
    build, last = stages()
    assert build.base == "${PYTHON_IMAGE} AS build" and last.base == "${PYTHON_IMAGE}"
    [user] = last.values("USER")
    assert re.fullmatch(r"([1-9]\d{3,}):\1", user)  # a number, which Kubernetes can check
    runs = " ".join(last.values("RUN"))
    assert "apt-get" not in runs and "pip install" not in runs and "uninstall --yes pip" in runs
    [copied] = last.values("COPY")
    assert copied == "--from=build /opt/tfhelp /opt/tfhelp"
    assert "HOME=/tmp" in " ".join(last.values("ENV")) and last.values("WORKDIR") == ["/tmp"]


def test_the_image_installs_only_packages_with_digests() -> None:
    installs = [step for run in stages()[0].values("RUN") for step in run.split("&&") if " install " in step and "pip" in step]
    assert len(installs) == 4
    for step in installs:
        words = shlex.split(step)
        is_torch = "$(grep ^torch== requirements.txt)" in words or "torch==" in step
        assert is_torch or "--require-hashes" in words or {"--no-deps", "--no-index"} <= set(words), step


def test_the_context_of_the_build_has_what_the_dockerfile_copies_and_nothing_private() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines[0] == "*"  # nothing except what is listed
    named = {line[1:] for line in lines if line.startswith("!")}
    for name in named:
        assert (ROOT / name).exists(), name
    copied = {word for value in stages()[0].values("COPY") for word in shlex.split(value)[:-1] if word != "."}
    assert copied <= named and {"kb", "collectors", "index", "service", "pyproject.toml", "setup.py", "Makefile"} <= named
    assert not {name for name in named if name.startswith((".git", ".venv", "secrets", "tests"))}
    assert {"kb/artefacts", "index/artefacts", "service/artefacts", "**/__pycache__"} <= set(lines)


def test_compose_is_valid_by_the_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_service_of_compose_is_hardened_and_limited() -> None:
    [compose] = documents("compose.yaml")
    for name, service in compose["services"].items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"] and "privileged" not in service, name
        assert {"cpus", "memory"} <= set(service["deploy"]["resources"]["limits"]) and service["pids_limit"], name
        assert "healthcheck" in service or (stages()[-1].values("HEALTHCHECK") and name == "tfhelp"), name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        assert name == "tfhelp" or re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"]), name  # the image's own user is a number
    assert compose["services"]["tfhelp"]["deploy"]["replicas"] == 3
    assert compose["networks"]["back"]["internal"] is True
    assert compose["services"]["nginx"]["networks"] == ["front"] and compose["services"]["database"]["networks"] == ["back"]


def test_passwords_come_only_from_files() -> None:
    [compose] = documents("compose.yaml")
    for name, service in compose["services"].items():
        for variable, value in service.get("environment", {}).items():
            assert not re.search("PASSWORD|SECRET|TOKEN|MEMORY", variable) or variable.endswith("_FILE"), (name, variable)
            assert not variable.endswith("_FILE") or value.removeprefix("/run/secrets/") in service["secrets"], (name, variable)
    assert {"/secrets/"} <= set((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
    assert "password" not in json.dumps(container()).lower()


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.name)
def test_a_manifest_is_valid_by_the_schema_of_kubernetes(manifest: pathlib.Path) -> None:
    import kubernetes_validate

    for document in documents(str(manifest.relative_to(ROOT))):
        kubernetes_validate.validate(document, "1.31", strict=True)


def test_all_manifests_are_applied_but_the_secrets_example() -> None:
    [kustomization] = documents("deploy/kubernetes/kustomization.yaml")
    assert {path.name for path in MANIFESTS} - {"secret.example.yaml"} == set(kustomization["resources"])
    assert kustomization["images"][0]["name"] == container()["image"]


def test_the_pods_are_restricted_and_of_the_images_user() -> None:
    [deployment] = documents("deploy/kubernetes/deployment.yaml")
    pod, inside = deployment["spec"]["template"]["spec"], container()["securityContext"]
    user = f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}"
    assert pod["securityContext"]["runAsNonRoot"] and [user] == stages()[-1].values("USER")
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"} and pod["automountServiceAccountToken"] is False
    assert inside == {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert {probe: container()[probe]["httpGet"]["path"] for probe in ("livenessProbe", "readinessProbe")} == {
        "livenessProbe": "/healthz",
        "readinessProbe": "/readyz",
    }
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    for name, *path in (
        ("service", "selector"),
        ("disruption", "selector", "matchLabels"),
        ("network", "podSelector", "matchLabels"),
    ):
        found = documents(f"deploy/kubernetes/{name}.yaml")[0]["spec"]
        for key in path:
            found = found[key]
        assert found == labels, name


def served_commands() -> list[list[str]]:
    [compose] = documents("compose.yaml")
    [command] = stages()[-1].values("CMD")
    [started] = unit()["ExecStart"]
    assert started.endswith(" $TFHELP_OPTIONS")  # the owner's own options, or none
    return [json.loads(command), compose["services"]["tfhelp"]["command"], container()["args"], shlex.split(started)[1:-1]]


def test_every_command_that_is_started_is_one_that_the_program_takes() -> None:
    for command in served_commands():
        given = parser_of("serve").parse_args(command)
        assert command[0] == "serve" and given.port == 8000, command


def test_the_three_ways_to_host_give_a_server_the_same_room() -> None:
    [compose] = documents("compose.yaml")
    service, [most] = compose["services"]["tfhelp"], unit()["MemoryMax"]
    given = service["deploy"]["resources"]["limits"]["memory"], container()["resources"]["limits"]["memory"], most
    assert {name.rstrip("Mi") for name in given} == {"2560"}
    for command in served_commands()[1:]:
        options = parser_of("serve").parse_args(command)
        # What a server and its template take, and what a question may take in each worker (docs/hosting.md).
        assert options.workers * options.worker_memory + 300 < 2560 and options.log == "json"
    assert [str(service["pids_limit"])] == unit()["TasksMax"]


def test_files_in_memory_fit_into_the_memory_of_their_service() -> None:
    [compose] = documents("compose.yaml")
    for name, service in compose["services"].items():
        sizes = [int(size) for line in service["tmpfs"] for size in re.findall(r"size=(\d+)m", line)]
        assert sum(sizes) < 0.75 * megabytes(service["deploy"]["resources"]["limits"]["memory"]), name


def megabytes(written: str) -> int:
    return int(written[:-1]) * {"M": 1, "G": 1024}[written[-1]]


def test_a_server_has_longer_to_end_than_its_requests_have() -> None:
    [compose], [deployment] = documents("compose.yaml"), documents("deploy/kubernetes/deployment.yaml")
    [*_, pause] = container()["lifecycle"]["preStop"]["exec"]["command"]
    graces = [
        int(compose["services"]["tfhelp"]["stop_grace_period"].rstrip("s")),
        deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] - int(pause),
        int(unit()["TimeoutStopSec"][0]),
    ]
    assert min(graces) >= 3 * SHUTDOWN_S  # its threads and its memory end after the requests


def test_nginx_takes_its_configuration_and_as_much_as_the_server_takes(tmp_path: pathlib.Path) -> None:
    if shutil.which("nginx") is None:
        pytest.skip("there is no nginx on this machine")
    file = configuration(tmp_path, 8080, ["127.0.0.1:8001", "127.0.0.1:8002"])
    command = f"ulimit -S -n 1024; exec nginx -t -c {shlex.quote(str(file))} -p {shlex.quote(str(tmp_path))}"  # a usual limit
    tested = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert tested.returncode == 0 and "warn" not in tested.stderr, tested.stderr
    [most] = re.findall(r"client_max_body_size (\d+)m;", file.read_text(encoding="utf-8"))
    assert int(most) << 20 > 2 * DEFAULT_MAX_BYTES + (1 << 20)
    [ingress] = documents("deploy/kubernetes/ingress.yaml")
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"] == f"{most}m"


def test_the_unit_is_hardened() -> None:
    found = unit()
    for name in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "MemoryDenyWriteExecute", "DynamicUser", "RestrictNamespaces"):
        assert found[name] == ["yes"], name
    assert found["ProtectSystem"] == ["strict"] and found["CapabilityBoundingSet"] == [""]
    assert {"MemoryMax", "TasksMax", "LimitNOFILE"} <= set(found)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze on this machine")
def test_systemd_accepts_the_unit_and_rates_its_exposure_low(tmp_path: pathlib.Path) -> None:
    text = (
        (ROOT / "deploy" / "tfhelp.service")
        .read_text(encoding="utf-8")
        .replace("/opt/tfhelp/bin/tfhelp", shutil.which("true") or "")
    )
    file = tmp_path / "tfhelp.service"
    file.write_text(re.sub("^Documentation=.*$", "", text, flags=re.MULTILINE), encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False)
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if "tfhelp.service" in line]) == (0, [])
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=15", str(file)]  # tenths of systemd's points
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-400:]


def test_the_lock_has_digests_and_agrees_with_requirements() -> None:
    text = LOCK.read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([^#\s=]+)==(\S+)$", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE))
    normal = {re.sub("[-_.]+", "-", name).lower(): version for name, version in pinned.items()}
    assert len(locked()) > 40 and "://" not in text
    for name, version, marker in locked():
        assert normal.get(re.sub("[-_.]+", "-", name).lower(), version) == version, name
        installed = not marker or Marker(marker).evaluate({"sys_platform": "linux", "platform_system": "Linux"})
        assert not installed or re.sub("[-_.]+", "-", name).lower() in normal, name
    blocks = re.split(r"\n(?=\S)", text)
    assert [block for block in blocks if "==" in block and "--hash=sha256:" not in block and not block.startswith("#")] == []


def test_the_lock_has_all_that_a_server_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [Requirement(line) for line in (*project["dependencies"], *extras["memory"], *extras["postgres"])]
    versions = {re.sub("[-_.]+", "-", name).lower(): version for name, version, _ in locked()}
    for one in wanted:
        if one.name != "tfhelp":
            assert one.specifier.contains(versions[re.sub("[-_.]+", "-", one.name).lower()]), one
