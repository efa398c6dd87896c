"""A missing public name: whether any release has it, since when, until when, and what replaces it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.derived import derive, names
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


def _derived(name: str, **packages: str) -> dict[str, object]:
    sheet = FactSheet()
    sheet.put("derived.missing_name", name, "given")
    for package, version in packages.items():
        sheet.put(f"packages.{package}", version, "given")
    tables = Tables(lambda name: {"releases": [], "newest": {}})
    for fact in (names.name_never_existed, names.name_came_later, names.name_is_gone, names.name_instead):
        sheet.put(f"derived.{fact.__name__}", fact(sheet, tables), "derived")
    return {fact: sheet.get(f"derived.name_{fact}") for fact in ("never_existed", "came_later", "is_gone", "instead")}


@pytest.mark.parametrize(
    ("name", "packages", "never", "later", "gone"),
    [
        ("tf.debugging.assert_shape", {}, True, False, False),
        ("tf.sysconfig.is_built_with_cudnn", {}, True, False, False),
        ("tf.AUTOTUNE", {}, True, False, False),
        ("tf.data.AUTOTUNE", {}, False, True, False),
        ("keras.layers.Rescaling", {"keras": "2.4.3"}, False, True, False),
        ("keras.layers.Rescaling", {"keras": "3.15.1"}, False, False, False),
        ("keras.losses.Reduction", {}, False, False, True),
        ("keras.losses.Reduction", {"keras": "2.2.4"}, False, False, False),
        ("keras.layers.CuDNNLSTM", {"keras": "3.3.0"}, False, False, True),
        # It was removed and added again: without a version, it is not known which period applies.
        ("keras.utils.get_file", {}, False, UNKNOWN, UNKNOWN),
        ("keras.utils.get_file", {"keras": "2.6.0"}, False, False, True),
        # Older than the oldest release in the atlas.
        ("tf.mul", {}, UNKNOWN, UNKNOWN, UNKNOWN),
        # Made by another package, or in a place that the atlas does not know.
        ("tf.summary.never", {}, UNKNOWN, UNKNOWN, UNKNOWN),
        ("tf.contrib.slim.never", {}, UNKNOWN, UNKNOWN, UNKNOWN),
        ("tf.nowhere.at_all", {}, UNKNOWN, UNKNOWN, UNKNOWN),
        ("tf.python", {}, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_a_missing_name_is_new_gone_or_wrong(
    name: str, packages: dict[str, str], never: object, later: object, gone: object
) -> None:
    found = _derived(name, **packages)
    assert (found["never_existed"], found["came_later"], found["is_gone"]) == (never, later, gone)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("tf.debugging.assert_shape", "tf.debugging.assert_shapes"),
        ("keras.layers.Conv2d", "keras.layers.Conv2D"),
        ("tf.Sesion", "tf.compat.v1.Session"),
        ("tf.Session", "tf.compat.v1.Session"),
        ("tf.keras.layers.experimental.preprocessing.Rescaling", "tf.keras.layers.Rescaling"),
    ],
)
def test_what_there_is_instead_comes_first(name: str, instead: str) -> None:
    assert str(_derived(name)["instead"]).split(" or ")[0] == instead


def test_releases_are_named_as_people_name_them() -> None:
    sheet = FactSheet()
    sheet.put("log.missing_name", "tf.data.AUTOTUNE", "given")
    derive(sheet, Tables(lambda name: {}))
    assert sheet.get("derived.name_first_release") == "tensorflow 2.4"
    assert sheet.get("derived.name_last_release") is None


@pytest.mark.parametrize(
    ("kind", "member", "name", "unexplained"),
    [
        ("LSTM", "reset_state", "keras.layers.LSTM.reset_state", False),
        ("Sequential", "to_yaml", "keras.Sequential.to_yaml", False),
        ("SGD", "apply_gradient", "keras.optimizers.SGD.apply_gradient", False),
        ("MapDataset", "make_one_shot_iterator", "tf.data.Dataset.make_one_shot_iterator", False),
        ("DatasetV2", "load", "tf.data.Dataset.load", False),
        ("DatasetV1Adapter", "make_one_shot_iterator", "tf.data.Dataset.make_one_shot_iterator", False),
        # Every release has it, so the object is of another package.
        ("Sequential", "fit", "keras.Sequential.fit", True),
        # Attributes that a constructor sets, private ones, and classes of other packages.
        ("MultiHeadAttention", "num_heads", UNKNOWN, True),
        ("Functional", "loss", UNKNOWN, True),
        ("Functional", "_make_predict_function", UNKNOWN, True),
        ("DataFrame", "append", UNKNOWN, True),
        ("Dataset", "shufle", UNKNOWN, True),
        ("Trainer", "reset_states", UNKNOWN, True),
    ],
)
def test_a_member_that_an_object_lacks(kind: str, member: str, name: object, unexplained: bool) -> None:
    sheet = FactSheet()
    sheet.put("log.missing_member_of", kind, "given")
    sheet.put("log.missing_member", member, "given")
    derive(sheet, Tables(lambda name: {"releases": [], "newest": {}}))
    assert (sheet.get("derived.missing_name"), sheet.get("derived.member_unexplained")) == (name, unexplained)


def test_a_misspelt_method_is_corrected() -> None:
    assert _derived("keras.optimizers.SGD.apply_gradient")["instead"] == "keras.optimizers.SGD.apply_gradients"


def test_without_a_missing_name_nothing_is_said() -> None:
    sheet = FactSheet()
    sheet.put("log.name", "AUTOTUNE", "given")
    derive(sheet, Tables(lambda name: {}))
    assert not [path for path in sheet.values if path.startswith("derived.name_")]


@given(st.text(max_size=60))
def test_any_text_is_a_name_that_is_known_or_not(name: str) -> None:
    assert set(_derived(name)) == {"never_existed", "came_later", "is_gone", "instead"}
