"""What to install, and which installed packages conflict with each other."""

import re
import typing

from tfhelp.kb import choice, compatibility, versions
from tfhelp.kb.derived import gpu, read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.versions import DISTRIBUTION, DISTRIBUTIONS, VERSION
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

MACHINE = (
    "python.version",
    "os.architecture",
    "os.wsl",
    "os.glibc",
    "driver.version",
    "derived.gpu_present",
    gpu.CAPABILITY,
)
# Empty packages named tensorflow pull these in; the two belong together if their versions are equal.
PULLED_IN = ("tensorflow-intel", "tensorflow-macos", "tensorflow-cpu-aws")
_SUFFIX = re.compile(r"(nvidia-[a-z-]+?)(?:-cu(\d+))?")
# Up to CUDA 9.2 every library of the toolkit had CUDA's version; cuDNN and NCCL have their own versions.
_EARLY_SONAME = re.compile(r"lib(?:cudart|cublas|cufft|curand|cusolver|cusparse|nvrtc|cupti)\.so\.([789]\.\d)")


@derived("derived.recommended_tensorflow", "text", needs=("os.name",), uses=MACHINE)
def recommended_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Newest stable TensorFlow for this Python, system, GPU and driver, as far as they are known; if none can use the GPU, the
    newest that runs on the CPU; null if none fits.
    """
    machine = read.machine(sheet)
    if machine is None:
        return UNKNOWN
    release = next(choice.choices(tables, machine), None) or next(choice.choices(tables, machine.but(gpu=False)), None)
    return release["version"] if release else None


@derived("derived.recommended_uses_gpu", "boolean", needs=("derived.recommended_tensorflow",), uses=("os.name", *MACHINE))
def recommended_uses_gpu(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The recommended TensorFlow uses this machine's GPU."""
    machine, release = read.machine(sheet), tables.release(sheet.get("derived.recommended_tensorflow"))
    return machine.gpu and choice.fits(tables, release, machine) if machine and release else UNKNOWN


@derived(
    "derived.pip_install_line",
    "text",
    needs=("derived.recommended_uses_gpu",),
    uses=("derived.recommended_tensorflow", "os.name", *MACHINE),
)
def pip_install_line(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The pip command that installs the recommended TensorFlow, with [and-cuda] if the GPU is used."""
    machine, release = read.machine(sheet), tables.release(sheet.get("derived.recommended_tensorflow"))
    platform = machine.platform() if machine else None
    if machine is None or platform is None or release is None:
        return UNKNOWN
    gpu_used = sheet.get("derived.recommended_uses_gpu") is True
    capability, python = machine.compute_capability, machine.python
    return compatibility.install_command(tables, release, platform, gpu=gpu_used, compute_capability=capability, python=python)


@derived("derived.pip_requirement", "text", needs=("derived.pip_install_line",))
def pip_requirement(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The recommended TensorFlow as one argument of pip install, for example tensorflow[and-cuda]==2.21.0; the command's other
    arguments are left out.
    """
    return str(sheet.get("derived.pip_install_line")).split('"')[1]


@derived(
    "derived.cuda_requirement", "text", needs=(VERSION,), uses=(DISTRIBUTION, "python.version", "os.name", "os.architecture")
)
def cuda_requirement(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The installed TensorFlow as an argument of pip install, with its CUDA libraries; from 2.14 on, Linux x86_64."""
    release = read.release(sheet, tables)
    python = read.text(sheet, "python.version")
    if release is None or not compatibility.extra_works(release, python) or read.platforms(sheet)[:1] != ["linux_x86_64"]:
        return UNKNOWN
    return f"tensorflow[and-cuda]=={release['version']}"


@derived("derived.two_tensorflow_distributions", "boolean", uses=("packages.*",))
def two_tensorflow_distributions(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Two packages that contain the module tensorflow are installed and overwrite each other."""
    found = {name: version for name in DISTRIBUTIONS if (version := read.package(sheet, name))}
    base = versions.parse(found.get("tensorflow", found.get("tensorflow-cpu")))  # either pulls in the package for Windows
    for name in PULLED_IN:
        if base is not None and versions.parse(found.get(name)) == base:
            del found[name]
    if len(found) > 1:
        return True
    return False if read.packages_listed(sheet) else UNKNOWN


@derived("derived.tensorflow_distributions", "text", uses=("packages.*",))
def tensorflow_distributions(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The installed packages that contain the module tensorflow, with their versions."""
    found = [f"{name} {version}" for name in DISTRIBUTIONS if (version := read.package(sheet, name))]
    return ", ".join(found) if found else UNKNOWN


def _nvidia_packages(sheet: FactSheet) -> dict[str, str]:
    return {
        path.removeprefix("packages."): value
        for path, value in sheet.values.items()
        if path.startswith("packages.nvidia-") and isinstance(value, str)
    }


@derived("derived.nvidia_wheels_installed", "boolean", uses=("packages.*",))
def nvidia_wheels_installed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """pip packages with CUDA's runtime and cuDNN are installed, as [and-cuda] would."""
    names = [name for name in _nvidia_packages(sheet) if name.startswith(("nvidia-cudnn", "nvidia-cuda-runtime"))]
    if len(names) > 1:
        return True
    return False if read.packages_listed(sheet) else UNKNOWN


@derived(
    "derived.cuda_libraries_left_out",
    "boolean",
    uses=(VERSION, DISTRIBUTION, "derived.wheel_has_gpu_code", "derived.nvidia_wheels_installed", "cuda.version"),
)
def cuda_libraries_left_out(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A TensorFlow with GPU code is installed (2.14 or later) without [and-cuda], and no CUDA is found either."""
    release = read.release(sheet, tables)
    if release is None or not release.get("and_cuda") or sheet.get("derived.wheel_has_gpu_code") is not True:
        return UNKNOWN
    if sheet.get("derived.nvidia_wheels_installed") is True or sheet.known("cuda.version"):
        return False
    return True if sheet.get("derived.nvidia_wheels_installed") is False and sheet.get("cuda.version") is None else UNKNOWN


def _clashes(sheet: FactSheet, tables: Tables) -> list[str] | None:
    """NVIDIA packages that do not fit the installed TensorFlow: for a different CUDA major version, or of a major version
    that it does not require.
    """
    release = read.release(sheet, tables)
    pins: dict[str, str] = (release or {}).get("and_cuda") or {}
    installed = _nvidia_packages(sheet)
    wanted = {match[1]: (name, match[2]) for name in pins if (match := _SUFFIX.fullmatch(name)) and match[2]}
    if not wanted or not installed:
        return None
    found = []
    for name, version in installed.items():
        match = _SUFFIX.fullmatch(name)
        if not match or match[1] not in wanted:
            continue
        if name in pins:
            limits = [limit for _, limit in versions.clauses(pins[name])]
            majors = {versions.major(limit) for limit in limits if limit} - {None}
            if not versions.satisfies(version, pins[name]) and versions.major(version) not in _usable(majors, pins[name]):
                found.append(f"{name} {version}")
        elif _shares_folder(tables, name, wanted[match[1]][0]):
            found.append(f"{name} {version}")
    return found


def _usable(majors: set[int | None], specifier: str) -> set[int | None]:
    """Major versions that a range allows; the upper end of a range such as <13.0 is not included."""
    upper = {versions.major(limit) for operator, limit in versions.clauses(specifier) if operator == "<"}
    return majors - upper


def _shares_folder(tables: Tables, first: str, second: str) -> bool:
    """Return whether two packages install into the same folder, so that one overwrites the other."""
    rows = tables.table("cuda")["packages"]
    folders = [{row["folder"] for row in rows if re.split(r"[<>=]", row["package"])[0] == name} for name in (first, second)]
    return bool(folders[0] & folders[1])


@derived("derived.torch_nvidia_clash", "boolean", needs=(VERSION,), uses=(DISTRIBUTION, "packages.*"))
def torch_nvidia_clash(sheet: FactSheet, tables: Tables) -> typing.Any:
    """NVIDIA packages of a major version that this TensorFlow does not ask for are installed (PyTorch or JAX bring them)."""
    found = _clashes(sheet, tables)
    return UNKNOWN if found is None else bool(found)


@derived(
    "derived.clashing_nvidia_packages", "text", needs=("derived.torch_nvidia_clash",), uses=(VERSION, DISTRIBUTION, "packages.*")
)
def clashing_nvidia_packages(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Those NVIDIA packages, with their versions."""
    return ", ".join(_clashes(sheet, tables) or []) or None


def _missing_library(sheet: FactSheet) -> str | None:
    missing = sheet.get("cuda.missing_libraries")
    first = missing[0] if isinstance(missing, list) and missing else None
    return read.text(sheet, "log.missing_library") or (first if isinstance(first, str) else None)


@derived(
    "derived.package_for_missing_library",
    "text",
    uses=("log.missing_library", "cuda.missing_libraries", VERSION, DISTRIBUTION),
)
def package_for_missing_library(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The pip package with the library that could not be loaded, for the CUDA that this TensorFlow needs."""
    name = _missing_library(sheet)
    rows = tables.soname(name) if name else []
    release = read.release(sheet, tables)
    wanted = versions.major(compatibility.cuda_of(release)) if release else None
    rows = [row for row in rows if row["cuda"] == wanted] if wanted is not None else rows
    return rows[0]["package"] if len(rows) == 1 else UNKNOWN


@derived("derived.missing_library_is_driver", "boolean", uses=("log.missing_library", "cuda.missing_libraries"))
def missing_library_is_driver(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The library that could not be loaded comes with NVIDIA's driver (libcuda.so.1), not with CUDA."""
    name = _missing_library(sheet)
    if not name:
        return UNKNOWN
    return tables.is_driver_library(name) or name.lower() == "nvcuda.dll"


@derived("derived.cuda_of_missing_library", "text", uses=("log.missing_library", "cuda.missing_libraries"))
def cuda_of_missing_library(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The CUDA versions that the missing library file belongs to, for example '>=11.1,<12'."""
    name = _missing_library(sheet)
    if not name:
        return UNKNOWN
    if early := _EARLY_SONAME.fullmatch(name):
        return f"=={early[1]}.*"
    rows = [row["cuda"] for row in tables.table("cuda")["libraries"] if name in row.values()]
    windows = tables.library_of_windows(name)
    return rows[0] if len(rows) == 1 else windows.removeprefix("CUDA ") if windows else UNKNOWN


@derived(
    "derived.missing_library_of_installed_cuda",
    "boolean",
    needs=("cuda.version",),
    uses=("log.missing_library", "cuda.missing_libraries"),
)
def missing_library_of_installed_cuda(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The library that could not be loaded belongs to the installed CUDA, so the loader does not look there."""
    name = _missing_library(sheet)
    if name and (early := _EARLY_SONAME.fullmatch(name)):
        return versions.minor_release(sheet.get("cuda.version")) == early[1]
    found = [row["cuda"] for row in tables.table("cuda")["libraries"] if name in row.values()] if name else []
    outcomes = [versions.satisfies(versions.minor_release(sheet.get("cuda.version")), releases) for releases in found]
    return UNKNOWN if not outcomes or None in outcomes else any(outcomes)


@derived("derived.pip_needed", "text", needs=("os.name",), uses=(VERSION, DISTRIBUTION, "os.architecture"))
def pip_needed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Oldest pip that supports the wheel's name, for this TensorFlow or the newest stable one."""
    release = read.release(sheet, tables) or tables.release(tables.table("tensorflow")["newest"]["stable"])
    platforms = read.platforms(sheet)
    return (release and platforms and choice.pip_needed(tables, release, platforms[0])) or UNKNOWN


@derived("derived.pip_too_old", "boolean", needs=("python.pip_version", "derived.pip_needed"))
def pip_too_old(sheet: FactSheet, tables: Tables) -> typing.Any:
    """pip is too old to see TensorFlow's wheels."""
    outcome = versions.satisfies(sheet.get("python.pip_version"), f"<{sheet.get('derived.pip_needed')}")
    return UNKNOWN if outcome is None else outcome


@derived("derived.platform_without_wheels", "boolean", needs=("os.name",), uses=("os.architecture", "python.bits"))
def platform_without_wheels(sheet: FactSheet, tables: Tables) -> typing.Any:
    """No TensorFlow wheel was ever made for this system and processor, or Python is 32-bit."""
    if sheet.get("python.bits") == 32 or not read.platforms(sheet):
        return True
    return False if sheet.known("os.architecture") and sheet.get("python.bits") == 64 else UNKNOWN


@derived("derived.windows_stub_without_intel", "boolean", needs=("os.name", "packages.tensorflow"), uses=("packages.*",))
def windows_stub_without_intel(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Windows' empty package tensorflow (2.11 to 2.18.0) is installed without tensorflow-intel, which contains the module."""
    stub = versions.satisfies(sheet.get("packages.tensorflow"), ">=2.11,<2.18.1")
    if stub is None:
        return UNKNOWN
    if sheet.get("os.name") != "windows" or not stub or read.package(sheet, "tensorflow-intel"):
        return False
    return True if read.packages_listed(sheet) else UNKNOWN


# Compiled add-ons whose minor version must be the same as TensorFlow's.
SAME_MINOR_ADDONS = ("tensorflow-text",)


def _mismatched_addons(sheet: FactSheet) -> list[str] | None:
    minor = versions.minor_release(sheet.get(VERSION))
    found = {name: version for name in SAME_MINOR_ADDONS if (version := read.package(sheet, name))}
    if minor is None or not found:
        return None
    return [f"{name} {version}" for name, version in found.items() if versions.minor_release(version) != minor]


@derived("derived.addon_of_other_version", "boolean", needs=(VERSION,), uses=("packages.*",))
def addon_of_other_version(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A compiled add-on (tensorflow-text) has a different minor version from TensorFlow; they must be the same."""
    found = _mismatched_addons(sheet)
    return UNKNOWN if found is None else bool(found)


@derived("derived.mismatched_addons", "text", needs=("derived.addon_of_other_version",), uses=(VERSION, "packages.*"))
def mismatched_addons(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Those add-ons, with their versions."""
    return ", ".join(_mismatched_addons(sheet) or []) or None


# Distributions (of pip and conda) that contain an OpenMP runtime, by the library that they contain.
OPENMP = ("intel-openmp", "mkl", "llvm-openmp", "torch", "faiss-cpu", "faiss-gpu", "xgboost", "lightgbm", "scikit-learn")


@derived("derived.openmp_packages", "text", uses=("packages.*",))
def openmp_packages(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The installed packages that contain their own OpenMP runtime, with their versions."""
    found = [f"{name} {version}" for name in OPENMP if (version := read.package(sheet, name))]
    return ", ".join(found) if found else None if read.packages_listed(sheet) else UNKNOWN


@derived("derived.several_openmp_packages", "boolean", needs=("derived.openmp_packages",))
def several_openmp_packages(sheet: FactSheet, tables: Tables) -> typing.Any:
    """MKL's OpenMP and a package with its own OpenMP are both installed."""
    names = str(sheet.get("derived.openmp_packages") or "")
    ours = any(name in names for name in ("intel-openmp", "mkl"))
    return ours and any(name in names for name in OPENMP[2:])


@derived("derived.installation_broken", "boolean", uses=("python.broken_distribution", "derived.two_tensorflow_distributions"))
def installation_broken(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A distribution is half removed or installed twice, or two packages contain the module tensorflow."""
    if sheet.known("python.broken_distribution") or sheet.get("derived.two_tensorflow_distributions") is True:
        return True
    return False if sheet.get("python.broken_distribution") is None else UNKNOWN
