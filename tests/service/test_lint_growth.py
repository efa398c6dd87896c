"""``tfhelp lint`` does work in proportion to a script. Calls are counted, because time depends on the machine."""

import cProfile
import pathlib
import pstats
import typing

import pytest

from tfhelp.service.lint.checking import Settings, check_file
from tfhelp.service.lint.rules import Selection

SHAPES: dict[str, tuple[str, str]] = {
    "functions": (
        "import tensorflow as tf\n",
        "def f{n}(x):\n    model = tf.keras.Sequential([tf.keras.layers.Dense({n})])\n    return x\n",
    ),
    "one model": ("import tensorflow as tf\nmodel = tf.keras.Sequential()\n", "model.add(tf.keras.layers.Dense({n}))\n"),
    "many fits": ("import tensorflow as tf\nmodel = tf.keras.Sequential()\n", "model.fit(x{n}, y, epochs=3)\n"),
    "one loop": ("import tensorflow as tf\nfor i in range(3):\n", "    a{n} = tf.Variable({n})\n    a{n}.assign(a{n} * 2)\n"),
    "a chain": ("import tensorflow as tf\nv0 = tf.zeros([3])\n", "v{n} = v0 + {n}\n"),
    "one graph": ("import tensorflow as tf\n@tf.function\ndef f(x):\n", "    if x > {n}:\n        print(x)\n"),
}


def _calls(path: pathlib.Path, shape: str, size: int) -> int:
    head, body = SHAPES[shape]
    path.write_text(head + "".join(body.format(n=number) for number in range(1, size + 1)))
    profile = cProfile.Profile()
    profile.runcall(check_file, str(path), Settings(Selection()))
    return int(typing.cast(typing.Any, pstats.Stats(profile)).total_calls)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_script_is_twice_the_work(tmp_path: pathlib.Path, shape: str) -> None:
    path = tmp_path / "train.py"
    _calls(path, shape, 2)  # modules that are loaded once
    assert _calls(path, shape, 240) < 2.5 * _calls(path, shape, 120)


def test_a_text_too_large_for_a_script_is_refused_before_it_is_parsed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data.py"
    path.write_text("a;" * 400_000)
    assert "more than 150000 words and signs" in check_file(str(path), Settings(Selection())).fault
    path.write_text("x = 1\n" * 600_000)
    checked = check_file(str(path), Settings(Selection()))
    assert "longer than 1 MiB" in checked.fault
