"""Loading of entries: what YAML would silently accept is a fault."""

import pathlib
import shutil

from tfhelp.kb.load import ENTRIES, load_entry


def test_a_key_that_stands_twice_is_named_with_its_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "entry.yaml").write_text("id: a\nmatches:\n  yields_to: [b]\n  phrases: []\n  yields_to: [c]\n")
    (tmp_path / "examples.yaml").write_text("must_match: []\n")
    entry, faults = load_entry(tmp_path)
    assert entry is None
    assert [(fault.line, fault.field) for fault in faults] == [(5, "yields_to")]
    assert "is given twice" in str(faults[0])


def test_an_account_belongs_to_a_cause_of_its_entry(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "training" / "dtype-mismatch"
    shutil.copytree(ENTRIES / "training" / "dtype-mismatch", folder)
    path = folder / "examples.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "  - {cause: no-such-cause, text: a layer complains}\n", encoding="utf-8")
    _, faults = load_entry(folder)
    assert [fault.message for fault in faults] == ["no such cause: no-such-cause"]
    assert faults[0].field.startswith("accounts.")
