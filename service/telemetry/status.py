"""How a service is doing, for its operators: the team's week, and this server since its start."""

import time
import typing

from tfhelp.service.faults import log_fault
from tfhelp.service.memory.asking import is_team_memory
from tfhelp.service.telemetry.readiness import Readiness
from tfhelp.service.telemetry.watch import Watch
from tfhelp.service.version import VERSION

if typing.TYPE_CHECKING:
    from tfhelp.service.memory.figures import EntryCount, Failure, Figures, FreshFigures
    from tfhelp.service.memory.memory import Memory
    from tfhelp.service.memory.store import TeamMemory


class Counted(typing.TypedDict):
    """An entry, and how many diagnoses named it first."""

    entry: str
    times: int


class Met(typing.TypedDict):
    """A failure that was seen: how often, the entry that was named (or empty), and its message, redacted and without values."""

    fingerprint: str
    times: int
    entry: str
    message: str


class Week(typing.TypedDict):
    """The last seven days in the team's memory.

    `answered` and `helped` are shares, null if there is nothing to divide. `verdicts` and `said` count diagnoses and feedback.
    """

    diagnoses: int
    answered: float | None
    helped: float | None
    verdicts: dict[str, int]
    said: dict[str, int]
    entries: list[Counted]
    failures: list[Met]
    new: int
    newest: list[Met]


class Here(typing.TypedDict):
    """One server since it started. `started`: in seconds since 1970, UTC. `diagnosis` and `memory`: ok, or what is wrong."""

    started: float
    diagnosis: str
    memory: str
    verdicts: dict[str, int]


class Status(typing.TypedDict):
    """How the service is doing. `week` is null if there is no team's memory, or if it does not answer."""

    version: str
    kb_version: str
    server: Here
    week: Week | None


class Watching:
    """Computes the status.

    Args:
        watch: holds this server's counters.
        readiness: says whether the server can answer.
        memory: the server's memory.
        kb_version: version of the knowledge base.
    """

    def __init__(self, watch: Watch, readiness: Readiness, memory: "Memory", kb_version: str) -> None:
        self._watch = watch
        self._readiness = readiness
        self._kb_version = kb_version
        self._figures = _figures_of(memory)
        self._started = time.time()

    async def status(self, run: typing.Callable[..., typing.Awaitable[typing.Any]]) -> Status:
        """The status.

        Args:
            run: runs a function in a thread, because it waits for a database.
        """
        state = await self._readiness.state()
        server: Here = {
            "started": self._started,
            "diagnosis": state["diagnosis"],
            "memory": state["memory"],
            "verdicts": self._watch.metrics.verdicts(),
        }
        return {"version": VERSION, "kb_version": self._kb_version, "server": server, "week": await run(self.week)}

    def week(self) -> Week | None:
        """The figures of the last seven days, at most a minute old; None without a team's memory, or if it does not answer."""
        if self._figures is None:
            return None
        try:
            return _week_of(self._figures.get())
        except Exception as error:  # noqa: BLE001 - database drivers raise their own classes
            log_fault("reading the figures of the week", error)
            return None

    @property
    def has_memory(self) -> bool:
        """Whether the server has a team's memory."""
        return self._figures is not None


def _figures_of(memory: "Memory") -> "FreshFigures | None":
    if not is_team_memory(memory):
        return None
    from tfhelp.service.memory.figures import FreshFigures

    return FreshFigures(typing.cast("TeamMemory", memory))


def _week_of(figures: "Figures") -> Week:
    return {
        "diagnoses": figures.diagnoses,
        "answered": figures.answered,
        "helped": figures.helped,
        "verdicts": figures.verdicts,
        "said": figures.said,
        "entries": [_counted(one) for one in figures.entries],
        "failures": [_met(one) for one in figures.failures],
        "new": figures.new,
        "newest": [_met(one) for one in figures.newest],
    }


def _counted(one: "EntryCount") -> Counted:
    return {"entry": one.entry, "times": one.times}


def _met(one: "Failure") -> Met:
    return {"fingerprint": one.fingerprint, "times": one.times, "entry": one.entry, "message": one.message}
