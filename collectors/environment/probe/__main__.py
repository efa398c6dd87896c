"""Print what this interpreter sees: one line of JSON after MARKER, with the list of libraries to test-load under ``_plan``."""

import os
import sys

# A module that is loaded before a script runs cannot be hidden by a file next to the script.
STARTUP_MODULES = frozenset(sys.modules)
OWN_FOLDER = os.path.dirname(os.path.realpath(__file__))
MARKER = "tfhelp-facts:"


def path_without_probe() -> "list[str]":
    """The path as the user's script would have it, without the probe's own folder.

    Python resolves symbolic links in ``sys.path[0]``, but not in ``__file__``.
    """
    if sys.path and os.path.realpath(sys.path[0]) == OWN_FOLDER:
        return sys.path[1:]
    return list(sys.path)


def _standard_folders(path: "list[str]") -> "list[str]":
    """Folders of the path that hold the standard library: a json.py elsewhere must not be imported instead of the real one."""
    ends = (".zip", os.sep + "lib-dynload", os.sep + "DLLs")
    return [folder for folder in path if folder == os.path.dirname(os.path.abspath(os.__file__)) or folder.endswith(ends)]


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder was removed while a shell was in it
        return ""


def main() -> None:
    """Print the facts, with the libraries to test-load under ``_plan``."""
    path, folder = path_without_probe(), _working_folder()
    sys.path[:] = [*_standard_folders(path), os.path.dirname(OWN_FOLDER)]
    import json

    from probe import cuda_files, packages, shadowing, tensorflow_files
    from probe.findings import Findings, guarded

    findings = Findings()
    guarded(findings, "python", packages.read_interpreter, findings)
    guarded(findings, "packages", packages.read_packages, findings, path)
    guarded(findings, "python.shadowing_file", shadowing.read_shadowing, findings, folder, path, STARTUP_MODULES)
    tensorflow = guarded(findings, "tensorflow", tensorflow_files.read_tensorflow, findings, path)
    plan = guarded(findings, "cuda", cuda_files.read_cuda, findings, path, tensorflow or "", folder)
    document = findings.document()
    document["_plan"] = plan if isinstance(plan, list) else []
    sys.stdout.write("\n" + MARKER + json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
