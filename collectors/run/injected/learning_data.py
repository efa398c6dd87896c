"""Measures of a model's data: the batches as they come, their values, their labels and their order.

Arrays are NumPy's. Nothing here touches the program: the input is what a tap on the data set has read.
"""

from __future__ import annotations

import math
import typing

_MOST_VALUES = 1 << 20  # values of one array; of a larger one, every n-th row
_MOST_CLASSES = 1000
_KEPT_ROWS = 256
_KEPT_BYTES = 1 << 20  # bytes that are kept of one array of one batch
_RECENT = 24
_SAMPLE_ROWS = 4096


def number(value: typing.Any) -> typing.Any:
    """A number for a JSON document: six digits; a value that is not finite becomes a word."""
    value = float(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return float(f"{value:.6g}")


def thinned(array: typing.Any) -> typing.Any:
    """At most a million values of an array, in whole rows."""
    if array.ndim and array.size > _MOST_VALUES:
        return array[:: -(-array.size // _MOST_VALUES)]
    return array


def kept_rows(array: typing.Any) -> int:
    """How many rows of an array are kept: 256, or fewer if they are large."""
    row = array[:1].nbytes or 1
    return int(max(1, min(_KEPT_ROWS, _KEPT_BYTES // row)))


def measures(array: typing.Any) -> dict[str, typing.Any]:
    """Range, spread and anomalies of one array; only the shape and type if it holds no numbers."""
    import numpy as np

    array = np.asarray(array)
    found: dict[str, typing.Any] = {"shape": [int(size) for size in array.shape], "dtype": str(array.dtype)}
    if array.dtype.kind not in "biuf" or not array.size:
        return found
    values = thinned(array).astype("float64")
    finite = np.isfinite(values)
    found["nonfinite"] = int(values.size - finite.sum())
    if not finite.any():
        return found
    good = values[finite]
    found.update(
        minimum=number(good.min()),
        maximum=number(good.max()),
        mean=number(good.mean()),
        spread=number(good.std()),
        deviation=number(np.abs(good - np.median(good)).mean()),
        whole=bool((good == np.round(good)).all()),
    )
    if values.ndim >= 2 and len(values) > 1:
        _measure_columns(np, values, finite, found)
    return found


def _measure_columns(np: typing.Any, values: typing.Any, finite: typing.Any, found: dict[str, typing.Any]) -> None:
    """Measures of the last axis's columns (features, channels), and whether all rows are the same."""
    rows = np.where(finite, values, 0.0)
    found["same_rows"] = bool((rows == rows[:1]).all())
    columns = rows.reshape(-1, rows.shape[-1])
    if not 1 < columns.shape[1] <= 4096:
        return
    spreads, sizes = columns.std(axis=0), np.abs(columns).max(axis=0)
    found["columns"] = int(columns.shape[1])
    found["constant_columns"] = int((spreads <= 1e-9 * (sizes + 1e-30)).sum())
    found["nonfinite_columns"] = int((~finite.reshape(columns.shape)).any(axis=0).sum())
    known = sizes[sizes > 0]
    if known.size:
        found["largest_column"], found["smallest_column"] = number(known.max()), number(known.min())
    moving = np.abs(columns.mean(axis=0)) / (spreads + 1e-30)
    found["offset"] = number(np.median(moving))


def form_of_targets(array: typing.Any) -> str:
    """``integer``, ``binary``, ``one-hot``, ``several`` (0 and 1 in several columns), ``real``, or empty if not numeric."""
    import numpy as np

    array = np.asarray(array)
    if array.dtype.kind not in "biuf" or not array.size:
        return ""
    values = thinned(array).astype("float64")
    good = values[np.isfinite(values)]
    if not good.size or not (good == np.round(good)).all():
        return "real"
    wide = values.ndim >= 2 and values.shape[-1] > 1
    zeros_and_ones = bool(((good == 0) | (good == 1)).all())
    if wide and zeros_and_ones:
        return "one-hot" if (values.sum(axis=-1) == 1).all() else "several"
    if wide:
        return "real"
    if zeros_and_ones:
        return "binary"
    few = len(np.unique(good)) <= (_MOST_CLASSES if array.dtype.kind in "iu" else min(_MOST_CLASSES, max(10, good.size // 2)))
    return "integer" if good.min() >= -1 and few else "real"


def classes_of(array: typing.Any, form: str) -> typing.Any:
    """The class of each sample; ``None`` if targets are not classes."""
    import numpy as np

    array = np.asarray(array)
    if form == "one-hot":
        return array.argmax(axis=-1).reshape(-1)
    if form in ("integer", "binary"):
        return array.reshape(-1)
    return None


class Data:
    """The data of one role (``train``, ``validation``, ``evaluate``, ``predict``) of a model.

    Attributes:
        recent: the last batches: (number in its pass from 0, inputs, targets), with at most 256 rows each.
        batches: how many were measured.
    """

    def __init__(self) -> None:
        self.recent: list[tuple[int, typing.Any, typing.Any]] = []
        self.first: tuple[typing.Any, typing.Any] | None = None
        self.batches = 0
        self.bad_inputs: int | None = None
        self.bad_targets: int | None = None
        self.nonfinite_inputs = 0
        self.nonfinite_targets = 0
        self.samples: list[typing.Any] = []
        self.inputs: list[typing.Any] = []
        self.orders: list[list[int]] = []
        self.whole: dict[str, typing.Any] = {}

    def add(self, index: int, inputs: list[typing.Any], targets: list[typing.Any], packed: typing.Any) -> None:
        """Take in one batch.

        Args:
            index: its number in the pass over the data, from 0.
            inputs, targets: its arrays, flat.
            packed: (inputs, targets) in the structure that the model expects.
        """
        import numpy as np

        self.batches += 1
        if _not_finite(np, inputs):
            self.nonfinite_inputs += 1
            self.bad_inputs = index if self.bad_inputs is None else self.bad_inputs
        if _not_finite(np, targets):
            self.nonfinite_targets += 1
            self.bad_targets = index if self.bad_targets is None else self.bad_targets
        self.first = self.first or packed
        self.recent = [*self.recent[1 - _RECENT :], (index, *packed)]
        if len(self.inputs) < _RECENT and sum(len(part) for part in self.inputs) < _SAMPLE_ROWS and inputs and inputs[0].ndim:
            self.inputs.append(inputs[0][: kept_rows(inputs[0])])
        if (
            targets
            and len(self.samples) < 4 * _RECENT
            and sum(len(part) for part in self.samples) < _SAMPLE_ROWS
            and targets[0].ndim
        ):
            self.samples.append(targets[0][: kept_rows(targets[0])])
        if len(self.orders) < 400 and targets and targets[0].ndim and len(targets[0]) > 1:
            classes = classes_of(targets[0], form_of_targets(targets[0]))
            if classes is not None and len(classes) == len(targets[0]):
                kinds, counts = np.unique(classes, return_counts=True)
                self.orders.append([index, int(kinds[counts.argmax()]), int(counts.max()), int(counts.sum())])

    def document(self) -> dict[str, typing.Any]:
        """All measures, for the JSON document."""
        import numpy as np

        found: dict[str, typing.Any] = {"batches": self.batches, "nonfinite_inputs": self.nonfinite_inputs}
        found["nonfinite_targets"] = self.nonfinite_targets
        if self.bad_inputs is not None:
            found["first_bad_inputs"] = self.bad_inputs + 1
        if self.bad_targets is not None:
            found["first_bad_targets"] = self.bad_targets + 1
        found.update(self.whole)
        if self.inputs:
            found["inputs"] = measures(_joined(np, self.inputs))
        if self.samples:
            found["targets"] = describe_targets(_joined(np, self.samples))
        if len(self.orders) >= 2:
            found["order"] = self._order()
        return found

    def _order(self) -> dict[str, typing.Any]:
        """Share of the most common class within a batch, compared with that over all batches of the first pass."""
        totals: dict[int, int] = {}
        share, rows = 0.0, 0
        first_pass: list[list[int]] = []
        for order in self.orders:
            if first_pass and order[0] <= first_pass[-1][0]:
                break
            first_pass.append(order)
        for _, kind, most, count in first_pass:
            totals[kind] = totals.get(kind, 0) + most
            share += most
            rows += count
        return {
            "batches": len(first_pass),
            "in_batch": number(share / rows),
            "leading": number(max(totals.values()) / rows),
            "leaders": len(totals),
        }


def _joined(np: typing.Any, parts: list[typing.Any]) -> typing.Any:
    same = [part for part in parts if part.shape[1:] == parts[0].shape[1:]]
    return np.concatenate(same)


def _not_finite(np: typing.Any, arrays: list[typing.Any]) -> bool:
    return any(array.dtype.kind == "f" and not np.isfinite(array).all() for array in arrays)


def describe_targets(array: typing.Any) -> dict[str, typing.Any]:
    """Measures of targets, their form, and for classes their number and distribution."""
    import numpy as np

    found = measures(array)
    form = found["form"] = form_of_targets(array)
    classes = classes_of(array, form)
    if classes is not None:
        kinds, counts = np.unique(classes[np.isfinite(classes.astype("float64"))], return_counts=True)
        found["classes"] = len(kinds)
        found["largest_share"] = number(counts.max() / counts.sum())
        found["entropy"] = number(-(counts / counts.sum() * np.log(counts / counts.sum())).sum())
        found["kinds"] = [number(kind) for kind in kinds[:_MOST_CLASSES]]
        found["shares"] = [number(count / counts.sum()) for count in counts[:_MOST_CLASSES]]
    return found


def joined(recent: list[typing.Any]) -> tuple[typing.Any, typing.Any]:
    """Several batches as one of at most 256 rows, if each is one array; else the largest of them."""
    import numpy as np

    newest = recent[::-1]
    arrays = all(isinstance(part, np.ndarray) and part.ndim for entry in newest for part in entry[1:])
    if not arrays or any(entry[1].shape[1:] != newest[0][1].shape[1:] for entry in newest):
        return typing.cast(
            "tuple[typing.Any, typing.Any]", max(newest, key=lambda entry: len(entry[1]) if hasattr(entry[1], "shape") else 0)[1:]
        )
    inputs, targets = (np.concatenate([entry[place] for entry in newest])[:256] for place in (1, 2))
    return inputs, targets
