"""The GPU, its driver, and whether this TensorFlow can use them."""

import typing

from tfhelp.kb import compatibility, versions
from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.versions import DISTRIBUTION, VERSION
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Row, Tables

CAPABILITY = "derived.gpu_compute_capability"
CPU_ONLY = ("tensorflow-cpu", "tensorflow-intel", "tensorflow-macos", "tensorflow-cpu-aws", "tf-nightly-cpu", "intel-tensorflow")


def _gpu(sheet: FactSheet) -> Row:
    """The GPU that the text is about: the one whose number the failure gives, else the first."""
    known = read.gpus(sheet)
    index = read.text(sheet, "log.gpu_index") or ""
    if index.isdecimal() and len(index) < 6 and int(index) < len(known):
        return known[int(index)]
    return known[0] if known else {}


@derived("derived.gpu_present", "boolean", uses=("gpus", "log.gpu_created", "tensorflow.visible_gpus"))
def gpu_present(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The machine has an NVIDIA GPU that the driver or TensorFlow sees."""
    if read.gpus(sheet) or sheet.get("log.gpu_created") is True or sheet.get("tensorflow.visible_gpus"):
        return True
    return False if sheet.get("gpus") == [] else UNKNOWN


@derived(
    "derived.gpu_seen_by_tensorflow",
    "boolean",
    uses=("log.gpu_created", "tensorflow.visible_gpus", "log.gpu_unused"),
)
def gpu_seen_by_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """TensorFlow lists a GPU or has created a GPU device."""
    if sheet.get("log.gpu_created") is True or sheet.get("tensorflow.visible_gpus"):
        return True
    unseen = (
        sheet.get("tensorflow.visible_gpus") == [],
        sheet.get("log.gpu_created") is False,
        sheet.get("log.gpu_unused") is True,
    )
    return False if any(unseen) else UNKNOWN


@derived("derived.gpu_name", "text", uses=("gpus", "log.gpu_index"))
def gpu_name(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Name of the GPU that the failure names, else of the first."""
    name = _gpu(sheet).get("name")
    return name if isinstance(name, str) and name else UNKNOWN


@derived(CAPABILITY, "text", uses=("gpus", "log.gpu_index", "derived.gpu_name"))
def gpu_compute_capability(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Compute capability of that GPU, as seen or from the table of names."""
    seen = _gpu(sheet).get("compute_capability")
    if versions.parse(seen) is not None:
        return seen
    row = tables.gpu_by_name(sheet.get("derived.gpu_name"))
    return row["compute_capability"] if row else UNKNOWN


@derived("derived.gpu_architecture", "text", needs=(CAPABILITY,))
def gpu_architecture(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Architecture of that GPU, for example Ampere."""
    row = tables.table("cuda")["compute_capabilities"].get(sheet.get(CAPABILITY))
    return row["architecture"].partition(" (")[0] if row else UNKNOWN


def _support(sheet: FactSheet, tables: Tables) -> str | None:
    release = read.release(sheet, tables)
    return compatibility.gpu_support(tables, release, sheet.get(CAPABILITY)) if release else None


@derived("derived.gpu_supported_by_build", "boolean", needs=(VERSION, CAPABILITY), uses=(DISTRIBUTION,))
def gpu_supported_by_build(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The official build of this TensorFlow has machine code or usable PTX for this GPU."""
    support = _support(sheet, tables)
    return UNKNOWN if support is None else support in compatibility.SUPPORTED


@derived("derived.gpu_newer_than_build", "boolean", needs=(VERSION, CAPABILITY), uses=(DISTRIBUTION,))
def gpu_newer_than_build(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The GPU is newer than this TensorFlow build and its CUDA libraries support."""
    support = _support(sheet, tables)
    return UNKNOWN if support is None else support == "too-new"


@derived("derived.gpu_older_than_build", "boolean", needs=(VERSION, CAPABILITY), uses=(DISTRIBUTION,))
def gpu_older_than_build(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The GPU's compute capability is below the lowest that this TensorFlow build has code for."""
    support = _support(sheet, tables)
    return UNKNOWN if support is None else support == "too-old"


@derived("derived.gpu_compiles_kernels_at_start", "boolean", needs=(VERSION, CAPABILITY), uses=(DISTRIBUTION,))
def gpu_compiles_kernels_at_start(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Some kernels are compiled from PTX for this GPU at first use. This is slow once, and then cached."""
    support = _support(sheet, tables)
    return UNKNOWN if support is None else support == "compiled-at-start"


@derived("derived.minimum_compute_capability", "text", needs=(VERSION,), uses=(DISTRIBUTION,))
def minimum_compute_capability(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Lowest compute capability that this TensorFlow build has code for."""
    release = read.release(sheet, tables)
    return release["gpu_code"]["minimum"] if release and release.get("gpu_code") else UNKNOWN


@derived("derived.cuda_knows_gpu", "boolean", needs=(CAPABILITY,), uses=("cuda.version", "derived.cuda_needed"))
def cuda_knows_gpu(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The CUDA release (the installed one, else the one that TensorFlow needs) has code for this GPU or a close older one."""
    cuda = versions.minor_release(read.first_text(sheet, "cuda.version", "derived.cuda_needed"))
    capability = versions.major(sheet.get(CAPABILITY))
    for row in tables.compilers():
        if cuda in row["cuda"] and capability is not None:
            majors = [versions.major(target) for target in row["targets"]]
            return capability in majors
    return UNKNOWN


@derived("derived.cudnn_supports_gpu", "boolean", needs=(CAPABILITY,), uses=("log.loaded_cudnn", "cudnn.version"))
def cudnn_supports_gpu(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The cuDNN that is found still has code for this GPU (9.11 dropped Maxwell, Pascal and Volta)."""
    found = read.first_text(sheet, "log.loaded_cudnn", "cudnn.version")
    if versions.parse(found) is None:
        return UNKNOWN
    for limit in tables.table("tensorflow")["cudnn_limits"]:
        if versions.satisfies(sheet.get(CAPABILITY), limit["compute_capability"]):
            return versions.satisfies(found, limit["works_with"])
    return True


def _driver_needed(sheet: FactSheet, tables: Tables) -> dict[str, str]:
    """The oldest driver by system, for each system that the machine can be."""
    release = read.release(sheet, tables)
    if release is None:
        return {}
    capability = read.text(sheet, CAPABILITY)
    needed = {name: compatibility.driver_needed(tables, release, name, capability) for name in read.systems(sheet)}
    return {name: version for name, version in needed.items() if version}


@derived("derived.driver_needed", "text", needs=(VERSION,), uses=(DISTRIBUTION, CAPABILITY, "os.name", "os.wsl"))
def driver_needed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Oldest NVIDIA driver (or branch) for this TensorFlow and this GPU; if the system is not known, the one for Linux."""
    return next(iter(_driver_needed(sheet, tables).values()), UNKNOWN)


@derived(
    "derived.driver_satisfies_tensorflow",
    "boolean",
    needs=(VERSION, "driver.version"),
    uses=(CAPABILITY, DISTRIBUTION, "os.name", "os.wsl"),
)
def driver_satisfies_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The driver is new enough for this TensorFlow's CUDA, and for the GPU if that is known."""
    driver = sheet.get("driver.version")
    return read.agreed(versions.satisfies(driver, f">={needed}") for needed in _driver_needed(sheet, tables).values())


@derived(
    "derived.driver_satisfies_cuda",
    "boolean",
    needs=("cuda.version",),
    uses=("driver.version", "driver.cuda_version", "os.name", "os.wsl"),
)
def driver_satisfies_cuda(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The driver can run programs built with the installed CUDA."""
    cuda = sheet.get("cuda.version")
    driver, newest = read.text(sheet, "driver.version"), read.text(sheet, "driver.cuda_version")
    if driver:
        minima = [tables.driver_minimum(cuda, name) for name in read.systems(sheet)]
        outcome = read.agreed(versions.satisfies(driver, f">={minimum}") if minimum else None for minimum in minima)
        if outcome is not UNKNOWN:
            return outcome
    wanted, known = versions.parse(versions.minor_release(cuda)), versions.parse(newest)
    if wanted is None or known is None:
        return UNKNOWN
    same_major = versions.major(cuda) == versions.major(newest) and (versions.major(cuda) or 0) >= 11
    return known >= wanted or same_major


@derived("derived.ptx_newer_than_driver", "boolean", needs=(VERSION, CAPABILITY, "driver.version"), uses=(DISTRIBUTION,))
def ptx_newer_than_driver(sheet: FactSheet, tables: Tables) -> typing.Any:
    """This GPU needs kernels compiled from PTX that is newer than the driver can read."""
    release, support = read.release(sheet, tables), _support(sheet, tables)
    if release is None or support is None:
        return UNKNOWN
    outcome = versions.satisfies(sheet.get("driver.version"), f"<{release['gpu_code']['jit_driver_branch']}")
    return UNKNOWN if outcome is None else support == "compiled-at-start" and outcome


@derived("derived.driver_dropped_gpu", "boolean", needs=(CAPABILITY, "driver.version"))
def driver_dropped_gpu(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The driver's branch no longer supports this GPU (Kepler ended with 470, Maxwell to Volta with 580)."""
    branch, last = versions.major(sheet.get("driver.version")), tables.last_driver_branch(sheet.get(CAPABILITY))
    known = sheet.get(CAPABILITY) in tables.table("cuda")["compute_capabilities"]
    return UNKNOWN if branch is None or not known else last is not None and branch > last


@derived("derived.windows_native_gpu_unsupported", "boolean", needs=("os.name",), uses=(VERSION, DISTRIBUTION, "os.wsl"))
def windows_native_gpu_unsupported(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Native Windows with a TensorFlow later than 2.10, which has no GPU support there."""
    if read.system(sheet) != "windows":
        return False
    release = read.release(sheet, tables)
    return UNKNOWN if release is None else not release.get("windows_gpu")


@derived(
    "derived.wheel_has_gpu_code", "boolean", uses=("tensorflow.cuda_build", VERSION, DISTRIBUTION, "os.name", "os.architecture")
)
def wheel_has_gpu_code(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The installed package contains GPU code on this system."""
    built = sheet.get("tensorflow.cuda_build")
    if isinstance(built, bool):
        return built
    name, release = read.text(sheet, DISTRIBUTION), read.release(sheet, tables)
    if name in CPU_ONLY:
        return False
    if release is None or name not in ("tensorflow", "tensorflow-gpu"):
        return UNKNOWN
    return read.agreed(_has_gpu_code(release, platform, name) for platform in read.platforms(sheet))


def _has_gpu_code(release: Row, platform: str, name: str) -> bool:
    if platform == "windows":
        return (release.get("windows_gpu") or {}).get("package") in (name, "tensorflow")
    if platform != "linux_x86_64":
        return False
    return bool((release["platforms"].get(platform) or {}).get("gpu")) or name == release["gpu_package"]


@derived("derived.cpu_only_package", "boolean", uses=(DISTRIBUTION, "derived.wheel_has_gpu_code"))
def cpu_only_package(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The installed TensorFlow package has no GPU code, so no setting makes it use a GPU."""
    known = sheet.get("derived.wheel_has_gpu_code")
    return not known if isinstance(known, bool) else UNKNOWN


@derived("derived.gpu_hidden_by_env", "boolean", uses=("env.CUDA_VISIBLE_DEVICES", "gpus", "derived.gpu_seen_by_tensorflow"))
def gpu_hidden_by_env(sheet: FactSheet, tables: Tables) -> typing.Any:
    """CUDA_VISIBLE_DEVICES hides every GPU: it is empty, -1, NoDevFiles, or begins with a GPU that does not exist."""
    value = sheet.get("env.CUDA_VISIBLE_DEVICES")
    if value is UNKNOWN:
        return UNKNOWN
    if value is None or not isinstance(value, str):
        return False
    first = value.split(",")[0].strip()
    if first.startswith(("GPU-", "MIG-")):
        return UNKNOWN  # the GPU is given by UUID; the facts do not show whether it exists
    if not first.isdecimal():
        return True
    if sheet.get("derived.gpu_seen_by_tensorflow") is True:
        return False  # TensorFlow numbers the visible GPUs from 0
    known = sheet.get("gpus")
    if not isinstance(known, list):
        return UNKNOWN if first.strip("0") else False
    return len(first) > 4 or int(first) >= len(known) if known else UNKNOWN


# Sources in which people name a card: a sentence or an issue form. With four cards, people often name the model once.
_NAMED_ONLY = {"name", "memory_total_mib"}


@derived("derived.gpu_count", "integer", needs=("gpus",))
def gpu_count(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Number of GPUs that the driver shows. A card that is only named in the text does not count."""
    gpus = read.gpus(sheet)
    if len(gpus) == 1 and gpus[0].keys() <= _NAMED_ONLY:
        return UNKNOWN
    return len(gpus)


@derived("derived.gpus_differ", "boolean", needs=("gpus",))
def gpus_differ(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The machine has GPUs of different models."""
    names = [gpu.get("name") for gpu in read.gpus(sheet)]
    return UNKNOWN if not names or None in names else len(set(names)) > 1


@derived("derived.gpu_admits_one_process", "boolean", needs=("gpus",), uses=("log.gpu_index",))
def gpu_admits_one_process(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The compute mode of the GPU lets only one process, or none, use it."""
    mode = _gpu(sheet).get("compute_mode")
    return mode in ("exclusive-process", "prohibited") if mode else UNKNOWN


@derived(
    "derived.gpu_not_seen_by_tensorflow",
    "boolean",
    needs=("derived.gpu_seen_by_tensorflow",),
    uses=("gpus", "host.nvidia_devices", "log.gpu_wanted"),
)
def gpu_not_seen_by_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """TensorFlow lists no GPU, although the driver or the bus shows one, or the user asks for one."""
    if sheet.get("derived.gpu_seen_by_tensorflow") is True:
        return False
    devices = read.number(sheet, "host.nvidia_devices")
    if read.gpus(sheet) or devices or sheet.get("log.gpu_wanted") is True:
        return True
    return False if sheet.get("gpus") == [] or devices == 0 else UNKNOWN


@derived(
    "derived.gpu_libraries_unfit",
    "boolean",
    needs=("derived.gpu_not_seen_by_tensorflow",),
    uses=("derived.cuda_satisfies_tensorflow", "derived.cudnn_satisfies_tensorflow"),
)
def gpu_libraries_unfit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """TensorFlow does not see the GPU that is there, and the installed CUDA or cuDNN is not the one that it needs."""
    fits = (sheet.get("derived.cuda_satisfies_tensorflow"), sheet.get("derived.cudnn_satisfies_tensorflow"))
    if sheet.get("derived.gpu_not_seen_by_tensorflow") is not True:
        return False
    return True if False in fits else UNKNOWN if UNKNOWN in fits else False
