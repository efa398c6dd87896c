"""Derived facts of a failed allocation: the length of the tensor's first axis, and how much of the card TensorFlow got."""

import typing

import pytest

from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


@pytest.mark.parametrize(
    ("facts", "path", "expected"),
    [
        ({"log.failed_shape": "54000,128,128,3"}, "derived.failed_leading_size", 54000),
        ({"log.failed_shape": "(32, 224, 224, 64)"}, "derived.failed_leading_size", 32),
        ({"log.failed_shape": "None,10"}, "derived.failed_leading_size", UNKNOWN),
        ({"log.failed_shape": ""}, "derived.failed_leading_size", UNKNOWN),
        ({"log.failed_shape": "a tensor"}, "derived.failed_leading_size", UNKNOWN),
        ({}, "derived.failed_leading_size", UNKNOWN),
        (
            {"log.gpu_device_memory_mib": 372.0, "gpus": [{"memory_total_mib": 8192.0}]},
            "derived.gpu_device_memory_share",
            0.045,
        ),
        ({"log.limit_mib": 7000.0, "gpus": [{"memory_total_mib": 8192.0}]}, "derived.gpu_device_memory_share", 0.854),
        ({"log.gpu_device_memory_mib": 9000.0, "gpus": [{"memory_total_mib": 8192.0}]}, "derived.gpu_device_memory_share", 1.0),
        ({"log.gpu_device_memory_mib": 372.0}, "derived.gpu_device_memory_share", UNKNOWN),
        ({"gpus": [{"memory_total_mib": 8192.0}]}, "derived.gpu_device_memory_share", UNKNOWN),
    ],
)
def test_failed_allocation(facts: dict[str, typing.Any], path: str, expected: typing.Any, tables: Tables) -> None:
    sheet = FactSheet()
    for name, value in facts.items():
        sheet.put(name, value, "given")
    derive(sheet, tables)
    assert sheet.get(path) == expected
