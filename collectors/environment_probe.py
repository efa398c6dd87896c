"""The environment probe: run by the person's interpreter, not by ours, it prints what that interpreter can see.

It prints one line of JSON behind MARKER: the facts, and under ``_plan`` which libraries are worth loading for trial
(``environment_probe_load.py`` does that).

It is one file that needs the standard library only and runs on CPython 3.6 to 3.14, so its annotations are quoted and
it does without later syntax. It is a process of its own because whatever is broken in that environment (a crashing
extension, a library that does not load, a file that hides a standard module) must not break the caller. It imports
nothing of what it examines, except where it is told to, and writes nothing.
"""

import os
import sys

if False:  # for the type checker only
    import types
    from typing import Any as _Any

MARKER = "tfhelp-facts:"


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed while a shell stood in it
        return ""


_WORKING_FOLDER = _working_folder()


def _person_path() -> "list[str]":
    """Take the probe's own folder off ``sys.path``, and return the path as a script of the person would have it.

    Python resolves symbolic links in ``sys.path[0]``, and not in ``__file__``.
    """
    own = os.path.realpath(os.path.dirname(os.path.abspath(__file__)))
    if sys.path and os.path.realpath(sys.path[0]) == own:
        del sys.path[0]
    return list(sys.path)


# What is loaded before a script runs cannot be hidden by a file beside the script.
STARTUP_MODULES = frozenset(sys.modules) if __name__ == "__main__" else frozenset()
PERSON_PATH = _person_path() if __name__ == "__main__" else list(sys.path)
STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__))


def _is_standard_path(folder: str) -> bool:
    """Whether an entry of ``sys.path`` holds the standard library itself."""
    return folder == STANDARD_LIBRARY or folder.endswith((".zip", os.sep + "lib-dynload", os.sep + "DLLs"))


if __name__ == "__main__":
    # A json.py in a folder of PYTHONPATH must not be imported in place of the real one.
    sys.path[:] = [folder for folder in PERSON_PATH if _is_standard_path(folder)]
import json
import re


def _text(value: "_Any") -> "_Any":
    """A text without the half characters that Python makes of bytes it cannot decode; anything else as it is."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


class Findings:
    """Facts as they are found: path -> value, path -> {"source", "state"}."""

    __slots__ = ("about", "values")

    def __init__(self) -> None:
        self.values = {}  # type: dict[str, object]
        self.about = {}  # type: dict[str, dict[str, str]]

    def put(self, path: str, value: object, source: str, state: str = "ok") -> None:
        """Keep a fact; ``None`` means that it was looked for and is not there."""
        self.values[_text(path)] = [_text(item) for item in value] if isinstance(value, list) else _text(value)
        self.about[_text(path)] = {"source": _text(source), "state": state}

    def document(self) -> "dict[str, object]":
        """The nested facts document, with ``_about``."""
        result = {"_about": self.about}  # type: dict[str, object]
        for path, value in self.values.items():
            group, _, name = path.partition(".")
            members = result.setdefault(group, {})
            assert isinstance(members, dict)
            members[name] = value
        return result


def _read(path: str, limit: int = 1 << 20) -> str:
    """A text file's first ``limit`` bytes; the empty string where it cannot be read. Files of /proc have no size."""
    try:
        with open(path, "rb", buffering=0) as file:
            parts = []
            while limit > 0:
                part = file.read(min(limit, 65536))
                if not part:
                    break
                parts.append(part)
                limit -= len(part)
    except OSError:
        return ""
    return b"".join(parts).decode("utf-8", "replace")


def _names(folder: str) -> "list[str]":
    try:
        return sorted(os.listdir(folder or os.curdir))
    except OSError:
        return []


# ---------------------------------------------------------------------------------------------------------------------
# The machine: the same for every interpreter on it.


def read_operating_system(findings: Findings, root: str = "/") -> None:
    """``os.*``. ``root`` is where /proc, /sys and /etc are found (the tests bring their own)."""
    name = {"win32": "windows", "cygwin": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    findings.put("os.name", name, "sys.platform")
    if name == "windows":
        version = sys.getwindowsversion()  # type: ignore[attr-defined, unused-ignore]
        # Windows 11 still calls itself 10.0; its builds begin at 22000.
        edition = "11" if version.build >= 22000 else str(version.major)
        findings.put("os.release", f"Windows {edition} (build {version.build})", "sys.getwindowsversion")
        findings.put("os.architecture", os.environ.get("PROCESSOR_ARCHITECTURE"), "PROCESSOR_ARCHITECTURE")
        findings.put("os.wsl", False, "sys.platform")
        return
    findings.put("os.architecture", os.uname().machine, "uname")
    if name == "macos":
        import platform

        findings.put("os.release", "macOS " + platform.mac_ver()[0], "platform.mac_ver")
        findings.put("os.wsl", False, "sys.platform")
        findings.put("os.container", False, "sys.platform")
        return
    _read_distribution(findings, root)
    kernel = _read(os.path.join(root, "proc/sys/kernel/osrelease")).lower()
    findings.put("os.wsl", "microsoft" in kernel, "/proc/sys/kernel/osrelease")
    findings.put("os.container", _in_container(root), "marks of container runtimes")
    flags = _processor(root).get("flags", "")
    vendor = _read(os.path.join(root, "sys/class/dmi/id/sys_vendor")).lower()
    virtual = " hypervisor " in flags or any(word in vendor for word in ("qemu", "vmware", "xen", "innotek", "amazon ec2"))
    findings.put("os.virtual_machine", virtual, "/proc/cpuinfo and DMI")


def _read_distribution(findings: Findings, root: str) -> None:
    fields = {}
    for line in _read(os.path.join(root, "etc/os-release")).splitlines():
        key, _, value = line.partition("=")
        fields[key.strip()] = value.strip().strip("\"'")
    release = (fields.get("NAME", "") + " " + fields.get("VERSION_ID", "")).strip()
    findings.put("os.release", release or None, "/etc/os-release")
    try:
        library = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError, AttributeError):  # musl and others do not know the name
        library = ""
    findings.put("os.glibc", library.partition(" ")[2] or None, "confstr")


def _in_container(root: str) -> bool:
    if any(os.path.exists(os.path.join(root, mark)) for mark in (".dockerenv", "run/.containerenv", ".singularity.d")):
        return True
    if any(name in os.environ for name in ("KUBERNETES_SERVICE_HOST", "SINGULARITY_CONTAINER", "APPTAINER_CONTAINER")):
        return True
    groups = _read(os.path.join(root, "proc/1/cgroup"))
    if any(word in groups for word in ("docker", "kubepods", "containerd", "/lxc", "libpod")):
        return True
    # With cgroup v2 a container sees no names there; its root is then an overlay.
    for line in _read(os.path.join(root, "proc/self/mounts"), 65536).splitlines():
        fields = line.split()
        if len(fields) > 2 and fields[1] == "/" and fields[2] == "overlay":
            return True
    return False


def _processor(root: str) -> "dict[str, str]":
    """Fields of the first processor; the file is cut, because on a machine with 200 of them it costs much to read."""
    fields = {}  # type: dict[str, str]
    for line in _read(os.path.join(root, "proc/cpuinfo"), 8192).splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), " " + value.strip() + " ")
    return fields


def read_processor(findings: Findings, root: str = "/") -> None:
    """``host.cpu_*`` and the instruction sets that TensorFlow's builds ask for."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    findings.put("host.cpu_count", count, "sched_getaffinity")
    if sys.platform == "win32":
        import ctypes

        present = ctypes.windll.kernel32.IsProcessorFeaturePresent  # type: ignore[attr-defined, unused-ignore]
        findings.put("host.cpu_model", os.environ.get("PROCESSOR_IDENTIFIER"), "PROCESSOR_IDENTIFIER")
        findings.put("host.avx", bool(present(39)), "IsProcessorFeaturePresent")
        findings.put("host.avx2", bool(present(40)), "IsProcessorFeaturePresent")
        return
    if sys.platform == "darwin":
        model = _sysctl_text("machdep.cpu.brand_string")
        findings.put("host.cpu_model", model, "sysctl")
        features = (_sysctl_text("machdep.cpu.features"), _sysctl_text("machdep.cpu.leaf7_features"))
        flags = f" {features[0]} {features[1]} ".lower().replace("avx1.0", "avx")
        source = "sysctl"
    else:
        fields = _processor(root)
        findings.put("host.cpu_model", fields.get("model name", "").strip() or None, "/proc/cpuinfo")
        flags = fields.get("flags", fields.get("features", ""))
        source = "/proc/cpuinfo"
        if not flags:
            return
    for name in ("avx", "avx2", "fma"):
        findings.put("host." + name, f" {name} " in flags, source)


def _sysctl_text(name: str) -> "str | None":
    """A text value of macOS's sysctl; ``None`` where there is none."""
    import ctypes

    library = ctypes.CDLL(None)
    size = ctypes.c_size_t(0)
    if library.sysctlbyname(name.encode(), None, ctypes.byref(size), None, 0) != 0 or not size.value:
        return None
    buffer = ctypes.create_string_buffer(size.value)
    if library.sysctlbyname(name.encode(), buffer, ctypes.byref(size), None, 0) != 0:
        return None
    return buffer.value.decode("utf-8", "replace")


def read_memory(findings: Findings, root: str = "/") -> None:
    """``host.memory_*``, ``host.swap_*``, ``host.shm_*`` (MiB)."""
    if sys.platform == "win32":
        _read_windows_memory(findings)
        return
    if sys.platform == "darwin":
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
        findings.put("host.memory_total_mib", round(pages * size / 1048576.0, 1), "sysconf")
        return
    sizes = {}
    for line in _read(os.path.join(root, "proc/meminfo")).splitlines():
        words = line.replace(":", " ").split()
        if len(words) > 1 and words[1].isdigit():
            sizes[words[0]] = round(int(words[1]) / 1024.0, 1)
    pairs = (
        ("memory_total", "MemTotal"),
        ("memory_available", "MemAvailable"),
        ("swap_total", "SwapTotal"),
        ("swap_free", "SwapFree"),
    )
    for name, key in pairs:
        if key in sizes:
            findings.put(f"host.{name}_mib", sizes[key], "/proc/meminfo")
    try:
        shared = os.statvfs(os.path.join(root, "dev/shm"))
    except OSError:
        return
    findings.put("host.shm_total_mib", round(shared.f_blocks * shared.f_frsize / 1048576.0, 1), "/dev/shm")
    findings.put("host.shm_free_mib", round(shared.f_bavail * shared.f_frsize / 1048576.0, 1), "/dev/shm")


def _read_windows_memory(findings: Findings) -> None:
    import ctypes

    # MEMORYSTATUSEX: two 32-bit fields (length, load), then seven 64-bit ones (total, available, page file total, ...).
    status = (ctypes.c_uint64 * 8)()
    ctypes.cast(status, ctypes.POINTER(ctypes.c_uint32))[0] = 64
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
    if kernel.GlobalMemoryStatusEx(ctypes.byref(status)):
        findings.put("host.memory_total_mib", round(status[1] / 1048576.0, 1), "GlobalMemoryStatusEx")
        findings.put("host.memory_available_mib", round(status[2] / 1048576.0, 1), "GlobalMemoryStatusEx")


def read_control_group(findings: Findings, root: str = "/") -> None:
    """``host.cgroup_*``: the narrowest memory limit of this process's control group or one above it, v1 and v2."""
    if not sys.platform.startswith("linux"):
        return
    narrowest, first = None, None
    for folder, limit_file, used_file, events_file in _control_group_folders(root):
        own = (folder, used_file, events_file)
        first = first or own
        limit = _read(os.path.join(folder, limit_file)).strip()
        # "no limit" is the word max in v2 and a number near 2^63 in v1.
        if limit.isdigit() and int(limit) < 1 << 60 and (narrowest is None or int(limit) < narrowest[0]):
            narrowest = (int(limit), own)
    if first is None:
        return
    folder, used_file, events_file = narrowest[1] if narrowest else first
    findings.put("host.cgroup_limit_mib", round(narrowest[0] / 1048576.0, 1) if narrowest else None, folder)
    used = _read(os.path.join(folder, used_file)).strip()
    if used.isdigit():
        findings.put("host.cgroup_used_mib", round(int(used) / 1048576.0, 1), folder)
    kills = re.search(r"^oom_kill (\d+)", _read(os.path.join(folder, events_file)), re.MULTILINE)
    if kills:
        findings.put("host.cgroup_oom_kills", int(kills.group(1)), os.path.join(folder, events_file))


def _control_group_folders(root: str) -> "list[tuple[str, str, str, str]]":
    """This process's control group and those above it: (folder, file of the limit, of the use, of the events)."""
    found = []
    for line in _read(os.path.join(root, "proc/self/cgroup")).splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            mounts, files = ["sys/fs/cgroup", "sys/fs/cgroup/unified"], ("memory.max", "memory.current", "memory.events")
        elif "memory" in controllers.split(","):
            mounts = ["sys/fs/cgroup/memory"]
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control")
        else:
            continue
        parts = [part for part in path.split("/") if part and part != ".."]
        # Inside a container the path may be the host's, which is not there; the mount's root then is the group.
        for length in range(len(parts), -1, -1):
            for mount in mounts:
                folder = os.path.join(root, mount, *parts[:length])
                if os.path.exists(os.path.join(folder, files[0])):
                    found.append((folder,) + files)
    return found


# (fact, name in the module resource, what the fact's unit holds of the limit's)
_LIMITS = (
    ("open_files_limit", "RLIMIT_NOFILE", 1),
    ("address_space_limit_mib", "RLIMIT_AS", 1048576),
    ("locked_memory_limit_kib", "RLIMIT_MEMLOCK", 1024),
    ("stack_limit_kib", "RLIMIT_STACK", 1024),
)


def read_limits(findings: Findings) -> None:
    """Limits of the process (``ulimit``), and free space of the working and the temporary folder (MiB)."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        resource = None  # type: ignore[assignment, unused-ignore]
    if resource is not None:
        for name, constant, unit in _LIMITS:
            if hasattr(resource, constant):
                soft = resource.getrlimit(getattr(resource, constant))[0]
                unlimited = soft == resource.RLIM_INFINITY or soft < 0
                findings.put("host." + name, None if unlimited else soft if unit == 1 else soft / unit, "getrlimit")
    temporary = os.environ.get("TMPDIR") or os.environ.get("TEMP") or ("C:\\Windows\\Temp" if os.name == "nt" else "/tmp")
    for name, folder in (("disk_free_mib", _WORKING_FOLDER), ("temporary_free_mib", temporary)):
        free = _free_mib(folder)
        findings.put("host." + name, free, folder, "ok" if free is not None else "not-readable")


def _free_mib(folder: str) -> "float | None":
    try:
        if hasattr(os, "statvfs"):
            space = os.statvfs(folder)
            return round(space.f_bavail * space.f_frsize / 1048576.0, 1)
        import shutil

        return round(shutil.disk_usage(folder).free / 1048576.0, 1)
    except OSError:
        return None


# ---------------------------------------------------------------------------------------------------------------------
# Environment variables: by allow-list, because others hold secrets.

# fmt: off
ENVIRONMENT_PREFIXES = (
    "TF_", "XLA_", "CUDA_", "NCCL_", "OMP_", "KMP_", "MKL_", "OPENBLAS_", "KERAS_", "PROTOCOL_BUFFERS_", "NVIDIA_", "HOROVOD_",
    "TPU_", "CUDNN_", "CONDA_DEFAULT_ENV", "LC_", "AUTOGRAPH_", "HDF5_",
)
ENVIRONMENT_NAMES = frozenset((
    "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "CUDNN_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH",
    "PYTHONHOME", "PYTHONHASHSEED", "PYTHONNOUSERSITE", "PYTHONUNBUFFERED", "PYTHONFAULTHANDLER", "PYTHONIOENCODING",
    "PYTHONUTF8", "PYTHONMALLOC", "PYTHONSAFEPATH", "GRPC_VERBOSITY", "GRPC_TRACE", "GRPC_POLL_STRATEGY",
    "GRPC_ENABLE_FORK_SUPPORT", "MPLBACKEND", "DISPLAY", "LANG", "TMPDIR", "TEMP", "TMP", "MALLOC_CONF",
    "MALLOC_ARENA_MAX", "COLAB_GPU", "COLAB_RELEASE_TAG", "COLAB_TPU_ADDR", "KAGGLE_KERNEL_RUN_TYPE", "TFHUB_CACHE_DIR",
    "SLURM_JOB_ID", "SLURM_JOB_NUM_NODES", "SLURM_JOB_GPUS", "SLURM_GPUS", "SLURM_GPUS_ON_NODE", "SLURM_GPUS_PER_NODE",
    "SLURM_GPUS_PER_TASK", "SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU", "SLURM_MEM_PER_GPU", "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NNODES", "SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE",
    "SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "PBS_JOBID", "LSB_JOBID", "WORLD_SIZE", "RANK", "LOCAL_RANK",
    "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION", "ITEX_VERBOSE",
))
# fmt: on
# Whether there is one is what counts; the values hold passwords.
PRESENCE_NAMES = frozenset(
    name for lower in ("http_proxy", "https_proxy", "no_proxy", "all_proxy") for name in (lower, lower.upper())
)
_SECRET_WORDS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "JWT", "APIKEY", "API_KEY", "ACCESS_KEY")
_FOREIGN_PREFIXES = ("TF_VAR_", "TF_CLI_", "TF_TOKEN_", "TF_HTTP_")  # Terraform's, not TensorFlow's


def environment_variable(name: str, value: str) -> "str | None":
    """What may be told of an environment variable: its value, ``set`` where only that may be told, ``None`` for nothing."""
    if name in PRESENCE_NAMES:
        return "set"
    if (name not in ENVIRONMENT_NAMES and not name.startswith(ENVIRONMENT_PREFIXES)) or name.startswith(_FOREIGN_PREFIXES):
        return None
    if any(word in name.upper() for word in _SECRET_WORDS) or re.search(r"://[^/\s]*@", value):
        return "set"
    return value[:4096]


def read_environment_variables(findings: Findings) -> None:
    """``env.*``; the group is marked as read whole, so that a name of the allow-list that is missing is not set."""
    for name in sorted(os.environ):
        value = environment_variable(name, os.environ[name])
        if value is not None:
            findings.put("env." + name, value, "environment variable")
    findings.about["env"] = {"source": "environment variables that bear on training", "state": "ok"}


# ---------------------------------------------------------------------------------------------------------------------
# The interpreter and its packages.


def read_interpreter(findings: Findings) -> None:
    """``python.*`` but for what the listing of packages shows."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[3] != "final":
        version += {"alpha": "a", "beta": "b", "candidate": "rc"}[sys.version_info[3]] + str(sys.version_info[4])
    findings.put("python.version", version, "interpreter")
    findings.put("python.executable", sys.executable or None, "interpreter")
    findings.put("python.bits", 64 if sys.maxsize > 1 << 32 else 32, "interpreter")
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        kind = "conda"
    else:
        kind = "venv" if sys.prefix != getattr(sys, "base_prefix", sys.prefix) else "system"
    findings.put("python.environment", kind, "interpreter")
    findings.put("python.start_failure", None, "interpreter")


def _normalised(name: str) -> str:
    """A distribution's name as the packaging standards compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Distribution:
    """One installed distribution, as the listing of its folder shows it."""

    __slots__ = ("entry", "folder", "name", "version")

    def __init__(self, name: str, version: "str | None", folder: str, entry: str) -> None:
        self.name = name
        self.version = version
        self.folder = folder
        self.entry = entry


def list_distributions(folders: "list[str]") -> "tuple[list[Distribution], list[tuple[str, str]]]":
    """Installed distributions by listing folders, which costs a thousandth of asking ``importlib.metadata``.

    Returns:
        the distributions in the order of ``sys.path``, and (name, folder) of what pip left over (``~ensorflow``).
    """
    found, leftovers = [], []
    for folder in folders:
        for entry in _names(folder):
            if entry.startswith("~"):
                leftovers.append((entry, folder))
                continue
            stem, dot, extension = entry.rpartition(".")
            if extension not in ("dist-info", "egg-info", "egg") or not dot:
                continue
            parts = stem.split("-")
            version = parts[1] if len(parts) > 1 and parts[1][:1].isdigit() else None
            if version is None:
                stated = re.search(r"^Version: *(\S+)", _metadata(folder, entry), re.MULTILINE)
                version = stated.group(1) if stated else None
            found.append(Distribution(_normalised(parts[0]), version, folder, entry))
    return found, leftovers


def _metadata(folder: str, entry: str) -> str:
    for part in ("METADATA", "PKG-INFO", os.path.join("EGG-INFO", "PKG-INFO")):
        text = _read(os.path.join(folder, entry, part), 8192)
        if text:
            return text
    return _read(os.path.join(folder, entry), 8192) if os.path.isfile(os.path.join(folder, entry)) else ""


def read_packages(findings: Findings, path: "list[str]") -> "dict[str, str]":
    """``packages.*`` (all of them, by normalised name), ``python.pip_version``, ``python.broken_distribution``.

    Returns:
        the folders of the distributions, by name.
    """
    folders = []
    for folder in path:
        if folder and not folder.endswith(".zip") and folder not in folders and os.path.isdir(folder):
            folders.append(folder)
    distributions, leftovers = list_distributions(folders)
    chosen = {}  # type: dict[str, Distribution]
    for distribution in distributions:
        chosen.setdefault(distribution.name, distribution)
    for name, distribution in chosen.items():
        findings.put("packages." + name, distribution.version, "pip metadata")
    if folders:
        findings.about["packages"] = {"source": "pip metadata", "state": "ok"}
    pip = chosen.get("pip")
    findings.put("python.pip_version", pip.version if pip else None, "pip metadata")
    broken = _broken_distributions(distributions, leftovers)
    if broken:
        findings.put("python.broken_distribution", broken[0][0], broken[0][1])
    else:
        findings.put("python.broken_distribution", None, "pip metadata")
    return {name: distribution.folder for name, distribution in chosen.items()}


# The module that a distribution must bring; a distribution that is listed without it was removed by halves.
_MODULES = {
    "tensorflow": "tensorflow",
    "tensorflow-cpu": "tensorflow",
    "tensorflow-gpu": "tensorflow",
    "tf-nightly": "tensorflow",
}
_MODULES.update({"keras": "keras", "tf-keras": "tf_keras", "numpy": "numpy", "h5py": "h5py", "protobuf": "google/protobuf"})
_MODULES.update(
    {"ml-dtypes": "ml_dtypes", "scipy": "scipy", "pandas": "pandas", "torch": "torch", "jax": "jax", "wrapt": "wrapt"}
)


def _broken_distributions(found: "list[Distribution]", leftovers: "list[tuple[str, str]]") -> "list[tuple[str, str]]":
    """(name, what is wrong and where), those that TensorFlow needs first."""
    broken = []
    names = {distribution.name[1:]: distribution.name for distribution in found}
    names.update({name[1:]: name for name in _MODULES})
    for entry, folder in leftovers:
        tail = _normalised(entry[1:].partition("-")[0] if entry.endswith("-info") else entry[1:])
        broken.append((names.get(tail, entry), "left over by pip: " + os.path.join(folder, entry)))
    first = {}  # type: dict[tuple[str, str], Distribution]
    for distribution in found:
        name, folder = distribution.name, distribution.folder
        other = first.setdefault((name, folder), distribution)
        if other is not distribution and other.version != distribution.version:
            broken.append((name, f"{other.entry} and {distribution.entry} both stand in {folder}"))
        if distribution.entry.endswith(".dist-info") and not os.path.exists(os.path.join(folder, distribution.entry, "METADATA")):
            broken.append((name, "no METADATA in " + os.path.join(folder, distribution.entry)))
        module = _MODULES.get(name) if distribution.entry.endswith("-info") else None
        if module and not _is_editable(distribution) and not os.path.isfile(os.path.join(folder, module, "__init__.py")):
            broken.append((name, f"no {module}/__init__.py in {folder}"))
    return sorted(broken, key=lambda item: item[0] not in _MODULES)


def _is_editable(distribution: Distribution) -> bool:
    """Whether the distribution's code stands elsewhere: installed from a working tree."""
    return os.path.exists(os.path.join(distribution.folder, distribution.entry, "direct_url.json"))


_WATCHED = "tensorflow keras tf_keras tensorboard numpy scipy pandas h5py torch jax google absl wrapt six ml_dtypes grpc"
_WATCHED += " tensorflow_hub tensorflow_datasets tensorflow_probability transformers sklearn matplotlib cv2 PIL typing_extensions"
# Folders of these names stand in many projects and hide nothing that TensorFlow imports.
_HARMLESS = frozenset(("test", "tests", "this", "antigravity", "idlelib", "turtledemo", "setup"))


def find_shadowing(working_folder: str, path: "list[str]") -> "list[str]":
    """Files and folders that hide TensorFlow, one of its dependencies or a standard module.

    What stands in the working folder (a script's own folder) or before the standard library on ``sys.path`` is imported
    first. A folder without ``__init__.py`` hides nothing, because a regular package further down wins.
    """
    standard = getattr(sys, "stdlib_module_names", None) or {name.partition(".")[0] for name in _names(STANDARD_LIBRARY)}
    standard = set(standard) - set(sys.builtin_module_names) - _HARMLESS
    watched = set(_WATCHED.split())
    before = [working_folder] if working_folder else []
    for folder in path:
        if _is_standard_path(folder):
            break
        before.append(folder)
    found = []
    for folder in before:
        if os.path.basename(folder) in ("site-packages", "dist-packages") or _is_standard_path(folder):
            continue
        for entry in _names(folder):
            name = entry.rpartition(".")[0] if entry.endswith(".py") else entry
            if (name not in watched and name not in standard) or (folder == working_folder and name in STARTUP_MODULES):
                continue
            file = os.path.join(folder, entry)
            if entry.endswith(".py") or os.path.isfile(os.path.join(file, "__init__.py")):
                found.append((name not in watched, file))
    return [file for _, file in sorted(found)]


def read_shadowing(findings: Findings, path: "list[str]") -> None:
    """``python.shadowing_file``: the worst of what ``find_shadowing`` finds."""
    found = find_shadowing(_WORKING_FOLDER, path)
    findings.put("python.shadowing_file", found[0] if found else None, "working folder and sys.path")


# ---------------------------------------------------------------------------------------------------------------------
# TensorFlow's files, without importing them.


def read_tensorflow(findings: Findings, path: "list[str]") -> str:
    """``tensorflow.location`` and ``tensorflow.built_*``, from the text of the wheel's ``build_info.py``.

    Returns:
        the folder of the installed package, empty where there is none.
    """
    location = ""
    for folder in path:
        if folder and os.path.isfile(os.path.join(folder, "tensorflow", "__init__.py")):
            location = os.path.join(folder, "tensorflow")
            break
    findings.put("tensorflow.location", location or None, "sys.path")
    if not location:
        return ""
    text = _read(os.path.join(location, "python", "platform", "build_info.py"))
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
    """Sonames that a Linux build of TensorFlow opens at start (``TryDlopenCUDALibraries`` in its dlopen_checker).

    The numbers behind ``.so.`` are the sonames of NVIDIA's releases of the CUDA toolkit, 9.0 to 13.
    """
    numbers = [int(part) for part in cuda.split(".")[:2] if part.isdigit()] + [0]
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


def run_path(file: str) -> "tuple[bool, list[str]]":
    """Folders in which a shared library looks for others first, read from its ELF header (64 bit, little endian).

    Returns:
        (whether they come before LD_LIBRARY_PATH, as DT_RPATH does and DT_RUNPATH does not; the folders).
    """
    import struct

    try:
        return _run_path(file, struct)
    except struct.error:  # cut off
        return False, []


def _run_path(file: str, struct: "types.ModuleType") -> "tuple[bool, list[str]]":
    with open(file, "rb") as library:
        header = library.read(64)
        if header[:6] != b"\x7fELF\x02\x01":
            return False, []
        offset = struct.unpack_from("<Q", header, 32)[0]
        size, count = struct.unpack_from("<HH", header, 54)
        library.seek(offset)
        segments = list(struct.iter_unpack("<IIQQQQQQ", library.read(size * count)))
        entries = []  # type: list[tuple[int, int]]
        for kind, _, place, _, _, length, _, _ in segments:
            if kind == 2:  # PT_DYNAMIC
                library.seek(place)
                entries = list(struct.iter_unpack("<QQ", library.read(length // 16 * 16)))
        tags = dict(reversed(entries))
        tag = 29 if 29 in tags else 15  # DT_RUNPATH, DT_RPATH
        if tag not in tags or 5 not in tags:
            return False, []
        # DT_STRTAB is an address; the segment (PT_LOAD) that holds it tells where in the file that is.
        for kind, _, place, address, _, length, _, _ in segments:
            if kind == 1 and address <= tags[5] < address + length:
                library.seek(place + tags[5] - address + tags[tag])
                text = library.read(1 << 20).partition(b"\0")[0].decode("utf-8", "replace")
                origin = os.path.dirname(os.path.abspath(file))
                # TensorFlow's linker repeats the same few folders hundreds of times.
                parts = dict.fromkeys(part for part in text.split(":") if part)
                return tag == 15, list(dict.fromkeys(os.path.normpath(part.replace("$ORIGIN", origin)) for part in parts))
    return False, []


class LoaderPath:
    """Where the dynamic loader looks for libraries when TensorFlow opens them: folders in order, and the loader's cache."""

    __slots__ = ("cache", "folders", "listings")

    def __init__(self, tensorflow: str, root: str = "/") -> None:
        own, first = [], False
        for name in ("libtensorflow_framework.so.2", "libtensorflow_cc.so.2", "libtensorflow_framework.so.1"):
            file = os.path.join(tensorflow, name)
            if tensorflow and os.path.isfile(file):
                try:
                    before, folders = run_path(file)
                except OSError:
                    continue
                own += folders
                first = first or before
        given = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
        found = own + given if first else given + own
        self.folders = [folder for folder in dict.fromkeys(found) if os.path.isdir(folder)]
        self.listings = {folder: set(_names(folder)) for folder in self.folders}
        self.cache = _loader_cache(os.path.join(root, "etc/ld.so.cache"))
        for folder in ("/lib64", "/usr/lib64", "/lib", "/usr/lib"):
            for name in _names(os.path.join(root, folder.lstrip("/"))):
                if name.startswith(_FAMILIES):
                    self.cache.setdefault(name, []).append(folder + "/" + name)

    def files(self, soname: str) -> "list[str]":
        """Every file of that name on the path, in the order in which the loader looks; links to one file count once."""
        found = {}  # type: dict[str, str]
        for file in [folder + "/" + soname for folder in self.folders if soname in self.listings[folder]] + self.cache.get(
            soname, []
        ):
            if os.path.exists(file):
                found.setdefault(os.path.realpath(file), file)
        return list(found.values())

    def sonames(self, family: str) -> "list[str]":
        """Names such as ``libcudart.so.12`` of one family that stand anywhere on the path, in the loader's order."""
        pattern = re.compile(re.escape(family) + r"\.so\.[\d.]+$")
        seen = [name for folder in self.folders for name in sorted(self.listings[folder], key=len) if pattern.match(name)]
        seen += sorted((name for name in self.cache if pattern.match(name)), key=len)
        return list(dict.fromkeys(seen))


# fmt: off
_LIBRARIES = (
    "libcudart", "libcudnn", "libcublas", "libcublasLt", "libcufft", "libcusolver", "libcusparse",
    "libnccl", "libcupti", "libnvinfer",
)
# fmt: on
_FAMILIES = _LIBRARIES + ("libcuda.so",)


def _loader_cache(file: str) -> "dict[str, list[str]]":
    """Soname -> files, from the strings of glibc's ``ld.so.cache``: a name, then its path, each ended by a zero byte."""
    try:
        with open(file, "rb") as cache:
            data = cache.read(1 << 24)
    except OSError:
        return {}
    found = {}  # type: dict[str, list[str]]
    for part in data.split(b"\0"):
        if part.startswith(b"/") and b"/lib" in part:
            path = part.decode("utf-8", "replace")
            name = path.rpartition("/")[2]
            if name.startswith(_FAMILIES) and "/i386-" not in path and "/lib32/" not in path:
                found.setdefault(name, []).append(path)
    return found


def read_cuda(findings: Findings, path: "list[str]", tensorflow: str) -> "list[list[str]]":
    """``cuda.*``: which libraries TensorFlow would get. What only loading can tell is left to the plan.

    Returns:
        the plan: [soname, file] of what should be loaded in a process of its own (``load``).
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
    for family in _LIBRARIES:
        # Where the wanted one is missing, another release may be there: that is worth saying.
        for name in [name for name in wanted if name.startswith(family + ".")] + loader.sonames(family):
            files = loader.files(name)
            if files:
                chosen[name] = files[0]
                break
    source = "loader's path"
    if wanted:
        missing = [name for name in wanted if name not in chosen]
        findings.put("cuda.missing_libraries", missing, source)
        findings.put("cuda.unreached_folder", _unreached_folder(missing, path), "known folders")
    findings.put("cuda.libraries", sorted(chosen.values()), source)
    findings.put("cuda.duplicate_libraries", [name for name in sorted(chosen) if len(loader.files(name)) > 1], source)
    driver = loader.files("libcuda.so.1") or loader.files("libcuda.so")
    # The toolkit brings a stub to link against; it loads, and finds no device.
    stub = "stubs" in os.path.realpath(driver[0]).split("/") if driver else None
    findings.put("cuda.stub_driver", stub, driver[0] if driver else source)
    _read_compiler(findings, path, tensorflow)
    return [[name, chosen[name]] for name in chosen if name in wanted or name.startswith(("libcudart.", "libcudnn."))]


def _unreached_folder(missing: "list[str]", path: "list[str]") -> "str | None":
    """A folder that holds a missing library although the loader does not look there."""
    if not missing:
        return None
    folders = [os.path.join(root, part) for root in _cuda_roots() for part in ("lib64", "lib", "targets/x86_64-linux/lib")]
    folders.append(os.path.join(sys.prefix, "lib"))
    for folder in path:
        wheels = os.path.join(folder, "nvidia")
        folders += [os.path.join(wheels, name, "lib") for name in _names(wheels)]
    for folder in folders:
        if any(os.path.exists(os.path.join(folder, name)) for name in missing):
            return folder
    return None


def _cuda_roots() -> "list[str]":
    """Folders of CUDA toolkits: XLA's flag, the usual variables, and what stands under /usr/local."""
    given = re.search(r"--xla_gpu_cuda_data_dir=(\S+)", os.environ.get("XLA_FLAGS", ""))
    roots = [given.group(1).strip("\"'")] if given else []
    roots += [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_DIR") if os.environ.get(name)]
    roots.append("/usr/local/cuda")
    roots += ["/usr/local/" + name for name in _names("/usr/local") if name.startswith("cuda-")]
    return [root for root in dict.fromkeys(roots) if os.path.isdir(root)]


def _read_compiler(findings: Findings, path: "list[str]", tensorflow: str) -> None:
    """ptxas and libdevice where XLA looks: its flag, PATH (ptxas only), /usr/local/cuda, the wheels, TensorFlow's own copy.

    The order is that of ``CandidateCudaRoots`` and ``FindCudaExecutable`` in TensorFlow's source.
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
    devices = [os.path.join(root, "nvvm", "libdevice") for root in flag + roots] + [_WORKING_FOLDER]
    findings.put("cuda.libdevice", _first_file(devices, "libdevice.10.bc"), "XLA's folders")


def _first_file(folders: "list[str]", name: str) -> "str | None":
    for folder in folders:
        if folder and os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return None


def _read_cuda_on_windows(findings: Findings, tensorflow: str) -> None:
    """On Windows the names of the libraries stand in ``build_info.py`` (TensorFlow 2.10 and older), to be found on PATH."""
    text = _read(os.path.join(tensorflow, "python", "platform", "build_info.py")) if tensorflow else ""
    wanted = re.findall(r"(?:cudart|cudnn)_dll_name'?\"?\s*[,:=]\s*['\"]([\w.]+)['\"]", text)
    if not wanted:
        return
    folders = os.environ.get("PATH", "").split(os.pathsep)
    missing = [name for name in wanted if not _first_file(folders, name)]
    findings.put("cuda.missing_libraries", missing, "PATH")
    findings.put("cuda.libraries", [_first_file(folders, name) for name in wanted if name not in missing], "PATH")


# ---------------------------------------------------------------------------------------------------------------------
# All of it.


def _guarded(findings: Findings, group: str, reader: "object", *arguments: object) -> object:
    """Run one reader; what it cannot read is marked so, and the others go on."""
    try:
        return reader(*arguments)  # type: ignore[operator]
    except Exception as error:  # noqa: BLE001 - whatever one reader runs into, the others must go on
        findings.about[group] = {"source": f"{type(error).__name__}: {error}", "state": "not-readable"}
        return None


def machine_findings(root: str = "/") -> Findings:
    """What can be said of the machine without any interpreter of the person's."""
    findings = Findings()
    for reader in (read_operating_system, read_processor, read_memory, read_control_group):
        _guarded(findings, "os" if reader is read_operating_system else "host", reader, findings, root)
    _guarded(findings, "host", read_limits, findings)
    _guarded(findings, "env", read_environment_variables, findings)
    return findings


def collect() -> "tuple[Findings, list[list[str]]]":
    """Everything that this interpreter can see, and the plan of what to load."""
    findings = machine_findings()
    _guarded(findings, "python", read_interpreter, findings)
    _guarded(findings, "packages", read_packages, findings, PERSON_PATH)
    _guarded(findings, "python.shadowing_file", read_shadowing, findings, PERSON_PATH)
    tensorflow = _guarded(findings, "tensorflow", read_tensorflow, findings, PERSON_PATH)
    plan = _guarded(findings, "cuda", read_cuda, findings, PERSON_PATH, tensorflow or "")
    return findings, plan if isinstance(plan, list) else []


def main() -> None:
    """Print the facts, and under ``_plan`` what to load for trial."""
    findings, plan = collect()
    document = findings.document()
    document["_plan"] = plan
    sys.stdout.write("\n" + MARKER + json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
