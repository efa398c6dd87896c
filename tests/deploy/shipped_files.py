"""The files for hosting, read by the parsers of their formats."""

import pathlib
import typing

import yaml
from dockerfile_parse import DockerfileParser

ROOT = pathlib.Path(__file__).parents[2]
Json = dict[str, typing.Any]


class Stage(typing.NamedTuple):
    """A stage of the Dockerfile: its base image, and (instruction, value) of the rest."""

    base: str
    steps: list[tuple[str, str]]

    def values(self, instruction: str) -> list[str]:
        """The values of all instructions of a kind."""
        return [value for name, value in self.steps if name == instruction]


def stages() -> list[Stage]:
    """The Dockerfile's stages, in order."""
    found: list[Stage] = []
    parser = DockerfileParser(path=str(ROOT / "Dockerfile"), build_args={"PYTHON_IMAGE": "python:3.11-slim"})
    for step in parser.structure:
        if step["instruction"] == "FROM":
            found.append(Stage(step["value"], []))
        elif found and step["instruction"] != "COMMENT":
            found[-1].steps.append((step["instruction"], step["value"]))
    return found


def documents(path: str) -> list[Json]:
    """The YAML documents of a file of the repository."""
    return list(yaml.safe_load_all((ROOT / path).read_text(encoding="utf-8")))


def unit() -> dict[str, list[str]]:
    """The systemd unit: the values of each key. An empty value clears the ones before it only where systemd lists them."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / "deploy" / "tfhelp.service").read_text(encoding="utf-8").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith(("#", ";")):
            found.setdefault(name, []).append(value)
    return found
