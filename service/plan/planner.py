"""Which TensorFlow works on a machine, how to install it, and if none does, what would have to change."""

import typing

from tfhelp.kb import choice, compatibility, versions
from tfhelp.kb.choice import Machine, Obstacle
from tfhelp.kb.derived import derive, read
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.tables import Row, Tables
from tfhelp.service.plan import notes as remarks

Json = dict[str, typing.Any]

ENVIRONMENT = "tensorflow-env"
_OLDER_SHOWN = 5


class Plan:
    """A recommendation for one machine.

    Attributes:
        machine: the machine of the request.
        answer: ``gpu`` (TensorFlow with the GPU), ``cpu`` (TensorFlow on the CPU; if a GPU was requested, no release fits),
            ``none`` (no stable release fits).
        release: the release's row of the table, or ``None``.
        commands: shell lines that create an environment and install, in order.
        needs: what the release needs: ``python``, ``driver``, ``cuda``, ``cudnn``, ``numpy``, ``protobuf``, ``keras``.
        reasons: why the newest stable release does not fit.
        changes: what would give a newer release, or make the GPU usable: ``change``, ``tensorflow``, ``commands``.
        notes: what to know about the recommended release on this machine.
        others: older releases that fit as well, newest first.
    """

    __slots__ = ("answer", "changes", "commands", "machine", "needs", "notes", "others", "reasons", "release")

    def __init__(self, machine: Machine, answer: str, release: Row | None) -> None:
        self.machine = machine
        self.answer = answer
        self.release = release
        self.commands: list[str] = []
        self.needs: dict[str, str] = {}
        self.reasons: list[str] = []
        self.changes: list[Json] = []
        self.notes: list[str] = []
        self.others: list[str] = []

    def document(self) -> Json:
        """The plan as a JSON document."""
        machine = {name: value for name in Machine.__slots__ if (value := getattr(self.machine, name)) is not None}
        return {
            "machine": machine,
            "answer": self.answer,
            "tensorflow": self.release["version"] if self.release else None,
            "commands": self.commands,
            "needs": self.needs,
            "reasons": self.reasons,
            "changes": self.changes,
            "notes": self.notes,
            "others": self.others,
        }


def machine_of(sheet: FactSheet, tables: Tables) -> Machine | None:
    """The machine that facts describe; ``None`` if they do not include the operating system."""
    derive(sheet, tables)
    return read.machine(sheet)


def plan(machine: Machine, tables: Tables) -> Plan:
    """Choose a release for a machine.

    Args:
        machine: its known properties; an unknown one excludes nothing and becomes a requirement.
        tables: the compatibility tables.
    """
    fitting = list(choice.choices(tables, machine))
    used = machine
    if not fitting and machine.gpu:
        used = machine.but(gpu=False)
        fitting = list(choice.choices(tables, used))
    result = Plan(machine, ("gpu" if used.gpu else "cpu") if fitting else "none", fitting[0] if fitting else None)
    if used is machine:  # releases that only run on the CPU do not answer a question about a GPU
        result.others = [release["version"] for release in fitting[1 : 1 + _OLDER_SHOWN]]
    if fitting:
        result.commands = commands(tables, fitting[0], used)
        result.needs = needs(tables, fitting[0], used)
        result.notes = remarks.notes(tables, fitting[0], used)
    result.notes += remarks.notes_of_machine(tables, machine)
    newest = tables.release(tables.table("tensorflow")["newest"]["stable"])
    if newest and (not fitting or used is not machine or fitting[0]["version"] != newest["version"]):
        result.reasons = remarks.reasons(tables, machine, newest, choice.obstacles(tables, newest, machine))
    result.changes = _changes(tables, machine, result)
    return result


def commands(tables: Tables, release: Row, machine: Machine) -> list[str]:
    """Shell lines for a release on a machine: an environment, pip, TensorFlow, a check that it works."""
    platform = machine.platform() or ""
    minor = python_for(release, machine, platform)
    check = "import tensorflow as tf; print(tf.__version__, tf.config.list_physical_devices('GPU'))"
    install = compatibility.install_command(
        tables, release, platform, gpu=machine.gpu, compute_capability=machine.compute_capability, python=minor
    )
    cuda = release.get("windows_gpu") if platform == "windows" and machine.gpu else None
    if cuda and "cuda" in cuda:
        start = [f"conda create -n {ENVIRONMENT} python={minor}", f"conda activate {ENVIRONMENT}"]
        start.append(f"conda install -c conda-forge cudatoolkit={cuda['cuda']} cudnn={cuda['cudnn']}")
    elif platform == "windows":
        start = [f"py -{minor} -m venv {ENVIRONMENT}", f"{ENVIRONMENT}\\Scripts\\activate"]
    else:
        module = "virtualenv" if minor.startswith("2.") else "venv"
        start = [f"python{minor} -m {module} {ENVIRONMENT}", f". {ENVIRONMENT}/bin/activate"]
    return [*start, "python -m pip install --upgrade pip", install, f'python -c "{check}"']


def python_for(release: Row, machine: Machine, platform: str) -> str:
    """The Python minor version to use: the machine's, else the newest with a wheel, and with ``[and-cuda]`` for a GPU."""
    known = compatibility.pythons(release, platform)
    served = [minor for minor in known if machine.gpu and compatibility.extra_works(release, minor)]
    return versions.minor_release(machine.python) or (served or known)[-1]


def needs(tables: Tables, release: Row, machine: Machine) -> dict[str, str]:
    """What a release needs from the machine and from other packages."""
    platform = machine.platform() or ""
    pythons = compatibility.pythons(release, platform)
    minor = python_for(release, machine, platform)
    wanted: dict[str, str | None] = {"python": pythons[0] if len(pythons) == 1 else f"{pythons[0]} to {pythons[-1]}"}
    if machine.gpu:
        windows = release.get("windows_gpu") or {} if platform == "windows" else {}
        wanted["driver"] = compatibility.driver_needed(tables, release, machine.system, machine.compute_capability)
        wanted["cuda"] = windows.get("cuda") or compatibility.cuda_of(release)
        wanted["cudnn"] = windows.get("cudnn") or compatibility.cudnn_of(release)
    for package in ("numpy", "protobuf", "keras"):
        wanted[package] = compatibility.requirement(tables, release, package, minor)
    return {name: value for name, value in wanted.items() if value}


def _changes(tables: Tables, machine: Machine, found: Plan) -> list[Json]:
    """The single changes (or else Python and driver together) that would give a newer release than was found."""
    now = versions.parse(found.release["version"]) if found.release and (found.answer == "gpu" or not machine.gpu) else None
    dropped = compatibility.driver_dropped(tables, machine.driver, machine.compute_capability)
    single: list[tuple[tuple[Obstacle, ...], Machine]] = [
        (("python",), machine.but(python=None)),
        (("driver-too-new" if dropped else "driver",), machine.but(driver=None)),
        (("c-library",), machine.but(glibc=None)),
    ]
    if machine.gpu and machine.system == "windows":
        single.append((("no-gpu-code",), machine.but(system="wsl", driver=None)))
        single.append((("no-gpu-code", "python"), machine.but(system="wsl", driver=None, python=None)))
    both: tuple[tuple[Obstacle, ...], Machine] = (
        ("python", "driver-too-new" if dropped else "driver"),
        machine.but(python=None, driver=None),
    )
    results: list[Json] = []
    for kinds, other in [*single, both]:
        release = next(choice.choices(tables, other), None)
        version = versions.parse(release["version"]) if release else None
        best = max([now, *(versions.parse(one["tensorflow"]) for one in results)], key=lambda one: one or ((), 0, 0))
        enough = best if len(kinds) > 1 else now
        if release and version and (enough is None or version > enough):
            says = remarks.change(tables, kinds, release, other)
            results.append({"change": says, "tensorflow": release["version"], "commands": commands(tables, release, other)})
    return results
