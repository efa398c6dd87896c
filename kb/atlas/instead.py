"""What there is in place of a name that the newest release does not have."""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas, Name

_MOST = 3
_MOST_LOOKED_UP = 12


def is_there(atlas: "Atlas", name: str) -> bool:
    """Whether the newest release has a name."""
    found = atlas.lookup(name)
    return found is not None and any(span.newest for span in found.releases)


def same(atlas: "Atlas", found: "Name") -> list[str]:
    """Other names of the same object in the newest release, those of the same package first."""
    head = found.name.partition(".")[0]
    names = sorted(found.same[:_MOST_LOOKED_UP], key=lambda name: ("compat.v1" in name, name.partition(".")[0] != head))
    return [name for name in names if is_there(atlas, name)][:_MOST]


def nearest(atlas: "Atlas", name: str) -> list[str]:
    """Names that are alike and that the newest release has; of one that is gone, what the same object is called now."""
    names: list[str] = []
    for near in atlas.nearest(name):
        found = atlas.lookup(near)
        if found is not None:
            names += [near] if is_there(atlas, near) else same(atlas, found)[:1]
    return list(dict.fromkeys(names))
