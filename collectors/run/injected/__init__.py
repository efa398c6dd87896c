"""Code that runs inside a watched program: hooks that are started before the program's first line.

The way in is the environment: ``on_path`` stands first on ``PYTHONPATH``, so that the program and every Python that it
starts (workers, launchers, virtual environments) import its ``sitecustomize``. Where Python ignores the environment
(``-E``, ``-I``) or has no site module (``-S``), nothing happens.

A hook is a module of this folder. The contract:

- ``TFHELP_RUN_HOOKS`` names the hooks to start, with commas between them: ``stacks,learning``.
- Each has ``start()``. It is called once in each interpreter, before the program and before its own folder is on
  ``sys.path``. An exception from it is dropped, and the program goes on.
- ``TFHELP_RUN_FOLDER`` is an existing folder, for this user alone, in which hooks write files. A file has the process id in
  its name, because every process of the run runs the hooks.
- A hook works with Python 3.7 and newer and imports no module of ``tfhelp``: the interpreter is the program's. It is
  imported as ``_tfhelp_<name>``.
- All hooks together take less than 20 ms of an interpreter's start. What is large is imported when it is needed.
- The program must not notice: a hook writes to none of its streams, changes no state that programs read, and has no file
  descriptor that a program would get otherwise.
"""

import os
import typing

_ON_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "on_path")


def environment_with_hooks(environment: typing.Mapping[str, str], hooks: typing.Sequence[str], folder: str) -> dict[str, str]:
    """The environment in which a program starts these hooks.

    Args:
        environment: that of the program without hooks. Hooks of an outer ``tfhelp run`` are replaced.
        hooks: names of modules of this folder; with none the environment has no trace of us.
        folder: where the hooks write.
    """
    found = {name: value for name, value in environment.items() if name not in ("TFHELP_RUN_HOOKS", "TFHELP_RUN_FOLDER")}
    # Empty elements are kept: to Python each of them is the working folder.
    places = [place for place in found.pop("PYTHONPATH", "").split(os.pathsep) if place != _ON_PATH]
    if hooks:
        found |= {"TFHELP_RUN_HOOKS": ",".join(hooks), "TFHELP_RUN_FOLDER": folder}
        places = [_ON_PATH, *places] if places != [""] else [_ON_PATH]
    if places not in ([], [""]):
        found["PYTHONPATH"] = os.pathsep.join(places)
    return found
