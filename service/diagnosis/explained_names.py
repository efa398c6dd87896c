"""What the atlas knows about a public name: which releases have it, how to call it, what to use instead."""

import re
import typing

from tfhelp.kb.atlas import instead
from tfhelp.kb.atlas.atlas import canonical, shared
from tfhelp.service.diagnosis.answer import OpFacts
from tfhelp.service.diagnosis.explained import releases
from tfhelp.service.diagnosis.explained_words import in_words, minor
from tfhelp.service.vocabulary import PACKAGES

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.renames import Row
    from tfhelp.service.diagnosis.answer import Releases

_RAW = "tf.raw_ops."
_PUBLIC = re.compile(r"(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,80}(?:\(\))?")


class Parameters(typing.TypedDict):
    """The parameters of a function, method or class, and the releases with exactly these. A default is a bare ``=``."""

    parameters: str
    releases: "list[Releases]"


class Renamed(typing.TypedDict):
    """The replacement for a name in the table of renames; ``instead`` is empty if there is no simple one.

    ``edit``: rename, drop, expression or hand. ``behaviour``: same or differs.
    """

    instead: str
    gone: str
    edit: str
    behaviour: str
    says: str
    source: str


class NameExplained(typing.TypedDict):
    """A name. ``existed``: some release has it. ``gone``: the newest one does not.

    ``same`` are other names of the same object that the newest release has, ``nearest`` are similar existing names.
    """

    name: str
    existed: bool
    gone: bool
    releases: "list[Releases]"
    same: list[str]
    parameters: list[Parameters]
    nearest: list[str]
    renamed: typing.NotRequired[Renamed]
    says: list[str]


class OpExplained(OpFacts):
    """An operation, also described in sentences."""

    says: list[str]


def is_a_name(text: str) -> bool:
    """Return whether a text has the form of a Python name, such as ``tf.keras.Model.fit``.

    >>> is_a_name("tf.keras.Model.fit()"), is_a_name("gpu-out-of-memory"), is_a_name("no such op")
    (True, False, False)
    """
    return _PUBLIC.fullmatch(text) is not None


def about(text: str) -> NameExplained:
    """Everything known about a name.

    Raises:
        tfhelp.kb.atlas.store.AtlasError: the atlas is missing or damaged.
    """
    name = canonical(text.removesuffix("()"))
    found = shared().lookup(name)
    known = releases(found.releases) if found else releases(shared().module(_as_module(name)))
    gone = bool(known) and not any(row["newest"] for row in known)
    document: NameExplained = {
        "name": name,
        "existed": bool(known),
        "gone": gone,
        "releases": known,
        "same": instead.same(shared(), found) if found else [],
        "parameters": [
            {"parameters": text, "releases": releases(spans)} for text, spans in (found.signatures if found else ()) if text
        ],
        "nearest": [] if known and not gone else instead.nearest(shared(), name),
        "says": [],
    }
    renamed = instead.known(shared(), name)
    if renamed is not None and (gone or not known or renamed[1].how):
        document["renamed"] = _renamed(*renamed)
        document["nearest"] = []
    document["says"] = _sentences(document)
    return document


def about_op(text: str) -> "OpExplained | None":
    """An operation, named as a message does (``MatMul``) or as Python does (``tf.raw_ops.MatMul``); ``None`` if there is none.

    Raises:
        tfhelp.kb.atlas.store.AtlasError: the table of operations is missing or damaged.
    """
    name = canonical(text.removesuffix("()")).removeprefix(_RAW)
    if "." in name:
        return None
    from tfhelp.kb.atlas import ops
    from tfhelp.service.diagnosis import explained_ops, op_words

    op = ops.shared().get(name)
    return None if op is None else {**explained_ops.facts(op), "says": op_words.all_of(op)}


def _renamed(new: str, row: "Row") -> Renamed:
    return {
        "instead": new,
        "gone": row.gone,
        "edit": row.edit,
        "behaviour": row.behaviour,
        "says": row.says,
        "source": row.source,
    }


def _as_module(name: str) -> str:
    return f"tensorflow.{name[3:]}" if name.startswith("tf.") else name


def _sentences(found: NameExplained) -> list[str]:
    name = found["name"]
    if "renamed" in found:
        return _from_table_of_renames(found, found["renamed"])
    if not found["existed"]:
        return [f"No release that I know of has the name {name}.", *_instead(found["nearest"])]
    says = [f"{name} exists in {in_words(found['releases'])}."]
    if found["gone"]:
        says.append("The newest release does not have it.")
    if found["same"]:
        says.append(f"The same object is {'still' if found['gone'] else 'also'} available as {_listed(found['same'])}.")
    elif found["gone"]:
        says += _instead(found["nearest"])
    return says


def _from_table_of_renames(found: NameExplained, renamed: Renamed) -> list[str]:
    """Since when it is gone, what replaces it, and further notes."""
    package, _, rest = renamed["gone"].partition(" ")
    version, _, how = rest.partition(", ")
    shown = found["existed"] and not _is_hidden(found, version)
    says = [f"{found['name']} exists in {in_words(found['releases'])}."] if shown else []
    if how == "raises":
        says.append(f"Since {PACKAGES[package]} {version} it raises an exception when it is called.")
    elif shown and found["gone"]:
        says.append("The newest release does not have it.")
    else:
        says.append(f"{found['name']} was removed in {PACKAGES[package]} {version}.")
    if renamed["instead"]:
        differs = ", but does not behave in exactly the same way" if renamed["behaviour"] == "differs" else ""
        says.append(f"{renamed['instead']} takes its place{differs}.")
    elif found["same"] and not how:
        says.append(f"The same object is still available as {_listed(found['same'])}.")
    return [*says, *([renamed["says"]] if renamed["says"] else [])]


def _is_hidden(found: NameExplained, version: str) -> bool:
    """Return whether the name still existed inside the package after the last release that exposes it, up to ``version``."""
    last = found["releases"][-1]
    known = shared().releases(last["package"])
    after = known[known.index(last["last"]) + 1 :]
    return bool(after) and minor(after[0]) != version and version in map(minor, after)


def _instead(nearest: list[str]) -> list[str]:
    return [f"The nearest existing {'name is' if len(nearest) == 1 else 'names are'} {_listed(nearest)}."] if nearest else []


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
