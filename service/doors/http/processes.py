"""Diagnosis in separate processes.

An answer is mostly Python code, and a Python process runs one thread at a time. With a process for each processor, the server
answers as many questions at once as the machine can, and a long log in one process delays nobody else. A text that takes too
much time or memory ends only its own process.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
import typing

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.access.identity import current
from tfhelp.service.diagnosis import stages
from tfhelp.service.diagnosis.diagnoser import DEFAULT_TOP
from tfhelp.service.diagnosis.given import Given, Piece, receive, with_notes
from tfhelp.service.doors.http import strict_json
from tfhelp.service.telemetry.diagnosed import Diagnosed
from tfhelp.service.workers.limits import DeadlineError, Limits, NotStartedError
from tfhelp.service.workers.pool import Job, Pool, State
from tfhelp.service.workers.starting import MakeReady, starter

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

Json = dict[str, typing.Any]

_OBJECTS_BETWEEN_COLLECTIONS = 20_000
_LATE_S = 1.0  # the pool itself reports a missed deadline; this long after it, the caller stops waiting
_here: list[Diagnoser] = []


class DiagnosisProcesses:
    """``Diagnoser.diagnose``, answered by any free process.

    The clients that send the current requests take turns. A question that cannot be answered raises a ``tfhelp.service.workers.limits.UnavailableError``.

    Attributes:
        knowledge: the compiled knowledge base, for requests that need no diagnosis.
        on_diagnosed: called after every diagnosis, in the caller's task or thread.
    """

    def __init__(
        self, knowledge: Knowledge, count: int, limits: Limits | None = None, make_ready: MakeReady | None = None
    ) -> None:
        """Start the processes; ``warm_up`` waits for them.

        Args:
            knowledge: the compiled knowledge base from the files next to the program.
            count: how many processes, one or more.
            limits: limits of each question.
            make_ready: what the processes load instead of the diagnosis.
        """
        self.knowledge = knowledge
        self.on_diagnosed: typing.Callable[[Diagnosed], object] = lambda summary: None
        limits = limits or Limits()
        self._pool = Pool(starter(make_ready or _load, limits.memory_bytes), count, limits)

    async def diagnose(self, text: str, facts: Json | None, top: int, collected: Json | None = None) -> Answer:
        """Like ``Diagnoser.diagnose``; its errors are raised here."""
        document: Answer = await self._asked_and_reported(_diagnose, text, facts, top, collected)
        return document

    async def diagnose_json(self, text: str, facts: Json | None, top: int, notes: list[str]) -> bytes:
        """The document with notes, as JSON. The worker makes it, so this process only has to send it."""
        content: bytes = await self._asked_and_reported(_diagnose_json, text, facts, top, notes)
        return content

    def diagnose_in_thread(self, text: str, facts: Json | None) -> Answer:
        """The same, for a caller whose own thread can wait."""
        began = time.perf_counter()
        document, summary = self._result(self._pool.submit(current().client, _diagnose, text, facts, DEFAULT_TOP, None))
        self.on_diagnosed(summary.after(time.perf_counter() - began))
        return typing.cast("Answer", document)

    async def receive(self, pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
        """Like ``tfhelp.service.diagnosis.given.receive``; its errors are raised here."""
        given: Given = await self.ask(_receive, pieces, facts, most)
        return given

    def receive_in_thread(self, pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
        """The same, for a caller whose own thread can wait."""
        given: Given = self._result(self._pool.submit(current().client, _receive, pieces, facts, most))
        return given

    async def _asked_and_reported(
        self, function: typing.Callable[..., tuple[object, Diagnosed]], *arguments: object
    ) -> typing.Any:
        began = time.perf_counter()
        result, summary = await self.ask(function, *arguments)
        self.on_diagnosed(summary.after(time.perf_counter() - began))
        return result

    async def ask(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """Call an importable function in a worker. Return its result; its errors are raised here.

        Raises:
            tfhelp.service.workers.limits.UnavailableError: no worker could do it.
        """
        try:
            async with asyncio.timeout(self._pool.limits.deadline_s + _LATE_S):
                return await asyncio.wrap_future(self._pool.submit(current().client, function, *arguments))
        except TimeoutError:
            raise self._overdue() from None

    def check_room(self) -> None:
        """Raises: tfhelp.service.workers.limits.BusyError: a new question of the current client would be refused now."""
        self._pool.check_room(current().client)

    def warm_up(self) -> None:
        """Wait until each process is ready to answer.

        Raises:
            ArtefactError: the processes exit before they are ready.
        """
        try:
            self._pool.wait_until_ready()
        except NotStartedError as error:
            raise ArtefactError(str(error)) from None

    def state(self) -> State:
        """The pool's current state and its counters."""
        return self._pool.state()

    def close(self) -> None:
        """End the processes; running work has one more second."""
        self._pool.close()

    def _result(self, job: Job) -> typing.Any:
        try:
            return job.result(self._pool.limits.deadline_s + _LATE_S)
        except TimeoutError:
            job.cancel()
            raise self._overdue() from None

    def _overdue(self) -> DeadlineError:
        return DeadlineError(f"No answer came within {self._pool.limits.deadline_s:g} seconds. Ask again in a moment.")


def _load() -> None:
    """Load what a diagnosis needs, and run one diagnosis: all processes then share what this loads."""
    from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

    diagnoser = Diagnoser.load(warm=True)
    # Without the index, the answers say that it is missing.
    with contextlib.suppress(ArtefactError):
        load_vectors(diagnoser.knowledge.phrases_version).search("warm up", 1)
    diagnoser.diagnose("ValueError: warm up")
    use(diagnoser)


def use(diagnoser: Diagnoser) -> None:
    """Answer with this diagnoser, in this process and in all processes forked from it."""
    _here[:] = [diagnoser]
    # The knowledge base stays: collecting garbage in it again and again takes up to a twentieth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _diagnose(text: str, facts: Json | None, top: int, collected: Json | None) -> tuple[Answer, Diagnosed]:
    with stages.measured() as seconds:
        answer = _here[0].diagnose(text, facts, top, collected)
    return answer, Diagnosed.of(answer, seconds)


def _diagnose_json(text: str, facts: Json | None, top: int, notes: list[str]) -> tuple[bytes, Diagnosed]:
    answer, summary = _diagnose(text, facts, top, None)
    return strict_json.dump(with_notes(answer, notes)), summary


def _receive(pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
    return receive(pieces, facts, lambda: _here[0].knowledge.fact_types, most)
