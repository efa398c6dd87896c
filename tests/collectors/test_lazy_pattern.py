"""Lazily compiled patterns: they behave like compiled ones, and their words never prevent a match."""

import importlib
import pathlib
import pkgutil
import re
import re._constants as constants
import re._parser as parser
import types
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tfhelp.collectors
from tfhelp.collectors.lazy_pattern import Pattern

SOURCE = r"(?P<what>[ab]+)(?:Error|Exit)"


def modules() -> typing.Iterator[types.ModuleType]:
    for found in pkgutil.walk_packages(tfhelp.collectors.__path__, "tfhelp.collectors."):
        # The probe is a separate program, for old interpreters too.
        if "Pattern(" in pathlib.Path(found.module_finder.find_spec(found.name, None).origin).read_text():  # type: ignore[union-attr, call-arg, arg-type]
            yield importlib.import_module(found.name)


def patterns(value: object) -> typing.Iterator[Pattern]:
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (pattern for item in value.values() for pattern in patterns(item))
    elif isinstance(value, (tuple, list)):
        yield from (pattern for item in value for pattern in patterns(item))


GUARDED = {
    f"{module.__name__}.{name}": pattern
    for module in modules()
    for name, value in vars(module).items()
    for pattern in patterns(value)
    if pattern._one_of
}


def covered(tree: typing.Iterable[tuple[typing.Any, typing.Any]], words: list[str]) -> bool:
    """Whether every match of the parsed pattern contains one of the words."""
    run = ""
    for operator, argument in [*tree, (None, None)]:
        if operator is constants.LITERAL:
            run += chr(argument).lower()
            continue
        if any(word in run for word in words):
            return True
        run = ""
        if operator is constants.SUBPATTERN and covered(argument[-1], words):
            return True
        if operator is constants.BRANCH and all(covered(branch, words) for branch in argument[1]):
            return True
    return False


@pytest.mark.parametrize("name", GUARDED)
def test_the_words_of_a_pattern_stand_in_all_that_it_matches(name: str) -> None:
    pattern = GUARDED[name]
    words = [word.lower() for word in pattern._one_of]
    if pattern._flags & re.IGNORECASE:
        assert words == list(pattern._one_of)
    assert covered(parser.parse(pattern._source, pattern._flags), words)


@given(st.text(alphabet="abErroxit \n", max_size=20) | st.sampled_from(["aError", "x bExit aError"]))
def test_with_words_and_without_the_same_is_found(text: str) -> None:
    plain, guarded = re.compile(SOURCE), Pattern(SOURCE, one_of=("Error", "Exit"))
    for method in ("search", "match", "fullmatch"):
        expected, found = getattr(plain, method)(text), getattr(guarded, method)(text)
        assert (expected and expected.span()) == (found and found.span())
    assert guarded.findall(text) == plain.findall(text)
    assert [found.span() for found in guarded.finditer(text)] == [found.span() for found in plain.finditer(text)]
    assert guarded.sub("-", text) == plain.sub("-", text) and guarded.split(text) == plain.split(text)
    assert bool(guarded.search(text, 3)) == bool(plain.search(text, 3))
