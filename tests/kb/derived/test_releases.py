"""Releases in which a text is possible: they replace a version that the text does not state."""

import pytest

from tfhelp.kb.derived import derive
from tfhelp.kb.derived.releases import ranged
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


def derived(**facts: str) -> FactSheet:
    """Facts by their paths, with two underscores for the dot."""
    sheet = FactSheet()
    for path, value in facts.items():
        sheet.put(path.replace("__", "."), value, "frames of the text: keras/a.py line 3")
    derive(sheet, Tables(lambda name: {"releases": [], "newest": {}}))
    return sheet


@pytest.mark.parametrize(
    ("facts", "tensorflow", "keras", "major"),
    [
        ({"log__tensorflow_releases": "2.4 to 2.8"}, "2.4 to 2.8", UNKNOWN, 2),
        ({"log__tensorflow_releases": "2.16 or later"}, "2.16 or later", UNKNOWN, 3),
        ({"log__tensorflow_releases": "2.12 to 2.18"}, "2.12 to 2.18", UNKNOWN, UNKNOWN),
        # Keras before 3 goes with TensorFlow of the same minor release; Keras 3 goes with many.
        ({"log__keras_releases": "2.9 to 2.11"}, "2.9 to 2.11", "2.9 to 2.11", 2),
        ({"log__keras_releases": "3.3 to 3.5"}, UNKNOWN, "3.3 to 3.5", 3),
        ({"log__keras_releases": "2.15 to 3.1"}, UNKNOWN, "2.15 to 3.1", UNKNOWN),
        ({"log__keras_releases": "2.18", "log__tensorflow_releases": "2.18"}, "2.18", "2.18", 2),
        # A missing name excludes the releases that have it.
        ({"log__missing_name": "tf.Session"}, "2.0 or later", UNKNOWN, UNKNOWN),
        ({"log__missing_name": "tf.data.AUTOTUNE"}, "2.3 or older", UNKNOWN, 2),
        ({"log__missing_name": "tf.constant"}, UNKNOWN, UNKNOWN, UNKNOWN),
        ({"log__missing_name": "tf.nowhere.at_all"}, UNKNOWN, UNKNOWN, UNKNOWN),
        ({"log__missing_name": "keras.ops.matmul"}, UNKNOWN, "2.15 or older", 2),
        ({}, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_what_is_known_of_the_releases(facts: dict[str, str], tensorflow: object, keras: object, major: object) -> None:
    sheet = derived(**facts)
    paths = "derived.tensorflow_releases", "derived.keras_releases", "derived.keras_major"
    assert tuple(map(sheet.get, paths)) == (tensorflow, keras, major)
    assert sheet.get("derived.tensorflow_version") is UNKNOWN


@pytest.mark.parametrize(
    ("path", "wanted", "holds"),
    [
        ("derived.tensorflow_version", {"version": "<2.16"}, True),
        ("packages.tensorflow", {"version": ">=2.16"}, False),
        ("packages.tensorflow", {"version": ">=2.6"}, None),
        ("packages.tensorflow", {"present": True}, None),
        ("packages.keras", {"version": ">=3"}, None),
        ("packages.numpy", {"version": "<2"}, None),
        ("derived.tensorflow_minor", "2.10", False),
        ("derived.tensorflow_minor", "2.6", None),
        ("derived.tensorflow_version", "2.10.1", False),
        ("derived.tensorflow_version", "nightly", None),
    ],
)
def test_a_version_check_by_releases(path: str, wanted: object, holds: bool | None) -> None:
    found = ranged(derived(log__tensorflow_releases="2.4 to 2.8"), path, wanted)
    assert (found and found.holds) is holds


def test_the_releases_are_named_with_their_source() -> None:
    found = ranged(derived(log__tensorflow_releases="2.4 to 2.8"), "packages.tensorflow", {"version": "<2.16"})
    assert found is not None
    assert found.because == "the frames of the traceback exist in TensorFlow 2.4 to 2.8 only"
    assert found.source == "frames of the text: keras/a.py line 3"
    by_keras = ranged(derived(log__keras_releases="2.9"), "packages.tensorflow", {"version": "<2.16"})
    assert by_keras is not None
    assert by_keras.because == "the frames of the traceback exist in Keras 2.9 only"
    by_name = ranged(
        derived(log__missing_name="tf.Session", log__keras_releases="3.3 to 3.5"), "packages.tensorflow", {"version": ">=2.0"}
    )
    assert by_name is not None
    assert by_name.because == "of all releases, only TensorFlow 2.0 or later lacks tf.Session"
