"""Damaged or missing parts of tfhelp disable only themselves, and the answer says so."""

import json
import pathlib
import shutil
import typing

import pytest

from tfhelp.index import vectors
from tfhelp.kb import compiled
from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.diagnosis.diagnoser import Diagnoser

OUT_OF_MEMORY = (
    "Traceback (most recent call last):\n"
    '  File "train.py", line 3, in <module>\n'
    "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and "
    "type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n"
)
ENTRY = "gpu-out-of-memory"


def damaged(folder: pathlib.Path, damage: typing.Callable[[dict[str, typing.Any]], object]) -> Diagnoser:
    """A warm diagnoser over a compiled file in which the row of one entry was overwritten with the same number of bytes."""
    content = pathlib.Path(compiled.PATH).read_bytes()
    start = place_of_row(content)
    row, length = json.JSONDecoder().raw_decode(content[start:].decode(errors="replace"))
    written = len(content[start:].decode(errors="replace")[:length].encode())
    damage(row)
    changed = json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode()
    assert len(changed) < written
    path = folder / "knowledge.bin"
    path.write_bytes(content[:start] + changed.ljust(written) + content[start + written :])
    return Diagnoser(compiled.load(str(path)), warm=True)


def place_of_row(content: bytes) -> int:
    """The position of the entry's row in a compiled file."""
    return content.index(f'{{"id":"{ENTRY}"'.encode())


def notes_of(answer: typing.Any) -> str:
    return " ".join(answer.get("notes", []))


def test_a_damaged_entry_is_left_out(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    diagnoser = damaged(tmp_path, lambda row: row["causes"][0].pop("title"))
    answer = diagnoser.diagnose(OUT_OF_MEMORY)
    assert all(match["entry"] != ENTRY for match in answer["matches"])
    assert f"without the entry {ENTRY}" in notes_of(answer)
    assert "KeyError" in capsys.readouterr().err
    assert "notes" not in diagnoser.diagnose("ValueError: something else")


def test_a_row_that_is_not_json_is_left_out(tmp_path: pathlib.Path) -> None:
    whole = pathlib.Path(compiled.PATH).read_bytes()
    start = place_of_row(whole)
    path = tmp_path / "knowledge.bin"
    path.write_bytes(whole[:start] + b"?" * 20 + whole[start + 20 :])
    diagnoser = Diagnoser(compiled.load(str(path)), warm=True)
    assert f"without the entry {ENTRY}" in notes_of(diagnoser.diagnose(OUT_OF_MEMORY))


def test_a_damaged_check_is_unknown(tmp_path: pathlib.Path) -> None:
    answer = damaged(tmp_path, lambda row: row["causes"][0]["checks"][0].clear()).diagnose(OUT_OF_MEMORY)
    assert answer["matches"][0]["entry"] == ENTRY
    evidence = [row for cause in answer["matches"][0]["causes"] for row in cause["evidence"]]
    assert any("failed in tfhelp" in row["because"] and row["outcome"] == "unknown" for row in evidence)


def test_a_damaged_fix_is_reported(tmp_path: pathlib.Path) -> None:
    def damage(row: dict[str, typing.Any]) -> None:
        for cause in row["causes"]:
            cause["fix"] = {}

    answer = damaged(tmp_path, damage).diagnose(OUT_OF_MEMORY)
    assert answer["matches"][0]["entry"] == ENTRY
    assert "cannot be shown" in answer["matches"][0]["causes"][0]["fix"]["summary"]
    assert "without the fix of" in notes_of(answer)


def test_an_index_that_is_gone_costs_only_the_search_by_meaning(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "artefacts"
    shutil.copytree(vectors.ARTEFACTS, folder)
    (folder / vectors.INDEX_FILE).unlink()
    knowledge = compiled.load()
    diagnoser = Diagnoser(knowledge, lambda version: vectors.VectorIndex.load(str(folder), version), warm=True)
    answer = diagnoser.diagnose(
        "my training got stuck after the first epoch and I have no idea at all what it might be waiting for"
    )
    assert "without the search by meaning" in notes_of(answer)
    assert diagnoser.diagnose(OUT_OF_MEMORY)["matches"][0]["entry"] == ENTRY


def test_a_collector_that_fails_costs_only_its_facts() -> None:
    def collect() -> dict[str, typing.Any]:
        raise OSError("the driver is gone")

    answer = Diagnoser(compiled.load(), warm=True).diagnose(OUT_OF_MEMORY, collected=collect)
    assert answer["matches"][0]["entry"] == ENTRY
    assert "without facts of this machine" in notes_of(answer) and "driver is gone" not in json.dumps(answer)


def test_invalid_facts_are_not_a_fault_of_tfhelp() -> None:
    with pytest.raises(FactError):
        Diagnoser(compiled.load(), warm=True).diagnose(OUT_OF_MEMORY, {"os": {"nome": "x"}})
