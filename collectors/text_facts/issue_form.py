"""The fields of issue forms and of a script's own report: ``TensorFlow version: 2.10``, ``### Python version`` and a value below.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "- CUDA/cuDNN version: 11.2/8.1\\n- GPU model and memory: NVIDIA GeForce RTX 3090 24GB")
{'cuda.version': '11.2', 'cudnn.version': '8.1', 'gpus': [{'name': 'NVIDIA GeForce RTX 3090', 'memory_total_mib': 24576.0}]}
>>> values_of(read, "### TensorFlow version\\n\\n2.10\\n\\n### Python version\\n\\n_No response_")
{'packages.tensorflow': '2.10'}
>>> values_of(read, "* OS Platform and Distribution (e.g., Linux Ubuntu 16.04): Windows 11")
{'os.name': 'windows', 'os.release': 'Windows 11'}
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.hardware_names import gpu_name, operating_system
from tfhelp.collectors.text_facts.reader import OF_A_MACHINE, Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import FORM, Statements

_FIELD = Pattern(
    r"^[\s>*•#`|-]{0,12}(?:\[x\] )?\**([A-Za-z][\w /&.,+-]{1,70}?)\s{0,3}(?:\([^)]{0,160}\)\s{0,3})?(?:version\s{0,3})?\**\s{0,4}(?:[:=|]|\s-\s)\s{0,4}\**\s{0,8}(\S.{0,200})$",
    re.ASCII | re.IGNORECASE,
)
_HEADING = Pattern(r"^\s{0,3}(?:#{1,6}\s{1,3}|\*\*)([A-Za-z][\w /&.,+()-]{1,70}?)[:*\s]{0,6}$", re.ASCII)
_VERSION = Pattern(
    r"(?<![\w.])v?([0-9]{1,4}(?:\.[0-9]{1,4}){1,3}(?:[-.]?(?:rc|dev|alpha|beta|a|b|post)[-.]?[0-9]{0,8})?)(?![\w]|\.[0-9])",
    re.ASCII,
)
_WHOLE = Pattern(r"^v?([0-9]{1,2})\s*$", re.ASCII)
_DISTRIBUTION = Pattern(
    r"\b(tensorflow-(?:gpu|cpu|intel|macos|rocm|directml)|tf-nightly(?:-gpu|-cpu)?)\b", re.ASCII | re.IGNORECASE
)
_BOTH = Pattern(
    r"^\D{0,8}([0-9]{1,2}(?:\.[0-9]{1,3}){0,2})\s{0,3}(?:[/,;&+|]|and)\s{0,3}v?([4-9](?:\.[0-9]{1,3}){0,3})\D{0,20}$", re.ASCII
)
# The name of an archive has the CUDA version before cuDNN's: cudnn-11.2-windows-x64-v8.1.0.77.
_CUDNN_ARCHIVE = Pattern(r"cudnn-\S{0,40}-v([0-9]{1,2}(?:\.[0-9]{1,3}){1,3})", re.ASCII | re.IGNORECASE)
_CUDNN_PART = Pattern(r"cudnn[^0-9]{0,20}([0-9]{1,2}(?:\.[0-9]{1,3}){0,3})", re.ASCII | re.IGNORECASE)
_CUDA_PART = Pattern(r"cuda[^0-9]{0,20}([0-9]{1,2}(?:\.[0-9]{1,3}){0,2})", re.ASCII | re.IGNORECASE)
_MEMORY = Pattern(r"\b([0-9]{1,4}(?:\.[0-9]{1,2})?) ?(GB|GiB|G|MB|MiB)\b", re.IGNORECASE)
_NONE = Pattern(r"^(?:n\.?/?a\.?|none|no|-+|unknown|_no response_|not? .{0,40}|\?+|x+)[\s.]*$", re.IGNORECASE)
_PACKAGES = frozenset(
    ("tensorflow", "keras", "numpy", "protobuf", "torch", "pytorch", "transformers", "h5py", "pandas", "scipy", "tf-keras", "jax")
)


@reads(
    words="""cuda cudnn distribution driver gpu gpus graphics h installed keras memory model numpy operating os platform
        protobuf python ram system tensorflow tf torch transformers version versions""",
    says=(*OF_A_MACHINE, "log.installed_from"),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State what a form's fields contain, with the rank of a form."""
    for number in at:
        line = lines[number]
        # Log lines and traceback frames are not form fields, although they contain colons.
        if len(line) > 400 or ".cc:" in line or 'File "' in line:
            continue
        if heading := _HEADING.match(line):
            value, where = _below(lines, number)
            if value:
                _field(heading[1], value, where, said)
        elif field := _FIELD.match(line):
            _field(field[1], field[2], number, said)


def _below(lines: Lines, number: int) -> tuple[str, int]:
    """A heading's value: the next line that is not empty and not a heading itself."""
    for where in range(number + 1, min(number + 5, len(lines))):
        text = lines[where].strip().strip("`*")
        if text.startswith("#"):
            break
        if text:
            return text[:200], where
    return "", number


def _field(name: str, value: str, number: int, said: Statements) -> None:
    value = value.strip().strip("`*\"', |")
    if not value or _NONE.match(value):
        return
    key = name.lower().replace("`", "").strip(" -_*:.")
    for suffix in (" version", "_version", " versions", " used", " release", " ver"):
        key = key.removesuffix(suffix)
    key = key.removeprefix("nvidia ").removeprefix("installed ").replace("_", " ").strip()
    handler = _HANDLERS.get(key) or next((made for start, made in _STARTS if key.startswith(start)), None)
    if handler:
        handler(value, number, said)
    elif key in _PACKAGES and (version := version_in(value)):
        said.say(f"packages.{key.replace('pytorch', 'torch')}", version, number, FORM)


def version_in(value: str) -> str | None:
    """The version in a field's value; in the form's own output ``v2.10.0-rc3-6-g359c3c 2.10.0``, the second."""
    found = _VERSION.findall(value[:120])
    return found[-1] if found and value.startswith("v") and " " in value else found[0] if found else None


def _tensorflow(value: str, number: int, said: Statements) -> None:
    version = version_in(value)
    if version:
        distribution = _DISTRIBUTION.search(value)
        said.say(f"packages.{distribution[1].lower() if distribution else 'tensorflow'}", version, number, FORM)


def _python(value: str, number: int, said: Statements) -> None:
    if version := version_in(value):
        said.say("python.version", version, number, FORM)


def _cuda(value: str, number: int, said: Statements) -> None:
    cudnn = _CUDNN_ARCHIVE.search(value) or _CUDNN_PART.search(value)
    if cudnn:
        said.say("cudnn.version", cudnn[1], number, FORM)
        value = value[: cudnn.start()]
    cuda = _CUDA_PART.search(value) or _VERSION.search(value) or _WHOLE.match(value)
    if cuda:
        said.say("cuda.version", cuda[1], number, FORM)


def _cuda_and_cudnn(value: str, number: int, said: Statements) -> None:
    """``11.2/8.1``, ``CUDA 11.2, cuDNN 8.1``, ``10.1 / 7.6.5``."""
    if "cudnn" in value.lower():
        _cuda(value, number, said)
        return
    if both := _BOTH.match(value):
        said.say("cuda.version", both[1], number, FORM)
        said.say("cudnn.version", both[2], number, FORM)
    else:
        _cuda(value, number, said)


def _cudnn(value: str, number: int, said: Statements) -> None:
    version = _VERSION.search(value) or _WHOLE.match(value)
    if version:
        said.say("cudnn.version", version[1], number, FORM)


def _driver(value: str, number: int, said: Statements) -> None:
    version = version_in(value)
    if version:
        said.say("driver.version", version, number, FORM)


def _gpu(value: str, number: int, said: Statements) -> None:
    name = gpu_name(value)
    if not name:
        return
    gpu: dict[str, typing.Any] = {"name": name[0]}
    memory = _MEMORY.search(value)
    amount = mib(memory[1], memory[2]) if memory else None
    if amount and amount >= 1024:
        gpu["memory_total_mib"] = amount
    said.say("gpus", [dict(gpu) for _ in range(name[1])], number, FORM)


def _system(value: str, number: int, said: Statements) -> None:
    for path, fact in operating_system(value):
        said.say(path, fact, number, FORM)


def _memory(value: str, number: int, said: Statements) -> None:
    memory = _MEMORY.search(value)
    amount = mib(memory[1], memory[2]) if memory else None
    if amount and amount >= 512:
        said.say("host.memory_total_mib", amount, number, FORM)


def _installed_from(value: str, number: int, said: Statements) -> None:
    word = value.lower()
    if word.startswith(("source", "built from source", "compiled")):
        said.say("log.installed_from", "source", number, FORM)
    elif word.startswith(("binary", "pip", "conda", "wheel", "docker")):
        said.say("log.installed_from", "binary", number, FORM)


_Handler = typing.Callable[[str, int, Statements], None]
_HANDLERS: dict[str, _Handler] = {
    "tensorflow": _tensorflow,
    "tf": _tensorflow,
    "tensorflow-gpu": lambda value, number, said: _tensorflow(f"tensorflow-gpu {value}", number, said),
    "python": _python,
    "cuda": _cuda,
    "cuda toolkit": _cuda,
    "cudnn": _cudnn,
    "driver": _driver,
    "gpu driver": _driver,
    "graphics driver": _driver,
    "gpu": _gpu,
    "gpus": _gpu,
    "graphics card": _gpu,
    "os": _system,
    "operating system": _system,
    "platform": _system,
    "system": _system,
    "ram": _memory,
    "system memory": _memory,
    "memory": _memory,
    "total memory": _memory,
}
_STARTS: tuple[tuple[str, _Handler], ...] = (
    ("cuda/cudnn", _cuda_and_cudnn),
    ("cuda / cudnn", _cuda_and_cudnn),
    ("cuda and cudnn", _cuda_and_cudnn),
    ("cuda & cudnn", _cuda_and_cudnn),
    ("gpu model", _gpu),
    ("gpu name", _gpu),
    ("os platform", _system),
    ("os/platform", _system),
    ("tensorflow installed from", _installed_from),
    ("tensorflow installed", _installed_from),
)
