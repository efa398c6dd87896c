"""Shapes, ranks and dtypes that do not match, as layers and operations print them.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, 'Input 0 of layer "dense" is incompatible with the layer: expected shape=(None, 784), found shape=(None, 28, 28)')
{'log.layer': 'dense', 'log.expected_shape': '(None, 784)', 'log.found_shape': '(None, 28, 28)'}
>>> values_of(read, "Input 0 of layer conv2d is incompatible with the layer: : expected min_ndim=4, found ndim=3.")
{'log.layer': 'conv2d', 'log.expected_rank': 4, 'log.found_rank': 3}
>>> values_of(read, "Tensor conversion requested dtype float32 for Tensor with dtype float64")
{'log.expected_dtype': 'float32', 'log.found_dtype': 'float64'}
>>> values_of(read, "model = keras.Sequential([keras.Input((28, 28, 1)), keras.layers.Flatten()])")
{'log.input_shape': '(28, 28, 1)'}

If several are found, the last one counts: in a traceback the exception comes last.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_SHAPE = r"([(\[][0-9None?, .]{0,120}[)\]])"
_LAYER = Pattern(
    r"(?:Input [0-9]{1,3} of layer|of layer|passed to layer|calling layer) [\"'`]?([\w./-]{1,120}?)[\"'`]?(?: \(type| is incompatible|\s|:|$)",
    re.ASCII,
)
_SHAPES = (
    Pattern(rf"expected shape ?= ?{_SHAPE}, found shape ?= ?{_SHAPE}", re.ASCII),
    Pattern(rf"[Ss]hapes {_SHAPE} and {_SHAPE} are incompatible", re.ASCII),
    Pattern(rf"must have the same shape(?:, received| \()?[ (]{{0,2}}{_SHAPE} vs\.? {_SHAPE}", re.ASCII),
)
_AXIS = Pattern(rf"to have value ([0-9]{{1,9}})[ ,]{{1,2}}but received input with shape {_SHAPE}", re.ASCII)
_RANKS = Pattern(
    r"expected (?:min_|max_)?ndim ?= ?([0-9]{1,3}), found ndim ?= ?([0-9]{1,3})(?:\. Full shape received: ?([(\[][0-9None, ]{0,120}[)\]]))?",
    re.ASCII,
)
# The input of a model, as code declares it: Input((28, 28)), Input(shape=(28, 28)), Dense(8, input_shape=(28, 28)).
# model.build and messages of Keras write input_shape with the batch axis, as None.
_DECLARED = Pattern(r"(?:\bInput\( ?(?:shape ?= ?)?|\binput_shape ?= ?(?=[(\[][0-9]))([(\[][0-9None, ]{1,80}[)\]])", re.ASCII)
# Keras lists the arguments of the layer or model whose call failed, one in a line; the first one is the input.
_CALL = "rguments received by "
_FIRST_ARGUMENT = Pattern(rf"^\W{{0,12}}\w{{1,60}}=\W{{0,3}}(?:tf\.)?Tensor\(shape={_SHAPE}", re.ASCII)
# The source line of a traceback, or the marked line of a notebook, that calls a layer on a name and gives the result this name:
# x = Conv2D(8, 3)(x). Such a layer gets what another layer made.
_CHAINED = Pattern(r"^(?P<marked>\W{0,12}> *[0-9]{1,5})? *(?P<name>\w{1,60}) ?= ?\w.{0,200}\)\((?P=name)[,)]", re.ASCII)
_LINES_BACK = 40  # the message stands at most this many lines below that line
_TYPE = r"(?:tf\.)?(float(?:16|32|64)?|b?float16|bfloat16|half|double|u?int(?:8|16|32|64)|bool|string|complex(?:64|128)|resource|variant)"
_DTYPES = (
    Pattern(rf"conversion requested dtype {_TYPE} for Tensor with dtype {_TYPE}\b", re.ASCII),
    Pattern(rf"expected to be an? {_TYPE} tensor but is an? {_TYPE} tensor", re.ASCII),
    Pattern(rf"expected (?:dtype )?{_TYPE},? (?:but )?(?:got|found) {_TYPE}\b", re.ASCII),
)


@reads(
    words="arguments compatible dtype expected incompatible input input_shape logits ndim shapes tensor",
    signs=(
        "ncompatible",
        "ndim",
        "dtype",
        "expected",
        "must have the same shape",
        "of layer",
        "to layer",
        "calling layer",
        _CALL,
        "Input(",
        "input_shape",
    ),
    says=(
        "log.layer",
        "log.expected_shape",
        "log.found_shape",
        "log.expected_rank",
        "log.found_rank",
        "log.call_shape",
        "log.input_shape",
        "log.layer_in_chain",
        "log.expected_dtype",
        "log.found_dtype",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State what was expected and what was found."""
    for number in at:
        line = lines[number]
        if "layer" in line and (layer := _LAYER.search(line)):
            said.say("log.layer", layer[1].rstrip("."), number)
        if _CALL in line and number + 1 < len(lines) and (argument := _FIRST_ARGUMENT.search(lines[number + 1])):
            said.say("log.call_shape", argument[1], number + 1)
        if "hape" in line:
            _shapes(line, number, said)
        if "ndim" in line:
            _ranks(lines, number, said)
        if "dtype" in line or "expected" in line:
            _dtypes(line, number, said)
    _declared(lines, at, said)


def _shapes(line: str, number: int, said: Statements) -> None:
    shapes = next(filter(None, (pattern.search(line) for pattern in _SHAPES)), None)
    if shapes:
        said.say("log.expected_shape", shapes[1], number)
        said.say("log.found_shape", shapes[2], number)
    elif axis := _AXIS.search(line):
        said.say("log.found_shape", axis[2], number)


def _ranks(lines: Lines, number: int, said: Statements) -> None:
    ranks = _RANKS.search(lines[number])
    if not ranks:
        return
    said.say("log.expected_rank", int(ranks[1]), number)
    said.say("log.found_rank", int(ranks[2]), number)
    if ranks[3]:
        said.say("log.found_shape", ranks[3], number)
    for above in range(number - 1, max(0, number - _LINES_BACK), -1):
        chained = _CHAINED.match(lines[above])
        if chained and (chained["marked"] or lines[above - 1].lstrip().startswith('File "')):
            said.say("log.layer_in_chain", True, above)
            return


def _dtypes(line: str, number: int, said: Statements) -> None:
    dtypes = next(filter(None, (pattern.search(line) for pattern in _DTYPES)), None)
    if dtypes:
        said.say("log.expected_dtype", dtypes[1], number)
        said.say("log.found_dtype", dtypes[2], number)


def _declared(lines: Lines, at: list[int], said: Statements) -> None:
    declared = [
        (shape, number)
        for number in at
        if "Input(" in lines[number] or "input_shape" in lines[number]
        for shape in _DECLARED.findall(lines[number])
    ]
    # Inputs with different numbers of axes do not tell which one leads to the layer that failed.
    if declared and len({shape.strip("()[], ").count(",") for shape, _ in declared}) == 1:
        said.say("log.input_shape", *declared[-1])
