"""Which cause of an entry leads: what the releases, the words and the script decide."""

import pytest

from tfhelp.service.diagnosis.diagnoser import Diagnoser


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


@pytest.mark.parametrize(
    ("said", "cause", "instead"),
    [
        (
            "AttributeError: module 'tensorflow._api.v2.sysconfig' has no attribute 'is_built_with_cudnn'",
            "misspelt",
            "tf.test.is_built_with_cuda",
        ),
        (
            "AttributeError: module 'tensorflow._api.v2.debugging' has no attribute 'assert_shape'",
            "misspelt",
            "tf.debugging.assert_shapes",
        ),
        ("AttributeError: module 'tensorflow._api.v2.nn' has no attribute 'silu'", "installed-too-old", ""),
        ("AttributeError: module 'keras.losses' has no attribute 'Reduction'", "removed-or-moved", "tf.keras.losses.Reduction"),
        (
            "TypeError: EarlyStopping.__init__() got an unexpected keyword argument 'start_from_epoch'",
            "argument-came-later",
            "Keras 2.11",
        ),
        ("TypeError: reduce_mean() got an unexpected keyword argument 'keep_dims'", "argument-removed", "keepdims"),
        ("TypeError: EarlyStopping.__init__() got an unexpected keyword argument 'patient'", "argument-misspelt", "patience"),
    ],
)
def test_the_releases_of_a_name_or_argument_decide_between_the_causes(
    diagnoser: Diagnoser, said: str, cause: str, instead: str
) -> None:
    match = diagnoser.diagnose(said)["matches"][0]
    assert (match["entry"], match["causes"][0]["cause"]) == ("api-not-in-this-version", cause)
    assert match["causes"][0]["confidence"] > 0.9
    assert instead in str(match["causes"][0]["fix"]["steps"])


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("My keras training hangs at batch 37 of the first epoch. The GPU is idle.", "input-never-yields"),
        ("My keras training stands still at the end of the first epoch, where validation should begin.", "validation-never-ends"),
    ],
)
def test_where_fit_hangs_decides_between_its_causes(diagnoser: Diagnoser, text: str, cause: str) -> None:
    match = diagnoser.diagnose(text)["matches"][0]
    assert (match["entry"], match["causes"][0]["cause"]) == ("fit-hangs", cause)


def test_a_script_tells_the_steps_of_a_convolution_from_those_of_a_recurrent_layer(diagnoser: Diagnoser) -> None:
    script = """model = keras.Sequential([
    keras.Input((100, 6)),
    keras.layers.Conv1D(32, 5, activation="relu"),
    keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)

"""
    error = "ValueError: Argument `output` must have rank (ndim) `target.ndim - 1`. Received: target.shape=(None, 1), output.shape=(None, 96, 4)"
    causes = [diagnoser.diagnose(text)["matches"][0]["causes"][0]["cause"] for text in (error, script + error)]
    assert causes == ["return-sequences", "missing-pooling-or-flatten"]
