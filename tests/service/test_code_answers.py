"""What the training script alone decides: the fault of a broken program, and no complaint about its fixed twin."""

import pathlib
import typing

import pytest

from tests.faults.knowledge import causes
from tfhelp.collectors import code
from tfhelp.service.diagnosis.diagnoser import Diagnoser

Json = dict[str, typing.Any]

# Measured over the broken programs that show a fault which their fixed twin does not: 44 of 56 are named by entry,
# 41 by cause. The others share their fault with another entry (a list of tensors fills the GPU's memory or the machine's).
ENTRY_FLOOR = 0.78
CAUSE_FLOOR = 0.73
VAGUE = ("it does not work, please help", "here is my script, what is wrong with it?")
OOM = (
    "ResourceExhaustedError: OOM when allocating tensor with shape[256,512,512] and type float on "
    "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:Conv2D]"
)


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    """Without the phrase search: a script alone contains no words to search for."""
    from tfhelp.kb import compiled

    return Diagnoser(compiled.load(), None, warm=True)


def examined(path: pathlib.Path) -> code.Examination:
    return code.examine(path.read_text(encoding="utf-8"), path.name)


def complaints(path: pathlib.Path) -> set[str]:
    return {finding.fact for finding in examined(path).findings if finding.severity != "note"}


def document(path: pathlib.Path) -> Json:
    return code.facts(code.examine(path.read_text(encoding="utf-8"), "train.py")).document()


def failures(answer: Json) -> list[str]:
    return [match["entry"] for match in answer["matches"] if match["severity"] != "benign"]


def fixed(broken: pathlib.Path) -> pathlib.Path:
    return broken.with_name(broken.name.replace(".broken.py", ".fixed.py"))


BROKEN = causes(".broken.py")
SHOWN = [(name, path) for name, path in BROKEN if complaints(path) - complaints(fixed(path))]


def test_code_alone_names_the_entry_and_mostly_the_cause(diagnoser: Diagnoser) -> None:
    assert len(SHOWN) >= 40
    entries, right_causes = [], []
    for name, path in SHOWN:
        entry, _, cause = name.partition("/")
        matches = diagnoser.diagnose("", document(path))["matches"]
        named = bool(matches) and matches[0]["entry"] == entry
        entries.append(named)
        right_causes.append(named and matches[0]["causes"][0]["cause"] == cause)
    missed = [name for (name, _), named in zip(SHOWN, entries, strict=True) if not named]
    assert sum(entries) / len(SHOWN) >= ENTRY_FLOOR, missed
    assert sum(right_causes) / len(SHOWN) >= CAUSE_FLOOR


def test_no_fixed_or_healthy_program_is_answered_with_a_failure(diagnoser: Diagnoser, repository: pathlib.Path) -> None:
    programs = [fixed(path) for _, path in BROKEN]
    programs += sorted((repository / "tests/healthy/programs").glob("*.py"))
    programs += sorted((repository / "tests/collectors/code/programs").glob("*.py"))
    assert len(programs) > 150
    wrong = {str(path): found for path in programs if (found := failures(diagnoser.diagnose("", document(path))))}
    assert wrong == {}


@pytest.mark.parametrize("text", VAGUE)
def test_words_that_say_nothing_leave_the_answer_to_the_code(text: str) -> None:
    diagnoser = Diagnoser.load(warm=True)
    broken = dict(SHOWN)["tf1-api-removed/tf1-code-on-tf2"]
    assert failures(diagnoser.diagnose(text, document(broken)))[:1] == ["tf1-api-removed"]
    assert failures(diagnoser.diagnose(text, document(fixed(broken)))) == failures(diagnoser.diagnose(text))


def test_the_text_goes_before_the_code(diagnoser: Diagnoser) -> None:
    """A script may contain a fault that has nothing to do with the failure."""
    for _, path in SHOWN:
        assert failures(diagnoser.diagnose(OOM, document(path)))[0] == "gpu-out-of-memory", path


def test_a_note_names_no_entry_but_tells_its_causes_apart(diagnoser: Diagnoser) -> None:
    noted = {"code": {"predict_in_loop": True, "notes": ["code.predict_in_loop"]}}
    assert failures(diagnoser.diagnose("", noted)) == []
    assert failures(diagnoser.diagnose("", {"code": {"predict_in_loop": True}})) == ["gpu-memory-grows"]
    grows = "GPU memory keeps growing while Keras runs"
    causes_of = [diagnoser.diagnose(grows, facts)["matches"][0]["causes"][0]["cause"] for facts in ({}, noted)]
    assert causes_of[0] != causes_of[1] == "predict-in-a-loop"


def test_several_places_are_surer_than_one(diagnoser: Diagnoser) -> None:
    one = diagnoser.diagnose("", {"code": {"repeat_missing": True}})["matches"][0]
    both = diagnoser.diagnose("", {"code": {"repeat_missing": True, "steps_exceed_data": True}})["matches"][0]
    assert one["entry"] == both["entry"] == "ran-out-of-data"
    assert one["confidence"] < both["confidence"]


def test_the_line_of_the_script_stands_in_the_evidence(diagnoser: Diagnoser) -> None:
    source = "import keras\nkeras.optimizers.Adam(lr=0.001)\n"
    facts = code.facts(code.examine(source, "train.py")).document()
    match = diagnoser.diagnose("", facts)["matches"][0]
    assert match["entry"] == "optimizer-unknown-variable"
    sources = {row["source"] for cause in match["causes"] for row in cause["evidence"] if row["outcome"] == "holds"}
    assert "train.py line 2" in sources


def test_harmless_lines_do_not_hide_what_the_code_shows(diagnoser: Diagnoser) -> None:
    text = (
        "I tensorflow/core/util/port.cc:153] oneDNN custom operations are on. You may see slightly different numerical "
        "results due to floating-point round-off errors from different computation orders."
    )
    broken = dict(SHOWN)["ran-out-of-data/dataset-not-repeated"]
    assert failures(diagnoser.diagnose(text, document(broken)))[:1] == ["ran-out-of-data"]
    assert failures(diagnoser.diagnose(text, document(fixed(broken)))) == []


def test_code_inside_the_text_does_not_outweigh_a_harmless_line(diagnoser: Diagnoser) -> None:
    """A question about a harmless line often comes with code that shows how to reproduce it."""
    line = (
        "I tensorflow/core/util/port.cc:153] oneDNN custom operations are on. You may see slightly different numerical "
        "results due to floating-point round-off errors from different computation orders."
    )
    source = "import tensorflow as tf\nsession = tf.Session()\nprint(session.run(tf.constant(1)))\n"
    pasted = diagnoser.diagnose(f"```python\n{source}```\n{line}\n")
    assert pasted["facts"]["code"]["tf1_names"] is True
    assert failures(pasted) == []
    named = code.facts(code.examine(source, "train.py")).document()
    assert failures(diagnoser.diagnose(line, named))[:1] == ["tf1-api-removed"]


def test_the_script_decides_between_missing_labels_and_a_missing_return(diagnoser: Diagnoser) -> None:
    """Keras 3 raises the same error with the same frames for both."""
    text = (
        'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    model.fit(x, y)\n'
        '  File "/usr/lib/python3.11/site-packages/keras/src/backend/tensorflow/core.py", line 154, in convert_to_tensor\n'
        "    return tf.convert_to_tensor(x, dtype=dtype)\nValueError: None values not supported.\n"
    )
    script = (
        "import keras\n\ndef error(y_true, y_pred):\n    {}keras.ops.mean(keras.ops.square(y_true - y_pred))\n\n"
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\nmodel.compile('adam', loss=error)\nmodel.fit(x, y)\n"
    )

    def cause(source: str) -> str:
        match = diagnoser.diagnose(text, code.facts(code.examine(source, "train.py")).document())["matches"][0]
        return str(match["causes"][0]["cause"])

    assert cause(script.format("value = ")) == "loss-returns-nothing"
    assert cause(script.format("return ")) == "missing-labels"
