"""What the numbers of the epochs show, and where they show nothing."""

import pytest

from tfhelp.collectors.text_facts.epoch_metrics import read
from tfhelp.collectors.text_facts.statements import values_of

_GOOD = "10/10 [=====] - 1s - loss: 0.2100 - accuracy: 0.9310\n10/10 [=====] - 1s - loss: 0.1900 - accuracy: 0.9420\n"
_BAD = "10/10 [=====] - 1s - loss: 6.1000 - accuracy: 0.2010\n10/10 [=====] - 1s - loss: 5.9000 - accuracy: 0.1990\n"


@pytest.mark.parametrize(
    ("text", "collapses"),
    [
        (_GOOD + _BAD, True),
        (_GOOD + "Fold 2\nEpoch 1/20\n" + _BAD, False),  # another training begins
        (_GOOD + _BAD.partition("\n")[0], False),  # evaluate ends with one line
        (_GOOD + _BAD.replace("10/10", "3/10"), False),  # these lines are within an epoch
        (_BAD + _GOOD, False),
    ],
)
def test_a_training_collapses_if_its_accuracy_falls_and_stays_low(text: str, collapses: bool) -> None:
    assert values_of(read, text).get("log.training_collapses", False) is collapses


@pytest.mark.parametrize(
    ("loss", "accuracy", "fits_no_loss"),
    [("0.0132", "0.0025", True), ("0.7100", "0.0025", False), ("0.0132", "0.9025", False), ("-0.1000", "0.0025", False)],
)
def test_a_small_loss_with_nearly_no_accuracy_is_no_cross_entropy(loss: str, accuracy: str, fits_no_loss: bool) -> None:
    text = "".join(f"10/10 [=====] - 1s - loss: {loss} - accuracy: {accuracy}\n" for _ in range(3))
    values = values_of(read, text)
    assert values.get("log.accuracy_fits_no_loss", False) is fits_no_loss
    assert values["log.metrics_stand_still"] is (loss in ("0.7100", "-0.1000"))


def test_an_epoch_and_its_steps_may_stand_on_one_line() -> None:
    line = "Epoch {}/9 20/20 [=====] - 1s - loss: {:.4f} - val_loss: {:.4f}\n"
    text = "".join(line.format(epoch, 0.4 - epoch / 20, 1.0 + epoch / 10) for epoch in range(2, 7))
    assert values_of(read, text)["log.validation_diverges"] is True


def test_validation_may_be_far_below_an_accuracy_that_is_not_high() -> None:
    text = "20/20 [=====] - 1s - loss: 0.9 - accuracy: {} - val_loss: 2.9 - val_accuracy: 0.1000"
    assert values_of(read, text.format("0.6900"))["log.validation_far_below"] is True
    assert values_of(read, text.format("0.4900"))["log.validation_far_below"] is False
