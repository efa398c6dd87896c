"""``import tfhelp``: the same answers as the command line, without its process."""

import concurrent.futures
import gzip
import json
import pathlib
import subprocess
import sys
import typing

import pytest

import tfhelp

Json = dict[str, typing.Any]

TEXTS = (
    "OSError: Unable to open file (file signature not found)",
    "ValueError: Shapes (None, 1) and (None, 10) are incompatible",
    "my loss is nan from the second epoch on",
    "E0000 cuda_dnn.cc:10 Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR",
    "ModuleNotFoundError: No module named 'tensorflow'",
    "AttributeError: module 'tensorflow' has no attribute 'Session'",
    "ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and type float on GPU:0",
    "Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file",
    "what shall I cook today",
    "Epoch 1/1\n4/4 - 1s - loss: 0.5\n",
)
SPENT = ("took_ms",)


def by_command(text: str, *options: str) -> Json:
    """The answer of ``tfhelp ask --json``."""
    command = [sys.executable, "-m", "tfhelp.service", "ask", "--json", "--no-collect", *options]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    answer: Json = json.loads(ran.stdout)
    return answer


def lasting(answer: typing.Mapping[str, typing.Any]) -> Json:
    """The answer as JSON, without the parts that change from call to call."""
    document: Json = json.loads(json.dumps(answer))
    return {name: value for name, value in document.items() if name not in SPENT}


def test_ten_texts_get_the_answers_of_the_command() -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wanted = list(pool.map(by_command, TEXTS))
    assert len({answer["verdict"] for answer in wanted}) > 2
    assert [lasting(tfhelp.diagnose(text)) for text in TEXTS] == [lasting(answer) for answer in wanted]


def test_facts_code_and_exit_code_count_as_on_the_command_line(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    source = "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(10, activation='softmax')])\n"
    script.write_text(source + "model.compile(loss='binary_crossentropy')\n")
    facts = tmp_path / "facts.json"
    facts.write_text(json.dumps({"host": {"cgroup_oom_kills": 1}}))
    text = "Epoch 1/10\nKilled\n"
    wanted = by_command(text, "--facts", str(facts), "--code", str(script), "--exit-code", "137")
    got = tfhelp.diagnose(text, {"host": {"cgroup_oom_kills": 1}}, code=script, exit_code=137)
    assert lasting(got) == lasting(wanted)
    assert got["facts"]["run"]["exit_code"] == 137
    assert any(path.startswith("code.") for path in got["facts"]["_about"])
    of_source = tfhelp.diagnose(text, code=script.read_text())
    assert [path for path in of_source["facts"]["_about"] if path.startswith("code.")] == [
        path for path in got["facts"]["_about"] if path.startswith("code.")
    ]


def test_the_machine_is_looked_at_when_asked_to() -> None:
    assert "python" not in tfhelp.diagnose(TEXTS[1])["facts"]
    assert tfhelp.diagnose(TEXTS[1], collect=True)["facts"]["python"]["version"].startswith("3.")


def test_what_was_handed_over_may_be_compressed() -> None:
    answer = tfhelp.diagnose(gzip.compress(TEXTS[1].encode()))
    assert answer["matches"][0]["entry"] == tfhelp.diagnose(TEXTS[1])["matches"][0]["entry"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"text": "  "}, "the text is empty"),
        ({"text": "x", "top": 0}, "top is 0"),
        ({"text": ["x"]}, "text is of type list"),
        ({"text": "x", "facts": [1]}, "facts is of type list"),
        ({"text": "x", "code": "no-such-file.py"}, "no-such-file.py"),
        ({"text": "x", "code": "def f(:\n  pass"}, "code:1: not Python 3"),
        ({"text": b"\x7fELF\x02\x01\x01\x00\x00"}, "ELF|program|binary"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: Json, says: str) -> None:
    with pytest.raises(tfhelp.InputError, match=says):
        tfhelp.diagnose(**arguments)


def test_a_wrong_fact_is_named() -> None:
    with pytest.raises(tfhelp.FactError, match=r"run.exit_code"):
        tfhelp.diagnose("x", {"run": {"exit_code": "many"}})


def test_importing_it_imports_nothing_else() -> None:
    program = "import sys; before = set(sys.modules); import tfhelp; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["tfhelp"]


def test_it_says_its_version_and_its_names() -> None:
    command = [sys.executable, "-m", "tfhelp.service", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"tfhelp {tfhelp.__version__}\n"
    assert set(tfhelp.__all__) <= set(dir(tfhelp))
    assert all(hasattr(tfhelp, name) for name in tfhelp.__all__)
    with pytest.raises(AttributeError, match="no attribute 'diagnosis'"):
        tfhelp.diagnosis  # noqa: B018
