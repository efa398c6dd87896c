"""The whole way, from small wheels to answers."""

import pathlib

import pytest

from tests.kb.atlas.conftest import KERAS_NEW, sources
from tfhelp.kb.atlas import build
from tfhelp.kb.atlas.atlas import Atlas, Span, accepts
from tfhelp.kb.atlas.store import AtlasError, Store
from tfhelp.kb.atlas.wheels import WheelError
from tfhelp.kb.text import Frame

BOTH = (Span("tensorflow", "2.10.0", "2.16.0", True),)


def test_a_percent_format_gives_its_function_and_values(small: Atlas) -> None:
    best = small.explain("Cannot put 'a cat' into the bag at place 7, which holds only 3 items.", "ValueError")[0]
    assert (best.place.module, best.place.function) == ("tensorflow.python.ops", "Bag.put")
    assert best.place.public == "tf.bags.Bag.put"
    assert best.place.releases == BOTH
    assert best.values == (("item", "'a cat'"), ("at", "7"), ("self.size", "3"))
    assert best.whole


def test_an_f_string_inside_other_words(small: Atlas) -> None:
    text = "in user code: ValueError: `axis` must be smaller than four, got axis=5 of shape (None, 28, 28). Call arguments: x"
    best = small.explain(text)[0]
    assert best.place.public == "tf.fold"
    assert best.values[0] == ("axis", "5")
    assert best.values[1][1].startswith("(None, 28, 28)")


def test_folded_and_quoted_the_same_message_is_found(small: Atlas) -> None:
    best = small.explain("> You must call the compile\n> method before this model is fitted.")[0]
    assert best.place.public == "keras.Model.fit"
    assert best.place.releases == (Span("keras", "3.0.0", "3.0.0", True),)


def test_a_strange_message_has_no_explanation(small: Atlas) -> None:
    assert small.explain("The dog cannot put its bone into the ground, which holds only stones.") == []
    assert small.explain("") == []


def test_few_words_count_only_as_the_whole_message_of_the_same_class(small: Atlas) -> None:
    assert small.explain("ValueError: Empty bag: 'a'")[0].place.function == "empty"
    assert small.explain("Empty bag: 'a'", "ValueError")[0].values == (("x", "'a'"),)
    assert small.explain("Empty bag: 'a'", "TypeError") == []
    assert small.explain("I have an Empty bag: 'a'", "ValueError") == []


def test_frames_do_not_hide_a_place_that_they_name(small: Atlas) -> None:
    frames = [Frame("/x/site-packages/tensorflow/python/ops.py", 9, "put", "")]
    assert (
        small.explain("Cannot put 1 into the bag at place 7, which holds only 3 items.", "ValueError", frames)[0].place.function
        == "Bag.put"
    )


def test_a_name_has_its_releases_and_other_names(small: Atlas) -> None:
    bag = small.lookup("tensorflow.bags.Bag")
    assert bag is not None
    assert bag.releases == BOTH
    assert bag.same == ("tf.bags.Sack",)
    assert bag.signatures == (("(size,name=)", BOTH),)
    unfold = small.lookup("tf.unfold")
    assert unfold is not None
    assert unfold.releases == (Span("tensorflow", "2.16.0", "2.16.0", True),)
    assert small.lookup("tf.nothing") is None


def test_a_parameter_comes_and_goes(small: Atlas) -> None:
    put = small.lookup("tf.bags.Bag.put")
    assert put is not None
    assert put.signatures == (
        ("(item,at=)", (Span("tensorflow", "2.10.0", "2.10.0", False),)),
        ("(item,at=,*,careful=)", (Span("tensorflow", "2.16.0", "2.16.0", True),)),
    )
    fit = small.lookup("tf.keras.Model.fit")
    assert fit is not None
    assert [(text, span.first) for text, (span,) in fit.signatures] == [("(x,workers=)", "2.10.0"), ("(x)", "2.16.0")]


def test_an_inherited_method_is_found(small: Atlas) -> None:
    call = small.lookup("keras.layers.Dense.call")
    assert call is not None
    assert call.signatures == (("(x,training=)", (Span("keras", "2.10.0", "2.10.0", False),)),)


@pytest.mark.parametrize(
    ("parameters", "name", "answer"), [("(x,axis=)", "axis", True), ("(x)", "axis", False), ("(x,**kw)", "axis", None)]
)
def test_accepts(parameters: str, name: str, answer: bool | None) -> None:
    assert accepts(parameters, name) is answer


def test_the_nearest_name(small: Atlas) -> None:
    assert small.nearest("tf.bags.Bga")[0] == "tf.bags.Bag"
    assert small.nearest("tf.Bag")[0] == "tf.bags.Bag"
    assert small.nearest("tf.zzz") == []


def test_a_script_is_dated_by_its_names(small: Atlas) -> None:
    assert small.range_of(["tf.fold", "tf.bags.Bag"]) == BOTH[0]
    assert small.range_of(["tf.fold", "tf.unfold", "numpy.array"]) == Span("tensorflow", "2.16.0", "2.16.0", True)
    assert small.range_of(["numpy.array"]) is None


def test_modules_have_releases(small: Atlas) -> None:
    assert small.module("keras.engine.model") == (Span("keras", "2.10.0", "2.10.0", False),)
    assert small.module("keras.nothing") == ()


def test_the_file_holds_no_sentence(made: pathlib.Path) -> None:
    store = Store(str(made / "atlas.bin"))
    everything = "".join(str(store.get(table, key)) for table in ("prints", "sites") for key in store.keys(table))
    assert "place" not in everything
    assert "compile" not in everything


def test_a_build_gives_the_same_bytes_and_keeps_the_hashes(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = (made / "releases.tsv").read_text(encoding="utf-8")
    assert "keras-3.0.0-py3-none-any.whl" in before
    build.build(made, tmp_path / "again.bin", made / "releases.tsv", lambda _: None)
    assert (tmp_path / "again.bin").read_bytes() == (made / "atlas.bin").read_bytes()
    assert (made / "releases.tsv").read_text(encoding="utf-8") == before


def test_another_wheel_than_the_listed_one_is_refused(tmp_path: pathlib.Path) -> None:
    sources(tmp_path, "keras-3.0.0", KERAS_NEW)
    (tmp_path / "list.tsv").write_text(
        "package\tversion\tpython\tproject\twheel\tsha256\nkeras\t3.0.0\t3.11\tkeras\tx.whl\tabc\n"
    )
    with pytest.raises(WheelError, match="SHA-256"):
        build.build(tmp_path, tmp_path / "atlas.bin", tmp_path / "list.tsv", lambda _: None)


@pytest.mark.parametrize(
    ("text", "what"), [("x\n", "list.tsv:1"), ("package\tversion\tpython\tproject\twheel\tsha256\nkeras\n", "list.tsv:2")]
)
def test_a_wrong_list_is_refused_by_line(tmp_path: pathlib.Path, text: str, what: str) -> None:
    (tmp_path / "list.tsv").write_text(text)
    with pytest.raises(ValueError, match=what):
        build.listed(tmp_path / "list.tsv")


def test_a_damaged_file_is_refused(tmp_path: pathlib.Path) -> None:
    for number, body in enumerate((b"", b"tfhelp atlas 1\n\x01", b"something else entirely")):
        path = tmp_path / f"{number}.bin"
        path.write_bytes(body)
        with pytest.raises(AtlasError, match="atlas.build"):
            Store(str(path))


def test_damage_inside_of_the_file_is_named_where_it_is_met(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    whole = (made / "atlas.bin").read_bytes()
    damaged = tmp_path / "atlas.bin"
    start = len(whole) // 3
    damaged.write_bytes(whole[:start] + bytes(len(whole) // 3) + whole[2 * start :])
    with pytest.raises(AtlasError, match="run: python -m tfhelp.kb.atlas.build"):
        atlas = Atlas(str(damaged))
        atlas.lookup("tf.bags.Bag.put")
        atlas.explain("Cannot put 'a cat' into the bag at place 7, which holds only 3 items.")
        atlas.nearest("tf.bags.Sock")
