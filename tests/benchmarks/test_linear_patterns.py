"""No text makes a pattern take more than linear time."""

import re
import time
import typing

import pytest

from tests.collectors.pumping import Used, patterns_in_use, poisons

pytestmark = pytest.mark.slow

SHORT = 3_000  # characters
SUSPICIOUS = 0.002  # seconds for a short text; a pattern that reads it once takes a hundredth of that
ROUNDS = 3


def _ask(pattern: "re.Pattern[str]", method: str, text: str) -> None:
    if method == "sub":
        pattern.sub("", text)
    elif method == "finditer":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, method)(text)


def _cost(pattern: "re.Pattern[str]", method: str, text: str, rounds: int = 1) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        _ask(pattern, method, text)
        best = min(best, time.process_time() - start)
    return best


def _grows_too_fast(pattern: "re.Pattern[str]", method: str, make: typing.Callable[[int], str]) -> bool:
    """Whether six times the text takes more than 15 times as long.

    Linear time takes 6 times as long, quadratic time 36 times. 15 is equally far from both, so a busy machine does not decide.
    """
    if _cost(pattern, method, make(SHORT)) < SUSPICIOUS:
        return False
    return all(_cost(pattern, method, make(6 * SHORT)) > 15 * _cost(pattern, method, make(SHORT), ROUNDS) for _ in range(2))


def poison_of(used: Used) -> tuple[str, str, str, str] | None:
    """Method, beginning, repeated part and end of a text for which the pattern's time grows too fast."""
    pattern = re.compile(used.source, used.flags)
    for before, pump, ends in poisons(used.source, used.flags):
        for end in ends:
            for method in used.methods:
                if _grows_too_fast(pattern, method, lambda size: before + pump * (size // len(pump)) + end):  # noqa: B023
                    return method, before, pump, end
    return None


USED = patterns_in_use()


def test_the_patterns_are_found() -> None:
    names = {used.name for used in USED}
    assert len(USED) > 400
    assert {"tfhelp.collectors.reading.record_builder._SHELL.0", "tfhelp.collectors.code.notebook._SHELL_ASSIGNMENT.0"} <= names


@pytest.mark.parametrize("module", sorted({used.module for used in USED}))
def test_patterns_are_linear(module: str) -> None:
    found = {used.name: poison_of(used) for used in USED if used.module == module}
    assert {name: poison for name, poison in found.items() if poison} == {}


@pytest.mark.parametrize(
    ("source", "method"),
    [
        (r"(?:\[\d+\] +[+-]? *)?(?:\d+ +)?(?:Killed|Aborted)$", "match"),
        (r"(?:\[?\d{4}-\d\d-\d\d[ T][\d:.,]+\]?[ :-]*)?\[?(DEBUG|INFO)\]?", "match"),
        (r"(?P<before>.*?)\s*Traceback \(most recent call last\)", "match"),
        (r"^(\s*[\w, ]+=\s*)[!%].*$", "match"),
        (r"\b(?:0[a-f]+0|[a-f]+0[a-f]+)[0a-f]*\b", "sub"),
        (r"\s+$", "search"),
    ],
)
def test_pumping_finds_patterns_that_are_not(source: str, method: str) -> None:
    """A pattern that was once in the program, and the textbook example."""
    assert poison_of(Used("old", "old", source, 0, frozenset((method,)))) is not None


@pytest.mark.parametrize(
    "line",
    [
        "[1] " + " " * 19_000 + "xilled",
        "1111-11-11 " + ":" * 19_000,
        " " * 19_000 + "E",
        "1/" + "1" * 16_000,
        " " * 19_000 + "Traceback (x",
    ],
)
def test_the_poisons_of_old_take_no_longer_than_other_lines(line: str) -> None:
    from tfhelp.collectors.reading import read

    def cost(text: str) -> float:
        start = time.process_time()
        read(text)
        return time.process_time() - start

    other = "\n".join("x" * (index % 7) + "a plain line" * 1_500 for index in range(40))
    poisoned = "\n".join(line[:-1] + chr(97 + index % 20) + line[-1] for index in range(40))
    assert any(cost(poisoned) < 25 * max(cost(other), 0.005) for _ in range(ROUNDS))
