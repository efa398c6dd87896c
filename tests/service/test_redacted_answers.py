"""Redaction removes secrets, but does not change the answer."""

import pathlib

import pytest

from tests.faults.knowledge import causes, diagnose, first_answer, read
from tfhelp.collectors.redaction import redact

RECORDINGS = causes(".recorded.json")


@pytest.mark.parametrize(("cause", "path"), RECORDINGS, ids=[cause for cause, _ in RECORDINGS])
def test_redaction_does_not_change_the_answer_to_a_recording(cause: str, path: pathlib.Path) -> None:
    recorded = read(path)
    ending = (recorded["exit_code"], recorded["signal"])
    assert first_answer(diagnose(redact(recorded["output"]), *ending)) == first_answer(diagnose(recorded["output"], *ending))
