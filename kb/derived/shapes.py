"""Compare the shapes that a failure names: what an input lacks, how labels and predictions differ, which index was wrong.

A shape is text as TensorFlow prints it: ``(None, 28, 28)``, ``[32,?,10]``, ``32,224,224,3``, ``()``.
"""

import re
import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

Shape = tuple[int | None, ...]

MOST_AXES = 12
# Names that Keras gives to layers which need (batch, steps, features) and are not the first layer: Keras numbers the second one.
_NEEDS_STEPS = re.compile(
    r"(?:lstm|gru|simple_rnn|rnn|bidirectional)_\d+|time_distributed(?:_\d+)?"
    r"|(?:multi_head_|additive_)?attention(?:_\d+)?|global_(?:average|max)_pooling1d(?:_\d+)?"
)
# Keras numbers the second layer of a kind in a model, so such a layer is not the first one.
_NUMBERED = re.compile(r"[a-z]\w*_\d+")
IGNORE_LABELS = (255, 65535)  # the "no class" values of segmentation masks; 255 is also -1 in uint8


def parse(text: str | None) -> Shape | None:
    """The axes of a shape, ``None`` for an axis of unknown size; ``None`` for a text that is not a shape."""
    if text is None:
        return None
    inner = text.strip().removeprefix("TensorShape").strip("()[] ").rstrip(",")
    parts = [part.strip() for part in inner.split(",")] if inner else []
    if len(parts) > MOST_AXES or not all(part in ("None", "?", "-1") or (part.isdecimal() and len(part) < 12) for part in parts):
        return None
    return tuple(int(part) if part.isdecimal() else None for part in parts)


def _fits(one: Shape, other: Shape) -> bool:
    """Return whether two shapes can be equal; an unknown axis matches anything."""
    return len(one) == len(other) and all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def _shape(sheet: FactSheet, path: str) -> Shape | None:
    return parse(read.text(sheet, path))


@derived(
    "derived.input_difference",
    "text",
    needs=("log.found_shape",),
    uses=(
        "log.expected_shape",
        "log.expected_rank",
        "log.expected_axis",
        "log.expected_size",
        "log.layer",
        "log.call_shape",
        "log.input_shape",
        "log.layer_in_chain",
    ),
)
def input_difference(sheet: FactSheet, tables: Tables) -> typing.Any:
    """How an input differs from what its layer expects: no-batch-axis, no-channel-axis, no-steps (the recurrent layer
    before it returned only its last step), axis-removed (a layer before it removed an axis), axis-missing-inside and
    axis-too-many-inside (the layer before it gives one axis fewer, or one more), axis-missing, axis-too-many, channels-moved (first instead of last, or last instead of first),
    channel-count, size-differs."""
    found = _shape(sheet, "log.found_shape")
    expected = _shape(sheet, "log.expected_shape")
    if found is None:
        return UNKNOWN
    if expected is not None:
        return _shapes_differ(expected, found)
    rank = read.number(sheet, "log.expected_rank")
    if rank is not None:
        if (rank, len(found)) == (3, 2) and _NEEDS_STEPS.fullmatch(read.text(sheet, "log.layer") or ""):
            return "no-steps"
        if _is_removed(sheet, int(rank), found):
            return "axis-removed"
        # The input itself may be called x too.
        inside = sheet.get("log.layer_in_chain") is True and _shape(sheet, "log.input_shape") != found[1:]
        if inside and abs(len(found) - rank) == 1:
            return "axis-missing-inside" if len(found) < rank else "axis-too-many-inside"
        return _ranks_differ(int(rank), found)
    size = read.text(sheet, "log.expected_size")
    if size is not None and size.isdecimal() and len(size) < 12:
        return _axis_differs(read.text(sheet, "log.expected_axis"), int(size), found)
    return UNKNOWN


def _is_removed(sheet: FactSheet, rank: int, found: Shape) -> bool:
    """Return whether the input had more axes before it came to this layer.

    It had if the call that contains the layer got more axes. If the layer is not the first one, it also had in two cases:
    the layer got (batch,) or at least two axes fewer than it expects, because no data set for the layers before it looks like
    that; or the code declares an input with more axes and other sizes. (Equal sizes may be data that lack an axis.)
    """
    if len(found) >= rank:
        return False
    call = _shape(sheet, "log.call_shape")
    if call is not None:
        return len(call) > len(found)
    later = sheet.get("log.layer_in_chain") is True or _NUMBERED.fullmatch(read.text(sheet, "log.layer") or "")
    if not later or found[:1] != (None,):
        return False
    declared = _shape(sheet, "log.input_shape")
    if declared is not None and (len(declared) < len(found) or not set(found[1:]) <= set(declared)):
        return len(declared) >= len(found)
    return len(found) == 1 or len(found) <= rank - 2


def _shapes_differ(expected: Shape, found: Shape) -> typing.Any:
    if len(found) == len(expected) - 1:
        if found[:1] != (None,) and _fits(expected[1:], found):
            return "no-batch-axis"
        return "no-channel-axis" if expected[-1] == 1 and _fits(expected[:-1], found) else "axis-missing"
    if len(found) != len(expected):
        return "axis-too-many" if len(found) > len(expected) else "axis-missing"
    if _fits(expected, found):
        return UNKNOWN
    if len(found) >= 4:
        first_to_last = (found[0], *found[2:], found[1])
        last_to_first = (found[0], found[-1], *found[1:-1])
        if _fits(expected, first_to_last) or _fits(expected, last_to_first):
            return "channels-moved"
        if _fits(expected[:-1], found[:-1]):
            return "channel-count"
    return "size-differs"


def _ranks_differ(rank: int, found: Shape) -> typing.Any:
    if len(found) > rank:
        return "axis-too-many"
    if len(found) != rank - 1:
        return "axis-missing" if len(found) < rank else UNKNOWN
    if found and found[0] is not None and (len(found) == 1 or found[-1] in (1, 3, 4)):
        return "no-batch-axis"
    # Keras takes the first axis of a single image (28, 28, 1) for the batch and shows (None, 28, 1).
    if len(found) == 3 and found[-1] in (1, 3, 4):
        return "no-batch-axis"
    return "no-channel-axis"


def _axis_differs(axis: str | None, size: int, found: Shape) -> typing.Any:
    if len(found) >= 4 and axis == "-1" and found[1] == size and size <= 4:
        return "channels-moved"
    if len(found) >= 4 and axis in ("1", str(1 - len(found))) and found[-1] == size and size <= 4:  # channels first
        return "channels-moved"
    return "channel-count" if len(found) >= 4 and size <= 4 else "size-differs"


@derived("derived.labels_difference", "text", needs=("log.labels_shape", "log.predictions_shape"), uses=("code.flatten_missing",))
def labels_difference(sheet: FactSheet, tables: Tables) -> typing.Any:
    """How labels differ from predictions: integer-labels (one number each where a row of classes is expected),
    one-hot-labels (a row of classes where one number is expected), class-count, image-axes-left (predictions still have
    rows and columns), steps-left (they still have the steps of a one-dimensional convolution), time-axis (one of the two has
    time steps), no-batch-axis, axis-too-many (labels have a stray axis)."""
    labels, predictions = _shape(sheet, "log.labels_shape"), _shape(sheet, "log.predictions_shape")
    if labels is None or predictions is None:
        return UNKNOWN
    if not labels or not predictions:
        return "no-batch-axis"
    if len(labels) == 1 and len(predictions) == 2 and _flattened(labels, predictions):
        return _flattened(labels, predictions)
    if len(labels) == len(predictions) == 1:
        return _without_batch(labels[0], predictions[0])
    classes = predictions[-1]
    if len(predictions) >= 4 and len(labels) <= 2:
        return "image-axes-left"
    if len(predictions) == 3 and len(labels) <= 2 and sheet.get("code.flatten_missing") is True:
        return "steps-left"
    if (len(predictions) == 3 and len(labels) <= 2) or (len(predictions) == 2 and len(labels) == 3 and 1 not in labels):
        return "time-axis"
    same = len(labels) == len(predictions) > 2 and _fits(labels[:-1], predictions[:-1])
    if same and labels[-1] == 1 and classes not in (1, None):
        return "integer-labels"  # a mask or a sequence with one class number for each pixel or step
    if len(labels) == len(predictions) + 1 or (len(labels) > 2 and 1 in labels):
        return "axis-too-many"
    if len(labels) == 1 or (labels[-1] == 1 and classes != 1):
        return "integer-labels" if len(predictions) >= 2 and classes != 1 else UNKNOWN
    if len(labels) == len(predictions) and None not in (labels[-1], classes):
        if labels[-1] == classes:
            return _rows_differ(labels[0], predictions[0]) or "one-hot-labels"
        return "class-count"
    return UNKNOWN


def _without_batch(label: int | None, prediction: int | None) -> typing.Any:
    """Keras up to 2.3 prints shapes without their batch axis: expected (10,) but got (1,)."""
    if label is None or prediction is None or label == prediction:
        return UNKNOWN
    if label == 1:
        return "integer-labels"
    return "one-hot-labels" if prediction == 1 else "class-count"


def _flattened(labels: Shape, predictions: Shape) -> str:
    """The difference shown by the sparse loss's flat shapes: labels [2500] against predictions [250, 10]."""
    count, rows, classes = labels[0], predictions[0], predictions[1]
    if count is None or not rows or not classes or count == rows:
        return ""
    return "one-hot-labels" if count == rows * classes else _rows_differ(count, rows)


def _rows_differ(count: int | None, rows: int | None) -> str:
    """The axes left over if a loss has made one row of each time step or pixel; empty if the counts are equal."""
    if not count or not rows or count == rows or (count % rows and rows % count):
        return ""
    times = rows // count if rows > count else count // rows
    return "image-axes-left" if rows > count and int(times**0.5) ** 2 == times else "time-axis"


def _whole(text: str | None) -> int | None:
    digits = (text or "").removeprefix("-")
    return int(text or 0) if digits.isdecimal() and len(digits) < 21 else None


@derived("derived.shapes_differ_in", "text", needs=("log.expected_shape", "log.found_shape"))
def shapes_differ_in(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Where two shapes of a failed operation differ: axis-count, first-axis (the batch, and no other axis), later-axis."""
    one, other = _shape(sheet, "log.expected_shape"), _shape(sheet, "log.found_shape")
    if one is None or other is None or _fits(one, other):
        return UNKNOWN
    if len(one) != len(other):
        return "axis-count"
    return "first-axis" if _fits(one[1:], other[1:]) else "later-axis"


@derived("derived.later_batch_differs", "boolean", needs=("log.expected_shape", "log.found_shape"), uses=("course.last",))
def later_batch_differs(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Whether two shapes of a failed operation differ only in the first axis, and earlier batches had passed: the last, smaller
    batch then meets a tensor of the nominal batch size.
    """
    one, other = _shape(sheet, "log.expected_shape"), _shape(sheet, "log.found_shape")
    last = read.text(sheet, "course.last")
    if one is None or other is None or last is None:
        return UNKNOWN
    return last in ("step", "validation", "save") and len(one) > 1 and one[0] != other[0] and one[1:] == other[1:]


@derived("derived.index_fault", "text", needs=("log.out_of_range_value",), uses=("log.valid_range_end",))
def index_fault(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kind of a label or id outside its range: negative, cast-nan (the lowest integer), ignore-label (255),
    off-by-one (equal to the end of the range), too-large."""
    value, end = _whole(read.text(sheet, "log.out_of_range_value")), _whole(read.text(sheet, "log.valid_range_end"))
    if value is None:
        return UNKNOWN
    if value in (-(2**31), -(2**63)):
        return "cast-nan"
    if value < 0:
        return "negative"
    if value in IGNORE_LABELS and end is not None and end < 250:
        return "ignore-label"
    if end is None:
        return UNKNOWN
    return "off-by-one" if value == end else "too-large"


@derived("derived.failed_leading_size", "integer", needs=("log.failed_shape",))
def failed_leading_size(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Length of the first axis of the tensor or array that could not be allocated: a batch is small, a data set is long."""
    shape = _shape(sheet, "log.failed_shape")
    return UNKNOWN if not shape or shape[0] is None else shape[0]
