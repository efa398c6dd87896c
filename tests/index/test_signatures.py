"""Both ways to the hits find the same; a ``never`` pattern is reported with them."""

from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.records import split
from tfhelp.index.signatures import SignatureSet, scan
from tfhelp.kb import compiled, patterns
from tfhelp.kb.compiled import SignatureRow

KNOWLEDGE = compiled.load()
LITERALS = sorted({literal for row in KNOWLEDGE.signatures for literal in row.literals})


def shape(hits: list) -> list[tuple[str, str, int]]:
    return sorted((hit.signature.entry, hit.signature.pattern, hit.record.first_line) for hit in hits)


@given(st.lists(st.sampled_from(LITERALS) | st.text(max_size=30), max_size=12))
def test_literals_first_and_one_set_find_the_same(pieces: list[str]) -> None:
    records = split("\n\n".join(pieces))
    assert shape(scan(KNOWLEDGE.signatures, records)) == shape(WARM.scan(records))


WARM = SignatureSet(KNOWLEDGE.signatures)


def test_a_set_takes_more_patterns_than_the_default_memory_holds() -> None:
    rows = [
        SignatureRow("e", "decisive", rf"(?i)error number {number}: (?P<what>\w+) failed after \d+ of \d+ steps", [], {})
        for number in range(1500)
    ]
    (hit,) = SignatureSet(rows).scan(split("ERROR number 1234: it failed after 3 of 4 steps"))
    assert "1234" in hit.signature.pattern


def test_groups_become_captures() -> None:
    row = SignatureRow("e", "decisive", r"shape\[(?P<shape>[\d,]+)\]", ["shape["], {"shape": "log.failed_shape"})
    (hit,) = scan([row], split("OOM with shape[3,4] here"))
    assert hit.captured == {"log.failed_shape": "3,4"}


@given(st.sampled_from(KNOWLEDGE.signatures))
def test_required_literals_are_those_that_were_compiled(row: SignatureRow) -> None:
    assert patterns.required_literals(row.pattern) == row.literals
