"""A recorded failure gets the same diagnosis behind every launcher, and when two processes print it at once."""

import pathlib
import zlib

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


# Where the answers differ, among all recordings and launchers. Two processes that crash at once are a crash of distributed training.
# Two that are killed while their memory grows can also be a scheduler's work. A logger that cuts a dump of stacks into records hides
# that it is one, and a logger's envelope can put another harmless line first.
_DIFFERENT = {
    **dict.fromkeys(PAIRS, ("native-crash/stack-overflow", "host-out-of-memory/host-memory-leak")),
    "a JSON-lines logger, blocks": ("benign-onednn/harmless-information", "worker-processes-deadlock/fork-with-tensorflow"),
}


def _is_sampled(path: pathlib.Path, launcher: str) -> bool:
    """Every launcher gets an eighth of the recordings. A new recording changes nothing for the others."""
    cause = f"{path.parent.name}/{path.name.partition('.')[0]}"
    return zlib.crc32(f"{cause} {launcher}".encode()) % 8 == 0 and cause not in _DIFFERENT.get(launcher, ())


@pytest.mark.parametrize("launcher", [*LAUNCHERS, *PAIRS])
def test_the_answer_is_the_same(launcher: str, diagnoser: Diagnoser) -> None:
    for path in (path for path in RECORDINGS if _is_sampled(path, launcher)):
        output = read_recording(path)["output"].rstrip("\n")
        lines = output.split("\n")
        if launcher in LAUNCHERS:
            wrapped = LAUNCHERS[launcher](lines)
        else:
            one, other = PAIRS[launcher]
            wrapped = interleaved(one(lines), other(lines), [place % 3 == 0 for place in range(2 * len(lines))])
        assert answered(diagnoser, "\n".join(wrapped), path) == answered(diagnoser, output, path), path.name
