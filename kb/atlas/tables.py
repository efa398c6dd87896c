"""The collected rows as tables of the file."""

import typing

from tfhelp.kb.atlas.collect import HEADS, Print, Rows, SiteKey, ranges
from tfhelp.kb.atlas.matching import anchor_key

PACKAGES = tuple(HEADS)
FEWEST_OF_RUN = 2
"""A fingerprint whose longest run is shorter is left out: single words between values match anything. Measured on 1,713
messages from 42 other packages: 71 matches, against 32 of those with runs of two words and 10 of all others."""


class Public:
    """Which public name a definition is best known by."""

    def __init__(self, rows: Rows) -> None:
        self._best: dict[str, str] = {}
        for name, meant in sorted(rows.names.items(), key=lambda row: _rank(row[0])):
            for _, target in meant:
                if target:
                    self._best.setdefault(target, name)
        self._inherit(rows)

    def _inherit(self, rows: Rows) -> None:
        """Name a class that is not public after the best known class that inherits from it."""
        waiting = sorted((name for name in self._best if name in rows.objects), key=lambda name: _rank(self._best[name]))
        for name in waiting:
            for bases in rows.objects[name].bases:
                for base in bases:
                    if base in rows.objects and base not in self._best:
                        self._best[base] = self._best[name]
                        waiting.append(base)

    def of(self, module: str, function: str) -> str:
        """The public name of a function or method, empty if it has none."""
        parts = function.split(".") if function else []
        for kept in range(len(parts), 0, -1):
            best = self._best.get(".".join([module, *parts[:kept]]))
            if best:
                rest = [part for part in parts[kept : kept + 1] if not part.startswith("_") or part == "__call__"]
                return ".".join([best, *rest])
        return ""


def _rank(name: str) -> tuple[bool, bool, int, str]:
    return ("compat.v1" in name or ".raw_ops." in name, name.count(".experimental") > 0, name.count(".") * 8 + len(name), name)


def is_told_apart(found: Print) -> bool:
    """Return whether there are enough fixed words for a match to be significant."""
    return max(run.words for run in found.runs) >= FEWEST_OF_RUN


def tables(rows: Rows) -> tuple[dict[str, dict[str, typing.Any]], dict[str, typing.Iterable[int]]]:
    """(tables, arrays) as ``store.write`` takes them."""
    public = Public(rows)
    prints, sites, anchors = _prints(rows, public)
    return {
        "about": {
            "packages": list(PACKAGES),
            "releases": [rows.releases[package] for package in PACKAGES],
            "companions": _companions(rows),
            "lined": [rows.lined[package] for package in PACKAGES],
        },
        "prints": prints,
        "sites": sites,
        "inside": _inside(rows),
        "names": {name: _name(meant) for name, meant in rows.names.items()},
        "leaves": _leaves(rows),
        "objects": _objects(rows),
        "lines": {name: row for lines in rows.lines.values() for name, row in lines.table(ranges).items()},
        "modules": {name: [[PACKAGES.index(p), ranges(r)] for p, r in found.items()] for name, found in rows.modules.items()},
    }, {"digests": [digest for digest, _ in anchors], "rows": [row for _, row in anchors]}


def _companions(rows: Rows) -> list[list[list[int]]]:
    """For each release of TensorFlow: (package, release) of those it takes names from, and of those that take names from it."""
    found = []
    for version in rows.releases["tensorflow"]:
        beside = {(package, other) for package, other in rows.companions.get(f"tensorflow-{version}", {}).items()}
        for package in ("keras", "tf_keras"):
            beside |= {(package, other) for other in rows.releases[package] if _is_made_for(rows, package, other, version)}
        found.append([[PACKAGES.index(package), rows.releases[package].index(other)] for package, other in sorted(beside)])
    return found


def _is_made_for(rows: Rows, package: str, version: str, tensorflow: str) -> bool:
    """Return whether this release takes names from that TensorFlow, or only its classes inherit from it."""
    same = version.split(".")[:2] == tensorflow.split(".")[:2]
    return rows.companions.get(f"{package}-{version}", {}).get("tensorflow") == tensorflow or (package == "tf_keras" and same)


def _prints(rows: Rows, public: Public) -> tuple[dict[str, typing.Any], dict[str, typing.Any], list[tuple[int, int]]]:
    """The stored fingerprints, their sites, and the anchors with their fingerprints."""
    kept = [found for found in rows.prints if is_told_apart(found)]
    # Fingerprints of one module are in one block, because one text looks up neighbours.
    kept.sort(key=lambda found: (min((site.module, site.function) for site in rows.sites[found]), found))
    prints: dict[str, typing.Any] = {}
    said: dict[str, typing.Any] = {}
    anchors: list[tuple[int, int]] = []
    for number, found in enumerate(kept):
        message = rows.prints[found]
        anchors.append((anchor_key(message.digest, message.words), number))
        runs = [part for run in found.runs for part in run]
        gaps = [list(gap[::2]) for gap in found.gaps]
        sites = [_site(site, releases, public) for site, releases in sorted(rows.sites[found].items())]
        prints[f"{number:05d}"] = [runs, gaps, message.run]
        said[f"{number:05d}"] = sites
    return prints, said, sorted(anchors)


def _site(site: SiteKey, releases: set[int], public: Public) -> list[typing.Any]:
    name = public.of(site.module, site.function)
    return [PACKAGES.index(site.package), site.module, site.function, site.exception, ranges(releases), list(site.names), name]


def _name(meant: dict[tuple[str, str], set[int]]) -> list[typing.Any]:
    ordered = sorted(meant.items(), key=lambda row: (PACKAGES.index(row[0][0]), min(row[1])))
    return [[PACKAGES.index(package), target, ranges(releases)] for (package, target), releases in ordered]


def _leaves(rows: Rows) -> dict[str, typing.Any]:
    """Last part of a name, in lower case -> the names that end with it."""
    found: dict[str, list[str]] = {}
    for name in sorted(rows.names):
        found.setdefault(name.rpartition(".")[2].lower(), []).append(name)
    return found


def _inside(rows: Rows) -> dict[str, typing.Any]:
    """A namespace -> the last parts of the names directly in it."""
    found: dict[str, list[str]] = {}
    for name in sorted(rows.names):
        parent, _, leaf = name.rpartition(".")
        if parent:
            found.setdefault(parent, []).append(leaf)
    return found


def _objects(rows: Rows) -> dict[str, typing.Any]:
    names: dict[str, list[str]] = {}
    for name in sorted(rows.names, key=_rank):
        for _, target in rows.names[name]:
            if target and name not in names.setdefault(target, []):
                names[target].append(name)
    written: dict[str, typing.Any] = {}
    for target in sorted({*rows.objects, *names}):
        row = rows.objects.get(target)
        written[target] = [
            names.get(target, []),
            [[signature, ranges(found)] for signature, found in row.signatures.items()] if row else [],
            [[list(bases), ranges(found)] for bases, found in row.bases.items()] if row else [],
            {name: [[text, ranges(found)] for text, found in texts.items()] for name, texts in row.methods.items()}
            if row
            else {},
        ]
    return written
