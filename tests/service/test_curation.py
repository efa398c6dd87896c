"""The checker, the diff and a new entry."""

import pathlib
import shutil

import pytest

from tests.turns import skip_unless_due
from tfhelp.kb import compiled
from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compile import compile_knowledge
from tfhelp.kb.load import ENTRIES, load_entries, load_entry
from tfhelp.service.curation import answers
from tfhelp.service.curation.check import check
from tfhelp.service.curation.diff import moved
from tfhelp.service.curation.new_entry import begin
from tfhelp.service.curation.own_cases import own_cases
from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors
from tfhelp.service.errors import InputError


def test_the_knowledge_base_is_clean() -> None:
    # On another machine than the author's, the confidence of an example may have moved to the other side of the threshold.
    assert [str(fault) for fault in check(close=False)] == []


def test_an_example_whose_confidence_is_close_to_the_threshold_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    item, _ = load_entry(ENTRIES / "training" / "dtype-mismatch")
    assert item is not None
    item.examples.near_misses.clear()
    diagnoser = Diagnoser(compiled.load(compiled.PATH), load_vectors, warm=True)
    first = next(case for case in own_cases([item]) if case.name == "must_match.0")
    confidence = diagnoser.diagnose(first.text, first.facts)["matches"][0]["confidence"]
    monkeypatch.setattr(answers, "THRESHOLD", confidence - 0.002)
    faults = [fault for fault in answers.answer_faults([item], diagnoser) if fault.field == "must_match.0"]
    assert [fault.message.endswith("another machine may decide otherwise") for fault in faults] == [True]
    assert not [fault for fault in answers.answer_faults([item], diagnoser, close=False) if fault.field == "must_match.0"]


def test_answers_are_not_checked_with_the_index_of_other_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, faults = load_entries()
    loaded[0].entry.matches.phrases.append("a phrase that was just added")
    monkeypatch.setattr("tfhelp.service.curation.check.load_entries", lambda: (loaded, faults))
    with pytest.raises(ArtefactError, match="run 'make index'"):
        check()


def test_a_fault_is_named_with_file_line_and_field(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "training" / "dtype-mismatch"
    shutil.copytree(ENTRIES / "training" / "dtype-mismatch", folder)
    path = folder / "entry.yaml"
    lines = path.read_text().splitlines()
    place = next(number for number, line in enumerate(lines, 1) if "weight: medium" in line)
    lines[place - 1] = lines[place - 1].replace("medium", "heavy")
    path.write_text("\n".join(lines))
    _, faults = load_entry(folder)
    assert [(fault.file, fault.line) for fault in faults] == [(path, place)]
    assert faults[0].field.startswith("causes.0.checks.")
    assert "'strong', 'medium' or 'weak'" in faults[0].message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fact: code.set_floatx", "fact: code.set_flotx", "code.set_flotx: no such fact"),
        ("fact: code.mixed_precision", "fact: os.name", "os.name: is never True"),
        ("id: dtype-mismatch", "id: dtype-mismatched", "is 'dtype-mismatched', but the folder is called dtype-mismatch"),
        ("numpy-float64-input.fixed.py#shown", "numpy-float64-input.fixed.py#hidden", "no region"),
        ("proof: {kind: run}", "proof: {kind: reviewed}", "reviewed: say in 'why'"),
        ("means: >", "meaning: >", "there is no such field here"),
    ],
)
def test_an_inconsistent_entry_is_a_fault(tmp_path: pathlib.Path, old: str, new: str, message: str) -> None:
    folder = tmp_path / "training" / "dtype-mismatch"
    shutil.copytree(ENTRIES / "training" / "dtype-mismatch", folder)
    path = folder / "entry.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    _, faults = load_entry(folder)
    assert any(message in fault.message for fault in faults), [str(fault) for fault in faults]


def test_broken_yaml_names_its_line(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "training" / "x"
    folder.mkdir(parents=True)
    (folder / "entry.yaml").write_text("id: x\nfamily: [training\n")
    (folder / "examples.yaml").write_text("{}")
    _, faults = load_entry(folder)
    assert faults[0].line in (2, 3)


def test_a_new_entry_has_every_field_to_fill_in(tmp_path: pathlib.Path) -> None:
    entry, examples = begin("training", "my-symptom", tmp_path)
    _, faults = load_entry(entry.parent)
    assert examples.exists()
    assert {fault.field for fault in faults} >= {"title", "causes.0.id", "causes.0.fix.summary"}
    with pytest.raises(InputError, match="my-symptom exists"):
        begin("training", "my-symptom", tmp_path)


@pytest.mark.slow
def test_what_a_change_moves_is_shown(tmp_path: pathlib.Path) -> None:
    skip_unless_due("changes")
    loaded, _ = load_entries()
    less = [item for item in loaded if item.entry.id != "dtype-mismatch"]
    for name, items in (("old", loaded), ("new", less)):
        (tmp_path / name).write_bytes(compile_knowledge(items))
    rows = moved(str(tmp_path / "old"), str(tmp_path / "new"))
    assert rows
    assert all("dtype-mismatch" in row for row in rows if "numpy-float64-input.recorded.json" in row)
    assert moved(str(tmp_path / "old"), str(tmp_path / "old")) == []


def test_compiling_is_deterministic() -> None:
    loaded, _ = load_entries()
    assert compile_knowledge(loaded) == compile_knowledge(loaded)
    assert compiled.Knowledge(compile_knowledge(loaded)).entries() == [item.entry.id for item in loaded]
