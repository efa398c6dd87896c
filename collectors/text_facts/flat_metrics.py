"""Finished epochs that print the same loss and the same low accuracy again and again: the training changes nothing.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''40/40 [=====] - 2s - loss: 7.6712 - acc: 0.5000
... 40/40 [=====] - 2s - loss: 7.6714 - acc: 0.5000
... 40/40 [=====] - 2s - loss: 7.6712 - acc: 0.5000''')
{'log.metrics_stand_still': True}
>>> values_of(read, '''40/40 - 2s - loss: 0.6931 - accuracy: 0.5000
... 40/40 - 2s - loss: 0.5210 - accuracy: 0.7420
... 40/40 - 2s - loss: 0.4402 - accuracy: 0.8110''')
{'log.metrics_stand_still': False}

A high accuracy that no longer changes is the end of a training that learned, so only a low one counts.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_STEPS = Pattern(r"\b([0-9]{1,9})/([0-9]{1,9})\b")
_LOSS = Pattern(r"(?:^|[^\w.])loss: ([0-9]{1,9}\.[0-9]{1,9}(?:e[-+]?[0-9]{1,3})?)")
_ACCURACY = Pattern(
    r"(?:^|[^\w.])(?:(?:binary_|categorical_|sparse_categorical_)?accuracy|acc): ([01]\.[0-9]{1,9}(?:e[-+]?[0-9]{1,3})?)"
)
_LEAST_EPOCHS = 3
_SAME_LOSS = 0.005  # share of the loss
_SAME_ACCURACY = 0.01
_LOW = 0.6  # of two classes, guessing gets one half right


@reads(words="acc accuracy binary_accuracy categorical_accuracy sparse_categorical_accuracy", says=("log.metrics_stand_still",))
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State whether the metrics of the finished epochs are all the same, and low."""
    losses, accuracies = [], []
    for number in at:
        line = lines[number]
        steps, loss, accuracy = _STEPS.search(line), _LOSS.search(line), _ACCURACY.search(line)
        if steps and loss and accuracy and steps[1] == steps[2]:
            losses.append(float(loss[1]))
            accuracies.append(float(accuracy[1]))
    if len(losses) >= _LEAST_EPOCHS:
        same = max(losses) - min(losses) <= _SAME_LOSS * max(losses) and max(accuracies) - min(accuracies) <= _SAME_ACCURACY
        said.say("log.metrics_stand_still", same and max(accuracies) <= _LOW, at[-1])
