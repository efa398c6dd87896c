"""What the HTTP doors share: the one diagnosis, the limits, and the threads in which it runs."""

import os
import typing

import anyio
import anyio.to_thread

from tfhelp.kb.compiled import Knowledge
from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.body import MEBIBYTE
from tfhelp.service.doors.http.processes import DiagnosisProcesses

DEFAULT_MAX_BYTES = 16 * MEBIBYTE
MOST_ANSWERS = 20

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]


class DiagnoserLike(typing.Protocol):
    """What the doors need of ``tfhelp.service.diagnosis.diagnoser.Diagnoser``."""

    @property
    def knowledge(self) -> Knowledge:
        """The compiled knowledge base."""

    def diagnose(self, text: str, facts: Json | None = None, top: int = 3, collected: Json | None = None) -> "Answer":
        """The JSON document for a text, the facts that were given with it, and those of this machine."""


class Interface:
    """The diagnosis as the HTTP doors use it.

    Attributes:
        diagnoser: answers every face.
        max_bytes: most bytes (as UTF-8) of a text.
        local_facts: collects this machine's facts, where the server was started with ``--local-facts``.
    """

    __slots__ = ("_threads", "diagnoser", "local_facts", "max_bytes")

    def __init__(
        self, diagnoser: DiagnoserLike | DiagnosisProcesses, max_bytes: int, local_facts: typing.Callable[[], Json] | None
    ) -> None:
        self.diagnoser = diagnoser
        self.max_bytes = max_bytes
        self.local_facts = local_facts
        # The work is plain Python, so more threads than processors would only make everybody wait.
        self._threads = anyio.CapacityLimiter(max(2, os.cpu_count() or 2))

    @property
    def knowledge(self) -> Knowledge:
        """The compiled knowledge base."""
        return self.diagnoser.knowledge

    async def run(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """Run a function in a thread, so that other requests are answered meanwhile."""
        return await anyio.to_thread.run_sync(function, *arguments, limiter=self._threads)

    async def diagnose(self, text: str, facts: Json | None, top: int, collected: Json | None = None) -> "Answer":
        """The document of ``Diagnoser.diagnose``, computed in a thread or another process.

        Raises:
            tfhelp.kb.fact_sheet.FactError: the facts do not fit the model.
        """
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return await self.diagnoser.diagnose(text, facts, top, collected)
        document: Answer = await self.run(self.diagnoser.diagnose, text, facts, top, collected)
        return document

    def diagnose_in_thread(self, text: str) -> "Answer":
        """The same for callers that have a thread of their own to wait in."""
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return self.diagnoser.diagnose_in_thread(text)
        return self.diagnoser.diagnose(text)

    async def diagnose_json(self, text: str, facts: Json | None, top: int) -> bytes:
        """The document as JSON.

        Raises:
            tfhelp.kb.fact_sheet.FactError: the facts do not fit the model.
        """
        if isinstance(self.diagnoser, DiagnosisProcesses):
            return await self.diagnoser.diagnose_json(text, facts, top)
        return strict_json.dump(await self.diagnose(text, facts, top))


def size_in_words(count: int) -> str:
    """A number of bytes as people say it: 16 MiB, 300 KiB, 12 bytes."""
    for size, unit in ((MEBIBYTE, "MiB"), (1024, "KiB")):
        if count >= size:
            return f"{count / size:.4g} {unit}"
    return f"{count} bytes"


def too_large_advice(limit: int) -> str:
    """What to do with a text over the limit."""
    return (
        f"The text is larger than the {size_in_words(limit)} that this server takes. Use the command line, which reads files "
        "of up to 256 MiB: tfhelp ask -f train.log"
    )
