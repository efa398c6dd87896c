"""What the numbers of the epochs show: nothing changes, validation stays worse, training collapses, or a number cannot be right.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''40/40 [=====] - 2s - loss: 7.6712 - acc: 0.5000
... 40/40 [=====] - 2s - loss: 7.6714 - acc: 0.5000
... 40/40 [=====] - 2s - loss: 7.6712 - acc: 0.5000''')
{'log.metrics_stand_still': True}
>>> values_of(read, '''70/70 - 4s - loss: -4.4077 - acc: 0.3267
... 70/70 - 4s - loss: -4.4110 - acc: 0.3268
... 70/70 - 4s - loss: -4.4110 - acc: 0.3268''')
{'log.metrics_stand_still': True}
>>> values_of(read, '''40/40 - 2s - loss: 0.6931 - accuracy: 0.5000
... 40/40 - 2s - loss: 0.5210 - accuracy: 0.7420
... 40/40 - 2s - loss: 0.4402 - accuracy: 0.8110''')
{'log.metrics_stand_still': False}
>>> values_of(read, '''9/9 - 1s - loss: 0.9120 - val_loss: 1.1040
... 9/9 - 1s - loss: 0.5030 - val_loss: 1.0210
... 9/9 - 1s - loss: 0.2210 - val_loss: 1.3110
... 9/9 - 1s - loss: 0.0912 - val_loss: 1.7020''')
{'log.validation_diverges': True}
>>> values_of(read, '''9/9 - 1s - loss: -4.1200 - dice_coef: 0.9100
... 9/9 - 1s - loss: -31.0400 - dice_coef: 1.7400''')
{'log.score_above_one': True}
>>> values_of(read, '''Final: train_loss: 0.1132 - train_acc: 0.9623
... Final: val_loss: 12.7359 - val_acc: 0.0492''')
{'log.validation_far_below': True}
>>> values_of(read, "9/9 - 1s - loss: 1.1592 - accuracy: 0.7991 - val_loss: 3.0318 - val_accuracy: 0.5864")
{'log.validation_far_below': True}
>>> values_of(read, '''178/178 - 0s - loss: 0.0201 - acc: 0.0056
... 178/178 - 0s - loss: 0.0192 - acc: 0.0056
... 178/178 - 0s - loss: 0.0198 - acc: 0.0056''')
{'log.metrics_stand_still': False, 'log.accuracy_fits_no_loss': True}
>>> values_of(read, '''30/30 - 0s - loss: 1.3120 - acc: 0.0000e+00
... 30/30 - 0s - loss: 0.2280 - acc: 0.0000e+00
... 30/30 - 0s - loss: 0.0410 - acc: 0.0000e+00''')
{'log.metrics_stand_still': False, 'log.accuracy_fits_no_loss': True}
>>> values_of(read, '''step 3869, loss 0.27, acc 0.91
... step 3870, loss 0.23, acc 0.93
... step 3871, loss 8.54, acc 0.45
... step 3872, loss 322.3, acc 0.24''')
{'log.training_collapses': True}
>>> values_of(read, '''9/9 - 1s - loss: 2.3120
... 9/9 - 1s - loss: 4418.0210
... 9/9 - 1s - loss: 91230044032.0000''')
{'log.loss_explodes': True}

A high accuracy that no longer changes is the end of a training that learned, so only a low one counts.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_STEPS = Pattern(r"\b([0-9]{1,9})/([0-9]{1,9})\b")
# Older Keras prints no steps with verbose=2: " - 3s - loss: 0.4".
_WITHOUT_STEPS = Pattern(r"^[\s-]{0,4}[0-9]{1,7}s (?:[0-9]{1,9}\w{1,2}/\w{1,8} )?- ")
_LOSS = Pattern(r"(?:^|[^\w.])loss: (-?[0-9]{1,39}\.[0-9]{1,9}(?:e[-+]?[0-9]{1,3})?)")
_VALIDATION = Pattern(r"\bval_loss: (-?[0-9]{1,9}\.[0-9]{1,9}(?:e[-+]?[0-9]{1,3})?)")
_SCORE = Pattern(r"\b\w{0,20}(?:iou|dice|jaccard|f1)[\w-]{0,20}: ([0-9]{1,9}\.[0-9]{1,9})")  # overlap of two sets: at most 1
_ACCURACY = Pattern(
    r"(?:^|[^\w.])(?:(?:binary_|categorical_|sparse_categorical_)?accuracy|acc): ([01]\.[0-9]{1,9}(?:e[-+]?[0-9]{1,3})?)"
)
_TRAINING_ACCURACY = Pattern(r"(?:^|[^\w.])(?!val_)(?:\w{1,20}_){0,2}acc(?:uracy)?: ([01]\.[0-9]{1,9})")
_PRINTED_ACCURACY = Pattern(
    r"(?:^|[^\w.])(?:train(?:ing)?_)?(?:(?:binary_|categorical_|sparse_categorical_)?accuracy|acc)(?::? |[:=])([01]\.[0-9]{1,9})"
)
_STARTS = Pattern(r"(?i)\b(?:epoch|step|iteration)s?\W{0,3}[01]\b(?!\d)")
_VALIDATION_ACCURACY = Pattern(r"\bval_(?:\w{1,20}_)?acc(?:uracy)?: ([01]\.[0-9]{1,9})")
_Epochs = list[tuple[int, str]]  # line number and text of each line that ends an epoch
_LEAST_EPOCHS = 3
_LEAST_OF_VALIDATION = 4  # epochs: the validation loss varies more than the training loss
_SAME_LOSS = 0.005  # share of the loss
_SAME_ACCURACY = 0.01
_LOW = 0.6  # accuracy below which the model may just be guessing: with two classes, guessing gets 0.5
_FALLEN = 0.9  # share of the first training loss
_NOT_FALLEN = 0.95  # share of the first validation loss
_FAR_ABOVE = 1.5  # validation loss / training loss
_HIGH = 0.8  # accuracy in training
_FAR_BELOW = 0.3  # accuracy in training - accuracy in validation
_VERY_FAR_BELOW = 0.45  # the same, if the accuracy in training is not high
# If the loss of validation is at least twice that of training, a lower accuracy and a smaller difference are enough.
_TWICE = 2.0
_FAIRLY_HIGH = 0.7  # accuracy in training
_BELOW = 0.15  # accuracy in training - accuracy in validation
_NEAR = 8  # lines between the two
_NEARLY_NONE = 0.1  # accuracy
_SMALL_LOSS = 0.6
"""A sample that is classified wrongly gives its class at most half of the probability, so it adds at least ln 2 to a mean
cross-entropy. With nine wrong samples of ten, the cross-entropy is above 0.62.
"""
_EXPLODED = 1e6
_GROWN = 1e4  # largest loss / first loss
_HUGE = 1e18
"""A mean squared error of targets in the billions is about this large. Numbers of float32 end at 3.4e38."""
_LEAST_OF_COLLAPSE = 2  # lines before, and lines after
_FELL = 0.3  # accuracy


@reads(
    words="acc accuracy binary_accuracy categorical_accuracy dice_coef iou_score loss sparse_categorical_accuracy train_acc"
    " train_accuracy training_accuracy val_acc val_accuracy val_loss",
    says=(
        "log.metrics_stand_still",
        "log.accuracy_fits_no_loss",
        "log.validation_diverges",
        "log.validation_far_below",
        "log.training_collapses",
        "log.loss_explodes",
        "log.score_above_one",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State what the metrics of the finished epochs show together."""
    epochs = [(number, line) for number in at if "loss: " in (line := lines[number]) and _ends_an_epoch(line)]
    _stands_still(epochs, said)
    _explodes(epochs, said)
    _diverges(epochs, said)
    printed = [(number, lines[number]) for number in at if "acc" in lines[number]]
    _far_below(printed, said)
    _collapses(lines, printed, said)
    _beyond_one(epochs, said)


def _ends_an_epoch(line: str) -> bool:
    steps = _STEPS.findall(line)[:2]  # "Epoch 4/10 200/200" may be one line
    return any(done == planned for done, planned in steps) if steps else _WITHOUT_STEPS.search(line) is not None


def _stands_still(epochs: _Epochs, said: Statements) -> None:
    losses, accuracies = [], []
    for _, line in epochs:
        loss, accuracy = _LOSS.search(line), _ACCURACY.search(line)
        if loss and accuracy:
            losses.append(float(loss[1]))
            accuracies.append(float(accuracy[1]))
    if len(losses) >= _LEAST_EPOCHS:
        same = (
            max(losses) - min(losses) <= _SAME_LOSS * max(map(abs, losses))
            and max(accuracies) - min(accuracies) <= _SAME_ACCURACY
        )
        impossible = min(losses) >= 0 and losses[-1] < _SMALL_LOSS and max(accuracies) < _NEARLY_NONE
        said.say("log.metrics_stand_still", same and max(accuracies) <= _LOW and not impossible, epochs[-1][0])
        if impossible:
            said.say("log.accuracy_fits_no_loss", True, epochs[-1][0])


def _explodes(epochs: _Epochs, said: Statements) -> None:
    losses = [float(loss[1]) for _, line in epochs if (loss := _LOSS.search(line))]
    largest = max(losses, default=0.0)
    if largest >= _HUGE or (largest >= _EXPLODED and largest >= _GROWN * abs(losses[0])):
        said.say("log.loss_explodes", True, epochs[-1][0])


def _diverges(epochs: _Epochs, said: Statements) -> None:
    pairs = []
    for _, line in epochs:
        loss, validation = _LOSS.search(line), _VALIDATION.search(line)
        if loss and validation:
            pairs.append((float(loss[1]), float(validation[1])))
    if len(pairs) >= _LEAST_OF_VALIDATION and min(map(min, pairs)) >= 0:
        (first, first_validation), (last, validation_loss) = pairs[0], pairs[-1]
        apart = validation_loss >= _FAR_ABOVE * last and validation_loss >= _NOT_FALLEN * first_validation
        said.say("log.validation_diverges", apart and last <= _FALLEN * first, epochs[-1][0])


def _far_below(printed: _Epochs, said: Statements) -> None:
    """Compare the last accuracy of validation with that of training, which is on the same line or just above it."""
    for index in reversed(range(len(printed))):
        number, line = printed[index]
        if validation := _VALIDATION_ACCURACY.search(line):
            near = [other for place, other in printed[max(0, index - _NEAR) : index + 1] if number - place <= _NEAR]
            training = next(filter(None, map(_TRAINING_ACCURACY.search, reversed(near))), None)
            if training:
                high, low = float(training[1]), float(validation[1])
                far = _FAR_BELOW if high >= _HIGH else _VERY_FAR_BELOW
                loss, validation_loss = _LOSS.search(line), _VALIDATION.search(line)
                if high >= _FAIRLY_HIGH and loss and validation_loss and float(validation_loss[1]) >= _TWICE * float(loss[1]) > 0:
                    far = _BELOW
                said.say("log.validation_far_below", high - low >= far, number)
            return


def _collapses(lines: Lines, printed: _Epochs, said: Statements) -> None:
    """State that the accuracy was high and then stays low, unless another training began in between.

    Lines inside an epoch do not count. evaluate ends with one line, so it is no collapse.
    """
    ends = [(number, line) for number, line in printed if not _STEPS.search(line) or _ends_an_epoch(line)]
    found = [(number, float(match[1])) for number, line in ends if (match := _PRINTED_ACCURACY.search(line))]
    high = [number for number, accuracy in found if accuracy >= _HIGH]
    after = [(number, accuracy) for number, accuracy in found if high and number > high[-1]]
    if len(high) < _LEAST_OF_COLLAPSE or len(after) < _LEAST_OF_COLLAPSE:
        return
    last = [accuracy for _, accuracy in after[-_LEAST_OF_COLLAPSE:]]
    between = range(high[-1] + 1, after[-1][0] + 1)
    if max(last) <= _HIGH - _FELL and not any(_STARTS.search(lines[number]) for number in between):
        said.say("log.training_collapses", True, after[-1][0])


def _beyond_one(epochs: _Epochs, said: Statements) -> None:
    for number, line in epochs:
        loss, score = _LOSS.search(line), _SCORE.search(line)
        if loss and score and float(loss[1]) < 0 and float(score[1]) > 1:
            said.say("log.score_above_one", True, number)
