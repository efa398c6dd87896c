"""What the HTTP doors share: the one diagnosis, the limits, and the threads in which it runs."""

import functools
import os
import threading
import typing

import anyio
import anyio.to_thread

from tfhelp.collectors.intake import is_plain
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.diagnosis import stages
from tfhelp.service.diagnosis.diagnoser import DEFAULT_TOP
from tfhelp.service.diagnosis.given import Given, Piece, receive, with_notes
from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.body import MEBIBYTE
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.doors.http.remembering import Remembering
from tfhelp.service.search.search import Search
from tfhelp.service.telemetry.diagnosed import Diagnosed
from tfhelp.service.telemetry.watch import Watch

DEFAULT_MAX_BYTES = 16 * MEBIBYTE
MOST_ANSWERS = 20
_SHORT = 64 * 1024  # characters; a shorter text is recognised as text in no time

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]


class DiagnoserLike(typing.Protocol):
    """What the doors need from ``tfhelp.service.diagnosis.diagnoser.Diagnoser``."""

    @property
    def knowledge(self) -> Knowledge:
        """The compiled knowledge base."""

    def diagnose(self, text: str, facts: Json | None = None, top: int = 3, collected: Json | None = None) -> "Answer":
        """The JSON document for a text, the facts given with it, and the facts of this machine."""


class Interface:
    """The diagnosis as the HTTP doors use it.

    Attributes:
        diagnoser: answers at every door.
        max_bytes: most bytes (as UTF-8) of a text.
        local_facts: collects this machine's facts, if the server was started with ``--local-facts``.
        public_url: the address at which people reach the server, without a trailing slash; empty if not set.
        watch: receives a report on every diagnosis.
    """

    __slots__ = ("_remembering", "_searching", "_threads", "diagnoser", "local_facts", "max_bytes", "public_url", "watch")

    def __init__(
        self,
        diagnoser: DiagnoserLike | DiagnosisProcesses,
        max_bytes: int,
        local_facts: typing.Callable[[], Json] | None,
        public_url: str,
        watch: Watch,
    ) -> None:
        self.diagnoser = diagnoser
        self.max_bytes = max_bytes
        self.local_facts = local_facts
        self.public_url = public_url
        self.watch = watch
        if isinstance(diagnoser, DiagnosisProcesses):
            diagnoser.on_diagnosed = watch.diagnosed
        self._searching = functools.cache(lambda: Search(self.knowledge))
        # The work is plain Python, so more threads than processors would only slow everybody down.
        self._threads = anyio.CapacityLimiter(max(2, os.cpu_count() or 2))
        self._remembering = Remembering()

    @property
    def knowledge(self) -> Knowledge:
        """The compiled knowledge base."""
        return self.diagnoser.knowledge

    @property
    def search(self) -> Search:
        """Search over the entries and the atlas; built on first use, which takes a quarter of a second."""
        return self._searching()

    def warm_search_in_background(self) -> None:
        """Build the search, and open the atlas for it, during the first requests."""
        threading.Thread(target=lambda: self.search.find("tf.keras.Model"), name="search", daemon=True).start()

    async def run(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """Run a function in a thread, so that it does not block other requests."""
        return await anyio.to_thread.run_sync(function, *arguments, limiter=self._threads)

    async def remember(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """Like ``run``, for work that waits for a memory: while its database is locked or down, no other work waits with it.

        Raises:
            tfhelp.service.doors.http.remembering.MemoryAwayError: the memory does not answer.
        """
        return await self._remembering.run(function, *arguments)

    async def apart(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """Run an importable function where it delays no other request: in another process, or else in a thread."""
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return await self.diagnoser.ask(function, *arguments)
        return await self.run(function, *arguments)

    def check_room(self) -> None:
        """Raises: tfhelp.service.workers.limits.BusyError: a new question of the current client would be refused now."""
        if isinstance(self.diagnoser, DiagnosisProcesses):
            self.diagnoser.check_room()

    async def receive(self, pieces: typing.Sequence[Piece], facts: Json) -> Given:
        """The recognised input: immediately for a short text, else in a thread or another process.

        Raises:
            tfhelp.service.errors.InputError: one of the pieces holds no text.
        """
        if all(isinstance(content, str) and len(content) < _SHORT and is_plain(content, name) for content, name in pieces):
            return self.receive_here(pieces, facts)
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return await self.diagnoser.receive(pieces, facts, self.max_bytes)
        given: Given = await self.run(self.receive_here, pieces, facts)
        return given

    def receive_here(self, pieces: typing.Sequence[Piece], facts: Json) -> Given:
        """The same, in the caller's thread."""
        return receive(pieces, facts, lambda: self.knowledge.fact_types, self.max_bytes)

    async def diagnose(self, text: str, facts: Json | None, top: int, collected: Json | None = None) -> "Answer":
        """The document of ``Diagnoser.diagnose``, computed in a thread or another process.

        Raises:
            tfhelp.kb.fact_sheet.FactError: the facts do not fit the model.
        """
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return await self.diagnoser.diagnose(text, facts, top, collected)
        document: Answer = await self.run(self._diagnosed, text, facts, top, collected)
        return document

    def _diagnosed(self, text: str, facts: Json | None, top: int, collected: Json | None) -> "Answer":
        diagnoser = typing.cast(DiagnoserLike, self.diagnoser)
        with stages.measured() as seconds:
            answer = diagnoser.diagnose(text, facts, top, collected)
        self.watch.diagnosed(Diagnosed.of(answer, seconds))
        return answer

    def diagnose_in_thread(self, text: str, facts: Json | None = None) -> "Answer":
        """The same, for a caller whose own thread can wait."""
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return self.diagnoser.diagnose_in_thread(text, facts)
        return self._diagnosed(text, facts, DEFAULT_TOP, None)

    async def diagnose_json(self, given: Given, top: int) -> bytes:
        """The document as JSON, with the notes on the input.

        Raises:
            tfhelp.kb.fact_sheet.FactError: the facts do not fit the model.
        """
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return await self.diagnoser.diagnose_json(given.text, given.facts or None, top, given.notes)
        return strict_json.dump(with_notes(await self.diagnose(given.text, given.facts or None, top), given.notes))


def size_in_words(count: int) -> str:
    """A number of bytes as people write it: 16 MiB, 300 KiB, 12 bytes."""
    for size, unit in ((MEBIBYTE, "MiB"), (1024, "KiB")):
        if count >= size:
            return f"{count / size:.4g} {unit}"
    return f"{count} bytes"


def too_large_advice(limit: int) -> str:
    """What to do about a text over the limit."""
    return (
        f"The text is larger than the {size_in_words(limit)} that this server takes. Use the command line, which reads files "
        "of up to 256 MiB: tfhelp ask -f train.log"
    )
