"""Facts from code: what each check finds, what it leaves alone, and that no text breaks it."""

import ast
import pathlib
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.collectors.code.cases import ALIKE, RIGHT, SHOWN, program
from tfhelp.collectors import code
from tfhelp.kb.facts import fact_table

ORDINARY = sorted((pathlib.Path(__file__).parent / "programs").glob("*.py"))
PAIRS = [(fact, body) for fact, bodies in SHOWN.items() for body in bodies]


@pytest.mark.parametrize(("fact", "body"), PAIRS, ids=[f"{fact}-{number}" for number, (fact, _) in enumerate(PAIRS)])
def test_a_fact_is_found_at_its_line(fact: str, body: str) -> None:
    source = program(body)
    line = next(number for number, text in enumerate(source.split("\n"), 1) if "# <-" in text)
    examination = code.examine(source)
    assert examination.fault is None
    assert line in {finding.line for finding in examination.findings if finding.fact == f"code.{fact}"}
    sheet = code.facts(examination)
    assert sheet.get(f"code.{fact}") is True
    assert sheet.source(f"code.{fact}").startswith("train.py line ")


@pytest.mark.parametrize(("fact", "body"), [(fact, body) for fact, bodies in RIGHT.items() for body in bodies])
def test_what_is_right_is_false_also_in_a_part_of_a_program(fact: str, body: str) -> None:
    assert code.facts(code.examine(program(body), part=True)).get(f"code.{fact}") is False


@pytest.mark.parametrize(("fact", "body"), [(fact, body) for fact, bodies in ALIKE.items() for body in bodies])
def test_what_only_looks_like_a_mistake_is_no_finding(fact: str, body: str) -> None:
    assert f"code.{fact}" not in {finding.fact for finding in code.examine(program(body)).findings}


def test_every_fact_is_shown_by_a_case_and_declared() -> None:
    assert {f"code.{fact}" for fact in SHOWN} | {"code.notes", "code.written_for"} == set(code.FACTS)
    assert set(code.FACTS) <= set(fact_table())


@pytest.mark.parametrize("path", ORDINARY, ids=[path.stem for path in ORDINARY])
def test_ordinary_programs_are_left_alone(path: pathlib.Path) -> None:
    examination = code.examine(path.read_text(encoding="utf-8"), path.name)
    assert examination.fault is None
    assert [finding for finding in examination.findings if finding.severity != "note"] == []
    assert examination.whole


def test_healthy_programs_are_left_alone(repository: pathlib.Path) -> None:
    paths = sorted((repository / "tests/healthy/programs").glob("*.py"))
    assert paths
    for path in paths:
        examination = code.examine(path.read_text(encoding="utf-8"), path.name)
        assert [finding for finding in examination.findings if finding.severity != "note"] == [], path


def test_fixed_programs_no_longer_show_what_their_twin_shows(repository: pathlib.Path) -> None:
    shown = 0
    for broken in sorted((repository / "kb/entries").rglob("*.broken.py")):
        fixed = broken.with_name(broken.name.replace(".broken.py", ".fixed.py"))
        if not fixed.exists():
            continue
        wrong = {item.fact for item in code.read(broken.read_text(encoding="utf-8")) if item.severity != "note"}
        left = {item.fact for item in code.read(fixed.read_text(encoding="utf-8")) if item.severity != "note"}
        shown += bool(wrong)
        assert left == set(), f"{fixed}: {left}"
    assert shown > 20


def test_a_part_of_a_program_says_nothing_of_what_it_lacks() -> None:
    source = program("x = 1\n")
    whole, part = code.facts(code.examine(source)), code.facts(code.examine(source, part=True))
    assert whole.get("code.compile_missing") is False
    assert part.values == {}
    assert code.facts(code.examine("from mymodels import build\n" + source)).values == {}
    assert code.facts(code.examine("from .models import build\n" + source)).values == {}


def test_a_part_may_leave_out_what_a_program_needs() -> None:
    source = program("model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\nmodel.fit(x, y)\n")
    assert code.facts(code.examine(source)).get("code.compile_missing") is True
    assert not code.facts(code.examine(source, part=True)).known("code.compile_missing")


def test_what_depends_on_data_stays_unknown() -> None:
    sheet = code.facts(code.examine(program('x = np.load("x.npy")\nmodel.fit(x)\n')))
    for fact in ("numpy_input_without_cast", "integer_labels_with_categorical_loss", "steps_exceed_data", "batch_below_replicas"):
        assert not sheet.known(f"code.{fact}")
    assert sheet.get("code.mixed_precision") is False


def test_time_is_in_proportion_to_the_text() -> None:
    """Counted in calls of Python functions, because they do not depend on the load of the machine."""
    body = "".join(piece + "\n" for piece in PIECES)
    small, large = (_calls(program(body * times)) for times in (2, 16))
    assert large < 8 * small * 1.6


def _calls(source: str) -> int:
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    code.examine("import keras\n")  # modules are imported
    sys.setprofile(note)
    try:
        code.examine(source)
    finally:
        sys.setprofile(None)
    return count


def test_invalid_python_has_a_line_and_no_facts() -> None:
    examination = code.examine("import keras\nprint 'epoch'\n")
    assert examination.fault is not None
    assert examination.fault[0] == 2
    assert examination.findings == []
    assert code.facts(examination).values == {}


@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000,
        "x = " + "-" * 50_000 + "1",
        "x" + ".a" * 20_000,
        "x = a" + ".f()" * 5_000,
        "x = " + "1 + " * 20_000 + "1",
        "x = y\ny = x\nprint(x)\n" * 50,
        "def f():\n    return f()\nx = f()\n",
        "class A(A):\n    def call(self): return self.call()\na = A()\n",
        "\x00",
        "\ud800",
        "import tensorflow as tf\ntf = tf\ntf.zeros(tf)\n",
        "for i in i: i = i\n",
        "[x := x for x in x]",
        "lambda: (yield)",
    ],
    ids=range(14),
)
def test_odd_sources_do_no_harm(source: str) -> None:
    examination = code.examine(source)
    assert isinstance(examination.findings, list)


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_without_an_error(text: str) -> None:
    code.facts(code.examine(text))
    code.facts(code.examine(text, "a.ipynb"))


STATEMENTS = [
    line for bodies in SHOWN.values() for body in bodies for line in body.split("\n") if line and not line.startswith((" ", "@"))
]
PIECES = [item for bodies in SHOWN.values() for item in bodies]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_programs_put_together_give_the_same_facts_each_time(pieces: list[str]) -> None:
    source = program("".join(piece if piece.endswith("\n") else piece + "\n" for piece in pieces))
    first, second = code.examine(source), code.examine(source)
    assert first.fault is None
    assert code.facts(first).document() == code.facts(second).document()
    lines = source.count("\n") + 1
    assert all(1 <= finding.line <= lines for finding in first.findings)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_layout_and_comments_change_no_fact(pieces: list[str]) -> None:
    source = program("".join(piece + "\n" for piece in pieces))
    plain = ast.unparse(ast.parse(source))
    assert {item.fact for item in code.read(source)} == {item.fact for item in code.read(plain)}


@given(st.lists(st.sampled_from(STATEMENTS), max_size=12), st.randoms())
@settings(max_examples=150, deadline=None)
def test_any_order_of_statements_is_read(statements: list[str], random: object) -> None:
    code.examine("\n".join(statements))


def test_names_are_known_by_every_way_of_import() -> None:
    for imports, name in (
        ("import tensorflow as tf", "tf.keras.optimizers.Adam"),
        ("import tensorflow.keras as k", "k.optimizers.Adam"),
        ("from tensorflow import keras", "keras.optimizers.Adam"),
        ("from tensorflow.keras.optimizers import Adam as A", "A"),
        ("from keras.optimizers import *", "Adam"),
        ("import tensorflow.keras.optimizers", "tensorflow.keras.optimizers.Adam"),
        ("import tf_keras", "tf_keras.optimizers.Adam"),
        ("from keras import optimizers\nmake = optimizers.Adam", "make"),
    ):
        findings = code.read(f"{imports}\nopt = {name}(lr=0.1)\n")
        assert [item.fact for item in findings] == ["code.lr_argument"], imports
    assert code.read("def Adam(lr): return lr\nAdam(lr=0.1)\n") == []


def test_the_short_name_of_the_accuracy_is_a_fault_in_a_program_for_tensorflow_2() -> None:
    compiled = "model.compile('adam', 'mse', metrics=['accuracy'])\n"
    for imports, severity in (
        ("from tensorflow.keras.callbacks import EarlyStopping", "warning"),
        ("from keras.callbacks import EarlyStopping", "note"),  # Keras before 2.3 reports val_acc
    ):
        found = code.read(f"{imports}\nstop = EarlyStopping('val_acc')\n{compiled}")
        assert [item.severity for item in found if item.fact == "code.monitor_not_reported"] == [severity]
