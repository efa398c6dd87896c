"""The releases that a program was written for, and the names that decide them."""

import pathlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.collectors.code.cases import program
from tfhelp.collectors.code import examine, facts_of_script
from tfhelp.collectors.code.written_for import of_script


def _ranges(source: str) -> list[str]:
    return [str(one) for one in of_script(source, "train.py")]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n", ["tensorflow 1.15 or older"]),
        ("import tensorflow as tf\ntf.data.AUTOTUNE\n", ["tensorflow 2.4 or newer"]),
        (
            "import tensorflow as tf\ntf.data.AUTOTUNE\nm = tf.keras.Sequential()\nm.fit(x, workers=4)\n",
            ["tensorflow 2.4 to 2.15"],
        ),
        ("from tensorflow import keras\nkeras.optimizers.Adam(lr=0.1)\n", ["tensorflow 2.10 or older"]),
        ("from keras.layers.merge import concatenate\n", ["keras 2.8 or older"]),
        ("import keras\nkeras.ops.add(1, 2)\n", ["keras 3.0 or newer"]),
        ("import tensorflow as tf\nprint(tf.constant(1))\n", []),
        ("import numpy as np\nnp.placeholder(1)\n", []),
    ],
)
def test_names_and_keywords_give_the_range(source: str, said: list[str]) -> None:
    assert _ranges(source) == said


def test_the_names_that_decide_are_told() -> None:
    source = "import tensorflow as tf\ntf.data.AUTOTUNE\nm = tf.keras.Sequential()\nm.fit(x, workers=4)\n"
    (found,) = of_script(source, "train.py")
    assert (found.began, found.ended) == ("tf.data.AUTOTUNE", "tf.keras.Sequential.fit(workers)")


@pytest.mark.parametrize(
    "body",
    [
        # Names that the program itself guards, and objects that the text does not show.
        "try:\n    from keras.utils import np_utils\nexcept ImportError:\n    np_utils = None\n",
        "import tensorflow as tf\nif hasattr(tf, 'placeholder'):\n    tf.placeholder(1)\n",
        "import tensorflow as tf\nif tf.__version__ < '2':\n    tf.Session()\n",
        "from tensorflow.keras import layers\ndef f(layers):\n    return layers.experimental\n",
        "import tensorflow as tf\ndef f(model):\n    model.fit_generator(x)\n",
        "import tensorflow as tf\nmodel = tf.keras.Sequential()\nmodel = other(model)\nmodel.fit(x, workers=2)\n",
        "import tensorflow as tf\nclass M(tf.keras.Model):\n    def predict_classes(self, x):\n        return x\nM().predict_classes(1)\n",
    ],
)
def test_what_is_not_certain_does_not_narrow(body: str) -> None:
    assert _ranges(body) == []


def test_the_fact_is_put_for_scripts_that_a_user_names() -> None:
    source = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
    sheet = facts_of_script(source, examine(source))
    assert sheet.get("code.written_for") == "tensorflow 1.15 or older"
    assert facts_of_script("x =", examine("x =")).values == {}


def test_scripts_that_run_on_the_newest_release_are_written_for_it(repository: pathlib.Path) -> None:
    fixed = [
        path
        for path in (repository / "kb/entries").rglob("*.fixed.py")
        if "tensorflow==2.21.*" in path.read_text(encoding="utf-8")
    ]
    paths = [*sorted(fixed)[::4], *sorted((repository / "tests/healthy/programs").glob("*.py"))]
    assert len(paths) > 60
    for path in paths:
        for found in of_script(path.read_text(encoding="utf-8"), path.name):
            assert found.newest, f"{path}: {found}, ended by {found.ended}"


@given(st.text(max_size=200))
@settings(max_examples=50, deadline=None)
def test_no_text_disturbs_it(text: str) -> None:
    of_script(text, "train.py")
    of_script(program(f"x = {text!r}\n"), "train.py")


def test_a_value_that_is_made_of_itself_is_followed_and_soon_given_up() -> None:
    start = "import tensorflow as tf\nd = tf.data.Dataset.range(3)\n"
    rebound = start + "d = d.map(f)\nd = d.batch(2)\nd.make_one_shot_iterator()\n"
    assert _ranges(rebound) == ["tensorflow 1.15 or older"]
    assert _ranges(start + "d = d.map(f)\n" * 3 + "d.make_one_shot_iterator()\n") == ["tensorflow 1.15 or older"]
    assert _ranges(start + "d = d.map(f)\n" * 400 + "d.make_one_shot_iterator()\n") == []
