"""A method or attribute that an object of a class of TensorFlow or Keras does not have, as a public name.

This comes from the atlas, which is only opened if Python says that an object lacks an attribute.
"""

import functools
import re
import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas

NAME = "derived.missing_name"
KIND = "log.missing_member_of"
MEMBER = "log.missing_member"
_OTHERS = frozenset({"Dataset", "Model", "Trainer"})
"""Class names that many programs give their own classes. Objects of tf.data and of Keras 2.4 and later print other names."""
_SUFFIX = re.compile(r"(?<=[a-z])V[12](?:Adapter)?$")
"""What TensorFlow adds to the public name of a class: ``tf.data.Dataset`` is ``DatasetV2``."""


@functools.lru_cache(maxsize=16)
def public_name(kind: str, member: str) -> str:
    """The public name of a member; empty if no release has it and no method of the class is spelled almost like it."""
    from tfhelp.kb.atlas import called
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    if kind in _OTHERS or member.startswith("_"):
        return ""
    try:
        atlas = shared()
        owners = called.owners(atlas, _SUFFIX.sub("", kind))
        known = (f"{owner}.{member}" for owner in owners if _is_method(atlas, f"{owner}.{member}"))
        near = (f"{owner}.{member}" for owner in owners if called.nearest_method(atlas, owner, member))
        return next(known, None) or next(near, "")
    except AtlasError:
        return ""


def _is_method(atlas: "Atlas", name: str) -> bool:
    """Return whether a member is a method. Other releases may set an attribute in the constructor, which the atlas does not show."""
    found = atlas.lookup(name)
    return found is not None and any(text for text, _ in found.signatures)


@derived(NAME, "text", uses=("log.missing_name", KIND, MEMBER))
def missing_name(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The public name that a module, or an object of a public class, does not have: tf.data.AUTOTUN, keras.layers.LSTM.reset."""
    name, kind, member = read.text(sheet, "log.missing_name"), read.text(sheet, KIND), read.text(sheet, MEMBER)
    return name or (public_name(kind, member) if kind and member else "") or UNKNOWN
