"""Installed packages: ``pip list``, ``pip freeze``, ``pip show``, ``pip install``, ``conda list``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "Successfully installed keras-2.10.0 six-1.16.0 tensorflow-gpu-2.10.0")
{'packages.keras': '2.10.0', 'packages.tensorflow-gpu': '2.10.0'}
>>> values_of(read, "Requirement already satisfied: numpy<2.0,>=1.23 in ./lib/python3.9/site-packages (from tensorflow) (1.26.4)")
{'packages.numpy': '1.26.4'}
>>> values_of(read, "Package       Version\\n------------- -------\\nml-dtypes     0.2.0\\npip           23.0.1")
{'packages.ml-dtypes': '0.2.0', 'python.pip_version': '23.0.1'}

Only packages that matter to TensorFlow are stated (a list of 300 would bury them). Names are written as the package index
normalises them: lower case and hyphens.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import FORM, Statements

_NAMES = frozenset(
    [
        "absl-py",
        "accelerate",
        "anaconda",
        "astunparse",
        "autokeras",
        "cudnn",
        "cudatoolkit",
        "cuda-toolkit",
        "cuda-nvcc",
        "datasets",
        "dm-tree",
        "flatbuffers",
        "gast",
        "google-pasta",
        "grpcio",
        "h5py",
        "horovod",
        "ipykernel",
        "jax",
        "jaxlib",
        "jupyter",
        "keras",
        "keras-applications",
        "keras-core",
        "keras-cv",
        "keras-hub",
        "keras-nightly",
        "keras-nlp",
        "keras-preprocessing",
        "keras-tuner",
        "libclang",
        "libclang-cpp",
        "matplotlib",
        "mkl",
        "ml-dtypes",
        "mpi4py",
        "namex",
        "notebook",
        "numba",
        "numpy",
        "onnx",
        "onnxruntime",
        "onnxruntime-gpu",
        "opencv-python",
        "opencv-python-headless",
        "openmpi",
        "opt-einsum",
        "optree",
        "pandas",
        "pillow",
        "pip",
        "protobuf",
        "python",
        "pyyaml",
        "ray",
        "safetensors",
        "scikit-image",
        "scikit-learn",
        "scipy",
        "sentencepiece",
        "setuptools",
        "spacy",
        "tb-nightly",
        "tensorboard",
        "tensorboardx",
        "tensorrt",
        "termcolor",
        "tf-agents",
        "tf-estimator-nightly",
        "tf-keras",
        "tf-keras-nightly",
        "tf-models-official",
        "tf-nightly",
        "tf-nightly-cpu",
        "tf-slim",
        "tf2onnx",
        "tfds-nightly",
        "theano",
        "tokenizers",
        "torch",
        "torchaudio",
        "torchvision",
        "transformers",
        "triton",
        "typing-extensions",
        "wheel",
        "wrapt",
        "xgboost",
    ]
)
_PREFIXES = ("tensorflow", "nvidia-", "tensorrt", "intel-", "jax-cuda", "torch-")

_VERSION = r"[0-9][\w.!+*-]{0,40}"
_FREEZE = Pattern(rf"^\s{{0,8}}(?:[+~] )?([A-Za-z0-9][\w.-]{{0,80}})==({_VERSION})\s{{0,4}}(?:[;#\\].{{0,200}})?$", re.ASCII)
_SATISFIED = Pattern(r"Requirement already (?:satisfied|up-to-date)[^:]{0,30}: ([A-Za-z0-9][\w.-]{0,80})", re.ASCII)
_IN_BRACKETS = Pattern(rf"\(({_VERSION})\)\s*$", re.ASCII)
_INSTALLED = Pattern(rf"^([A-Za-z0-9][\w.]{{0,80}}(?:-[A-Za-z][\w.]{{0,60}}){{0,6}})-({_VERSION})$", re.ASCII)
_ROW = Pattern(
    rf"^\s{{0,8}}\|?\s{{0,4}}([A-Za-z0-9][\w.-]{{0,80}})(?: {{1,80}}|\t{{1,4}})\(?({_VERSION})\)?(?:[,\s|].{{0,300}})?$", re.ASCII
)
_OLD_ROW = Pattern(rf"^([A-Za-z0-9][\w.-]{{0,80}}) \(({_VERSION})\)\s*$", re.ASCII)
_HEAD = Pattern(r"^\s{0,8}(?:#\s{1,4}Name|\|?\s{0,4}Package)\s{1,80}Version\b")
_SHOWN = Pattern(rf"^\s{{0,8}}Version:\s({_VERSION})\s*$", re.ASCII)
_LONGEST_LIST = 3000


@reads(
    words="""absl accelerate anaconda astunparse autokeras cuda cudatoolkit cudnn datasets dm flatbuffers gast google
        grpcio hpy horovod intel ipykernel jax jaxlib jupyter keras libclang matplotlib mkl ml ml_dtypes mpipy name namex
        notebook numba numpy nvidia onnx onnxruntime opencv openmpi opt optree package packages pandas pillow pip pips
        protobuf python pyyaml ray requirement safetensors scikit scipy sentencepiece setuptools spacy successfully tb
        tensorboard tensorboardx tensorflow tensorflow_cpu tensorflow_intel tensorrt termcolor tf tf_keras tfonnx tfds theano tokenizers torch torchaudio
        torchvision transformers triton typing wheel wrapt xgboost""",
    signs=(
        "==",
        "Version",
        "Successfully installed",
        "Requirement already",
        "environment at",
        "Name: ",
        "check pips",
        " (0.",
        " (1.",
        " (2.",
        " (3.",
        " (4.",
        " (5.",
        " (6.",
        " (7.",
        " (8.",
        " (9.",
    ),
    says=(
        "packages.*",
        "python.pip_version",
        "python.version",
        "python.environment",
        "cuda.version",
        "cudnn.version",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the versions of packages that matter to TensorFlow."""
    list_end = 0
    for number in at:
        if number < list_end:
            continue
        line = lines[number]
        if ("Version" in line and _HEAD.match(line)) or line.startswith("== check pips"):
            list_end = _table(lines, number + 1, said)
        elif "packages in environment at" in line:
            said.say("python.environment", "conda", number)
        elif "==" in line:
            # A requirements file has the same form, so this is weaker evidence than a list with a header.
            if freeze := _FREEZE.match(line):
                _say(freeze[1], freeze[2], number, said, FORM)
        elif "Requirement already" in line:
            _satisfied(line, number, said)
        elif "Successfully installed" in line:
            for word in line.partition("Successfully installed")[2].split()[:400]:
                if installed := _INSTALLED.match(word):
                    _say(installed[1], installed[2], number, said)
        elif line.startswith("Name: ") and number + 1 < len(lines):
            if shown := _SHOWN.match(lines[number + 1]):
                _say(line[6:].strip(), shown[1], number + 1, said)
        elif line.endswith(")") and (old := _OLD_ROW.match(line)):
            _say(old[1], old[2], number, said)


def _table(lines: Lines, start: int, said: Statements) -> int:
    """The rows under a header, up to a line that is not a row; return the position of that line."""
    number = start
    for number in range(start, min(start + _LONGEST_LIST, len(lines))):
        line = lines[number]
        row = _ROW.match(line)
        if row:
            _say(row[1], row[2], number, said)
        elif line.strip(" -=+|#\t") or (not line.strip() and number > start + 1):
            break
    return number


def _satisfied(line: str, number: int, said: Statements) -> None:
    name = _SATISFIED.search(line)
    version = _IN_BRACKETS.search(line[-60:])
    if name and version:
        _say(name[1], version[1], number, said)


def normalised(name: str) -> str:
    """``ml_dtypes`` and ``ml-dtypes`` are one package."""
    return re.sub(r"[-_.]{1,80}", "-", name).lower()


def _say(name: str, version: str, number: int, said: Statements, *rank: int) -> None:
    name = normalised(name)
    if name not in _NAMES and not name.startswith(_PREFIXES):
        return
    if name == "pip":
        said.say("python.pip_version", version, number, *rank)
    elif name == "python":
        said.say("python.version", version, number, *rank)
    else:
        said.say(f"packages.{name}", version, number, *rank)
        if name in ("cudatoolkit", "cuda-toolkit"):
            said.say("cuda.version", version, number, *rank)
        elif name == "cudnn":
            said.say("cudnn.version", version, number, *rank)
