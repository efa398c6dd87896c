"""The public name that TensorFlow or Keras does not have, with its module, as a Python exception reports it.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "AttributeError: module 'tensorflow._api.v2.sysconfig' has no attribute 'is_built_with_cudnn'")
{'log.missing_name': 'tf.sysconfig.is_built_with_cudnn'}
>>> values_of(read, "ImportError: cannot import name 'Dens' from 'keras._tf_keras.keras.layers' (/x/layers/__init__.py)")
{'log.missing_name': 'tf.keras.layers.Dens'}
>>> values_of(read, "AttributeError: module 'keras.api.layers' has no attribute 'Dens'. Did you mean: 'Dense'?")
{'log.missing_name': 'keras.layers.Dens'}

A place inside the packages (``tensorflow.python``, ``keras.src``) is not public, and is not stated.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_PLACE = r"'?((?:tensorflow|tensorflow_core|keras|tf_keras)(?:\.\w{1,60}){0,8})'?"
_ATTRIBUTE = Pattern(rf"\bmodule {_PLACE} has no attribute '([A-Za-z]\w{{0,80}})'")
_IMPORT = Pattern(rf"\bcannot import name '?([A-Za-z]\w{{0,80}})'? from {_PLACE}")
_SAME_AS = (
    ("tensorflow_core.", "tensorflow."),
    ("tensorflow._api.v2.v2.", "tensorflow."),
    ("tensorflow._api.v2.", "tensorflow."),
    ("tensorflow._api.v1.", "tensorflow."),
    ("keras.api._v2.keras.", "tensorflow.keras."),
    ("keras.api._v1.keras.", "tensorflow.keras."),
    ("keras._tf_keras.keras.", "tensorflow.keras."),
    ("keras.api.", "keras."),
    ("tensorflow.compat.v2.", "tensorflow."),
)
_INSIDE = frozenset({"python", "core", "compiler", "tools", "src", "engine", "keras_api", "api"})


@reads(words="attribute import", says=("log.missing_name",), signs=("has no attribute '", "cannot import name "))
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State which public name is missing."""
    for number in at:
        line = lines[number]
        if found := _ATTRIBUTE.search(line):
            _say(found[1], found[2], number, said)
        elif found := _IMPORT.search(line):
            _say(found[2], found[1], number, said)


def _say(place: str, name: str, number: int, said: Statements) -> None:
    path = f"{place}."
    for printed, meant in _SAME_AS:
        if path.startswith(printed):
            path = meant + path[len(printed) :]
    parts = path.split(".")[1:-1]
    if any(part.startswith("_") or part in _INSIDE for part in parts):
        return
    said.say("log.missing_name", f"tf.{path[11:]}{name}" if path.startswith("tensorflow.") else path + name, number)
