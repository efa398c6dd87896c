"""Do the install lines of the answers resolve? A resolver is asked once per line, and its result is kept.

``python -m tests.kb.resolving`` resolves new lines, drops those that are no longer printed, and writes
``resolved.json``. It takes a second or two per line, and needs the package index.
"""

import concurrent.futures
import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys
import typing

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from tests.kb.printed import PLACEHOLDER, Printed, commands, of, pip_arguments, without_placeholders
from tfhelp.kb import compat_tables, compatibility, compiled, versions
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import FactSheet, read_document
from tfhelp.kb.facts import fact_table
from tfhelp.service.diagnosis.fixes import fill_fix

RECORD = pathlib.Path(__file__).with_name("resolved.json")
PYTHONS = ("3.13", "3.12", "3.11", "3.10", "3.9", "3.8")
_AT_ONCE = 4
# A reader has no compiler for these. Pure Python packages may come as source: old releases need a few of them.
_COMPILED = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tensorflow-text", "numpy", "scipy", "h5py", "grpcio", "torch")
_VALUES_OF_OPTIONS = ("-f", "--find-links", "-r", "--target")
# Replacement for <your version>, if it is not TensorFlow's.
_EXAMPLES = {"tensorflow-io": "0.37.1", "tensorflow-intel": "2.18.0"}
# Packages whose versions the record keeps, in addition to those that the line names.
_KEPT = ("tensorflow", "keras", "numpy", "protobuf")
# Machines whose facts fill the placeholders: a TensorFlow release, with a Python that it has a wheel for.
MACHINES = (
    ("2.10.1", "3.10"),
    ("2.13.1", "3.11"),
    ("2.15.1", "3.11"),
    ("2.16.2", "3.11"),  # tensorflow-text 2.16 has no wheel for Python 3.12
    ("2.18.1", "3.12"),
    ("2.20.0", "3.13"),
    ("2.21.0", "3.13"),
)


class Line(typing.NamedTuple):
    """The requirements for pip in one environment. ``python``: one minor version, or empty if any will do."""

    requirements: tuple[str, ...]
    platform: str
    python: str = ""

    def key(self) -> str:
        """Its key in the record."""
        return " ".join([*self.requirements, "|", self.platform, *([self.python] if self.python else [])])


def lines() -> dict[Line, str]:
    """Every install line, as printed without facts and as printed for ``MACHINES``, with one place for each."""
    found: dict[Line, str] = {}
    for one in of("shell", "cmd", "powershell", "span", "dockerfile"):
        for requirements in requirements_of(one):
            found.setdefault(Line(requirements, _platform(one, requirements)), one.place)
    without_facts = {one.code for one in of("shell")}
    for version, python in MACHINES:
        for one in _for_machine(version, python):
            filled = one.code not in without_facts and PLACEHOLDER not in one.code
            for requirements in requirements_of(one) if filled else ():
                if _platform(one, requirements) == "linux":
                    found.setdefault(Line(_beside(requirements, version), "linux", python), one.place)
    for line, place in _plans():
        found.setdefault(line, place)
    return found


def _beside(requirements: tuple[str, ...], tensorflow: str) -> tuple[str, ...]:
    """With the TensorFlow that is installed, if the line changes another package next to it."""
    named = {canonicalize_name(Requirement(text).name) for text in requirements}
    return (
        requirements
        if named & {"tensorflow", "tensorflow-cpu", "tensorflow-intel"}
        else (*requirements, f"tensorflow=={tensorflow}")
    )


def requirements_of(one: Printed) -> list[tuple[str, ...]]:
    """The requirements of each pip command of a line. A package that only the reader knows is left out."""
    found = []
    for command in commands(re.sub(r"(?m)^RUN ", "", one.code)):
        arguments = pip_arguments(command.words) or []
        if arguments[:1] == ["install"]:
            words = _positional(arguments[1:])
            if "protobuf<3.21" in words:  # a line for releases up to 2.11
                words = [word.replace(f"=={PLACEHOLDER}", "==2.10.1") for word in words]
            wanted = tuple(sorted(filter(None, map(_filled, words))))
            if wanted:
                found.append(wanted)
    return found


def _positional(words: list[str]) -> list[str]:
    return [word for at, word in enumerate(words) if not word.startswith("-") and words[at - 1] not in _VALUES_OF_OPTIONS]


def _filled(text: str) -> str:
    """A requirement with its placeholder filled; empty if the package itself is the reader's choice."""
    version = "2.18" if text.endswith((".*", ".0")) else _EXAMPLES.get(text.partition("=")[0], "2.18.1")
    filled = re.sub(rf"(?<=[=<>~]){PLACEHOLDER}", version, text).replace(PLACEHOLDER, "")
    try:
        Requirement(filled)
    except InvalidRequirement:
        return ""
    return filled


def _platform(one: Printed, requirements: tuple[str, ...]) -> str:
    text = " ".join(requirements)
    if "tensorflow-metal" in text or "macos" in one.place:
        return "aarch64-apple-darwin"
    if one.language == "shell" and "[and-cuda]" in text:
        return "linux"  # of the entry about Windows: inside WSL2
    windows = one.language in ("cmd", "powershell") or "windows" in one.place or "tensorflow-intel" in text
    return "windows" if windows else "linux"


def _sheet(tensorflow: str, python: str) -> FactSheet:
    facts = {
        "os": {"name": "linux", "architecture": "x86_64"},
        "python": {"version": f"{python}.1"},
        "packages": {"tensorflow": tensorflow},
        "gpus": [{"name": "NVIDIA GeForce RTX 3060"}],
        "driver": {"version": "560.35.03"},
    }
    sheet = read_document(facts, fact_table())
    derive(sheet, compiled.load().tables)
    return sheet


def _plans() -> typing.Iterator[tuple[Line, str]]:
    """The output of ``tfhelp plan`` for the newest release of each line, with and without a GPU, on its newest Python."""
    tables = compat_tables.tables()
    newest: dict[str, str] = {}
    for version in tables.release_versions():
        newest.setdefault(versions.minor_release(version) or "", version)
    for version in newest.values():
        release = tables.release(version)
        for platform, name in (("linux_x86_64", "linux"), ("windows", "windows"), ("macos_arm64", "aarch64-apple-darwin")):
            pythons = [one for one in compatibility.pythons(release or {}, platform) if one in PYTHONS]
            for gpu in (False, True) if name == "linux" else (False,):
                for python in pythons[-1:]:
                    command = compatibility.install_command(tables, release or {}, platform, gpu=gpu, python=python)
                    printed = Printed(f"plan {version}", "shell", command)
                    yield Line(requirements_of(printed)[0], name, python), printed.place


def _for_machine(tensorflow: str, python: str) -> typing.Iterator[Printed]:
    """Every shell line of every fix as a machine with this TensorFlow sees it."""
    sheet = _sheet(tensorflow, python)
    knowledge = compiled.load()
    for identifier in knowledge.entries():
        for cause in knowledge.entry(identifier)["causes"]:
            for step in fill_fix(cause, sheet)["steps"]:
                for action in (step, *step.get("one_of", ())):
                    snippet = action.get("snippet")
                    if snippet and snippet["language"] == "shell":
                        yield Printed(f"{identifier}/{cause['id']}", "shell", without_placeholders(snippet["code"]))


def resolve(line: Line, folder: pathlib.Path) -> dict[str, typing.Any]:
    """Ask the resolver, for the line's Python or for the newest one with a solution.

    Returns:
        ``python`` and ``versions`` (package -> version), or ``fault``.
    """
    said = ""
    for python in (line.python,) if line.python else PYTHONS:
        done = _uv(line.requirements, python, line.platform, folder)
        if "does not have an extra" in done.stderr:
            return {"fault": done.stderr.strip()[:300]}
        if done.returncode == 0:
            return {"python": python, "versions": _kept(line, done.stdout)}
        said = said or done.stderr.strip()[-600:]
    return {"fault": said}


def _kept(line: Line, output: str) -> dict[str, str]:
    versions = dict(text.split("==") for text in output.split() if "==" in text)
    named = [canonicalize_name(Requirement(text).name) for text in line.requirements]
    return {name: versions[name] for name in sorted({*named, *_KEPT}) if name in versions}


def _uv(requirements: tuple[str, ...], python: str, platform: str, folder: pathlib.Path) -> "subprocess.CompletedProcess[str]":
    command = [resolver() or "uv", "pip", "compile", "-", "--no-header", "--no-annotate", "--no-config"]
    command += ["--python", sys.executable, "--no-python-downloads", "--python-version", python, "--python-platform", platform]
    command += [word for package in _COMPILED for word in ("--only-binary", package)]
    text = "\n".join(requirements) + "\n"
    return subprocess.run(command, input=text, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def resolver() -> str | None:
    """The path of uv: next to the interpreter or on the path."""
    beside = pathlib.Path(sys.executable).with_name("uv")
    return str(beside) if beside.exists() else shutil.which("uv")


def read() -> dict[str, dict[str, typing.Any]]:
    """The record: line -> the resolver's result."""
    record: dict[str, dict[str, typing.Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return record


def main() -> None:
    """Resolve the lines that the record does not have, a few at once: most of the time is spent waiting for the index."""
    kept = {key: found for key, found in (read() if RECORD.exists() else {}).items() if "fault" not in found}
    printed = lines()
    new = sorted(line for line in printed if line.key() not in kept)
    with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
        for line, found in zip(new, pool.map(lambda line: resolve(line, RECORD.parent), new), strict=True):
            kept[line.key()] = {**found, "asked": datetime.date.today().isoformat()}
            print(f"{line.key()} ({printed[line]}): {found.get('fault', 'resolves')}", flush=True)
            _write({one.key(): kept[one.key()] for one in sorted(printed) if one.key() in kept})


def _write(record: dict[str, typing.Any]) -> None:
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
