"""Loading of entries: what YAML would silently accept is a fault."""

import pathlib

from tfhelp.kb.load import load_entry


def test_a_key_that_stands_twice_is_named_with_its_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "entry.yaml").write_text("id: a\nmatches:\n  yields_to: [b]\n  phrases: []\n  yields_to: [c]\n")
    (tmp_path / "examples.yaml").write_text("must_match: []\n")
    entry, faults = load_entry(tmp_path)
    assert entry is None
    assert [(fault.line, fault.field) for fault in faults] == [(5, "yields_to")]
    assert "is given twice" in str(faults[0])
