"""Which fault programs run in a session."""

import pathlib
import typing

import pytest

import tests.turns
from tests.faults import turns
from tests.faults.knowledge import causes
from tests.turns import EVERY


@pytest.fixture
def programs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> typing.Iterator[list[pathlib.Path]]:
    """A hundred programs that have all passed."""
    monkeypatch.setattr(turns, "ENTRIES", tmp_path)
    monkeypatch.setattr(turns, "PASSED", tmp_path / "passed.json")
    monkeypatch.delenv(EVERY, raising=False)
    paths = [tmp_path / f"{number}.broken.py" for number in range(100)]
    for path in paths:
        path.write_text(f"print({path.name!r})\n", encoding="utf-8")
    turns.write_passed(paths)
    turns._passed.cache_clear()
    yield paths
    turns._passed.cache_clear()


def test_each_unchanged_program_has_one_turn(programs: list[pathlib.Path], monkeypatch: pytest.MonkeyPatch) -> None:
    due = []
    for turn in range(turns.TURNS):
        monkeypatch.setattr(tests.turns, "number", lambda turn=turn: turn)
        due.append([path for path in programs if turns.is_due(path)])
    assert sorted(path for some in due for path in some) == sorted(programs)
    assert all(due)


def test_a_changed_or_new_program_is_always_due(programs: list[pathlib.Path], monkeypatch: pytest.MonkeyPatch) -> None:
    programs[3].write_text("print('changed')\n", encoding="utf-8")
    new = programs[0].with_name("new.broken.py")
    new.write_text("print('new')\n", encoding="utf-8")
    for turn in range(turns.TURNS):
        monkeypatch.setattr(tests.turns, "number", lambda turn=turn: turn)
        assert turns.is_due(programs[3])
        assert turns.is_due(new)


def test_all_are_due_with_other_packages_or_when_asked(programs: list[pathlib.Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EVERY, "1")
    assert all(map(turns.is_due, programs))
    monkeypatch.delenv(EVERY)
    monkeypatch.setattr(turns, "packages", lambda: {"tensorflow": "2.99.0"})
    turns._passed.cache_clear()
    assert all(map(turns.is_due, programs))


def test_the_file_of_passes_names_no_program_that_is_gone() -> None:
    names = {turns.name_of(path) for suffix in (".broken.py", ".fixed.py") for _, path in causes(suffix)}
    assert turns._passed().keys() <= names
