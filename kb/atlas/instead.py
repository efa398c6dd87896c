"""Find replacements for a name that a release (by default the newest) does not have."""

import typing

from tfhelp.kb.atlas import called, renames
from tfhelp.kb.atlas.at_release import At

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas, Name

_MOST = 3
_MOST_LOOKED_UP = 12


def newest(atlas: "Atlas") -> At:
    """The newest release of TensorFlow that the atlas knows, with its Keras."""
    return At(atlas, atlas.releases("tensorflow")[-1])


def is_there(atlas: "Atlas", name: str) -> bool:
    """Return whether the newest release has a name."""
    found = atlas.lookup(name)
    return found is not None and any(span.newest for span in found.releases)


def known(atlas: "Atlas", name: str, at: At | None = None) -> "tuple[str, renames.Row] | None":
    """The replacement for a name in the table of renames, spelled as in the script, and the row.

    The name is empty if no name can simply replace it.
    """
    at = at or newest(atlas)
    row = renames.of_name(name)
    if row is None:
        return None
    new = row.new_of(name)
    return (new, row) if not new or row.package or at.has(new) is not False else ("", row)


def same(atlas: "Atlas", found: "Name", at: At | None = None) -> list[str]:
    """Other names of the same object that a release has, those of the same package first.

    A name counts only if it stood for the object in the last release that has the asked name: a name that was once the same may
    mean a different object now.
    """
    at = at or newest(atlas)
    head = found.name.partition(".")[0]
    meant = _last_meant(atlas, found)
    if meant is None:
        return []
    package, release, target, member = meant
    names = sorted(
        (name for name in atlas.names_of(target)),
        key=lambda name: ("compat.v1" in name, name.partition(".")[0] != head, len(name), name),
    )
    kept = []
    for name in names[: 4 * _MOST_LOOKED_UP]:
        whole = f"{name}.{member}" if member else name
        if whole != found.name and _stood_for(atlas, name, package, release, target) and at.has(whole):
            kept.append(whole)
    return kept[:_MOST]


def _last_meant(atlas: "Atlas", found: "Name") -> tuple[str, str, str, str] | None:
    """(package, release, qualified name, member) of what a name stood for in the last release that has it."""
    span = found.releases[-1]
    target = atlas.object_of(found.name, span.package, span.last)
    if target:
        return span.package, span.last, target, ""
    parent, _, member = found.name.rpartition(".")
    above = atlas.object_of(parent, span.package, span.last) if target is None and parent else None
    return (span.package, span.last, above, member) if above else None


def _stood_for(atlas: "Atlas", name: str, package: str, release: str, target: str) -> bool:
    head = name.partition(".")[0]
    own = "tensorflow" if head == "tf" else head
    if own == package:
        return atlas.object_of(name, package, release) == target
    # The same object under another package's name, in any release of that package.
    return (
        any(atlas.object_of(name, own, version) == target for version in atlas.releases(own)) if own in atlas.packages else False
    )


def nearest(atlas: "Atlas", name: str) -> list[str]:
    """Similar names in the newest release; for a name that is gone, the current names of the same object."""
    names: list[str] = []
    for near in atlas.nearest(name):
        found = atlas.lookup(near)
        if found is not None:
            names += [near] if is_there(atlas, near) else same(atlas, found)[:1]
    return list(dict.fromkeys(names))


def nearest_method(atlas: "Atlas", name: str) -> list[str]:
    """The method of the same class that is spelled almost like a missing one, in the newest release; empty if there is none."""
    owner, _, member = name.rpartition(".")
    near = called.nearest_method(atlas, owner, member) if atlas.is_class(owner) else ""
    return [f"{owner}.{near}"] if near else []
