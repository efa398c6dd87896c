"""How far training got: Keras progress bars, epochs, steps of other loops, and whether the loss turned into NaN.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "Epoch 3/50\\n 62/125 [=====>....] - ETA: 2s - loss: 0.4")
{'log.epochs_announced': 50, 'log.epochs_done': 2, 'log.steps_done': 312}
>>> values_of(read, "Epoch 1/5\\nKilled")
{'log.epochs_announced': 5, 'log.epochs_done': 0, 'log.steps_done': 0}
>>> values_of(read, "INFO:tensorflow:loss = 0.25, step = 1200")["log.steps_done"]
1200
>>> values_of(read, "step 60/400 loss 0.9\\nstep 80/400 loss 0.7")["log.announced_steps_missing"]
True
>>> values_of(read, "Epoch 2/5\\nWARNING:tensorflow:Your input ran out of data; interrupting training.")["log.data_ended_in_epoch"]
2

An epoch that was announced with no step after it counts as zero steps done: Keras draws the bar after the first
step (with ``verbose=2`` it draws none; that case looks the same and is rare).
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_EPOCH = Pattern(r"(?:^|\s)Epoch:?\s{0,3}\[?([0-9]{1,7})\s?(?:/|of)\s?([0-9]{1,7})\b", re.ASCII)
_EPOCH_END = Pattern(r"(?:^|\s)Epoch ([0-9]{1,7}): ", re.ASCII)
_BAR = Pattern(
    r"(?:^|[\s|m])([0-9]{1,9})/([0-9]{1,9}|Unknown|\?)(?:\[0m)?\s{0,4}(?:\[[=>.\s]{0,60}\]|(?:\[[0-9;]{1,6}m){0,3}[━╸╺\u2500-\u257f]{1,60}|\[[0-9:]{2,9}<|- (?:ETA|[0-9.]{1,6}s)|(?<=Unknown )(?:\x1b?\[1m)?[0-9]{1,6}s)",
    re.ASCII,
)
_STEP = Pattern(
    r"\b(?:global[ _])?(?:step|iteration|iter)s?\s?[:=#]?\s?\[?([0-9]{1,10})\b(?!\s?/step|\.[0-9])", re.ASCII | re.IGNORECASE
)
_STEP_OF = Pattern(
    r"\b(?:global[ _])?(?:step|iteration|iter)s?\s?[:=#]?\s?\[?([0-9]{1,9})\s?(?:/|of)\s?([0-9]{1,9})\b", re.ASCII | re.IGNORECASE
)
_STEP_CONTEXT = ("loss", "acc", "lr")
_NAN = Pattern(r"loss\w{0,20}['\"]?\s?[:=]\s{0,3}(?:tensor\()?[-+]?(nan|inf)\b", re.IGNORECASE)
_BEST = Pattern(r"\b(?:best|min(?:imum)?|lowest)(?:[ _-]\w{1,20})?[ _-]$", re.IGNORECASE)  # a best loss starts as inf
_FINITE = Pattern(r"loss\w{0,20}['\"]?\s?[:=]\s{0,3}[-+]?[0-9]", re.IGNORECASE)


@reads(
    words="epoch epochs eta global_step inf it iter iteration loss m ms nan ran s step us",
    says=(
        "log.steps_done",
        "log.epochs_done",
        "log.epochs_announced",
        "log.loss_is_nan",
        "log.loss_finite_before_nan",
        "log.data_ended_in_epoch",
        "log.nan_in_epoch",
        "log.steps_announced",
        "log.announced_steps_missing",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the steps and epochs done, and whether the loss became NaN or infinite."""
    state = _Course()
    for number in at:
        line = lines[number]
        state.take(line, number)
    state.say(said)


class _Course:
    """The last epoch, step and loss while lines are read in order."""

    __slots__ = ("announced", "bar_seen", "data_end", "epoch", "epoch_line", "finite", "nan", "nan_epoch", "per_epoch") + (
        "counted",
        "step",
        "step_line",
        "total",
    )

    def __init__(self) -> None:
        self.epoch = 0
        self.announced = 0
        self.epoch_line = -1
        self.step = 0
        self.per_epoch = 0
        self.bar_seen = False
        self.step_line = -1
        self.total = -1
        self.nan = -1
        self.nan_epoch = 0
        self.finite = -1
        self.counted: list[tuple[int, int, int]] = []  # the last two of a custom loop: step, number announced, line
        self.data_end: tuple[int, int] | None = None  # epoch and line

    def take(self, line: str, number: int) -> None:
        if "poch" in line:
            self._take_epoch(line, number)
        bar = None
        if "/" in line:
            for bar in _BAR.finditer(line):
                pass
        if bar:
            self.step, self.bar_seen, self.step_line = int(bar[1]), True, number
            self.per_epoch = int(bar[2]) if bar[2].isdigit() else self.per_epoch
        elif self._names_step(line) and (step := _STEP.search(line)):
            self.total, self.step_line = int(step[1]), number
            if counted := _STEP_OF.search(line):
                self.counted = [*self.counted[-1:], (int(counted[1]), int(counted[2]), number)]
        if "loss" in line:
            if self.nan < 0 and _shows_nan(line):
                self.nan, self.nan_epoch = number, self.epoch
            if self.nan < 0 and _FINITE.search(line):
                self.finite = number

        if "ran out of data" in line and self.data_end is None and self.epoch > 0:
            self.data_end = self.epoch, number

    def _take_epoch(self, line: str, number: int) -> None:
        if epoch := _EPOCH.search(line):
            self.epoch, self.announced, self.epoch_line = int(epoch[1]), int(epoch[2]), number
            self.step, self.bar_seen = 0, False
        elif self.epoch <= 0 and (ended := _EPOCH_END.search(line)):
            self.epoch, self.epoch_line = int(ended[1]), number

    @staticmethod
    def _names_step(line: str) -> bool:
        small = line.lower()
        return ("step" in small or "iter" in small) and any(word in small for word in _STEP_CONTEXT) and "/step" not in small

    def say(self, said: Statements) -> None:
        if self.epoch_line >= 0:
            finished = self.bar_seen and self.per_epoch > 0 and self.step >= self.per_epoch
            done = self.epoch if finished or not self.announced else self.epoch - 1
            if self.announced:
                said.say("log.epochs_announced", self.announced, self.epoch_line)
            said.say("log.epochs_done", max(done, 0), self.epoch_line)
        if self.bar_seen:
            said.say("log.steps_done", max(self.epoch - 1, 0) * self.per_epoch + self.step, self.step_line)
        elif self.total >= 0:
            said.say("log.steps_done", self.total, self.step_line)
        elif self.epoch_line >= 0 and self.announced:
            said.say("log.steps_done", max(self.epoch - 1, 0) * self.per_epoch, self.epoch_line)
        if self.counted:
            self._say_counted(said)
        if self.nan >= 0:
            said.say("log.loss_is_nan", True, self.nan)
            said.say("log.loss_finite_before_nan", self.finite >= 0, self.nan)
            if self.nan_epoch > 0:
                said.say("log.nan_in_epoch", self.nan_epoch, self.nan)
        if self.data_end is not None:
            said.say("log.data_ended_in_epoch", *self.data_end)

    def _say_counted(self, said: Statements) -> None:
        last, announced, line = self.counted[-1]
        said.say("log.steps_announced", announced, line)
        before = self.counted[0]
        if len(self.counted) == 2 and before[1] == announced and 0 <= before[0] < last <= announced:
            said.say("log.announced_steps_missing", last + (last - before[0]) < announced, line)


def _shows_nan(line: str) -> bool:
    return any(not _BEST.search(line[max(0, found.start() - 40) : found.start()]) for found in _NAN.finditer(line))
