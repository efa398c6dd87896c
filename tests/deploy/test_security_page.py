"""SECURITY.md names tests, and these tests exist."""

import re

from tests.deploy.shipped_files import ROOT

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
_TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`")


def test_every_test_that_is_named_exists() -> None:
    named = _TEST.findall(PAGE)
    assert len(named) > 20
    for path, name in named:
        assert (ROOT / path).is_file(), path
        assert not name or re.search(rf"^(?:async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), (
            f"{path}::{name}"
        )


def test_every_threat_has_something_against_it_and_a_test() -> None:
    table = PAGE.partition("## Threats, and the tests that try them")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 15
    for row in rows:
        assert len(row) == 3 and all(row) and _TEST.search(row[2]), row
