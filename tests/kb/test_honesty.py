"""The honesty check finds the faults that it is meant to find, and accepts honest programs."""

import pathlib

import pytest

from tfhelp.kb.honesty import check_entries, check_pair, read_exemptions

BROKEN = """\
import tensorflow as tf
import keras

shape = (3, 4)
model = keras.Sequential()
model.add(keras.layers.Dense(4))
model.compile(loss="mse")
# --- shown
model.fit(tf.zeros(shape), tf.zeros((2, 1)))
# --- end
"""
FIXED = BROKEN.replace("(2, 1)", "(3, 1)") + "assert model.built\n"


def rules(broken: str = BROKEN, fixed: str = FIXED, patterns: tuple[str, ...] = ()) -> list[str]:
    return [fault.rule for fault in check_pair("a.broken.py", broken, fixed, patterns)]


def test_an_honest_pair_has_no_faults() -> None:
    assert rules(patterns=("cardinality is ambiguous",)) == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ('raise ValueError("x")', "raises"),
        ("assert False", "raises"),
        ("import sys; sys.exit(3)", "ends-itself"),
        ("from os import abort as stop; stop()", "ends-itself"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ends-itself"),
        ("exit(1)", "ends-itself"),
        ("exec('1/0')", "ends-itself"),
        ("tf.matmul = None", "patches-library"),
        ("tf.keras.Model.fit = len", "patches-library"),
        ("from keras.layers import Dense; Dense.call = None", "patches-library"),
        ("tf = None", "patches-library"),
        ("del keras.layers.Dense", "patches-library"),
        ("setattr(keras.Model, 'fit', None)", "patches-library"),
        ("(x, keras.Model.fit) = (1, 2)", "patches-library"),
    ],
)
def test_making_the_failure_is_found_with_its_line(line: str, rule: str) -> None:
    faults = check_pair("a.broken.py", f"import keras\n{line}\n{BROKEN}", f"{line}\n{FIXED}", ())
    assert (rule, 2) in [(fault.rule, fault.line) for fault in faults]


@pytest.mark.parametrize(
    "line",
    [
        'x = "RuntimeError: out of memory"',
        "# RuntimeError: out of memory",
        'x = "RuntimeError: out" + " of memory"',
        'x = f"RuntimeError: out of memory {shape}"',
        '"""RuntimeError: out\nof memory"""',
    ],
)
def test_a_program_must_not_say_what_the_signature_looks_for(line: str) -> None:
    assert rules(BROKEN + line + "\n", FIXED + line + "\n", (r"RuntimeError: out of memory",)) == ["own-words"]


def test_a_bare_raise_and_assignments_to_own_names_are_fine() -> None:
    line = "\nmodel.extra = 1\ntry:\n    pass\nexcept ValueError:\n    raise\n"
    head, call = BROKEN.rsplit("\n", 2)[0] + line, "model.fit(tf.zeros(shape), tf.zeros((2, 1)))\n"
    assert rules(head + call, head + call.replace("(2, 1)", "(3, 1)") + "assert model.built\n") == []


def test_the_fixed_program_is_the_same_program() -> None:
    assert rules(fixed=BROKEN + "assert model.built\n") == ["differs-too-much"]
    other = "import keras\n" + "".join(f"step_{number} = {number}\n" for number in range(20)) + "keras.x()\nassert step_1\n"
    assert set(rules(fixed=other)) == {"differs-too-much", "not-shown", "other-last-call"}
    assert rules(fixed=FIXED.replace("model.fit", "model.evaluate")) == ["other-last-call"]
    assert rules(fixed=FIXED.replace("assert model.built\n", "")) == ["no-assert"]


def test_what_is_not_python_is_said() -> None:
    assert [str(fault) for fault in check_pair("a.broken.py", "x =\n", FIXED, ())] == [
        "a.broken.py:1: syntax: this is not Python: invalid syntax"
    ]


def entries_with(folder: pathlib.Path, broken: str, exemptions: str) -> pathlib.Path:
    entry = folder / "training" / "some-entry"
    entry.mkdir(parents=True)
    (entry / "some-cause.broken.py").write_text(broken)
    (entry / "some-cause.fixed.py").write_text(FIXED)
    (folder / "exemptions.yaml").write_text(exemptions)
    return folder


def test_an_exemption_excuses_one_rule_of_one_cause(tmp_path: pathlib.Path) -> None:
    listed = "- {cause: some-entry/some-cause, rule: raises, reason: the failure is the raise}\n"
    line = "if shape is None:\n    raise ValueError\n"
    entries = entries_with(tmp_path, BROKEN.replace("# --- end\n", line + "# --- end\n"), listed)
    assert check_entries(entries, {}) == []


def test_an_exemption_that_is_not_needed_is_a_fault(tmp_path: pathlib.Path) -> None:
    listed = "# why\n- {cause: some-entry/some-cause, rule: raises, reason: once it was so}\n"
    faults = check_entries(entries_with(tmp_path, BROKEN, listed), {})
    assert [(fault.rule, fault.line) for fault in faults] == [("exemption", 2)]
    assert "does not need the exemption from raises" in faults[0].message


def test_a_missing_fixed_program_is_a_fault(tmp_path: pathlib.Path) -> None:
    entries = entries_with(tmp_path, BROKEN, "")
    (entries / "training" / "some-entry" / "some-cause.fixed.py").unlink()
    assert [fault.message for fault in check_entries(entries, {})] == ["some-cause.fixed.py is missing"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {cause: a/b, rule: raises}\n", "an exemption has cause, rule and reason"),
        ("- {cause: a/b, rule: all, reason: x}\n", "no rule 'all'"),
        ("a: b\n", "must be a list"),
        ("- [\n", "this is not YAML"),
    ],
)
def test_a_malformed_list_is_named(tmp_path: pathlib.Path, text: str, message: str) -> None:
    path = tmp_path / "exemptions.yaml"
    path.write_text(text)
    exemptions, faults = read_exemptions(path)
    assert exemptions == []
    assert message in str(faults[0])
