"""A training that is run and watched over; when it ends badly, ends early or hangs, the diagnosis follows by itself."""

import os
import shutil
import sys
import time
import typing

from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.run.child import SignalRelay
from tfhelp.collectors.run.curves import table
from tfhelp.collectors.run.injected import environment_with_hooks
from tfhelp.collectors.run.observation import Observation
from tfhelp.collectors.run.sampler import is_python
from tfhelp.service.errors import InputError
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.learning import facts_of_learning, learned_badly

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]

_LOOK_SECONDS = 0.2
_SAVE_SECONDS, _SAVE_SHARE = 2.0, 0.02  # between two savings while it runs: what ends us too leaves something to read
_TAKES_A_VALUE = ("-W", "-X", "--check-hash-based-pycs")
# What calls for an answer although the exit code is 0: of the text, and of the script, where it did no harm that is seen.
_NOT_WELL = ("derived.stopped_early", "log.loss_is_nan")
_WRONG_IN_SILENCE = ("model_outside_scope", "load_outside_scope", "inputs_scaled_differently", "shuffled_apart")


class WatchedRun:
    """One run from its start to its answer.

    Attributes:
        command: program and arguments.
        folder: where it is kept; ``None`` where no folder could be made.
        observation: the program and what was read of it, once it is started.
        hooks: what is started inside its interpreters (``tfhelp.collectors.run.injected``).
        interrupted: the user ended it (Ctrl-C).
    """

    def __init__(self, command: list[str], folder: RunFolder | None, hooks: typing.Sequence[str] = ("stacks",)) -> None:
        self.command = command
        self.hooks = hooks
        self.folder = folder
        self.observation: Observation
        self.interrupted = False
        self._saved = (0.0, -1)

    def watch(self, hang_after: float | None, on_hang: typing.Callable[[], None]) -> int:
        """Run it to its end.

        Args:
            hang_after: seconds without output after which it counts as hanging; ``None`` for never.
            on_hang: called once for each such silence, while the program goes on.

        Returns:
            its exit status, 128 + n after signal n.

        Raises:
            tfhelp.collectors.run.child.StartError: it cannot be started.
        """
        relay = SignalRelay()
        with relay:
            self.observation = Observation(self.command, self._environment())
            child, output = self.observation.child, self.observation.output
            relay.follow(child)
            told_at: float | None = None
            while not child.ended.wait(_LOOK_SECONDS):
                self._save_now_and_then()
                if hang_after and time.monotonic() - output.last_at > hang_after and told_at != output.last_at:
                    told_at = output.last_at
                    on_hang()
            self.observation.finish()
        self.interrupted = "SIGINT" in relay.received and (child.exit_code in (130, 0xC000013A) or self._says_interrupted())
        self.save()
        self._save_documents(**{"facts.json": self.facts(hung=told_at == output.last_at)})
        return child.exit_code

    def _environment(self) -> dict[str, str]:
        """Ours, with the hooks in it that write into the run's folder; without a folder there are none."""
        place = self.folder.make_folder("processes") if self.folder else None
        return environment_with_hooks(os.environ, self.hooks if place else (), place or "")

    def _says_interrupted(self) -> bool:
        return b"KeyboardInterrupt" in self.observation.output.content()[-400:]

    def _save_now_and_then(self) -> None:
        saved_at, size = self._saved
        now = time.monotonic()
        pause = max(_SAVE_SECONDS, _SAVE_SHARE * (now - self.observation.child.started_at))
        if now - saved_at > pause and size != self.observation.output.total:
            self._saved = (now, self.observation.output.total)
            self.save()

    def save(self) -> None:
        """Put what is known so far into the folder; a full disk keeps nobody from an answer."""
        if self.folder is None:
            return
        from tfhelp.service.run.sparkline import curves_of, svg

        samples = self.observation.sampler.samples[:]
        title = " ".join(self.command)[:100]
        try:
            self.folder.write("output.log", self.observation.output.content())
            self.folder.write_table("curves.csv", table(samples))
            self.folder.write("curves.svg", svg(curves_of(samples), title).encode())
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
        """What was read of the run and of its script, as a facts document."""
        from tfhelp.service.diagnosis.collecting import merge_documents

        script = script_of(self.command)
        observed = merge_documents(self.observation.facts(hung), self._learning())
        return merge_documents(observed, _code_facts(script)) if script else observed

    def _learning(self) -> Json:
        return facts_of_learning(self.hooks, self.folder.file("processes") if self.folder else None)

    def text(self) -> str:
        """What it said, as far as it was kept."""
        return self.observation.output.content().decode("utf-8", "replace").replace("\x00", "")

    def ended_well(self) -> bool:
        """Whether there is nothing to tell: exit code 0 with all that was announced done, or ended by the user."""
        if self.observation.child.exit_code != 0:
            return self.interrupted
        return not unwell(self.text()) and not self._wrong_in_silence() and not learned_badly(self._learning())

    def _wrong_in_silence(self) -> bool:
        """Whether the script has a fault that lets it run to its end and yet not do what it should.

        Such a one trains on one device of several, or asks a model about inputs of another scale.
        """
        script = script_of(self.command)
        known = (_code_facts(script) if script else {}).get("code", {})
        notes = known.get("notes") or []
        return any(known.get(name) is True and f"code.{name}" not in notes for name in _WRONG_IN_SILENCE)

    def diagnose(self, hung: bool = False) -> "Answer":
        """The answer to this run: its text, what was read of it, its script, and the machine that it ran on."""
        from tfhelp.service.diagnosis.diagnoser import Diagnoser

        facts = self.facts(hung)
        collected = self._collected(facts)
        answer = Diagnoser.load().diagnose(self.text(), facts, collected=collected)
        self._save_documents(**{"facts.json": facts, "collected.json": collected, "answer.json": answer})
        return answer

    def _collected(self, facts: Json) -> Json:
        """Facts of the machine and of the interpreter that ran, without what the run itself saw better."""
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


def unwell(text: str) -> bool:
    """Whether what a program said calls for an answer although it ended with exit code 0.

    It does when fewer epochs were done than announced, when the loss is NaN, or when a line is known to mean that training
    goes on but worse than it should (entries of severity ``degraded``). Failures that the program survived are its own affair.
    """
    from tfhelp.collectors import text_facts
    from tfhelp.collectors.reading import read
    from tfhelp.index.signatures import scan
    from tfhelp.kb import compiled
    from tfhelp.kb.derived import derive
    from tfhelp.service.diagnosis.candidates import kept_hits

    knowledge = compiled.load()
    pasted = read(text)
    sheet = text_facts.read(pasted)
    sheet.put("run.exit_code", 0, "tfhelp run")
    derive(sheet, knowledge.tables)
    if any(sheet.get(path) is True for path in _NOT_WELL):
        return True
    return any(
        hit.signature.strength == "decisive" and knowledge.summaries[hit.signature.entry]["severity"] == "degraded"
        for hit in kept_hits(scan(knowledge.signatures, pasted.records))
    )


def script_of(command: list[str]) -> str | None:
    """The script that a Python command runs, if it is a file that is there."""
    if not command or not is_python(command[0]):
        return None
    words = iter(command[1:])
    for word in words:
        if word in _TAKES_A_VALUE:
            next(words, None)
        elif word in ("-m", "-c", "-"):
            return None
        elif not word.startswith("-"):
            return word if word.endswith(".py") and os.path.isfile(word) else None
    return None


def _code_facts(script: str) -> Json:
    from tfhelp.service.lint.linting import document_of_code

    try:
        return document_of_code(script)
    except InputError:  # no Python 3, and the run's own message says more of it
        return {}


def make_folder(keep: int) -> RunFolder | None:
    """A folder for a new run; without one the run goes on, and the user is told."""
    try:
        return RunFolder.make(keep)
    except OSError as error:
        print(f"tfhelp: this run is not kept: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return None
