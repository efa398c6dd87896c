"""Every way of finding the literals gives the same hits; a ``never`` pattern is reported with them."""

from unittest import mock

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

import tfhelp.index.signatures
from tfhelp.collectors.reading import read
from tfhelp.index.literals import LiteralFinder, TableFinder
from tfhelp.index.searchable import SearchableRecords
from tfhelp.index.signatures import Hit, admitted, scan
from tfhelp.kb import compiled, patterns
from tfhelp.kb.compile import commonness
from tfhelp.kb.load import load_entries
from tfhelp.kb.signature_table import SignatureRow, table_of
from tfhelp.kb.text import Record

KNOWLEDGE = compiled.load()
LITERALS = sorted({literal for row in KNOWLEDGE.signatures for group in row.literals for literal in group})


def shape(hits: list) -> list[tuple[str, str, int]]:
    return sorted((hit.signature.entry, hit.signature.pattern, hit.record.first_line) for hit in hits)


AUTOMATON = LiteralFinder(LITERALS)
TABLE = TableFinder(KNOWLEDGE.signatures.tables)


@given(st.lists(st.sampled_from(LITERALS) | st.text(max_size=30), max_size=12))
def test_an_automaton_and_a_table_of_literals_find_the_same(pieces: list[str]) -> None:
    records = read("\n\n".join(pieces)).records
    found = shape(scan(KNOWLEDGE.signatures, SearchableRecords(records, TABLE)))
    assert found == shape(scan(KNOWLEDGE.signatures, SearchableRecords(records, AUTOMATON)))


@given(st.lists(st.sampled_from(LITERALS) | st.text(max_size=30), max_size=12))
def test_thinning_out_loses_nothing(pieces: list[str]) -> None:
    records = read("\n\n".join(pieces)).records
    with mock.patch.object(tfhelp.index.signatures, "_MANY", 2):  # records of a piece
        thinned = scan(KNOWLEDGE.signatures, SearchableRecords(records, TABLE))
    assert shape(thinned) == shape(scan(KNOWLEDGE.signatures, records))


@given(st.lists(st.sampled_from(LITERALS), min_size=1, max_size=6))
def test_no_pattern_matches_where_its_literals_do_not_occur(pieces: list[str]) -> None:
    records = read("\n\n".join(pieces)).records
    plain = [
        (row.entry, row.pattern, record.first_line)
        for row, compiled in COMPILED
        for record in records
        if compiled.search(record.text)
    ]
    assert sorted(plain) == shape(scan(KNOWLEDGE.signatures, records))


COMPILED = [(row, re2.compile(row.pattern)) for row in KNOWLEDGE.signatures]


def test_groups_become_captures() -> None:
    row = SignatureRow("e", "decisive", r"shape\[(?P<shape>[\d,]+)\]", [["shape["]], {"shape": "log.failed_shape"})
    (hit,) = scan(table_of([row]), read("OOM with shape[3,4] here").records)
    assert hit.captured == {"log.failed_shape": "3,4"}


COMMON = commonness(load_entries()[0])


@given(st.sampled_from(KNOWLEDGE.signatures))
def test_required_literals_are_those_that_were_compiled(row: SignatureRow) -> None:
    assert patterns.required_literals(row.pattern, COMMON) == row.literals


def test_what_a_pattern_matches_in_the_examples_holds_its_literals() -> None:
    records = [record.text for _, text in KNOWLEDGE.training_examples[::4] for record in read(text).records]
    matches = [(row, text.lower()) for row, compiled in COMPILED for text in records if compiled.search(text)]
    assert len(matches) > len(KNOWLEDGE.training_examples) // 4  # the examples are what the patterns are for
    for row, text in matches:
        assert all(any(literal in text for literal in group) for group in row.literals), row.pattern


def test_rare_literals_are_looked_for_first() -> None:
    one, other = "tensorflow .* has no heartbeat", "(?:tensorflow|bazel) gpu"
    common = patterns.Commonness(["tensorflow starts on the gpu", "tensorflow ends"], [one, other])
    assert patterns.required_literals(one, common)[0] == [" has no heartbeat"]
    assert patterns.required_literals(other, common) == [[" gpu"], ["bazel", "tensorflow"]]


SAID = SignatureRow("e", "decisive", "out of memory", [["out of memory"]], {}, said=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("my training runs out of memory", 1),
        ("2024-01-01 10:00:00.123456: I tensorflow/core/a.cc:12] out of memory", 0),
        ('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: out of memory', 0),
        # Text directly below a log line may be the person's.
        ("2024-01-01 10:00:00.123456: I tensorflow/core/a.cc:12] Allocator,\n  and then it is out of memory", 1),
    ],
)
def test_patterns_for_peoples_words_do_not_match_program_output(text: str, found: int) -> None:
    assert len(scan(table_of([SAID]), read(text).records)) == found


def a_hit(origin: str, strength: str = "decisive", raised_by: tuple[str, ...] = (), shared: bool = False) -> Hit:
    record = Record("exception", "x", 1, 1)
    record.origin = origin
    return Hit(SignatureRow("a", strength, "x", [], {}, False, raised_by, shared), record, {}, 1)


def strengths(hit: Hit, second_sign: bool) -> list[str]:
    return [kept.signature.strength for kept in admitted([hit], second_sign)]


@pytest.mark.parametrize("origin", ["tensorflow", "keras", "user", "unknown", "", "kernel", "person", "installer"])
@pytest.mark.parametrize("second_sign", [True, False])
def test_a_signature_counts_for_its_own_origin_or_an_unknown_one(origin: str, second_sign: bool) -> None:
    assert strengths(a_hit(origin), second_sign) == ["decisive"]


@pytest.mark.parametrize("origin", ["library:torch", "program:mysqld"])
def test_a_record_of_other_software_counts_only_with_a_sign_of_tensorflow(origin: str) -> None:
    assert strengths(a_hit(origin), True) == ["decisive"]
    assert strengths(a_hit(origin), False) == []
    assert strengths(a_hit(origin, "supporting"), False) == []
    assert strengths(a_hit(origin, "never"), False) == ["never"]  # it only removes hits


@pytest.mark.parametrize(
    ("origin", "raised_by", "speaks"),
    [
        ("keras", ("keras", "tensorflow"), True),
        ("user", ("keras", "tensorflow"), False),
        ("library:h5py", ("library",), True),
        ("library:torch", ("any",), True),
        ("unknown", ("keras",), True),
        ("kernel", ("keras",), False),
    ],
)
@pytest.mark.parametrize("second_sign", [True, False])
def test_a_signature_says_who_has_to_have_raised_it(
    origin: str, raised_by: tuple[str, ...], speaks: bool, second_sign: bool
) -> None:
    assert bool(strengths(a_hit(origin, raised_by=raised_by), second_sign)) is speaks


def test_shared_words_are_decisive_only_beside_a_second_sign() -> None:
    assert strengths(a_hit("unknown", shared=True), True) == ["decisive"]
    assert strengths(a_hit("unknown", shared=True), False) == ["supporting"]
    assert strengths(a_hit("unknown", "never", shared=True), False) == ["never"]
