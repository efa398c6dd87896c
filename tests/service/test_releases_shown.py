"""The releases in which a traceback is possible: what they decide if the text states no version."""

import typing

import pytest

from tfhelp.collectors.reading import read
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.service.diagnosis import text_evidence
from tfhelp.service.diagnosis.checks import evaluate
from tfhelp.service.diagnosis.releases_shown import put_releases

KERAS_2 = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    model.fit(x, y)
  File "/usr/lib/python3.9/site-packages/keras/utils/traceback_utils.py", line 67, in error_handler
    raise e.with_traceback(filtered_tb) from None
  File "/usr/lib/python3.9/site-packages/keras/engine/base_layer.py", line 1085, in __call__
    outputs = call_fn(inputs, *args, **kwargs)
ValueError: something of the program's own
"""
OWN = 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    go()\nValueError: no\n'


def shown(text: str, **known: str) -> FactSheet:
    sheet = FactSheet()
    for package, version in known.items():
        sheet.put(f"packages.{package}", version, "given")
    put_releases(read(text), sheet)
    return sheet


def test_frames_tell_the_releases() -> None:
    sheet = shown(KERAS_2)
    releases = sheet.get("log.keras_releases")
    assert isinstance(releases, str)
    assert releases.startswith("2.")
    assert sheet.source("log.keras_releases").startswith("frames of the text: keras/")
    assert sheet.get("log.tensorflow_releases") is UNKNOWN


def test_a_stated_version_is_enough() -> None:
    assert shown(KERAS_2, keras="2.9.0", tensorflow="2.9.1").values.keys() == {"packages.keras", "packages.tensorflow"}


@pytest.mark.parametrize(
    "text", ["", OWN, "RuntimeError: site-packages/keras", OWN.replace("train.py", "/x/site-packages/torch/a.py")]
)
def test_other_texts_tell_nothing(text: str) -> None:
    assert shown(text).values == {}


def test_two_runs_of_different_releases_tell_nothing() -> None:
    both = KERAS_2 + KERAS_2.replace("keras/utils/traceback_utils.py", "keras/src/utils/traceback_utils.py").replace(
        " 67,", " 122,"
    )
    assert shown(both).get("log.keras_releases") is UNKNOWN


def check(**wanted: typing.Any) -> typing.Any:
    return {"says": "TensorFlow is older than 2.16", "weight": "strong", "required": False, "decides": False, **wanted}


def test_a_check_names_the_releases_and_their_source() -> None:
    sheet = FactSheet()
    sheet.put("derived.tensorflow_releases", "2.4 to 2.8", "derived")
    sheet.put("log.tensorflow_releases", "2.4 to 2.8", "frames of the text: tensorflow/a.py line 3")
    found = evaluate(check(fact="packages.tensorflow", **{"is": {"version": "<2.16"}}), sheet, [])
    assert found.outcome == "holds"
    assert found.because == "TensorFlow is older than 2.16 (the frames of the traceback exist in TensorFlow 2.4 to 2.8 only)"
    assert found.source == "frames of the text: tensorflow/a.py line 3"
    assert evaluate(check(fact="packages.tensorflow", **{"is": {"version": ">=2.16"}}), sheet, []).outcome == "fails"
    assert evaluate(check(fact="packages.tensorflow", **{"is": {"version": ">=2.6"}}), sheet, []).outcome == "unknown"


@pytest.mark.parametrize(("here", "steps_back"), [("2.21.0", True), ("2.6.2", False)])
def test_facts_of_this_machine_step_back_where_the_frames_are_of_another(here: str, steps_back: bool) -> None:
    sheet, collected = FactSheet(), FactSheet()
    sheet.put("log.tensorflow_releases", "2.4 to 2.8", "frames of the text: tensorflow/a.py line 3")
    collected.put("packages.tensorflow", here, "collected")
    collected.put("driver.version", "535.1", "collected")
    text_evidence.add_collected(sheet, collected)
    assert (sheet.get("driver.version") is UNKNOWN) is steps_back
    if steps_back:
        assert sheet.lost[0][3].endswith("shows TensorFlow 2.4 to 2.8, this machine has 2.21: another machine")
