"""A team's memory, compared with a plain Python model: keeping, replying, deleting and moving, by two processes at once."""

import dataclasses
import typing

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from tests.service.memory.answers import Clock, card_full, given, unknown
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.exchange import export, import_lines
from tfhelp.service.memory.looking import count, delete_feedback
from tfhelp.service.memory.memory import Said, Seen
from tfhelp.service.memory.similar import Embedder
from tfhelp.service.memory.store import DEFAULT_DAYS, TeamMemory
from tfhelp.service.memory.tables import INCIDENTS

Json = dict[str, typing.Any]
DAY_S = 86_400.0
SAME_ATTEMPT_S = 600.0
FAILURES: dict[str, typing.Callable[[], Json]] = {"card": card_full, "quux": unknown, "frob": lambda: unknown("frob")}
SENDERS = ("", "ana", "bo")


@dataclasses.dataclass
class Word:
    """A sender's reply and its time; ``order`` distinguishes two replies at the same moment."""

    said: Said
    words: str
    by: str
    cause: str
    at: float
    order: int


@dataclasses.dataclass
class Incident:
    """A kept answer, as the model stores it."""

    token: str
    at: float
    failure: str
    sender: str
    log: int
    again: bool
    shown: str
    words: dict[str, Word] = dataclasses.field(default_factory=dict)


class Memories(RuleBasedStateMachine):
    """Two memories over one database, and the model."""

    opened: typing.ClassVar[tuple[TeamMemory, TeamMemory, TeamMemory]]
    clock: typing.ClassVar[Clock]
    tokens = Bundle("tokens")

    def __init__(self) -> None:
        super().__init__()
        self.model: dict[str, Incident] = {}
        self.orders = 0

    @initialize()
    def empty(self) -> None:
        for memory in self.opened[1:]:
            memory.delete(INCIDENTS.c.id > 0)

    def _oldest(self) -> float:
        return self.clock.now - DEFAULT_DAYS * DAY_S

    def _living(self) -> list[Incident]:
        return [one for one in self.model.values() if one.at >= self._oldest()]

    def _seen(self, failure: str) -> Seen | None:
        same = [one for one in self._living() if one.failure == failure]
        counted = [one.at for one in same if not one.again]
        if not counted:
            return None
        helped = [(word.at, word.order, word, one) for one in same for word in one.words.values() if word.said == "helped"]
        if not helped:
            return Seen(len(counted), min(counted), max(counted))
        _, _, word, one = max(helped, key=lambda row: row[:2])
        return Seen(len(counted), min(counted), max(counted), word.cause or one.shown, word.words, word.by)

    @rule(
        target=tokens,
        who=st.integers(0, 1),
        failure=st.sampled_from(sorted(FAILURES)),
        sender=st.sampled_from(SENDERS),
        log=st.integers(1, 2),
    )
    def keep(self, who: int, failure: str, sender: str, log: int) -> str:
        same = [one for one in self.model.values() if (one.failure, one.sender, one.log) == (failure, sender, log)]
        again = any(one.at >= self.clock.now - SAME_ATTEMPT_S for one in same)
        before = self._seen(failure)
        token = self.opened[who].keep(FAILURES[failure](), given(log), sender)
        kept = self.opened[1 - who].read(token)
        assert kept is not None and kept.at == self.clock.now
        assert kept.answer["memory"]["times"] == (before.times if before else 0)
        match = (kept.answer["matches"] or [{"entry": "", "causes": [{"cause": ""}]}])[0]
        named = not kept.answer["abstained"]
        shown = f"{match['entry']}/{match['causes'][0]['cause']}" if named else ""
        self.model[token] = Incident(token, self.clock.now, failure, sender, log, again, shown)
        return token

    @rule(who=st.integers(0, 1), token=tokens)
    def read(self, who: int, token: str) -> None:
        kept = self.opened[who].read(token)
        incident = self.model.get(token)
        if incident is None or incident.at < self._oldest():
            assert kept is None
        else:
            assert kept is not None and (kept.token, kept.at, kept.given) == (token, incident.at, given(incident.log))

    @rule(who=st.integers(0, 1), token=consumes(tokens))
    def forget(self, who: int, token: str) -> None:
        assert self.opened[who].forget(token) is (self.model.pop(token, None) is not None)
        assert self.opened[1 - who].forget(token) is False

    @rule(
        who=st.integers(0, 1),
        token=tokens,
        sender=st.sampled_from(SENDERS),
        said=st.sampled_from(typing.get_args(Said)),
        words=st.sampled_from(["", "half the batch", "a\x00b \ud800", "x" * 3_000]),
        cause=st.sampled_from(["", "card-full/neighbour"]),
    )
    def feedback(self, who: int, token: str, sender: str, said: Said, words: str, cause: str) -> None:
        noted = self.opened[who].feedback(token, said, sender, words, "Cy", cause)
        incident = self.model.get(token)
        assert noted is (incident is not None and incident.at >= self._oldest())
        if noted and incident is not None:
            self.orders += 1
            order = incident.words[sender].order if sender in incident.words else self.orders
            incident.words[sender] = Word(said, _stored(words), "Cy", cause, self.clock.now, order)

    @rule(who=st.integers(0, 1), failure=st.sampled_from(sorted(FAILURES)))
    def seen(self, who: int, failure: str) -> None:
        assert self.opened[who].seen(FAILURES[failure]()) == self._seen(failure)

    @rule(seconds=st.sampled_from([1.0, SAME_ATTEMPT_S, SAME_ATTEMPT_S + 1, DAY_S, 90 * DAY_S, 181 * DAY_S]))
    def time_passes(self, seconds: float) -> None:
        self.clock.sleep(seconds=seconds)

    @rule(who=st.integers(0, 1))
    def purge(self, who: int) -> None:
        old = [token for token, one in self.model.items() if one.at < self._oldest()]
        assert self.opened[who].purge() == len(old)
        for token in old:
            del self.model[token]

    @rule(who=st.integers(0, 1), sender=st.sampled_from(SENDERS[1:]))
    def delete_feedback(self, who: int, sender: str) -> None:
        spoken = [one for one in self.model.values() if one.words.pop(sender, None) is not None]
        assert delete_feedback(self.opened[who], sender) == len(spoken)

    @rule(target=tokens, who=st.integers(0, 1))
    def move(self, who: int) -> typing.Any:
        """Export everything, import it elsewhere and here; the copy equals the original."""
        lines = list(export(self.opened[who]))
        elsewhere = self.opened[2]
        elsewhere.delete(INCIDENTS.c.id > 0)
        assert import_lines(elsewhere, lines, "a.jsonl") == (len(self.model), 0)
        assert list(export(elsewhere)) == lines
        assert import_lines(self.opened[1 - who], lines, "a.jsonl") == (0, len(self.model))
        assert list(export(self.opened[1 - who])) == lines
        return multiple()

    @invariant()
    def all_are_there(self) -> None:
        assert [count(memory, INCIDENTS.c.id > 0) for memory in self.opened[:2]] == [len(self.model)] * 2


def _stored(words: str) -> str:
    """A person's words as a database stores them."""
    return words.replace("\x00", "").encode("utf-8", "replace").decode()[:2_000]


def _run(first: str, other: str, embedder: Embedder, clock: Clock, examples: int, steps: int) -> None:
    memories = tuple(TeamMemory(open_engine(where), clock=clock, embedder=embedder) for where in (first, first, other))
    machine: type[Memories] = type("OfOneDatabase", (Memories,), {"opened": memories, "clock": clock})
    kept = settings(max_examples=examples, stateful_step_count=steps, suppress_health_check=list(HealthCheck), database=None)
    try:
        run_state_machine_as_test(machine, settings=kept)
    finally:
        for memory in memories:
            memory.close()


def test_any_order_of_calls_in_sqlite(tmp_path: typing.Any, embedder: Embedder, clock: Clock) -> None:
    _run(f"sqlite:///{tmp_path / 'team.db'}", f"sqlite:///{tmp_path / 'other.db'}", embedder, clock, 4, 15)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_many_orders_of_calls_in_postgresql(where: str, tmp_path: typing.Any, embedder: Embedder, clock: Clock) -> None:
    _run(where, f"sqlite:///{tmp_path / 'other.db'}", embedder, clock, 15, 30)
