"""Which TensorFlow releases run on a machine, and why the others do not."""

import typing

from tfhelp.kb import compatibility, versions
from tfhelp.kb.tables import Row, Tables

Obstacle = typing.Literal[
    "platform", "python", "no-gpu-code", "gpu-too-old", "gpu-too-new", "driver", "driver-too-new", "c-library"
]


class Machine:
    """The properties of a machine that decide which release runs; ``None`` means unknown and excludes nothing.

    Attributes:
        system: ``linux``, ``windows``, ``wsl`` or ``macos``.
        architecture: as uname prints it, for example ``x86_64`` or ``arm64``.
        python: version of the interpreter.
        gpu: whether training should use an NVIDIA GPU.
        compute_capability: of that GPU.
        driver: version of NVIDIA's driver.
        glibc: version of the C library.
    """

    __slots__ = ("architecture", "compute_capability", "driver", "glibc", "gpu", "python", "system")

    def __init__(
        self,
        system: str,
        *,
        architecture: str | None = None,
        python: str | None = None,
        gpu: bool = False,
        compute_capability: str | None = None,
        driver: str | None = None,
        glibc: str | None = None,
    ) -> None:
        self.system = system
        self.architecture = architecture
        self.python = python
        self.gpu = gpu
        self.compute_capability = compute_capability
        self.driver = driver
        self.glibc = glibc

    def but(self, **changes: typing.Any) -> "Machine":
        """A copy of the machine with some properties changed."""
        values = {name: getattr(self, name) for name in self.__slots__} | changes
        return Machine(values.pop("system"), **values)

    def platform(self) -> str | None:
        """The platform of the release table; ``None`` if no wheel was ever made for it."""
        keys = compatibility.platform_keys("linux" if self.system == "wsl" else self.system, self.architecture)
        return keys[0] if keys else None


def obstacles(tables: Tables, release: Row, machine: Machine) -> list[Obstacle]:
    """The reasons against a release on a machine; an empty list means that it fits, as far as is known."""
    return list(_obstacles(tables, release, machine))


def fits(tables: Tables, release: Row, machine: Machine) -> bool:
    """Return whether a release fits a machine, as far as is known."""
    return next(_obstacles(tables, release, machine), None) is None


def _obstacles(tables: Tables, release: Row, machine: Machine) -> typing.Iterator[Obstacle]:
    """Yield the obstacles, the cheapest to find first."""
    platform = machine.platform()
    if platform is None or not release["platforms"].get(platform):
        yield "platform"
        return
    if machine.python is not None and compatibility.has_wheel(release, machine.python, platform) is False:
        yield "python"
    needed_glibc = glibc_needed(tables, release, platform)
    if needed_glibc and machine.glibc and versions.satisfies(machine.glibc, f">={needed_glibc}") is False:
        yield "c-library"
    if machine.gpu:
        yield from _gpu_obstacles(tables, release, machine, platform)


def _gpu_obstacles(tables: Tables, release: Row, machine: Machine, platform: str) -> typing.Iterator[Obstacle]:
    windows = platform == "windows"
    has_code = bool(release.get("windows_gpu")) if windows else platform == "linux_x86_64" and release.get("gpu_code")
    support = compatibility.gpu_support(tables, release, machine.compute_capability)
    if not has_code:
        yield "no-gpu-code"
    elif support == "too-old":
        yield "gpu-too-old"
    elif support == "too-new":
        yield "gpu-too-new"
    else:
        needed = compatibility.driver_needed(tables, release, machine.system, machine.compute_capability)
        if needed and machine.driver and compatibility.driver_suffices(machine.driver, needed) is False:
            yield "driver"
        if compatibility.driver_dropped(tables, machine.driver, machine.compute_capability):
            yield "driver-too-new"


def glibc_needed(tables: Tables, release: Row, platform: str) -> str | None:
    """The oldest C library that a release's Linux wheel runs with."""
    rows = wheel_tags(tables, release, platform)
    needed: list[str] = [row["glibc"] for row in rows if "glibc" in row]
    return needed[0] if needed else None


def pip_needed(tables: Tables, release: Row, platform: str) -> str | None:
    """The oldest pip that understands the name of a release's wheel."""
    rows = wheel_tags(tables, release, platform)
    needed: list[str] = [row["pip"] for row in rows if "pip" in row]
    return needed[0] if needed else None


def wheel_tags(tables: Tables, release: Row, platform: str) -> list[Row]:
    """The requirements of a wheel's platform tag: ``glibc``, ``macos``, ``pip`` (oldest versions)."""
    row = release["platforms"].get(platform) or {}
    tags = row.get("tag", [])
    known: dict[str, Row] = tables.table("tensorflow")["wheel_tags"]
    return [about for tag in ([tags] if isinstance(tags, str) else tags) for name, about in known.items() if tag.startswith(name)]


def choices(tables: Tables, machine: Machine) -> typing.Iterator[Row]:
    """Yield the stable releases that fit a machine, newest first; most callers only need the first."""
    for version in tables.release_versions():
        release = tables.release(version)
        if release and fits(tables, release, machine):
            yield release
