"""An argument that Python says a function does not take, looked up in the atlas."""

import pytest

from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


def _derived(function: str, argument: str, **packages: str) -> FactSheet:
    sheet = FactSheet()
    sheet.put("log.rejected_by", function, "given")
    sheet.put("log.rejected_argument", argument, "given")
    for package, version in packages.items():
        sheet.put(f"packages.{package}", version, "given")
    derive(sheet, Tables(lambda name: {}))
    return sheet


@pytest.mark.parametrize(
    ("function", "argument", "fault"),
    [
        ("EarlyStopping.__init__", "start_from_epoch", "came-later"),
        ("EarlyStopping", "start_from_epoch", "came-later"),
        ("plot_model", "show_trainable", "came-later"),
        ("function", "jit_compile", "came-later"),
        ("ModelCheckpoint.__init__", "period", "gone"),
        ("reduce_mean", "keep_dims", "gone"),
        ("Model.fit", "workers", "gone"),
        ("EarlyStopping.__init__", "patient", "misspelt"),
        ("pad_sequences", "maxlength", "misspelt"),
        # Other libraries have classes of the same names.
        ("ReduceLROnPlateau.__init__", "verbose", "other"),
        ("AdamW.__init__", "amsgrad", "other"),
        ("Adam.__init__", "learning_rate", "other"),
        ("EarlyStopping.__init__", "stopping_threshold", "other"),
        ("Linear.__init__", "units", "other"),
        # Up to version 3.9, Python leaves out the class of a method.
        ("from_generator", "output_signature", "came-later"),
        ("batch", "num_parallel_calls", "came-later"),
        ("batch", "num_parallel_cals", "other"),
        ("shuffle", "name", "other"),
        # Programs define methods of these names.
        ("fit", "workers", "other"),
        ("call", "training", "other"),
        ("build_model", "units", "other"),
    ],
)
def test_why_an_argument_is_rejected(function: str, argument: str, fault: str) -> None:
    assert _derived(function, argument).get("derived.argument_fault") == fault


def test_the_installed_release_decides() -> None:
    rejected = ("EarlyStopping.__init__", "start_from_epoch")
    assert _derived(*rejected, keras="2.8.0").get("derived.argument_fault") == "came-later"
    assert _derived(*rejected, keras="3.15.0").get("derived.argument_fault") == "other"


def test_what_the_answer_says_of_a_rejected_argument() -> None:
    sheet = _derived("EarlyStopping.__init__", "start_from_epoch")
    assert sheet.get("derived.argument_of") == "keras.callbacks.EarlyStopping"
    assert str(sheet.get("derived.argument_releases")).startswith("Keras 2.11 to 3.")
    assert _derived("reduce_mean", "keep_dims").get("derived.argument_instead") == "keepdims"
    assert _derived("EarlyStopping.__init__", "patient").get("derived.argument_instead") == "patience"
    removed = _derived("ModelCheckpoint.__init__", "period")
    assert removed.get("derived.argument_releases") == "releases before Keras 3.0"
    assert "save_freq" in str(removed.get("derived.argument_advice"))
    assert _derived("build_model", "units").get("derived.argument_of") is UNKNOWN
