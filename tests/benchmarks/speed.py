"""How long an answer takes: a cold process as a person starts it, and a warm one as the service holds it."""

import statistics
import subprocess
import sys
import time
import typing

from tests.benchmarks.recordings import Recording
from tfhelp.index.encoder import Encoder
from tfhelp.service.diagnosis import Diagnoser

PROSE = "my graphics card's memory is full after a few steps although the batch is small"
STEP_LINE = "{step}/20000 [==>...........................] - ETA: 1:02 - loss: 0.{step:05d} - accuracy: 0.5000"


class Timing(typing.NamedTuple):
    """One row: what was timed, and the median and the worst of it in milliseconds."""

    what: str
    median_ms: float
    worst_ms: float
    runs: int


def measure(recordings: list[Recording], runs: int) -> typing.Iterator[Timing]:
    """All timings, each as it is known.

    Args:
        recordings: real outputs to answer; at least one.
        runs: how often each thing is done.
    """
    failing = max(recordings, key=lambda recording: len(recording.output)).output
    yield from _cold(failing, runs)
    yield from _warm(failing, runs)
    yield from _encoder(runs)


def _cold(failing: str, runs: int) -> typing.Iterator[Timing]:
    ask = [sys.executable, "-m", "tfhelp.service", "ask", "--json", "--no-collect"]
    yield _timed("python -c pass (what any answer costs at least)", lambda: _run([sys.executable, "-c", "pass"], ""), runs)
    yield _timed("tfhelp ask, a recorded failure, cold", lambda: _run(ask, failing), runs)
    yield _timed("tfhelp ask, a recorded failure, with this machine's facts, cold", lambda: _run(ask[:-1], failing), min(runs, 5))
    yield _timed("tfhelp ask, one sentence of prose, cold", lambda: _run(ask, PROSE), runs)


def _warm(failing: str, runs: int) -> typing.Iterator[Timing]:
    diagnoser = Diagnoser.load(warm=True)
    lines = "\n".join(f"epoch {number}: read shard {number % 97} of the training set" for number in range(370_000))
    texts = {
        "a recorded failure": failing,
        "one sentence of prose": PROSE,
        "3,000 lines of progress and a failure": "\n".join([*(STEP_LINE.format(step=step) for step in range(3000)), failing]),
        "16 MiB of lines and a failure": f"{lines}\n{failing}",
    }
    for name, text in texts.items():
        few = len(text) > 2**20
        yield _timed(f"diagnose, {name}, warm", lambda text=text: diagnoser.diagnose(text), 3 if few else runs)


def _encoder(runs: int) -> typing.Iterator[Timing]:
    encoder = Encoder.load()
    yield _timed("load the encoder", Encoder.load, min(runs, 5))
    yield _timed("encode one sentence", lambda: encoder.encode([PROSE]), runs)


def _timed(what: str, action: typing.Callable[[], object], runs: int) -> Timing:
    action()  # once for the caches: files of the system, lazily loaded libraries
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - started)
    return Timing(what, statistics.median(seconds) * 1e3, max(seconds) * 1e3, runs)


def _run(command: list[str], text: str) -> None:
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1) or "Traceback" in ran.stderr:
        raise RuntimeError(f"{' '.join(command)}: exit status {ran.returncode}: {ran.stderr.strip()[-500:]}")
