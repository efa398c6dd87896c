"""One run of the user's program in the scratch folder, unchanged or with one change, and its result."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import typing

from tfhelp.collectors.scratch import Scratch
from tfhelp.service.errors import InputError

Json = dict[str, typing.Any]

_TIME_TO_END = 30.0  # seconds for the observer to end after the program has ended, because it still has to diagnose
_BAD_OP = re.compile(r'of (?:graph|eagerly-executing) op "(\w{1,80})"')
_ENDED_BY_HOOK = ("data_alone", "one_batch")


class Trial(typing.NamedTuple):
    """A run.

    Attributes:
        ended: ``well``; ``badly``; ``hung``, with no output for a long time; ``stopped`` by tfhelp, because its time was up.
        seconds: how long it took.
        exit_code: as in a shell; ``None`` if it did not end by itself.
        text: its output.
        answer: the diagnosis, if it did not end well.
        facts: the observed facts.
        collected: facts of the machine.
        found: what the change inside the program recorded.
    """

    ended: str
    seconds: float
    exit_code: int | None
    text: str
    answer: Json | None
    facts: Json
    collected: Json
    found: Json

    @property
    def entry(self) -> str:
        """The entry of the answer, else the exception of the message, else the exit code; empty without an answer."""
        if not self.answer:
            return ""
        if self.answer["matches"]:
            return str(self.answer["matches"][0]["entry"])
        explained = self.answer.get("explained")
        return str(explained["exception"]) if explained else f"exit code {self.exit_code}"


class Watch(typing.NamedTuple):
    """How a run is watched: it counts as hanging after ``hang_after`` seconds without output; ``learning`` also watches its
    learning.
    """

    hang_after: float
    learning: bool = True


def run_trial(scratch: Scratch, command: list[str], experiment: Json | None, name: str, limit: float, watch: Watch) -> Trial:
    """Run the program once.

    Args:
        scratch: where to run it; files that earlier runs wrote are deleted first.
        command: the user's.
        experiment: a row of ``kb/experiments.yaml``; ``None`` for the unchanged program.
        name: of the experiment.
        limit: seconds after which it is stopped.
        watch: how it is watched.

    Raises:
        InputError: it cannot be run.
    """
    result = os.path.join(scratch.state, "result.json")
    if os.path.exists(result):
        os.unlink(result)
    specification = {
        "result": result,
        "hang_after": watch.hang_after,
        "learning": watch.learning,
        "hook": name if experiment and experiment["hook"] else "",
        "variables": experiment["variables"] if experiment else {},
    }
    observer = [sys.executable, "-P", "-m", "tfhelp.service.trying.observed", json.dumps(specification), *command]
    started = time.monotonic()
    stopped, complaint = _run(scratch.command(observer), {"XDG_STATE_HOME": scratch.state}, limit)
    seconds = time.monotonic() - started
    try:
        with open(result, encoding="utf-8") as file:
            seen: Json = json.load(file)
    except (OSError, ValueError):
        if stopped:
            return Trial("stopped", seconds, None, "", None, {}, {}, {})
        raise InputError(complaint or f"{command[0]} could not be observed") from None
    ended = "stopped" if stopped and seen["ended"] != "hung" else seen["ended"]
    return Trial(
        ended, seconds, seen["exit_code"], seen["text"], seen["answer"], seen["facts"], seen["collected"] or {}, seen["found"]
    )


def _run(command: list[str], variables: dict[str, str], limit: float) -> tuple[bool, str]:
    """(whether it was stopped because its time was up, the last line of the observer's own error output)."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **variables},
        start_new_session=True,
    )
    stopped = False
    try:
        try:
            _, said = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            stopped = True
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=_TIME_TO_END)
    except subprocess.TimeoutExpired:
        said = b""
    finally:
        _end_all(process)
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return stopped, lines[-1] if lines else ""


def _end_all(process: "subprocess.Popen[bytes]") -> None:
    """End all processes of the run."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def facts_of(first: Trial, trial: Trial, name: str, experiment: Json) -> Json:
    """The facts that an experiment found (``tried.*``), without the group's name; empty if it found nothing.

    Args:
        first: the run of the unchanged program.
        trial: the run with the change.
        name: of the experiment.
        experiment: its row.
    """
    if experiment["hook"] and not trial.found.get("applied"):
        return {}
    if name == "numerics_checked":
        op = _BAD_OP.search(trial.text)
        if op:
            return {name: "found", "bad_op": op.group(1)}
        return {name: "nothing"} if trial.ended == "well" else {}
    if name in _ENDED_BY_HOOK:
        outcome = trial.found.get("outcome")
        # The hook reports ``stops`` until the data continue: this only counts for a run that was ended from outside.
        if outcome in experiment["outcomes"] and (outcome != "stops" or trial.ended in ("hung", "stopped")):
            return {name: outcome}
        return {}
    outcome = _outcome(first, trial)
    return {name: outcome} if outcome else {}


def _outcome(first: Trial, trial: Trial) -> str:
    """``passes``, ``same`` or ``other``; empty if it was stopped too early to know."""
    if trial.ended == "well":
        return "passes"
    if trial.ended == "stopped":
        return "passes" if first.ended == "badly" and trial.seconds > 2 * first.seconds else ""
    if "hung" in (first.ended, trial.ended):
        return "same" if first.ended == trial.ended else "other"
    return "same" if trial.entry == first.entry else "other"
