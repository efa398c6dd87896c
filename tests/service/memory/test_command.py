"""``tfhelp memory``: its output, its questions, its exit status."""

import io
import json
import pathlib
import typing

import pytest

from tests.service.memory.answers import card_full, given, unknown
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.memory.similar import Embedder
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]


class Terminal(io.StringIO):
    """A keyboard."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def team(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, embedder: Embedder) -> typing.Iterator[TeamMemory]:
    """A memory with three diagnoses; the environment names it."""
    path = str(tmp_path / "team.db")
    monkeypatch.setenv("TFHELP_MEMORY", path)
    memory = TeamMemory.open(path, None)
    memory.embedder = embedder
    token = memory.keep(card_full(), given(1), "ana")
    memory.keep(card_full(), given(2), "bo")
    memory.keep(unknown("\x1b[31mquux"), given(3), "ana")
    memory.feedback(token, "helped", "bo", "a \x1b[5msmaller batch", "Bo")
    yield memory
    memory.close()


def listed(capsys: pytest.CaptureFixture[str], *more: str) -> list[Json]:
    assert main(["memory", "list", "--json", *more]) in (0, 1)
    rows: list[Json] = json.loads(capsys.readouterr().out)
    return rows


def test_a_list_shows_the_newest_first_and_steers_no_terminal(team: TeamMemory, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "list"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert len(lines) == 6
    assert "unknown" in lines[0]
    assert lines[4].endswith("card-full/neighbour  [helped]")
    assert "\x1b" not in out
    assert [row["verdict"] for row in listed(capsys, "--entry", "card-full")] == ["diagnosed", "diagnosed"]
    assert len(listed(capsys, "--most", "1")) == 1
    assert main(["memory", "list", "--entry", "other"]) == 1


def test_one_is_shown_with_what_was_said(team: TeamMemory, capsys: pytest.CaptureFixture[str]) -> None:
    row = listed(capsys)[-1]
    assert main(["memory", "show", row["id"][:6]]) == 0
    out = capsys.readouterr().out
    assert "helped (Bo): a  [5msmaller batch" in out
    assert "The card <is> full" in out
    assert main(["memory", "show", row["id"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"]["matches"][0]["entry"] == "card-full"
    for wrong in ("0000ffff", "xyz", "%%%%"):
        assert main(["memory", "show", wrong]) == 2


def test_deleting_asks_and_does_nothing_without_a_yes(
    team: TeamMemory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = listed(capsys)[0]["id"]
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert main(["memory", "delete", first]) == 2
    assert "add --yes" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", Terminal("\n"))
    assert main(["memory", "delete", first]) == 1
    assert capsys.readouterr().out == "Delete 1 diagnosis for good? [y/N] "
    assert len(listed(capsys)) == 3
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert main(["memory", "delete", first]) == 0
    assert "Delete 1 diagnosis for good? [y/N] deleted: 1" in capsys.readouterr().out
    assert first not in {row["id"] for row in listed(capsys)}


def test_deleting_a_sender_also_deletes_the_senders_feedback(team: TeamMemory, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "delete", "--sender", "bo", "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"deleted": 1, "words": 1}
    assert [row["said"] for row in listed(capsys)] == [[], []]
    assert main(["memory", "delete", "--sender", "bo", "--yes"]) == 1
    assert main(["memory", "delete", "--yes"]) == 2
    assert main(["memory", "delete", "--all", "--yes"]) == 0
    assert capsys.readouterr().out == "deleted: 2, words: 0\n"
    assert listed(capsys) == []


def test_export_and_import_move_a_memory(team: TeamMemory, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    assert main(["memory", "export"]) == 0
    lines = capsys.readouterr().out
    file = tmp_path / "memory.jsonl"
    file.write_text(lines, encoding="utf-8")
    new = str(tmp_path / "new.db")
    assert main(["memory", "import", str(file), "--memory", new]) == 0
    assert capsys.readouterr().out == "imported: 3, there already: 0\n"
    assert main(["memory", "export", "--memory", new]) == 0
    assert capsys.readouterr().out == lines
    file.write_text("what is this", encoding="utf-8")
    assert main(["memory", "import", str(file)]) == 2
    assert main(["memory", "import", str(tmp_path / "missing")]) == 2
    file.write_bytes(b"\xff\xfe\xfa")
    assert main(["memory", "import", str(file)]) == 2


def test_purge_deletes_what_is_old(team: TeamMemory, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "purge", "--yes"]) == 0
    assert capsys.readouterr().out == "deleted: 0\n"
    assert main(["memory", "purge", "--keep-days", "0.00000001", "--yes"]) == 0
    assert capsys.readouterr().out == "deleted: 3\n"
    assert main(["memory", "purge", "--keep-days", "-3"]) == 2


def test_gaps_and_a_draft(team: TeamMemory, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    assert main(["memory", "gaps"]) == 0
    assert "met once, 1 without an answer" in capsys.readouterr().out
    assert main(["memory", "gaps", "--json"]) == 0
    gap = json.loads(capsys.readouterr().out)[0]
    assert main(["memory", "draft", gap["id"], "--into", str(tmp_path / "ours"), "--entry", "quux-not-turned"]) == 0
    paths = capsys.readouterr().out.splitlines()
    assert [pathlib.Path(path).name for path in paths] == ["entry.yaml", "examples.yaml"]
    assert main(["memory", "draft", gap["id"], "--into", str(tmp_path / "ours"), "--entry", "quux-not-turned"]) == 2


def test_stats(team: TeamMemory, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "stats", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["diagnoses"], found["failures"], found["new this week"], found["said"]) == (3, 2, 2, {"helped": 1})
    assert found["answered"] == pytest.approx(2 / 3)
    assert found["most"][0]["count"] == 2
    assert main(["memory", "stats"]) == 0
    assert "answered: 67%" in capsys.readouterr().out


def test_without_a_memory_it_says_which_one_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    monkeypatch.delenv("TFHELP_MEMORY", raising=False)
    assert main(["memory", "list"]) == 2
    assert "no memory is named" in capsys.readouterr().err
    missing = tmp_path / "missing.db"
    assert main(["memory", "stats", "--memory", f"sqlite:///{missing}"]) == 2
    assert "there is no such memory" in capsys.readouterr().err
    assert not missing.exists()


def test_the_help_has_examples_and_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["memory", "--help"])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert "tfhelp memory draft" in out
    assert "exit status: 0 done, 1 nothing found" in out
