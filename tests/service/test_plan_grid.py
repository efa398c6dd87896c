"""No plan contradicts the tables: every compute capability, every driver branch and every Python, looked up a second time.

The look-ups here are written independently, from the rows of the tables, so that a fault of ``kb/compatibility.py`` is not
repeated.
"""

import functools
import itertools
import typing

import pytest

from tfhelp.kb import compat_tables, versions
from tfhelp.kb.choice import Machine
from tfhelp.service.plan.planner import Plan, plan

TABLES = compat_tables.tables()
CUDA = TABLES.table("cuda")
CAPABILITIES = sorted(CUDA["compute_capabilities"], key=versions.parse)
# One branch of each CUDA release, and the last of each architecture.
BRANCHES = sorted(
    {int(row["linux"].partition(".")[0]) for row in CUDA["drivers"].values() if "linux" in row}
    | {*CUDA["driver_last_branch"].values(), *CUDA["driver_first_branch"].values()}
)
PYTHONS = [f"3.{minor}" for minor in range(8, 15)]
Json = dict[str, typing.Any]


def number(text: str) -> tuple[int, int]:
    """A compute capability or a CUDA version: major and minor."""
    major, _, minor = text.partition(".")
    return int(major), int(minor.partition(".")[0] or 0)


@functools.cache
def releases() -> list[Json]:
    """Every stable release as one row, newest first."""
    return [TABLES.release(version) or {} for version in TABLES.release_versions()]


def last_branch(capability: str) -> int | None:
    """The last driver branch that supports a GPU, by the first word of its architecture."""
    word = CUDA["compute_capabilities"][capability]["architecture"].split()[0]
    found: int | None = CUDA["driver_last_branch"].get(word)
    return found


@functools.cache
def code_fits(version: str, capability: str) -> str:
    """How the wheel supports a GPU: ``machine``, ``ptx``, or empty if it does not."""
    release, gpu = TABLES.release(version) or {}, number(capability)
    code = release.get("gpu_code")
    if not code or gpu < number(code["minimum"]):
        return ""
    last_cuda = CUDA["compute_capabilities"][capability].get("last_cuda")
    cuda = release["cuda"].get("tested") or release["cuda"]["built_with"]
    if last_cuda and number(cuda) > number(last_cuda):
        return ""
    if any(number(own)[0] == gpu[0] and number(own) <= gpu for own in code["machine_code"]):
        return "machine"
    target = release.get("generated_kernels", {}).get("target", "")
    exact = target.endswith("a") and target != f"sm_{gpu[0]}{gpu[1]}a"  # such PTX runs on one compute capability only
    if exact or not any(number(own) <= gpu for own in code["ptx"]):
        return ""
    # pip takes the newest CUDA 12 unless the release pins one; cuBLAS and cuDNN need code for the GPU in any case.
    pins = release.get("and_cuda") or {}
    pinned = any(pin.startswith("==") for name, pin in pins.items() if name.startswith("nvidia-cuda-runtime"))
    same = [one for row in CUDA["compilers"] for one in row["cuda"] if one == cuda or (not pinned and serves(one, cuda))]
    newest = max(number(target) for row in CUDA["compilers"] if set(row["cuda"]) & set(same) for target in row["targets"])
    return "ptx" if gpu[0] <= newest[0] else ""


def serves(found: str, wanted: str) -> bool:
    """Whether the libraries of a CUDA release have the file names of another."""
    rows = [row["cuda"] for row in CUDA["libraries"] if versions.satisfies(wanted, row["cuda"])]
    return any(versions.satisfies(found, row) for row in rows)


def drives(release: Json, capability: str, branch: int) -> bool:
    """Whether the newest driver of a branch supports the GPU and runs the release, on Linux."""
    last = last_branch(capability)
    # What is not in the table is newer than what is: a driver that supports it supports the older one too.
    first = [at for known, at in sorted(CUDA["driver_first_branch"].items(), key=lambda row: number(row[0]))]
    first = first[: sum(number(known) <= number(capability) for known in CUDA["driver_first_branch"])]
    wanted = [int(release["min_driver_linux"].partition(".")[0]), *first[-1:]]
    if code_fits(release["version"], capability) == "ptx":
        wanted.append(release["gpu_code"]["jit_driver_branch"])
    return branch >= max(wanted) and (last is None or branch <= last)


def serves_python(release: Json, python: str) -> bool:
    """Whether the release has a wheel for Linux x86_64 and this Python."""
    row = release["platforms"].get("linux_x86_64")
    return bool(row) and python in row.get("python", release["python"])


def expected(capability: str, branch: int, python: str) -> str | None:
    """The newest release that the rows of the tables allow on Linux with the GPU."""
    for release in releases():
        if code_fits(release["version"], capability) and serves_python(release, python) and drives(release, capability, branch):
            return str(release["version"])
    return None


@pytest.mark.slow
@pytest.mark.parametrize("capability", CAPABILITIES)
def test_every_plan_for_linux_is_what_the_rows_say(capability: str) -> None:
    wrong = []
    for branch, python in itertools.product(BRANCHES, PYTHONS):
        machine = Machine("linux", python=python, gpu=True, compute_capability=capability, driver=str(branch))
        found = plan(machine, TABLES)
        recommended = found.release["version"] if found.release and found.answer == "gpu" else None
        if recommended != expected(capability, branch, python):
            wrong.append((branch, python, recommended, expected(capability, branch, python)))
        wrong += [(branch, python, fault) for fault in faults(found, capability, python)]
    assert wrong == []


def faults(found: Plan, capability: str, python: str) -> list[str]:
    """What the text of a plan omits or gets wrong."""
    if not found.release or found.answer != "gpu":
        return [] if found.reasons else ["no reason is given"]
    install = " ".join(found.commands)
    said = []
    cudnn = found.release.get("and_cuda", {}).get("nvidia-cudnn-cu12", "==")
    if number(capability) < (7, 5) and not cudnn.startswith("==") and "nvidia-cudnn-cu12<9.11" not in install:
        said.append("cuDNN is not kept below 9.11")
    if f"python{python} " not in install:
        said.append("the commands use another Python")
    if number(capability) >= (10, 0) and "jit_compile=False" not in " ".join(found.notes):
        said.append("nothing is said of XLA")
    if "[and-cuda]" in install and "and_cuda" not in found.release:
        said.append("the release has no extra and-cuda")
    return said


@pytest.mark.parametrize("python", PYTHONS)
def test_native_windows_gets_a_gpu_up_to_2_10_only(python: str) -> None:
    for capability, branch in itertools.product(CAPABILITIES, BRANCHES):
        machine = Machine("windows", python=python, gpu=True, compute_capability=capability, driver=str(branch))
        found = plan(machine, TABLES)
        if found.release and found.answer == "gpu":
            assert number(found.release["version"]) <= (2, 10)
            assert python in found.release["platforms"]["windows"].get("python", found.release["python"])
            last = last_branch(capability)
            assert last is None or branch <= last
            assert any("cudatoolkit=" in line for line in found.commands)
        assert not any("[and-cuda]" in line for line in found.commands)


def test_an_older_release_is_offered_only_if_it_fits_as_well() -> None:
    for capability, branch in itertools.product(CAPABILITIES, BRANCHES[::3]):
        machine = Machine("linux", python="3.10", gpu=True, compute_capability=capability, driver=str(branch))
        for version in plan(machine, TABLES).others:
            release = TABLES.release(version) or {}
            assert code_fits(version, capability) and drives(release, capability, branch), (capability, branch, version)
