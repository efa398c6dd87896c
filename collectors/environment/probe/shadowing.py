"""The user's files that hide standard modules or packages that TensorFlow imports."""

import os
import sys

from .findings import Findings, names_in

STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__))

_WATCHED = "tensorflow keras tf_keras tensorboard numpy scipy pandas h5py torch jax google absl wrapt six ml_dtypes grpc"
_WATCHED += " tensorflow_hub tensorflow_datasets tensorflow_probability transformers sklearn matplotlib cv2 PIL typing_extensions"
# Folders with these names exist in many projects and hide nothing that TensorFlow imports.
_HARMLESS = frozenset(("test", "tests", "this", "antigravity", "idlelib", "turtledemo", "setup"))


def is_standard_path(folder: str) -> bool:
    """Return whether an entry of ``sys.path`` holds the standard library itself."""
    return folder == STANDARD_LIBRARY or folder.endswith((".zip", os.sep + "lib-dynload", os.sep + "DLLs"))


def find_shadowing(working_folder: str, path: "list[str]", started: "frozenset[str]" = frozenset()) -> "list[str]":
    """Files and folders that hide TensorFlow, one of its dependencies or a standard module.

    Anything in the working folder (a script's own folder) or ahead of the standard library on ``sys.path`` is imported
    first. A folder without ``__init__.py`` hides nothing, because a regular package further down wins. ``started``: modules
    that are loaded before a script runs; a file next to the script cannot hide them.
    """
    standard = getattr(sys, "stdlib_module_names", None) or {name.partition(".")[0] for name in names_in(STANDARD_LIBRARY)}
    standard = set(standard) - set(sys.builtin_module_names) - _HARMLESS
    watched = set(_WATCHED.split())
    before = [working_folder] if working_folder else []
    for folder in path:
        if is_standard_path(folder):
            break
        before.append(folder)
    found = []
    for folder in before:
        if os.path.basename(folder) in ("site-packages", "dist-packages") or is_standard_path(folder):
            continue
        for entry in names_in(folder):
            name = entry.rpartition(".")[0] if entry.endswith(".py") else entry
            if (name not in watched and name not in standard) or (folder == working_folder and name in started):
                continue
            file = os.path.join(folder, entry)
            if entry.endswith(".py") or os.path.isfile(os.path.join(file, "__init__.py")):
                found.append((name not in watched, file))
    return [file for _, file in sorted(found)]


def read_shadowing(findings: Findings, working_folder: str, path: "list[str]", started: "frozenset[str]") -> None:
    """``python.shadowing_file``: the worst finding of ``find_shadowing``."""
    found = find_shadowing(working_folder, path, started)
    findings.put("python.shadowing_file", found[0] if found else None, "working folder and sys.path")
