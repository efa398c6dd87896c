"""The releases in which a text is possible, if it states no version. Every check that needs a version falls back on them.

``log.tensorflow_releases`` and ``log.keras_releases`` come from the frames of a traceback. A missing name excludes the releases
that have it.
"""

import typing

from tfhelp.kb import release_range, versions
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

TENSORFLOW = "derived.tensorflow_releases"
KERAS = "derived.keras_releases"
NAME = "log.missing_name"
_HEADS = {"tensorflow": "tf.", "keras": "keras."}
SHOWN_TENSORFLOW, SHOWN_KERAS = "log.tensorflow_releases", "log.keras_releases"
_SAME_MINOR = ">=2.6,<2.16"
"""Releases of Keras that TensorFlow of the same minor release requires, and that work with no other."""
_FACT_OF = {SHOWN_TENSORFLOW: TENSORFLOW, SHOWN_KERAS: KERAS}
_FROM = {TENSORFLOW: (SHOWN_TENSORFLOW, SHOWN_KERAS, NAME), KERAS: (SHOWN_KERAS, NAME)}
_INSTEAD = {
    "derived.tensorflow_version": TENSORFLOW,
    "derived.tensorflow_minor": TENSORFLOW,
    "packages.tensorflow": TENSORFLOW,
    "packages.keras": KERAS,
}


@derived(KERAS, "text", uses=(SHOWN_KERAS, NAME))
def keras_releases(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Releases of Keras in which the text is possible, for example '2.7 to 2.12', if it states no version."""
    if sheet.known(SHOWN_KERAS):
        return sheet.get(SHOWN_KERAS)
    return _without_name(sheet, "keras") or UNKNOWN


@derived(TENSORFLOW, "text", uses=(SHOWN_TENSORFLOW, KERAS, NAME))
def tensorflow_releases(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Releases of TensorFlow in which the text is possible, for example '2.4 to 2.8', if it states no version."""
    if sheet.known(SHOWN_TENSORFLOW):
        return sheet.get(SHOWN_TENSORFLOW)
    keras = sheet.get(KERAS)
    if release_range.satisfies(keras, _SAME_MINOR):
        return keras
    return _without_name(sheet, "tensorflow") or UNKNOWN


def _without_name(sheet: FactSheet, package: str) -> str:
    """The releases of a package without the text's missing name; empty if all or none have it, or it is another package's."""
    name = sheet.get(NAME)
    if not isinstance(name, str) or not name.startswith(_HEADS[package]):
        return ""
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    try:
        atlas = shared()
        found = atlas.lookup(name)
        known = atlas.releases(package)
    except AtlasError:
        return ""  # the rest of the answer does not need it
    having = [span for span in found.releases if span.package == package] if found else []
    inside = {place for span in having for place in range(known.index(span.first), known.index(span.last) + 1)}
    left = [place for place in range(len(known)) if place not in inside]
    if not inside or not left:
        return ""
    first, last = (str(versions.minor_release(known[place])) for place in (left[0], left[-1]))
    return release_range.say(first, last, oldest=left[0] == 0, newest=left[-1] == len(known) - 1)


class Ranged(typing.NamedTuple):
    """The result of a comparison with releases: whether it holds, because of which releases, and the source of the releases."""

    holds: bool
    because: str
    source: str


def ranged(sheet: FactSheet, path: str, wanted: object) -> Ranged | None:
    """Return whether an unknown version meets a condition, judged by the releases in which the text is possible.

    It does if all of them do, and does not if none does; None if they differ, or if the fact is not a version.
    """
    instead = _INSTEAD.get(path)
    if instead is None or not sheet.known(instead):
        return None
    specifier = _specifier(path, wanted)
    outcome = release_range.satisfies(sheet.get(instead), specifier) if specifier else None
    return None if outcome is None else Ranged(outcome, *_because(sheet, instead))


def _specifier(path: str, wanted: object) -> str | None:
    if isinstance(wanted, dict):
        return typing.cast("str | None", wanted.get("version"))
    if not isinstance(wanted, str) or versions.parse(wanted) is None:
        return None
    return f"=={wanted}.*" if path.endswith("_minor") else f"=={wanted}"


def _because(sheet: FactSheet, path: str) -> tuple[str, str]:
    """(which releases, their source)"""
    same = (one for one in _FROM[path] if sheet.known(one) and (one == NAME or sheet.get(one) == sheet.get(path)))
    shown = next(same, path)
    package = "Keras" if KERAS in (path, _FACT_OF.get(shown)) else "TensorFlow"
    if shown == NAME:
        return f"of all releases, only {package} {sheet.get(path)} lacks {sheet.get(NAME)}", sheet.source(NAME)
    return f"the frames of the traceback exist in {package} {sheet.get(path)} only", sheet.source(shown)
