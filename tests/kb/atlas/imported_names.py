"""Which names real releases have: each release is installed, imported and queried, one after another.

    python -m tests.kb.atlas.imported_names --folder FOLDER

This takes about half an hour and 10 GB of downloads. It needs uv and Python 3.7 to 3.11, all on the path. Raw answers stay in
the folder, so that it can be interrupted and resumed. The tests compare the atlas with ``imported_names.json``: names drawn at
random over the releases, each with the releases that really have it.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import typing

from tfhelp.kb.atlas.atlas import Atlas, Name
from tfhelp.kb.atlas.build import companions, listed
from tfhelp.kb.atlas.store import Store
from tfhelp.kb.atlas.wheels import Release

ASKED = pathlib.Path(__file__).with_name("asked_release.py")
RECORD = pathlib.Path(__file__).with_name("imported_names.json")
HEADS = {"tf": "tensorflow", "keras": "keras", "tf_keras": "tf_keras"}
_SEED, _DRAWN = 12, 300
_NEEDED_WITH = {"2.3.4": ["keras==2.4.3"], "1.15.5": ["keras==2.3.1", "keras==2.2.5", "keras==2.2.4"]}
"""Keras before 2.6, which needs a TensorFlow of its time."""
_FIRST_KERAS_3, _LATER_KERAS_3 = "2.16.2", "2.21.0"
_FIRST_LATER = (3, 10)


class Asked(typing.NamedTuple):
    """An environment to make: its Python, the packages to install in it, and the packages to query in it one after another."""

    release: Release
    requirements: list[str]
    beside: list[str]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def plan() -> list[Asked]:
    """Every release of TensorFlow, with the releases of Keras and tf_keras that are queried in the same environment."""
    every = [one.release for one in listed()]
    found = []
    for release in every:
        if release.package == "tensorflow":
            minor = _numbers(release.version)
            own = [f"{one.project}=={one.version}" for one in companions(release, every)]
            pins = [f"{release.project}=={release.version}", *own, *_pins(minor)]
            found.append(Asked(release, pins, _beside(release, every)))
    return found


def _pins(minor: tuple[int, ...]) -> list[str]:
    """Packages that old releases need in an old version but do not pin: they were made before these packages changed."""
    if minor >= (2, 12):
        return ["setuptools<70", "dm-tree"]
    pins = ["numpy<1.24", "protobuf<3.21", "setuptools<70"]
    oldest = ["h5py<3", "pyyaml", "scipy", "keras-preprocessing", "keras-applications"]
    return [*pins, *(oldest if minor < (2, 5) else [])]


def _beside(release: Release, every: list[Release]) -> list[str]:
    minor = _numbers(release.version)
    found = [f"tf_keras=={one.version}" for one in every if one.package == "tf_keras" and _numbers(one.version) == minor]
    later = release.version == _LATER_KERAS_3
    if later or release.version == _FIRST_KERAS_3:
        keras = [_numbers(one.version) + (one.version,) for one in every if one.package == "keras" and one.version > "3"]
        found += [f"keras=={numbers[-1]}" for numbers in keras if (numbers[:2] >= _FIRST_LATER) == later]
    return found + _NEEDED_WITH.get(release.version, [])


def ask(one: Asked, names: list[str], folder: pathlib.Path, say: typing.Callable[[str], None]) -> None:
    """Install, query, keep the answers, delete."""
    wanted = [f"tensorflow=={one.release.version}", *one.beside]
    missing = [name for name in wanted if not (folder / f"{name}.json.gz").exists()]
    if not missing:
        return
    place = folder / f"environment-{one.release.version}"
    shutil.rmtree(place, ignore_errors=True)
    _run("uv", "venv", "--quiet", "--python", one.release.python, str(place))
    python = str(place / "bin" / "python")
    _install(python, one.requirements)
    say(f"{one.release.name}: installed")
    for name in missing:
        package = name.partition("==")[0]
        extra = place / name
        if name != wanted[0]:
            _install(python, ["--no-deps", "--target", str(extra), name])
        heads = ["tensorflow"] if package == "tensorflow" else [package]
        if package == "tensorflow" and (2, 6) <= _numbers(one.release.version) < (2, 16):
            heads.append("keras")
        _keep(python, extra, heads, names, folder / f"{name}.json.gz")
        say(f"{name}: asked")
    shutil.rmtree(place)


def _install(python: str, requirements: list[str]) -> None:
    _run("uv", "pip", "install", "--quiet", "--no-cache", "--python", python, *requirements)


def _keep(python: str, extra: pathlib.Path, heads: list[str], names: list[str], target: pathlib.Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(extra), "TF_CPP_MIN_LOG_LEVEL": "3", "KERAS_BACKEND": "tensorflow"}
    environment["TF_USE_LEGACY_KERAS"] = "0"
    question = json.dumps({"heads": heads, "names": names})
    run = subprocess.run([python, str(ASKED)], input=question, capture_output=True, text=True, check=False, env=environment)
    if run.returncode:
        raise RuntimeError(f"{target.name}: {run.stderr.strip()[-2000:]}")
    target.write_bytes(gzip.compress(run.stdout.encode()))


def _run(*command: str) -> None:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{' '.join(command)}: {run.stderr.strip()[-2000:]}")


Answers = dict[str, dict[str, dict[str, typing.Any]]]
"""Package -> release -> answer of ``asked_release.py``."""


def _asked(folder: pathlib.Path) -> list[str]:
    """The names to query, the same for every release: those of the atlas when the folder was new."""
    kept = folder / "names.json"
    if not kept.exists():
        kept.write_text(json.dumps(Store().keys("names")), encoding="utf-8")
    return typing.cast(list[str], json.loads(kept.read_text(encoding="utf-8")))


def answers(folder: pathlib.Path) -> Answers:
    """The raw answers of a package, in the order of its releases."""
    found: Answers = {package: {} for package in HEADS.values()}
    for path in folder.glob("*.json.gz"):
        answer = json.loads(gzip.decompress(path.read_bytes()))
        for package, version in answer["versions"].items():
            found[package][version] = answer
    key = [one.release.version for one in listed()].index
    return {package: dict(sorted(by.items(), key=lambda pair: key(pair[0]))) for package, by in found.items()}


def drawn(found: Answers, known: typing.Callable[[str, str], typing.Iterable[str]]) -> list[str]:
    """Names drawn at random: first a release, then one of the names that it really has or that the atlas says it has."""
    releases = [(package, version) for package, by in found.items() for version in by]
    chance = random.Random(_SEED)
    names: set[str] = set()
    while len(names) < _DRAWN:
        package, version = chance.choice(releases)
        head = next(head for head, one in HEADS.items() if one == package)
        real = {name for name in found[package][version]["names"] if name.startswith(f"{head}.")}
        names.add(chance.choice(sorted(real.union(known(package, version)))))
    return sorted(names)


def record(folder: pathlib.Path) -> dict[str, typing.Any]:
    """What the tests compare: the releases that were queried, and for each drawn name those that have it."""
    found = answers(folder)
    having = {package: {version: set(answer["names"]) for version, answer in by.items()} for package, by in found.items()}
    names: dict[str, str] = {}
    for name in drawn(found, _known(set(_asked(folder)))):
        by = having[HEADS[name.partition(".")[0]]]
        names[name] = spans(list(by), [version for version in by if name in by[version]])
    how = f"python -m tests.kb.atlas.imported_names; {_DRAWN} names, drawn with seed {_SEED} over the releases"
    return {"made": how, "releases": {package: list(by) for package, by in found.items()}, "names": names}


def spans(releases: list[str], having: typing.Iterable[str]) -> str:
    """Consecutive releases as first and last: "2.3.4-2.8.4 2.10.1-2.10.1"."""
    rows: list[list[int]] = []
    for place in sorted(map(releases.index, having)):
        if rows and rows[-1][1] == place - 1:
            rows[-1][1] = place
        else:
            rows.append([place, place])
    return " ".join(f"{releases[first]}-{releases[last]}" for first, last in rows)


def _known(asked: set[str]) -> typing.Callable[[str, str], typing.Iterable[str]]:
    """The queried names that a release has, according to the atlas."""
    atlas = Atlas()
    found: dict[tuple[str, str], list[str]] = {}
    for name in asked.intersection(Store().keys("names")):
        for span in typing.cast(Name, atlas.lookup(name)).releases:
            versions = atlas.releases(span.package)
            for version in versions[versions.index(span.first) : versions.index(span.last) + 1]:
                found.setdefault((span.package, version), []).append(name)
    return lambda package, version: found.get((package, version), [])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kb.atlas.imported_names", description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for the environments and the raw answers")
    parser.add_argument("--only", action="append", default=[], metavar="VERSION", help="of TensorFlow; all without it")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    names = _asked(given.folder)
    failed = 0
    for one in plan():
        if not given.only or one.release.version in given.only:
            try:
                ask(one, names, given.folder, lambda text: print(text, file=sys.stderr, flush=True))
            except RuntimeError as error:
                failed += 1
                print(f"{one.release.name}: {error}", file=sys.stderr, flush=True)
    if not failed and not given.only:
        RECORD.write_text(json.dumps(record(given.folder), indent=0) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
