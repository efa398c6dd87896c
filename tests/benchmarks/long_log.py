"""Long logs in the shapes that real programs write, generated from a seed, with failures planted in them."""

import itertools
import pathlib
import random
import typing

_SEED = 20261120
_REPEATED = 20_000_000  # bytes; a longer log repeats them

_WORDS = [
    "queue",
    "cache",
    "shard",
    "request",
    "session",
    "token",
    "bucket",
    "index",
    "batch",
    "lease",
    "cursor",
    "record",
    "window",
    "ledger",
    "planner",
    "mirror",
    "bridge",
    "garden",
    "river",
    "signal",
    "harbour",
    "copper",
    "lantern",
    "meadow",
    "orchard",
    "pillar",
    "quarry",
    "saddle",
    "timber",
    "velvet",
    "willow",
    "anchor",
    "basket",
    "candle",
    "dragon",
    "engine",
    "falcon",
    "goblet",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "ladder",
    "magnet",
    "needle",
    "oyster",
    "pepper",
    "rocket",
    "silver",
    "temple",
    "umbrella",
    "violin",
    "wagon",
    "yellow",
    "zipper",
    "almond",
    "bishop",
    "carpet",
    "desert",
    "elbow",
    "forest",
    "gravel",
    "helmet",
    "insect",
]
_VERBS = ("opened", "closed", "moved", "renewed", "merged", "sorted", "handed over", "counted")
_ERRORS = ("KeyError", "LookupError", "OSError", "TimeoutError", "RetryLater", "StaleLease", "ConnectionResetError")

Lines = typing.Iterator[str]


def _endless(line: typing.Callable[[random.Random], str]) -> typing.Callable[[random.Random], Lines]:
    """An endless sequence of lines of one form."""

    def lines_of(chance: random.Random) -> Lines:
        while True:
            yield line(chance)

    return lines_of


def _time(chance: random.Random) -> str:
    return f"{chance.randrange(24):02d}:{chance.randrange(60):02d}:{chance.randrange(60):02d}"


@_endless
def _application(chance: random.Random) -> str:
    pick = chance.choice
    return (
        f"2026-11-20 {_time(chance)},{chance.randrange(1000):03d} {pick(('INFO', 'INFO', 'INFO', 'DEBUG', 'WARNING'))} "
        f"{pick(_WORDS)}.{pick(_WORDS)}: {pick(_WORDS)} {chance.getrandbits(48):012x} {pick(_VERBS)} by "
        f"{pick(_WORDS)}-{chance.randrange(99)} in {chance.random() * 90:.1f} ms, {pick(_WORDS)} {pick(_WORDS)} left\n"
    )


@_endless
def _json_lines(chance: random.Random) -> str:
    pick = chance.choice
    return (
        f'{{"ts": "2026-11-20T{_time(chance)}.{chance.randrange(1000):03d}Z", "level": "{pick(("info", "info", "debug"))}", '
        f'"logger": "{pick(_WORDS)}.{pick(_WORDS)}", "msg": "{pick(_WORDS)} {pick(_VERBS)}", "id": '
        f'"{chance.getrandbits(64):016x}", "took_ms": {chance.random() * 90:.2f}, "host": "node-{chance.randrange(64)}"}}\n'
    )


@_endless
def _kubernetes(chance: random.Random) -> str:
    pick = chance.choice
    return (
        f"2026-11-20T{_time(chance)}.{chance.randrange(10**9):09d}Z stdout F I1120 {_time(chance)}."
        f"{chance.randrange(10**6):06d} {chance.randrange(40):7d} controller.go:{chance.randrange(900)}] "
        f'"Reconciled {pick(_WORDS)}" namespace="{pick(_WORDS)}-{chance.randrange(50)}" '
        f'name="job-{chance.getrandbits(32):08x}" duration="{chance.randrange(900)}ms"\n'
    )


@_endless
def _absl(chance: random.Random) -> str:
    pick = chance.choice
    return (
        f"{pick('IIIIW')}1120 {_time(chance)}.{chance.randrange(10**6):06d} {chance.randrange(10**14):15d} "
        f"{pick(_WORDS)}_{pick(_WORDS)}.py:{chance.randrange(900)}] {pick(_WORDS)} {pick(_WORDS)} {pick(_VERBS)} after "
        f"{chance.randrange(9999)} items of {pick(_WORDS)}\n"
    )


def _pip(chance: random.Random) -> Lines:
    pick = chance.choice
    while True:
        name = f"{pick(_WORDS)}-{pick(_WORDS)}"
        version = f"{chance.randrange(9)}.{chance.randrange(30)}.{chance.randrange(9)}"
        yield f"Collecting {name}<{chance.randrange(2, 9)},>={version} (from {pick(_WORDS)}-{pick(_WORDS)}=={version})\n"
        yield f"  Downloading {name.replace('-', '_')}-{version}-py3-none-any.whl ({chance.randrange(900)} kB)\n"
        yield f"     |{'#' * chance.randrange(30)}| {chance.randrange(900)} kB {chance.random() * 9:.1f} MB/s\n"


def _words(chance: random.Random) -> Lines:
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    weights = range(26, 0, -1)
    vocabulary = sorted({"".join(chance.choices(letters, weights, k=chance.randrange(2, 10))) for _ in range(20_000)})
    while True:
        yield " ".join(chance.choices(vocabulary, k=chance.randrange(6, 18))) + "\n"


def _traceback(chance: random.Random, names: typing.Sequence[str], error: str, number: int) -> str:
    frames = "".join(
        f'  File "/srv/{name}/{other}.py", line {chance.randrange(900)}, in {name}_{other}\n    return {other}.{name}(item)\n'
        for name, other in itertools.pairwise(names)
    )
    return f"Traceback (most recent call last):\n{frames}{error}: {names[0]} {number} has no {names[-1]}\n"


def _varied_tracebacks(chance: random.Random) -> Lines:
    while True:
        names = chance.choices(_WORDS, k=chance.randrange(3, 9))
        told = f"2026-11-20 {_time(chance)},000 INFO {names[0]}: retried, {chance.randrange(99)} left\n"
        yield told + _traceback(chance, names, chance.choice(_ERRORS), chance.randrange(9999))


def _repeated_traceback(chance: random.Random) -> Lines:
    names = _WORDS[:6]
    while True:
        yield f"2026-11-20 {_time(chance)},000 INFO queue: retried\n"
        yield _traceback(random.Random(1), names, "TimeoutError", 7)


def _eight_workers(chance: random.Random) -> Lines:
    steps = [0] * 8
    while True:
        worker = chance.randrange(8)
        steps[worker] += 1
        yield (
            f"[1,{worker}]<stderr>:{chance.choice(_WORDS)} {chance.choice(_VERBS)}, {chance.choice(_WORDS)} "
            f"{chance.getrandbits(32):08x} of {chance.choice(_WORDS)} {steps[worker]}, {chance.random():.4f} s\n"
        )


def _progress(chance: random.Random) -> Lines:
    for step in itertools.count(1):
        if step % 20_000 == 1:
            yield f"Epoch {step // 20_000 + 1}/40000\n"
        yield (
            f"{step % 20_000:5d}/20000 [==>...........................] - ETA: {chance.randrange(60)}:{chance.randrange(60):02d}"
            f" - loss: {chance.random():.4f} - accuracy: {chance.random():.4f} - lr: 1.0e-04\n"
        )


@_endless
def _one_line(chance: random.Random) -> str:
    return f'{{"id": "{chance.getrandbits(64):016x}", "at": {chance.random():.6f}, "of": "{chance.choice(_WORDS)}"}}, '


SHAPES: dict[str, typing.Callable[[random.Random], Lines]] = {
    "application": _application,
    "JSON lines": _json_lines,
    "Kubernetes": _kubernetes,
    "absl": _absl,
    "pip": _pip,
    "free words": _words,
    "varied tracebacks": _varied_tracebacks,
    "one traceback again and again": _repeated_traceback,
    "eight workers": _eight_workers,
    "progress": _progress,
    "one line": _one_line,
}
"""Name -> an endless sequence of lines, the same for the same seed."""


def lines(shape: str, size: int, seed: int = _SEED) -> list[str]:
    """Lines of a shape, together at least this many bytes; all of them are ASCII."""
    found: list[str] = []
    for line in SHAPES[shape](random.Random(seed)):
        found.append(line)
        size -= len(line)
        if size <= 0:
            return found
    return found


def planted(shape: str, noise: list[str], failure: str, chance: random.Random) -> str:
    """A failure planted at a random place in a log.

    Args:
        shape: of the log; if its launcher puts a prefix before each line, the failure's lines get it too, and
            lines of other workers appear between them.
        noise: the log's lines.
        failure: what a program printed.
        chance: chooses the place.
    """
    place = chance.randrange(len(noise) + 1)
    told = failure if failure.endswith("\n") else f"{failure}\n"
    if shape == "one line":
        told = f"\n{told}"
    elif shape == "Kubernetes":
        told = "".join(f"2026-11-20T11:12:13.{chance.randrange(10**9):09d}Z stderr F {line}\n" for line in told.splitlines())
    elif shape == "eight workers":
        theirs = [f"[1,3]<stderr>:{line}\n" for line in told.splitlines()]
        between = [line for line in noise[place : place + 4 * len(theirs)] if not line.startswith("[1,3]")]
        told = "".join(line + "".join(between[3 * number : 3 * number + 3]) for number, line in enumerate(theirs))
    return "".join(noise[:place]) + told + "".join(noise[place:])


def write(path: pathlib.Path, size: int, shape: str = "application", failure: str = "") -> None:
    """Write a log of a shape with a failure in its middle; the same size gives the same log.

    Args:
        path: the file.
        size: bytes, approximately. A log of more than about 20 MB repeats the same megabytes.
        shape: one of ``SHAPES``.
        failure: what a program printed.
    """
    noise = "".join(lines(shape, min(size, _REPEATED)))
    with open(path, "w", encoding="utf-8") as file:
        for start in range(0, size, len(noise)):
            if start <= size // 2 < start + len(noise):
                middle = noise.find("\n", len(noise) // 2) + 1
                file.write(f"{noise[:middle]}{failure}{noise[middle:]}"[: size + len(failure) - start])
            else:
                file.write(noise[: size - start])
