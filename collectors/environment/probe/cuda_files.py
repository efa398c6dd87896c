"""Which CUDA libraries, which ptxas and which libdevice TensorFlow would get."""

import os
import re
import sys

from .findings import Findings, names_in, read_file
from .loader_path import LIBRARIES, LoaderPath
from .tensorflow_files import wanted_libraries


def read_cuda(findings: Findings, path: "list[str]", tensorflow: str, working_folder: str) -> "list[list[str]]":
    """``cuda.*``: which libraries TensorFlow would get. Facts that only loading can show are left to the plan.

    Returns:
        the plan: [soname, file] of each library to load in a separate process (``load``).
    """
    if sys.platform == "win32":
        _read_cuda_on_windows(findings, tensorflow)
        return []
    if not sys.platform.startswith("linux"):
        return []
    loader = LoaderPath(tensorflow)
    wanted = []
    if findings.values.get("tensorflow.cuda_build"):
        cuda, cudnn = findings.values.get("tensorflow.built_cuda_version"), findings.values.get("tensorflow.built_cudnn_version")
        wanted = wanted_libraries(str(cuda), str(cudnn or "")) if cuda else []
    chosen = {}
    for family in LIBRARIES:
        # If the wanted release is missing, a different one may be there: that is worth reporting.
        for name in [name for name in wanted if name.startswith(family + ".")] + loader.sonames(family):
            files = loader.files(name)
            if files:
                chosen[name] = files[0]
                break
    source = "; cannot read ".join(["loader's path"] + loader.unreadable)
    if wanted:
        missing = [name for name in wanted if name not in chosen]
        findings.put("cuda.missing_libraries", missing, source)
        findings.put("cuda.unreached_folder", _unreached_folder(missing, path), "known folders")
    findings.put("cuda.libraries", sorted(chosen.values()), source)
    findings.put("cuda.duplicate_libraries", [name for name in sorted(chosen) if len(loader.files(name)) > 1], source)
    driver = loader.files("libcuda.so.1") or loader.files("libcuda.so")
    # The toolkit ships a stub to link against; it loads, and finds no device.
    stub = "stubs" in os.path.realpath(driver[0]).split("/") if driver else None
    findings.put("cuda.stub_driver", stub, driver[0] if driver else source)
    _read_compiler(findings, tensorflow, working_folder)
    return [[name, chosen[name]] for name in chosen if name in wanted or name.startswith(("libcudart.", "libcudnn."))]


def _unreached_folder(missing: "list[str]", path: "list[str]") -> "str | None":
    """A folder that holds a missing library but is not searched by the loader."""
    if not missing:
        return None
    folders = [os.path.join(root, part) for root in _cuda_roots() for part in ("lib64", "lib", "targets/x86_64-linux/lib")]
    folders.append(os.path.join(sys.prefix, "lib"))
    for folder in path:
        wheels = os.path.join(folder, "nvidia")
        folders += [os.path.join(wheels, name, "lib") for name in names_in(wheels)]
    for folder in folders:
        if any(os.path.exists(os.path.join(folder, name)) for name in missing):
            return folder
    return None


def _cuda_roots() -> "list[str]":
    """Folders of CUDA toolkits: XLA's flag, the usual variables, and the folders under /usr/local."""
    given = re.search(r"--xla_gpu_cuda_data_dir=(\S+)", os.environ.get("XLA_FLAGS", ""))
    roots = [given.group(1).strip("\"'")] if given else []
    roots += [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_DIR") if os.environ.get(name)]
    roots.append("/usr/local/cuda")
    roots += ["/usr/local/" + name for name in names_in("/usr/local") if name.startswith("cuda-")]
    return [root for root in dict.fromkeys(roots) if os.path.isdir(root)]


def _read_compiler(findings: Findings, tensorflow: str, working_folder: str) -> None:
    """ptxas and libdevice where XLA looks: its flag, PATH (ptxas only), /usr/local/cuda, the wheels, TensorFlow's own copy.

    For libdevice, the working folder comes last. The order is that of ``CandidateCudaRoots`` and ``FindCudaExecutable`` in
    TensorFlow's source.
    """
    given = re.search(r"--xla_gpu_cuda_data_dir=(\S+)", os.environ.get("XLA_FLAGS", ""))
    flag = [given.group(1).strip("\"'")] if given else []
    roots = ["/usr/local/cuda"]
    if tensorflow:
        beside = os.path.dirname(tensorflow)
        roots += [os.path.join(beside, "nvidia", "cuda_nvcc"), os.path.join(tensorflow, "cuda")]
    tools = [os.path.join(root, "bin") for root in flag] + os.environ.get("PATH", "").split(os.pathsep)
    tools += [os.path.join(root, "bin") for root in roots]
    findings.put("cuda.ptxas", _first_file(tools, "ptxas"), "PATH and XLA's folders")
    devices = [os.path.join(root, "nvvm", "libdevice") for root in flag + roots] + [working_folder]
    findings.put("cuda.libdevice", _first_file(devices, "libdevice.10.bc"), "XLA's folders")


def _first_file(folders: "list[str]", name: str) -> "str | None":
    for folder in folders:
        if folder and os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return None


def _read_cuda_on_windows(findings: Findings, tensorflow: str) -> None:
    """On Windows, ``build_info.py`` names the libraries (TensorFlow 2.10 and older); they are looked up on PATH."""
    text = read_file(os.path.join(tensorflow, "python", "platform", "build_info.py")) if tensorflow else ""
    wanted = re.findall(r"(?:cudart|cudnn)_dll_name'?\"?\s*[,:=]\s*['\"]([\w.]+)['\"]", text)
    if not wanted:
        return
    folders = os.environ.get("PATH", "").split(os.pathsep)
    missing = [name for name in wanted if not _first_file(folders, name)]
    findings.put("cuda.missing_libraries", missing, "PATH")
    findings.put("cuda.libraries", [_first_file(folders, name) for name in wanted if name not in missing], "PATH")
