"""The atlas in the repository: its sources, and its accuracy."""

import collections
import json
import pathlib
import random
import re
import typing

import pytest

from tfhelp.kb.atlas.atlas import Atlas, Place, accepts, canonical
from tfhelp.kb.atlas.build import LIST, listed
from tfhelp.kb.atlas.names import plain
from tfhelp.kb.atlas.store import PATH, Store

CALLS = pathlib.Path(__file__).with_name("wrong_calls.jsonl")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
LARGEST = 4 << 20


def test_it_is_made_from_the_listed_wheels(atlas: Atlas) -> None:
    every = listed()
    for package in atlas.packages:
        assert atlas.releases(package) == [one.release.version for one in every if one.release.package == package]
    assert all(re.fullmatch(r"[0-9a-f]{64}", one.sha256) and one.wheel.endswith(".whl") for one in every)
    assert len(LIST.read_text(encoding="utf-8").splitlines()) == len(every) + 1


def test_it_is_small() -> None:
    assert pathlib.Path(PATH).stat().st_size < LARGEST


def test_it_holds_identifiers_and_no_sentences() -> None:
    store = Store()
    for key in store.keys("prints"):
        for gap in store.get("prints", key)[1]:
            assert all(len(re.findall(r"[A-Za-z0-9_]+", part)) <= 2 for part in gap), (key, gap)


SPANS = [
    ("tf.Session", "tensorflow", "1.15.5", "1.15.5"),
    ("tf.compat.v1.Session", "tensorflow", "1.15.5", "2.21.0"),
    ("tf.data.AUTOTUNE", "tensorflow", "2.4.4", "2.21.0"),
    ("tf.keras.optimizers.legacy.Adam", "tensorflow", "2.9.3", "2.21.0"),
    ("tf.keras.Model.fit_generator", "tensorflow", "1.15.5", "2.15.1"),
    ("tf.keras.layers.Dense", "tensorflow", "1.15.5", "2.21.0"),
    ("tf.estimator.Estimator", "tensorflow", "1.15.5", "2.15.1"),
    ("keras.ops.matmul", "keras", "3.0.5", "3.15.1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "package", "first", "last"), SPANS)
def test_when_names_came_and_went(atlas: Atlas, name: str, package: str, first: str, last: str) -> None:
    found = atlas.lookup(name)
    assert found is not None
    spans = [span for span in found.releases if span.package == package]
    assert (spans[0].first, spans[-1].last) == (first, last)


def test_when_a_parameter_went(atlas: Atlas) -> None:
    fit = atlas.lookup("tf.keras.Model.fit")
    assert fit is not None
    last = {accepts(text, "workers"): spans[-1].last for text, spans in fit.signatures}
    assert last[True] == "2.15.1"
    assert last[False] == "2.21.0"


def test_where_a_name_is_today(atlas: Atlas) -> None:
    assert atlas.nearest("tf.AUTOTUNE")[0] == "tf.data.AUTOTUNE"
    assert atlas.nearest("keras.layers.Dnese")[0] == "keras.layers.Dense"
    session = atlas.lookup("tf.Session")
    assert session is not None
    assert session.same[0] == "tf.compat.v1.Session"


def test_a_script_is_dated(atlas: Atlas) -> None:
    span = atlas.range_of(["tf.keras.Model.fit_generator", "tf.data.AUTOTUNE", "tf.keras.layers.Dense"])
    assert span is not None
    assert (span.first, span.last) == ("2.4.4", "2.15.1")


def test_modules_that_are_gone(atlas: Atlas) -> None:
    assert [(span.package, span.last) for span in atlas.module("keras.engine.topology")] == [("keras", "2.4.3")]


def rows() -> list[dict[str, str]]:
    """The recorded calls, the first of each function, without messages from C++ (Python only passes them on) and empty ones."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for line in CALLS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["function"] != "raise_from_not_ok_status" and row["message"]:
            found.setdefault((row["module"], row["function"]), row)
    return list(found.values())


def kinds(atlas: Atlas, with_the_call: bool) -> collections.Counter[str]:
    """The answers to the recorded calls without their frames, with and without the called name in addition to the message.

    ``first``: the exact place, or another one that people know under the same public name. ``one of``: it is among the other
    places that are named, because their message is the same word for word.
    """
    counts: collections.Counter[str] = collections.Counter()
    for row in rows():
        code = row["called"].replace(" ", ".") if with_the_call else ""
        explained = atlas.explain(" ".join(ANSI.sub("", row["message"]).split()), row["exception"], code=code)
        counts[kind([[one.place, *one.others] for one in explained[:1]], (plain(row["module"]), known_as(row["function"])))] += 1
    return counts


def known_as(function: str) -> str:
    """Generated code calls the kernel in a separate function, ``conv3d_eager_fallback``, which is part of ``conv3d``."""
    return function.removesuffix("_eager_fallback")


def kind(explained: list[list[Place]], wanted: tuple[str, str]) -> str:
    if not explained:
        return "none"
    places = explained[0]
    right = [place for place in places if (place.module, known_as(place.function)) == wanted]
    if not right:
        return "wrong"
    first = places[0]
    return "first" if first in right or (first.public and first.public == right[0].public) else "one of"


def test_which_function_raises_the_messages_of_wrong_calls(atlas: Atlas) -> None:
    count = len(rows())
    assert count >= 600
    alone, with_the_call = kinds(atlas, False), kinds(atlas, True)
    # Dropout and AlphaDropout have the same message, word for word: from a message alone, at most 89 % can be right.
    assert alone["first"] >= 0.84 * count, alone
    assert alone["first"] + alone["one of"] >= 0.97 * count, alone
    assert with_the_call["first"] >= 0.9 * count, with_the_call
    assert max(alone["wrong"], with_the_call["wrong"]) <= 0.03 * count, alone


def test_what_cpp_says_is_not_explained_by_chance(atlas: Atlas) -> None:
    lines = (json.loads(line) for line in CALLS.read_text(encoding="utf-8").splitlines())
    said = [row["message"] for row in lines if row["function"] == "raise_from_not_ok_status"]
    assert len(said) > 20
    explained = [text for text in said if atlas.explain(" ".join(ANSI.sub("", text).split()), "InvalidArgumentError")]
    assert len(explained) <= 0.03 * len(said), explained


def exists(inside: typing.Any, parts: list[str]) -> bool:
    for part in parts:
        try:
            inside = getattr(inside, part)
        except (AttributeError, ImportError):
            return False
    return True


@pytest.mark.slow
def test_names_of_the_newest_release_are_there_and_others_are_not(atlas: Atlas) -> None:
    """300 names drawn over all releases, looked up in the TensorFlow and Keras that are installed here."""
    import keras
    import tensorflow as tf

    newest = {"tf": atlas.releases("tensorflow")[-1], "keras": atlas.releases("keras")[-1]}
    assert tf.__version__ == newest["tf"]
    assert keras.__version__ == newest["keras"]
    # The cells of tf.compat.v1 exist only where tf.keras is tf_keras; Keras 3 refuses access to them.
    never = ("tf.compat.v1.nn.rnn_cell.", "tf.compat.v1.layers.InputSpec")
    names = [name for name in Store().keys("names") if name.startswith(("tf.", "keras.")) and not name.startswith(never)]
    wrong = []
    for name in random.Random(3).sample(names, 300):
        head, *parts = canonical(name).split(".")
        found = atlas.lookup(name)
        package = {"tf": "tensorflow", "keras": "keras"}[head]
        expected = found is not None and any(span.package == package and span.newest for span in found.releases)
        if exists({"tf": tf, "keras": keras}[head], parts) != expected:
            wrong.append((name, expected))
    assert wrong == []
