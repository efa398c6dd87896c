"""``tfhelp plan``: the release, the commands and the changes for many machines."""

import io
import itertools
import json
import re
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfhelp.kb import choice, compat_tables, versions
from tfhelp.kb.choice import Machine
from tfhelp.kb.fact_sheet import read_document
from tfhelp.kb.facts import fact_table
from tfhelp.service.doors.cli.commands import plan as command
from tfhelp.service.errors import InputError
from tfhelp.service.plan.machines import Description, described_machine
from tfhelp.service.plan.planner import machine_of, plan

TABLES = compat_tables.tables()
Json = dict[str, typing.Any]


def document(system: str, **about: typing.Any) -> Json:
    return plan(Machine(system, **about), TABLES).document()


def gpu(capability: str, **about: typing.Any) -> Json:
    return {"gpu": True, "compute_capability": capability, **about}


@pytest.mark.parametrize(
    ("system", "about", "answer", "tensorflow", "install"),
    [
        ("linux", gpu("8.6", python="3.12", driver="560"), "gpu", "2.21.0", '"tensorflow[and-cuda]==2.21.0"'),
        ("linux", gpu("12.0", python="3.12", driver="580"), "gpu", "2.21.0", '"tensorflow[and-cuda]==2.21.0"'),
        ("linux", gpu("12.0", python="3.12", driver="560"), "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("linux", gpu("12.0", python="3.9", driver="580"), "cpu", "2.20.0", '"tensorflow==2.20.0"'),
        (
            "linux",
            gpu("7.0", python="3.12", driver="535"),
            "gpu",
            "2.21.0",
            '"tensorflow[and-cuda]==2.21.0" "nvidia-cudnn-cu12<9.11"',
        ),
        ("linux", gpu("5.2", python="3.12", driver="535"), "gpu", "2.16.2", '"tensorflow[and-cuda]==2.16.2"'),
        ("linux", gpu("3.7", python="3.10", driver="470"), "gpu", "2.14.1", '"tensorflow[and-cuda]==2.14.1"'),
        ("linux", gpu("3.7", python="3.12", driver="470"), "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("linux", gpu("7.5", python="3.10", driver="450.80.02"), "gpu", "2.14.1", '"tensorflow[and-cuda]==2.14.1"'),
        ("linux", gpu("7.5", python="3.7", driver="418.87"), "gpu", "2.3.4", '"tensorflow==2.3.4" "protobuf<3.21"'),
        ("linux", gpu("9.0", python="3.12", driver="535"), "gpu", "2.16.2", '"tensorflow[and-cuda]==2.16.2"'),
        ("linux", gpu("8.9", python="3.14", driver="580"), "none", None, None),
        ("linux", {"python": "3.14"}, "none", None, None),
        ("linux", {"python": "3.13"}, "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("linux", {"python": "3.10", "glibc": "2.17"}, "cpu", "2.20.0", '"tensorflow==2.20.0"'),
        ("linux", gpu("8.7", python="3.10", architecture="aarch64"), "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("linux", {"python": "3.10", "architecture": "ppc64le"}, "none", None, None),
        ("windows", gpu("8.6", python="3.11", driver="560"), "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("windows", gpu("8.6", python="3.10", driver="560"), "gpu", "2.10.1", '"tensorflow==2.10.1" "numpy<2"'),
        ("windows", gpu("12.0", python="3.10", driver="580"), "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("wsl", gpu("8.6", python="3.11", driver="560"), "gpu", "2.21.0", '"tensorflow[and-cuda]==2.21.0"'),
        ("macos", {"python": "3.12", "architecture": "arm64"}, "cpu", "2.21.0", '"tensorflow==2.21.0"'),
        ("macos", {"python": "3.12", "architecture": "x86_64"}, "cpu", "2.16.2", '"tensorflow==2.16.2"'),
        ("macos", {"python": "3.13", "architecture": "x86_64"}, "none", None, None),
    ],
)
def test_machines(system: str, about: Json, answer: str, tensorflow: str | None, install: str | None) -> None:
    found = document(system, **about)
    assert (found["answer"], found["tensorflow"]) == (answer, tensorflow)
    lines = [line for line in found["commands"] if line.startswith("python -m pip install ") and "--upgrade" not in line]
    assert lines == ([f"python -m pip install {install}"] if install else [])


@pytest.mark.parametrize(
    ("system", "about", "says", "tensorflow"),
    [
        ("linux", {"python": "3.14"}, "Use Python 3.13", "2.21.0"),
        ("linux", gpu("12.0", python="3.12", driver="560"), "Install NVIDIA driver 570 or later", "2.21.0"),
        (
            "linux",
            gpu("12.0", python="3.9", driver="560"),
            "Use Python 3.13 (or 3.12, 3.11, 3.10) and install NVIDIA driver 570",
            "2.21.0",
        ),
        ("linux", gpu("3.7", python="3.12", driver="470"), "Use Python 3.10 (or 3.9)", "2.14.1"),
        ("linux", gpu("7.5", python="3.13", driver="450.80.02"), "Install NVIDIA driver 525.60.13 or later", "2.21.0"),
        ("windows", gpu("8.6", python="3.11", driver="560"), "Use WSL2 instead of native Windows", "2.21.0"),
        ("windows", gpu("8.6", python="3.11", driver="560"), "Use Python 3.10", "2.10.1"),
        ("windows", gpu("8.6", python="3.14"), "Use WSL2 instead of native Windows", "2.21.0"),
        ("linux", {"python": "3.10", "glibc": "2.17"}, "Use a system with glibc 2.27", "2.21.0"),
    ],
)
def test_what_would_have_to_change(system: str, about: Json, says: str, tensorflow: str) -> None:
    changes = document(system, **about)["changes"]
    assert any(change["change"].startswith(says) and change["tensorflow"] == tensorflow for change in changes), changes


def test_a_perfect_machine_needs_no_reasons_and_no_changes() -> None:
    found = document("linux", **gpu("8.6", python="3.12", driver="560"))
    assert found["reasons"] == []
    assert found["changes"] == []


def test_reasons_name_what_the_machine_has_and_what_is_needed() -> None:
    found = document("linux", **gpu("3.7", python="3.14", driver="470"))
    text = " ".join(found["reasons"])
    assert "3.14" in text
    assert "3.10, 3.11, 3.12, 3.13" in text
    assert "compute capability 6.0 on; this GPU has 3.7" in text


def test_notes_say_what_is_special() -> None:
    blackwell = " ".join(document("linux", **gpu("12.0", python="3.12", driver="580"))["notes"])
    assert "first use" in blackwell
    assert "not tried" in blackwell
    kepler = " ".join(document("linux", **gpu("3.7", python="3.11", driver="535"))["notes"])
    assert "last driver branch that supports this GPU is 470" in kepler
    assert "535 is later" in kepler
    old = " ".join(document("windows", **gpu("7.5", python="3.10", driver="560"))["notes"])
    assert "pip does not install CUDA and cuDNN" in old
    assert "must be 528.33 or later" in " ".join(document("wsl", **gpu("8.6", python="3.12"))["notes"])


def test_a_bare_branch_means_the_newest_driver_of_that_branch() -> None:
    assert document("linux", **gpu("8.9", python="3.12", driver="525"))["tensorflow"] != "2.14.1"
    assert document("linux", **gpu("7.5", python="3.10", driver="450"))["tensorflow"] == "2.14.1"
    found = document("linux", **gpu("8.9", python="3.12", driver="525"))
    assert found["answer"] == "gpu"
    assert "Within branch 525, the driver must be 525.60.13 or later." in found["notes"]
    assert document("linux", **gpu("8.9", python="3.10", driver="525.53"))["tensorflow"] == "2.14.1"


@pytest.mark.parametrize(("capability", "written", "needed"), [("12.0", "8.5", "8.7"), ("10.0", "8.5", "8.6")])
def test_a_blackwell_gpu_gets_the_warning_about_xla(capability: str, written: str, needed: str) -> None:
    notes = " ".join(document("linux", **gpu(capability, python="3.12", driver="590"))["notes"])
    assert f"XLA writes PTX {written} in this release, and this GPU needs {needed}" in notes
    assert "jit_compile=False" in notes
    assert "XLA writes" not in " ".join(document("linux", **gpu("8.9", python="3.12", driver="590"))["notes"])


def test_a_driver_that_dropped_the_gpu_does_not_drive_it() -> None:
    found = document("linux", **gpu("6.0", python="3.12", driver="590"))
    assert found["answer"] == "cpu"
    assert "The driver 590 no longer supports this GPU; 580 is the last branch that does." in found["reasons"]
    assert [change["change"] for change in found["changes"]] == [
        "Install NVIDIA driver branch 580, the last one that supports this GPU"
    ]
    assert document("linux", **gpu("6.0", python="3.12", driver="580"))["answer"] == "gpu"


def test_a_driver_older_than_the_gpu_is_refused() -> None:
    assert document("linux", **gpu("10.3", python="3.12", driver="570"))["answer"] == "cpu"
    assert document("linux", **gpu("10.3", python="3.12", driver="580"))["answer"] == "gpu"


def test_a_mac_is_told_how_to_use_its_gpu() -> None:
    notes = " ".join(document("macos", architecture="arm64", python="3.12")["notes"])
    assert "'tensorflow<2.19' tensorflow-metal" in notes


def test_the_last_release_for_native_windows_comes_with_its_cuda() -> None:
    commands = document("windows", **gpu("8.6", python="3.10", driver="560"))["commands"]
    assert "conda install -c conda-forge cudatoolkit=11.2 cudnn=8.1" in commands
    assert not any("cudatoolkit" in line for line in document("windows", python="3.10")["commands"])


def test_releases_for_the_processor_are_no_answer_to_a_question_about_a_gpu() -> None:
    assert document("linux", **gpu("3.7", python="3.12", driver="470"))["others"] == []
    assert document("linux", **gpu("8.6", python="3.12", driver="560"))["others"]


def test_what_the_release_wants() -> None:
    needs = document("windows", **gpu("7.5", python="3.10", driver="560"))["needs"]
    assert needs["cuda"] == "11.2"
    assert needs["cudnn"] == "8.1"
    assert needs["driver"] == "452.39"
    assert needs["python"] == "3.7 to 3.10"
    assert "driver" not in document("linux", python="3.12")["needs"]


def test_commands_name_the_python_of_the_machine_or_the_newest_that_has_wheels() -> None:
    assert document("linux", python="3.11.4")["commands"][0].startswith("python3.11 -m venv ")
    assert document("linux")["commands"][0].startswith("python3.13 -m venv ")
    assert document("windows", python="3.12")["commands"][0].startswith("py -3.12 -m venv ")


MACHINES = st.builds(
    Machine,
    st.sampled_from(["linux", "windows", "wsl", "macos"]),
    architecture=st.sampled_from([None, "x86_64", "aarch64", "arm64", "AMD64", "riscv64"]),
    python=st.none() | st.builds(lambda minor: f"3.{minor}", st.integers(5, 16)) | st.just("2.7.18"),
    gpu=st.booleans(),
    compute_capability=st.sampled_from([None, *sorted(TABLES.table("cuda")["compute_capabilities"]), "99.0", "n/a"]),
    driver=st.none() | st.builds(str, st.integers(300, 700)) | st.just("n/a"),
    glibc=st.sampled_from([None, "2.5", "2.17", "2.35"]),
)


@settings(max_examples=150, deadline=None)
@given(MACHINES)
def test_every_plan_holds_what_it_promises(machine: Machine) -> None:
    found = plan(machine, TABLES)
    newest = versions.parse(TABLES.release_versions()[0])
    if found.release:
        used = machine if found.answer == "gpu" else machine.but(gpu=False)
        assert choice.obstacles(TABLES, found.release, used) == []
        assert found.commands
        assert versions.parse(found.release["version"]) == newest or found.reasons or found.answer == "cpu"
    else:
        assert found.reasons
    if machine.gpu and found.answer != "gpu":
        assert found.reasons
    for change in found.changes:
        assert f"=={change['tensorflow']}" in " ".join(change["commands"])
        if found.release and found.answer == "gpu":
            assert versions.parse(change["tensorflow"]) > versions.parse(found.release["version"])  # type: ignore[operator]
    json.dumps(found.document())
    stream = io.StringIO()
    command.show(found.document(), stream)
    assert "None" not in stream.getvalue()


def test_newest_release_wins_whatever_else_fits() -> None:
    for python, driver in itertools.product(("3.8", "3.10", "3.12"), ("450.80.02", "470", "525.60.13", "580")):
        machine = Machine("linux", python=python, gpu=True, compute_capability="7.5", driver=driver)
        fitting = [versions.parse(release["version"]) for release in choice.choices(TABLES, machine)]
        assert fitting == sorted(fitting, key=lambda one: one or ((), 0, 0), reverse=True)


# From facts, and on the command line


def test_the_machine_that_facts_describe() -> None:
    facts = {
        "os": {"name": "linux", "wsl": True, "architecture": "x86_64", "glibc": "2.39"},
        "python": {"version": "3.12.3"},
        "gpus": [{"name": "NVIDIA GeForce RTX 5090"}],
        "driver": {"version": "572.16"},
    }
    machine = machine_of(read_document(facts, fact_table()), TABLES)
    assert machine
    assert (machine.system, machine.python, machine.gpu, machine.compute_capability) == ("wsl", "3.12.3", True, "12.0")
    assert machine_of(read_document({}, fact_table()), TABLES) is None


def described(**properties: str) -> Machine:
    return described_machine(Description(**properties), TABLES, "--{}")


def test_options_describe_a_machine() -> None:
    machine = described(python="3.12", gpu="RTX 5090", driver="560", os="linux")
    assert (machine.python, machine.compute_capability, machine.driver, machine.gpu) == ("3.12", "12.0", "560", True)
    assert described(gpu="none", os="windows").gpu is False
    assert described(gpu="8.6", os="linux").compute_capability == "8.6"
    assert described(driver="535", os="linux").gpu is True
    assert described(gpu="RTX 3060", os="macos").gpu is False


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ({"python": "three"}, "--python: 'three'"),
        ({"driver": "new"}, "--driver: 'new'"),
        ({"gpu": "Voodoo 2"}, "--gpu: no single GPU is known by the name 'Voodoo 2'"),
        ({"gpu": "RTX"}, "for example 8.6"),
    ],
)
def test_bad_options_are_named(properties: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        described(os="linux", **properties)


def test_an_unknown_system_is_named_with_the_option_that_replaces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "freebsd14")
    with pytest.raises(InputError, match=re.escape("(freebsd14); name another one with --os")):
        described(python="3.12")


def test_text_for_a_person_has_every_part() -> None:
    stream = io.StringIO()
    command.show(document("windows", **gpu("8.6", python="3.11", driver="560")), stream)
    text = stream.getvalue()
    assert text.startswith("No TensorFlow release uses the GPU on native Windows, Python 3.11")
    for part in ("has no GPU code for native Windows", 'pip install "tensorflow==2.21.0"', "WSL2"):
        assert part in text


def test_what_a_person_types_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    command.show(document("linux", python="3.12", architecture="x86_64\x1b[31m"), stream)
    assert "\x1b" not in stream.getvalue()


def test_where_pip_cannot_serve_the_extra_its_packages_are_named() -> None:
    found = document("linux", **gpu("3.7", python="3.11", driver="470"))
    install = found["commands"][3]
    assert install.startswith('python -m pip install "tensorflow==2.14.1" ')
    assert '"nvidia-cudnn-cu11==8.7.0.84"' in install
    assert "tensorrt" not in install
    assert any("pip cannot install tensorflow[and-cuda]==2.14.1" in note for note in found["notes"])
    assert document("linux", **gpu("3.7", driver="470"))["commands"][0].startswith("python3.10 ")
