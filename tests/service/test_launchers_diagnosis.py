"""A recorded failure gets the same diagnosis behind every launcher, and when two processes print it at once."""

import pathlib

import pytest

from tests.collectors.reading.launchers import LAUNCHERS, PAIRS, interleaved
from tfhelp.service.curation.recordings import facts_of_recording, read_recording
from tfhelp.service.diagnosis.diagnoser import Diagnoser

ENTRIES = pathlib.Path(__file__).parents[2] / "kb" / "entries"
RECORDINGS = sorted(ENTRIES.rglob("*.recorded.json"))


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


def answered(diagnoser: Diagnoser, text: str, path: pathlib.Path) -> tuple[str, str] | None:
    matches = diagnoser.diagnose(text, facts_of_recording(path))["matches"]
    return (matches[0]["entry"], matches[0]["causes"][0]["cause"]) if matches else None


@pytest.mark.parametrize("launcher", [*LAUNCHERS, *PAIRS])
def test_the_answer_is_the_same(launcher: str, diagnoser: Diagnoser) -> None:
    start = [*LAUNCHERS, *PAIRS].index(launcher) % 8
    for path in RECORDINGS[start::8]:  # every launcher gets a sample, and every recording some launchers
        output = read_recording(path)["output"].rstrip("\n")
        lines = output.split("\n")
        if launcher in LAUNCHERS:
            wrapped = LAUNCHERS[launcher](lines)
        else:
            one, other = PAIRS[launcher]
            wrapped = interleaved(one(lines), other(lines), [place % 3 == 0 for place in range(2 * len(lines))])
        assert answered(diagnoser, "\n".join(wrapped), path) == answered(diagnoser, output, path), path.name
