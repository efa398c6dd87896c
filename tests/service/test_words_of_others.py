"""An entry's words, if another library raises them or another program prints them, do not name the entry."""

import collections
import functools
import typing

import pytest

from tests.service.foreign_words import LIBRARY, PROGRAM, NearMiss, near_miss, printed_by_a_program, raised_by_a_library
from tfhelp.kb import compiled
from tfhelp.kb.signature_table import SignatureRow
from tfhelp.service.diagnosis.diagnoser import Diagnoser

KNOWLEDGE = compiled.load()


def _by_entry() -> dict[str, list[SignatureRow]]:
    rows: dict[str, list[SignatureRow]] = collections.defaultdict(list)
    for row in KNOWLEDGE.signatures:
        if row.strength == "decisive" and not row.said:
            rows[row.entry].append(row)
    return rows


BY_ENTRY = _by_entry()


@functools.cache
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


@functools.cache
def named(text: str) -> tuple[str, ...]:
    return tuple(match["entry"] for match in diagnoser().diagnose(text)["matches"])


@functools.cache
def misses_of(entry: str) -> list[tuple[SignatureRow, str, NearMiss]]:
    """A near miss for each signature of an entry and each origin that the signature excludes."""
    return [
        (row, owner, near_miss(row, owner))
        for row in BY_ENTRY[entry]
        for owner in (LIBRARY, PROGRAM)
        if "any" not in row.raised_by and owner not in row.raised_by
    ]


@pytest.mark.parametrize("entry", BY_ENTRY)
def test_no_other_origin_names_the_entry(entry: str) -> None:
    for row, owner, miss in misses_of(entry):
        if miss.text:
            assert entry not in named(miss.text), f"{owner}: {row.pattern}\n{miss.text}"


def _needs_one(row: SignatureRow, owner: str, miss: NearMiss) -> bool:
    """Words that contain our name are ours wherever they are, and a traceback has other words first."""
    return miss.missing != "ours" and not (owner == LIBRARY and row.pattern.startswith("^"))


def test_every_decisive_signature_has_a_near_miss_of_each_origin() -> None:
    misses = [(entry, row, owner, miss) for entry in BY_ENTRY for row, owner, miss in misses_of(entry)]
    assert [
        (entry, owner, row.pattern) for entry, row, owner, miss in misses if not miss.text and _needs_one(row, owner, miss)
    ] == []
    assert sum(bool(miss.text) for *_, miss in misses) > 0.8 * len(misses)


@pytest.mark.parametrize("dress", [raised_by_a_library, printed_by_a_program])
def test_a_second_sign_lets_the_words_speak(dress: typing.Callable[[str], str]) -> None:
    message = "ValueError: Input 0 is incompatible with layer lstm_1: expected ndim=3, found ndim=2"
    assert named(dress(message)) == ()
    assert named(f"TensorFlow 2.15\n\n{dress(message)}") == ("layer-input-incompatible",)


def test_an_installed_tensorflow_is_not_a_second_sign() -> None:
    text = raised_by_a_library("ValueError: Data cardinality is ambiguous. 'x' sizes: 110 'y' sizes: 120")
    assert diagnoser().diagnose(text, {"packages": {"tensorflow": "2.15.0"}})["abstained"]


def test_statements_about_other_machines_are_not_facts() -> None:
    text = printed_by_a_program("NVRM: Xid (PCI:0000:44:00): 79, GPU has fallen off the bus.")
    assert diagnoser().diagnose(text)["facts"].get("log") is None


def test_the_bare_message_is_answered() -> None:
    assert named("ValueError: Data cardinality is ambiguous. 'x' sizes: 110 'y' sizes: 120") == ("data-cardinality-mismatch",)
