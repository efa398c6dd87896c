"""The atlas for one installation: what it has, what is gone, which keywords it takes, and where the atlas does not know."""

import pytest

from tfhelp.kb.atlas.at_release import At
from tfhelp.kb.atlas.atlas import Atlas, shared


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return shared()


@pytest.mark.parametrize(
    ("name", "there", "since"),
    [
        ("tf.keras.layers.Dense", True, ""),
        ("tf.Session", False, "2.0"),
        ("tf.contrib.slim.conv2d", False, "2.0"),
        ("tf.compat.v1.layers.dense", False, "2.16"),
        ("tf.keras.wrappers.scikit_learn.KerasClassifier", False, "2.13"),
        ("tf.data.Dataset.make_one_shot_iterator", False, "2.0"),
        ("keras.utils.np_utils.to_categorical", False, "2.13"),
        # A name that no release has; an attribute that the backend adds to a model; a property, which any attribute may follow.
        ("tf.keras.no_such_name", None, ""),
        ("tf.keras.Model.train_step", None, ""),
        ("keras.Model.output_shape", None, ""),
        ("tf.keras.layers.Dense.no_such_member", None, ""),
        ("tf.keras.preprocessing.image.ImageDataGenerator.flow", None, ""),
    ],
)
def test_a_name_is_there_or_gone_or_not_known(name: str, there: bool | None, since: str, atlas: Atlas) -> None:
    at = At(atlas, "2.21.0")
    assert at.has(name) is there
    gone = at.gone(name)
    assert (".".join(gone.since.split(".")[:2]) if gone else "") == since


def test_keras_2_of_a_late_release_has_what_keras_3_lost(atlas: Atlas) -> None:
    new, old = At(atlas, "2.21.0"), At(atlas, "2.21.0", legacy=True)
    name = "tf.keras.layers.experimental.preprocessing.Rescaling"
    assert (new.keras_3, old.keras_3) == (True, False)
    assert (new.has(name), old.has(name)) == (False, True)
    assert old.has("tf.compat.v1.layers.dense")
    assert old.takes("tf.keras.Model.fit", "workers")
    assert old.gone("tf.keras.wrappers.scikit_learn.KerasClassifier") is not None


@pytest.mark.parametrize(
    ("name", "keyword", "taken"),
    [
        ("tf.keras.Model.fit", "epochs", True),
        ("tf.keras.Model.fit", "workers", False),
        ("tf.keras.optimizers.Adam", "learning_rate", True),
        ("tf.keras.optimizers.Adam", "lr", False),
        ("tf.keras.optimizers.Adam", "decay", True),
        ("tf.keras.layers.Dense", "input_shape", True),
        ("tf.keras.layers.Dense", "batch_input_shape", False),
        ("tf.keras.layers.LSTM", "time_major", False),
        ("tf.keras.layers.LeakyReLU", "alpha", True),
        ("tf.reduce_sum", "keep_dims", False),
        # These check their keywords themselves.
        ("tf.keras.Model", "inputs", None),
        ("tf.keras.callbacks.LambdaCallback", "on_batch_end", None),
        ("tf.no_such_function", "x", None),
    ],
)
def test_a_keyword_is_taken_or_not_or_not_known(name: str, keyword: str, taken: bool | None, atlas: Atlas) -> None:
    assert At(atlas, "2.21.0").takes(name, keyword) is taken


def test_an_older_release_sees_its_own_names(atlas: Atlas) -> None:
    old = At(atlas, "1.15.5")
    assert old.has("tf.Session")
    assert old.gone("tf.Session") is None
    assert old.gone("tf.data.AUTOTUNE") is None, "it came later"
    assert At(atlas, "2.4.4").has("keras.layers.Dense"), "keras 2.4.3 is tf.keras"
