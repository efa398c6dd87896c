"""One model's training as it proceeds: losses, weights, looks into the model, and the first step that went bad.

All watches of a process are written into one JSON document, at the end and from time to time before it.
"""

from __future__ import annotations

import json
import math
import os
import time
import typing
import weakref
import zlib

if typing.TYPE_CHECKING or __name__.startswith("tfhelp."):
    from tfhelp.collectors.run.injected.learning_data import Data, joined, number
    from tfhelp.collectors.run.injected.learning_model import about_model
    from tfhelp.collectors.run.injected.learning_probe import Look, Prober, array_of, describe, first_bad, name_of, size_of
else:
    from _tfhelp_learning_data import Data, joined, number
    from _tfhelp_learning_model import about_model
    from _tfhelp_learning_probe import Look, Prober, array_of, describe, first_bad, name_of, size_of

_EVERY_STEP = 64  # every step up to this one is looked at, then every 16th
_THINNED = 16
_COPIED = 2_000_000  # weights that are copied at each step that is looked at
_LOOKS_AT = (1, 8, 64, 512, 4096)
_LOOK_SHARE, _LOOK_SECONDS = 0.05, 4.0
_SAVE_SECONDS = 3.0
_MOST_WATCHES = 24
_MOST_LOSSES = 600


class Shared:
    """What all watches of this process share.

    Attributes:
        busy: a look is running, and the hooks let everything pass.
        replicas: their number in the largest strategy that the program created.
        restored: what was found when weights were loaded.
    """

    def __init__(self) -> None:
        self.busy = False
        self.replicas = 1
        self.restored: list[dict[str, typing.Any]] = []
        self.watches: list[Watch] = []
        self.detached: list[str] = []
        self._saved_at = 0.0
        self._pid = os.getpid()

    def watch_of(self, model: typing.Any, kind: str) -> Watch | None:
        """The watch of a model; ``None`` if there are too many."""
        for watch in self.watches:
            if watch.model is model:
                return watch
        if len(self.watches) >= _MOST_WATCHES:
            return None
        self.watches.append(Watch(self, model, kind))
        return self.watches[-1]

    def save(self, now: bool = False) -> None:
        """Write the document, at most once every three seconds."""
        if not now and time.monotonic() - self._saved_at < _SAVE_SECONDS:
            return
        document = {"version": 1, "replicas": self.replicas, "restored": self.restored, "detached": self.detached[:20]}
        models = [watch.document() for watch in self.watches if watch.steps or watch.data]
        path = os.path.join(os.environ["TFHELP_RUN_FOLDER"], f"learning-{os.getpid()}.json")
        try:
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(dict(document, models=models), file)
            os.replace(path + ".new", path)
        except OSError:
            pass
        self._saved_at = time.monotonic()


class Watch:
    """The training of one model, by ``fit`` or by a custom loop."""

    def __init__(self, shared: Shared, model: typing.Any, kind: str) -> None:
        self.shared = shared
        self._model = weakref.ref(model)  # a program may drop its model, and free its memory
        self.kind = kind
        self.data: dict[str, Data] = {}
        self.steps = 0
        self.epochs: list[dict[str, typing.Any]] = []
        self.losses: list[tuple[int, float]] = []
        self.optimizer: typing.Callable[[], typing.Any] | None = None
        self.given: set[int] = set()
        self.loss: dict[str, typing.Any] = {}
        self.about: dict[str, typing.Any] = {}
        self.bad: dict[str, typing.Any] = {}
        self.looks: list[dict[str, typing.Any]] = []
        self.tapped = False
        self.evidence: dict[str, typing.Any] = {}
        self.replay: typing.Callable[..., typing.Any] | None = None
        self._prober: Prober | None = None
        self._start: dict[int, tuple[int, float, typing.Any]] = {}  # by the variable's id
        self._known: dict[str, typing.Any] = {}
        self._good: list[typing.Any] | None = None
        self._good_step = 0
        self._good_loss: float | None = None
        self._seconds = 0.0
        self._began = time.monotonic()
        self._epoch_mean = (0, 0.0)
        self._first_in_epoch = 0
        self._changed: list[list[typing.Any]] = []
        self._epochs_done = 0
        self._validation: list[float] = []  # the first loss and the best one

    @property
    def model(self) -> typing.Any:
        """The model; ``None`` when the program has dropped it."""
        return self._model()

    # ---------------------------------------------------------------- the course of training

    def begin(self) -> None:
        """Before the first step of a ``fit``, or as soon as there are variables."""
        if self._start or not getattr(self.model, "built", True):
            return
        copied = size_of(self.model) <= 10 * _COPIED
        for variable in self.model.variables:
            value = array_of(variable)
            norm = float(abs(value).max()) if value.size and value.dtype.kind == "f" else 0.0
            kept = value.copy() if copied and value.size < 100_000 else None
            self._start[id(variable)] = (zlib.crc32(value.tobytes()), norm, kept)
        self._good = self._copy()
        self.about["trainable"] = sum(int(array_of(v).size) for v in self.model.trainable_variables)
        self.about["all"] = sum(int(array_of(v).size) for v in self.model.variables)

    def _copy(self) -> list[typing.Any] | None:
        return [array_of(v).copy() for v in self.model.trainable_variables] if size_of(self.model) <= _COPIED else None

    def epoch_begins(self) -> None:
        """A new pass over the data."""
        self._epoch_mean, self._first_in_epoch = (0, 0.0), self.steps

    def step_of_fit(self, done: int, mean: typing.Callable[[], float]) -> None:
        """A batch of ``fit`` is done.

        Args:
            done: batches of this epoch that are done.
            mean: returns the mean loss over them.
        """
        self.steps = self._first_in_epoch + done
        self.begin()
        if not self._looked_at() or self.bad:
            return
        value = mean()
        before, old = self._epoch_mean
        self._epoch_mean = (done, value)
        self._take((value * done - old * before) / max(1, done - before))

    def step(self, loss: float | None) -> None:
        """A step of a custom loop is done."""
        self.steps += 1
        self.begin()
        if self._looked_at() and not self.bad:
            self._take(loss)

    def looks_at_next(self) -> bool:
        """Return whether the step after this one will be looked at."""
        return self.steps < _EVERY_STEP or (self.steps + 1) % _THINNED == 0

    def _looked_at(self) -> bool:
        return self.steps <= _EVERY_STEP or self.steps % _THINNED == 0

    def _take(self, loss: float | None) -> None:
        if loss is not None and len(self.losses) < _MOST_LOSSES:
            self.losses.append((self.steps, loss))
        if (loss is not None and not math.isfinite(loss)) or not self._weights_finite():
            self._went_bad(loss)
            return
        if self.steps in _LOOKS_AT and self._time_left():
            self._look()
        copied = self._copy()
        if copied is not None:
            self._good, self._good_step = copied, self.steps
        self._good_loss = loss if loss is not None else self._good_loss

    def _weights_finite(self) -> bool:
        import numpy as np

        if size_of(self.model) > 10 * _COPIED:
            return True
        return all(np.isfinite(array_of(variable).sum(dtype="float64")) for variable in self.model.trainable_variables)

    def _time_left(self) -> bool:
        return self._seconds < _LOOK_SECONDS + _LOOK_SHARE * (time.monotonic() - self._began)

    # ---------------------------------------------------------------- looks

    def prober(self) -> Prober | None:
        """The prober of the model, if a look is possible."""
        if self._prober is None:
            self._prober = Prober(self.model, self.replay)
        return self._prober if self._prober.possible() else None

    def _looked(self, batch: tuple[typing.Any, typing.Any], training: bool = False, weights: typing.Any = None) -> Look | None:
        prober = self.prober()
        if prober is None:
            return None
        began, self.shared.busy = time.monotonic(), True
        try:
            return prober.look(batch[0], batch[1], training, weights)
        finally:
            self.shared.busy = False
            self._seconds += time.monotonic() - began

    def _look(self, last: bool = False) -> None:
        data = self.data.get("train")
        if data is None or not data.recent:
            return
        inputs, targets = joined(data.recent) if last else data.recent[-1][1:]
        look = self._looked((inputs, targets if self.kind == "fit" else None))
        if look is None:
            return
        found = dict(describe(look), step=self.steps)
        if last and look.loss is not None:
            found.update(self._both_modes(data))
        self.looks = [*self.looks[:6], found]

    def _both_modes(self, data: Data) -> dict[str, typing.Any]:
        """The loss of some batches, computed as in training and as in inference."""
        sums = {True: 0.0, False: 0.0}
        batches = data.recent[-4:]
        for training in (True, False):
            for _, inputs, targets in batches:
                look = self._looked((inputs, targets), training)
                if look is None or look.loss is None:
                    return {}
                sums[training] += look.loss / len(batches)
        return {"loss_in_training": number(sums[True]), "loss_in_inference": number(sums[False])}

    def _went_bad(self, loss: float | None) -> None:
        """The loss or the weights are not finite: find out what became non-finite first, with the last good weights."""
        self.bad = {"step": self.steps, "epoch": self._epochs_done + 1, "loss": None if loss is None else number(loss)}
        self.bad["loss_before"] = None if self._good_loss is None else number(self._good_loss)
        self.bad["good_step"] = self._good_step
        if self._good is not None:
            self.bad["weights"] = number(max((float(abs(value).max()) for value in self._good if value.size), default=0.0))
            self.bad["weights_at_start"] = number(max((entry[1] for entry in self._start.values()), default=0.0))
            self._replay_bad()
        if self.evidence and ((self.bad.get("look") or {}).get("bad") or {}).get("what") != "layer":
            self.bad["look"] = dict(self.bad.get("look") or {}, bad=self.evidence)
        self.shared.save(now=True)

    def _replay_bad(self) -> None:
        data = self.data.get("train")
        since = self._good_step - self._first_in_epoch
        batches = [] if data is None else [entry for entry in data.recent if entry[0] >= since] or data.recent[-1:]
        for index, inputs, targets in batches[:8]:
            look = self._looked((inputs, targets if self.kind == "fit" else None), False, self._good)
            if look is None:
                return
            found = dict(describe(look), batch=index + 1)
            found["bad"] = first_bad(look)
            if found["bad"] or index == batches[-1][0]:
                self.bad["look"] = found
            if found["bad"]:
                return

    # ---------------------------------------------------------------- the end

    def epoch_ends(self, logs: typing.Mapping[str, typing.Any]) -> None:
        """An epoch of ``fit`` is done."""
        found = {str(name): number(value) for name, value in logs.items() if _is_number(value)}
        self.epochs.append(found)
        del self.epochs[400:-1]
        loss, validation = found.get("loss"), found.get("val_loss")
        if not self.bad and isinstance(loss, str):
            self._went_bad(float(loss))
        self._epochs_done += 1
        if isinstance(validation, float):
            first, best = self._validation or (validation, validation)
            self._validation = [first, min(best, validation)]
        self.shared.save()

    def finish(self) -> None:
        """Training is over: compare the variables with their initial values, and look once more."""
        self._changed = self._changes()
        if not self.bad and self.steps:
            self._look(last=True)
        self._prober = None  # it holds a reference to the model
        self.shared.save(now=True)

    def _changes(self) -> list[list[typing.Any]]:
        """For each variable: name, whether it is trainable, has changed, was given to an optimizer, and how much it changed."""
        trainable = {id(variable) for variable in self.model.trainable_variables}
        found = []
        for variable in [item for item in self.model.variables if id(item) in self._start][:400]:
            checksum, largest, start = self._start[id(variable)]
            value = array_of(variable)
            share = None
            if start is not None and start.shape == value.shape and value.dtype.kind == "f" and largest:
                share = number(abs(value.astype("float64") - start).max() / largest)
            changed = zlib.crc32(value.tobytes()) != checksum
            found.append(
                [name_of(variable), id(variable) in trainable, changed, id(variable) in self.given or self.kind == "fit", share]
            )
        return found

    def document(self) -> dict[str, typing.Any]:
        """All that is known so far; if the model is gone, its last known state."""
        if self.model is not None:
            self._known = self._document()
        self._known["data"] = {role: data.document() for role, data in self.data.items()}
        return self._known

    def _document(self) -> dict[str, typing.Any]:
        found: dict[str, typing.Any] = {"kind": self.kind, "steps": self.steps, "epochs": self.epochs[-200:], "bad": self.bad}
        found["losses"] = [[step, number(loss)] for step, loss in _spread(self.losses, 120)]
        found["loss"] = self.loss
        found["about"] = dict(
            self.about, **about_model(self.model, self.optimizer() if self.optimizer else getattr(self.model, "optimizer", None))
        )
        found["looks"] = self.looks
        found["epochs_done"], found["validation"] = self._epochs_done, self._validation
        found["variables"] = self._changed or (self._changes() if self._start and not self.bad else [])
        return found


def _is_number(value: typing.Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _spread(items: list[typing.Any], most: int) -> list[typing.Any]:
    """The first and the last items, and some in between."""
    if len(items) <= most:
        return items
    half = most // 2
    return [*items[:half], *items[half : -half : max(1, (len(items) - most) // half)][:half], *items[-half:]]
