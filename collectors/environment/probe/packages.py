"""The interpreter and its packages, read from metadata files and never by import."""

import os
import re
import sys

from .findings import Findings, names_in, read_file


def read_interpreter(findings: Findings) -> None:
    """``python.*``, except for the facts that come from the listing of packages."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[3] != "final":
        version += {"alpha": "a", "beta": "b", "candidate": "rc"}[sys.version_info[3]] + str(sys.version_info[4])
    findings.put("python.version", version, "interpreter")
    findings.put("python.executable", sys.executable or None, "interpreter")
    findings.put("python.bits", 64 if sys.maxsize > 1 << 32 else 32, "interpreter")
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        kind = "conda"
    else:
        kind = "venv" if sys.prefix != getattr(sys, "base_prefix", sys.prefix) else "system"
    findings.put("python.environment", kind, "interpreter")
    findings.put("python.start_failure", None, "interpreter")


def _normalised(name: str) -> str:
    """A distribution's name as the packaging standards compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Distribution:
    """One installed distribution, as the listing of its folder shows it."""

    __slots__ = ("entry", "folder", "name", "version")

    def __init__(self, name: str, version: "str | None", folder: str, entry: str) -> None:
        self.name = name
        self.version = version
        self.folder = folder
        self.entry = entry


def list_distributions(folders: "list[str]") -> "tuple[list[Distribution], list[tuple[str, str]]]":
    """Installed distributions by listing folders, which takes a thousandth of the time of ``importlib.metadata``.

    Returns:
        the distributions in the order of ``sys.path``, and (name, folder) of each leftover of pip (``~ensorflow``).
    """
    found, leftovers = [], []
    for folder in folders:
        for entry in names_in(folder):
            if entry.startswith("~"):
                leftovers.append((entry, folder))
                continue
            stem, dot, extension = entry.rpartition(".")
            if extension not in ("dist-info", "egg-info", "egg") or not dot:
                continue
            parts = stem.split("-")
            version = parts[1] if len(parts) > 1 and parts[1][:1].isdigit() else None
            if version is None:
                stated = re.search(r"^Version: *(\S+)", _metadata(folder, entry), re.MULTILINE)
                version = stated.group(1) if stated else None
            found.append(Distribution(_normalised(parts[0]), version, folder, entry))
    return found, leftovers


def _metadata(folder: str, entry: str) -> str:
    for part in ("METADATA", "PKG-INFO", os.path.join("EGG-INFO", "PKG-INFO")):
        text = read_file(os.path.join(folder, entry, part), 8192)
        if text:
            return text
    return read_file(os.path.join(folder, entry), 8192) if os.path.isfile(os.path.join(folder, entry)) else ""


def read_packages(findings: Findings, path: "list[str]") -> "dict[str, str]":
    """``packages.*`` (all of them, by normalised name), ``python.pip_version``, ``python.broken_distribution``.

    Returns:
        the folders of the distributions, by name.
    """
    folders = []
    for folder in path:
        if folder and not folder.endswith(".zip") and folder not in folders and os.path.isdir(folder):
            folders.append(folder)
    distributions, leftovers = list_distributions(folders)
    chosen = {}  # type: dict[str, Distribution]
    for distribution in distributions:
        chosen.setdefault(distribution.name, distribution)
    for name, distribution in chosen.items():
        findings.put("packages." + name, distribution.version, "pip metadata")
    if folders:
        findings.about["packages"] = {"source": "pip metadata", "state": "ok"}
    pip = chosen.get("pip")
    findings.put("python.pip_version", pip.version if pip else None, "pip metadata")
    broken = _broken_distributions(distributions, leftovers)
    if broken:
        findings.put("python.broken_distribution", broken[0][0], broken[0][1])
    else:
        findings.put("python.broken_distribution", None, "pip metadata")
    return {name: distribution.folder for name, distribution in chosen.items()}


# The module that a distribution must contain; a distribution that is listed without it was only half removed.
_MODULES = {
    "tensorflow": "tensorflow",
    "tensorflow-cpu": "tensorflow",
    "tensorflow-gpu": "tensorflow",
    "tf-nightly": "tensorflow",
}
_MODULES.update({"keras": "keras", "tf-keras": "tf_keras", "numpy": "numpy", "h5py": "h5py", "protobuf": "google/protobuf"})
_MODULES.update(
    {"ml-dtypes": "ml_dtypes", "scipy": "scipy", "pandas": "pandas", "torch": "torch", "jax": "jax", "wrapt": "wrapt"}
)


def _broken_distributions(found: "list[Distribution]", leftovers: "list[tuple[str, str]]") -> "list[tuple[str, str]]":
    """(name, the fault and its place), with the distributions that TensorFlow needs first."""
    broken = []
    names = {distribution.name[1:]: distribution.name for distribution in found}
    names.update({name[1:]: name for name in _MODULES})
    for entry, folder in leftovers:
        tail = _normalised(entry[1:].partition("-")[0] if entry.endswith("-info") else entry[1:])
        broken.append((names.get(tail, entry), "left over by pip: " + os.path.join(folder, entry)))
    first = {}  # type: dict[tuple[str, str], Distribution]
    for distribution in found:
        name, folder = distribution.name, distribution.folder
        other = first.setdefault((name, folder), distribution)
        if other is not distribution and other.version != distribution.version:
            broken.append((name, f"{other.entry} and {distribution.entry} are both installed in {folder}"))
        if distribution.entry.endswith(".dist-info") and not os.path.exists(os.path.join(folder, distribution.entry, "METADATA")):
            broken.append((name, "no METADATA in " + os.path.join(folder, distribution.entry)))
        elif (
            name in _MODULES
            and distribution.entry.endswith(".dist-info")
            and not _is_metadata(_metadata(folder, distribution.entry))
        ):
            broken.append((name, f"METADATA in {os.path.join(folder, distribution.entry)} cannot be read or is damaged"))
        module = _MODULES.get(name) if distribution.entry.endswith("-info") else None
        if module and not _is_editable(distribution) and not os.path.isfile(os.path.join(folder, module, "__init__.py")):
            broken.append((name, f"no {module}/__init__.py in {folder}"))
    return sorted(broken, key=lambda item: item[0] not in _MODULES)


def _is_metadata(text: str) -> bool:
    """Return whether the metadata has the distribution's name and version, which are always in its first lines."""
    return bool(re.search(r"^Name: *\S", text, re.MULTILINE) and re.search(r"^Version: *\S", text, re.MULTILINE))


def _is_editable(distribution: Distribution) -> bool:
    """Return whether the distribution's code is elsewhere: installed from a working tree."""
    return os.path.exists(os.path.join(distribution.folder, distribution.entry, "direct_url.json"))
