"""The facts model: what can be known about a machine, a run, a log and a program.

It is one JSON document: ``tfhelp collect`` prints it, the API accepts it, and checks refer to it. A missing key means unknown;
``null`` means that the fact was looked for and is not there. Versions are strings as people write them. The model is the source; ``fact_table``
flattens it for the cold path (``tfhelp.kb.fact_sheet``), which does not import pydantic.
"""

import types
import typing

from pydantic import BaseModel, ConfigDict, Field

from tfhelp.kb.facts_of_code import Code
from tfhelp.kb.facts_of_course import Course
from tfhelp.kb.facts_of_learning import Learning
from tfhelp.kb.facts_of_log import Log
from tfhelp.kb.facts_of_tries import Tried

_Name = typing.Annotated[str, Field(min_length=1)]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class OperatingSystem(_Group):
    """The operating system of the training machine."""

    name: typing.Literal["linux", "windows", "macos"] | None = None
    release: str | None = Field(None, description="release as the system reports it, for example 'Ubuntu 22.04'")
    wsl: bool | None = None
    container: bool | None = None
    architecture: str | None = Field(None, description="machine type as uname reports it: x86_64, aarch64, arm64")
    glibc: str | None = Field(None, description="version of the C library")
    virtual_machine: bool | None = None


class Python(_Group):
    """The interpreter that runs the training."""

    version: str | None = None
    executable: str | None = None
    environment: typing.Literal["venv", "conda", "system"] | None = None
    bits: int | None = Field(None, description="32 or 64")
    shadowing_file: str | None = Field(None, description="a file or folder that hides tensorflow, keras or a standard module")
    broken_distribution: str | None = Field(None, description="a partly removed or duplicated distribution, by name")
    pip_version: str | None = None
    start_failure: str | None = Field(
        None, description="why the interpreter did not run a small program: 'SIGSEGV', 'exit code 1'"
    )


class TensorFlow(_Group):
    """Details of the installed TensorFlow besides its version; ``import_*`` and ``visible_gpus`` require an import."""

    location: str | None = Field(None, description="folder that ``import tensorflow`` would use")
    cuda_build: bool | None = Field(None, description="the installed build can use CUDA")
    built_cuda_version: str | None = Field(None, description="CUDA version that the installed build was compiled with")
    built_cudnn_version: str | None = Field(None, description="cuDNN version that the installed build was compiled with")
    import_state: typing.Literal["ok", "failed", "crashed", "timed-out"] | None = None
    import_seconds: float | None = None
    import_signal: str | None = Field(None, description="signal that ended the import, for example SIGILL")
    import_output: list[str] | None = Field(None, description="last lines that the import wrote to standard error")
    visible_gpus: list[str] | None = Field(None, description="GPUs that TensorFlow lists, as '/physical_device:GPU:0'")


class Cuda(_Group):
    """The CUDA toolkit or runtime that the loader would find."""

    version: str | None = None
    runtime_file: str | None = Field(None, description="file of libcudart that the loader finds")
    ptxas: str | None = Field(None, description="path of ptxas")
    ptxas_version: str | None = None
    libdevice: str | None = Field(None, description="path of libdevice.10.bc where XLA would look")
    missing_libraries: list[str] | None = Field(
        None, description="sonames that this TensorFlow needs and the loader does not find"
    )
    duplicate_libraries: list[str] | None = Field(None, description="sonames found more than once on the loader's path")
    libraries: list[str] | None = Field(None, description="files that the loader uses, one for each CUDA library found")
    unloadable_libraries: list[str] | None = Field(None, description="found but not loadable: 'soname: what the loader says'")
    unreached_folder: str | None = Field(None, description="folder that holds missing libraries but is not on the loader's path")
    stub_driver: bool | None = Field(None, description="the libcuda that the loader finds is a stub")


class Cudnn(_Group):
    """The cuDNN that the loader would find."""

    version: str | None = None
    runtime_file: str | None = None


class Driver(_Group):
    """NVIDIA's driver."""

    version: str | None = None
    cuda_version: str | None = Field(None, description="newest CUDA the driver can run; nvidia-smi calls it CUDA Version")
    library_version: str | None = Field(
        None, description="version of the user-space library if it differs from the kernel module"
    )
    state: typing.Literal["ok", "absent", "not-permitted", "mismatch", "timed-out", "gpu-lost"] | None = None
    xid: list[int] | None = Field(None, description="Xid codes in the kernel log, oldest first")
    nouveau: bool | None = Field(None, description="the kernel has loaded nouveau, the free driver that blocks NVIDIA's")


class GpuProcess(_Group):
    """A process that uses GPU memory."""

    pid: int | None = None
    name: str | None = None
    memory_mib: float | None = None


class Gpu(_Group):
    """One GPU as the driver shows it."""

    name: str | None = None
    compute_capability: str | None = None
    memory_total_mib: float | None = None
    memory_used_mib: float | None = None
    processes: list[GpuProcess] | None = None
    utilization_percent: float | None = None
    temperature_celsius: float | None = None
    throttle_reasons: list[str] | None = None
    ecc_uncorrected: int | None = Field(None, description="uncorrectable ECC errors, volatile count")
    mig_mode: bool | None = None
    compute_mode: str | None = Field(None, description="default, exclusive-process or prohibited")


class Host(_Group):
    """Memory, disk, processor and limits of the machine."""

    memory_total_mib: float | None = None
    memory_available_mib: float | None = None
    swap_total_mib: float | None = None
    swap_free_mib: float | None = None
    cgroup_limit_mib: float | None = Field(None, description="memory limit of the control group (container, job)")
    cgroup_used_mib: float | None = None
    cgroup_oom_kills: int | None = Field(
        None, description="processes of this control group that the kernel killed for lack of memory"
    )
    shm_total_mib: float | None = None
    shm_free_mib: float | None = None
    disk_free_mib: float | None = Field(None, description="free space of the working folder")
    temporary_free_mib: float | None = Field(None, description="free space of the temporary folder")
    open_files_limit: int | None = None
    open_files: int | None = Field(None, description="largest number of files the run held open")
    address_space_limit_mib: float | None = Field(None, description="ulimit -v")
    data_limit_mib: float | None = Field(None, description="ulimit -d")
    file_size_limit_mib: float | None = Field(None, description="ulimit -f")
    locked_memory_limit_kib: float | None = Field(None, description="ulimit -l")
    stack_limit_kib: float | None = Field(None, description="ulimit -s")
    cpu_count: int | None = None
    cpu_model: str | None = None
    avx: bool | None = None
    avx2: bool | None = None
    fma: bool | None = None
    nvidia_devices: int | None = Field(None, description="NVIDIA graphics devices on the PCI bus, with or without a driver")
    oom_killed: str | None = Field(None, description="last process that the kernel log says was killed for lack of memory")


WaitingCall = typing.Literal[
    "lock", "queue", "thread", "process", "network", "data", "collective", "cluster", "tensorflow", "sleep", "input"
]


class Run(_Group):
    """How the training process ran and ended."""

    exit_code: int | None = None
    signal: str | None = Field(None, description="name of the signal, for example SIGKILL")
    pid: int | None = Field(None, description="process id of the training process; GPU memory that it holds is its own")
    killed_by: typing.Literal["oom-killer", "outside", "itself"] | None = Field(
        None, description="who sent the signal that ended it: the kernel for lack of memory, another process, its own crash"
    )
    received_signal: str | None = Field(
        None, description="termination signal that came from outside and was passed on to the training process"
    )
    seconds: float | None = Field(None, description="how long it ran")
    seconds_since_output: float | None = Field(None, description="how long it had printed nothing when it ended or was inspected")
    hung: bool | None = Field(None, description="it was inspected because it had made no progress for a long time")
    processes: int | None = Field(None, description="number of processes at the end, including the training process itself")
    cores_busy: float | None = Field(None, description="busy processor cores over the last half minute; 1.0 is one")
    memory_peak_mib: float | None = Field(None, description="largest resident memory of the training with its processes")
    memory_limit_mib: float | None = Field(None, description="memory that it could use: the machine's, or its control group's")
    address_space_peak_mib: float | None = Field(
        None, description="largest address space of one of its processes, if ulimit -v limits it"
    )
    memory_pattern: typing.Literal["steady-growth", "step", "plateau-at-limit", "flat"] | None = Field(
        None, description="shape of its memory over time, the first fifth of the run left out"
    )
    memory_slope_mib_per_minute: float | None = Field(None, description="growth of its memory over the same time")
    memory_grew_in_silence: bool | None = Field(None, description="its memory rose after the last line that it wrote")
    gpu_idle_share: float | None = Field(None, description="share of the time in which the GPUs that it used did nothing")
    workers: int | None = Field(None, description="number of workers in TF_CONFIG of its environment, including the chief")
    gpus_held: int | None = Field(None, description="GPUs whose memory it filled")
    gpus_busy: int | None = Field(None, description="how many of these GPUs also computed")
    waits_for: typing.Literal["lock", "pipe", "driver", "sleep", "child", "event", "disk", "nothing", "other"] | None = Field(
        None, description="what the main thread of a hanging run waits for, according to the kernel"
    )
    workers_wait_for: list[str] | None = Field(
        None, description="what the processes that it started wait for, each kind once, with the values of waits_for"
    )
    waits_in: WaitingCall | None = Field(
        None, description="kind of the Python call in which the main thread of a hanging run waits"
    )
    waits_line: str | None = Field(None, description="the user's own line in which it waits: 'train.py line 12: work.get()'")
    worker_processes: int | None = Field(
        None, description="Python processes that the run started and that are alive while it hangs"
    )
    workers_wait_in: list[str] | None = Field(
        None, description="calls in which its worker processes wait, each kind once, with the values of waits_in, or 'other'"
    )
    data_waits_in: WaitingCall | None = Field(
        None, description="kind of the call in which the user's generator or py_function waits while the run hangs"
    )
    data_line: str | None = Field(None, description="the line of the user's generator or py_function that runs at that time")
    crash_line: str | None = Field(None, description="the user's own line in which a process of the run crashed")
    crash_call: str | None = Field(None, description="file and function of the innermost Python call at the crash")
    processes_failed: int | None = Field(
        None, description="processes of the run that an exception or a crash in the user's code ended"
    )
    first_failure: str | None = Field(None, description="which of them failed first, and how")

    phase: typing.Literal["import", "tracing", "training", "validation", "evaluation", "prediction", "exit"] | None = Field(
        None,
        description="what the main thread of a hanging run is doing, judged by the frames of TensorFlow, Keras and Python; "
        "exit: the program has run its last line",
    )
    thread_line: str | None = Field(
        None, description="the user's own line in which a thread still runs at the end of the program"
    )
    worker_lines: list[str] | None = Field(
        None, description="the user's own lines at which its worker processes are while it hangs, each once"
    )
    workers_forked: bool | None = Field(None, description="a worker process is a fork of the training process, not a new process")
    processes_lost: int | None = Field(
        None, description="Python processes of the run that ended without an exception, a crash or a regular exit"
    )
    crash_in: typing.Literal["own-code", "tensorflow", "library"] | None = Field(
        None, description="who owns the innermost Python call at the crash"
    )
    crash_recursion: bool | None = Field(None, description="the stack at the crash is very deep and repeats the same calls")
    data_peak_mib: float | None = Field(None, description="most private memory of one of its processes, if ulimit -d limits it")


class Facts(BaseModel):
    """The whole document. ``derived.*`` is not part of it: it is computed, and rejected in a request."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    about: dict[str, dict[str, str]] | None = Field(None, alias="_about")
    os: OperatingSystem = OperatingSystem()
    python: Python = Python()
    packages: dict[_Name, str | None] = {}
    env: dict[_Name, str | None] = {}
    tensorflow: TensorFlow = TensorFlow()
    cuda: Cuda = Cuda()
    cudnn: Cudnn = Cudnn()
    driver: Driver = Driver()
    gpus: list[Gpu] | None = None
    host: Host = Host()
    run: Run = Run()
    log: Log = Log()
    course: Course = Course()
    learning: Learning = Learning()
    code: Code = Code()
    tried: Tried = Tried()


def fact_table() -> dict[str, str]:
    """The model as one flat table for the cold path.

    Returns:
        path -> type: ``text``, ``number``, ``integer``, ``boolean``, ``texts`` (a list), ``integers`` (a list),
        ``one of a|b``; ``packages.*`` and ``env.*`` stand for any name, ``gpus[].name`` for a key of a list's items.
    """
    table: dict[str, str] = {}
    for name, field in Facts.model_fields.items():
        if name == "about":
            continue
        _flatten(name, field.annotation, table)
    return table


def _flatten(path: str, annotation: typing.Any, table: dict[str, str]) -> None:
    arguments = [part for part in typing.get_args(annotation) if part is not type(None)]
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        _flatten(path, arguments[0], table)
    elif origin is typing.Literal:
        table[path] = "one of " + "|".join(arguments)
    elif origin is dict:
        table[f"{path}.*"] = "text"
    elif origin is list and isinstance(arguments[0], type) and issubclass(arguments[0], BaseModel):
        table[path] = "list"
        for name, field in arguments[0].model_fields.items():
            _flatten(f"{path}[].{name}", field.annotation, table)
    elif origin is list:
        table[path] = {str: "texts", int: "integers"}[arguments[0]]
    elif issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            _flatten(f"{path}.{name}", field.annotation, table)
    else:
        table[path] = {str: "text", float: "number", int: "integer", bool: "boolean"}[annotation]
