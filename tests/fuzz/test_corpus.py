"""Every reader reads its kept inputs and those that once showed a fault, plus inputs that a fuzzer rarely derives from them."""

import re

import pytest

from tests.fuzz import inputs
from tests.fuzz.target import once
from tests.fuzz.targets import TARGETS

_NUMBER = re.compile(rb"\d{1,40}")
# Python refuses to read 4,300 digits; digits that int() does not accept; numbers that floats cannot hold.
_NUMBERS = (b"9" * 5_000, "\u00b2".encode(), "\u0663".encode(), b"1e400", b"-1", b"99999999999999999999")
_FOUND = [(name, file) for name in TARGETS for file in inputs.found(name)]


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_is_read(name: str) -> None:
    kept = inputs.corpus(name)
    assert kept, "python -m tests.fuzz --distil writes it"
    for data in kept:
        once(TARGETS[name], data)


@pytest.mark.parametrize(("name", "file"), _FOUND)
def test_what_was_found_is_read(name: str, file: str) -> None:
    once(TARGETS[name], inputs.found(name)[file])


@pytest.mark.parametrize("name", TARGETS)
def test_any_number_may_stand_for_another(name: str) -> None:
    for seed in sorted(TARGETS[name].seeds(), key=len)[:3]:
        for number in _NUMBERS:
            once(TARGETS[name], _NUMBER.sub(number, seed))
            last = [*_NUMBER.finditer(seed)][-3:]
            for found in last:
                once(TARGETS[name], seed[: found.start()] + number + seed[found.end() :])


def test_what_was_found_belongs_to_a_reader() -> None:
    assert {path.name for path in inputs.FOUND.iterdir()} <= set(TARGETS)
    assert {path.stem for path in inputs.CORPUS.iterdir()} == set(TARGETS)


def test_the_kept_corpus_stays_small() -> None:
    assert sum(path.stat().st_size for path in inputs.CORPUS.iterdir()) < 600_000
