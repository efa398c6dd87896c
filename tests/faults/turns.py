"""Which fault programs run in this session: those that changed since they last passed, and a rotating sixteenth of the others.

All of them take half an hour on two processors, and most have not changed since they last passed.
``passed.json`` holds a digest of each program that passed and the packages that it passed with; ``make programs-all`` runs
every program and rewrites the file. The commit selects the sixteenth, so that a commit always runs the same programs.
"""

import functools
import hashlib
import importlib.metadata
import json
import pathlib
import typing

from tests import turns
from tests.faults.knowledge import ENTRIES

PASSED = pathlib.Path(__file__).with_name("passed.json")
TURNS = 16
_PACKAGES = ("tensorflow", "keras", "tf_keras", "numpy", "protobuf")


def name_of(path: pathlib.Path) -> str:
    """A program's name in the file of passes: its path below ``kb/entries``."""
    return path.relative_to(ENTRIES).as_posix()


def digest_of(path: pathlib.Path) -> str:
    """A digest that changes whenever the program changes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def packages() -> dict[str, str]:
    """The packages that a program without its own environment runs with."""
    return {name: importlib.metadata.version(name) for name in _PACKAGES}


def write_passed(paths: typing.Iterable[pathlib.Path]) -> None:
    """Record that these programs, and no others, passed with the installed packages."""
    programs = {name_of(path): digest_of(path) for path in sorted(paths)}
    PASSED.write_text(json.dumps({"packages": packages(), "programs": programs}, indent=1) + "\n", encoding="utf-8")


@functools.cache
def _passed() -> dict[str, str]:
    """Program -> digest that passed; empty if other packages are installed now."""
    if not PASSED.exists():
        return {}
    document = json.loads(PASSED.read_text(encoding="utf-8"))
    return dict(document["programs"]) if document["packages"] == packages() else {}


def is_due(path: pathlib.Path) -> bool:
    """Whether a program has to run in this session."""
    return _passed().get(name_of(path)) != digest_of(path) or turns.has_turn(name_of(path), TURNS)
