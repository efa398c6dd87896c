"""The output of reporting scripts: TensorFlow's ``tf_env_collect.sh``, PyTorch's ``collect_env``, ``transformers-cli env``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''== tensorflow import ============================================
... tf.version.VERSION = 2.10.0
... tf.version.GIT_VERSION = v2.10.0-rc3-6-g359c3cdfc5f
... Sanity check: <tf.Tensor: shape=(1,), dtype=int32>''')
{'packages.tensorflow': '2.10.0'}
>>> values_of(read, '''== are we in docker =============================================
... Yes''')
{'os.container': True}
>>> values_of(read, '''CUDA runtime version: 11.2.152
... cuDNN version: Probably one of the following:
... /usr/lib/x86_64-linux-gnu/libcudnn.so.8.1.1
... Nvidia driver version: 470.57.02
... Libc version: glibc-2.31
... GPU models and configuration: GPU 0: NVIDIA GeForce RTX 3090''')["driver.version"]
'470.57.02'
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import FORM, Statements

_SECTION = Pattern(r"^== ([a-z ]{3,40}?) =+\s*$")
_VERSION = Pattern(r"^\s{0,8}(?:- )?tf\.version\.VERSION = ([0-9][\w.+-]{2,30})\s*$", re.ASCII)
_TENSORFLOW = Pattern(r"^\s{0,8}- Tensorflow version \(GPU\?\): ([0-9][\w.]{2,20}) \((True|False)\)", re.ASCII)
_CUDA_RUNTIME = Pattern(r"^\s{0,8}CUDA runtime version: ([0-9]{1,2}\.[0-9]{1,3})", re.ASCII)
_CUDNN_FILE = Pattern(r"libcudnn(?:64)?\.so\.([0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2})\s*$", re.ASCII)
_DRIVER = Pattern(r"^\s{0,8}Nvidia driver version: ([0-9]{3}\.[0-9.]{1,12})\s*$", re.ASCII)
_LIBC = Pattern(r"^\s{0,8}Libc version: glibc-([0-9]\.[0-9]{1,2})\s*$", re.ASCII)
_MODELS = Pattern(r"GPU ([0-9]{1,3}): (.{2,60}?)\s*$", re.ASCII)
_CPU_MODEL = Pattern(r"^\s{0,8}[Mm]odel name\s{0,30}:\s{1,30}(\S.{3,100})$", re.ASCII)
_IMAGE = Pattern(r"(?<![\w.-])tensorflow/tensorflow:([0-9]{1,2}\.[0-9]{1,3}\.[0-9]{1,3}(?:rc[0-9])?)", re.ASCII)
_BITS = Pattern(r"^\s{0,8}architecture: \('(32|64)bit'", re.ASCII)
_LIBRARY_PATH = Pattern(r"^LD_LIBRARY_PATH (\S{1,1500})\s*$", re.ASCII)


@reads(
    words="""architecture check docker gpu hypervisor is ld_library_path libc libcudnn model models os runtime tensorflow
        version virtualenv""",
    signs=(
        "== ",
        "GPU 0: ",
        "GPU models",
        "tf.version.VERSION",
        "version (GPU?)",
        "runtime version",
        "driver version",
        "libcudnn",
        "Libc version",
        "odel name",
        "tensorflow/tensorflow:",
        "LD_LIBRARY_PATH ",
        "architecture: ",
    ),
    says=(
        "packages.*",
        "os.container",
        "os.glibc",
        "os.release",
        "os.name",
        "cuda.version",
        "cudnn.version",
        "driver.version",
        "gpus",
        "env.*",
        "host.cpu_model",
        "python.environment",
        "python.bits",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the facts of a report that other readers do not see in its individual lines."""
    gpus: dict[int, str] = {}
    last = 0
    for number in at:
        line = lines[number]
        if section := _SECTION.match(line):
            _section(section[1], lines, number, said)
        elif version := _VERSION.match(line):
            said.say("packages.tensorflow", version[1], number)
        elif tensorflow := _TENSORFLOW.match(line):
            said.say("packages.tensorflow", tensorflow[1], number)
        elif cudnn := (_CUDNN_FILE.search(line) if "libcudnn.so" in line else None):
            said.say("cudnn.version", cudnn[1], number)
        elif image := (_IMAGE.search(line) if "tensorflow/tensorflow:" in line else None):
            said.say("packages.tensorflow", image[1], number, FORM)
            said.say("os.container", True, number, FORM)
        elif bits := _BITS.match(line):
            said.say("python.bits", int(bits[1]), number)
        else:
            _field(line, number, said)
        if line.startswith(("GPU models and configuration", "GPU ")) and (model := _MODELS.search(line)):
            gpus[int(model[1])] = model[2].partition(" (UUID")[0]
            last = number
    if gpus:
        said.say("gpus", [{"name": gpus[index]} for index in sorted(gpus)], last)


def _field(line: str, number: int, said: Statements) -> None:
    for path, pattern in _FIELDS:
        if found := pattern.match(line):
            said.say(path, found[1].strip(), number)
            return


_FIELDS = (
    ("cuda.version", _CUDA_RUNTIME),
    ("driver.version", _DRIVER),
    ("os.glibc", _LIBC),
    ("host.cpu_model", _CPU_MODEL),
    ("env.LD_LIBRARY_PATH", _LIBRARY_PATH),
)


def _section(name: str, lines: Lines, number: int, said: Statements) -> None:
    """Sections of ``tf_env_collect.sh`` whose answer is one word on the next line."""
    answer = lines[number + 1].strip() if number + 1 < len(lines) else ""
    if name.startswith("are we in docker") and answer in ("Yes", "No"):
        said.say("os.container", answer == "Yes", number + 1)
    elif name.startswith("check for virtualenv") and answer == "True":
        said.say("python.environment", "venv", number + 1)
