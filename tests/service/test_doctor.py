"""The check-up: the real program on healthy and broken environments, and the entries' conditions on other machines."""

import io
import json
import os
import pathlib
import subprocess
import sys
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfhelp.kb import compiled
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import read_document
from tfhelp.service.doctor.findings import look
from tfhelp.service.doctor.parts import PARTS
from tfhelp.service.doctor.summary import PART_OF_ENTRY, Row, not_looked_for, summarise
from tfhelp.service.doctor.summary import document as summary_document
from tfhelp.service.doors.cli.doctor_text import show

Json = dict[str, typing.Any]


def doctor(*arguments: str, cwd: pathlib.Path | None = None, limit: int | None = None, **environment: str) -> Json:
    """Run the command; its exit status must agree with its output."""
    prefix = ["prlimit", f"--nofile={limit}:{limit}"] if limit else []
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "tfhelp.service", "doctor", "--json", *arguments],
        capture_output=True,
        timeout=200,
        check=False,
        cwd=cwd,
        env=os.environ | environment,
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    document: Json = json.loads(done.stdout)
    assert document["ok"] is (done.returncode == 0)
    return document


def found(document: Json) -> set[tuple[str, str]]:
    return {(one["entry"], one["cause"]) for one in document["findings"]}


@pytest.fixture
def environment(tmp_path: pathlib.Path) -> typing.Callable[..., pathlib.Path]:
    """Makes a virtual environment in which, according to their metadata, packages of given versions are installed."""

    def make(**versions: str) -> pathlib.Path:
        folder = tmp_path / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        (site,) = folder.glob("lib/python*/site-packages")
        for name, version in versions.items():
            information = site / f"{name}-{version}.dist-info"
            information.mkdir()
            (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n")
            (information / "RECORD").write_text(f"{name}/__init__.py,,\n")
            (information / "INSTALLER").write_text("pip\n")
            (site / name).mkdir()
            (site / name / "__init__.py").write_text("")
        return folder

    return make


def test_a_healthy_machine_without_a_gpu_gets_no_findings(tmp_path: pathlib.Path) -> None:
    document = doctor("--python", sys.prefix, cwd=tmp_path)
    assert document["findings"] == []
    assert document["ok"] is True
    rows = {row["part"]: row for row in document["summary"]["rows"]}
    assert rows["tensorflow"]["value"].startswith("TensorFlow 2.")
    assert rows["gpu"]["value"] == "no NVIDIA GPU: training runs on the CPU" or rows["gpu"]["state"] == "ok"
    assert len(document["looked_at"]) > 25
    assert {"environment", "gpu", "checks"} <= document["seconds"].keys()


def test_a_healthy_machine_prints_that_nothing_is_wrong(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-m", "tfhelp.service", "doctor", "--python", sys.prefix]
    plain = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    lines = plain.stdout.splitlines()
    assert lines[0].startswith("[ok] Python 3.")
    assert sum(line.startswith(("[ok] ", "[-]  ", "[?]  ")) for line in lines) == len(PARTS)
    assert any(line.startswith("Not looked for: whether TensorFlow imports") for line in map(str.strip, lines))
    assert lines[-1].endswith("tfhelp doctor -v")
    assert not plain.stderr
    more = subprocess.run([*command, "-v", "--timings"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "fine  driver-too-old, driver-below-minimum: not so:" in more.stdout
    assert " s  environment" in more.stdout


def test_packages_that_do_not_fit_are_found_with_their_fixes(
    environment: typing.Callable[..., pathlib.Path], tmp_path: pathlib.Path
) -> None:
    folder = environment(tensorflow="2.15.0", numpy="2.1.0", protobuf="6.30.0", keras="3.5.0")
    document = doctor("--python", str(folder), cwd=tmp_path)
    assert {
        ("numpy-abi-mismatch", "numpy-too-new"),
        ("protobuf-mismatch", "protobuf-too-new"),
        ("keras-package-mismatch", "keras-version-skew"),
    } <= found(document)
    numpy = next(one for one in document["findings"] if one["entry"] == "numpy-abi-mismatch")
    assert numpy["evidence"][0]["because"].startswith("NumPy 2.1.0 is installed, TensorFlow 2.15.0 needs >=1.23.5,<2.0.0")
    assert any("numpy" in step.get("snippet", {}).get("code", "") for step in numpy["fix"]["steps"])


def test_two_packages_that_bring_tensorflow(environment: typing.Callable[..., pathlib.Path], tmp_path: pathlib.Path) -> None:
    document = doctor("--python", str(environment(tensorflow="2.15.0", tensorflow_cpu="2.14.0")), cwd=tmp_path)
    assert ("tensorflow-shadowed-or-broken", "broken-install") in found(document)


def test_an_environment_without_tensorflow(environment: typing.Callable[..., pathlib.Path], tmp_path: pathlib.Path) -> None:
    document = doctor("--python", str(environment()), cwd=tmp_path)
    assert found(document) == {("tensorflow-not-installed", "not-installed")}
    rows = {row["part"]: row for row in document["summary"]["rows"]}
    assert (rows["tensorflow"]["state"], rows["tensorflow"]["value"]) == ("failure", "TensorFlow: not installed")
    assert {rows[part]["state"] for part in ("python", "processor", "memory", "disk")} == {"ok"}


def test_a_file_that_hides_tensorflow(tmp_path: pathlib.Path) -> None:
    (tmp_path / "tensorflow.py").write_text("print('hello')\n")
    document = doctor("--python", sys.prefix, cwd=tmp_path)
    assert found(document) == {("tensorflow-shadowed-or-broken", "shadowed-by-own-file")}


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is Linux's")
def test_a_low_limit_of_open_files(tmp_path: pathlib.Path) -> None:
    document = doctor("--python", sys.prefix, cwd=tmp_path, limit=256)
    assert found(document) == {("too-many-open-files", "descriptor-limit")}
    assert "at most 256 files" in document["findings"][0]["evidence"][0]["because"]


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small tmpfs")
def test_a_full_temporary_folder(tmp_path: pathlib.Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(small)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("mounting needs root")
    try:
        document = doctor("--python", sys.prefix, cwd=small)
    finally:
        subprocess.run(["umount", str(small)], check=True)
    assert found(document) == {("disk-full", "checkpoints-or-logs")}


def test_an_interpreter_that_does_not_run(tmp_path: pathlib.Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nkill -SEGV $$\n")
    broken.chmod(0o755)
    document = doctor("--python", str(broken), cwd=tmp_path)
    assert "SIGSEGV" in document["interpreter"]
    first = document["summary"]["rows"][0]
    assert (first["part"], first["state"]) == ("python", "failure")
    assert "SIGSEGV" in first["wrong"][0]["says"]


def test_deep_diagnoses_what_the_import_says(environment: typing.Callable[..., pathlib.Path], tmp_path: pathlib.Path) -> None:
    folder = environment(tensorflow="2.15.0", numpy="1.26.0")
    (site,) = folder.glob("lib/python*/site-packages")
    library = "libcudart.so.12: cannot open shared object file: No such file or directory"
    (site / "tensorflow" / "__init__.py").write_text(f"raise ImportError({library!r})\n")
    assert doctor("--python", str(folder), cwd=tmp_path)["import"] is None
    document = doctor("--python", str(folder), "--deep", cwd=tmp_path)
    assert document["import"]["state"] == "failed"
    assert "libcudart.so.12" in document["import"]["output"]
    assert {"abstained", "matches"} <= document["import"]["answer"].keys()
    rows = {row["part"]: row for row in document["summary"]["rows"]}
    assert rows["tensorflow"]["state"] == "failure"


def machine(**changes: typing.Any) -> Json:
    """A healthy machine with two GPUs, and TensorFlow 2.15 with the CUDA it needs; ``changes`` replace whole facts."""
    facts: Json = {
        "os.name": "linux",
        "os.architecture": "x86_64",
        "os.container": False,
        "os.wsl": False,
        "os.virtual_machine": False,
        "os.glibc": "2.35",
        "python.version": "3.11.4",
        "packages.tensorflow": "2.15.0",
        "packages.keras": "2.15.0",
        "packages.numpy": "1.26.4",
        "packages.protobuf": "4.25.1",
        "cuda.version": "12.2",
        "cuda.unreached_folder": None,
        "cuda.stub_driver": None,
        "cudnn.version": "8.9.7",
        "driver.version": "550.54",
        "driver.cuda_version": "12.4",
        "driver.state": "ok",
        "driver.xid": [],
        "host.nvidia_devices": 2,
        "host.shm_total_mib": 16000,
        "host.disk_free_mib": 90000,
        "host.temporary_free_mib": 90000,
        "host.open_files_limit": 1024,
        "host.avx": True,
        "env.CUDA_VISIBLE_DEVICES": None,
        "gpus": [
            {
                "name": "NVIDIA A100-SXM4-40GB",
                "compute_capability": "8.0",
                "memory_total_mib": 40960,
                "memory_used_mib": 4,
                "processes": [],
            }
        ]
        * 2,
    } | changes
    document: Json = {}
    for path, value in facts.items():
        group, _, rest = path.partition(".")
        if rest:
            document.setdefault(group, {})[rest] = value
        else:
            document[group] = value
    return document


def findings(facts: Json) -> set[tuple[str, str]]:
    knowledge = compiled.load()
    sheet = read_document(facts, knowledge.fact_types, "collected")
    derive(sheet, knowledge.tables)
    return {(one.entry["id"], one.cause["id"]) for one in look(knowledge, sheet) if one.outcome == "found"}


def held_gpu(memory: float) -> list[Json]:
    process = {"pid": 4711, "name": "python", "memory_mib": memory}
    return [{"name": "NVIDIA A100", "compute_capability": "8.0", "memory_total_mib": 40960, "processes": [process]}]


def test_a_healthy_machine_with_gpus_gets_no_findings() -> None:
    assert findings(machine()) == set()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"driver.version": "470.82", "driver.cuda_version": "11.4"}, ("driver-too-old", "driver-below-minimum")),
        ({"driver.state": "mismatch"}, ("driver-library-mismatch", "driver-upgraded-no-reboot")),
        ({"driver.state": "mismatch", "os.container": True}, ("driver-library-mismatch", "container-driver-libs")),
        ({"env.CUDA_VISIBLE_DEVICES": "-1"}, ("gpu-not-detected", "hidden-by-env")),
        ({"env.CUDA_VISIBLE_DEVICES": "2"}, ("gpu-not-detected", "hidden-by-env")),
        ({"driver.state": "absent", "driver.version": None, "gpus": []}, ("gpu-not-detected", "no-driver")),
        (
            {"driver.state": "absent", "driver.version": None, "gpus": [], "os.container": True},
            ("gpu-not-detected", "container-without-gpu"),
        ),
        ({"packages.tensorflow": None, "packages.tensorflow-cpu": "2.15.0"}, ("gpu-not-detected", "cpu-only-wheel")),
        (
            {"cuda.version": "11.8", "tensorflow.visible_gpus": []},
            ("gpu-libraries-not-loaded", "wrong-major-version"),
        ),
        ({"cudnn.version": "8.2.1"}, ("cudnn-version-mismatch", "runtime-older")),
        (
            {"gpus": [{"name": "NVIDIA GeForce GTX 680", "compute_capability": "3.0", "memory_total_mib": 2048}]},
            ("gpu-architecture-unsupported", "gpu-older-than-build"),
        ),
        ({"gpus": held_gpu(30000.0)}, ("gpu-out-of-memory", "other-process-holds-memory")),
        ({"os.container": True, "host.shm_total_mib": 64}, ("shared-memory-too-small", "container-shm")),
        ({"host.avx": False}, ("illegal-instruction", "cpu-without-avx")),
        ({"host.avx": False, "os.virtual_machine": True}, ("illegal-instruction", "hidden-by-virtual-machine")),
        ({"driver.xid": [48]}, ("gpu-lost", "ecc-uncorrectable")),
        ({"os.glibc": "2.12"}, ("system-library-too-old", "glibc-too-old")),
        ({"python.broken_distribution": "~ensorflow"}, ("tensorflow-shadowed-or-broken", "broken-install")),
    ],
)
def test_each_fault_of_a_machine_is_found_and_nothing_else(changes: Json, expected: tuple[str, str]) -> None:
    assert findings(machine(**changes)) == {expected}


def test_an_unknown_condition_is_not_a_finding() -> None:
    assert findings({}) == set()
    assert findings({"gpus": [{"name": "NVIDIA A100"}]}) == set()


def summary(facts: Json) -> tuple[dict[str, Row], str]:
    """The lines by part, and the printed output."""
    knowledge = compiled.load()
    sheet = read_document(facts, knowledge.fact_types, "collected")
    derive(sheet, knowledge.tables)
    looked = look(knowledge, sheet)
    rows = summarise(sheet, looked)
    shown = io.StringIO()
    told = summary_document(rows, not_looked_for(sheet, looked))
    document = {"ok": not any(row.is_wrong for row in rows), "summary": told, "findings": [], "import": None, "looked_at": []}
    show(document, verbose=False, timings=False, stream=shown)
    return {row.part: row for row in rows}, shown.getvalue()


def test_every_check_up_has_its_line() -> None:
    knowledge = compiled.load()
    entries = {name for name in knowledge.entries() if any(cause.get("checkup") for cause in knowledge.entry(name)["causes"])}
    assert entries == set(PART_OF_ENTRY), "name the line of each in service/doctor/summary.py"
    assert set(PART_OF_ENTRY.values()) <= set(PARTS)


def test_the_lines_of_a_machine_with_gpus() -> None:
    nvidia = "/env/lib/python3.11/site-packages/nvidia"
    libraries = [f"{nvidia}/{name}/lib/lib{name}.so.12" for name in ("cudart", "cublas", "cudnn")]
    rows, shown = summary(machine(**{"cuda.libraries": libraries, "cuda.missing_libraries": []}))
    assert rows["gpu"].value == "GPU: 2 x NVIDIA A100-SXM4-40GB"
    assert rows["gpu"].details[0] == "GPU 0: 40.0 GiB of memory, 4 MiB used; compute capability 8.0"
    assert rows["driver"].value == "NVIDIA driver 550.54, runs CUDA up to 12.4"
    assert rows["cuda"].value == f"CUDA libraries: CUDA 12.2, cuDNN 8.9.7; 3 found under {nvidia}"
    assert rows["packages"].value == "NumPy 1.26.4, protobuf 4.25.1: both fit TensorFlow 2.15.0"
    assert {row.state for row in rows.values()} == {"ok", "unknown"}
    assert rows["memory"].state == "unknown"
    assert "Nothing wrong was found, but not everything could be looked at." in shown


def test_a_library_that_the_loader_does_not_find_is_not_called_fine() -> None:
    facts = {"cuda.libraries": ["/usr/lib/libcudart.so.12"], "cuda.missing_libraries": ["libcudnn.so.8"]}
    rows, _ = summary(machine(**facts))
    assert rows["cuda"].state == "unknown"
    assert "the loader does not find libcudnn.so.8" in rows["cuda"].value
    rows, _ = summary(machine(**facts, **{"tensorflow.visible_gpus": ["/physical_device:GPU:0", "/physical_device:GPU:1"]}))
    assert rows["cuda"].state == "ok"


@pytest.mark.parametrize(
    ("changes", "part", "state", "said"),
    [
        ({"packages.numpy": "2.1.0"}, "packages", "failure", "NumPy 2.1.0, protobuf 4.25.1: not what TensorFlow 2.15.0 needs"),
        ({"driver.version": "470.82", "driver.cuda_version": "11.4"}, "driver", "warning", "Read: tfhelp explain driver-too-old"),
        ({"gpus": held_gpu(30000.0)}, "gpu", "failure", "python (pid 4711) holds 30000 MiB"),
        ({"gpus": [], "driver.state": "absent", "driver.version": None}, "gpu", "warning", "no driver shows the NVIDIA GPU"),
        ({"host.open_files_limit": 256}, "limits", "failure", "256 open files"),
        ({"tensorflow.visible_gpus": []}, "gpu", "warning", "TensorFlow was imported as a test and lists no GPU"),
    ],
)
def test_what_is_wrong_stands_on_its_line(changes: Json, part: str, state: str, said: str) -> None:
    rows, shown = summary(machine(**changes))
    assert rows[part].state == state
    assert said in shown
    assert shown.rstrip().endswith("All steps of the fixes: tfhelp doctor -v")


def test_a_python_for_which_there_is_no_tensorflow() -> None:
    facts = machine(**{"packages.tensorflow": None, "python.version": "3.4.1"})
    rows, shown = summary(facts | {"_about": {"packages": {"source": "metadata", "state": "ok"}}})
    assert (rows["python"].state, rows["tensorflow"].state) == ("failure", "failure")
    assert "Read: tfhelp explain no-matching-distribution" in shown


def test_no_gpu_is_not_a_fault() -> None:
    facts = machine(**{"gpus": [], "driver.state": "absent", "driver.version": None, "host.nvidia_devices": 0})
    rows, shown = summary(facts)
    assert "[-]  No NVIDIA GPU: training runs on the CPU\n" in shown
    assert {rows[part].state for part in ("gpu", "driver", "cuda")} == {"absent"}
    assert not any(row.is_wrong for row in rows.values())


MACHINE = machine()


@settings(max_examples=12)
@given(
    st.sets(st.sampled_from([(group, name) for group, values in MACHINE.items() if isinstance(values, dict) for name in values]))
)
def test_every_part_of_the_facts_may_be_missing(missing: set[tuple[str, str]]) -> None:
    facts = {
        group: {name: value for name, value in values.items() if (group, name) not in missing}
        if isinstance(values, dict)
        else values
        for group, values in MACHINE.items()
    }
    rows, _ = summary(facts)
    assert list(rows) == list(PARTS)
