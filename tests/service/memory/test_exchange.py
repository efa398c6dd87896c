"""A memory survives export and import unchanged, and foreign lines are read with care."""

import json
import pathlib
import typing

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.service.memory.answers import BATCH, Clock, card_full, given, unknown
from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.exchange import export, import_lines
from tfhelp.service.memory.similar import Embedder
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]


@pytest.fixture
def other(tmp_path: pathlib.Path, clock: Clock, embedder: Embedder) -> typing.Iterator[TeamMemory]:
    """Another memory, which is empty."""
    opened = TeamMemory(open_engine(str(tmp_path / "other.db")), clock=clock, embedder=embedder)
    yield opened
    opened.close()


def filled(memory: TeamMemory, clock: Clock) -> list[str]:
    """Some diagnoses, and their tokens."""
    tokens = [memory.keep(card_full(epochs=number), given(number, f"{number}.log"), f"s{number}") for number in range(3)]
    clock.sleep(seconds=0.1)
    tokens.append(memory.keep(unknown("f\u00fcr \ud800"), {"name": "\u2028", "excerpts": [1.5, None]}))
    memory.feedback(tokens[0], "helped", "x", "J\u00fcrgen's \u201cway\u201d", "Ana", BATCH)
    memory.feedback(tokens[0], "did-not-help", "y")
    return tokens


def test_an_import_of_an_export_exports_the_same_lines(memory: TeamMemory, other: TeamMemory, clock: Clock) -> None:
    tokens = filled(memory, clock)
    lines = list(export(memory))
    assert import_lines(other, lines, "memory.jsonl") == (4, 0)
    assert list(export(other)) == lines
    assert [other.read(token) for token in tokens] == [memory.read(token) for token in tokens]
    assert other.seen(card_full()) == memory.seen(card_full())
    assert other.votes(["card-full"]) == memory.votes(["card-full"])
    assert [item.likeness for item in other.alike(unknown())] == pytest.approx(
        [item.likeness for item in memory.alike(unknown())]
    )


def test_a_slow_export_blocks_no_writer(memory: TeamMemory, clock: Clock) -> None:
    """Its reader may be a pager. A diagnosis is kept and read while the export is open."""
    filled(memory, clock)
    lines = export(memory)
    read = [next(lines), next(lines)]
    token = memory.keep(card_full(), given())
    assert memory.read(token) is not None
    assert len([*read, *lines]) == 5  # as it was when it began


def test_importing_twice_changes_nothing(memory: TeamMemory, other: TeamMemory, clock: Clock) -> None:
    filled(memory, clock)
    lines = list(export(memory))
    assert import_lines(memory, lines, "memory.jsonl") == (0, 4)
    assert list(export(memory)) == lines
    assert import_lines(other, [*lines, "", "\n"], "memory.jsonl") == (4, 0)


def test_secrets_in_foreign_lines_are_redacted(memory: TeamMemory, other: TeamMemory) -> None:
    memory.keep(card_full(), given())
    head, line = export(memory)
    foreign = line.replace("CardFullError", "at 10.31.2.77 CardFullError")
    import_lines(other, [head, foreign], "memory.jsonl")
    assert "10.31.2.77" in foreign
    assert "10.31.2.77" not in "".join(export(other))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"uid": "zz"}, "line 2: uid: string should have at least 32 characters"),
        ({"at": None}, "line 2: at: input should be a valid number"),
        ({"at": float("inf")}, "line 2: at: input should be a finite number"),
        ({"more": 1}, "line 2: more: extra inputs are not permitted"),
        ({"answer": [1]}, "line 2: answer: input should be a valid dictionary"),
        ({"steps": 2**70}, "line 2: steps: "),
        ({"feedback": [{"said": "no"}]}, r"line 2: feedback\.0\."),
    ],
)
def test_a_line_that_is_wrong_is_named_and_nothing_is_taken_in(
    memory: TeamMemory, other: TeamMemory, change: Json, reason: str
) -> None:
    memory.keep(card_full(), given())
    memory.keep(card_full(), given(2))
    head, first, second = export(memory)
    bad = json.dumps({**json.loads(first), **change})
    with pytest.raises(InputError, match=f"memory.jsonl, {reason}"):
        import_lines(other, [head, bad, second], "memory.jsonl")
    with pytest.raises(InputError, match="line 3"):
        import_lines(other, [head, second, bad], "memory.jsonl")
    assert len(list(export(other))) == 1


@pytest.mark.parametrize("head", ["", "{}", "[1]", "not json", '{"format": "tfhelp-memory", "version": 2}'])
def test_a_database_that_is_not_a_memory_is_refused(other: TeamMemory, head: str) -> None:
    with pytest.raises(InputError, match=r"^memory.jsonl: "):
        import_lines(other, [head], "memory.jsonl")


@hypothesis.settings(max_examples=40, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(st.text(max_size=60) | st.recursive(st.none() | st.integers(), st.lists, max_leaves=4).map(json.dumps))
def test_any_line_is_taken_in_or_refused_in_words(other: TeamMemory, line: str) -> None:
    head = json.dumps({"format": "tfhelp-memory", "version": 1})
    if line.strip():
        with pytest.raises(InputError):
            import_lines(other, [head, line], "memory.jsonl")
    else:
        assert import_lines(other, [head, line], "memory.jsonl") == (0, 0)
