"""Recordings of fault programs: the result of running one, as a text and a facts document."""

import json
import pathlib
import typing

Json = dict[str, typing.Any]
BROKEN, RECORDED = ".broken.py", ".recorded.json"


def read_recording(path: pathlib.Path) -> Json:
    """The content of a ``<cause-id>.recorded.json``."""
    recorded: Json = json.loads(path.read_text(encoding="utf-8"))
    return recorded


def facts_of_recording(path: pathlib.Path) -> Json:
    """The facts of a recorded run in addition to its text, as a facts document.

    These are how it ended, what ``tfhelp run`` saw if the run was observed, and the facts of the program itself.
    """
    recorded = read_recording(path)
    ended = {name: recorded[name] for name in ("exit_code", "signal") if recorded.get(name) is not None}
    observed = recorded.get("facts")
    if observed is None:
        return {"run": ended} if ended else {}
    script = facts_of_script(path.with_name(path.name.replace(RECORDED, BROKEN)))
    return {**observed, **script, "run": {**observed.get("run", {}), **ended}}


def facts_of_script(program: pathlib.Path) -> Json:
    """The facts read from a program as if it were a user's ``train.py``: a facts document with ``code``, or an empty one."""
    from tfhelp.collectors import code

    document: Json = code.facts(code.examine(program.read_text(encoding="utf-8"), "train.py")).document()
    return {"code": document["code"]} if "code" in document else {}
