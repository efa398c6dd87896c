"""The quick look before the pattern must not hide any name from it."""

import pytest

from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.record import Record
from tfhelp.service import framework

NAMES = [
    *("torch", "pytorch", "libtorch", "jaxlib", "caffe2", "PaddlePaddle", "onnxruntime", "vllm", "llama.cpp", "Ollama"),
    *("node.js", "NodeJS", "npm", "PostgreSQL", "sqlite3", "mongodb", "docker-compose", "horovod.torch", "comfyui", "Apex"),
]


def share(text: str) -> float:
    return framework.foreign_share([Record("output", text, 1, 1)], FactSheet())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_other_software_is_seen(name: str) -> None:
    assert share(f"an error of {name} in the middle") == 1.0


def test_tensorflow_beside_it_counts() -> None:
    assert share("tensorflow and torch") == pytest.approx(1 / 3)
    assert share("tensorflow alone, node and mxne") == 0.0
