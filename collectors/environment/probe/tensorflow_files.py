"""TensorFlow's files, without importing them: their location, the build options, the libraries that it opens."""

import os
import re

from .findings import Findings, read_file


def read_tensorflow(findings: Findings, path: "list[str]") -> str:
    """``tensorflow.location`` and ``tensorflow.built_*``, from the text of the wheel's ``build_info.py``.

    Returns:
        the folder of the installed package, empty if there is none.
    """
    location = ""
    for folder in path:
        if folder and os.path.isfile(os.path.join(folder, "tensorflow", "__init__.py")):
            location = os.path.join(folder, "tensorflow")
            break
    findings.put("tensorflow.location", location or None, "sys.path")
    if not location:
        return ""
    text = read_file(os.path.join(location, "python", "platform", "build_info.py"))
    if not text:
        return location
    built = re.search(r"is_cuda_build'?\"?\s*[,:=]\s*(True|False)", text)
    if built:
        findings.put("tensorflow.cuda_build", built.group(1) == "True", "build_info.py")
    for name in ("cuda", "cudnn"):
        version = re.search(name + r"_version(?:_number)?'?\"?\s*[,:=]\s*['\"]([\d.]+)['\"]", text)
        findings.put(f"tensorflow.built_{name}_version", version.group(1) if version else None, "build_info.py")
    return location


def wanted_libraries(cuda: str, cudnn: str) -> "list[str]":
    """Sonames that a Linux build of TensorFlow opens at startup (``TryDlopenCUDALibraries`` in its dlopen_checker).

    The numbers after ``.so.`` are the sonames of NVIDIA's releases of the CUDA toolkit, 9.0 to 13.
    """
    numbers = [int(part) for part in cuda.split(".")[:2] if re.match(r"[0-9]{1,4}$", part)] + [0]
    major, minor = numbers[0], numbers[1] if len(numbers) > 1 else 0
    release = f"{major}.{minor}"
    if major >= 12:
        math = str(major - 1)
        versions = {
            "cudart": str(major),
            "cublas": str(major),
            "cublasLt": str(major),
            "cufft": math,
            "cusolver": math,
            "cusparse": "12",
        }
    elif major == 11:
        solver = "10" if minor == 0 else "11"
        versions = {"cudart": "11.0", "cublas": "11", "cublasLt": "11", "cufft": "10", "cusolver": solver, "cusparse": "11"}
    else:
        later = "10" if (major, minor) > (10, 0) else release
        versions = {"cudart": release, "cublas": later, "cufft": later, "cusolver": later, "cusparse": later}
    wanted = [f"lib{name}.so.{version}" for name, version in versions.items()]
    return wanted + ["libcudnn.so." + cudnn.partition(".")[0]] if cudnn else wanted
