"""The course of a text, for the tests of this folder."""

import typing

from tfhelp.collectors.course import put_course
from tfhelp.collectors.reading import read
from tfhelp.kb.fact_sheet import FactSheet


def sheet_of(text: str) -> FactSheet:
    """The facts of the course alone."""
    sheet = FactSheet()
    put_course(read(text), sheet)
    return sheet


def course_of(text: str) -> dict[str, typing.Any]:
    """The same as names and values, without ``course.``."""
    return {path.removeprefix("course."): value for path, value in sheet_of(text).values.items()}
