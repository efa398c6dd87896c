"""GPU facts: the real pynvml, in a real child, with a small C library that stands in for NVIDIA's."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

from tfhelp.collectors import gpu
from tfhelp.kb.fact_sheet import read_document
from tfhelp.kb.facts import fact_table

SOURCE = pathlib.Path(__file__).parent / "fake_nvml" / "nvml.c"
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the stand-in is built for Linux")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The stand-in, built once; its file is named like NVIDIA's: after the version."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("nvml")
    file = folder / "libnvidia-ml.so.550.90.07"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", file, SOURCE], check=True)
    (folder / "libnvidia-ml.so.1").symlink_to(file.name)
    return folder


@pytest.fixture
def play(library: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    """Collects facts while the stand-in plays a scenario."""

    def collect(scenario: str, budget_seconds: float = 20.0) -> dict:
        monkeypatch.setenv("LD_LIBRARY_PATH", str(library))
        monkeypatch.setenv("FAKE_NVML", scenario)
        document = gpu.collect(budget_seconds)
        read_document(document, fact_table())  # raises an error for a path or a type that the model does not have
        return document

    return collect


def test_no_gpu(play):
    document = play("none")
    assert document["gpus"] == []
    assert document["driver"]["state"] == "ok"
    assert document["driver"]["version"] == "550.54.14"
    assert document["driver"]["cuda_version"] == "12.4"
    assert document["_about"]["driver.version"] == {"source": "nvml", "state": "ok"}


def test_a_busy_gpu_and_its_processes(play):
    document = play("busy")
    (card,) = document["gpus"]
    assert card["name"] == "NVIDIA A100-SXM4-80GB"
    assert card["compute_capability"] == "8.0"
    assert (card["memory_total_mib"], card["memory_used_mib"]) == (81920.0, 71680.0)
    assert card["utilization_percent"] == 97.0
    assert card["compute_mode"] == "exclusive-process"
    assert card["processes"] == [
        {"pid": 4711, "name": "python3", "memory_mib": 70000.0},
        {"pid": 41, "name": "game.exe", "memory_mib": 1024.0},
        {"pid": 5, "name": "game.exe", "memory_mib": None},
    ]


def test_arguments_of_processes_are_not_told(play):
    assert "secret" not in str(play("busy"))


def test_eight_gpus_in_their_order(play):
    cards = play("eight")["gpus"]
    assert [card["memory_used_mib"] for card in cards] == [1024.0 * index for index in range(8)]
    assert all(card["processes"] == [] for card in cards)


def test_mig_mode(play):
    (card,) = play("mig")["gpus"]
    assert card["mig_mode"] is True
    assert card["utilization_percent"] is None


def test_ecc_errors_are_the_uncorrected_volatile_ones(play):
    assert play("ecc")["gpus"][0]["ecc_uncorrected"] == 12


def test_throttle_reasons(play):
    (card,) = play("throttled")["gpus"]
    assert card["throttle_reasons"] == ["hardware slowdown", "hardware thermal slowdown"]
    assert card["temperature_celsius"] == 92.0


def test_an_old_driver_that_knows_less(play):
    document = play("old")
    (card,) = document["gpus"]
    assert document["driver"]["cuda_version"] == "11.0"
    assert card["processes"] == [{"pid": 77, "name": "game.exe", "memory_mib": 2048.0}]
    assert card["ecc_uncorrected"] is None
    assert card["mig_mode"] is None
    assert card["memory_used_mib"] == 614.0  # its only answer counts what the driver keeps for itself


def test_a_lost_gpu_keeps_its_place(play):
    document = play("lost")
    assert document["driver"]["state"] == "gpu-lost"
    assert document["gpus"][0]["name"] == "NVIDIA A100-SXM4-80GB"
    assert document["gpus"][1] == {}


def test_a_name_that_is_not_utf_8_affects_only_that_fact(play):
    document = play("not-utf-8")
    assert document["gpus"][0]["name"] is None
    assert document["gpus"][0]["memory_total_mib"] == 81920.0
    assert document["gpus"][1]["name"] == "NVIDIA A100-SXM4-80GB"
    assert document["_about"]["gpus"]["source"] == "nvml; not readable: name of GPU 0 (UnicodeDecodeError)"


@pytest.mark.parametrize(("scenario", "state"), [("mismatch", "mismatch"), ("no-permission", "not-permitted")])
def test_a_driver_that_refuses(play, scenario, state):
    document = play(scenario)
    assert document["driver"]["state"] == state
    assert "gpus" not in document
    assert document["_about"]["gpus"]["state"] == "not-readable"


def test_a_driver_that_is_not_loaded_shows_no_gpu(play):
    document = play("not-loaded")
    assert document["driver"]["state"] == "absent"
    assert document["gpus"] == []


def test_an_error_that_has_no_word_is_told_by_number(play):
    document = play("unknown")
    assert "state" not in document["driver"]
    assert document["_about"]["driver.state"] == {"source": "NVML error 999 at init", "state": "not-readable"}


def test_a_library_that_crashes(play):
    document = play("crash")
    assert document["_about"]["driver.state"] == {"source": "probe: SIGABRT", "state": "not-readable"}


def test_a_call_that_never_returns_costs_its_budget(play):
    document = play("hang", budget_seconds=1.0)
    assert document["driver"]["state"] == "timed-out"
    assert document["_about"]["gpus"]["state"] == "timed-out"


def test_what_was_said_before_a_hang_counts(play):
    document = play("hang-at-gpu", budget_seconds=8.0)
    assert document["driver"]["state"] == "timed-out"
    assert [card["name"] for card in document["gpus"]] == ["NVIDIA A100-SXM4-80GB"]
    assert document["_about"]["gpus"]["state"] == "timed-out"


def test_a_hanging_child_is_gone_afterwards(play, monkeypatch):
    monkeypatch.setenv("TFHELP_TEST_MARK", mark := f"hang-{os.getpid()}-{time.monotonic_ns()}")
    play("hang", budget_seconds=0.5)
    left = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            left += [folder.name] if mark.encode() in (folder / "environ").read_bytes() else []
        except OSError:
            continue
    assert left in ([], [str(os.getpid())])


def test_library_version_where_it_differs_from_the_kernel_module(play):
    assert play("none")["driver"]["library_version"] == "550.90.07"


def test_without_a_library_no_process_is_started(monkeypatch):
    monkeypatch.setattr(gpu, "find_library", lambda: "")
    monkeypatch.setattr(gpu, "run_child", lambda *_: pytest.fail("a child was started"))
    document = gpu.collect()
    assert document["driver"]["state"] == "absent"
    assert document["driver"]["version"] is None
    assert document["gpus"] == []


def test_the_library_is_found_where_the_loader_looks_first(library, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/nowhere:{library}")
    assert gpu.find_library() == f"{library}/libnvidia-ml.so.1"


def test_every_fact_is_declared(play):
    table = fact_table()
    assert set(gpu.FACTS) <= set(table)
    for scenario in ("busy", "mismatch", "none"):
        document = play(scenario)
        document.pop("_about")
        cards = document.pop("gpus", [])
        paths = {f"{group}.{name}" for group, members in document.items() for name in members}
        paths |= {f"gpus[].{name}" for card in cards for name in card}
        paths |= {f"gpus[].processes[].{name}" for card in cards for process in card["processes"] for name in process}
        assert paths <= set(gpu.FACTS)


def test_what_the_kernel_shows_without_a_library(tmp_path):
    def write(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    write(
        "proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.14  Release Build  (dvs-builder@U16)  Thu Feb 22\n",
    )
    for number, (vendor, kind) in enumerate([("0x10de", "0x030200"), ("0x10de", "0x040300"), ("0x8086", "0x030000")]):
        write(f"sys/bus/pci/devices/0000:0{number}:00.0/vendor", vendor + "\n")
        write(f"sys/bus/pci/devices/0000:0{number}:00.0/class", kind + "\n")
    (tmp_path / "sys/module/nouveau").mkdir(parents=True)
    write(
        "dev/kmsg",
        "4,1,100,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n"
        " SUBSYSTEM=pci\n"
        "4,2,101,-;NVRM: Xid (0000:03:00): 31, Ch 00000003\n"
        "3,3,102,-;Out of memory: Killed process 41 (java) total-vm:9kB\n"
        "3,4,103,-;Memory cgroup out of memory: Killed process 4711 (python3) total-vm:9kB, anon-rss:8kB\n",
    )
    sheet = gpu.FactSheet()
    gpu._put_kernel(sheet, str(tmp_path))
    assert sheet.values == {
        "driver.version": "550.54.14",
        "driver.nouveau": True,
        "host.nvidia_devices": 1,
        "driver.xid": [79, 31],
        "host.oom_killed": "python3 (pid 4711)",
    }


def test_a_kernel_log_that_is_not_ours_to_read(tmp_path):
    sheet = gpu.FactSheet()
    gpu._put_kernel(sheet, str(tmp_path))
    assert "driver.xid" not in sheet.values
    assert sheet.about["driver.xid"]["state"] == "not-readable"
