"""The course of a text, for the tests of this folder."""

import typing

from tfhelp.collectors.course import put_course
from tfhelp.collectors.reading.lines import clean_lines
from tfhelp.collectors.reading.records import split
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Text


def sheet_of(text: str) -> FactSheet:
    """The facts of the course alone."""
    sheet = FactSheet()
    put_course(Text(list(clean_lines(text)), split(text)), sheet)
    return sheet


def course_of(text: str) -> dict[str, typing.Any]:
    """The same as names and values, ``course.`` left out."""
    return {path.removeprefix("course."): value for path, value in sheet_of(text).values.items()}
