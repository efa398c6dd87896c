"""Small wheels, made here, and the atlas that is built from them."""

import json
import pathlib
import zipfile

import pytest

from tfhelp.kb.atlas import build
from tfhelp.kb.atlas.atlas import Atlas
from tfhelp.kb.atlas.store import PATH

OLD_OPS = '''
class Bag:
    """A class with a method that raises."""

    def __init__(self, size, name=None):
        self.size = size

    def put(self, item, at=0):
        if at > self.size:
            raise ValueError("Cannot put %r into the bag at place %d, which holds only %s items." % (item, at, self.size))


def fold(x, axis=-1):
    if axis > 3:
        raise ValueError(f"`axis` must be smaller than four, got axis={axis} of shape {x.shape}.")
    return x


def empty(x):
    raise ValueError(f"Empty bag: {x!r}")
'''
NEW_OPS = OLD_OPS.replace("at=0", "at=0, *, careful=False") + "\n\ndef unfold(x, **kwargs):\n    return x\n"
ROOT = "from tensorflow._api.v2 import bags\nfrom tensorflow.python.ops import fold\n"
BAGS = "from tensorflow.python.ops import Bag\nfrom tensorflow.python.ops import Bag as Sack\n"
KERAS_OLD = {
    "keras/__init__.py": "",
    "keras/engine/__init__.py": "",
    "keras/layers/__init__.py": "from keras.engine.model import Dense\n",
    "keras/api/_v2/keras/__init__.py": "from keras.engine.model import Model\nfrom keras.api._v2.keras import layers\n",
    "keras/api/_v2/keras/layers/__init__.py": "from keras.engine.model import Dense\n",
    "keras/engine/model.py": "class Layer:\n    def call(self, x, training=None):\n        pass\n\n\nclass Dense(Layer):\n"
    "    def __init__(self, units):\n        pass\n\n\nclass Model:\n    def fit(self, x, workers=1):\n        pass\n",
}
KERAS_NEW = {
    "keras/__init__.py": "from keras import layers\nfrom keras.src.model import Model\n",
    "keras/layers/__init__.py": "from keras.src.model import Dense as Dense\n",
    "keras/_tf_keras/keras/__init__.py": "from keras import layers\nfrom keras.src.model import Model\n",
    "keras/src/model.py": "class Dense:\n    def __init__(self, units, *, lora=None):\n        pass\n\n\nclass Model:\n"
    "    def fit(self, x):\n        raise RuntimeError('You must call the compile method before this model is fitted.')\n",
}


def sources(cache: pathlib.Path, name: str, files: dict[str, str]) -> None:
    """The part of a wheel that the cache keeps."""
    with zipfile.ZipFile(cache / f"{name}.zip", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.comment = json.dumps({"wheel": f"{name}-py3-none-any.whl", "sha256": name.encode().hex()}).encode()


def tensorflow(ops: str, more: str = "") -> dict[str, str]:
    return {
        "tensorflow/__init__.py": "",
        "tensorflow/_api/v2/v2.py": ROOT + more,
        "tensorflow/_api/v2/bags/__init__.py": BAGS,
        "tensorflow/python/ops.py": ops,
    }


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with ``atlas.bin`` and ``releases.tsv`` of two releases of each package."""
    folder = tmp_path_factory.mktemp("atlas")
    sources(folder, "tensorflow-2.10.0", tensorflow(OLD_OPS))
    sources(folder, "tensorflow-2.16.0", tensorflow(NEW_OPS, "from tensorflow.python.ops import unfold\n"))
    sources(folder, "keras-2.10.0", KERAS_OLD)
    sources(folder, "keras-3.0.0", KERAS_NEW)
    releases = ("tensorflow\t2.10.0", "tensorflow\t2.16.0", "keras\t2.10.0", "keras\t3.0.0")
    lines = ["package\tversion\tpython\tproject\twheel\tsha256", *(f"{one}\t3.11\tnone\t\t" for one in releases), ""]
    (folder / "releases.tsv").write_text("\n".join(lines), encoding="utf-8")
    said: list[str] = []
    build.build(folder, folder / "atlas.bin", folder / "releases.tsv", said.append)
    return folder


@pytest.fixture(scope="session")
def small(made: pathlib.Path) -> Atlas:
    return Atlas(str(made / "atlas.bin"))


@pytest.fixture(scope="session")
def atlas() -> Atlas:
    """The atlas in the repository."""
    return Atlas(PATH)
