"""A team's own knowledge: ten entries about a made-up training library, its launcher and its platform."""

import pathlib
import shutil
import typing

import pytest

from tfhelp.kb import compiled, private
from tfhelp.kb.overlay import OverlaidKnowledge
from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

HERE = pathlib.Path(__file__).parent
KB = HERE / "kb"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """One cache for all these tests: encoding takes seconds."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(cache: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFHELP_CACHE", str(cache))
    monkeypatch.delenv(private.VARIABLE, raising=False)


@pytest.fixture(scope="session")
def shipped() -> compiled.Knowledge:
    return compiled.load(compiled.PATH)


@pytest.fixture(scope="session")
def diagnoser(shipped: compiled.Knowledge, cache: pathlib.Path) -> typing.Iterator[Diagnoser]:
    """A diagnoser over shipped and private entries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TFHELP_CACHE", str(cache))
        yield over(shipped, KB)


@pytest.fixture
def team_kb(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the folder that a test may change."""
    return pathlib.Path(shutil.copytree(KB, tmp_path / "team-kb"))


def over(shipped: compiled.Knowledge, *folders: pathlib.Path, vectors: typing.Any = load_vectors) -> Diagnoser:
    parts = [private.part_of(str(folder), shipped) for folder in folders]
    return Diagnoser(OverlaidKnowledge(shipped, parts), vectors, warm=True)
