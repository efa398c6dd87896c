"""The figures and commands of the README and of docs/commands.md are true."""

import pathlib
import re

from tfhelp.service.curation.check import count
from tfhelp.service.doors.cli.command_line import COMMANDS

ROOT = pathlib.Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
_NAMED = re.compile(r"`tfhelp ([a-z]+)")


def test_the_counts_are_those_of_the_knowledge_base() -> None:
    table = README.partition("<!-- counts -->")[2].partition("<!-- /counts -->")[0]
    stated = {name.strip(): int(number) for name, number in re.findall(r"\| ([a-z: ]+) \| (\d+) \|", table)}
    assert stated == count()
    first = re.search(r"which of (\d+) known problems it is, decides between their (\d+) causes", README)
    assert first is not None
    assert (int(first[1]), int(first[2])) == (stated["entries"], stated["causes"])


def test_every_command_is_named_and_every_named_command_exists() -> None:
    assert set(_NAMED.findall(COMMANDS_PAGE)) == set(COMMANDS)
    assert set(_NAMED.findall(README)) <= set(COMMANDS)


def test_every_file_that_is_named_exists() -> None:
    for name in re.findall(r"\b((?:kb|collectors|index|service|tests)/[\w/.]+\.(?:py|md|txt|yaml))\b", README):
        assert (ROOT / name).exists(), name
