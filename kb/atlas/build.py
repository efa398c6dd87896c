"""Build the atlas from released wheels.

    python -m tfhelp.kb.atlas.build --cache FOLDER
    python -m tfhelp.kb.atlas.build --cache FOLDER --add tensorflow==2.22.0 --python 3.12

``releases.tsv`` lists the releases that the atlas is built from. ``lines.tsv``, next to it, lists further releases, for which the
atlas only has the lines of the functions: the first patch of each minor release, which most people have, and TensorFlow before
1.15. What is not in the cache is fetched through pip, one wheel at a time. The cache keeps the Python files of the wheels and
what was read from them, so that you can stop a build and start it again; the atlas itself needs neither. A cold build takes about
12 GB of downloads and one hour of processor time.
"""

import argparse
import pathlib
import sys
import typing

from tfhelp.kb.atlas import store
from tfhelp.kb.atlas.collect import Rows
from tfhelp.kb.atlas.modules import Cache, Module, modules, spans_of
from tfhelp.kb.atlas.tables import tables
from tfhelp.kb.atlas.wheels import Release, Sources, WheelError, sources

LIST = pathlib.Path(__file__).with_name("releases.tsv")
LINES = "lines.tsv"
"""Name of the second list: releases that are only read for the lines of their functions."""
_COLUMNS = "package\tversion\tpython\tproject\twheel\tsha256"
_LARGEST = 4 << 20
_PROJECTS = {"tensorflow": "tensorflow-cpu", "tensorflow_estimator": "tensorflow-estimator"}
_FIRST_APART = (2, 6)
_KERAS_COVER, _COVERED = (2, 4), (2, 3)
_FIRST_KERAS_3 = (2, 16)


class Listed(typing.NamedTuple):
    """A line of ``releases.tsv``: the release, and the wheel that it was read from (empty until then)."""

    release: Release
    wheel: str
    sha256: str


def listed(path: pathlib.Path = LIST) -> list[Listed]:
    """The releases to read, in order within each package.

    Raises:
        ValueError: a line is malformed, or a release is listed twice.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0] != _COLUMNS:
        raise ValueError(f"{path}:1: expected the columns {_COLUMNS!r}")
    found: list[Listed] = []
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != 6 or not all(fields[:4]):
            raise ValueError(f"{path}:{number}: expected six columns, of which the first four are filled")
        found.append(Listed(Release(*fields[:4]), fields[4], fields[5]))
    names = [one.release.name for one in found]
    double = next((name for name in names if names.count(name) > 1), None)
    if double:
        raise ValueError(f"{path}: {double} is listed twice")
    return sorted(found, key=lambda one: (one.release.package, _numbers(one.release.version)))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def companions(release: Release, every: list[Release]) -> list[Release]:
    """The releases whose public names a release also exposes: for TensorFlow, Keras from 2.6 on and the estimators until 2.15.

    From 2.16 on, pip installs the newest Keras; before that, the Keras of the same number. Keras 2.4 only wraps TensorFlow's.
    """
    if release.package == "keras" and _numbers(release.version)[:2] == _KERAS_COVER:
        return [other for other in every if other.package == "tensorflow" and _numbers(other.version)[:2] == _COVERED]
    if release.package != "tensorflow":
        return []
    minor = _numbers(release.version)[:2]
    keras = [other for other in every if other.package == "keras"]
    same = [
        other for other in every if _numbers(other.version)[:2] == minor and other.package in ("keras", "tensorflow_estimator")
    ]
    if minor >= _FIRST_KERAS_3:
        return keras[-1:]
    return [other for other in same if other.package == "tensorflow_estimator" or minor >= _FIRST_APART]


Say = typing.Callable[[str], None]


def build(cache: pathlib.Path, target: pathlib.Path, list_file: pathlib.Path, say: Say) -> None:
    """Read the listed releases and write the atlas, and the wheels' names and hashes into the lists.

    Raises:
        WheelError: a wheel cannot be fetched, or is not the one in the list.
        ValueError: the list is wrong.
    """
    wanted = listed(list_file)
    every = [one.release for one in wanted]
    rows = Rows()
    done: list[Listed] = []
    with Cache(cache) as kept:
        for one in wanted:
            own, line = _read(one, cache, kept)
            others: dict[str, Module] = {}
            beside = companions(one.release, every)
            for other in beside:
                others.update(modules(sources(other, cache), kept))
            versions = {other.package: other.version for other in beside}
            rows.add(one.release.package, one.release.version, own, others, versions)
            done.append(line)
            say(f"{one.release.name}: {len(own)} modules, {len(rows.prints)} fingerprints, {len(rows.names)} names so far")
        lines_file = list_file.with_name(LINES)
        besides = _lines(rows, done, listed(lines_file) if lines_file.exists() else [], cache, kept, say)
    store.write(target, *tables(rows))
    _write_list(list_file, done)
    if besides:
        _write_list(lines_file, besides)
    say(f"{target}: {target.stat().st_size:,} bytes")
    if target.stat().st_size > _LARGEST:
        raise ValueError(f"{target}: {target.stat().st_size:,} bytes, at most {_LARGEST:,} are agreed")


def _lines(rows: Rows, done: list[Listed], more: list[Listed], cache: pathlib.Path, kept: Cache, say: Say) -> list[Listed]:
    """Read the lines of functions, in the order of the releases; return the lines of ``more`` with what was read."""
    besides: dict[str, Listed] = {}
    every = sorted([*done, *more], key=lambda one: (one.release.package, _numbers(one.release.version)))
    for one in every:
        found = _checked(one, cache)
        rows.add_lines(one.release.package, one.release.version, spans_of(found, kept))
        kept.commit()
        besides[one.release.name] = Listed(one.release, found.wheel, found.sha256)
        say(f"{one.release.name}: lines")
    return [besides[one.release.name] for one in more]


def _write_list(path: pathlib.Path, done: list[Listed]) -> None:
    lines = ("\t".join([*line.release, line.wheel, line.sha256]) for line in done)
    path.write_text("\n".join([_COLUMNS, *lines, ""]), encoding="utf-8")


def _checked(one: Listed, cache: pathlib.Path) -> Sources:
    found = sources(one.release, cache)
    if one.sha256 and one.sha256 != found.sha256:
        raise WheelError(f"{found.wheel}: its SHA-256 is {found.sha256}, the list says {one.sha256}")
    return found


def _read(one: Listed, cache: pathlib.Path, kept: Cache) -> tuple[dict[str, Module], Listed]:
    found = _checked(one, cache)
    own = modules(found, kept)
    kept.commit()
    return own, Listed(one.release, found.wheel, found.sha256)


def _added(text: str, python: str) -> str:
    """The list's line for a release to add, from ``package==version``.

    Raises:
        ValueError: it has a different form.
    """
    package, equal, version = text.partition("==")
    if not equal or not _numbers(version) or package not in ("tensorflow", "keras", "tf_keras", "tensorflow_estimator"):
        raise ValueError(f"--add {text}: expected tensorflow, keras, tf_keras or tensorflow_estimator, ==, and a version")
    return "\t".join([package, version, python, _PROJECTS.get(package, package), "", ""])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Exit status: 0 if the atlas was written."""
    parser = argparse.ArgumentParser(prog="python -m tfhelp.kb.atlas.build", description="Make the atlas from released wheels.")
    parser.add_argument(
        "--cache", type=pathlib.Path, required=True, help="folder for sources and what was read of them (about 600 MB)"
    )
    parser.add_argument("--add", metavar="PACKAGE==VERSION", action="append", default=[], help="a release to add to the list")
    parser.add_argument("--python", default="3.11", help="version of Python whose wheel is read of what is added")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(store.PATH))
    parser.add_argument("--list", type=pathlib.Path, default=LIST, dest="list_file")
    given = parser.parse_args(arguments)
    try:
        if given.add:
            added = "".join(_added(text, given.python) + "\n" for text in given.add)
            given.list_file.write_text(given.list_file.read_text(encoding="utf-8") + added, encoding="utf-8")
        build(given.cache, given.output, given.list_file, lambda text: print(text, file=sys.stderr, flush=True))
    except (WheelError, ValueError, OSError) as error:
        print(f"atlas: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
