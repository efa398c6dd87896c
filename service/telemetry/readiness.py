"""Whether a server can answer: it diagnoses a text, and asks its memory about it."""

import asyncio
import time
import typing

from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.memory.memory import Memory

Json = dict[str, typing.Any]

PROBE = "ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and type float"
"""A text that goes through every step: the signatures, the facts and the causes."""

FRESH_S = 5.0
"""For this many seconds the last result is repeated, so that reading ``/readyz`` costs the workers nothing."""

_PATIENCE_S = 10.0


class Readiness:
    """Runs a test question the way a real one runs, and remembers the result for some seconds.

    Args:
        diagnose: returns the answer to a text, as a client would get it.
        memory: the server's memory.
        clock: a monotonic clock in seconds.
    """

    def __init__(
        self,
        diagnose: "typing.Callable[[str], typing.Awaitable[Answer]]",
        memory: "Memory",
        clock: typing.Callable[[], float] = time.monotonic,
    ) -> None:
        self._diagnose = diagnose
        self._memory = memory
        self._clock = clock
        self._lock = asyncio.Lock()
        self._at = 0.0
        self._state: Json = {}

    async def state(self) -> Json:
        """The result: ``diagnosis`` and ``memory``, each ``ok`` or what is wrong.

        Answers come without the memory too, so only ``diagnosis`` decides whether a load balancer should send requests.
        """
        async with self._lock:  # if several ask at once, only one runs the test
            if not self._state or self._clock() - self._at > FRESH_S:
                self._state = await self._try()
                self._at = self._clock()
            return self._state

    async def _try(self) -> Json:
        try:
            answer = await asyncio.wait_for(self._diagnose(PROBE), _PATIENCE_S)
        except TimeoutError:
            return {"diagnosis": f"no answer within {_PATIENCE_S:.0f} seconds", "memory": "not asked"}
        except Exception as error:  # noqa: BLE001 - whatever keeps it from answering, it is not ready
            log_fault("readiness", error)
            return {"diagnosis": f"it fails with {type(error).__name__}; the log says where", "memory": "not asked"}
        return {"diagnosis": "ok", "memory": await self._ask_memory(answer)}

    async def _ask_memory(self, answer: "Answer") -> str:
        try:
            # With a timeout, since a database behind a broken network never answers.
            fault = await asyncio.wait_for(asyncio.to_thread(self._fault_of_memory, typing.cast(Json, answer)), _PATIENCE_S)
        except TimeoutError:
            return f"no answer within {_PATIENCE_S:.0f} seconds"
        except Exception as error:  # noqa: BLE001 - database drivers raise their own classes
            log_fault("readiness of the memory", error)
            return f"it fails with {type(error).__name__}; the log says where"
        return f"no answer is kept: {fault}" if fault else "ok"

    def _fault_of_memory(self, answer: Json) -> str:
        fault: str = self._memory.fault() if isinstance(self._memory, _Checked) else ""
        if not fault:
            self._memory.seen(answer)
        return fault


@typing.runtime_checkable
class _Checked(typing.Protocol):
    """A memory that can say why it keeps no answers, as a team's memory can."""

    def fault(self) -> str: ...
