"""Packages of an interpreter, found on disk: their folders, releases and source files. Nothing is imported or run."""

import glob
import importlib.machinery
import os
import re
import typing

_HERE = ("lib/python{}/site-packages", "lib64/python{}/site-packages", "Lib/site-packages")
_OF_THE_SYSTEM = (
    "/usr/local/lib/python{}/dist-packages",
    "/usr/lib/python3/dist-packages",
    "~/.local/lib/python{}/site-packages",
)
_MINOR = re.compile(r"python(3\.\d{1,2})")
_STATED = re.compile(r"^version(?:_info)? *= *(3\.\d{1,2})", re.MULTILINE)
_LARGEST = 3_000_000  # bytes of a source file; a larger one is not read
_DISTRIBUTIONS = {
    "tensorflow": ("tensorflow", "tensorflow_cpu", "tensorflow_gpu", "tensorflow_macos", "tensorflow_intel", "tf_nightly")
}
"""Names of the distributions that provide a package, if there are several."""


class Source(typing.NamedTuple):
    """A file of an installed package: its path, its path relative to the packages folder, its text."""

    path: str
    inside: str
    text: str


def folders(interpreter: str) -> list[str]:
    """The package folders of an interpreter, in the order in which it searches them.

    Args:
        interpreter: its path, as ``sys.executable`` gives it: the path inside a virtual environment, not the target of its link.
    """
    bin_folder = os.path.dirname(os.path.abspath(interpreter))
    prefix = os.path.dirname(bin_folder) if os.path.basename(bin_folder).lower() in ("bin", "scripts") else bin_folder
    apart = os.path.isfile(os.path.join(prefix, "pyvenv.cfg"))
    minor = _minor(interpreter, prefix)
    wanted = [os.path.join(prefix, *inside.split("/")) for inside in _HERE]
    wanted += [] if apart else [os.path.expanduser(folder) for folder in reversed(_OF_THE_SYSTEM)]
    found = [folder for pattern in wanted for folder in sorted(glob.glob(pattern.format(minor)))]
    return [folder for folder in dict.fromkeys(found) if os.path.isdir(folder)]


def _minor(interpreter: str, prefix: str) -> str:
    """``3.11``, from the name behind the interpreter's links or from its environment's file; ``3.*`` if neither tells."""
    named = _MINOR.search(os.path.basename(os.path.realpath(interpreter)))
    if named:
        return named[1]
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8", errors="replace") as opened:
            stated = _STATED.search(opened.read(10_000))
    except OSError:
        return "3.*"
    return stated[1] if stated else "3.*"


def versions(packages: typing.Iterable[str], roots: typing.Sequence[str]) -> dict[str, str]:
    """Package -> release, for the packages that are installed."""
    found: dict[str, str] = {}
    wanted = {name: package for package in packages for name in _DISTRIBUTIONS.get(package, (package,))}
    for root in roots:
        for entry in _entries(root):
            name, _, rest = entry.partition("-")
            package = wanted.get(name.replace(".", "_").lower())
            if package and entry.endswith((".dist-info", ".egg-info")):
                found.setdefault(package, rest.rpartition(".")[0].partition("-py3")[0])
    return found


def _entries(root: str) -> list[str]:
    try:
        return os.listdir(root)
    except OSError:
        return []  # no permission to read it


def source(module: str, roots: typing.Sequence[str]) -> Source | None:
    """The source of a module of an installed package; ``None`` if there is none.

    Args:
        module: dotted, with or without the folder ``src`` that Keras puts its sources into.
    """
    package, _, rest = module.partition(".")
    spec = importlib.machinery.PathFinder.find_spec(package, list(roots))
    for folder in (spec.submodule_search_locations or []) if spec else []:
        inner = rest.replace(".", os.sep)
        for inside in (os.path.join("src", inner), inner):
            for path in (os.path.join(folder, f"{inside}.py"), os.path.join(folder, inside, "__init__.py")):
                if os.path.isfile(path):
                    return _read(path, os.path.dirname(folder))
    return None


def _read(path: str, root: str) -> Source | None:
    try:
        if os.path.getsize(path) > _LARGEST:
            return None
        with open(path, encoding="utf-8", errors="replace") as opened:
            return Source(path, os.path.relpath(path, root).replace(os.sep, "/"), opened.read())
    except OSError:
        return None
