"""The releases that a program was written for: those that have all the names and keywords that it uses.

Only what the atlas knows for certain narrows the range: names that it does not know or that the program guards are ignored.
"""

import typing

from tfhelp.collectors.code.program import Program
from tfhelp.collectors.code.uses import Uses
from tfhelp.kb import versions
from tfhelp.kb.atlas import renames
from tfhelp.kb.atlas.asked_names import accepts
from tfhelp.kb.atlas.at_release import KERAS_OF_TENSORFLOW, LEGACY_V1, At
from tfhelp.kb.atlas.opened import rows_of

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas, Name

_PACKAGES = ("tensorflow", "keras")


class WrittenFor(typing.NamedTuple):
    """A range of releases of a package.

    Attributes:
        package: tensorflow, or keras if it is imported by itself.
        first, last: releases as the atlas has them.
        oldest, newest: whether the first release is the oldest that the atlas knows, and the last the newest.
        began, ended: the name or argument, for example ``tf.keras.Model.fit(workers)``, that is missing in the release before the
            first, or in the one after the last; empty at an open end.
    """

    package: str
    first: str
    last: str
    oldest: bool
    newest: bool
    began: str
    ended: str

    def __str__(self) -> str:
        """As people write it: ``tensorflow 2.4 to 2.10``."""
        first, last = versions.minor_release(self.first), versions.minor_release(self.last)
        if self.newest:
            return f"{self.package} {first} or newer"
        if self.oldest:
            return f"{self.package} {last} or older"
        return f"{self.package} {first}" if first == last else f"{self.package} {first} to {last}"


def written_for(program: Program, atlas: "Atlas") -> list[WrittenFor]:
    """The ranges of a program, TensorFlow's first; only those that are open on at most one side.

    Raises:
        tfhelp.kb.atlas.store.AtlasError: the atlas is damaged.
    """
    return ranges_of(Uses(program, atlas), atlas)


def ranges_of(uses: Uses, atlas: "Atlas") -> list[WrittenFor]:
    """The same for uses that are known already."""
    known: dict[str, dict[str, set[int]]] = {package: {} for package in _PACKAGES}
    for name, member in dict.fromkeys((use.name, use.member) for use in uses.names):
        _note(name, (_releases_of_member if member else _releases_of_name)(name, atlas), known)
    for called in uses.calls:
        for keyword in called.call.keywords:
            if keyword.arg:
                _note(f"{called.name}({keyword.arg})", _releases_of_keyword(called.name, keyword.arg, atlas), known)
    found = [_range(package, known[package], atlas) for package in _PACKAGES]
    return [one for one in found if one is not None and not (one.oldest and one.newest)]


def _note(name: str, releases: tuple[str, set[int]] | None, known: dict[str, dict[str, set[int]]]) -> None:
    if releases is not None and releases[0] in known and releases[1]:
        known[releases[0]][name] = releases[1]


def _range(package: str, known: dict[str, set[int]], atlas: "Atlas") -> WrittenFor | None:
    """The longest run of releases that have all names and keywords; of two equally long runs, the newer."""
    if not known:
        return None
    all_releases = atlas.releases(package)
    rows = rows_of(set(range(len(all_releases))).intersection(*known.values()))
    if not rows:
        return None
    first, last = max(rows, key=lambda row: (row[1] - row[0], row[1]))
    began = next((name for name, found in known.items() if first - 1 not in found), "") if first else ""
    ended = next((name for name, found in known.items() if last + 1 not in found), "") if last + 1 < len(all_releases) else ""
    return WrittenFor(package, all_releases[first], all_releases[last], not first, last + 1 == len(all_releases), began, ended)


def _releases_of_name(name: str, atlas: "Atlas") -> tuple[str, set[int]] | None:
    """(package, numbers of the releases that may have a name); None if nothing is known about it."""
    package = _package(name)
    if package is None:
        return None
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        prefix = ".".join(parts[:length])
        found = atlas.lookup(prefix)
        if found is not None:
            numbers = _numbers(found.releases, package, atlas)
            return package, numbers | _unsure(prefix, numbers, package, atlas)
    return None


def _releases_of_member(name: str, atlas: "Atlas") -> tuple[str, set[int]] | None:
    """The same for a member of an object. Data attributes may be set where the sources do not show them."""
    package, found, row = _package(name), atlas.lookup(name), renames.of_name(name)
    if package is None or found is None:
        return None
    if all(text for text, _ in found.signatures):
        return package, _from_the_first(name, _numbers(found.releases, package, atlas), package, atlas)
    if row is None or row.how or row.old.endswith("*"):
        return None
    releases = atlas.releases(package)
    return package, {number for number, version in enumerate(releases) if _minor(version) < _first_without(row, package)}


def _from_the_first(name: str, numbers: set[int], package: str, atlas: "Atlas") -> set[int]:
    """The releases of a method, plus earlier ones in which its class may have inherited it from another package."""
    unsure = _unsure(name, numbers, package, atlas)
    first = min(numbers, default=0)
    releases = atlas.releases(package)
    if first and (package != "tensorflow" or At(atlas, releases[first - 1]).has(name) is not False):
        unsure |= set(range(first))
    return numbers | unsure


def _first_without(row: renames.Row, package: str) -> tuple[int, ...]:
    of_package, since = row.since
    return (2, 16) if of_package == "keras" and package == "tensorflow" and since >= (3,) else since


def _unsure(name: str, numbers: set[int], package: str, atlas: "Atlas") -> set[int]:
    """Releases that may have a name although they do not show it."""
    releases = atlas.releases(package)
    if name.startswith(LEGACY_V1):
        return {number for number in range(len(releases)) if _minor(releases[number]) < (2, 16)}
    parent = name.rpartition(".")[0]
    module = f"tensorflow.{parent[3:]}" if parent.startswith("tf.") else parent
    # A module inside the package: whether it has the name is not known.
    inside = _numbers(atlas.module(module), package, atlas) if parent.count(".") > 1 else set()
    shown = atlas.lookup(parent)
    inside -= _numbers(shown.releases, package, atlas) if shown is not None else set()
    last = max(numbers, default=-1)
    if last + 1 < len(releases) and _newest(atlas).has(name) is None:
        inside |= set(range(last + 1, len(releases)))
    if package == "keras":
        inside.add(releases.index(KERAS_OF_TENSORFLOW))
    return inside | _numbers(atlas.module(f"tensorflow.{name[3:]}" if name.startswith("tf.") else name), package, atlas)


def _newest(atlas: "Atlas") -> At:
    return At(atlas, atlas.releases("tensorflow")[-1])


def _releases_of_keyword(name: str, keyword: str, atlas: "Atlas") -> tuple[str, set[int]] | None:
    package, found = _package(name), atlas.lookup(name)
    if package is None or found is None:
        return None
    row = renames.of_argument(name, keyword)
    numbers = set(range(len(atlas.releases(package))))
    refusing: set[int] = set()
    named = row is not None
    for text, spans in found.signatures:
        said = accepts(text, keyword)
        named = named or said is True
        if said is False:
            refusing |= _numbers(spans, package, atlas)
    if package == "keras":
        refusing.discard(atlas.releases(package).index(KERAS_OF_TENSORFLOW))
    if row is not None:
        refusing |= _gone_with(row, found, keyword, package, atlas)
    # A keyword that no release names may be one that a decorator accepts.
    return (package, numbers - refusing) if named else None


def _gone_with(row: renames.Row, found: "Name", keyword: str, package: str, atlas: "Atlas") -> set[int]:
    """Releases that refuse a keyword although their signature has ``**kwargs``, according to the table of renames."""
    since = _first_without(row, package)
    releases = atlas.releases(package)
    open_ones: set[int] = set()
    for text, spans in found.signatures:
        if accepts(text, keyword) is None:
            open_ones |= _numbers(spans, package, atlas)
    return {number for number in open_ones if _minor(releases[number]) >= since}


def _numbers(spans: typing.Iterable[typing.Any], package: str, atlas: "Atlas") -> set[int]:
    known = atlas.releases(package)
    return {
        number
        for span in spans
        if span.package == package
        for number in range(known.index(span.first), known.index(span.last) + 1)
    }


def _package(name: str) -> str | None:
    return {"tf": "tensorflow", "keras": "keras"}.get(name.partition(".")[0])


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def of_script(source: str, name: str) -> list[WrittenFor]:
    """The ranges of a script or a notebook; none if it is not Python, is nested too deeply, or there is no atlas."""
    from tfhelp.collectors.code.notebook import NotebookError, source_of_notebook
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    try:
        return written_for(Program(source_of_notebook(source)[0] if name.endswith(".ipynb") else source), shared())
    except (SyntaxError, ValueError, RecursionError, MemoryError, NotebookError, AtlasError):
        return []
