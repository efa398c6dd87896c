"""CUDA, cuDNN and driver versions, and libraries that could not be loaded, as TensorFlow's log and ``nvcc`` print them.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "Loaded cuDNN version 8907")["cudnn.version"], values_of(read, "Loaded cuDNN version 90300")["cudnn.version"]
('8.9.7', '9.3.0')
>>> values_of(read, "Cuda compilation tools, release 11.2, V11.2.152")["cuda.version"]
'11.2'
>>> values_of(read, "Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file")
{'log.missing_library': 'libcudnn.so.8', 'cuda.missing_libraries': ['libcudnn.so.8']}
>>> values_of(read, "Could not load dynamic library 'libcudnn.so.8'; LD_LIBRARY_PATH: /usr/lib64")["env.LD_LIBRARY_PATH"]
'/usr/lib64'
>>> values_of(read, "kernel version 390.77.0 does not match DSO version 390.87.0 -- cannot find working devices")["driver.version"]
'390.77.0'
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_NUMBER = r"([0-9]{1,4}(?:\.[0-9]{1,4}){1,3})"
_LOADED_CUDNN = Pattern(r"Loaded cuDNN version ([0-9]{4,6})\b", re.ASCII)
_RUNTIME_CUDNN = Pattern(
    r"Loaded runtime CuDNN library: ([0-9.]{1,12})(?: \(compatibility version [0-9]{1,6}\))? but source was compiled with:? ([0-9.]{1,12})",
    re.ASCII,
)
_NVCC = Pattern(r"Cuda compilation tools, release ([0-9]{1,2}\.[0-9]{1,2})", re.ASCII)
_OPENED = Pattern(r"pened (?:dynamic|CUDA) library (\S{4,60})", re.ASCII)
_UNIX_LIBRARY = Pattern(r"lib(cudart|cudnn|cublas)\S{0,20}?\.so\.([0-9]{1,2}(?:\.[0-9]{1,2})?)", re.ASCII)
_NOT_LOADED = Pattern(
    r"(?:Could not load (?:dynamic )?library|Could not find|couldn't open CUDA library)\s{1,3}'?([\w.+-]{3,60}?(?:\.so[\w.]{0,12}|\.dll|\.dylib))\b",
    re.ASCII,
)
_CANNOT_OPEN = Pattern(r"([\w+.-]{3,60}\.so[\w.]{0,12}): cannot open shared object file", re.ASCII)
_LIBRARY_PATH = Pattern(r"LD_LIBRARY_PATH: (\S{1,2000})", re.ASCII)
_MISMATCH = Pattern(rf"kernel version {_NUMBER} does not match DSO version {_NUMBER}", re.ASCII)
_REPORTED = Pattern(rf"(libcuda|kernel) (?:driver )?(?:reported )?version is: {_NUMBER}", re.ASCII)
_NVRM = Pattern(rf"Kernel Module(?: for x86_64)?\s{{1,4}}{_NUMBER}", re.ASCII)
_NVML = Pattern(rf"NVML library version: {_NUMBER}", re.ASCII)
_BUILD_INFO = Pattern(r"'cudnn_version'(?:, |: )'([0-9.]{1,8})'", re.ASCII)


@reads(
    words="""compilation could cuda_version cudnn cudnn_version devices dlerror dll driver dso gpus handle libcuda nvcc
        nvml nvrm opened reported shared""",
    says=(
        "cuda.version",
        "cuda.runtime_file",
        "cuda.missing_libraries",
        "cudnn.version",
        "cudnn.runtime_file",
        "driver.version",
        "driver.library_version",
        "driver.state",
        "log.loaded_cudnn",
        "log.compiled_cudnn",
        "log.missing_library",
        "log.kernel_version",
        "log.library_version",
        "env.*",
        "gpus",
        "tensorflow.built_cudnn_version",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the versions that were loaded, and the libraries that could not be loaded."""
    missing: list[str] = []
    last = 0
    for number in at:
        line = lines[number]
        if "udnn" in line.lower():
            _cudnn(line, number, said)
        _toolkit(line, number, said)
        _driver(line, number, said)
        library = _missing(line)
        if library:
            said.say("log.missing_library", library, number)
            last = number
            if library not in missing:
                missing.append(library)
            if path := _LIBRARY_PATH.search(line):
                said.say("env.LD_LIBRARY_PATH", path[1], number)
    if any(_is_of_cuda(library) for library in missing):
        said.say("cuda.missing_libraries", [library for library in missing if _is_of_cuda(library)], last)


def cudnn_version(number: str) -> str:
    """``8907`` is 8.9.7, ``90300`` is 9.3.0 (CUDNN_VERSION: since cuDNN 9 the major counts 10,000); any other form as written."""
    if "." in number or not number.isdigit() or len(number) < 4:
        return number
    value = int(number)
    major, rest = divmod(value, 10000 if value >= 10000 else 1000)
    return f"{major}.{rest // 100}.{rest % 100}"


def _cudnn(line: str, number: int, said: Statements) -> None:
    if loaded := _LOADED_CUDNN.search(line):
        version = cudnn_version(loaded[1])
        said.say("cudnn.version", version, number)
        said.say("log.loaded_cudnn", version, number)
    elif both := _RUNTIME_CUDNN.search(line):
        version = cudnn_version(both[1].rstrip("."))
        said.say("cudnn.version", version, number)
        said.say("log.loaded_cudnn", version, number)
        said.say("log.compiled_cudnn", cudnn_version(both[2].rstrip(".")), number)
    elif built := _BUILD_INFO.search(line):
        said.say("tensorflow.built_cudnn_version", built[1], number)


def _toolkit(line: str, number: int, said: Statements) -> None:
    if release := _NVCC.search(line):
        said.say("cuda.version", release[1], number)
        return
    opened = _OPENED.search(line)
    library = _UNIX_LIBRARY.search(opened[1]) if opened else None
    if not opened or not library:
        return
    if library[1] == "cudnn":
        said.say("cudnn.runtime_file", opened[1], number)
    elif library[1] == "cudart":
        said.say("cuda.runtime_file", opened[1], number)
    # Up to 10.2 the soname is the release; libcudart.so.11.0 is the name in all of CUDA 11, so it shows no release.
    if library[1] != "cudnn" and "." in library[2] and float(library[2]) < 11:
        said.say("cuda.version", library[2], number)


def _missing(line: str) -> str | None:
    found = _NOT_LOADED.search(line) or (_CANNOT_OPEN.search(line) if "cannot open shared" in line else None)
    return found[1] if found else None


def _is_of_cuda(library: str) -> bool:
    return library.removeprefix("lib").startswith(("cu", "nv", "nccl"))


def _driver(line: str, number: int, said: Statements) -> None:
    if both := _MISMATCH.search(line):
        said.say("driver.version", both[1], number)
        said.say("log.kernel_version", both[1], number)
        said.say("driver.library_version", both[2], number)
        said.say("log.library_version", both[2], number)
    elif reported := _REPORTED.search(line):
        if reported[1] == "kernel":
            said.say("driver.version", reported[2], number)
            said.say("log.kernel_version", reported[2], number)
        else:
            said.say("driver.library_version", reported[2], number)
            said.say("log.library_version", reported[2], number)
    elif module := (_NVRM.search(line) if "Kernel Module" in line else None):
        said.say("driver.version", module[1], number)
        said.say("log.kernel_version", module[1], number)
    elif library := _NVML.search(line):
        said.say("driver.library_version", library[1], number)
        said.say("log.library_version", library[1], number)
    _driver_state(line, number, said)


def _driver_state(line: str, number: int, said: Statements) -> None:
    """The state that nvidia-smi reports when it cannot answer."""
    if "river/library version mismatch" in line:
        said.say("driver.state", "mismatch", number)
    elif "couldn't communicate with the NVIDIA driver" in line:
        said.say("driver.state", "absent", number)
    elif "Failed to initialize NVML: Insufficient Permissions" in line:
        said.say("driver.state", "not-permitted", number)
    elif "GPU is lost" in line:
        said.say("driver.state", "gpu-lost", number)
    elif line.strip() == "No devices were found":
        said.say("gpus", [], number)
