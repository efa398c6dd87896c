"""What a script lacks in a release, and the edits: what is found, what is left alone, and that the edited script runs."""

import ast
import hashlib
import json
import pathlib
import subprocess
import sys
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.upgrade.record import FOLDER, PROGRAMS, printed
from tfhelp.collectors.code.written_for import WrittenFor
from tfhelp.kb.atlas.atlas import shared
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.errors import InputError
from tfhelp.service.upgrade import words
from tfhelp.service.upgrade.changes import Change
from tfhelp.service.upgrade.upgrading import target, upgrade

NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py"))


def edited(source: str, legacy: bool = False, to: str | None = None) -> str:
    return upgrade(source, target(shared(), to, legacy)).text


def changes(source: str, legacy: bool = False, to: str | None = None) -> list[Change]:
    return upgrade(source, target(shared(), to, legacy)).changes


TF = "import tensorflow as tf\n"
KERAS = "from tensorflow import keras\n"
MODEL = KERAS + "model = keras.Sequential([keras.layers.Dense(3, activation='softmax')])\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TF + "y = tf.log(x)\n", TF + "y = tf.math.log(x)\n"),
        (TF + "y = tf.random_uniform([2])\n", TF + "y = tf.random.uniform([2])\n"),
        (TF + "y = tf.reduce_sum(x, keep_dims=True)\n", TF + "y = tf.reduce_sum(x, keepdims=True)\n"),
        (TF + "tf.logging.info('x')\n", TF + "tf.compat.v1.logging.info('x')\n"),
        (TF + "tf.gfile.Exists(path)\n", TF + "tf.io.gfile.exists(path)\n"),
        # Imports: one name, several, under another name, a module.
        (
            "from keras.layers.normalization import BatchNormalization\n",
            "from keras.layers import BatchNormalization\n",
        ),
        (
            "from keras.utils import np_utils, plot_model  # both\n",
            "from keras.utils import plot_model  # both\nfrom keras import utils as np_utils\n",
        ),
        (
            "from keras.layers.core import (\n    Dense,\n    Dropout as Drop,\n)\n",
            "from keras.layers import (\n    Dense,\n    Dropout as Drop,\n)\n",
        ),
        ("import keras.utils.np_utils as u\nu.to_categorical(y)\n", "import keras.utils as u\nu.to_categorical(y)\n"),
        ("import tensorflow.contrib.slim as slim\nslim.conv2d(x)\n", "import tf_slim as slim\nslim.conv2d(x)\n"),
        (
            "def f():\n    from tensorflow.keras.layers.experimental import preprocessing\n    return preprocessing.Rescaling(2)\n",
            "def f():\n    from tensorflow.keras import layers as preprocessing\n    return preprocessing.Rescaling(2)\n",
        ),
        # Arguments: renamed, dropped at the end, in the middle and alone, over several lines, in parentheses.
        (KERAS + "keras.optimizers.Adam(lr=0.1)\n", KERAS + "keras.optimizers.Adam(learning_rate=0.1)\n"),
        (
            "from tensorflow.keras import backend as K\n"
            + MODEL
            + "K.set_value(model.optimizer.lr, (K.get_value(model.optimizer.lr) * 0.5))\n",
            "from tensorflow.keras import backend as K\n"
            + MODEL
            + "model.optimizer.learning_rate.assign((K.get_value(model.optimizer.learning_rate) * 0.5))\n",
        ),
        (MODEL + "model.fit(x, y, workers=4)\n", MODEL + "model.fit(x, y)\n"),
        (MODEL + "model.fit(x, workers=(4), epochs=2)\n", MODEL + "model.fit(x, epochs=2)\n"),
        (MODEL + "model.predict(workers=4)\n", MODEL + "model.predict()\n"),
        (
            MODEL + "model.fit(\n    x,\n    workers=4,  # four\n    epochs=2,\n)\n",
            MODEL + "model.fit(\n    x,  # four\n    epochs=2,\n)\n",
        ),
        (
            KERAS + "keras.optimizers.SGD(0.1, decay=1e-3)\n",
            KERAS + "keras.optimizers.SGD(keras.optimizers.schedules.InverseTimeDecay(0.1, decay_steps=1, decay_rate=1e-3))\n",
        ),
        (
            KERAS + "keras.Sequential([keras.layers.LSTM(4, batch_input_shape=(2, 3, 4), stateful=True)])\n",
            KERAS + "keras.Sequential([keras.Input(batch_shape=(2, 3, 4)), keras.layers.LSTM(4, stateful=True)])\n",
        ),
        # Methods, also with arguments whose order changed.
        (MODEL + "model.fit_generator(rows)\n", MODEL + "model.fit(rows)\n"),
        (MODEL + "model.fit_generator(rows, 10, 5)\n", MODEL + "model.fit(rows, steps_per_epoch=10, epochs=5)\n"),
        (MODEL + "c = model.predict_classes(x)\n", MODEL + "c = model.predict(x).argmax(axis=-1)\n"),
        (MODEL + "model.optimizer.lr = 0.1\n", MODEL + "model.optimizer.learning_rate = 0.1\n"),
        (MODEL + "model.save('m.h5', save_format='h5')\n", MODEL + "model.save('m.h5')\n"),
        (
            KERAS + "K = keras.backend\nK.set_value(a.b, 3)\n",
            KERAS + "K = keras.backend\na.b.assign(3)\n",
        ),
        (
            KERAS + "class L(keras.layers.Layer):\n    def build(self, s):\n        self.w = self.add_weight('w', s)\n",
            KERAS
            + "class L(keras.layers.Layer):\n    def build(self, s):\n        self.w = self.add_weight(name='w', shape=s)\n",
        ),
        # A script that builds graphs keeps TensorFlow 1's interface.
        (
            TF + "x = tf.placeholder(tf.float32)\ny = tf.reduce_sum(x, keep_dims=True)\n",
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
            "x = tf.placeholder(tf.float32)\ny = tf.reduce_sum(x, keep_dims=True)\n",
        ),
        (KERAS + "keras.optimizers.SGD(0.1, decay=0.0)\n", KERAS + "keras.optimizers.SGD(0.1)\n"),
        (
            "from keras.preprocessing.image import ImageDataGenerator\n",
            "from tensorflow.keras.preprocessing.image import ImageDataGenerator\n",
        ),
        # Characters beyond ASCII stand before the edit.
        (TF + "s, y = 'äöü€', tf.log(x)\n", TF + "s, y = 'äöü€', tf.math.log(x)\n"),
    ],
)
def test_edits(before: str, after: str) -> None:
    assert edited(before) == after
    assert edited(after) == after, "the edited script needs no further edit"


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    from keras.utils import np_utils\nexcept ImportError:\n    pass\n",
        TF + "if hasattr(tf, 'placeholder'):\n    tf.placeholder(1)\n",
        "def f(model):\n    model.fit_generator(x)\n",
        "import mine as tf\ntf.placeholder(1)\n",
        TF + "def f(tf):\n    return tf.placeholder\n",
        KERAS + "keras.optimizers.Adam(**options)\n",
        KERAS + "model = keras.Model(inputs=a, outputs=b)\nmodel.train_step(x)\n",
        KERAS + "model = keras.Sequential()\nmodel = wrap(model)\nmodel.fit(x, workers=3)\n",
        KERAS + "class M(keras.Model):\n    def fit_generator(self, x):\n        pass\nM().fit_generator(1)\n",
        TF + "tf.no_such_name.at_all(1)\n",
        "import keras\nkeras.layers.LeakyReLU(alpha=0.1)\n",
    ],
)
def test_an_uncertain_change_is_not_made(source: str) -> None:
    assert changes(source) == []


def test_a_change_without_an_edit_is_listed_as_by_hand() -> None:
    source = TF + "from tensorflow.examples.tutorials.mnist import input_data\ne = tf.estimator.Estimator(f)\n"
    found = changes(source)
    assert [(change.line, change.edits) for change in found] == [(2, None), (3, None)]
    assert found[1].gone == "TensorFlow 2.16"
    assert "Keras model" in found[1].says[0]


def test_file_names_that_keras_3_refuses_are_listed() -> None:
    source = MODEL + "model.save_weights('w.h5')\nmodel.save('folder')\nkeras.callbacks.ModelCheckpoint('best.hdf5')\n"
    found = changes(source)
    assert [(change.line, change.kind, change.edits) for change in found] == [
        (3, "value", None),
        (4, "value", None),
        (5, "value", None),
    ]
    assert "model.export" in found[1].says[0]
    assert changes(source, legacy=True)[1:] == []
    fine = "model.save_weights('w.weights.h5')\nmodel.save('m.keras')\nmodel.save(path)\nkeras.callbacks.ModelCheckpoint('b.keras')\n"
    assert changes(MODEL + fine) == []


def test_what_an_import_by_hand_brings_is_not_listed_twice() -> None:
    source = TF + "from tensorflow.examples.tutorials.mnist import input_data\ndata = input_data.read_data_sets('x')\n"
    assert [change.line for change in changes(source)] == [2]


def test_layers_of_tensorflow_1_need_keras_2() -> None:
    source = TF + "x = tf.placeholder(tf.float32)\ny = tf.layers.dense(x, 2)\ncell = tf.contrib.rnn.BasicLSTMCell(3)\n"
    assert [change.line for change in changes(source) if change.edits is None] == [3, 4]
    after = edited(source, legacy=True)
    assert "y = tf.layers.dense(x, 2)\ncell = tf.nn.rnn_cell.BasicLSTMCell(3)" in after
    assert changes(after, legacy=True) == []


def test_a_line_and_column_stand_at_every_change() -> None:
    (found,) = changes(TF + "s = 'ä' and (\n    tf\n    .log(x))\n")
    assert (found.line, found.name, found.behaviour) == (4, "tf.log", "same")
    (found,) = changes(TF + "s = 'ä', tf.log(x)\n")
    assert (found.line, found.column) == (2, 10)


def test_the_target_decides() -> None:
    source = KERAS + "keras.optimizers.Adam(lr=0.1)\nkeras.layers.experimental.preprocessing.Rescaling(2)\n"
    assert changes(source, to="2.10") == []
    assert [change.name for change in changes(source, to="2.15")] == ["tf.keras.optimizers.Adam(lr)"]
    assert len(changes(source, to="2.16.1")) == 2
    with pytest.raises(InputError, match=r"'9\.9' is not a release"):
        target(shared(), "9.9", False)


def test_keras_2_is_a_way_out() -> None:
    after = edited(MODEL + "model.fit(x, workers=4)\n", legacy=True)
    assert after.startswith('import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"')
    assert "model.fit(x, workers=4)" in after
    assert edited(after, legacy=True) == after
    assert edited("import keras\nfrom keras import layers\n", legacy=True).endswith(
        "import tf_keras as keras\nfrom tf_keras import layers\n"
    )


@given(st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = upgrade(text, target(shared(), None, False))
    except (SyntaxError, ValueError):
        return
    ast.parse(found.text)


# -------------------------------------------------------------------- the command


@pytest.fixture
def script(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "src" / "train.py"
    path.parent.mkdir()
    path.write_text(MODEL + "model.fit(x, workers=4)\nmodel.save(path, save_format='tf')\n", encoding="utf-8")
    return path


def test_the_command_lists_and_counts(script: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upgrade", "src"]) == 1
    said = capsys.readouterr().out
    assert "src/train.py:3:14: tf.keras.Sequential.fit(workers) was removed in TensorFlow 2.16 (Keras 3)." in said
    assert "2 places to change, 1 with an edit, 1 by hand" in " ".join(said.split())
    assert "TF_USE_LEGACY_KERAS=1" in said
    script.write_text(KERAS, encoding="utf-8")
    assert main(["upgrade", str(script)]) == 0
    assert "Nothing to change for TensorFlow 2." in capsys.readouterr().out


@pytest.mark.parametrize("tool", [["patch", "-p1"], ["git", "apply"]])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_diff_can_be_applied(tool: list[str], newline: str, script: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = script.read_text(encoding="utf-8").rstrip("\n").replace("\n", newline)
    script.write_bytes(source.encode())
    assert main(["upgrade", "--diff", str(script)]) == 1
    diff = capsys.readouterr().out
    command = [*tool, *(["--binary"] if tool[0] == "patch" else [])]
    subprocess.run(command, input=diff.encode(), cwd=script.parent.parent, check=True, timeout=60)
    assert script.read_bytes() == source.replace(", workers=4", "").encode()


def test_write_keeps_the_old_text_and_never_a_second_time(script: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = script.read_bytes()
    script.chmod(0o750)
    assert main(["upgrade", "--write", "src"]) == 1, "one place is left"
    assert script.with_name("train.py.orig").read_bytes() == before
    assert script.read_bytes() == before.replace(b", workers=4", b"")
    assert script.stat().st_mode & 0o777 == 0o750
    assert "save_format" in capsys.readouterr().out
    script.write_bytes(before)
    assert main(["upgrade", "--write", "src"]) == 2
    assert "train.py.orig already exists" in capsys.readouterr().err
    assert script.read_bytes() == before


def test_an_unreadable_script_gets_no_findings(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, good = tmp_path / "py2.py", tmp_path / "ok.py"
    old.write_text('import tensorflow as tf\nprint "x"\nsess = tf.Session()\n')
    good.write_text("import tensorflow as tf\n")
    assert main(["upgrade", str(old)]) == 2
    assert capsys.readouterr().out == ""
    assert main(["upgrade", str(old), str(good)]) == 2
    assert "in what could be read." in " ".join(capsys.readouterr().out.split())


def test_json_says_all(script: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upgrade", "--json", "--to", "2.21", str(script)]) == 1
    document: dict[str, typing.Any] = json.loads(capsys.readouterr().out)
    (file,) = document["files"]
    assert document["target"]["tensorflow"].startswith("2.21")
    assert [(change["line"], change["mechanical"]) for change in file["changes"]] == [(3, True), (4, False)]
    assert file["written_for"][0]["last"] == "2.15"


def test_notebooks_are_read_and_not_rewritten(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "train.ipynb"
    cells = [{"cell_type": "code", "source": ["!pip install x\n", "import tensorflow as tf\n", "tf.log(1)"]}]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    before = path.read_bytes()
    assert main(["upgrade", str(path)]) == 1
    assert "code cell 1 line 3: tf.log was removed" in " ".join(capsys.readouterr().out.split())
    assert main(["upgrade", "--write", str(path)]) == 1
    assert "notebooks are read, not rewritten" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_bad_input_is_named(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "old.py").write_text("print 'x'\n", encoding="utf-8")
    assert main(["upgrade", str(tmp_path)]) == 2
    assert "old.py:1: not Python 3" in capsys.readouterr().err
    assert main(["upgrade", str(tmp_path / "missing.py")]) == 2
    assert "missing.py: No such file" in capsys.readouterr().err
    assert main(["upgrade", "--to", "3.0", str(tmp_path)]) == 2
    assert "'3.0' is not a release" in capsys.readouterr().err


def test_folders_of_others_are_passed_over(script: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = script.read_text(encoding="utf-8")
    for folder in (".hidden", "env", "site-packages"):
        inside = script.parent / folder
        inside.mkdir()
        (inside / "train.py").write_text(source, encoding="utf-8")
    (script.parent / "env" / "pyvenv.cfg").touch()
    assert main(["upgrade", "--json", "src"]) == 1
    assert [file["file"] for file in json.loads(capsys.readouterr().out)["files"]] == ["src/train.py"]


# -------------------------------------------------------------------- the proof


@pytest.mark.parametrize("name", NAMES)
def test_what_was_recorded_is_of_this_program(name: str) -> None:
    recorded = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    source = (PROGRAMS / f"{name}.py").read_bytes()
    assert recorded["program"] == hashlib.sha256(source).hexdigest(), "run: python -m tests.service.upgrade.record"
    assert recorded["tensorflow"].startswith(name.removeprefix("tensorflow_").replace("_", "."))
    assert recorded["printed"]
    found = upgrade(source.decode(), target(shared(), None, False))
    assert found.changes
    assert all(change.edits is not None for change in found.changes)
    assert changes(found.text) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "legacy"), [*((name, False) for name in NAMES), ("tensorflow_2_4", True)])
def test_the_edited_script_prints_on_the_installed_release_what_the_old_one_printed(
    name: str, legacy: bool, tmp_path: pathlib.Path
) -> None:
    source = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    path = tmp_path / f"{name}.py"
    path.write_text(edited(source, legacy), encoding="utf-8")
    done = printed(sys.executable, path)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["printed"]


def test_programs_that_run_on_the_newest_release_need_no_change(repository: pathlib.Path) -> None:
    fixed = sorted((repository / "kb/entries").rglob("*.fixed.py"))
    newest = [path for path in fixed if "tensorflow==2.21.*" in path.read_text(encoding="utf-8")]
    at = target(shared(), None, False)
    for path in [*newest[::4], *sorted((repository / "tests/healthy/programs").glob("*.py"))]:
        assert upgrade(path.read_text(encoding="utf-8"), at).changes == [], path


def test_one_name_may_begin_and_end_a_range() -> None:
    name = "tf.keras.layers.experimental.preprocessing"
    said = words.written_for(WrittenFor("tensorflow", "2.1.4", "2.15.1", False, False, name, name))
    assert said == f"this script was written for TensorFlow 2.1 to 2.15 ({name} begins and ends it)."


def test_lint_says_for_which_releases_a_script_is(script: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", str(script)])
    assert "this script was written for TensorFlow 2.15 or older" in capsys.readouterr().out
    main(["lint", "--json", str(script)])
    assert json.loads(capsys.readouterr().out)["files"][0]["written_for"][0]["ended"] == "tf.keras.Sequential.fit(workers)"
