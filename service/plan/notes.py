"""The sentences of a plan: why a release does not fit, what to change, what to know."""

from tfhelp.kb import choice, compatibility, versions
from tfhelp.kb.choice import Machine, Obstacle
from tfhelp.kb.tables import Row, Tables

_SYSTEMS = {"linux": "Linux", "windows": "native Windows", "wsl": "WSL2", "macos": "macOS"}


def reasons(tables: Tables, machine: Machine, release: Row, found: list[Obstacle]) -> list[str]:
    """Why a release does not fit a machine, one sentence per obstacle."""
    name = f"TensorFlow {release['version']}"
    platform = machine.platform() or ""
    pythons = compatibility.pythons(release, platform)
    code = release.get("gpu_code") or {}
    sentences: dict[Obstacle, str] = {
        "platform": f"{name} has no wheel for {_SYSTEMS[machine.system]} on {machine.architecture or 'this processor'}.",
        "python": f"{name} has no wheel for Python {machine.python}; it has them for {', '.join(pythons)}.",
        "c-library": f"{name} needs glibc {choice.glibc_needed(tables, release, platform)}; this system has {machine.glibc}.",
        "no-gpu-code": f"{name} has no GPU code for {_SYSTEMS[machine.system]}{_processor(platform)}.",
        "gpu-too-old": f"{name} has code from compute capability {code.get('minimum')} on; this GPU has {machine.compute_capability}.",
        "gpu-too-new": f"{name} has no code that a GPU of compute capability {machine.compute_capability} can run.",
        "driver": f"{name} needs driver {_driver(tables, release, machine)} or later; this machine has {machine.driver}.",
        "driver-too-new": f"The driver {machine.driver} no longer supports this GPU; {_last_branch(tables, machine)} is the last branch that does.",
    }
    return [sentences[one] for one in found]


def _processor(platform: str) -> str:
    return " on aarch64" if platform == "linux_aarch64" else ""


def _driver(tables: Tables, release: Row, machine: Machine) -> str | None:
    return compatibility.driver_needed(tables, release, machine.system, machine.compute_capability)


def _last_branch(tables: Tables, machine: Machine) -> int | None:
    return tables.last_driver_branch(machine.compute_capability)


def change(tables: Tables, kinds: tuple[Obstacle, ...], release: Row, machine: Machine) -> str:
    """What to change so that a release fits; ``machine`` is the changed one."""
    platform = machine.platform() or ""
    parts = []
    if "no-gpu-code" in kinds:
        parts.append("use WSL2 instead of native Windows (install the NVIDIA driver in Windows only)")
    if "python" in kinds:
        pythons = compatibility.pythons(release, platform)
        served = [minor for minor in pythons if machine.gpu and compatibility.extra_works(release, minor)]
        pythons = served or pythons  # do not offer a Python that [and-cuda] fails with
        parts.append(f"use Python {pythons[-1]}" + (f" (or {', '.join(pythons[-2::-1])})" if len(pythons) > 1 else ""))
    if "driver" in kinds:
        parts.append(f"install NVIDIA driver {_driver(tables, release, machine)} or later")
    if "driver-too-new" in kinds:
        parts.append(f"install NVIDIA driver branch {_last_branch(tables, machine)}, the last one that supports this GPU")
    if "c-library" in kinds:
        parts.append(f"use a system with glibc {choice.glibc_needed(tables, release, platform)} or later, or a container")
    text = " and ".join(parts)
    return text[0].upper() + text[1:]


def notes(tables: Tables, release: Row, machine: Machine) -> list[str]:
    """What to know about a release on a machine."""
    version = release["version"]
    found = _gpu_notes(tables, release, machine) if machine.gpu else []
    if not machine.gpu and machine.system == "macos" and machine.platform() == "macos_arm64":
        found.append(
            "For the Mac's GPU, install Apple's plugin with an older TensorFlow: "
            "python -m pip install 'tensorflow<2.19' tensorflow-metal (its page on PyPI names the releases that it supports)."
        )
    if versions.satisfies(version, tables.table("tensorflow")["legacy_keras"]["tensorflow"]):
        about, minor = tables.table("tensorflow")["legacy_keras"], versions.minor_release(version)
        found.append(f"tf.keras is Keras 3. Code for Keras 2 needs {about['package']}~={minor}.0 and {about['variable']}=1.")
    if "tensorboard" not in release["requires"]:
        found.append("TensorBoard does not come with it; its callback needs: python -m pip install tensorboard")
    beside = compatibility.companions(tables, release)
    if "setuptools" in beside and "tensorboard" in release["requires"]:
        found.append(
            f'The command tensorboard of this release needs: python -m pip install "setuptools{beside.pop("setuptools")}"'
        )
    if beside:
        pairs = ", ".join(f"{package}{wanted}" for package, wanted in beside.items() if package != "setuptools")
        found.append(f"If you need them, these releases fit: {pairs}.")
    if (release.get("fresh_install") or {}).get("works") is False:
        found.append("If you install this release without bounds today, it does not import; keep the bounds in the command.")
    return found


def _gpu_notes(tables: Tables, release: Row, machine: Machine) -> list[str]:
    found = []
    needed = _driver(tables, release, machine)
    if machine.driver is None and needed:
        found.append(f"The NVIDIA driver must be {needed} or later.")
    elif needed and machine.driver and "." not in machine.driver and machine.driver == str(versions.major(needed)):
        found.append(f"Within branch {machine.driver}, the driver must be {needed} or later.")
    if machine.system == "wsl":
        found.append("In WSL2 the driver is the one from Windows; do not install one inside Linux.")
    if machine.platform() == "windows":
        found.append("pip does not install CUDA and cuDNN for this release; the conda line in the commands installs them.")
    elif not release.get("and_cuda"):
        found.append("pip does not install CUDA and cuDNN for this release: install the versions named above yourself.")
    if compatibility.gpu_support(tables, release, machine.compute_capability) == "compiled-at-start":
        found.append(
            "Part of the kernels is compiled for this GPU at first use: the first start takes minutes, later ones do not."
        )
        if versions.satisfies(machine.compute_capability, ">=10"):
            found.append("That this GPU works was read from the wheel's files, not tried on such a card.")
    ptx = compatibility.xla_ptx_too_old(tables, release, machine.compute_capability)
    if ptx:
        found.append(
            f"XLA writes PTX {ptx[0]} in this release, and this GPU needs {ptx[1]}. Keras compiles fit with XLA on a GPU, "
            "so pass jit_compile=False to model.compile."
        )
    fails = release.get("and_cuda_fails")
    if (
        fails
        and not compatibility.extra_works(release, machine.python)
        and machine.python
        and machine.platform() == "linux_x86_64"
    ):
        found.append(
            f"With Python {machine.python} pip cannot install tensorflow[and-cuda]=={release['version']}: its packages are named one by one."
        )
    for pin in compatibility.extra_pins(tables, release, machine.compute_capability):
        found.append(f"{pin} is in the command because later versions dropped this GPU.")
    return found


def notes_of_machine(tables: Tables, machine: Machine) -> list[str]:
    """What to know about a machine, for every release."""
    found = []
    last = tables.last_driver_branch(machine.compute_capability)
    branch = versions.major(machine.driver)
    if machine.gpu and last is not None:
        found.append(f"The last driver branch that supports this GPU is {last}.")
        if branch is not None and branch > last:
            found.append(f"The driver {machine.driver} is later and does not support it.")
    if machine.gpu and machine.platform() == "linux_aarch64":
        found.append("Official wheels for Linux on aarch64 have no GPU code; NVIDIA offers its own builds for its boards.")
    if machine.gpu and machine.compute_capability is None:
        found.append("The GPU's compute capability is not known, so only the driver and the system were checked.")
    return found
