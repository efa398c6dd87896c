"""Every broken program of the knowledge base fails honestly, and its fixed twin is the same program with the fix."""

from tests.faults.knowledge import ENTRIES, diagnoser
from tfhelp.kb.honesty import check_entries


def test_all_programs_are_honest() -> None:
    patterns: dict[str, list[str]] = {}
    for signature in diagnoser().knowledge.signatures:
        if signature.strength != "never":
            patterns.setdefault(signature.entry, []).append(signature.pattern)
    assert [str(fault) for fault in check_entries(ENTRIES, patterns)] == []
