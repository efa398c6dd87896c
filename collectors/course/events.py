"""What one line reports: a step, a wait, a result, an exit code. The vocabulary that the modules here share."""

import typing


class Event:
    """One thing that happened.

    Attributes:
        line: where it is in the text as pasted, counted from 1.
        kind: ``epoch``, ``step`` or ``bar`` (progress); ``metric`` (a loss or accuracy without a count); ``result`` (what a
            program prints at its end); ``failure``; ``chained`` (a further exception in the chain of a traceback); ``signal``;
            ``interrupt``; ``exit`` (an exit code); ``wait``; ``ready`` (a wait is over); ``start`` (a process begins);
            ``save``; ``build``; ``table`` (a row of nvidia-smi).
        number, planned: the count done and the count announced of a progress event (``planned`` is 0 if none is announced);
            the code of an ``exit``.
        name: the exception's class, the signal's name, the form of a failure, or the words of a result.
        done: for an epoch, its line gives the outcome; for a result, it states by itself that all went well; for a
            failure, later lines of the same process can show that the program continued after it; for a wait, it is for other
            processes.
        worker: the process that the event is about, if the line names a process other than the one that wrote it.
    """

    __slots__ = ("done", "kind", "line", "name", "number", "planned", "worker")

    def __init__(
        self, kind: str, name: str = "", number: int = 0, planned: int = 0, done: bool = False, worker: str | None = None
    ) -> None:
        self.line = 0
        self.kind = kind
        self.name = name
        self.number = number
        self.planned = planned
        self.done = done
        self.worker = worker

    def __repr__(self) -> str:
        return f"Event({self.line}: {self.kind} {self.name} {self.number}/{self.planned}{' done' if self.done else ''})"


PROGRESS = frozenset(("epoch", "step", "bar"))

Reader = typing.Callable[[str, str], Event | None]
"""A reader gets a stripped line and the same line in lower case."""


def whole_number(text: str) -> int:
    """The value of a text of ASCII digits, or -1 for anything else and for more than ten digits."""
    return int(text) if 0 < len(text) <= 10 and text.isascii() and text.isdigit() else -1
