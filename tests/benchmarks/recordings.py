"""What real programs printed: the entries' recorded failures, and healthy runs."""

import json
import pathlib
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Recording(typing.NamedTuple):
    """A program's output and how it ended; ``entry`` and ``cause`` are empty for a healthy run."""

    entry: str
    cause: str
    output: str
    run: dict[str, typing.Any]


def failures() -> list[Recording]:
    """The recordings of all broken programs, by entry and cause."""
    paths = sorted((ROOT / "kb/entries").glob("*/*/*.recorded.json"))
    return [_read(path, path.parent.name, path.name.removesuffix(".recorded.json")) for path in paths]


def healthy() -> list[Recording]:
    """The recordings of trainings that went well."""
    return [_read(path, "", "") for path in sorted((ROOT / "tests/healthy").glob("*.json"))]


def _read(path: pathlib.Path, entry: str, cause: str) -> Recording:
    content = json.loads(path.read_text(encoding="utf-8"))
    run = {name: content[name] for name in ("exit_code", "signal") if content.get(name) is not None}
    return Recording(entry, cause, content["output"], run)
