"""The course of one process: its events in order, folded into how far it got, what failed, and how it ended."""

import typing

from tfhelp.collectors.course.events import PROGRESS, Event

_ASKS_TO_END = frozenset(("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "^C", "KeyboardInterrupt", "wait"))
_SIGNAL_OF_CODE = {130: "SIGINT", 134: "SIGABRT", 135: "SIGBUS", 136: "SIGFPE", 137: "SIGKILL", 139: "SIGSEGV", 143: "SIGTERM"}
_SIGNAL_OF_CODE |= {-6: "SIGABRT", -9: "SIGKILL", -11: "SIGSEGV", -15: "SIGTERM", -1073741819: "SIGSEGV"}
# Neither the result ``installed`` nor a completed plan reverses these; other events may.
_OF_PROGRAMS = frozenset(("tests", "program", "nvidia-smi", "scheduler", "exit code", "fatal"))
_STAGES = {"start": "import", "bar": "step", "step": "step", "epoch": "step", "metric": "step", "save": "save", "build": "build"}
_STAGES |= {"wait": "wait", "exit": "exit", "result": "exit"}


class Plan:
    """How much of its announced work a loop has done: epochs, or the steps of a loop without epochs."""

    __slots__ = ("announced", "finished", "first", "last", "line", "stride", "told")

    def __init__(self) -> None:
        self.first = -1
        self.last = -1
        self.announced = 0
        self.stride = 0
        self.finished = False
        self.told = False
        self.line = 0

    def take(self, event: Event) -> None:
        """Count an epoch or a step. A count that starts again belongs to a new loop (another fold, another run)."""
        if event.number < self.last:
            self.first = self.last = -1
            self.stride = 0
        if event.number != self.last:
            self.stride = event.number - self.last if self.last >= 0 else 0
            self.finished = False
        self.first = event.number if self.first < 0 else self.first
        self.last, self.line = event.number, event.line
        self.announced = event.planned or self.announced
        self.finished = self.finished or event.done
        self.told = self.told or event.done

    @property
    def done(self) -> int:
        """How many epochs are done."""
        count = self.last + (self.first == 0)
        return max(count if self.finished or not self.announced else count - 1, 0)

    def epochs_state(self) -> str:
        """``done``, ``broken`` (off), ``open`` (the last one was announced, its end is not shown) or ``none``."""
        if not self.announced or self.last < 0:
            return "none"
        if self.done >= self.announced:
            return "done"
        is_last = self.last + (self.first == 0) >= self.announced
        return "open" if is_last and not self.told else "broken"

    def steps_state(self) -> str:
        """How far the steps got. A loop prints only every n-th step; one that counts from 0 never prints its last number."""
        if not self.announced or self.last < 0:
            return "none"
        if self.last >= self.announced:
            return "done"
        reaches = self.stride > 0 and self.last + self.stride >= self.announced
        if reaches and self.first == 0:
            return "done"
        return "open" if reaches and self.first > self.stride else "broken"


class Failure:
    """A failure by form, and how far the process had got when it occurred."""

    __slots__ = ("after_progress", "event", "progress_since", "restarted")

    def __init__(self, event: Event, after_progress: bool) -> None:
        self.event = event
        self.after_progress = after_progress
        self.progress_since = False
        self.restarted = False


class Course:
    """The course of one process; call ``take`` with its events in order.

    Whether a failure was survived: an exception that a program catches is survived if any progress follows. A traceback that
    begins at ``<module>`` looks uncaught, but buffered standard output can still appear after it. It counts as survived only if
    there is progress before it and further progress after it up to the planned end, or if a process begins after it.

    Attributes:
        warned: line of the last log line that warns or reports an error; 0 if there is none. Set from outside.
    """

    __slots__ = (
        "_bar",
        "_epoch_results",
        "_progressed",
        "_results",
        "completed_by",
        "epochs",
        "exit",
        "failures",
        "interrupt",
        "last",
        "steps",
        "survived",
        "table",
        "wait",
        "warned",
    )

    def __init__(self) -> None:
        self.epochs = Plan()
        self.steps = Plan()
        self.failures: list[Failure] = []
        self.survived: list[Failure] = []
        self.table: Event | None = None
        self.warned = 0
        self.wait: Event | None = None
        self.interrupt: Event | None = None
        self.last: Event | None = None
        self.exit: Event | None = None
        self.completed_by: Event | None = None
        self._bar: Event | None = None
        self._results: dict[str, int] = {}
        self._epoch_results: set[str] = set()
        self._progressed = False

    def take(self, event: Event) -> None:
        """Take the next event."""
        kind = event.kind
        if kind in PROGRESS:
            self._progress(event)
        elif kind == "metric":
            self.epochs.finished = self.epochs.finished or self._bar is None
        elif kind == "start":
            for failure in self.failures:
                failure.restarted = True
        elif kind in ("wait", "ready"):
            self.wait = event if kind == "wait" else None
        elif kind == "chained":
            if self.failures:
                self.failures[-1].event.done &= event.done
        elif kind in ("signal", "interrupt"):
            self._stopped(event)
        elif kind == "failure":
            self._fail(event)
        elif kind == "table":
            self.table = event
        elif kind == "exit":
            self._exit(event)
        elif kind == "result" or (kind == "save" and event.name):
            self._result(event)
        if kind in _STAGES and not (kind == "start" and event.name != "import"):
            self.last = event

    def _progress(self, event: Event) -> None:
        if event.kind == "bar":
            self._take_bar(event)
        elif event.kind == "epoch":
            self._bar = None
            self.epochs.take(event)
        else:
            self.steps.take(event)
        self._progressed = True
        self.wait = self.interrupt = self.completed_by = None
        self._epoch_results.update(self._results)
        for failure in self.failures:
            failure.progress_since = True
        self._survive(lambda failure: failure.event.done or failure.restarted)

    def _take_bar(self, event: Event) -> None:
        self._bar = event
        if event.done and self.epochs.last >= 0:
            self.epochs.finished = self.epochs.told = True

    def _survive(self, is_survived: typing.Callable[[Failure], bool]) -> None:
        if self.failures:
            self.survived += [failure for failure in self.failures if is_survived(failure)]
            self.failures = [failure for failure in self.failures if not is_survived(failure)]

    def _stopped(self, event: Event) -> None:
        if self.wait is not None and event.name in _ASKS_TO_END and (self.wait.done or event.name != "SIGKILL"):
            return  # a process that waits in vain is eventually killed by hand; the wait is what went wrong
        if event.kind == "interrupt":
            self.interrupt = self.interrupt or event
        elif not (self.failures and event.name == "SIGINT"):
            self._fail(event)

    def _fail(self, event: Event) -> None:
        if event.name == "tests" and event.number and any(failure.event.name == "tests" for failure in self.failures):
            return  # the summary of tests that were already named
        self.failures.append(Failure(event, self._progressed))

    def _exit(self, event: Event) -> None:
        self.exit = event
        if event.number == 0:
            self.completed_by = event
            self._survive(lambda failure: failure.event.done and failure.event.kind != "signal")
        elif name := _SIGNAL_OF_CODE.get(event.number):
            if not self.failures and self.interrupt is None:
                stop = Event("interrupt" if name == "SIGINT" else "signal", name)
                stop.line = event.line
                self._stopped(stop)
        elif not self.failures and self.interrupt is None and self.wait is None:
            failure = Event("failure", "exit code")
            failure.line = event.line
            self._fail(failure)

    def _result(self, event: Event) -> None:
        told_each_epoch = event.name in self._epoch_results
        self._results[event.name] = event.line
        if event.name in ("passed", "installed"):
            of_it = ("tests", "program") if event.name == "passed" else _OF_PROGRAMS
            self._survive(lambda failure: failure.event.name not in of_it and failure.event.kind != "signal")
        elif event.done or not told_each_epoch:
            self._survive(lambda failure: failure.event.done and failure.event.name != "installer")
        if event.done or (self._progressed and not told_each_epoch and (self.epochs.announced == 0 or self.epochs.done >= 2)):
            self.completed_by = event
            self.wait = None

    def plan_state(self) -> str:
        """What the progress alone shows: ``done``, ``broken``, ``open`` or ``none``."""
        if self._bar is not None and self._bar.planned and not self._bar.done:
            return "broken"
        state = self.epochs.epochs_state()
        if state == "none" and self.steps.last >= 0:
            state = self.steps.steps_state()
        if state == "none" and self._bar is not None and self._bar.done and self.epochs.last < 0:
            return "done"
        return state

    def close(self) -> None:
        """Decide at the end of the text which failures the run survived."""
        whole = self.plan_state() == "done" or self.completed_by is not None
        self._survive(
            lambda failure: (
                whole
                and failure.after_progress
                and failure.progress_since
                and failure.event.kind == "failure"
                and failure.event.name not in _OF_PROGRAMS
            )
        )

    def end(self) -> str:
        """How it ended, as one of the values of ``course.end``; if there are several failures, the first decides."""
        if self.failures:
            return self._end_of(self.failures[0].event)
        if self.interrupt is not None:
            return "interrupted"
        if self.wait is not None:
            return "waiting"
        if self.completed_by is not None:
            return "completed"
        state = self.plan_state()
        if state == "broken" and self.warned > self.progress_line:
            return "unknown"  # the last line is a warning or an error, so the process did not stop silently
        if state == "none" and self.table is not None and self.last is None:
            return "completed"
        return {"done": "completed", "broken": "silent"}.get(state, "unknown")

    @staticmethod
    def _end_of(event: Event) -> str:
        if event.name in ("SIGABRT", "fatal log line"):
            return "aborted"
        return "signal" if event.kind == "signal" else "exception"

    @property
    def has_steps(self) -> bool:
        """Whether at least one step or epoch is done."""
        return self._bar is not None or self.steps.last > 0 or (self.epochs.last >= 0 and self.epochs.done > 0)

    @property
    def progress_line(self) -> int:
        """The line of the last progress, 0 if there is none."""
        return max(self.epochs.line, self.steps.line, self._bar.line if self._bar else 0)

    def end_line(self) -> int:
        """The line that shows the end."""
        if self.failures:
            return self.failures[0].event.line
        shown = self.interrupt or self.wait or self.completed_by or self.last or self.table
        return shown.line if shown else 0

    def stage(self) -> str | None:
        """What it did last, as one of the values of ``course.last``."""
        if self.interrupt is not None and self.interrupt.name == "wait":
            return "wait"
        event = self.last
        if event is None:
            return None
        if event.kind == "wait" and event.name:
            return "collective"
        if event.kind == "epoch" and not event.done and event.number == max(self.epochs.first, 0) and self._bar is None:
            return "first-step"
        return _STAGES.get(event.kind)
