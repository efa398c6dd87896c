"""The rows of the atlas, collected release by release."""

import typing

from tfhelp.kb.atlas.fingerprint import Anchored, Gap, Run, Template
from tfhelp.kb.atlas.lines import Lines, Span
from tfhelp.kb.atlas.modules import Module
from tfhelp.kb.atlas.names import Object, World, classes_above, plain, public_names

HEADS = {"tensorflow": "tensorflow", "keras": "keras", "tf_keras": "tf_keras", "tensorflow_estimator": "tensorflow_estimator"}
"""Package -> first part of its modules' names."""

Releases = set[int]
"""Numbers of releases in their package's list, from 0."""


class SiteKey(typing.NamedTuple):
    """Where a message is raised: what stays the same from release to release."""

    package: str
    module: str
    function: str
    exception: str
    names: tuple[str, ...]


class Print(typing.NamedTuple):
    """A fingerprint without the names of its values."""

    runs: tuple[Run, ...]
    gaps: tuple[Gap, ...]


class ObjectRow:
    """What was read from a function or class: each signature, list of bases and method with its releases."""

    def __init__(self) -> None:
        self.signatures: dict[str, Releases] = {}
        self.bases: dict[tuple[str, ...], Releases] = {}
        self.methods: dict[str, dict[str, Releases]] = {}


class Rows:
    """All rows, collected while the releases are read one after another."""

    def __init__(self) -> None:
        self.releases: dict[str, list[str]] = {package: [] for package in HEADS}
        self.prints: dict[Print, Anchored] = {}
        self.sites: dict[Print, dict[SiteKey, Releases]] = {}
        self.names: dict[str, dict[tuple[str, str], Releases]] = {}
        self.objects: dict[str, ObjectRow] = {}
        self.modules: dict[str, dict[str, Releases]] = {}
        self.unread: dict[str, list[str]] = {}
        self.companions: dict[str, dict[str, str]] = {}
        self.lined: dict[str, list[str]] = {package: [] for package in HEADS}
        self.lines: dict[str, Lines] = {package: Lines() for package in HEADS}

    def add(
        self, package: str, version: str, own: dict[str, Module], companions: dict[str, Module], versions: dict[str, str]
    ) -> None:
        """Add a release. ``companions`` are the modules of the packages that it takes public names from, in ``versions``."""
        number = len(self.releases[package])
        self.releases[package].append(version)
        self.companions[f"{package}-{version}"] = versions
        for module in own.values():
            self._add_raises(package, number, module)
            self.modules.setdefault(module.name, {}).setdefault(package, set()).add(number)
        self.unread[f"{package}-{version}"] = [module.name for module in own.values() if not module.read]
        everything = {**companions, **own}
        world = World(everything)
        for name, meant in public_names(package, version, everything).items():
            if not name.startswith("_"):
                key = (package, "" if meant.module else plain(meant.name))
                self.names.setdefault(name, {}).setdefault(key, set()).add(number)
            self._add_object(HEADS[package], number, meant, world)

    def add_lines(self, package: str, version: str, modules: dict[str, list[Span]]) -> None:
        """Add the lines of a release's functions; a package's releases are added in order."""
        for module, found in modules.items():
            self.lines[package].add(len(self.lined[package]), module, found)
        self.lined[package].append(version)

    def _add_raises(self, package: str, number: int, module: Module) -> None:
        for found in module.raises:
            template = found.message.template
            key, names = without_names(template)
            self.prints.setdefault(key, found.message)
            site = SiteKey(package, plain(module.name), found.function, found.exception, names)
            self.sites.setdefault(key, {}).setdefault(site, set()).add(number)

    def _add_object(self, head: str, number: int, meant: Object, world: World) -> None:
        """Add a public object of this package, and the classes that it inherits from."""
        waiting = [meant]
        while waiting:
            one = waiting.pop()
            if one.binding is None or not one.name.startswith(f"{head}."):
                continue
            row = self.objects.setdefault(plain(one.name), ObjectRow())
            if one.binding[0] == "function":
                row.signatures.setdefault(f"({one.binding[1]})", set()).add(number)
            elif one.binding[0] == "class":
                above = classes_above(world, one.name, one.binding)
                seen = row.bases.setdefault(tuple(plain(base.name) for base in above), set())
                if number in seen:
                    continue
                seen.add(number)
                for method, signature in one.binding[2].items():
                    row.methods.setdefault(method, {}).setdefault(signature, set()).add(number)
                waiting += above


def without_names(template: Template) -> tuple[Print, tuple[str, ...]]:
    """A template as a fingerprint, and the names of its values in their order."""
    names = tuple(name for gap in template.gaps for name in gap[1::2])
    gaps = tuple(tuple("" if place % 2 else part for place, part in enumerate(gap)) for gap in template.gaps)
    return Print(template.runs, gaps), names


def ranges(releases: Releases) -> list[int]:
    """Releases as pairs of first and last: ``{0, 1, 2, 5}`` is ``[0, 2, 5, 5]``."""
    found: list[int] = []
    for number in sorted(releases):
        if found and found[-1] == number - 1:
            found[-1] = number
        else:
            found += [number, number]
    return found
