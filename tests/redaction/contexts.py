"""Contexts of secrets: the same words as a log, a launcher, a shell, a notebook, a container or a terminal shows them."""

import json
import typing

from tests.redaction.draw import Draw

Context = typing.Callable[[Draw, str], str]


def _every_line(prefix: str) -> Context:
    return lambda draw, text: "\n".join(f"{prefix}{line}" for line in text.split("\n"))


def _coloured(draw: Draw, text: str) -> str:
    """Colours before, after and inside a line."""
    lines = []
    for line in text.split("\n"):
        place = draw.lot.randrange(len(line) + 1)
        lines.append(f"\x1b[1;31m{line[:place]}\x1b[0m\x1b[32m{line[place:]}\x1b[0m")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


CONTEXTS: dict[str, Context] = {
    "plain": lambda draw, text: text,
    "log with time": _every_line("2024-03-01 10:00:12.123456: I tensorflow/core/platform/x.cc:12] "),
    "absl": _every_line("I0301 10:00:12.123456 140 train.py:12] "),
    "python logging": _every_line("2024-03-01 10:00:12,123 - trainer - INFO - "),
    "json line": lambda draw, text: "\n".join(
        json.dumps({"level": "info", "msg": line, "n": 3}, ensure_ascii=False) for line in text.split("\n")
    ),
    "json line, whole": lambda draw, text: json.dumps({"log": text + "\n", "stream": "stderr"}),
    "file of a container's log": lambda draw, text: "\n".join(
        json.dumps({"log": f"{line}\n", "stream": "stderr", "time": f"2024-03-01T10:00:12.{number:09}Z"}, ensure_ascii=False)
        for number, line in enumerate(text.split("\n"), draw.lot.randrange(1_000_000))
    ),
    "mpirun": _every_line("[1,0]<stderr>:"),
    "torchrun": _every_line("[worker0]: "),
    "srun": _every_line("0: "),
    "compose": _every_line("trainer-1  | "),
    "kubernetes": _every_line("2024-03-01T10:00:12.123456789Z stderr F "),
    "pod": _every_line("[pod/train-0/main] "),
    "ray": _every_line("(train pid=4711) "),
    "traceback": lambda draw, text: (
        f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    {_indented(text)}\nValueError: bad'
    ),
    "shell trace": _every_line("+ "),
    "echo": lambda draw, text: "\n".join(f"$ echo '{line}'" for line in text.split("\n")),
    "notebook cell": lambda draw, text: json.dumps({"cell_type": "code", "source": [f"{line}\n" for line in text.split("\n")]}),
    "quoted mail": _every_line("> "),
    "comment": _every_line("# "),
    "crlf": lambda draw, text: "\r\n".join(["Epoch 1/2", *text.split("\n"), "done"]),
    "progress": lambda draw, text: "\r".join(["10/10 ━━━━ 0s 7ms/step", *text.split("\n"), "done"]),
    "colours": _coloured,
    "markdown": lambda draw, text: f"```\n{text}\n```",
    "end of a long line": lambda draw, text: "\n".join("x " * 300 + line for line in text.split("\n")),
    "between errors": lambda draw, text: f"ERROR: step failed\n{text}\nKilled",
    "indented": _every_line("        "),
    "github actions": _every_line("2024-03-01T10:00:12.1234567Z "),
    "python repr": lambda draw, text: f"records = {[text]!r}",
}


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")
