"""The README's figures and commands are true."""

import pathlib
import re

from tfhelp.service.curation.check import count
from tfhelp.service.doors.cli.command_line import COMMANDS

README = (pathlib.Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_counts_are_those_of_the_knowledge_base() -> None:
    table = README.partition("<!-- counts -->")[2].partition("<!-- /counts -->")[0]
    stated = {name.strip(): int(number) for name, number in re.findall(r"\| ([a-z: ]+) \| (\d+) \|", table)}
    assert stated == count()
    first = re.search(r"which of (\d+) known problems it is, decides between their (\d+) causes", README)
    assert first is not None
    assert (int(first[1]), int(first[2])) == (stated["entries"], stated["causes"])


def test_every_command_is_named_and_every_named_command_exists() -> None:
    named = set(re.findall(r"`tfhelp ([a-z]+)", README))
    assert named == set(COMMANDS)


def test_every_file_that_is_named_exists() -> None:
    root = pathlib.Path(__file__).parents[1]
    for name in re.findall(r"\b((?:kb|collectors|index|service|tests)/[\w/.]+\.(?:py|md|txt|yaml))\b", README):
        assert (root / name).exists(), name
