"""The compatibility tables for a running program: look-ups, without YAML and validation.

``Tables`` is created from a function that loads one compiled table by name, so that a table is parsed only when a question
needs it. The tables themselves, with the source of each figure, are the YAML files beside ``tfhelp.kb.compat_tables``.
"""

import typing

from tfhelp.kb import versions

Row = dict[str, typing.Any]
Loader = typing.Callable[[str], Row]
SIGNED_32_BIT = 1 << 32


class Tables:
    """Look-ups over the tables ``tensorflow``, ``cuda``, ``xid`` and ``exit``."""

    __slots__ = ("_library_rows", "_load", "_releases", "_tables", "_versions")

    def __init__(self, load: Loader) -> None:
        """Args: load: returns the compiled table with a given name as a JSON-ready dict."""
        self._load = load
        self._tables: dict[str, Row] = {}
        self._releases: dict[str, Row] = {}
        self._versions: dict[bool, list[str]] = {}
        self._library_rows: dict[str, Row | None] = {}

    def table(self, name: str) -> Row:
        """One whole table, loaded on first use."""
        if name not in self._tables:
            self._tables[name] = self._load(name)
        return self._tables[name]

    # TensorFlow

    def release_versions(self, *, stable_only: bool = True) -> list[str]:
        """Versions of all TensorFlow releases, newest first."""
        if stable_only not in self._versions:
            found = []
            for line in self.table("tensorflow")["lines"]:
                found += [version for version, own in line["releases"].items() if not (stable_only and own.get("prerelease"))]
            self._versions[stable_only] = found[::-1]
        return self._versions[stable_only]

    def release(self, version: object) -> Row | None:
        """The release of a version.

        Args:
            version: as pip names it. A pre-release or patch that is not in the table gets the nearest release of its minor
                version. A third-party build (``2.13.0+nv23.7``) and a nightly get none.

        Returns:
            the release's values with ``version``, or ``None``.
        """
        if not isinstance(version, str):
            return None
        if version in self._releases:
            return self._releases[version]
        found = self._find_release(version)
        if found and found["version"] == version:  # other spellings are not cached: there are endlessly many
            self._releases[version] = found
        return found

    def _find_release(self, version: str) -> Row | None:
        wanted = versions.parse(version)
        if wanted is None or "+" in version or wanted[1] <= -5:
            return None
        name = versions.minor_release(version)
        for line in self.table("tensorflow")["lines"]:
            if line["line"] == name:
                known = list(line["releases"])
                exact = [one for one in known if one == version] or [one for one in known if versions.parse(one) == wanted]
                later = [one for one in known if (versions.parse(one) or wanted) > wanted]
                chosen = (exact or later or known[-1:])[0]
                return {"version": chosen, **_overlay(line["shared"], line["releases"][chosen])}
        return None

    # GPUs, CUDA, drivers

    def gpu_by_name(self, name: object) -> Row | None:
        """A GPU by its name, as the driver, a shop or a user writes it.

        Returns:
            ``name``, ``compute_capability``, ``architecture``, ``memory_gib`` (a number or a list of them), ``from``; or
            ``None`` if no row matches, or rows with different compute capabilities do.
        """
        from tfhelp.kb import gpu_names

        return gpu_names.find(name, self.table("cuda")["gpus"]) if isinstance(name, str) else None

    def compilers(self) -> list[Row]:
        """The targets of each CUDA release: ``cuda`` (list of versions) and ``targets`` (compute capabilities)."""
        rows: list[Row] = self.table("cuda")["compilers"]
        return rows

    def library_row(self, cuda_version: object) -> Row | None:
        """The library file names of a CUDA version."""
        minor = versions.minor_release(cuda_version)
        if minor is None or minor not in self._library_rows:
            rows = self.table("cuda")["libraries"] if minor else []
            found: Row | None = next((row for row in rows if versions.satisfies(minor, row["cuda"])), None)
            if minor is None or found is None:
                return None  # unknown versions are not cached: there are endlessly many
            self._library_rows[minor] = found
        return self._library_rows[minor]

    def soname(self, name: object) -> list[Row]:
        """The pip packages that contain a library file: rows with ``package``, ``cuda`` (major), ``folder``."""
        return [row for row in self.table("cuda")["packages"] if name in row["sonames"]]

    def is_driver_library(self, name: object) -> bool:
        """Return whether a library comes with NVIDIA's driver and not with a package."""
        return name in self.table("cuda")["driver_libraries"]

    def library_of_windows(self, name: object) -> str | None:
        """The CUDA versions (a version range) whose toolkit contains a Windows DLL, or ``cuDNN N``."""
        for row in self.table("cuda")["windows_libraries"]:
            if name in row["files"]:
                return f"CUDA {row['cuda']}"
            if name == row["cudnn"]:
                return f"cuDNN {str(name).partition('_')[2].partition('.')[0]}"
        return None

    def driver_minimum(self, cuda_version: object, platform: str) -> str | None:
        """The oldest driver that runs programs of a CUDA version.

        Args:
            cuda_version: for example ``12.5``.
            platform: ``linux``, ``windows`` or ``wsl`` (the Windows driver).
        """
        major = versions.major(cuda_version)
        minimum: Row = self.table("cuda")["driver_minimum"].get(str(major), {})
        for place in (platform, "windows" if platform == "wsl" else platform):
            if place in minimum:
                return str(minimum[place])
        line = versions.minor_release(cuda_version)
        for name, row in self.table("cuda")["drivers"].items():
            if not minimum and versions.minor_release(name) == line and row.get("windows" if platform == "wsl" else platform):
                return str(row["windows" if platform == "wsl" else platform])
        return None

    def first_driver_branch(self, compute_capability: object) -> int | None:
        """The first driver branch that supports a GPU of this compute capability."""
        wanted = versions.parse(compute_capability)
        if wanted is None:
            return None
        known = [
            (parsed, branch)
            for capability, branch in self.table("cuda")["driver_first_branch"].items()
            if (parsed := versions.parse(capability)) and parsed <= wanted
        ]
        return max(known)[1] if known else None

    def last_driver_branch(self, compute_capability: object) -> int | None:
        """The last driver branch that supports a GPU of this compute capability; ``None`` if support has not ended."""
        row = self.table("cuda")["compute_capabilities"].get(compute_capability) if isinstance(compute_capability, str) else None
        branch = self.table("cuda")["driver_last_branch"].get(row["architecture"].partition(" ")[0]) if row else None
        return int(branch) if branch is not None else None

    # Ends of a process, GPU errors

    def xid(self, code: object) -> Row | None:
        """An Xid code: ``name``, ``meaning``, ``fault``, ``severity``, ``do``, ``healthy_after``, ``looks_like``."""
        found: Row | None = self.table("xid")["xids"].get(str(code))
        return found

    def winerror(self, number: object) -> Row | None:
        """A WinError number: ``name`` and ``meaning``."""
        found: Row | None = self.table("exit")["winerrors"].get(str(number))
        return found

    def signal_of_number(self, number: int, *, macos: bool = False) -> str | None:
        """The name of a signal number on Linux or macOS."""
        table = self.table("exit")
        if macos:
            for name, own in table["macos_numbers"].items():
                if own == number:
                    return str(name)
        for name, row in table["signals"].items():
            if row["number"] == number and not (macos and name in table["macos_numbers"]):
                return str(name)
        return None

    def signal(self, name: object) -> Row | None:
        """A signal by name: ``number`` and ``meaning``."""
        found: Row | None = self.table("exit")["signals"].get(name) if isinstance(name, str) else None
        return found

    def exit_code(self, code: object, *, macos: bool = False) -> Row | None:
        """What an exit code means.

        Args:
            code: an integer in any of its forms: 139, -11 (Python's subprocess), 245 (that -11 passed to sys.exit),
                3221225477 or -1073741819 (Windows).

        Returns:
            ``name``, ``meaning``, ``signal`` (the name of the signal that it stands for, else ``None``), or ``None``
            if the code has no specific meaning.
        """
        if not isinstance(code, int) or isinstance(code, bool):
            return None
        status = self.table("exit")["ntstatus"].get(f"0x{code % SIGNED_32_BIT:08X}") if code > 0xFFFF or code < -0xFFFF else None
        if status:
            return {"name": status["name"], "meaning": status["meaning"], "signal": status.get("like")}
        number = -code if -65 < code < 0 else code - 128 if 128 < code < 193 else 256 - code if 224 < code < 253 else 0
        name = self.signal_of_number(number, macos=macos) if number else None
        if name:
            return {"name": name, "meaning": self.table("exit")["signals"][name]["meaning"], "signal": name}
        row = self.table("exit")["codes"].get(str(code))
        return {**row, "signal": None} if row else None


def _overlay(shared: Row, own: Row) -> Row:
    """The values of a release's line, overridden by the release's own; ``None`` removes a value."""
    result = dict(shared)
    for key, value in own.items():
        if isinstance(value, dict) and isinstance(shared.get(key), dict):
            result[key] = _overlay(shared[key], value)
        elif value is None:
            result.pop(key, None)
        else:
            result[key] = value
    return result
