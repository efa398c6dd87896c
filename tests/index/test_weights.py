"""The encoder is built only from weights with known digests."""

import pathlib
import shutil

import pytest

from tfhelp.index.sentence_encoder import default_model_folder
from tfhelp.index.weights import DIGESTS, check_weights
from tfhelp.kb.build_products import ArtefactError


def test_the_installed_weights_are_the_models() -> None:
    check_weights(pathlib.Path(default_model_folder()))


def test_other_weights_are_refused(tmp_path: pathlib.Path) -> None:
    for name in DIGESTS:
        shutil.copy(pathlib.Path(default_model_folder()) / name, tmp_path / name)
    with (tmp_path / "model.safetensors").open("r+b") as stream:
        stream.seek(-1, 2)
        last = stream.read(1)
        stream.seek(-1, 2)
        stream.write(bytes([last[0] ^ 1]))
    with pytest.raises(ArtefactError, match=r"model\.safetensors: not the file of all-MiniLM-L6-v2"):
        check_weights(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ArtefactError, match="No such file"):
        check_weights(tmp_path)
