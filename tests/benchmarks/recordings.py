"""Outputs of real programs: the entries' recorded failures, and healthy runs."""

import pathlib
import typing

from tfhelp.service.curation.recordings import facts_of_recording, read_recording

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Recording(typing.NamedTuple):
    """A program's output, and what else is known about its run; ``entry`` and ``cause`` are empty for a healthy run."""

    entry: str
    cause: str
    output: str
    facts: dict[str, typing.Any]


def failures() -> list[Recording]:
    """The recordings of all broken programs, by entry and cause."""
    paths = sorted((ROOT / "kb/entries").glob("*/*/*.recorded.json"))
    return [_read(path, path.parent.name, path.name.removesuffix(".recorded.json")) for path in paths]


def healthy() -> list[Recording]:
    """The recordings of training runs that went well."""
    return [_read(path, "", "") for path in sorted((ROOT / "tests/healthy").glob("*.json"))]


def _read(path: pathlib.Path, entry: str, cause: str) -> Recording:
    return Recording(entry, cause, read_recording(path)["output"], facts_of_recording(path))
