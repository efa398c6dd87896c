"""Versions that must match each other: TensorFlow, Python, CUDA, cuDNN, driver, NumPy, protobuf, Keras."""

import typing

from tfhelp.kb import choice, compatibility, release_range, versions
from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.releases import KERAS, TENSORFLOW
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

DISTRIBUTIONS = (
    "tensorflow",
    "tensorflow-gpu",
    "tensorflow-cpu",
    "tensorflow-intel",
    "tensorflow-macos",
    "tensorflow-cpu-aws",
    "intel-tensorflow",
    "tensorflow-rocm",
    "tensorflow-directml",
    "tf-nightly",
    "tf-nightly-gpu",
    "tf-nightly-cpu",
)
VERSION = "derived.tensorflow_version"
DISTRIBUTION = "derived.tensorflow_distribution"


@derived(DISTRIBUTION, "text", uses=("packages.*",))
def tensorflow_distribution(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The package that contains the module tensorflow: tensorflow, tensorflow-cpu, tf-nightly and so on."""
    for name in DISTRIBUTIONS:
        if read.package(sheet, name):
            return name
    return None if read.packages_listed(sheet) else UNKNOWN


@derived(VERSION, "text", uses=(DISTRIBUTION, "packages.*"))
def tensorflow_version(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Version of TensorFlow, from any package that contains it."""
    name = read.text(sheet, DISTRIBUTION)
    return read.package(sheet, name) if name else sheet.get(DISTRIBUTION)


@derived("derived.tensorflow_minor", "text", needs=(VERSION,))
def tensorflow_minor(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Minor release of TensorFlow, for example 2.16."""
    return versions.minor_release(sheet.get(VERSION)) or UNKNOWN


@derived(
    "derived.keras_major",
    "integer",
    uses=(VERSION, TENSORFLOW, KERAS, "packages.keras", "packages.tf-keras", "env.TF_USE_LEGACY_KERAS"),
)
def keras_major(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Major version of the Keras behind tf.keras: 2 or 3."""
    version = sheet.get(VERSION)
    keras3 = versions.satisfies(version, ">=2.16")
    if keras3 is None:
        keras3 = release_range.satisfies(sheet.get(TENSORFLOW), ">=2.16")
    if keras3 and read.text(sheet, "env.TF_USE_LEGACY_KERAS") in ("1", "True", "true"):
        return 2
    installed = versions.major(read.package(sheet, "keras"))
    if installed is not None:
        return installed
    is_new = release_range.satisfies(sheet.get(KERAS), ">=3")
    if is_new is not None:
        return 3 if is_new else 2
    return UNKNOWN if keras3 is None else 3 if keras3 else 2


@derived("derived.python_minor", "text", needs=("python.version",))
def python_minor(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Minor version of Python, for example 3.12."""
    return versions.minor_release(sheet.get("python.version")) or UNKNOWN


@derived(
    "derived.python_supported", "boolean", needs=("python.version",), uses=(VERSION, DISTRIBUTION, "os.name", "os.architecture")
)
def python_supported(sheet: FactSheet, tables: Tables) -> typing.Any:
    """This TensorFlow (or any stable one, if it is not known) has wheels for this Python and system."""
    python = sheet.get("python.version")
    if versions.parse(python) is None:
        return UNKNOWN
    release = read.release(sheet, tables)
    if release:
        return read.agreed(compatibility.has_wheel(release, python, platform) for platform in read.platforms(sheet))
    if sheet.known(VERSION):
        return UNKNOWN
    if not read.platforms(sheet):
        return False  # no wheel was ever made for this processor
    return read.agreed(compatibility.newest_release(tables, python, platform) is not None for platform in read.platforms(sheet))


def _pythons(sheet: FactSheet, tables: Tables) -> list[list[str]]:
    """Python versions with a wheel of this TensorFlow, or of the newest stable one, for each possible platform of the machine."""
    release = read.release(sheet, tables)
    if release is None and not sheet.known(VERSION):
        release = tables.release(tables.table("tensorflow")["newest"]["stable"])
    if release is None:
        return []
    return [found for platform in read.platforms(sheet) if (found := compatibility.pythons(release, platform))]


@derived(
    "derived.python_too_new", "boolean", needs=("python.version",), uses=(VERSION, DISTRIBUTION, "os.name", "os.architecture")
)
def python_too_new(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Python is newer than any that this TensorFlow (or the newest stable one, if it is not known) has wheels for."""
    python = versions.minor_release(sheet.get("python.version"))
    if python is None:
        return UNKNOWN
    return read.agreed(versions.satisfies(python, f">{known[-1]}") for known in _pythons(sheet, tables))


@derived(
    "derived.python_too_old", "boolean", needs=("python.version",), uses=(VERSION, DISTRIBUTION, "os.name", "os.architecture")
)
def python_too_old(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Python is older than any that this TensorFlow (or the newest stable one, if it is not known) has wheels for."""
    python = versions.minor_release(sheet.get("python.version"))
    if python is None:
        return UNKNOWN
    return read.agreed(versions.satisfies(python, f"<{known[0]}") for known in _pythons(sheet, tables))


@derived("derived.pythons_for_tensorflow", "text", needs=(VERSION,), uses=(DISTRIBUTION, "os.name", "os.architecture"))
def pythons_for_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Python versions that this TensorFlow has wheels for on this system, for example '3.10 to 3.13'."""
    release = read.release(sheet, tables)
    if release is None:
        return UNKNOWN
    known = read.agreed(compatibility.pythons(release, platform) or None for platform in read.platforms(sheet))
    return UNKNOWN if known is UNKNOWN else known[0] if len(known) == 1 else f"{known[0]} to {known[-1]}"


@derived("derived.tensorflow_for_python", "text", needs=("python.version", "os.name"), uses=("os.architecture",))
def tensorflow_for_python(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Newest stable TensorFlow with a wheel for this Python on this system; null if there is none."""
    python = sheet.get("python.version")
    if versions.parse(python) is None:
        return UNKNOWN
    found = [compatibility.newest_release(tables, python, platform) for platform in read.platforms(sheet)]
    newest = [release["version"] for release in found if release]
    return read.agreed(newest) if newest and len(newest) == len(found) else UNKNOWN if newest else None


@derived("derived.cuda_needed", "text", uses=(VERSION, DISTRIBUTION, "tensorflow.built_cuda_version"))
def cuda_needed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """CUDA version that this TensorFlow was built for, for example 12.5."""
    built = versions.minor_release(read.text(sheet, "tensorflow.built_cuda_version"))
    release = read.release(sheet, tables)
    return built or (release and compatibility.cuda_of(release)) or UNKNOWN


@derived("derived.cudnn_needed", "text", uses=("log.compiled_cudnn", VERSION, DISTRIBUTION, "tensorflow.built_cudnn_version"))
def cudnn_needed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """cuDNN version that this TensorFlow was built for: its major and at least its minor version must be there."""
    release = read.release(sheet, tables)
    said = read.text(sheet, "log.compiled_cudnn")
    return said or (release and compatibility.cudnn_of(release)) or read.text(sheet, "tensorflow.built_cudnn_version") or UNKNOWN


@derived("derived.cuda_satisfies_tensorflow", "boolean", needs=("cuda.version", "derived.cuda_needed"))
def cuda_satisfies_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The CUDA that is installed has the library files that this TensorFlow looks for, and is not older."""
    outcome = compatibility.cuda_satisfies(tables, sheet.get("derived.cuda_needed"), sheet.get("cuda.version"))
    return UNKNOWN if outcome is None else outcome


@derived(
    "derived.cudnn_satisfies_tensorflow", "boolean", needs=("derived.cudnn_needed",), uses=("log.loaded_cudnn", "cudnn.version")
)
def cudnn_satisfies_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The cuDNN that is found has the major version that this TensorFlow needs, and no older minor version."""
    found = read.first_text(sheet, "log.loaded_cudnn", "cudnn.version")
    outcome = compatibility.cudnn_satisfies(sheet.get("derived.cudnn_needed"), found)
    return UNKNOWN if outcome is None else outcome


@derived("derived.cudnn_older_than_compiled", "boolean", needs=("log.loaded_cudnn", "log.compiled_cudnn"))
def cudnn_older_than_compiled(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The text shows that the loaded cuDNN is older than the one that TensorFlow was compiled with."""
    loaded, compiled = versions.parse(sheet.get("log.loaded_cudnn")), versions.parse(sheet.get("log.compiled_cudnn"))
    return UNKNOWN if loaded is None or compiled is None else loaded < compiled


@derived("derived.cudnn_of_another_place", "boolean", needs=("log.loaded_cudnn",), uses=("packages.*",))
def cudnn_of_another_place(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The cuDNN that was loaded is not the one from the installed pip package: their minor releases differ."""
    loaded = versions.minor_release(sheet.get("log.loaded_cudnn"))
    packages = [read.package(sheet, name) for name in ("nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-cudnn-cu13")]
    installed = {versions.minor_release(package) for package in packages if package} - {None}
    return UNKNOWN if loaded is None or not installed else loaded not in installed


def _requirements(sheet: FactSheet, tables: Tables, package: str) -> list[str]:
    release = read.release(sheet, tables)
    return compatibility.requirements(tables, release, package, sheet.get("python.version")) if release else []


def _satisfies(sheet: FactSheet, tables: Tables, package: str) -> typing.Any:
    found = read.package(sheet, package)
    return read.agreed(versions.satisfies(found, wanted) for wanted in _requirements(sheet, tables, package))


def _beyond(found: str | None, wanted: str, *, above: bool) -> bool | None:
    """Return whether a version is above (or below) a range."""
    if versions.parse(found) is None:
        return None
    failed = [
        (operator, limit) for operator, limit in versions.clauses(wanted) if not versions.satisfies(found, operator + limit)
    ]
    upper = [limit for operator, limit in failed if operator in ("<", "<=") or _is_above(found, limit, operator)]
    lower = [limit for operator, limit in failed if operator in (">", ">=") or _is_above(limit, found, operator)]
    return bool(upper if above else lower)


def _is_above(first: object, second: object, operator: str) -> bool:
    one, other = versions.parse(first), versions.parse(second)
    return operator in ("==", "~=") and one is not None and other is not None and one > other


def _register_package(package: str, path: str) -> None:
    """Register four facts about one package: the range, whether it fits, too new, too old."""
    uses = (DISTRIBUTION, "python.version")

    def wanted(sheet: FactSheet, tables: Tables) -> typing.Any:
        return read.agreed(_requirements(sheet, tables, package))

    def fits(sheet: FactSheet, tables: Tables) -> typing.Any:
        return _satisfies(sheet, tables, package)

    def too_new(sheet: FactSheet, tables: Tables) -> typing.Any:
        found = read.package(sheet, package)
        return read.agreed(_beyond(found, wanted, above=True) for wanted in _requirements(sheet, tables, package))

    def too_old(sheet: FactSheet, tables: Tables) -> typing.Any:
        found = read.package(sheet, package)
        return read.agreed(_beyond(found, wanted, above=False) for wanted in _requirements(sheet, tables, package))

    wanted.__doc__ = f"Version range of {package} that this TensorFlow supports, as pip writes it."
    fits.__doc__ = f"The installed {package} is in the range that this TensorFlow supports."
    too_new.__doc__ = f"The installed {package} is newer than this TensorFlow supports."
    too_old.__doc__ = f"The installed {package} is older than this TensorFlow supports."
    derived(f"derived.{package}_for_tensorflow", "text", needs=(VERSION,), uses=(*uses, path))(wanted)
    derived(f"derived.{package}_satisfies_tensorflow", "boolean", needs=(VERSION, path), uses=uses)(fits)
    derived(f"derived.{package}_too_new", "boolean", needs=(VERSION, path), uses=uses)(too_new)
    derived(f"derived.{package}_too_old", "boolean", needs=(VERSION, path), uses=uses)(too_old)


for _package in ("numpy", "protobuf", "keras"):
    _register_package(_package, f"packages.{_package}")


@derived("derived.numpy_major", "integer", needs=("packages.numpy",))
def numpy_major(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Major version of NumPy."""
    found = versions.major(sheet.get("packages.numpy"))
    return UNKNOWN if found is None else found


@derived("derived.protobuf_major", "integer", needs=("packages.protobuf",))
def protobuf_major(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Major version of protobuf."""
    found = versions.major(sheet.get("packages.protobuf"))
    return UNKNOWN if found is None else found


@derived("derived.tf_keras_for_tensorflow", "text", needs=("derived.tensorflow_minor",))
def tf_keras_for_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The pip requirement for Keras 2 with this TensorFlow, for example 'tf_keras~=2.16.0'."""
    about = tables.table("tensorflow")["legacy_keras"]
    minor = sheet.get("derived.tensorflow_minor")
    return f"{about['package']}~={minor}.0" if versions.satisfies(minor, about["tensorflow"]) else UNKNOWN


@derived("derived.tf_keras_satisfies_tensorflow", "boolean", needs=("derived.tensorflow_minor",), uses=("packages.*",))
def tf_keras_satisfies_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The installed tf_keras has the same minor version as TensorFlow, as it must."""
    found = versions.minor_release(read.package(sheet, "tf-keras"))
    return UNKNOWN if found is None else found == sheet.get("derived.tensorflow_minor")


@derived("derived.legacy_keras_missing", "boolean", needs=("env.TF_USE_LEGACY_KERAS",), uses=("packages.*",))
def legacy_keras_missing(sheet: FactSheet, tables: Tables) -> typing.Any:
    """TF_USE_LEGACY_KERAS asks for Keras 2, but its package, tf_keras, is not installed."""
    if sheet.get("env.TF_USE_LEGACY_KERAS") not in ("1", "True", "true") or read.package(sheet, "tf-keras"):
        return False
    return True if read.packages_listed(sheet) else UNKNOWN


@derived("derived.glibc_needed", "text", needs=(VERSION,), uses=(DISTRIBUTION, "os.architecture"))
def glibc_needed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Oldest C library (glibc) that this TensorFlow's Linux wheel runs with."""
    release = read.release(sheet, tables)
    keys = compatibility.platform_keys("linux", read.text(sheet, "os.architecture"))
    return (release and keys and choice.glibc_needed(tables, release, keys[0])) or UNKNOWN


@derived("derived.glibc_satisfies_tensorflow", "boolean", needs=("os.glibc", "derived.glibc_needed"))
def glibc_satisfies_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The C library is new enough for this TensorFlow's wheel."""
    outcome = versions.satisfies(sheet.get("os.glibc"), f">={sheet.get('derived.glibc_needed')}")
    return UNKNOWN if outcome is None else outcome
