"""Diagnosis in processes of its own.

An answer is mostly Python, of which one process runs one thread at a time. With a process for each processor the server
answers as many questions at once as the machine can, and a long log in one of them keeps nobody waiting.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import concurrent.futures.process
import gc
import multiprocessing
import os
import signal
import threading
import typing

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.diagnosis.diagnoser import DEFAULT_TOP
from tfhelp.service.diagnosis.given import Given, Piece, receive, with_notes
from tfhelp.service.doors.http import strict_json

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]

_OBJECTS_BETWEEN_COLLECTIONS = 20_000
_ATTEMPTS = 2  # a question that was under way beside one that ended the processes is asked again
_here: list[Diagnoser] = []


class DiagnosisProcesses:
    """``Diagnoser.diagnose``, answered by whichever process is free.

    Attributes:
        knowledge: the compiled knowledge base, for what needs no diagnosis.
    """

    def __init__(self, knowledge: Knowledge, count: int) -> None:
        """Args: knowledge: that of the files beside the program. count: processes, one or more; each starts when needed."""
        self.knowledge = knowledge
        self._count = count
        self._lock = threading.Lock()
        self._pool = self._start()

    async def diagnose(self, text: str, facts: Json | None, top: int, collected: Json | None = None) -> Answer:
        """As ``Diagnoser.diagnose``, whose errors come through.

        Raises:
            RuntimeError: the process ended over this question, twice.
        """
        document: Answer = await self._ask(_diagnose, text, facts, top, collected)
        return document

    async def diagnose_json(self, text: str, facts: Json | None, top: int, notes: list[str]) -> bytes:
        """The document with notes as JSON: made over there, so that this process has only to hand it on."""
        content: bytes = await self._ask(_diagnose_json, text, facts, top, notes)
        return content

    def diagnose_in_thread(self, text: str, facts: Json | None) -> Answer:
        """The same for callers that have a thread of their own to wait in."""
        return asyncio.run(self.diagnose(text, facts, DEFAULT_TOP))

    async def receive(self, pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
        """As ``tfhelp.service.diagnosis.given.receive``, whose errors come through."""
        given: Given = await self._ask(_receive, pieces, facts, most)
        return given

    async def _ask(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        for _ in range(_ATTEMPTS):
            pool = self._pool
            try:
                return await asyncio.wrap_future(pool.submit(function, *arguments))
            except concurrent.futures.process.BrokenProcessPool:
                self._replace(pool)
        raise RuntimeError("the process that diagnosed this text ended without an answer")

    def warm_up(self) -> None:
        """Start all processes and wait until each is ready to answer.

        Raises:
            ArtefactError: they end before they are.
        """
        pool = self._pool
        try:
            for started in [pool.submit(_diagnose, "", None, 1, None) for _ in range(self._count)]:
                started.result()
        except concurrent.futures.process.BrokenProcessPool:
            self._replace(pool)
            raise ArtefactError("the processes that diagnose end as they start; what they say stands above") from None

    def close(self) -> None:
        """End the processes; what they are at is finished first."""
        self._pool.shutdown(cancel_futures=True)

    def _start(self) -> concurrent.futures.ProcessPoolExecutor:
        # Not forked: the server has threads, and a forked lock stays locked.
        return concurrent.futures.ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), _load)

    def _replace(self, broken: concurrent.futures.ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is broken:
                self._pool = self._start()


def _load() -> None:
    """Make a new process ready: it leaves Ctrl-C to the server, and ends when the server has gone."""
    from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    diagnoser = Diagnoser.load(warm=True)
    load_vectors(diagnoser.knowledge.phrases_version).search("warm up", 1)
    _here.append(diagnoser)
    # The knowledge base stays: looking through it for garbage again and again takes up to a twentieth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _diagnose(text: str, facts: Json | None, top: int, collected: Json | None) -> Answer:
    return _here[0].diagnose(text, facts, top, collected)


def _diagnose_json(text: str, facts: Json | None, top: int, notes: list[str]) -> bytes:
    return strict_json.dump(with_notes(_diagnose(text, facts, top, None), notes))


def _receive(pieces: typing.Sequence[Piece], facts: Json, most: int) -> Given:
    return receive(pieces, facts, lambda: _here[0].knowledge.fact_types, most)
