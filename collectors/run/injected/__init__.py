"""Code that runs inside a watched program: hooks that start before the program's first line.

The hooks enter through the environment: ``on_path`` is first on ``PYTHONPATH``, so that the program and every Python that it
starts (workers, launchers, virtual environments) import its ``sitecustomize``. If Python ignores the environment
(``-E``, ``-I``) or has no site module (``-S``), nothing happens.

A hook is a module of this folder. The contract:

- ``TFHELP_RUN_HOOKS`` names the hooks to start, separated by commas: ``stacks,learning``.
- Each has ``start()``. It is called once in each interpreter, before the program runs and before the program's folder is on
  ``sys.path``. An exception in it is dropped, and the program goes on.
- ``TFHELP_RUN_FOLDER`` is an existing folder, readable by this user alone, in which hooks write files. The process id is in
  the file's name, because every process of the run runs the hooks.
- A hook works with Python 3.7 and later and imports no module of ``tfhelp``: the interpreter is the program's. It is
  imported as ``_tfhelp_<name>``.
- All hooks together add less than 20 ms to an interpreter's start. Large modules are imported only when they are needed.
- The program must not notice: a hook writes to none of its streams, changes no state that programs read, and takes no file
  descriptor that a program would otherwise get.
"""

import os
import typing

_ON_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "on_path")


def environment_with_hooks(environment: typing.Mapping[str, str], hooks: typing.Sequence[str], folder: str) -> dict[str, str]:
    """The environment in which a program starts these hooks.

    Args:
        environment: the program's environment without hooks. Hooks of an outer ``tfhelp run`` are replaced.
        hooks: names of modules of this folder; if there are none, the environment contains no trace of tfhelp.
        folder: where the hooks write.
    """
    found = {name: value for name, value in environment.items() if name not in ("TFHELP_RUN_HOOKS", "TFHELP_RUN_FOLDER")}
    # Empty elements are kept: Python takes each of them for the working folder.
    places = [place for place in found.pop("PYTHONPATH", "").split(os.pathsep) if place != _ON_PATH]
    if hooks:
        found |= {"TFHELP_RUN_HOOKS": ",".join(hooks), "TFHELP_RUN_FOLDER": folder}
        places = [_ON_PATH, *places] if places != [""] else [_ON_PATH]
    if places not in ([], [""]):
        found["PYTHONPATH"] = os.pathsep.join(places)
    return found
