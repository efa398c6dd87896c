"""The recorded outputs of real programs have the course that those programs took."""

import pathlib
import typing

import pytest
import yaml

from tests.collectors.course.reading import course_of, sheet_of
from tfhelp.collectors.course import FACTS
from tfhelp.kb.fact_sheet import read_document
from tfhelp.kb.facts import fact_table

OUTPUTS = pathlib.Path(__file__).parent / "outputs"
EXPECTED: dict[str, dict[str, typing.Any]] = yaml.safe_load((OUTPUTS / "expected.yaml").read_text(encoding="utf-8"))


def test_every_output_has_its_expectation() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in OUTPUTS.glob("*.txt"))


@pytest.mark.parametrize("name", EXPECTED)
def test_course_of_a_real_output(name: str) -> None:
    found = course_of((OUTPUTS / name).read_text(encoding="utf-8"))
    assert {fact: found.get(fact) for fact in EXPECTED[name]} == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_fact_is_in_the_model_and_names_its_line(name: str) -> None:
    text = (OUTPUTS / name).read_text(encoding="utf-8")
    sheet = sheet_of(text)
    assert set(sheet.values) <= set(FACTS)
    read_document(sheet.document(), fact_table())
    lines = [int(sheet.source(path).removeprefix("log line ")) for path in sheet.values]
    assert all(1 <= line <= len(text.split("\n")) for line in lines)


def test_the_model_and_the_collector_name_the_same_facts() -> None:
    assert {path for path in fact_table() if path.startswith("course.")} == set(FACTS)
