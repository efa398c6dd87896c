"""The condition that guards a raise, read from an installed function; and the search for a package's files."""

import os
import pathlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.environment import guard, installed

MODULE = '''\
import os

SIZE = 3


def fold(
    bag,
    item,
):
    """Fold.

No indentation here, inside of a string.
    """
    if bag is None:
        return None
    if item in bag and (
        len(bag) > SIZE or bag.full
    ):
        # a comment at no place
# and one further out
        raise ValueError(f"Cannot fold {item} into a bag of {len(bag)} things.")
    try:
        bag.put(item)
    except (KeyError, OSError) as error:
        raise RuntimeError("The bag refused the item for good: %s" % error)
    assert bag.closed, "The bag must be closed at the end of folding."
    for other in bag:
        if other == item:
            pass
        elif other.sharp:
            raise ValueError(f"Cannot keep {other} beside other things in the bag.")
    if bag.open:
        return bag
    raise TypeError("Folding came to no end at all.")


class Sack:
    def fold(self, item):
        if self.size < 0:
            raise ValueError(f"The sack has a negative size of {self.size} litres.")

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, size):
        if not isinstance(size, int):
            raise ValueError(f"The size of a sack must be an integer, not {size}.")


def twice(x):
    if x.a:
        raise ValueError(f"Cannot do this twice with {x} and more.")
    if x.b:
        raise ValueError(f"Cannot do this twice with {x} and more.")
'''


def line_of(text: str) -> int:
    return 1 + MODULE[: MODULE.index(text)].count("\n")


@pytest.mark.parametrize(
    ("function", "message", "condition"),
    [
        ("fold", "Cannot fold a cat into a bag of 4 things.", "item in bag and ( len(bag) > SIZE or bag.full )"),
        ("fold", "The bag refused the item for good: no room", "except (KeyError, OSError)"),
        ("fold", "The bag must be closed at the end of folding.", "not bag.closed"),
        ("fold", "Cannot keep a knife beside other things in the bag.", "not (other == item) and other.sharp"),
        ("fold", "Folding came to no end at all.", "not bag.open"),
        ("Sack.fold", "The sack has a negative size of -1 litres.", "self.size < 0"),
        ("Sack.size", "The size of a sack must be an integer, not big.", "not isinstance(size, int)"),
    ],
)
def test_the_condition_is_the_sources(function: str, message: str, condition: str) -> None:
    found = guard.guard(MODULE, function, message)
    assert found is not None
    assert found.condition == condition


def test_the_line_is_that_of_the_raise() -> None:
    for function, message, text in (
        ("fold", "Cannot fold a cat into a bag of 4 things.", 'raise ValueError(f"Cannot fold'),
        ("Sack.fold", "The sack has a negative size of -1 litres.", 'raise ValueError(f"The sack'),
        ("Sack.size", "The size of a sack must be an integer, not big.", 'raise ValueError(f"The size'),
    ):
        found = guard.guard(MODULE, function, message)
        assert found is not None
        assert found.line == line_of(text)


def test_only_a_line_decides_between_two_raises_with_the_same_message() -> None:
    message = "Cannot do this twice with None and more."
    assert guard.guard(MODULE, "twice", message) is None
    second = 1 + MODULE[: MODULE.rindex("raise ValueError")].count("\n")
    assert guard.guard(MODULE, "twice", message, second) == guard.Guard(second, "x.b")


@pytest.mark.parametrize(
    ("text", "function", "message"),
    [
        (MODULE, "fold", "Something else entirely was said here."),
        (MODULE, "unfold", "Cannot fold a cat into a bag of 4 things."),
        (MODULE, "Sack.put", "The sack has a negative size of -1 litres."),
        (MODULE, "Bag.fold", "The sack has a negative size of -1 litres."),
        (MODULE, "", "Cannot fold a cat into a bag of 4 things."),
        ("def fold(:\n    raise ValueError('Cannot fold this at all')\n", "fold", "Cannot fold this at all"),
        ("", "fold", "Cannot fold this at all"),
    ],
)
def test_what_is_not_there_gives_nothing(text: str, function: str, message: str) -> None:
    assert guard.guard(text, function, message) is None


def test_a_long_condition_keeps_what_stands_nearest_to_the_raise() -> None:
    far = " and ".join(f"first_{number}" for number in range(30))
    text = f"def f(x):\n    if {far}:\n        if x.near:\n            raise ValueError('It is far too near to be so far away')\n"
    found = guard.guard(text, "f", "It is far too near to be so far away")
    assert found is not None
    assert found.condition == "x.near"
    only = guard.guard(text.replace("if x.near", "if True or x"), "f", "It is far too near to be so far away")
    assert only is not None
    assert len(only.condition) <= guard.LONGEST


NAMES = st.sampled_from(["a", "b.c", "d[0]", "e == 1", "f(g) > 2", "not h"])


@given(st.lists(st.tuples(NAMES, st.booleans()), min_size=1, max_size=5), st.booleans())
def test_every_test_around_a_raise_is_named_in_its_order(tests: list[tuple[str, bool]], in_class: bool) -> None:
    lines, depth = ["class C:"] if in_class else [], int(in_class)
    lines.append(f"{'    ' * depth}def f(x):")
    for test, holds in tests:
        depth += 1
        lines.append(f"{'    ' * depth}if {test}:")
        if not holds:
            lines += [f"{'    ' * (depth + 1)}pass", f"{'    ' * depth}else:"]
    lines.append(f'{"    " * (depth + 1)}raise ValueError(f"The value {{x}} cannot stand at this place")')
    found = guard.guard("\n".join(lines) + "\n", "C.f" if in_class else "f", "The value 3 cannot stand at this place")
    written = [test if holds else f"not ({test})" if " " in test else f"not {test}" for test, holds in tests]
    assert found == guard.Guard(len(lines), " and ".join(written))


@given(st.text(max_size=80), st.sampled_from(["fold", "Sack.size", "f"]), st.text(max_size=60))
def test_any_source_and_message_are_read_without_a_fault(text: str, function: str, message: str) -> None:
    guard.guard(f"def f(x):\n    {text}\n{text}\n    raise ValueError('one two three')\n", function, message)


@pytest.fixture
def environment(tmp_path: pathlib.Path) -> pathlib.Path:
    """A virtual environment with one package; its interpreter is this one."""
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    (packages / "keras" / "src" / "bags").mkdir(parents=True)
    (packages / "keras" / "__init__.py").write_text("raise SystemExit('imported')\n")
    (packages / "keras" / "src" / "bags" / "fold.py").write_text(MODULE)
    (packages / "keras" / "src" / "bags" / "__init__.py").write_text("SIZE = 3\n")
    (packages / "keras-3.9.2.dist-info").mkdir()
    (packages / "tensorflow_cpu-2.18.0.dist-info").mkdir()
    (packages / "Keras_Applications-1.0.8.dist-info").mkdir()
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.4\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("")
    return tmp_path


def test_packages_of_an_environment_are_found_without_running_it(environment: pathlib.Path) -> None:
    roots = installed.folders(str(environment / "bin" / "python"))
    assert roots == [str(environment / "lib" / "python3.11" / "site-packages")]
    assert installed.versions(["keras", "tensorflow", "tf_keras"], roots) == {"keras": "3.9.2", "tensorflow": "2.18.0"}


def test_a_module_is_found_with_and_without_the_folder_src(environment: pathlib.Path) -> None:
    roots = installed.folders(str(environment / "bin" / "python"))
    for module in ("keras.bags.fold", "keras.src.bags.fold"):
        found = installed.source(module, roots)
        assert found is not None
        assert (found.inside, found.text) == ("keras/src/bags/fold.py", MODULE)
    package = installed.source("keras.bags", roots)
    assert package is not None
    assert package.inside == "keras/src/bags/__init__.py"
    for module in ("keras.bags.unfold", "tensorflow.python.ops", "keras", "no.such.package"):
        found = installed.source(module, roots)
        assert found is None or module == "keras"


def test_an_interpreter_that_is_not_there_has_no_packages(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert installed.folders(str(tmp_path / "bin" / "python")) == []
    assert installed.source("keras.layers", []) is None


def test_the_interpreter_that_runs_here_has_its_packages() -> None:
    roots = installed.folders(sys.executable)
    assert any(os.path.isdir(os.path.join(root, "pytest")) for root in roots)
