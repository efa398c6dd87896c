"""Answers of the real diagnosis over the small knowledge base, and a clock."""

import itertools
import typing

from tests.service.small_server import small_diagnoser

Json = dict[str, typing.Any]

NEIGHBOUR, BATCH = "card-full/neighbour", "card-full/batch-too-large"
_ASKED = itertools.count(1)


class Clock:
    """A clock that only a test moves. It starts on 1 March 2026."""

    def __init__(self) -> None:
        self.now = 1_772_323_200.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, days: float = 0.0, seconds: float = 0.0) -> None:
        """Advance the time."""
        self.now += days * 86_400 + seconds


def answer(text: str, facts: Json | None = None) -> Json:
    """A new answer to a text; two answers to one text differ in their time, as on a real clock."""
    document: Json = dict(small_diagnoser().diagnose(text, facts))
    document["took_ms"] = float(next(_ASKED))
    return document


def card_full(shape: str = "32,128", home: str = "alice", rank: int | None = None, epochs: int = 0) -> Json:
    """A failure that the small knowledge base contains, as it looks on some machine."""
    lines = [
        *(f"Epoch {number}/40" for number in range(1, epochs + 2) if epochs),
        "Traceback (most recent call last):",
        f'  File "/home/{home}/job-77/train.py", line {len(home)}, in <module>',
        "    main()",
        f'  File "/home/{home}/job-77/train.py", line {3 + len(home)}, in main',
        "    model.fit(data)",
        f"CardFullError: no room for tensor {shape}",
    ]
    return answer("\n".join(lines if rank is None else [f"[1,{rank}]<stderr>:{line}" for line in lines]))


def unknown(name: str = "quux") -> Json:
    """A failure that the small knowledge base does not contain."""
    return answer(
        f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    {name}()\nFrobError: {name} was not turned'
    )


def given(size: int = 1, name: str = "") -> Json:
    """The data that was handed over; another size is another log."""
    return {"name": name, "bytes": size, "lines": 1, "excerpts": []}
