"""Queries that need more than one row of the tables: does this release run on this Python, GPU, driver, CUDA?

Every function takes a release from ``Tables.release`` and returns ``None`` if the tables do not have the answer.
"""

import typing

from tfhelp.kb import versions
from tfhelp.kb.tables import Row, Tables

Capability = tuple[int, int]
SUPPORTED = ("machine-code", "compiled-at-start")


def platform_keys(system: object, architecture: object) -> list[str]:
    """The platforms of the table that a machine can be.

    Linux without a known processor counts as x86_64, the only one with GPU wheels; a Mac without a known processor can be either.
    """
    machine = architecture.lower() if isinstance(architecture, str) else ""
    if system == "linux":
        if machine in ("", "x86_64", "amd64"):
            return ["linux_x86_64"]
        return ["linux_aarch64"] if machine in ("aarch64", "arm64") else []
    if system == "windows":
        return ["windows"] if machine in ("", "x86_64", "amd64", "amd64t") else []
    if system == "macos":
        if not machine:
            return ["macos_arm64", "macos_x86_64"]
        return ["macos_arm64" if machine in ("arm64", "aarch64") else "macos_x86_64"]
    return []


def pythons(release: Row, platform: str) -> list[str]:
    """Python minor versions with a wheel of this release on a platform (``linux_x86_64`` ...), oldest first."""
    row = release["platforms"].get(platform)
    if not row:
        return []
    found: list[str] = row.get("python", release["python"])
    return found


def has_wheel(release: Row, python: object, platform: str) -> bool | None:
    """Return whether pip finds a wheel of this release for a Python version on a platform."""
    minor = versions.minor_release(python)
    return None if minor is None else minor in pythons(release, platform)


def newest_release(tables: Tables, python: object, platform: str) -> Row | None:
    """The newest stable release with a wheel for this Python on this platform."""
    for version in tables.release_versions():
        release = tables.release(version)
        if release and has_wheel(release, python, platform):
            return release
    return None


def requirement(tables: Tables, release: Row, package: str, python: object = None) -> str | None:
    """The version range of a package that a release works with: its metadata's range for pip, and what it needs beyond that.

    Args:
        package: ``numpy``, ``protobuf``, ``keras`` ...
        python: selects the range if it differs between Python versions; without it, such a range is ``None``.
    """
    found = requirements(tables, release, package, python)
    return found[0] if len(found) == 1 else None


def requirements(tables: Tables, release: Row, package: str, python: object = None) -> list[str]:
    """The version ranges that may apply: one, or several if they differ between Python versions and Python is not known."""
    asked: typing.Any = release["requires"].get(package, "")
    if isinstance(asked, dict):
        known = versions.parse(python) is not None
        possible = [text for where, text in asked.items() if not known or versions.satisfies(python, where)]
    else:
        possible = [asked]
    bounds = _bounds(tables, release, package)
    found = []
    for text in possible:
        ranges = [text] if text else []
        ranges += [bound for bound in bounds if not text or not _implies(text, bound)]
        if ranges:
            found.append(",".join(ranges))
    return found


def companions(tables: Tables, release: Row) -> dict[str, str]:
    """Packages whose release must match a TensorFlow release: name -> version range, for example ``==2.18.*``."""
    found = {}
    for row in tables.table("tensorflow")["companions"]:
        if versions.satisfies(release["version"], row["tensorflow"]):
            minor = versions.minor_release(release["version"])
            found[row["package"]] = f"=={minor}.*" if row["works_with"] == "same-minor" else row["works_with"]
    return found


def _bounds(tables: Tables, release: Row, package: str) -> list[str]:
    """Upper bounds on a package that apply to a release even if its metadata does not state them."""
    rows = [row for row in tables.table("tensorflow")["bounds"] if row["package"] == package]
    return [row["works_with"] for row in rows if versions.satisfies(release["version"], row["tensorflow"])]


def _implies(asked: str, bound: str) -> bool:
    """Return whether a version range is already below an upper bound (``<2``)."""
    limit = versions.parse(bound[1:])
    assert limit is not None  # the table is validated
    for operator, text in versions.clauses(asked):
        numbers = list(versions.parse(text)[0])  # type: ignore[index]  # clauses() has rejected what cannot be parsed
        if operator == "~=":
            depth = text.count(".")
            numbers = (numbers + [0] * depth)[:depth]
            numbers[-1] += 1
        if (operator in ("<", "~=") and tuple(numbers) <= limit[0]) or (operator in ("<=", "==") and tuple(numbers) < limit[0]):
            return True
    return False


def _capability(text: object) -> Capability | None:
    version = versions.parse(text)
    if version is None:
        return None
    numbers = (*version[0], 0, 0)
    return numbers[0], numbers[1]


def gpu_support(tables: Tables, release: Row, compute_capability: object) -> str | None:
    """Return whether and how the release's GPU code runs on a GPU.

    Returns:
        ``machine-code``; ``compiled-at-start`` (part of the kernels are PTX, compiled at first use and then cached);
        ``too-new`` (no code that this GPU can run, or its CUDA libraries are older than the GPU); ``too-old`` (below the
        lowest compute capability of the build); ``None`` if the tables do not have the answer.
    """
    gpu = _capability(compute_capability)
    code = release.get("gpu_code")
    if gpu is None or not code:
        return None
    minimum = _capability(code["minimum"])
    if minimum and gpu < minimum:
        return "too-old"
    if any(own[0] == gpu[0] and own[1] <= gpu[1] for own in _capabilities(code["machine_code"])):
        return "machine-code"
    target = (release.get("generated_kernels") or {}).get("target", "")
    if target.endswith("a") and gpu != (int(target[3:-2]), int(target[-2])):
        return "too-new"  # architecture-specific PTX runs on exactly one compute capability
    newest = _newest_of_libraries(tables, release)
    if newest and gpu[0] > newest[0]:
        return "too-new"
    return "compiled-at-start" if any(own <= gpu for own in _capabilities(code["ptx"])) else "too-new"


def _capabilities(texts: list[str]) -> list[Capability]:
    return [found for text in texts if (found := _capability(text))]


def _newest_of_libraries(tables: Tables, release: Row) -> Capability | None:
    """The newest compute capability supported by the CUDA libraries that this release can run with."""
    cuda = cuda_of(release)
    pins = release.get("and_cuda")
    if cuda is None:
        return None
    if pins and pins.get("nvidia-cuda-runtime-cu12", pins.get("nvidia-cuda-runtime-cu11", "")).startswith("=="):
        usable = [versions.minor_release(cuda)]
    else:
        row = tables.library_row(cuda)
        usable = [name for one in tables.compilers() for name in one["cuda"] if row and tables.library_row(name) is row]
    known = [max(_capabilities(one["targets"])) for one in tables.compilers() if set(one["cuda"]) & set(usable)]
    return max(known) if known else None


def cuda_of(release: Row) -> str | None:
    """The CUDA version that a release needs: the tested one, else the one that its build information states."""
    row = release.get("cuda") or {}
    found: str | None = row.get("tested") or row.get("built_with")
    return found


def cudnn_of(release: Row) -> str | None:
    """The cuDNN version that a release needs: the tested one, else the major version that it was built with."""
    row = release.get("cudnn") or {}
    found: str | None = row.get("tested") or row.get("built_with")
    return found


def driver_needed(tables: Tables, release: Row, system: str, compute_capability: object = None) -> str | None:
    """The oldest driver for a release, and for a GPU if its compute capability is given.

    Args:
        system: ``linux``, ``windows`` or ``wsl``.

    Returns:
        a version, or a branch such as ``555`` if only the branch is known.
    """
    cuda = cuda_of(release)
    needed = [tables.driver_minimum(cuda, system)] if cuda else []
    if system == "linux":
        needed.append(release.get("min_driver_linux"))
    if compute_capability is not None:
        branch = tables.first_driver_branch(compute_capability)
        needed.append(str(branch) if branch else None)
        if gpu_support(tables, release, compute_capability) == "compiled-at-start":
            branch = (release.get("gpu_code") or {}).get("jit_driver_branch")
            needed.append(str(branch) if branch else None)
    known = [(parsed, text) for text in needed if (parsed := versions.parse(text)) and text]
    return max(known)[1] if known else None


def driver_suffices(driver: object, needed: str) -> bool | None:
    """Return whether a driver is new enough. A bare branch (``525``) means the newest driver of that branch."""
    if isinstance(driver, str) and driver.strip() == str(versions.major(needed)):
        return True
    return versions.satisfies(driver, f">={needed}")


def driver_dropped(tables: Tables, driver: object, compute_capability: object) -> bool:
    """Return whether a driver's branch is later than the last one that supports a GPU."""
    last, branch = tables.last_driver_branch(compute_capability), versions.major(driver)
    return last is not None and branch is not None and branch > last


def xla_ptx_too_old(tables: Tables, release: Row, compute_capability: object) -> tuple[str, str] | None:
    """The PTX version that XLA writes in a release and the one that a GPU needs, if the first is older than the second."""
    cuda = tables.table("cuda")
    needed = cuda["ptx_minimum"].get(compute_capability) if isinstance(compute_capability, str) else None
    built = (release.get("cuda") or {}).get("built_with") or cuda_of(release)
    written = cuda["ptx"].get(versions.minor_release(built), {}).get("ptx_isa")
    if needed and written and versions.satisfies(written, f"<{needed}"):
        return written, needed
    return None


def cuda_satisfies(tables: Tables, wanted: object, found: object) -> bool | None:
    """Return whether an installed CUDA works for a program built with another release: same library files, and not older."""
    wanted_row, found_row = tables.library_row(wanted), tables.library_row(found)
    wanted_version, found_version = versions.parse(versions.minor_release(wanted)), versions.parse(found)
    if wanted_version is None or found_version is None or wanted_row is None:
        return None
    if isinstance(found, str) and "." not in found:  # only the major version is known
        return None if versions.major(found) == versions.major(wanted) else False
    return found_row is wanted_row and found_version >= wanted_version


def cudnn_satisfies(wanted: object, found: object) -> bool | None:
    """Return whether a cuDNN works for a program built with another release: same major version, and not an older minor one."""
    wanted_version, found_version = versions.parse(wanted), versions.parse(found)
    if wanted_version is None or found_version is None:
        return None
    if versions.major(wanted) != versions.major(found):
        return False
    if isinstance(found, str) and "." not in found and wanted_version > found_version:
        return None  # only the major version is known
    return (found_version[0] + (0, 0))[:2] >= (wanted_version[0] + (0, 0))[:2]


def extra_pins(tables: Tables, release: Row, compute_capability: object) -> list[str]:
    """The requirements that pip needs on top of ``[and-cuda]`` so that a GPU works, for example ``nvidia-cudnn-cu12<9.11``."""
    result = []
    pins: dict[str, str] = release.get("and_cuda") or {}
    for package in (name for name in pins if name.startswith("nvidia-cudnn") and not pins[name].startswith("==")):
        for limit in tables.table("tensorflow")["cudnn_limits"]:
            if versions.satisfies(compute_capability, limit["compute_capability"]):
                result.append(package + limit["works_with"])
    return result


def extra_works(release: Row, python: object) -> bool:
    """Return whether pip can install ``[and-cuda]`` of a release; without a known Python, whether it can for all versions."""
    fails = release.get("and_cuda_fails")
    if not release.get("and_cuda"):
        return False
    return not fails or versions.satisfies(python, fails["python"]) is False


def install_command(
    tables: Tables, release: Row, platform: str, *, gpu: bool, compute_capability: object = None, python: object = None
) -> str:
    """The pip command that installs a release.

    Args:
        platform: ``linux_x86_64`` ...
        gpu: whether a GPU is used. If this release has ``[and-cuda]`` and pip can install it, the libraries come from there;
            otherwise the NVIDIA packages are named one by one.
        python: version of the interpreter.
    """
    has_gpu_code = bool((release["platforms"].get(platform) or {}).get("gpu")) or release["gpu_package"] != "tensorflow"
    wanted: list[str] = []
    name, version = "tensorflow", release["version"]
    if gpu and has_gpu_code and platform == "linux_x86_64":
        name = release["gpu_package"]
        wanted = extra_pins(tables, release, compute_capability)
        if extra_works(release, python):
            name += "[and-cuda]"
        else:
            pins = release.get("and_cuda") or {}
            wanted += [package + pin for package, pin in pins.items() if package.startswith("nvidia-")]
    elif gpu and platform == "windows" and release.get("windows_gpu"):
        name = release["windows_gpu"]["package"]
    for package in ("numpy", "protobuf", "keras"):
        asked: typing.Any = release["requires"].get(package, [])
        ranges = list(asked.values()) if isinstance(asked, dict) else [asked] if asked else []
        for bound in _bounds(tables, release, package):
            if ranges and not all(_implies(part, bound) for part in ranges):
                wanted.append(package + bound)  # without a bound, pip may choose a version that this release fails with
    return "python -m pip install " + " ".join(f'"{part}"' for part in [f"{name}=={version}", *wanted])
