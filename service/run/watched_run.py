"""Run and watch a training program; if it ends badly, ends early or hangs, it is diagnosed automatically."""

import os
import shutil
import signal
import sys
import threading
import time
import typing

from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.run.child import SignalRelay
from tfhelp.collectors.run.curves import table
from tfhelp.collectors.run.injected import environment_with_hooks
from tfhelp.collectors.run.observation import Observation
from tfhelp.collectors.run.processes import failed_records
from tfhelp.collectors.run.sampler import is_python
from tfhelp.service.errors import InputError
from tfhelp.service.run.ending import unwell
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.good_runs import Keeping, program_of
from tfhelp.service.run.learning import facts_of_learning, learned_badly

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.run.findings import Findings

Json = dict[str, typing.Any]

_LOOK_SECONDS = 0.2
_WAITS_FOR_OTHERS = ("process", "queue", "cluster", "collective")
_STOPS = ("SIGTERM", "SIGHUP")
_SAVE_SECONDS, _SAVE_SHARE = 2.0, 0.002  # seconds between two saves while it runs; share of a core that saving may use
_LONG_SILENCE, _TIMES_ITS_PAUSE = 30.0, 3.0  # seconds, and multiples of its longest pause, after which Ctrl-C ends a hang
_TIME_TO_END = 2.0  # seconds that a program takes to end after Ctrl-C
# Facts of the script that need an answer even though the exit code is 0: the program trains on only one of several devices, gives a
# model inputs on a different scale, compares samples with the labels of others, or has Python code that does nothing after the first call.
_WRONG_IN_SILENCE = (
    "model_outside_scope",
    "load_outside_scope",
    "inputs_scaled_differently",
    "shuffled_apart",
    "labels_in_another_order",
    "random_number_while_traced",
    "side_effect_while_traced",
    "dataset_result_unused",
)
_LACKS_BATCHES = ("repeat_missing", "steps_exceed_data")


class WatchedRun:
    """One run from its start to its answer.

    Attributes:
        command: program and arguments.
        folder: its folder; ``None`` if none could be created.
        observation: the program and its readings, once it is started.
        hooks: the hooks that are started inside its interpreters (``tfhelp.collectors.run.injected``).
        interrupted: the user ended it (Ctrl-C).
        silence: seconds without output at the first Ctrl-C.
        hung_at_interrupt: it had made no progress for a long time at that moment.
    """

    def __init__(self, command: list[str], folder: RunFolder | None, hooks: typing.Sequence[str] = ("stacks",)) -> None:
        self.command = command
        self.hooks = hooks
        self.folder = folder
        self.observation: Observation
        self.interrupted = False
        self.hung_at_interrupt = False
        self._relay = SignalRelay(self._signal_came)
        self._interrupted_at: float | None = None
        self._told_of_interrupt = False
        self.silence = self._habit = 0.0
        self._code: Json | None = None
        self._warming = threading.Thread(target=self._warm_up, daemon=True)
        self._seen = (time.monotonic(), 0.0)  # its last output and its longest pause, as of the previous check
        self._saved, self._save_at = -1, 0.0  # bytes of output, and when to save again

    def watch(self, hang_after: float | None, on_hang: typing.Callable[[], None]) -> int:
        """Run it until it ends.

        Args:
            hang_after: seconds without output after which it counts as hanging; ``None`` for never.
            on_hang: called once for each such silence while the program runs, and if it keeps running after Ctrl-C.

        Returns:
            its exit status, 128 + n after signal n.

        Raises:
            tfhelp.collectors.run.child.StartError: it cannot be started.
        """
        with self._relay:
            place = self.folder.make_folder("processes") if self.folder else None
            self._keeping = Keeping(self)
            self.observation = Observation(self.command, self._environment(place), place)
            child, output = self.observation.child, self.observation.output
            self._relay.follow(child)
            self._warming.start()
            told_at: float | None = None
            while not child.ended.wait(_LOOK_SECONDS):
                self._save_now_and_then()
                silent_too_long = hang_after and time.monotonic() - output.last_at > hang_after
                if (silent_too_long and told_at != output.last_at) or self._interrupt_is_due(hang_after):
                    told_at = output.last_at
                    self.observation.take_stacks()
                    on_hang()
                self._seen = (output.last_at, output.longest_pause)
            if (stop := self.stopped_by()) and not self._relay.went_to_group:
                self.observation.stop_rest(getattr(signal, stop))
            self.observation.finish()
        self.interrupted = "SIGINT" in self._relay.received and (child.exit_code in (130, 0xC000013A) or self._says_interrupted())
        self.hung_at_interrupt = bool(self._relay.received[:1] == ["SIGINT"] and self._was_silent(hang_after))
        self.save()
        self._save_documents(**{"facts.json": self.facts(hung=told_at == output.last_at or self.hung_at_interrupt)})
        return child.exit_code

    def _signal_came(self, name: str) -> None:
        """Output that the signal causes does not end the silence."""
        self.observation.stopped = self.observation.stopped or name in (*_STOPS, "SIGINT", "SIGQUIT")
        if name in _STOPS:
            self.observation.note_processes()
        if name == "SIGINT" and self._interrupted_at is None:
            now, output = time.monotonic(), self.observation.output
            if now - output.last_at >= 2 * _LOOK_SECONDS:
                self._seen = (output.last_at, output.longest_pause)
            self._interrupted_at = now
            self.silence, self._habit = now - self._seen[0], self._seen[1]

    def stopped_by(self) -> str:
        """The signal that tfhelp received and passed on to end the program; else empty."""
        return next((name for name in self._relay.received if name in _STOPS), "")

    def _was_silent(self, hang_after: float | None) -> bool:
        """Return whether it had been silent for so long at the first Ctrl-C that the user probably thought it hung."""
        return self._interrupted_at is not None and looks_hung(self.silence, self._habit, hang_after)

    def _interrupt_is_due(self, hang_after: float | None) -> bool:
        """Return ``True``, only once, if it was silent, was interrupted, and keeps running."""
        if self._interrupted_at is None or self._told_of_interrupt or not self._was_silent(hang_after):
            return False
        self._told_of_interrupt = time.monotonic() - self._interrupted_at > _TIME_TO_END
        return self._told_of_interrupt

    def _environment(self, place: str | None) -> dict[str, str]:
        """The environment with the hooks that write into the run's folder; without a folder there are no hooks."""
        return environment_with_hooks(os.environ, self.hooks if place else (), place or "")

    def _says_interrupted(self) -> bool:
        return b"KeyboardInterrupt" in self.observation.output.content()[-400:]

    def _save_now_and_then(self) -> None:
        """Save regularly, so that something is left if tfhelp is killed too."""
        if time.monotonic() > self._save_at and self._saved != self.observation.output.total:
            self._saved, begun = self.observation.output.total, time.thread_time()
            self._save_readings()
            self._save_at = time.monotonic() + max(_SAVE_SECONDS, (time.thread_time() - begun) / _SAVE_SHARE)

    def save(self) -> None:
        """Write what is known so far into the folder; a full disk does not prevent an answer."""
        if self.folder is None:
            return
        from tfhelp.service.run.sparkline import curves_of, svg

        self._save_readings()
        title = " ".join(self.command)[:100]
        try:
            self.folder.write("curves.svg", svg(curves_of(self.observation.sampler.samples[:]), title).encode())
        except OSError:
            pass

    def _save_readings(self) -> None:
        try:
            if self.folder is not None:
                self.folder.write("output.log", self.observation.output.content())
                self.folder.write_table("curves.csv", table(self.observation.sampler.samples[:]))
        except OSError:
            pass

    def _save_documents(self, **documents: typing.Mapping[str, typing.Any]) -> None:
        for name, document in documents.items():
            try:
                if self.folder is not None:
                    self.folder.write_json(name, document)
            except OSError:
                return

    def facts(self, hung: bool = False) -> Json:
        """The facts of the run and of its script, as a facts document."""
        from tfhelp.service.diagnosis.collecting import merge_documents

        script = script_of(self.command)
        observed = merge_documents(self.observation.facts(hung), self._learning())
        if stop := self.stopped_by():
            observed["run"]["received_signal"] = stop
            observed["run"].setdefault("killed_by", "outside")
        return merge_documents(observed, self._code_facts(script)) if script else observed

    def _warm_up(self) -> None:
        """While it runs, load what is needed to judge its end, so that the end is not delayed."""
        try:
            unwell("")
            if script := script_of(self.command):
                self._code_facts(script)
        except Exception:  # noqa: BLE001 - it is loaded again at the end, where a failure counts
            pass

    def _code_facts(self, script: str) -> Json:
        if self._code is None:
            self._code = _code_facts(script)
        return self._code

    def _learning(self) -> Json:
        return facts_of_learning(self.hooks, self.folder.file("processes") if self.folder else None)

    def text(self) -> str:
        """Its output, as far as it was kept."""
        return self.observation.output.content().decode("utf-8", "replace").replace("\x00", "")

    def hidden_text(self, waits_in: str | None = None) -> str:
        """The traceback of the process that failed first, if the output does not contain it; else empty.

        While the program runs, this only counts if it waits for other processes (``waits_in``); otherwise it may have survived
        the failure.
        """
        if self.interrupted or not (self.observation.child.ended.is_set() or waits_in in _WAITS_FOR_OTHERS):
            return ""
        root = next(iter(failed_records(self.observation.processes())), None)
        if root is None or not root.failure or root.failure.rstrip().rpartition("\n")[2] in self.text():
            return ""
        return f"\n{root.failure}"

    def hidden_failure(self) -> bool:
        """Return whether a process of the run failed without a request to stop the run."""
        observation = self.observation
        return bool(observation.hidden_failure(observation.processes()) or observation.worker_killed_for_memory())

    def ended_well(self) -> bool:
        """Return whether there is nothing to diagnose: exit code 0 with everything announced done, or ended by the user."""
        self._warming.join()
        if self.hung_at_interrupt:
            return False
        if self.observation.child.exit_code != 0:
            return self.interrupted
        if self.hidden_failure() or unwell(self.text(), self._script_says(_LACKS_BATCHES)):
            return False
        return not self._script_says(_WRONG_IN_SILENCE) and not learned_badly(self._learning())

    def findings(self, hung: bool = False) -> "Findings":
        """The findings about its processes: where they wait if it hangs, and which of them failed."""
        from tfhelp.collectors.run.process_facts import failure_rows, waiting_rows

        waits = waiting_rows(self.observation.waiting(), self.observation.child.pid) if hung else []
        failures = [] if self.interrupted else failure_rows(self.observation.processes())
        if len(failures) == 1 and self._has_said(failures[0]["how"]):
            failures = []  # the output ends with its traceback
        return {"waits": waits, "failures": failures, "since_last_good": self._keeping.since_last_good()}

    def _has_said(self, how: str) -> bool:
        return self.observation.child.exit_code != 0 and how in self.text() and ":" in how

    def keep(self, good: bool) -> None:
        """Keep, at the end, what later runs of the command are compared with."""
        self._keeping.keep(good)

    def _script_says(self, facts: typing.Iterable[str]) -> bool:
        """Return whether one of these facts of the code holds, and is more than a note."""
        script = script_of(self.command)
        known = (self._code_facts(script) if script else {}).get("code", {})
        notes = known.get("notes") or []
        return any(known.get(name) is True and f"code.{name}" not in notes for name in facts)

    def nothing_failed(self) -> Json:
        """The document of a run that needs no answer: its end, without a match."""
        run = self.facts()["run"]
        return {"verdict": "nothing-failed", "abstained": False, "matches": [], "facts": {"run": run}}

    def diagnose(self, hung: bool = False) -> "Answer":
        """The answer to this run, from its text, its readings, its script, and the machine that it ran on."""
        from tfhelp.service.diagnosis.diagnoser import Diagnoser
        from tfhelp.service.run.suspects import refine

        facts = self.facts(hung)
        collected = self._collected(facts)
        hidden = self.hidden_text(facts["run"].get("waits_in") if hung else None)
        diagnoser, text = Diagnoser.load(), self.text() + hidden
        findings = self.findings(hung)

        def ask(text: str) -> "Answer":
            return diagnoser.diagnose(text, facts, collected=collected)

        answer = refine(ask(text), findings, text, ask, diagnoser.knowledge)
        self._save_hidden(hidden)
        documents = {"facts.json": facts, "collected.json": collected, "findings.json": findings, "answer.json": answer}
        self._save_documents(**documents)
        return answer

    def _save_hidden(self, hidden: str) -> None:
        try:
            if self.folder is not None and hidden:
                self.folder.write("hidden.log", hidden.encode())
        except OSError:
            pass

    def _collected(self, facts: Json) -> Json:
        """Facts of the machine and of the interpreter that ran, without those that the run itself shows better."""
        from tfhelp.service.diagnosis.collecting import collect_facts

        first = shutil.which(self.command[0]) if is_python(self.command[0]) else None
        try:
            collected = collect_facts(first or self.observation.sampler.interpreter)
        except CollectorError:
            return {}
        for group, members in facts.items():
            if group != "_about" and isinstance(collected.get(group), dict):
                collected[group] = {name: value for name, value in collected[group].items() if name not in members}
        known = collected.get("_about", {})
        collected["_about"] = {path: about for path, about in known.items() if path not in facts.get("_about", {})}
        return collected


def looks_hung(silence: float, longest_pause: float, hang_after: float | None) -> bool:
    """Return whether a user who interrupts a program probably thought that it hung.

    Args:
        silence: seconds since its last output.
        longest_pause: the longest earlier time without output; for a program that is often silent, silence is normal.
        hang_after: the user's setting.

    >>> looks_hung(40, 5, None), looks_hung(40, 600, None), looks_hung(3, 0, None), looks_hung(3, 600, 2)
    (True, False, False, True)
    """
    return silence >= (hang_after or max(_LONG_SILENCE, _TIMES_ITS_PAUSE * longest_pause))


def script_of(command: list[str]) -> str | None:
    """The script that a Python command runs, if the file exists."""
    program = program_of(command) if command and is_python(command[0]) else ""
    return program if program.endswith(".py") and os.path.isfile(program) else None


def _code_facts(script: str) -> Json:
    from tfhelp.service.lint.linting import document_of_code

    try:
        return document_of_code(script)
    except InputError:  # not Python 3; the run's own message says more about it
        return {}


def make_folder(keep: int) -> RunFolder | None:
    """Create the folder of a new run; if that fails, the run goes on, and the user gets a message."""
    try:
        return RunFolder.make(keep)
    except OSError as error:
        print(f"tfhelp: this run is not kept: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return None
