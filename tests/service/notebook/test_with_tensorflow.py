"""The extension in a kernel that trains: TensorFlow's own exception, and our libraries next to TensorFlow's in one process."""

import pathlib

import pytest

from tests.service.notebook.kernels import Notebook

TRAIN = """
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, activation='softmax')])
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=10.0), loss='categorical_crossentropy')
features, labels = np.zeros((8, 4), 'float32'), np.arange(8) % 3
"""


@pytest.mark.slow
def test_a_failed_fit_is_explained_beside_it(tmp_path: pathlib.Path) -> None:
    cells = Notebook(tmp_path, CUDA_VISIBLE_DEVICES="-1").run(
        "%load_ext tfhelp",
        TRAIN,
        "model.fit(features, labels, verbose=0)",
        "%tfhelp --full",
        "%tfhelp --full my loss does not go down at all",
        "%%tfhelp\nmodel.compile(optimizer='adam', loss='sparse_categorical_crossentropy')\nmodel.fit(features, labels, verbose=2)",
        "float(model(features).numpy().sum())",
    )
    _, _, failed, answered, prose, watched, last = cells
    assert failed.kinds[-2:] == ["error", "display_data"]
    assert "shapes" in failed.plain
    assert "sparse_categorical_crossentropy" in answered.plain
    assert "In[2] line 5" in prose.plain  # the output of the cells is evidence
    assert "loss" in watched.stdout
    assert watched.shown
    assert last.status == "ok"
