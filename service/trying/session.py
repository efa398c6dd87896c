"""``tfhelp try``: run the program, choose experiments that decide between its causes, and answer with what they showed."""

import typing

from tfhelp.collectors.scratch import Scratch
from tfhelp.kb import templates
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.causes import rank
from tfhelp.service.diagnosis.collecting import merge_documents
from tfhelp.service.diagnosis.diagnoser import DEFAULT_TOP, Diagnoser
from tfhelp.service.diagnosis.document import answer_of
from tfhelp.service.diagnosis.reading import Reading
from tfhelp.service.diagnosis.verdict import Decision, Shown, decide
from tfhelp.service.errors import InputError
from tfhelp.service.trying.choosing import Planned, plan
from tfhelp.service.trying.trial import Trial, Watch, facts_of, run_trial

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]

_TIME_LIKE_FIRST = 3.0  # the most that an experiment may take, in multiples of its planned time
_SECONDS_MORE = 30.0
_NAMED_BY_USER = 0.9  # confidence of an entry that the user names, because the user sees the symptom


class Tried(typing.NamedTuple):
    """An experiment that was run.

    Attributes:
        planned: the planned experiment.
        facts: the facts that it found; empty if it found nothing.
        says: the result as a sentence.
        seconds: how long it took.
    """

    planned: Planned
    facts: Json
    says: str
    seconds: float


class Listener(typing.Protocol):
    """Receives the progress of the session; the command line shows it."""

    def begins(self, what: str, seconds: float | None) -> None:
        """A run begins, and takes about this long; ``None`` if that is not known."""

    def ended(self, says: str, seconds: float) -> None:
        """The run is over, with this result."""

    def planned(self, experiments: list[Planned]) -> None:
        """These experiments could decide, in this order."""


class Session:
    """One failing program and what is known about it.

    Attributes:
        first: the run of the unchanged program.
        tried: the experiments that were run.
        facts: the facts that they found.
    """

    def __init__(self, command: list[str], scratch: Scratch, watch: Watch, entry: str = "") -> None:
        """Args: command: the user's. scratch: where it runs. watch: how it is watched. entry: the symptom that the user names.

        Raises:
            InputError: there is no entry ``entry``.
        """
        self._diagnoser = Diagnoser.load()
        if entry and entry not in self._diagnoser.knowledge.summaries:
            raise InputError(f"no entry is called {entry!r}; 'tfhelp explain' lists them")
        self._command = command
        self._scratch = scratch
        self._watch = watch
        self._entry = entry
        self.first: Trial
        self.tried: list[Tried] = []
        self.facts: Json = {}

    @property
    def named(self) -> bool:
        """Return whether the user named the symptom."""
        return bool(self._entry)

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge base in use."""
        return self._diagnoser.knowledge

    def run_first(self, limit: float, listener: Listener) -> None:
        """Run the unchanged program.

        Raises:
            InputError: it cannot be run, or takes longer than ``limit`` seconds.
        """
        listener.begins("the program as it is", None)
        self.first = run_trial(self._scratch, self._command, None, "", limit, self._watch)
        listener.ended(_how_it_ended(self.first), self.first.seconds)
        if self.first.ended == "stopped":
            raise InputError(f"the program did not fail within {limit:.0f} s; give more time with --budget")

    def answer(self) -> "Answer":
        """The answer from what is known so far."""
        reading = self._reading()
        return answer_of(self._decision(reading), reading, self.knowledge)

    def next(self) -> list[Planned]:
        """The experiments that could decide between the remaining causes; empty if nothing is left to decide."""
        reading = self._reading()
        decision = self._decision(reading)
        if not decision.shown or decision.verdict == "nothing-failed":
            return []
        causes = decision.shown[0].causes
        if causes[0].verdict == "confirmed":
            return []
        experiments = self.knowledge.tables.table("experiments")
        done = {item.planned.name for item in self.tried}
        return plan(causes, reading.sheet, experiments, self.first.seconds, done)

    def run_next(self, planned: Planned, limit: float, listener: Listener) -> None:
        """Run one experiment and keep its facts."""
        listener.begins(planned.experiment["title"], planned.seconds)
        self._scratch.fresh()
        most = min(limit, _TIME_LIKE_FIRST * planned.seconds + _SECONDS_MORE)
        trial = run_trial(self._scratch, self._command, planned.experiment, planned.name, most, self._watch)
        facts = facts_of(self.first, trial, planned.name, planned.experiment)
        self.facts |= facts
        says = _says(planned, facts)
        self.tried.append(Tried(planned, facts, says, trial.seconds))
        listener.ended(says, trial.seconds)

    def _reading(self) -> Reading:
        about = {f"tried.{name}": {"source": "experiment"} for name in self.facts}
        found: Json = {"tried": self.facts, "_about": about} if self.facts else {}
        return self._diagnoser.read(self.first.text, merge_documents(found, self.first.facts), self.first.collected)

    def _decision(self, reading: Reading) -> Decision:
        decision = decide(reading, self.knowledge, DEFAULT_TOP)
        if not self._entry or (decision.shown and decision.shown[0].candidate.entry == self._entry):
            return decision
        candidate = next((item for item in reading.candidates if item.entry == self._entry), None) or Candidate(self._entry)
        causes = rank(self.knowledge.entry(self._entry), reading.sheet, reading.records, candidate.likeness)
        return Decision("diagnosed", [Shown(candidate, _NAMED_BY_USER, causes)], decision.benign, [])


def _says(planned: Planned, facts: Json) -> str:
    if not facts:
        return "It showed nothing: the change did not take effect, or the time was over."
    return templates.fill(planned.experiment["outcomes"][facts[planned.name]], {f"tried.{k}": v for k, v in facts.items()}.get)


def _how_it_ended(trial: Trial) -> str:
    if trial.ended == "well":
        return "It runs to its end, and its output shows no failure."
    if trial.ended == "stopped":
        return "It was stopped because its time was over."
    how = "It hangs" if trial.ended == "hung" else f"It ends with exit code {trial.exit_code}"
    return f"{how}: {trial.entry}." if trial.entry and not trial.entry.startswith("exit code") else f"{how}."
