"""``tfhelp try`` on real programs: the entries' own broken ones, and a fix that is proven."""

import json
import pathlib
import shutil
import subprocess
import sys
import typing

import pytest

from tests.faults.knowledge import ENTRIES

pytestmark = pytest.mark.slow

Json = dict[str, typing.Any]


def tries(folder: pathlib.Path, *options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "tfhelp.service", "try", *options, "--", sys.executable, "train.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("family", "cause", "fact", "outcome"),
    [
        ("training", "nan-loss/learning-rate-too-high", "low_learning_rate", "passes"),
        ("training", "nan-loss/bad-input-data", "data_alone", "not-finite"),
        ("training", "dtype-mismatch/mixed-precision-half", "float32", "passes"),
        ("training", "worker-processes-deadlock/fork-with-tensorflow", "one_process", "passes"),
    ],
)
def test_an_experiment_confirms_the_cause(tmp_path: pathlib.Path, family: str, cause: str, fact: str, outcome: str) -> None:
    shutil.copy(ENTRIES / family / f"{cause}.broken.py", tmp_path / "train.py")
    ended = tries(tmp_path, "--json", "--no-learning", "--hang-after", "30", "--budget", "10m")
    assert ended.returncode == 0, ended.stderr
    document: Json = json.loads(ended.stdout)
    found = {name: value for item in document["experiments"] for name, value in item["facts"].items()}
    assert found[fact] == outcome
    assert len(document["experiments"]) <= 2
    first = document["answer"]["matches"][0]
    assert f"{first['entry']}/{first['causes'][0]['cause']}" == cause
    assert first["causes"][0]["verdict"] == "confirmed"
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]


def test_what_the_learning_shows_needs_no_experiment(tmp_path: pathlib.Path) -> None:
    shutil.copy(ENTRIES / "training" / "nan-loss" / "learning-rate-too-high.broken.py", tmp_path / "train.py")
    document: Json = json.loads(tries(tmp_path, "--json").stdout)
    assert document["experiments"] == []
    first = document["answer"]["matches"][0]["causes"][0]
    assert (first["cause"], first["verdict"]) == ("learning-rate-too-high", "confirmed")


def test_one_batch_that_is_not_learned_speaks_for_the_model(tmp_path: pathlib.Path) -> None:
    entry = "model-does-not-learn"
    shutil.copy(ENTRIES / "training" / entry / "activation-does-not-fit-loss.broken.py", tmp_path / "train.py")
    ended = tries(tmp_path, "--json", "--no-learning", "--entry", entry)
    document: Json = json.loads(ended.stdout)
    assert [item["facts"] for item in document["experiments"]] == [{"one_batch": "not-learned"}]
    assert document["answer"]["matches"][0]["causes"][0]["cause"] == "activation-does-not-fit-loss"


def test_a_fix_is_proven_before_it_is_written(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import keras\nimport numpy as np\n\nx = np.ones((8, 4), 'float32')\n"
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\n"
        "model.compile(keras.optimizers.SGD(lr=0.01), 'mse')\nmodel.fit(x, x.sum(1), verbose=2)\nopen('done.txt', 'w').close()\n",
        encoding="utf-8",
    )
    before = script.read_text(encoding="utf-8")
    ended = tries(tmp_path, "--fix")
    assert "It passes now." in ended.stderr
    assert "+model.compile(keras.optimizers.SGD(learning_rate=0.01), 'mse')" in ended.stdout
    assert script.read_text(encoding="utf-8") == before
    ended = tries(tmp_path, "--fix", "--write", "--json")
    assert json.loads(ended.stdout)["fix"]["written"] is True
    assert script.read_text(encoding="utf-8") == before.replace("lr=0.01", "learning_rate=0.01")
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]
