"""Every recorded output is diagnosed correctly: its entry first, its cause first."""

import pathlib
import re

import pytest

from tests.faults.knowledge import ENTRIES, causes, diagnose_recording, first_answer, read
from tests.faults.record import kept_facts
from tfhelp.kb.programs import read_program

RECORDINGS = causes(".recorded.json")
# A run's own folder, a home that is not the neutral one, and packages of an environment that is not the neutral one.
FOREIGN = re.compile(
    r"/(?:tmp|var/tmp)/tfhelp-run-|/root\b|/home/(?!user\b)\w+|(?<![\w.-])(?!/usr/|/home/user/)(?:/[\w.+-]+)+/lib/python\d\.\d+/site-packages"
)


@pytest.mark.parametrize(("cause", "path"), RECORDINGS, ids=[cause for cause, _ in RECORDINGS])
def test_recording_is_diagnosed(cause: str, path: pathlib.Path) -> None:
    assert first_answer(diagnose_recording(path)) == cause


@pytest.mark.parametrize(("cause", "path"), RECORDINGS, ids=[cause for cause, _ in RECORDINGS])
def test_recording_has_its_programs_and_no_foreign_path(cause: str, path: pathlib.Path) -> None:
    name = cause.partition("/")[2]
    assert path.with_name(f"{name}.broken.py").exists()
    assert path.with_name(f"{name}.fixed.py").exists()
    recorded = read(path)
    program = path.with_name(f"{name}.broken.py")
    observed = read_program(str(program), program.read_text(encoding="utf-8")).observed
    assert set(recorded) == {"tensorflow", "keras", "python", "exit_code", "signal", "output"} | (
        {"facts"} if observed else set()
    )
    if observed:
        assert kept_facts(recorded["facts"]) == recorded["facts"]
    assert FOREIGN.findall(recorded["output"]) == []


def test_every_broken_program_is_recorded() -> None:
    recorded = {cause for cause, _ in RECORDINGS}
    assert recorded, f"{ENTRIES} holds no recording"
    assert [cause for cause, _ in causes(".broken.py") if cause not in recorded] == []
