"""What a message of Python means by the function that it names."""

import pytest

from tfhelp.kb.atlas.atlas import shared
from tfhelp.kb.atlas.called import functions


@pytest.mark.parametrize(
    ("called", "source", "first"),
    [
        ("EarlyStopping.__init__", "", "keras.callbacks.EarlyStopping"),
        ("__init__", "stop = EarlyStopping(patient=3)", "keras.callbacks.EarlyStopping"),
        ("Functional.fit", "", "keras.Model.fit"),
        ("MapDataset.batch", "", "tf.data.Dataset.batch"),
        ("DatasetV2.map", "", "tf.data.Dataset.map"),
        ("TFRecordDataset.__init__", "", "tf.data.TFRecordDataset"),
        ("reduce_mean_v1", "", "tf.reduce_mean"),
    ],
)
def test_the_best_known_name_comes_first(called: str, source: str, first: str) -> None:
    assert functions(shared(), called, source)[0] == first


def test_a_class_of_another_package_is_none_of_ours() -> None:
    assert functions(shared(), "DataLoader.__init__", "") == []
    assert functions(shared(), "__init__", "loader = DataLoader(data, num_worker=2)") == []
