"""How launchers, containers, journals and loggers change a program's output."""

import html
import itertools
import json
import typing

Wrap = typing.Callable[[list[str]], list[str]]


def _before(prefix: typing.Callable[[int], str]) -> Wrap:
    return lambda lines: [prefix(number) + line for number, line in enumerate(lines)]


def _clock(number: int) -> str:
    return f"{9 + number // 3600 % 12:02}:{number // 60 % 60:02}:{number % 60:02}"


def _json(lines: list[str]) -> list[str]:
    return [json.dumps({"level": "INFO", "ts": 1.5 + n, "message": line}) for n, line in enumerate(lines)]


def _docker_file(lines: list[str]) -> list[str]:
    return [json.dumps({"log": f"{line}\n", "stream": "stdout", "time": "2026-11-22T09:41:02Z"}) for line in lines]


def _severity_first(lines: list[str]) -> list[str]:
    return [json.dumps({"severity": "ERROR", "jsonPayload": {"msg": line}}, ensure_ascii=False) for line in lines]


def _in_blocks(lines: list[str]) -> list[str]:
    """Several lines in one JSON record, as a logger prints a traceback.

    A newline at the end of a record ends its last line, so no record ends with an empty line.
    """
    blocks: list[list[str]] = [[]]
    for line in lines:
        if len(blocks[-1]) >= 7 and blocks[-1][-1]:
            blocks.append([])
        blocks[-1].append(line)
    return [json.dumps({"msg": "\n".join(block)}) for block in blocks]


LAUNCHERS: dict[str, Wrap] = {
    "mpirun --tag-output": _before(lambda _: "[1,0]<stdout>:"),
    "mpirun 5 --tag-output": _before(lambda _: "[1,0]<stderr>: "),
    "torchrun": _before(lambda _: "[default0]:"),
    "torchrun with ranks": _before(lambda _: "[rank0]: "),
    "srun --label": _before(lambda _: "0: "),
    "ray": _before(lambda _: "(RayTrainWorker pid=811, ip=10.0.0.4) "),
    "ray, a function": _before(lambda _: "(train_fn pid=811) "),
    "docker compose": _before(lambda _: "trainer-1  | "),
    "docker compose, old": _before(lambda _: "worker_1    | "),
    "kubectl logs --timestamps": _before(lambda n: f"2026-11-22T{_clock(n)}.123456789Z "),
    "kubectl logs --prefix": _before(lambda _: "[pod/train-0/main] "),
    "kubectl logs --prefix --timestamps": _before(lambda n: f"[pod/train-0/main] 2026-11-22T{_clock(n)}.123456789Z "),
    "a container's file (CRI)": _before(lambda n: f"2026-11-22T{_clock(n)}.123456789+01:00 stderr F "),
    "docker's JSON file": _docker_file,
    "journald, short": _before(lambda n: f"Nov 22 {_clock(n)} gpu07 python[811]: "),
    "journald, short-iso": _before(lambda n: f"2026-11-22T{_clock(n)}+0000 gpu07 python[811]: "),
    "GitHub Actions": _before(lambda n: f"2026-11-22T{_clock(n)}.1234567Z "),
    "ts": _before(lambda n: f"Nov 22 {_clock(n)} "),
    "ts with a date in brackets": _before(lambda n: f"[2026-11-22 {_clock(n)}] "),
    "a JSON-lines logger": _json,
    "a JSON-lines logger, nested": _severity_first,
    "a JSON-lines logger, blocks": _in_blocks,
    "mail": _before(lambda _: "> "),
    "mail, answered twice": _before(lambda _: "> > "),
    "colours": lambda lines: [f"\x1b[36m{line}\x1b[0m" if line else line for line in lines],
    "Windows": lambda lines: [f"{line}\r" for line in lines],
    "the source of a web page": lambda lines: [html.escape(line) for line in lines],
    "compose around a JSON-lines logger": lambda lines: [f"trainer-1  | {line}" for line in _json(lines)],
}

# Launchers that name the process, with a second process of the same kind.
PAIRS: dict[str, tuple[Wrap, Wrap]] = {
    "mpirun": (_before(lambda _: "[1,0]<stdout>:"), _before(lambda _: "[1,1]<stdout>:")),
    "torchrun": (_before(lambda _: "[rank0]: "), _before(lambda _: "[rank1]: ")),
    "srun": (_before(lambda _: "0: "), _before(lambda _: "1: ")),
    "ray": (_before(lambda _: "(Worker pid=1, ip=10.0.0.4) "), _before(lambda _: "(Worker pid=2, ip=10.0.0.5) ")),
    "compose": (_before(lambda _: "worker-1  | "), _before(lambda _: "worker-2  | ")),
    "kubectl": (_before(lambda _: "[pod/train-0/main] "), _before(lambda _: "[pod/train-1/main] ")),
}


def interleaved(one: list[str], other: list[str], turns: typing.Iterable[bool]) -> list[str]:
    """The lines of two processes in any order that keeps the order of each process."""
    result: list[str] = []
    left = [iter(one), iter(other)]
    for turn in turns:
        result += itertools.islice(left[turn], 1)
    return [*result, *left[0], *left[1]]
