import pathlib

import pytest

from tests.index.sentences import SENTENCES
from tfhelp.index.encoder import Encoder


@pytest.fixture(scope="session")
def built_folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with encoder and index, built over the tests' own sentences from the packaged weights (some 20 seconds)."""
    from tfhelp.index.build import bring_up_to_date

    folder = tmp_path_factory.mktemp("artefacts")
    bring_up_to_date(SENTENCES, "knowledge-1", str(folder))
    return folder


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The encoder that `make index` exported."""
    return Encoder.load()
