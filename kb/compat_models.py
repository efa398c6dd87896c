"""The schema of the compatibility tables, for the build: pydantic models that reject a wrong figure and name it."""

import typing

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tfhelp.kb import versions


def _version(text: str) -> str:
    if versions.parse(text) is None:
        raise ValueError(f"not a version: {text!r}")
    return text


def _range(text: str) -> str:
    versions.clauses(text)
    return text


Version = typing.Annotated[str, AfterValidator(_version)]
Range = typing.Annotated[str, AfterValidator(_range)]
Text = typing.Annotated[str, Field(min_length=1)]
Platform = typing.Literal["linux_x86_64", "linux_aarch64", "windows", "macos_x86_64", "macos_arm64"]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class _Sourced(_Row):
    source: Text = Field(alias="from")


class PlatformRow(_Row):
    """The wheel of a release for one platform."""

    tag: Text | list[Text]
    gpu: bool
    stub_for: Text | None = None
    python: list[Version] | None = None


class LibraryRow(_Row):
    """Version of CUDA or cuDNN that a release needs."""

    built_with: Version | None = None
    tested: Version | None = None
    source: Text | None = Field(None, alias="from")


class WindowsGpu(_Sourced):
    """Native Windows with a GPU."""

    package: Text
    cuda: Version
    cudnn: Version


class GpuCode(_Sourced):
    """Compute capabilities that a wheel has code for."""

    machine_code: list[Version]
    machine_code_in_part: list[Version]
    ptx: list[Version]
    minimum: Version
    jit_driver_branch: int


class GeneratedKernels(_Sourced):
    """PTX of the elementwise kernels."""

    ptx_isa: Version
    target: typing.Annotated[str, Field(pattern=r"^sm_\d{2,3}a?$")]


class ExtraFails(_Sourced):
    """Python versions for which pip cannot install ``[and-cuda]``."""

    python: Range


class Release(_Row):
    """One TensorFlow release: the values of its line, overridden by its own."""

    version: Version
    built: str | None = Field(None, pattern=r"^\d{4}-\d\d-\d\d$")
    released: str | None = Field(None, pattern=r"^\d{4}-\d\d(-\d\d)?$")
    prerelease: bool = False
    python: list[Version] = Field(min_length=1)
    platforms: dict[Platform, PlatformRow] = Field(min_length=1)
    gpu_package: Text
    windows_gpu: WindowsGpu | None = None
    cuda: LibraryRow
    cudnn: LibraryRow
    min_driver_linux: Version
    gpu_code: GpuCode | None = None
    generated_kernels: GeneratedKernels | None = None
    and_cuda: dict[str, Range] | None = None
    and_cuda_fails: ExtraFails | None = None
    requires: dict[str, Range | dict[Range, Range]]
    protobuf_generated_with: Version | None = None
    fresh_install: dict[str, bool | str] | None = None


class Line(_Row):
    """A minor release: the values that its releases share, and those of each release. They are validated after they are
    joined.
    """

    line: Version
    shared: dict[str, typing.Any]
    releases: dict[Version, dict[str, typing.Any]] = Field(min_length=1)


class Bound(_Sourced):
    """An upper bound on a package that the metadata does not state."""

    package: Text
    tensorflow: Range
    works_with: typing.Annotated[Range, Field(pattern=r"^<\d")]


class Companion(_Sourced):
    """A package that is installed with TensorFlow, and which of its releases fits."""

    package: Text
    tensorflow: Range
    works_with: typing.Literal["same-minor"] | Range


class CudnnLimit(_Sourced):
    """Versions of cuDNN that a GPU needs."""

    compute_capability: Range
    works_with: Range


class Rule(_Sourced):
    """A sentence with its source."""

    says: Text


class TensorFlowTable(_Row):
    """``tensorflow.yaml``."""

    checked: str
    newest: dict[typing.Literal["stable", "prerelease"], Version]
    wheel_tags: dict[str, dict[typing.Literal["glibc", "macos", "pip"], Version]]
    bounds: list[Bound]
    companions: list[Companion]
    cudnn_limits: list[CudnnLimit]
    legacy_keras: dict[str, str]
    rules: list[Rule]
    lines: list[Line] = Field(min_length=1)


class Compiler(_Sourced):
    """The compute capabilities that CUDA releases compile for."""

    cuda: list[Version]
    targets: list[Version]


class GpuGroup(_Sourced):
    """GPUs of one compute capability, with their memory in GiB (several sizes: a list)."""

    compute_capability: Version
    architecture: Text
    memory_gib: dict[str, float | list[float]]


class CapabilityRow(_Row):
    """A compute capability and the CUDA releases that compile for it."""

    architecture: Text
    first_cuda: Version
    last_cuda: Version | None = None


class CudnnRow(_Sourced):
    """A cuDNN release, or a span of them (``9.0 to 9.10``)."""

    cudnn: Text
    cuda: list[Version]
    minimum: Version
    note: str | None = None


class PackageRow(_Row):
    """A pip package and the library files that it contains."""

    package: Text
    cuda: int
    folder: Text
    sonames: list[Text]
    brings: str | None = None


class WindowsRow(_Row):
    """DLLs of a CUDA release."""

    cuda: Range
    files: list[Text]
    cudnn: Text


class CudaTable(_Row):
    """``cuda.yaml``."""

    checked: str
    rules: list[Text]
    driver_minimum: dict[str, dict[typing.Literal["linux", "windows", "wsl"], Version]]
    driver_last_branch: dict[str, int]
    driver_first_branch: dict[Version, int]
    ptx_minimum: dict[Version, Version]
    drivers: dict[Version, dict[typing.Literal["linux", "windows", "from"], str]]
    compilers: list[Compiler]
    ptx: dict[Version, dict[typing.Literal["ptx_isa", "driver_branch", "from"], str | int | None]]
    compute_capabilities: dict[Version, CapabilityRow]
    gpus: list[GpuGroup]
    cudnn: list[CudnnRow]
    libraries: list[dict[str, Text]]
    windows_libraries: list[WindowsRow]
    packages: list[PackageRow]
    driver_libraries: list[Text]


class XidRow(_Row):
    """One Xid code."""

    name: Text
    meaning: Text
    fault: typing.Literal["application", "driver", "hardware", "mixed"]
    severity: typing.Literal["info", "warning", "error", "fatal"]
    healthy_after: bool = False
    looks_like: list[Text] = []
    do: list[Text] = Field(min_length=1)


class XidTable(_Row):
    """``xid.yaml``."""

    checked: str
    rules: list[Text]
    xids: dict[int, XidRow]


class Meaning(_Row):
    """A named number and what it means for a training run."""

    name: Text
    meaning: Text


class Signal(_Row):
    """A signal of Linux."""

    number: int = Field(gt=0, lt=65)
    meaning: Text


class Status(Meaning):
    """A Windows status code; ``like`` names the signal that means the same."""

    like: Text | None = None


class ExitTable(_Row):
    """``exit.yaml``."""

    checked: str
    codes: dict[int, Meaning]
    signals: dict[str, Signal]
    macos_numbers: dict[str, int]
    ntstatus: dict[typing.Annotated[str, Field(pattern=r"^0x[0-9A-F]{8}$")], Status]
    winerrors: dict[int, Meaning]
