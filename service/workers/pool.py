"""A pool of workers: a bounded queue that clients share, a deadline for each piece of work, and workers that are replaced."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import math
import pickle
import signal
import threading
import time
import typing

from tfhelp.service.faults import log_fault
from tfhelp.service.workers.fair_queue import FairQueue
from tfhelp.service.workers.limits import (
    BusyError,
    DeadlineError,
    Limits,
    MemoryLimitError,
    NotStartedError,
    UnavailableError,
    WorkerLostError,
)
from tfhelp.service.workers.starting import Starter, Worker
from tfhelp.service.workers.work import Reply

_LOOK_S = 0.25  # how often a seat checks whether the client of long-running work has left
_LEFT_S = 1.0  # work that no client waits for may run this long, which is cheaper than starting another worker
_START_AGAIN_S = 2.0  # how often a seat without a worker tries to start one
_ATTEMPTS = 2  # if its worker was killed, work is tried once more
_MEAN_OF = 0.05  # weight of the latest work in the moving average of the duration


class Job(concurrent.futures.Future[typing.Any]):
    """One piece of work. ``cancel`` takes it out of the queue, or ends it if it has run for a long time.

    Attributes:
        client: identifies the client that waits for it.
        packed: the pickled function with its arguments.
        ends: when it must be done, by ``time.monotonic``.
        left: the client has left.
    """

    def __init__(self, client: str, packed: bytes, ends: float) -> None:
        super().__init__()
        self.client = client
        self.packed = packed
        self.ends = ends
        self.left = False

    def cancel(self) -> bool:
        """Like ``Future.cancel``. Running work is ended soon, but then the result is False."""
        self.left = True
        return super().cancel()


class State(typing.NamedTuple):
    """What a pool is doing, and what it has done.

    Attributes:
        waiting, running: pieces of work.
        workers: processes.
        done, refused, overdue: pieces of work that gave a result, found no room or had to give it up, or exceeded the deadline.
        replaced: workers that replaced another worker, for any reason.
    """

    waiting: int
    running: int
    workers: int
    done: int
    refused: int
    overdue: int
    replaced: int


class Pool:
    """Workers, each with a thread of this process that gives it one piece of work after another.

    Args:
        starter: starts the workers.
        count: how many workers, one or more.
        limits: limits of each worker.
    """

    def __init__(self, starter: Starter, count: int, limits: Limits) -> None:
        self.limits = limits
        self._starter = starter
        self._jobs: FairQueue[Job] = FairQueue()
        self._condition = threading.Condition()
        self._closing = False
        self._ended = threading.Event()
        self._free = count
        self._mean_s = 0.01
        self._counted: collections.Counter[str] = collections.Counter()
        self._workers: list[Worker | None] = [None] * count
        self._tried = threading.Semaphore(0)  # released by each seat after its first try to start a worker
        self._fault: UnavailableError | None = None
        self._seats = [
            threading.Thread(target=self._sit, args=(seat,), daemon=True, name=f"worker-{seat}") for seat in range(count)
        ]
        for thread in self._seats:
            thread.start()

    def submit(self, client: str, function: typing.Callable[..., typing.Any], *arguments: object) -> Job:
        """Have a worker call a function.

        If the queue is full, the client with the most work in it gives up its newest piece, which raises ``BusyError`` then.

        Args:
            client: identifies the client that waits for the result. The clients take turns.
            function: an importable function.
            arguments: its arguments, which can be pickled.

        Raises:
            BusyError: too much work is already waiting, and no client has more of it than this one.
        """
        self.check_room(client)
        packed = pickle.dumps((function, arguments, self.limits.processor_s), pickle.HIGHEST_PROTOCOL)
        job = Job(client, packed, time.monotonic() + self.limits.deadline_s)
        with self._condition:
            longest = self._room_for(client)
            given_up = (self._jobs.take_newest(longest), self._busy()) if longest else None
            self._jobs.put(client, job)
            self._condition.notify()
        job.add_done_callback(self._forget)
        if given_up is not None and given_up[0].set_running_or_notify_cancel():
            given_up[0].set_exception(given_up[1])
        return job

    def check_room(self, client: str) -> None:
        """Raises: BusyError: new work of this client would be refused now."""
        with self._condition:
            self._room_for(client)

    def wait_until_ready(self) -> None:
        """Wait until each worker has started.

        Raises:
            NotStartedError: the workers exit while they start.
        """
        for _ in self._seats:
            self._tried.acquire()
        for _ in self._seats:
            self._tried.release()
        if self._fault is not None:
            raise NotStartedError(str(self._fault))

    def state(self) -> State:
        """The pool's current state and its counters."""
        with self._condition:
            counts = [self._counted[name] for name in ("done", "refused", "overdue", "replaced")]
            alive = sum(worker is not None for worker in self._workers)
            return State(len(self._jobs), len(self._workers) - self._free, alive, *counts)

    def close(self, wait_s: float = 1.0) -> None:
        """Take no more work, drop the queue, give running work this many seconds, and end the workers."""
        with self._condition:
            self._closing = True
            self._ended.set()
            waiting = self._jobs.clear()
            self._condition.notify_all()
        for job in waiting:
            job.cancel()
        end = time.monotonic() + wait_s
        for thread in self._seats:
            thread.join(max(0.0, end - time.monotonic()))
        self._starter.close()
        for worker in self._workers:
            if worker is not None:
                worker.end()
        for thread in self._seats:
            thread.join(1.0)

    def _room_for(self, client: str) -> str:
        """Return the client that must give up work, so that there is room for this client's; empty if there is room.

        Raises:
            BusyError: there is none.
        """
        if self._closing:
            raise BusyError("The service is ending. Ask again in a moment.", 5)
        if len(self._jobs) < self.limits.queue + self._free:
            return ""
        longest = self._jobs.longest()
        if self._jobs.waiting(longest) > self._jobs.waiting(client) + 1:
            return longest
        raise self._busy()

    def _busy(self) -> BusyError:
        self._counted["refused"] += 1
        wait_s = max(1, math.ceil(len(self._jobs) * self._mean_s / len(self._workers)))
        return BusyError("The service has as many questions as it can answer. Ask again in a moment.", min(wait_s, 30))

    def _forget(self, job: concurrent.futures.Future[typing.Any]) -> None:
        if job.cancelled():
            cancelled = typing.cast(Job, job)
            with self._condition:
                self._jobs.remove(cancelled.client, cancelled)

    def _sit(self, seat: int) -> None:
        try:
            self._start(seat)
        except UnavailableError as error:
            self._fault = error
        self._tried.release()
        jobs_of_worker = 0
        while (job := self._next()) is not None:
            if not job.set_running_or_notify_cancel():
                self._leave()
                continue
            self._finish(seat, job)
            jobs_of_worker = jobs_of_worker + 1 if self._workers[seat] else 0
            # Seats replace their workers one after the other, never all at once.
            if jobs_of_worker >= self.limits.most_jobs * (1 + seat / (2 * len(self._workers))):
                self._replace(seat)
            if self._workers[seat] is None:
                jobs_of_worker = 0
                self._start_again(seat)

    def _start_again(self, seat: int) -> None:
        """Start another worker. While that fails and other seats have workers, this seat takes no work: it could only refuse it."""
        while True:
            with contextlib.suppress(UnavailableError):
                self._start(seat)
                return
            with self._condition:
                if self._closing or not any(self._workers):
                    return
            self._ended.wait(_START_AGAIN_S)

    def _finish(self, seat: int, job: Job) -> None:
        result, fault = None, None
        try:
            result = self._do(seat, job)
        except BaseException as error:  # noqa: BLE001 - the error belongs to the caller who waits; the seat goes on
            fault = error
        self._leave()  # first, so that a caller who gets the result finds room
        if fault is not None:
            job.set_exception(fault)
        else:
            job.set_result(result)

    def _next(self) -> Job | None:
        with self._condition:
            while not self._jobs and not self._closing:
                self._condition.wait()
            if self._closing:
                return None
            self._free -= 1
            return self._jobs.take()

    def _leave(self) -> None:
        with self._condition:
            self._free += 1

    def _do(self, seat: int, job: Job) -> typing.Any:
        for _ in range(_ATTEMPTS):
            if time.monotonic() > job.ends:
                raise BusyError("The question waited for too long. Ask again in a moment.", 5)
            worker = self._workers[seat] or self._start(seat)
            began = time.monotonic()
            reply = self._ask(worker, job)
            if reply is not None:
                self._mean_s += _MEAN_OF * (time.monotonic() - began - self._mean_s)
                return self._take(seat, reply)
            number = self._replace(seat)
            if job.left:
                raise concurrent.futures.CancelledError
            if time.monotonic() >= job.ends or number == getattr(signal, "SIGPROF", -1):
                self._counted["overdue"] += 1
                raise DeadlineError(
                    f"The answer took longer than {self.limits.deadline_s:g} seconds, so it was given up. A shorter text may help."
                )
        raise WorkerLostError("The process that worked on this text ended twice. It was not tried again.")

    def _ask(self, worker: Worker, job: Job) -> Reply | None:
        """The reply; ``None`` if the worker ended, or has to be ended."""
        began = time.monotonic()
        try:
            worker.connection.send_bytes(job.packed)
            while not worker.connection.poll(min(_LOOK_S, max(0.0, job.ends - time.monotonic()))):
                now = time.monotonic()
                if now >= job.ends or (job.left and now > began + _LEFT_S):
                    return None
            return typing.cast(Reply, pickle.loads(worker.connection.recv_bytes()))
        except (EOFError, OSError):
            return None

    def _take(self, seat: int, reply: Reply) -> typing.Any:
        worker = self._workers[seat]
        if reply.outcome == "memory":
            self._replace(seat)
            raise MemoryLimitError(
                f"The text needs more than the {self.limits.memory_bytes >> 20} MiB of memory that one question may take."
            )
        if worker is not None:
            worker.resident = worker.resident or reply.resident
            if reply.resident > worker.resident + self.limits.most_growth_bytes:
                self._replace(seat)
        self._counted["done"] += 1
        if reply.outcome == "error":
            raise reply.value
        return reply.value

    def _start(self, seat: int) -> Worker:
        with self._condition:
            if self._closing:
                raise BusyError("The service is ending. Ask again in a moment.", 5)
        try:
            worker = self._starter.start()
        except NotStartedError as error:
            raise UnavailableError(str(error), 5) from None
        except OSError as error:  # the system starts no process at the moment; the seat's next piece of work tries again
            log_fault("starting a worker", error)
            raise UnavailableError("No process could be started for this question. Ask again in a moment.", 5) from None
        self._workers[seat] = worker
        return worker

    def _replace(self, seat: int) -> int:
        """End a worker; its seat's next piece of work starts another. Return the signal that ended it, 0 for none."""
        worker, self._workers[seat] = self._workers[seat], None
        if worker is None:
            return 0
        self._counted["replaced"] += 1
        number = worker.end()
        with contextlib.suppress(OSError):
            worker.connection.close()
        return number
