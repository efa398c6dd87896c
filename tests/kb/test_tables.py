"""Look-ups: releases, GPUs by name, exit codes in all their forms, library files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb import compat_tables
from tfhelp.kb.tables import Tables

TABLES = compat_tables.tables()


def test_a_table_is_loaded_once_and_only_when_it_is_asked_for() -> None:
    compiled = compat_tables.compile_tables()
    asked: list[str] = []

    def load(name: str) -> dict[str, object]:
        asked.append(name)
        return compiled[name]

    tables = Tables(load)
    assert asked == []
    tables.xid(79)
    tables.xid(13)
    assert asked == ["xid"]


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("2.21.0", "2.21.0"),
        ("2.10", "2.10.0"),
        ("v2.4.1", "2.4.1"),
        ("2.15.0.post1", "2.15.0.post1"),
        ("2.15.0", "2.15.0"),
        ("2.16.0rc0", "2.16.1"),
        ("2.17.9", "2.17.1"),
        ("2.99.0", None),
        ("1.14.0", None),
        ("2.13.0+nv23.7", None),
        ("2.18.0-dev20240901", None),
        ("6.5v2", None),
        ("", None),
        ("nightly", None),
    ],
)
def test_release(version: str, release: str | None) -> None:
    found = TABLES.release(version)
    assert (found["version"] if found else None) == release


def test_a_release_lays_its_own_values_over_those_of_its_line() -> None:
    first, second = TABLES.release("2.15.0"), TABLES.release("2.15.1")
    assert first and second
    assert first["and_cuda"]["tensorrt-libs"] == "==8.6.1"
    assert "tensorrt-libs" not in second["and_cuda"]
    assert first["requires"]["ml-dtypes"] == "~=0.2.0"
    assert second["requires"]["ml-dtypes"] == "~=0.3.1"
    assert first["platforms"]["macos_arm64"]["stub_for"] == "tensorflow-macos"
    assert "stub_for" not in second["platforms"]["macos_arm64"]
    assert list(TABLES.release("2.15.0.post1")["platforms"]) == ["linux_x86_64"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("said", "capability"),
    [
        ("NVIDIA GeForce RTX 3060 Laptop GPU", "8.6"),
        ("rtx3090", "8.6"),
        ("RTX 5090", "12.0"),
        ("NVIDIA GeForce RTX 5070 Ti", "12.0"),
        ("Tesla V100-SXM2-16GB", "7.0"),
        ("V100", "7.0"),
        ("A100", "8.0"),
        ("NVIDIA A100-SXM4-40GB", "8.0"),
        ("NVIDIA H100 80GB HBM3", "9.0"),
        ("K80", "3.7"),
        ("GTX 1080ti", "6.1"),
        ("GeForce GTX 1050 Ti with Max-Q Design", "6.1"),
        ("RTX 2080 Super with Max-Q Design", "7.5"),
        ("Quadro RTX 6000", "7.5"),
        ("NVIDIA RTX 6000 Ada Generation", "8.9"),
        ("RTX PRO 6000", "12.0"),
        ("RTX A6000", "8.6"),
        ("GeForce GTX TITAN X", "5.2"),
        ("NVIDIA TITAN X (Pascal)", "6.1"),
        ("TITAN V", "7.0"),
        ("TITAN RTX", "7.5"),
        ("T4", "7.5"),
        ("GRID T4-16Q", "7.5"),
        ("NVIDIA L4", "8.9"),
        ("A10G", "8.6"),
        ("4090", "8.9"),
        ("Jetson Orin Nano", "8.7"),
        ("Jetson Nano", "5.3"),
        ("GT 1030", "6.1"),
        ("NVIDIA GB10", "12.1"),
        ("GeForce RTX 2050", "8.6"),
        ("NVIDIA RTX 3000 Ada Generation Laptop GPU", "8.9"),
        ("NVIDIA RTX PRO 3000 Blackwell Generation Laptop GPU", "12.0"),
        ("Quadro RTX 3000", "7.5"),
        ("RTX 6000D", None),
        ("RTX PRO 8000 Blackwell", None),
        ("RTX 8000 Ada", None),
        ("Quadro P520", "6.1"),
        ("Radeon RX 6800", None),
        ("RTX 9090", None),
        ("RTX", None),
        ("titan", None),
        ("", None),
    ],
)
def test_gpu_by_name(said: str, capability: str | None) -> None:
    found = TABLES.gpu_by_name(said)
    assert (found["compute_capability"] if found else None) == capability


def test_every_gpu_of_the_table_is_found_by_its_own_name() -> None:
    for group in TABLES.table("cuda")["gpus"]:
        for name in group["memory_gib"]:
            for said in (name, name.upper(), f"NVIDIA {name.removeprefix('NVIDIA ')}", name.replace(" ", "-")):
                found = TABLES.gpu_by_name(said)
                assert found and found["compute_capability"] == group["compute_capability"], said


@given(st.text(max_size=300))
def test_no_name_breaks_the_look_up(name: str) -> None:
    found = TABLES.gpu_by_name(name)
    assert found is None or found["name"]


@pytest.mark.parametrize(
    ("code", "name", "signal"),
    [
        (0, "success", None),
        (1, "error", None),
        (137, "SIGKILL", "SIGKILL"),
        (-9, "SIGKILL", "SIGKILL"),
        (139, "SIGSEGV", "SIGSEGV"),
        (-11, "SIGSEGV", "SIGSEGV"),
        (132, "SIGILL", "SIGILL"),
        (143, "SIGTERM", "SIGTERM"),
        (247, "SIGKILL", "SIGKILL"),  # a launcher passes subprocess's -9 to sys.exit
        (245, "SIGSEGV", "SIGSEGV"),
        (3221225477, "STATUS_ACCESS_VIOLATION", "SIGSEGV"),
        (-1073741819, "STATUS_ACCESS_VIOLATION", "SIGSEGV"),
        (0xC0000409, "STATUS_STACK_BUFFER_OVERRUN", "SIGABRT"),
        (-1073740791, "STATUS_STACK_BUFFER_OVERRUN", "SIGABRT"),
        (0x40010004, "DBG_TERMINATE_PROCESS", None),
        (255, "exit -1", None),
    ],
)
def test_exit_code(code: int, name: str, signal: str | None) -> None:
    row = TABLES.exit_code(code)
    assert row and (row["name"], row["signal"]) == (name, signal)
    assert row["meaning"].endswith(".")


def test_signal_numbers_of_macos_differ() -> None:
    assert TABLES.exit_code(138, macos=True)["signal"] == "SIGBUS"  # type: ignore[index]
    assert TABLES.exit_code(138)["signal"] == "SIGUSR1"  # type: ignore[index]
    assert TABLES.exit_code(135, macos=True) is None


@given(st.one_of(st.integers(), st.none(), st.booleans(), st.text(), st.floats()))
def test_any_exit_code_gives_a_row_or_nothing(code: object) -> None:
    row = TABLES.exit_code(code)
    assert row is None or {"name", "meaning", "signal"} <= set(row)


def test_signal_numbers_are_those_of_this_system() -> None:
    import signal
    import sys

    if sys.platform != "linux":
        pytest.skip("the table has the numbers of Linux")
    for name, row in TABLES.table("exit")["signals"].items():
        assert getattr(signal, name) == row["number"]


def test_library_files() -> None:
    assert {row["package"] for row in TABLES.soname("libcudnn.so.8")} == {"nvidia-cudnn-cu11<9", "nvidia-cudnn-cu12<9"}
    assert [row["package"] for row in TABLES.soname("libcudart.so.12")] == ["nvidia-cuda-runtime-cu12"]
    assert TABLES.soname("libm.so.6") == []
    assert TABLES.is_driver_library("libcuda.so.1")
    assert TABLES.library_of_windows("cudart64_110.dll") == "CUDA ==11.0.*"
    assert TABLES.library_of_windows("cudnn64_8.dll") == "cuDNN 8"
    assert TABLES.library_of_windows("kernel32.dll") is None


@pytest.mark.parametrize(
    ("cuda", "system", "driver"),
    [
        ("12.5", "linux", "525.60.13"),
        ("12.5", "windows", "527.41"),
        ("12.5", "wsl", "528.33"),
        ("11.2", "linux", "450.80.02"),
        ("10.1", "linux", "418.39"),
        ("10.1", "windows", "418.96"),
        ("13.0", "wsl", "580.88"),
        ("99.0", "linux", None),
        ("nonsense", "linux", None),
    ],
)
def test_oldest_driver_of_a_cuda(cuda: str, system: str, driver: str | None) -> None:
    assert TABLES.driver_minimum(cuda, system) == driver
