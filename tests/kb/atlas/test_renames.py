"""The table of renames: the old and the new name of every row are checked against the atlas."""

import pytest

from tfhelp.kb.atlas import instead, renames
from tfhelp.kb.atlas.at_release import At
from tfhelp.kb.atlas.atlas import Atlas, shared

ROWS = renames.rows()
IDS = [row.old for row in ROWS]
UNSEEN = ("tf.flags", "tf.app.flags")
"""Modules that a program makes when it is imported, so that the sources do not show their names."""
LEGACY = ("tf.compat.v1.nn.rnn_cell.", "tf.compat.v1.layers.")
"""There where tf.keras is Keras 2."""
HEIR = {
    "keras.Model.predict_classes": "keras.Sequential.predict_classes",
    "keras.Model.predict_proba": "keras.Sequential.predict_proba",
}


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return shared()


def _was_there(atlas: Atlas, row: renames.Row, name: str) -> bool:
    """Whether a release before the row's has the name; a module inside Keras shows no names, so it decides nothing."""
    _, since = row.since
    since = (2, 16) if since >= (3,) else since
    for version in atlas.releases("tensorflow"):
        at = At(atlas, version)
        minor = tuple(int(part) for part in version.split(".")[:2])
        if minor < since and any(at.has(spelled) is not False for spelled in (name, f"tf.{name}")):
            return True
    return False


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_what_is_old_is_gone_and_was_there(row: renames.Row, atlas: Atlas) -> None:
    name, _, argument = row.old.removesuffix(")").partition("(")
    plain = HEIR.get(name, name).removesuffix(".*")
    newest = instead.newest(atlas)
    if argument:
        _check_argument(row, plain, argument, atlas)
        return
    if row.how == "raises":
        assert newest.has(f"tf.{plain}")
        return
    assert newest.has(plain) is False
    assert newest.gone(plain) is not None
    if not plain.startswith((*UNSEEN, "tf.contrib")):
        assert _was_there(atlas, row, plain)


def _check_argument(row: renames.Row, name: str, argument: str, atlas: Atlas) -> None:
    """No release after the row's names the argument; at a place with many functions, one of them did take it."""
    newest = instead.newest(atlas)
    if name.startswith("*") or atlas.lookup(name) is None or (not atlas.is_class(name) and not newest.has(name)):
        inside = [one for one in ("Adam", "Nadam", "SGD", "LSTM", "BatchNormalization", "Dense") if newest.has(f"{name}.{one}")]
        takes = [newest.takes(f"{name}.{one}", argument) for one in inside]
        assert row.how == "ignored" or all(taken is False for taken in takes)
        return
    if row.new != argument and row.how != "ignored":
        assert newest.takes(name, argument) is not True
    if row.new and newest.has(name):
        assert newest.takes(name, row.new) is not False


@pytest.mark.parametrize("row", [row for row in ROWS if row.new and "(" not in row.old], ids=lambda row: row.old)
def test_what_is_new_is_there(row: renames.Row, atlas: Atlas) -> None:
    if row.package or row.new.startswith("tf.compat.v1.flags"):
        return
    new = row.new.removesuffix(".*")
    if f"{new}.".startswith(LEGACY):
        assert At(atlas, atlas.releases("tensorflow")[-1], legacy=True).has(new)
    else:
        assert instead.newest(atlas).has(new) is True


def test_rows_are_of_one_form() -> None:
    assert len({row.old for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.since[0] in ("tensorflow", "keras"), row
        assert row.how in ("", "raises", "ignored"), row
        assert row.source, row
        assert not row.says or row.says.endswith("."), row
        assert row.edit != "rename" or row.new, row
        assert not (row.edit == "drop" and row.new), row


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("tf.keras.layers.experimental.preprocessing.Normalization", "tf.keras.layers.Normalization"),
        ("keras.utils.np_utils.to_categorical", "keras.utils.to_categorical"),
        ("tf.contrib.slim.conv2d", "tf_slim.conv2d"),
        ("tf.keras.optimizers.legacy.Adam", "tf.keras.optimizers.Adam"),
        ("keras.Sequential.fit_generator", "keras.Model.fit"),
        ("tf.flags.DEFINE_string", "tf.compat.v1.flags.DEFINE_string"),
        ("tf.optimizers.Adam.lr", "tf.keras.optimizers.Optimizer.learning_rate"),
    ],
)
def test_a_name_finds_its_row(name: str, new: str) -> None:
    row = renames.of_name(name)
    assert row is not None
    assert row.new_of(name) == new


def test_an_argument_finds_its_row() -> None:
    for name in ("tf.keras.optimizers.Adam", "keras.optimizers.SGD", "tf.optimizers.Nadam"):
        row = renames.of_argument(name, "lr")
        assert row is not None
        assert row.new == "learning_rate"
    assert renames.of_argument("tf.keras.layers.Dense", "lr") is None
    assert renames.of_argument("tf.keras.models.Sequential.fit", "workers") is not None
