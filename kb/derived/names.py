"""A public name that is missing: which releases have it, from which to which, and what to use instead.

This comes from the atlas, which is only opened if the text contains such a name.
"""

import typing

from tfhelp.kb import versions
from tfhelp.kb.derived import read
from tfhelp.kb.derived.members import KIND, MEMBER, NAME
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.versions import VERSION
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas, Span

_FEWEST_BESIDE = 5
"""With fewer names at a place, the atlas does not cover the place well enough to say that a name never existed there."""
_UNSEEN = (
    "tf.summary.",
    "tf.contrib.",
    "tf.app.",
    "tf.flags",
    "tf.compat.v1.flags",
    "tf.compat.v1.app.",
    "tf.compat.v1.summary.",
)
"""Places whose names another package or a program defines, so the sources do not show them."""
_OLDER = """
    mul sub neg div_ pack unpack select inv listdiff batch_matmul batch_matrix_inverse concat_v2 audio_summary histogram_summary
    image_summary merge_summary merge_all_summaries scalar_summary SummaryWriter initialize_all_variables all_variables complex_abs
    user_ops models rnn rnn_cell RNNCell Merge merge MaxoutDense Highway Convolution1D Convolution2D Convolution3D Deconvolution2D
    AtrousConvolution1D AtrousConvolution2D TimeDistributedDense image_dim_ordering set_image_dim_ordering
    get_file_from_google_drive
"""
"""Names that are older than the oldest releases that the atlas was made from (TensorFlow 1.15, Keras 2.2)."""


def _atlas() -> "Atlas | None":
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    try:
        return shared()
    except AtlasError:
        return None


def _spans(sheet: FactSheet) -> "tuple[Span, ...] | None":
    """The releases that have the missing name; empty if none has it; None if the atlas does not know."""
    from tfhelp.kb.atlas.store import AtlasError

    atlas, name = _atlas(), read.text(sheet, NAME)
    if atlas is None or name is None or name.startswith(_UNSEEN):
        return None
    try:
        return _looked_up(atlas, name)
    except AtlasError:
        return None


def _looked_up(atlas: "Atlas", name: str) -> "tuple[Span, ...] | None":
    found = atlas.lookup(name)
    if found is not None:
        return found.releases
    parent, _, leaf = name.rpartition(".")
    if atlas.is_class(parent):
        return ()
    if leaf in _OLDER.split() or atlas.beside(parent) < _FEWEST_BESIDE or atlas.module(_module(name)):
        return None
    return ()


def _module(name: str) -> str:
    return f"tensorflow.{name[3:]}" if name.startswith("tf.") else name


def minor(version: object) -> tuple[int, ...] | None:
    """The first two numbers of a version; None for a text that is no version."""
    parsed = versions.parse(version)
    return tuple(parsed[0][:2]) if parsed else None


def installed_release(sheet: FactSheet, package: str) -> tuple[int, ...] | None:
    """The first two numbers of the installed release of TensorFlow or Keras; None if it is not known."""
    return minor(sheet.get(VERSION) if package == "tensorflow" else read.package(sheet, package))


@derived("derived.name_never_existed", "boolean", needs=(NAME,))
def name_never_existed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """No release of TensorFlow from 1.15 on, and none of Keras from 2.2 on, has the missing name at its place."""
    spans = _spans(sheet)
    return UNKNOWN if spans is None else not spans


@derived("derived.name_first_release", "text", needs=(NAME,))
def name_first_release(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The oldest known release that has the missing name, for example 'tensorflow 2.4'."""
    spans = _spans(sheet)
    return f"{spans[0].package} {versions.minor_release(spans[0].first)}" if spans else UNKNOWN


@derived("derived.name_last_release", "text", needs=(NAME,))
def name_last_release(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The last release that has the missing name, for example 'keras 2.15'; null while the newest one has it."""
    spans = _spans(sheet)
    if not spans:
        return UNKNOWN
    return None if spans[-1].newest else f"{spans[-1].package} {versions.minor_release(spans[-1].last)}"


@derived("derived.name_came_later", "boolean", needs=(NAME,), uses=(VERSION, "packages.*"))
def name_came_later(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The newest release has the missing name, and no release up to the installed one has it."""
    spans = _spans(sheet)
    if not spans or not spans[-1].newest:
        return UNKNOWN if spans is None else False
    installed, first = installed_release(sheet, spans[0].package), minor(spans[0].first)
    if installed and first:
        return installed < first
    # A name that always existed, or was removed and came back, may be missing for another reason.
    return UNKNOWN if len(spans) > 1 or _is_oldest(spans[0]) else True


@derived("derived.name_is_gone", "boolean", needs=(NAME,), uses=(VERSION, "packages.*"))
def name_is_gone(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The last release with the missing name is older than the installed one (or than the newest, if that is not known).

    This also holds if a later release has the name again.
    """
    spans = _spans(sheet)
    if not spans:
        return UNKNOWN if spans is None else False
    installed = installed_release(sheet, spans[-1].package)
    if installed:
        return any(installed > (minor(span.last) or installed) for span in spans) and not any(
            has_release(span, installed) for span in spans
        )
    return True if not spans[-1].newest else UNKNOWN if len(spans) > 1 else False


def has_release(span: "Span", installed: tuple[int, ...]) -> bool:
    """Return whether a release lies in a span."""
    first, last = minor(span.first), minor(span.last)
    return first is not None and last is not None and first <= installed and (installed <= last or span.newest)


def _is_oldest(span: "Span") -> bool:
    atlas = _atlas()
    return atlas is not None and atlas.releases(span.package)[0] == span.first


@derived("derived.name_instead", "text", needs=(NAME,))
def name_instead(sheet: FactSheet, tables: Tables) -> typing.Any:
    """What to use instead of the missing name: from the table of renames, else the same object, else the most similar name."""
    from tfhelp.kb.atlas import instead
    from tfhelp.kb.atlas.store import AtlasError

    atlas, name = _atlas(), read.text(sheet, NAME)
    if atlas is None or name is None:
        return UNKNOWN
    try:
        found, renamed = atlas.lookup(name), instead.known(atlas, name)
        near = [] if found else instead.nearest_method(atlas, name) or instead.nearest(atlas, name)
        names = [renamed[0]] if renamed and renamed[0] else instead.same(atlas, found) if found else near
    except AtlasError:
        return UNKNOWN
    return " or ".join(names[:2]) or UNKNOWN


@derived("derived.member_unexplained", "boolean", needs=(KIND, MEMBER), uses=(NAME, VERSION, "packages.*"))
def member_unexplained(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The releases do not explain why an object lacks an attribute: the class is the program's own, or every release has it."""
    explained = (name_never_existed, name_came_later, name_is_gone)
    return not any(sheet.known(NAME) and fact(sheet, tables) is True for fact in explained)


_DATED = ("tensorflow ", "keras ")


@derived("derived.written_for", "text", needs=("code.written_for",), uses=(VERSION, "packages.keras"))
def written_for(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The releases that the script was written for, if the installed one, or else the newest, is not one of them; else null."""
    said = read.text(sheet, "code.written_for")
    if said is None:
        return UNKNOWN
    others = [one for one in said.split(", ") if one.startswith(_DATED) and _is_for_others(sheet, one)]
    return ", ".join(others) or None


def _is_for_others(sheet: FactSheet, said: str) -> bool:
    """Return whether a range, ``tensorflow 2.4 to 2.10``, ``keras 2.12 or older``, excludes the installed release."""
    package, _, releases = said.partition(" ")
    first, last = minor(releases.split(" ")[0]), minor(releases.split(" ")[-1])
    if releases.endswith("or older"):
        first, last = None, first
    elif releases.endswith("or newer"):
        last = None
    installed = installed_release(sheet, package)
    if installed is None:
        return last is not None
    return (first is not None and installed < first) or (last is not None and installed > last)
