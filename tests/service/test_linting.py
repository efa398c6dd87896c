"""``tfhelp lint`` and ``tfhelp ask --code`` as a user runs them, and the effect of the fixes on a program."""

import json
import pathlib
import subprocess
import sys

import pytest

from tfhelp.collectors import code
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.lint.checking import Checked, Settings
from tfhelp.service.lint.edits import apply_fixes, unified
from tfhelp.service.lint.linting import Script
from tfhelp.service.lint.rules import Selection

BROKEN = """\
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(10)])  # größer
with strategy.scope():
    model.compile(tf.keras.optimizers.Adam(lr=0.001), loss="sparse_categorical_crossentropy")
data = (
    tf.data.Dataset.from_tensor_slices((np.zeros((65, 4)), np.arange(65) % 10))
    .batch(16)  # a last one of 1
    .prefetch(2)
)
model.fit(data)
"""
SCOPE = "ValueError: Variable (<tf.Variable 'dense/kernel:0'>) was not created in the distribution strategy scope of (MirroredStrategy)."


def tfhelp(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tfhelp.service", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)


@pytest.fixture
def script(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "train.py"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_lint_names_place_code_and_entry(script: pathlib.Path) -> None:
    done = tfhelp("lint", str(script))
    assert done.returncode == 1, done.stderr
    first = done.stdout.split("\n")[0]
    assert first.startswith(f"{script}:5:9: TFH101 This model is made outside ")
    assert first.endswith(" (tfhelp explain variable-outside-scope)")
    assert f"{script}:10:5: TFH105 " in done.stdout
    assert "Found: 4 problems in 1 of 1 file." in done.stdout
    assert tfhelp("lint", "--exit-zero", str(script)).returncode == 0


def test_lint_says_for_which_releases_a_script_was_written(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        (tmp_path / f"old{number}.py").write_text("import tensorflow as tf\ns = tf.Session()\n")
    assert main(["lint", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert sum("this script was written for TensorFlow" in line for line in lines) == 3
    assert lines[-1] == "Other scripts were also written for older releases: tfhelp upgrade"


def test_lint_as_json(script: pathlib.Path) -> None:
    document = json.loads(tfhelp("lint", "--json", str(script)).stdout)
    (file,) = document["files"]
    assert file["fault"] is None
    expected = {
        "code": "TFH505",
        "fact": "code.lr_argument",
        "line": 7,
        "column": 19,
        "cell": None,
        "fixable": True,
        "fix": "safe",
    }
    assert expected.items() <= file["findings"][1].items()


def test_lint_says_nothing_of_a_good_program(tmp_path: pathlib.Path, repository: pathlib.Path) -> None:
    done = tfhelp("lint", str(repository / "tests/healthy/programs/custom_loop.py"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "Nothing found in 1 file.\n", "")


def test_lint_of_an_invalid_program_says_what_and_where(tmp_path: pathlib.Path) -> None:
    old = tmp_path / "old.py"
    old.write_text("import keras\nprint 'epoch'\n")
    done = tfhelp("lint", str(old), str(tmp_path / "missing.py"))
    assert done.returncode == 2
    assert f"{old}:2: not Python 3" in done.stderr
    assert "missing.py" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_line_can_be_left_out(script: pathlib.Path) -> None:
    script.write_text(BROKEN.replace("# größer", "# tfhelp: ignore"), encoding="utf-8")
    assert f"{script}:5:" not in tfhelp("lint", str(script)).stdout


def test_the_diff_fixes_and_leaves_the_rest_as_it_was(script: pathlib.Path) -> None:
    patch = tfhelp("lint", "--diff", "--unsafe-fixes", str(script)).stdout
    done = subprocess.run(["patch", "-s", str(script)], input=patch, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    fixed = script.read_text(encoding="utf-8")
    assert "Adam(learning_rate=0.001)" in fixed
    assert ".batch(16, drop_remainder=True)  # a last one of 1" in fixed
    assert "loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)" in fixed
    assert "# größer" in fixed
    left = {finding.fact for finding in code.read(fixed) if finding.severity != "note"}
    assert left == {"code.model_outside_scope"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import keras\no = keras.optimizers.SGD(0.1)\no.lr = 3\n",
            "import keras\no = keras.optimizers.SGD(0.1)\no.learning_rate = 3\n",
        ),
        (
            "import tensorflow as tf\nkept = []\nfor x in rows:\n    kept.append(tf.zeros(3) + 1)\n",
            "import tensorflow as tf\nkept = []\nfor x in rows:\n    kept.append((tf.zeros(3) + 1).numpy())\n",
        ),
        (
            "import tensorflow as t\n@t.function\ndef f(n): return n\nfor n in range(99): f(n)\n",
            "import tensorflow as t\n@t.function\ndef f(n): return n\nfor n in range(99): f(t.constant(n))\n",
        ),
        (
            "from tensorflow import keras\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\nm.fit_generator(g)\n",
            "from tensorflow import keras\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\nm.fit(g)\n",
        ),
        (
            "import keras\nm = keras.Sequential([keras.layers.Dense(3, 'softmax')])\nm.compile(loss=keras.losses.CategoricalCrossentropy(from_logits=True))\n",
            "import keras\nm = keras.Sequential([keras.layers.Dense(3, 'softmax')])\nm.compile(loss=keras.losses.CategoricalCrossentropy())\n",
        ),
        (
            (
                "import keras\nimport numpy as np\nm = keras.Sequential([keras.layers.Dense(3, 'softmax')])\n"
                "m.compile('adam', 'categorical_crossentropy')\nm.fit(x, np.arange(9) % 3)\n"
            ),
            (
                "import keras\nimport numpy as np\nm = keras.Sequential([keras.layers.Dense(3, 'softmax')])\n"
                "m.compile('adam', 'sparse_categorical_crossentropy')\nm.fit(x, np.arange(9) % 3)\n"
            ),
        ),
    ],
)
def test_a_fix_changes_what_it_names_and_nothing_else(before: str, after: str) -> None:
    fixed = apply_fixes(before, code.read(before)).source
    assert fixed == after
    assert unified("train.py", after, fixed) == ""


def test_fixed_code_is_not_fixed_again() -> None:
    fixed = apply_fixes(BROKEN, code.read(BROKEN)).source
    assert apply_fixes(fixed, code.read(fixed)).source == fixed


def test_ask_takes_the_script_into_account(script: pathlib.Path) -> None:
    answer = json.loads(tfhelp("ask", "--no-collect", "--json", "--code", str(script), SCOPE).stdout)
    first = answer["matches"][0]
    assert first["entry"] == "variable-outside-scope"
    assert first["causes"][0]["cause"] == "built-outside-scope"
    assert "train.py line 5" in [item["source"] for item in first["causes"][0]["evidence"] if item["outcome"] == "holds"]
    assert answer["facts"]["code"]["lr_argument"] is True


def test_ask_reads_code_inside_the_text() -> None:
    text = f"My program:\n\n```python\n{BROKEN}```\n\n{SCOPE}\n"
    answer = json.loads(tfhelp("ask", "--no-collect", "--json", text).stdout)
    assert answer["facts"]["code"]["model_outside_scope"] is True
    assert answer["facts"]["_about"]["code.model_outside_scope"]["source"] == "text line 8"
    assert "compile_missing" not in answer["facts"]["code"] or answer["facts"]["code"]["compile_missing"] is False


def test_ask_with_a_script_that_is_not_python(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "old.py"
    path.write_text("print 'x'\n")
    done = tfhelp("ask", "--no-collect", "--code", str(path), SCOPE)
    assert done.returncode == 2
    assert f"{path}:1: not Python 3" in done.stderr


def test_a_script_that_would_fill_the_memory_is_told_and_not_parsed() -> None:
    """A syntax tree takes a thousand times the memory of its text, even if the text never mentions TensorFlow."""
    for source in ("a;" * 200_000, "import tensorflow as tf\n" + "a;" * 200_000):
        checked = Checked("train.py", Script(source, "utf-8"), Settings(Selection()))
        assert checked.fault == "train.py:1: not Python 3: more than 150000 words and signs"
