"""Diagnosis in processes of its own.

An answer is mostly Python, of which one process runs one thread at a time. With a process for each processor the server
answers as many questions at once as the machine can, and a long log in one of them keeps nobody waiting. A text that takes
too long or too much memory ends its process, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
import typing

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compiled import Knowledge
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
_LATE_S = 1.0  # a pool tells of a missed deadline itself; so much later nobody waits for that
_here: list[Diagnoser] = []


class DiagnosisProcesses:
    """``Diagnoser.diagnose``, answered by whichever process is free.

    What cannot be answered raises one of ``tfhelp.service.workers.limits.UnavailableError``.

    Attributes:
        knowledge: the compiled knowledge base, for what needs no diagnosis.
        tell: is called after every diagnosis, in the caller's task or thread.
    """

    def __init__(
        self, knowledge: Knowledge, count: int, limits: Limits | None = None, make_ready: MakeReady | None = None
    ) -> None:
        """Start the processes; ``warm_up`` waits for them.

        Args:
            knowledge: that of the files beside the program.
            count: processes, one or more.
            limits: of each question.
            make_ready: what the processes load, in place of the diagnosis.
        """
        self.knowledge = knowledge
        self.tell: typing.Callable[[Diagnosed], object] = lambda told: None
        limits = limits or Limits()
        self._pool = Pool(starter(make_ready or _load, limits.memory_bytes), count, limits)

    async def diagnose(self, text: str, facts: Json | None, top: int, collected: Json | None = None) -> Answer:
        """As ``Diagnoser.diagnose``, whose errors come through."""
        document: Answer = await self._told(_diagnose, text, facts, top, collected)
        return document

    async def diagnose_json(self, text: str, facts: Json | None, top: int, notes: list[str]) -> bytes:
        """The document with notes as JSON: made over there, so that this process has only to hand it on."""
        content: bytes = await self._told(_diagnose_json, text, facts, top, notes)
        return content

    def diagnose_in_thread(self, text: str, facts: Json | None) -> Answer:
        """The same for callers that have a thread of their own to wait in."""
        began = time.perf_counter()
        document, told = self._result(self._pool.submit(_diagnose, text, facts, DEFAULT_TOP, None))
        self.tell(told.after(time.perf_counter() - began))
        return typing.cast("Answer", document)

    async def receive(self, pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
        """As ``tfhelp.service.diagnosis.given.receive``, whose errors come through."""
        given: Given = await self.ask(_receive, pieces, facts, most)
        return given

    def receive_in_thread(self, pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
        """The same for callers that have a thread of their own to wait in."""
        given: Given = self._result(self._pool.submit(_receive, pieces, facts, most))
        return given

    async def _told(self, function: typing.Callable[..., tuple[object, Diagnosed]], *arguments: object) -> typing.Any:
        began = time.perf_counter()
        result, told = await self.ask(function, *arguments)
        self.tell(told.after(time.perf_counter() - began))
        return result

    async def ask(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """What a function, which a process can import, returns there; its errors come through.

        Raises:
            tfhelp.service.workers.limits.UnavailableError: no process could do it.
        """
        try:
            async with asyncio.timeout(self._pool.limits.deadline_s + _LATE_S):
                return await asyncio.wrap_future(self._pool.submit(function, *arguments))
        except TimeoutError:
            raise self._overdue() from None

    def check_room(self) -> None:
        """Raises: tfhelp.service.workers.limits.BusyError: a question would be refused now."""
        self._pool.check_room()

    def warm_up(self) -> None:
        """Wait until each process is ready to answer.

        Raises:
            ArtefactError: they end before they are.
        """
        try:
            self._pool.wait_until_ready()
        except NotStartedError as error:
            raise ArtefactError(str(error)) from None

    def state(self) -> State:
        """What the processes do now, and what they did."""
        return self._pool.state()

    def close(self) -> None:
        """End the processes; what they are at may still come to an end within a second."""
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
    """Load what a diagnosis needs, and use it once: what that fills is then shared by all processes."""
    from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

    diagnoser = Diagnoser.load(warm=True)
    # Without the index the answers say that it is missing.
    with contextlib.suppress(ArtefactError):
        load_vectors(diagnoser.knowledge.phrases_version).search("warm up", 1)
    diagnoser.diagnose("ValueError: warm up")
    use(diagnoser)


def use(diagnoser: Diagnoser) -> None:
    """Answer with this one in this process and in all that are forked from it."""
    _here[:] = [diagnoser]
    # The knowledge base stays: looking through it for garbage again and again takes up to a twentieth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _diagnose(text: str, facts: Json | None, top: int, collected: Json | None) -> tuple[Answer, Diagnosed]:
    with stages.measured() as seconds:
        answer = _here[0].diagnose(text, facts, top, collected)
    return answer, Diagnosed.of(answer, seconds)


def _diagnose_json(text: str, facts: Json | None, top: int, notes: list[str]) -> tuple[bytes, Diagnosed]:
    answer, told = _diagnose(text, facts, top, None)
    return strict_json.dump(with_notes(answer, notes)), told


def _receive(pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
    return receive(pieces, facts, lambda: _here[0].knowledge.fact_types, most)
