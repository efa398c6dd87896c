"""Describe the machine part by part: each function reads the facts for one line of the summary."""

import collections
import os
import typing

from tfhelp.kb.fact_sheet import FactSheet


class Shown(typing.NamedTuple):
    """A part of the machine, from the facts.

    Attributes:
        state: ``ok``, ``absent`` or ``unknown``.
        value: one line.
        details: more lines, for the full output.
    """

    state: str
    value: str
    details: list[str]


def _python(sheet: FactSheet) -> Shown:
    version, place = sheet.get("python.version"), sheet.get("python.executable")
    kind = {"venv": "virtual environment", "conda": "conda environment", "system": "no environment"}
    said = ", ".join(part for part in (kind.get(sheet.get("python.environment") or "", ""), place or "") if part)
    details = _known(sheet, {"python.pip_version": "pip {}"})
    if not version:
        return Shown("unknown", f"Python: not known{f' ({said})' if said else ''}", details)
    return Shown("ok", f"Python {version}{f' ({said})' if said else ''}", details)


def _tensorflow(sheet: FactSheet) -> Shown:
    distribution, version = sheet.get("derived.tensorflow_distribution"), sheet.get("derived.tensorflow_version")
    if distribution is None:
        return Shown("failure", "TensorFlow: not installed", [])
    if not distribution:
        return Shown("unknown", "TensorFlow: not known", [])
    details = _known(sheet, {"tensorflow.location": "in {}", "tensorflow.built_cuda_version": "built for CUDA {}"})
    value = f"TensorFlow {version or 'of an unknown version'}" + (f" ({distribution})" if distribution != "tensorflow" else "")
    seconds = sheet.get("tensorflow.import_seconds")
    if sheet.get("tensorflow.import_state") == "ok":
        value += f", imports in {seconds:.1f} s" if isinstance(seconds, float) else ", imports"
    return Shown("ok", value, details)


def _keras(sheet: FactSheet) -> Shown:
    keras = sheet.get("packages.keras")
    details = _known(sheet, {"packages.tf-keras": "tf_keras {}, which is Keras 2"})
    if keras:
        return Shown("ok", f"Keras {keras}", details)
    if keras is None:
        return Shown("absent", "Keras: not installed as a package of its own", details)
    return Shown("unknown", "Keras: not known", details)


def _packages(sheet: FactSheet) -> Shown:
    version = sheet.get("derived.tensorflow_version")
    named, fits, details = [], [], []
    for name, title in (("numpy", "NumPy"), ("protobuf", "protobuf")):
        installed, wanted = sheet.get(f"packages.{name}"), sheet.get(f"derived.{name}_for_tensorflow")
        named.append(f"{title} {installed or ('is not installed' if installed is None else 'is not known')}")
        fits.append(sheet.get(f"derived.{name}_satisfies_tensorflow"))
        details += [f"TensorFlow {version} wants {name} {wanted}"] if wanted and version else []
    value = ", ".join(named)
    if all(fit is True for fit in fits):
        return Shown("ok", f"{value}: both fit TensorFlow {version}", details)
    if False in fits:
        return Shown("failure", f"{value}: not what TensorFlow {version} needs", details)
    known = bool(sheet.get("packages.numpy") or sheet.get("packages.protobuf"))
    if not version:
        return Shown("absent" if sheet.get("packages.numpy") is None or known else "unknown", value, details)
    return Shown("unknown", f"{value}: whether they fit TensorFlow {version} is not known", details)


def _gpu(sheet: FactSheet) -> Shown:
    gpus = sheet.get("gpus")
    if isinstance(gpus, list) and gpus:
        names = collections.Counter(str(gpu.get("name") or "a GPU without a name") for gpu in gpus)
        value = "GPU: " + ", ".join(f"{count} x {name}" if count > 1 else name for name, count in names.items())
        seen = sheet.get("tensorflow.visible_gpus")
        value += f"; TensorFlow lists {len(seen)}" if isinstance(seen, list) else ""
        return Shown("ok", value, [_about_gpu(number, gpu) for number, gpu in enumerate(gpus)])
    if (sheet.get("host.nvidia_devices") or 0) > 0:
        return Shown("unknown", f"GPU: {_state_of_driver(sheet) or 'no driver shows the NVIDIA GPU that is in this machine'}", [])
    if gpus == [] or sheet.get("driver.state") == "absent":
        return Shown("absent", "no NVIDIA GPU: training runs on the CPU", [])
    return Shown("unknown", f"GPU: {_state_of_driver(sheet) or 'not known'}", [])


def _about_gpu(number: int, gpu: dict[str, typing.Any]) -> str:
    said = []
    total, used, capability = (gpu.get(name) for name in ("memory_total_mib", "memory_used_mib", "compute_capability"))
    if total:
        said.append(f"{gibibytes(total)} of memory" + (f", {gibibytes(used)} used" if used is not None else ""))
    if capability:
        said.append(f"compute capability {capability}")
    said += [f"{process.get('name')} (pid {process.get('pid')}) holds memory" for process in gpu.get("processes") or ()]
    return f"GPU {number}: " + ("; ".join(said) or "nothing more is known")


def _state_of_driver(sheet: FactSheet) -> str:
    return {
        "not-permitted": "not known, because this user may not ask the driver",
        "timed-out": "not known, because the driver did not answer in time",
        "gpu-lost": "the driver has lost it",
        "mismatch": "not known, because the driver's parts are of different versions",
    }.get(str(sheet.get("driver.state")), "")


def _driver(sheet: FactSheet) -> Shown:
    version, cuda = sheet.get("driver.version"), sheet.get("driver.cuda_version")
    details = _known(sheet, {"derived.driver_needed": "this TensorFlow needs driver {} or later for a GPU"})
    if version:
        return Shown("ok", f"NVIDIA driver {version}" + (f", runs CUDA up to {cuda}" if cuda else ""), details)
    if sheet.get("driver.state") == "absent":
        needless = not sheet.get("host.nvidia_devices")
        return Shown("absent", f"no NVIDIA driver{', and without a GPU none is needed' if needless else ''}", details)
    return Shown("unknown", f"NVIDIA driver: {_state_of_driver(sheet) or 'not known'}", details)


def _cuda(sheet: FactSheet) -> Shown:
    found, missing = sheet.get("cuda.libraries"), sheet.get("cuda.missing_libraries")
    details = [*(found or ()), *(f"not found: {name}" for name in missing or ())]
    details += [f"does not load: {said}" for said in sheet.get("cuda.unloadable_libraries") or ()]
    if not sheet.get("derived.gpu_present"):
        needed = sheet.get("derived.gpu_present") is False and not sheet.get("host.nvidia_devices")
        return Shown(
            "absent" if needed else "unknown", f"CUDA libraries: {'not needed without a GPU' if needed else 'not known'}", details
        )
    if not isinstance(found, list):
        return Shown("unknown", "CUDA libraries: not known", details)
    versions = [
        f"{title} {version}"
        for title, name in (("CUDA", "cuda.version"), ("cuDNN", "cudnn.version"))
        if (version := sheet.get(name))
    ]
    value = f"CUDA libraries: {', '.join(versions) or 'of unknown versions'}; {len(found)} found{_folders(found)}"
    if missing and not sheet.get("tensorflow.visible_gpus"):
        return Shown(
            "unknown", f"{value}; the loader does not find {', '.join(missing[:4])}{' and others' * (len(missing) > 4)}", details
        )
    return Shown("ok", value, details)


def _folders(files: list[str]) -> str:
    folders = list(dict.fromkeys(os.path.dirname(file) for file in files))
    if len(folders) > 2:
        common = os.path.commonpath(folders)
        return f" under {common}" if len(common) > 1 else f" in {len(folders)} folders"
    return f" in {' and '.join(folders)}" if folders else ""


def _processor(sheet: FactSheet) -> Shown:
    count, model = sheet.get("host.cpu_count"), sheet.get("host.cpu_model")
    features = [name.upper() for name in ("avx", "avx2", "fma") if sheet.get(f"host.{name}") is True]
    if not count and not model:
        return Shown("unknown", "processor: not known", [])
    said = ", ".join(part for part in (model or "", f"{count} cores" if count else "", " ".join(features)) if part)
    return Shown("ok", f"processor: {said}", [])


def _memory(sheet: FactSheet) -> Shown:
    details = _sizes(sheet, {"host.swap_total_mib": "swap: {}"})
    details += _known(sheet, {"host.oom_killed": "the kernel log says that {} was killed for lack of memory"})
    total = _sizes(sheet, {"host.memory_total_mib": "{}"})
    if not total:
        return Shown("unknown", "memory: not known", details)
    free = _sizes(sheet, {"host.memory_available_mib": "{} free of "})
    limit = _sizes(sheet, {"host.cgroup_limit_mib": "; the container or job may use {}"})
    used = _sizes(sheet, {"host.cgroup_used_mib": " and uses {}"}) if limit else []
    return Shown("ok", "memory: " + "".join([*free, *total, *limit, *used]), details)


def _disk(sheet: FactSheet) -> Shown:
    places = {"host.disk_free_mib": "{} free in this folder", "host.temporary_free_mib": "{} in the temporary one"}
    parts = _sizes(sheet, places)
    return Shown("ok", f"disk: {', '.join(parts)}", []) if parts else Shown("unknown", "disk: not known", [])


def _limits(sheet: FactSheet) -> Shown:
    parts = _known(sheet, {"host.open_files_limit": "{} open files"})
    parts += _sizes(sheet, {"host.shm_total_mib": "{} of shared memory", "host.address_space_limit_mib": "{} of address space"})
    details = _known(sheet, {"host.locked_memory_limit_kib": "locked memory: {} KiB", "host.stack_limit_kib": "stack: {} KiB"})
    return Shown("ok", f"limits: {', '.join(parts)}", details) if parts else Shown("unknown", "limits: not known", details)


def _system(sheet: FactSheet) -> Shown:
    name = sheet.get("os.release") or sheet.get("os.name")
    if not name:
        return Shown("unknown", "system: not known", [])
    kinds = (("os.container", "in a container"), ("os.wsl", "in WSL"), ("os.virtual_machine", "in a virtual machine"))
    said = [str(name), str(sheet.get("os.architecture") or ""), *(words for fact, words in kinds if sheet.get(fact) is True)]
    details = _known(sheet, {"os.glibc": "C library {}", "derived.glibc_needed": "this TensorFlow needs C library {} or later"})
    return Shown("ok", "system: " + ", ".join(part for part in said if part), details)


def _known(sheet: FactSheet, sentences: dict[str, str]) -> list[str]:
    return [sentence.format(sheet.get(path)) for path, sentence in sentences.items() if sheet.known(path)]


def _sizes(sheet: FactSheet, sentences: dict[str, str]) -> list[str]:
    return [sentence.format(gibibytes(sheet.get(path))) for path, sentence in sentences.items() if sheet.known(path)]


def gibibytes(mebibytes: float) -> str:
    """An amount of memory in readable form: ``22.1 GiB``, ``64 MiB``."""
    return f"{mebibytes / 1024:.1f} GiB" if mebibytes >= 1024 else f"{mebibytes:.0f} MiB"


PARTS: dict[str, typing.Callable[[FactSheet], Shown]] = {
    "python": _python,
    "tensorflow": _tensorflow,
    "keras": _keras,
    "packages": _packages,
    "gpu": _gpu,
    "driver": _driver,
    "cuda": _cuda,
    "processor": _processor,
    "memory": _memory,
    "disk": _disk,
    "limits": _limits,
    "system": _system,
}
