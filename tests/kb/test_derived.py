"""Derived facts: each gives the right value for a described machine, none ever raises, none guesses."""

import typing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfhelp.kb import compat_tables
from tfhelp.kb.derived import derive, derived_facts, derived_table
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactError, FactSheet, canonical, read_document
from tfhelp.kb.facts import fact_table

TABLES = compat_tables.tables()
FACTS = fact_table()
Document = dict[str, typing.Any]


def sheet_of(document: Document, *, listed: bool = False) -> FactSheet:
    """The sheet of a document, with derived facts; ``listed``: its list of packages is complete."""
    if listed:
        document = {**document, "_about": {"packages": {"source": "pip metadata", "state": "ok"}}}
    sheet = read_document(document, FACTS)
    derive(sheet, TABLES)
    return sheet


def value(name: str, document: Document, *, listed: bool = False) -> typing.Any:
    return sheet_of(document, listed=listed).get(f"derived.{name}")


def tensorflow(version: str, **more: str) -> Document:
    return {"packages": {"tensorflow": version, **more}}


# The register


def test_table_has_a_kind_for_every_fact() -> None:
    table = derived_table()
    assert len(table) == len(derived_facts()) > 90
    assert set(table.values()) <= {"text", "number", "integer", "boolean", "texts"}


def test_every_input_exists() -> None:
    """A function that reads a path which no model has would stay unknown for ever."""
    known = set(FACTS) | set(derived_table())
    for fact in derived_facts():
        for path in (*fact.needs, *fact.uses):
            group = path.partition(".")[0]
            assert path in known or f"{group}.*" in known, f"{fact.path} reads {path}"
        assert fact.description.endswith("."), fact.path


@pytest.mark.parametrize(
    ("path", "kind", "needs", "says"),
    [
        ("tensorflow.version", "text", (), "derived"),
        ("derived.keras_major", "integer", (), "new name"),
        ("derived.something", "colour", (), "kind"),
        ("derived.something", "text", ("derived.not_yet",), "not registered"),
    ],
)
def test_a_bad_registration_is_refused(path: str, kind: str, needs: tuple[str, ...], says: str) -> None:
    def function(sheet: FactSheet, tables: object) -> str:
        """Says something."""
        return "something"

    with pytest.raises(ValueError, match=says):
        derived(path, kind, needs)(function)
    assert "derived.something" not in derived_table()


def test_derived_facts_cannot_be_given() -> None:
    with pytest.raises(FactError, match="derived"):
        read_document({"derived": {"killed": True}}, FACTS)


def test_an_empty_sheet_gives_nothing() -> None:
    assert [path for path in sheet_of({}).values if path.startswith("derived.")] == []


def test_tables_are_not_touched_where_nothing_is_known_that_needs_them() -> None:
    from tfhelp.kb.tables import Tables

    def load(name: str) -> Document:
        raise AssertionError(f"{name} was loaded")

    sheet = read_document({"os": {"name": "linux"}, "host": {"avx": False, "memory_total_mib": 8000}}, FACTS)
    del sheet.values["os.name"]
    derive(sheet, Tables(load))
    assert sheet.get("derived.cpu_lacks_avx") is True


def test_deriving_again_gives_the_same_and_drops_what_no_longer_holds() -> None:
    sheet = sheet_of({"run": {"exit_code": 137}})
    before = dict(sheet.values)
    derive(sheet, TABLES)
    assert sheet.values == before
    del sheet.values["run.exit_code"]
    derive(sheet, TABLES)
    assert sheet.get("derived.killed") is UNKNOWN


def test_the_source_names_what_was_read() -> None:
    sheet = sheet_of({**tensorflow("2.10.0"), "cudnn": {"version": "8.0.5"}})
    assert "cudnn.version" in sheet.source("derived.cudnn_satisfies_tensorflow")
    assert "packages.tensorflow" in sheet.source("derived.tensorflow_version")


# Whatever a sheet holds

VERSIONS = st.one_of(
    st.sampled_from(
        ["2.10.1", "2.21.0", "2.16.0rc1", "6.5v2", "2.0.0-beta", "10", "12.5", "3.12", "8.6", "", "n/a", "v", "9" * 30, "0"]
    ),
    st.text(max_size=12),
)
TEXTS = st.one_of(
    VERSIONS, st.sampled_from(["SIGKILL", "kill", "RTX 3090", "linux", "-1", "0,1", "GPU-1", "libcudnn.so.8", "/device:GPU:0"])
)
NUMBERS = st.one_of(st.floats(), st.integers(), st.sampled_from([0, -1, 10**400, 64.0]))
VALUES = {
    "text": TEXTS,
    "number": NUMBERS,
    "integer": st.integers() | st.sampled_from([137, 139, -11, 3221225477]),
    "boolean": st.booleans(),
    "texts": st.lists(TEXTS, max_size=3),
    "integers": st.lists(st.integers() | st.sampled_from([13, 45, 79]), max_size=4),
}


def of_kind(kind: str) -> st.SearchStrategy[typing.Any]:
    return st.sampled_from(kind[7:].split("|")) if kind.startswith("one of ") else VALUES[kind]


def gpu_lists() -> st.SearchStrategy[typing.Any]:
    process = {
        key.rpartition(".")[2]: of_kind(kind) | st.none() for key, kind in FACTS.items() if key.startswith("gpus[].processes[].")
    }
    gpu = {
        key.removeprefix("gpus[]."): of_kind(kind) | st.none()
        for key, kind in FACTS.items()
        if key.startswith("gpus[].") and "processes" not in key
    }
    processes = st.none() | st.lists(st.fixed_dictionaries({}, optional=process), max_size=3)
    return st.lists(st.fixed_dictionaries({}, optional={**gpu, "processes": processes}), max_size=3)


READ = sorted({path for fact in derived_facts() for path in (*fact.needs, *fact.uses) if path in FACTS and path != "gpus"})
PACKAGES = [
    "tensorflow",
    "tensorflow-cpu",
    "tf-nightly",
    "keras",
    "numpy",
    "protobuf",
    "nvidia-cudnn-cu12",
    "nvidia-cudnn-cu13",
    "torch",
]


@st.composite
def sheets(draw: st.DrawFn) -> FactSheet:
    sheet = FactSheet()
    for path in draw(st.lists(st.sampled_from(READ), unique=True, max_size=14)):
        sheet.put(path, draw(of_kind(FACTS[path]) | st.none()), "given")
    for name in draw(st.lists(st.sampled_from(PACKAGES), unique=True, max_size=5)):
        sheet.put(f"packages.{name}", draw(VERSIONS | st.none()), "given")
    if draw(st.booleans()):
        sheet.put("gpus", draw(st.none() | gpu_lists()), "given")
    if draw(st.booleans()):
        sheet.put("env.CUDA_VISIBLE_DEVICES", draw(st.none() | TEXTS), "given")
    if draw(st.booleans()):
        sheet.about["packages"] = {"source": "pip metadata", "state": "ok"}
    return sheet


PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "texts": (list,),
}


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(sheets())
def test_no_legal_sheet_breaks_a_derived_fact(sheet: FactSheet) -> None:
    derive(sheet, TABLES)
    table = derived_table()
    for path, found in sheet.values.items():
        if path.startswith("derived.") and found is not None:
            assert isinstance(found, PYTHON_TYPES[table[path]]), (path, found)
            assert isinstance(found, bool) == (table[path] == "boolean"), (path, found)


class WatchedSheet(FactSheet):
    """Records which facts are read."""

    __slots__ = ("read",)

    def __init__(self, other: FactSheet) -> None:
        super().__init__()
        self.values, self.about, self.read = dict(other.values), dict(other.about), set[str]()

    def get(self, path: str) -> object:
        self.read.add(canonical(path))
        return super().get(path)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(sheets())
def test_a_derived_fact_reads_what_it_says(sheet: FactSheet) -> None:
    """``derive`` skips a function if none of its inputs is known, so a function may not read anything else."""
    derive(sheet, TABLES)
    for fact in derived_facts():
        watched = WatchedSheet(sheet)
        if all(map(sheet.known, fact.needs)):
            fact.function(watched, TABLES)
        said = {*fact.needs, *fact.uses}
        assert {path for path in watched.read if f"{path.partition('.')[0]}.*" not in said} <= said, fact.path


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(sheets())
def test_derived_facts_change_no_given_one(sheet: FactSheet) -> None:
    given_values = {path: repr(found) for path, found in sheet.values.items()}
    derive(sheet, TABLES)
    assert {path: repr(found) for path, found in sheet.values.items() if not path.startswith("derived.")} == given_values


# Versions


@pytest.mark.parametrize(
    ("packages", "distribution", "version"),
    [
        ({"tensorflow": "2.15.0"}, "tensorflow", "2.15.0"),
        ({"tensorflow-cpu": "2.15.0", "numpy": "1.26.4"}, "tensorflow-cpu", "2.15.0"),
        ({"tensorflow": "2.12.0", "tensorflow-intel": "2.12.0"}, "tensorflow", "2.12.0"),
        ({"tensorflow_cpu": "2.15.0"}, "tensorflow-cpu", "2.15.0"),
        ({"tf-nightly": "2.18.0.dev20240901"}, "tf-nightly", "2.18.0.dev20240901"),
        ({"numpy": "1.26.4"}, UNKNOWN, UNKNOWN),
    ],
)
def test_which_tensorflow(packages: Document, distribution: object, version: object) -> None:
    assert value("tensorflow_distribution", {"packages": packages}) == distribution
    assert value("tensorflow_version", {"packages": packages}) == version


def test_no_tensorflow_among_all_packages_is_none() -> None:
    assert value("tensorflow_version", {"packages": {"numpy": "2.0.0"}}, listed=True) is None


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("keras_major", tensorflow("2.15.0"), 2),
        ("keras_major", tensorflow("2.16.1"), 3),
        ("keras_major", {**tensorflow("2.16.1"), "env": {"TF_USE_LEGACY_KERAS": "1"}}, 2),
        ("keras_major", tensorflow("2.15.0", keras="3.1.0"), 3),
        ("keras_major", {}, UNKNOWN),
        ("python_supported", {**tensorflow("2.20.0"), "python": {"version": "3.13.1"}, "os": {"name": "linux"}}, True),
        ("python_supported", {**tensorflow("2.19.0"), "python": {"version": "3.13.1"}, "os": {"name": "linux"}}, False),
        ("python_supported", {"python": {"version": "3.14.0"}}, False),
        ("python_supported", {"python": {"version": "3.9.1"}, "os": {"name": "linux"}}, True),
        ("python_supported", {"python": {"version": "3.9.1"}, "os": {"name": "linux", "architecture": "ppc64le"}}, False),
        ("python_supported", {"python": {"version": "PyPy"}}, UNKNOWN),
        ("python_too_new", {"python": {"version": "3.14.0"}}, True),
        ("python_too_new", {"python": {"version": "3.13.0"}}, False),
        ("python_too_new", {**tensorflow("2.15.0"), "python": {"version": "3.12.1"}}, True),
        ("python_too_old", {**tensorflow("2.21.0"), "python": {"version": "3.9.9"}}, True),
        ("python_too_old", {"python": {"version": "3.12.0"}}, False),
        ("pythons_for_tensorflow", {**tensorflow("2.20.0"), "os": {"name": "linux"}}, "3.9 to 3.13"),
        ("tensorflow_for_python", {"python": {"version": "3.8.10"}, "os": {"name": "linux"}}, "2.13.1"),
        ("tensorflow_for_python", {"python": {"version": "3.14.0"}, "os": {"name": "windows"}}, None),
        ("tensorflow_for_python", {"python": {"version": "3.12.0"}, "os": {"name": "macos"}}, UNKNOWN),
        ("tensorflow_for_python", {"python": {"version": "3.12.0"}, "os": {"name": "macos", "architecture": "x86_64"}}, "2.16.2"),
        ("cuda_needed", tensorflow("2.20.0"), "12.5"),
        ("cuda_needed", {**tensorflow("2.99.0"), "tensorflow": {"built_cuda_version": "13.1.0"}}, "13.1"),
        ("cudnn_needed", tensorflow("2.10.0"), "8.1"),
        ("cudnn_needed", {**tensorflow("2.10.0"), "log": {"compiled_cudnn": "8.1.0"}}, "8.1.0"),
        ("cuda_satisfies_tensorflow", {**tensorflow("2.10.0"), "cuda": {"version": "12.1"}}, False),
        ("cuda_satisfies_tensorflow", {**tensorflow("2.10.0"), "cuda": {"version": "11.8"}}, True),
        ("cuda_satisfies_tensorflow", {**tensorflow("2.20.0"), "cuda": {"version": "13.0"}}, False),
        ("cuda_satisfies_tensorflow", {**tensorflow("2.10.0"), "cuda": {"version": "nvcc"}}, UNKNOWN),
        ("cudnn_satisfies_tensorflow", {**tensorflow("2.10.0"), "cudnn": {"version": "8.0.5"}}, False),
        ("cudnn_satisfies_tensorflow", {**tensorflow("2.10.0"), "cudnn": {"version": "8.9.7"}}, True),
        ("cudnn_satisfies_tensorflow", {**tensorflow("2.10.0"), "cudnn": {"version": "6.5v2"}}, False),
        ("cudnn_satisfies_tensorflow", {"cudnn": {"version": "8.9.7"}}, UNKNOWN),
        ("cudnn_satisfies_tensorflow", {"log": {"loaded_cudnn": "8.0.5", "compiled_cudnn": "8.1.0"}}, False),
        ("cudnn_older_than_compiled", {"log": {"loaded_cudnn": "8.0.5", "compiled_cudnn": "8.1.0"}}, True),
        ("cudnn_older_than_compiled", {"log": {"loaded_cudnn": "8.2.0", "compiled_cudnn": "8.1.0"}}, False),
        ("numpy_satisfies_tensorflow", tensorflow("2.10.0", numpy="2.0.1"), False),
        ("numpy_satisfies_tensorflow", tensorflow("2.20.0", numpy="2.4.6"), True),
        ("numpy_too_new", tensorflow("2.17.0", numpy="2.0.1"), True),  # too new for every Python
        ("numpy_too_old", tensorflow("2.17.0", numpy="1.24.0"), UNKNOWN),  # too old for Python 3.12 only
        ("numpy_for_tensorflow", tensorflow("2.17.0"), UNKNOWN),
        ("numpy_too_new", {**tensorflow("2.17.0", numpy="2.0.1"), "python": {"version": "3.12"}}, True),
        ("numpy_too_old", tensorflow("2.20.0", numpy="1.23.5"), True),
        ("numpy_too_old", tensorflow("2.4.1", numpy="1.18.0"), True),
        ("numpy_too_new", tensorflow("2.4.1", numpy="1.24.0"), True),
        ("numpy_major", {"packages": {"numpy": "2.1.0"}}, 2),
        ("protobuf_too_new", tensorflow("2.8.0", protobuf="4.21.1"), True),
        ("protobuf_too_new", tensorflow("2.15.0", protobuf="5.29.0"), True),
        ("protobuf_too_old", tensorflow("2.21.0", protobuf="5.29.0"), True),
        ("protobuf_too_old", tensorflow("2.15.0", protobuf="4.21.3"), False),
        ("protobuf_satisfies_tensorflow", tensorflow("2.15.0", protobuf="4.21.3"), False),
        ("protobuf_for_tensorflow", tensorflow("2.21.0"), ">=6.31.1,<8.0.0"),
        ("keras_satisfies_tensorflow", tensorflow("2.15.0", keras="3.0.0"), False),
        ("keras_satisfies_tensorflow", tensorflow("2.6.0", keras="2.8.0"), False),
        ("keras_too_old", tensorflow("2.16.1", keras="2.15.0"), True),
        ("tf_keras_for_tensorflow", tensorflow("2.17.1"), "tf_keras~=2.17.0"),
        ("tf_keras_for_tensorflow", tensorflow("2.15.0"), UNKNOWN),
        ("glibc_satisfies_tensorflow", {**tensorflow("2.21.0"), "os": {"name": "linux", "glibc": "2.17"}}, False),
        ("glibc_satisfies_tensorflow", {**tensorflow("2.20.0"), "os": {"name": "linux", "glibc": "2.17"}}, True),
    ],
)
def test_versions(name: str, document: Document, expected: object) -> None:
    assert value(name, document) == expected


# GPU and driver


def gpu(name: str, **more: object) -> Document:
    return {"gpus": [{"name": name, **more}]}


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("gpu_compute_capability", gpu("NVIDIA GeForce RTX 3090"), "8.6"),
        ("gpu_compute_capability", gpu("NVIDIA GeForce RTX 3090", compute_capability="8.7"), "8.7"),
        ("gpu_compute_capability", gpu("Unheard Of 1"), UNKNOWN),
        ("gpu_name", {"gpus": [{"name": "Tesla T4"}, {"name": "Tesla K80"}], "log": {"gpu_index": "1"}}, "Tesla K80"),
        ("gpu_architecture", gpu("Tesla V100"), "Volta"),
        ("gpu_supported_by_build", {**tensorflow("2.20.0"), **gpu("RTX 5090")}, False),
        ("gpu_newer_than_build", {**tensorflow("2.20.0"), **gpu("RTX 5090")}, True),
        ("gpu_supported_by_build", {**tensorflow("2.21.0"), **gpu("RTX 5090")}, True),
        ("gpu_compiles_kernels_at_start", {**tensorflow("2.21.0"), **gpu("RTX 5090")}, True),
        ("gpu_older_than_build", {**tensorflow("2.17.0"), **gpu("GTX 980")}, True),
        ("minimum_compute_capability", tensorflow("2.17.0"), "6.0"),
        ("cuda_knows_gpu", {**gpu("RTX 3090"), "cuda": {"version": "10.1"}}, False),
        ("cuda_knows_gpu", {**gpu("RTX 3090"), "cuda": {"version": "11.0"}}, True),
        ("cudnn_supports_gpu", {**gpu("Tesla V100"), "cudnn": {"version": "9.11.0"}}, False),
        ("cudnn_supports_gpu", {**gpu("Tesla V100"), "cudnn": {"version": "9.10.2"}}, True),
        ("cudnn_supports_gpu", {**gpu("Tesla T4"), "cudnn": {"version": "9.27.0"}}, True),
        ("driver_needed", {**tensorflow("2.20.0"), "os": {"name": "linux"}}, "525.60.13"),
        ("driver_needed", {**tensorflow("2.20.0"), "os": {"name": "windows"}}, "527.41"),
        ("driver_satisfies_tensorflow", {**tensorflow("2.20.0"), "driver": {"version": "470.161.03"}}, False),
        ("driver_satisfies_tensorflow", {**tensorflow("2.20.0"), "driver": {"version": "535.104.05"}}, True),
        (
            "driver_satisfies_tensorflow",
            {**tensorflow("2.20.0"), "driver": {"version": "526.0"}},
            UNKNOWN,
        ),  # Linux yes, Windows no
        (
            "driver_satisfies_tensorflow",
            {**tensorflow("2.21.0"), **gpu("RTX 5090"), "driver": {"version": "560.35"}, "os": {"name": "linux"}},
            False,
        ),
        ("driver_satisfies_cuda", {"cuda": {"version": "12.2"}, "driver": {"version": "470.57"}}, False),
        ("driver_satisfies_cuda", {"cuda": {"version": "12.2"}, "driver": {"cuda_version": "12.0"}}, True),
        ("driver_satisfies_cuda", {"cuda": {"version": "12.2"}, "driver": {"cuda_version": "11.4"}}, False),
        ("driver_satisfies_cuda", {"cuda": {"version": "10.2"}, "driver": {"cuda_version": "10.1"}}, False),
        ("ptx_newer_than_driver", {**tensorflow("2.20.0"), **gpu("H100"), "driver": {"version": "535.1"}}, True),
        ("ptx_newer_than_driver", {**tensorflow("2.20.0"), **gpu("A100"), "driver": {"version": "535.1"}}, False),
        ("driver_dropped_gpu", {**gpu("Tesla K80"), "driver": {"version": "535.1"}}, True),
        ("driver_dropped_gpu", {**gpu("Tesla T4"), "driver": {"version": "600.1"}}, False),
        ("windows_native_gpu_unsupported", {**tensorflow("2.11.0"), "os": {"name": "windows"}}, True),
        ("windows_native_gpu_unsupported", {**tensorflow("2.10.1"), "os": {"name": "windows"}}, False),
        ("windows_native_gpu_unsupported", {**tensorflow("2.20.0"), "os": {"name": "linux", "wsl": True}}, False),
        ("windows_native_gpu_unsupported", {"os": {"name": "windows"}}, UNKNOWN),
        ("cpu_only_package", {"packages": {"tensorflow-cpu": "2.20.0"}}, True),
        ("cpu_only_package", {**tensorflow("2.20.0"), "os": {"name": "linux"}}, False),
        ("cpu_only_package", {**tensorflow("2.20.0"), "os": {"name": "linux", "architecture": "aarch64"}}, True),
        ("cpu_only_package", tensorflow("2.20.0"), UNKNOWN),  # Linux yes, Windows no
        ("cpu_only_package", {**tensorflow("2.0.0"), "os": {"name": "linux"}}, True),
        ("cpu_only_package", {"packages": {"tensorflow-gpu": "2.0.0"}, "os": {"name": "linux"}}, False),
        ("wheel_has_gpu_code", {**tensorflow("2.20.0"), "tensorflow": {"cuda_build": False}}, False),
        ("gpu_present", {"gpus": []}, False),
        ("gpu_present", {"log": {"gpu_created": True}}, True),
        ("gpu_present", {}, UNKNOWN),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": ""}}, True),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": "-1"}}, True),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": "NoDevFiles"}}, True),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": "1"}, **gpu("Tesla T4")}, True),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": "1"}, **gpu("Tesla T4"), "log": {"gpu_created": True}}, False),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": "0,1"}, **gpu("Tesla T4")}, False),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": None}}, False),
        ("gpu_hidden_by_env", {"env": {"CUDA_VISIBLE_DEVICES": "GPU-8a1b"}}, UNKNOWN),
        ("gpu_hidden_by_env", {}, UNKNOWN),
        ("gpus_differ", {"gpus": [{"name": "Tesla T4"}, {"name": "Tesla K80"}]}, True),
        ("gpu_admits_one_process", {"gpus": [{"name": "Tesla T4", "compute_mode": "exclusive-process"}]}, True),
        ("gpu_admits_one_process", {"gpus": [{"name": "Tesla T4", "compute_mode": "default"}]}, False),
        ("gpu_admits_one_process", {"gpus": [{"name": "Tesla T4"}]}, UNKNOWN),
        ("gpu_count", {"gpus": []}, 0),
        ("gpu_count", {"gpus": [{"name": "Tesla P40", "memory_total_mib": 24576}]}, UNKNOWN),  # a model is named, not counted
        ("gpu_count", {"gpus": [{"name": "Tesla P40", "compute_capability": "6.1"}]}, 1),
        ("gpu_count", {"gpus": [{"name": "Tesla P40"}, {"name": "Tesla P40"}]}, 2),
    ],
)
def test_gpu(name: str, document: Document, expected: object) -> None:
    assert value(name, document) == expected


def test_another_makers_build_gets_no_verdict_from_the_tables() -> None:
    document = {
        "packages": {"tensorflow": "2.13.0+nv23.7"},
        **gpu("Tesla K80"),
        "cuda": {"version": "12.1"},
        "driver": {"version": "470"},
    }
    found = sheet_of(document)
    for name in ("gpu_supported_by_build", "cuda_satisfies_tensorflow", "driver_satisfies_tensorflow", "numpy_for_tensorflow"):
        assert found.get(f"derived.{name}") is UNKNOWN


# Memory


TWO_GPUS = {
    "gpus": [
        {"memory_total_mib": 10000, "memory_used_mib": 9000, "processes": [{"pid": 4711, "name": "python3", "memory_mib": 9000}]},
        {"memory_total_mib": 10000, "memory_used_mib": 0, "processes": []},
    ]
}


def with_process(memory: float | None, used: float, pid: int = 4711) -> Document:
    process = {"pid": pid, "name": "python", "memory_mib": memory}
    return {"gpus": [{"memory_total_mib": 10000, "memory_used_mib": used, "processes": [process]}]}


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("gpu_memory_held_by_others_share", with_process(7000, 7200), 0.7),
        ("gpu_memory_held_by_others_share", {**with_process(7000, 7200), "run": {"pid": 4711}}, 0.0),
        ("gpu_memory_held_by_others_share", with_process(None, 7200), 0.72),
        (
            "gpu_memory_held_by_others_share",
            {"gpus": [{"memory_total_mib": 10000, "memory_used_mib": 100, "processes": []}]},
            0.01,
        ),
        ("gpu_memory_held_by_others_share", {"gpus": []}, UNKNOWN),
        ("gpu_memory_held_by_others_share", {**TWO_GPUS, "env": {"CUDA_VISIBLE_DEVICES": "1"}}, 0.0),
        ("other_process_pid", {**TWO_GPUS, "env": {"CUDA_VISIBLE_DEVICES": "1"}}, UNKNOWN),
        ("gpu_memory_held_by_others_share", {**TWO_GPUS, "env": {"CUDA_VISIBLE_DEVICES": "0"}}, 0.9),
        ("other_process_pid", {**TWO_GPUS, "env": {"CUDA_VISIBLE_DEVICES": "7"}}, 4711),
        ("gpu_memory_held_by_others_share", {"gpus": [{"memory_total_mib": 0, "memory_used_mib": 5}]}, UNKNOWN),
        ("other_process_pid", with_process(7000, 7200), 4711),
        ("other_process_name", with_process(7000, 7200), "python"),
        ("other_process_memory_mib", with_process(7000, 7200), 7000),
        ("other_process_gpu", with_process(7000, 7200), 0),
        ("other_process_pid", {**with_process(7000, 7200), "run": {"pid": 4711}}, UNKNOWN),
        ("gpu_memory_total_mib", {"gpus": [{"memory_total_mib": 8192.0}, {"memory_total_mib": 24576}]}, 24576),
        ("allocator_nearly_full", {"log": {"limit_mib": 1000, "in_use_mib": 950}}, True),
        ("allocator_nearly_full", {"log": {"limit_mib": 1000, "in_use_mib": 500}}, False),
        ("fragmented", {"log": {"requested_mib": 100, "limit_mib": 1000, "in_use_mib": 700}}, True),
        ("fragmented", {"log": {"requested_mib": 400, "limit_mib": 1000, "in_use_mib": 700}}, False),
        ("fragmented", {"log": {"requested_mib": 400}}, UNKNOWN),
        ("memory_limit_mib", {"host": {"memory_total_mib": 64000, "cgroup_limit_mib": 4096}}, 4096),
        ("memory_limit_mib", {"host": {"memory_total_mib": 64000.5}}, 64000.5),
        ("container_limits_memory", {"host": {"memory_total_mib": 64000, "cgroup_limit_mib": 4096}}, True),
        ("container_limits_memory", {"host": {"memory_total_mib": 64000, "cgroup_limit_mib": None}}, False),
        ("memory_low", {"host": {"memory_total_mib": 64000, "memory_available_mib": 300}}, True),
        ("memory_low", {"host": {"memory_total_mib": 64000, "memory_available_mib": 30000}}, False),
        ("memory_low", {"host": {"cgroup_used_mib": 4000, "cgroup_limit_mib": 4096}}, True),
        ("memory_low", {"host": {"memory_total_mib": 64000}}, UNKNOWN),
        ("requested_exceeds_limit", {"log": {"requested_mib": 9000, "limit_mib": 8000}}, True),
        ("requested_exceeds_limit", {"log": {"requested_mib": 9000}, "host": {"memory_total_mib": 8000}}, True),
        ("requested_exceeds_limit", {"log": {"requested_mib": 900}, "host": {"memory_total_mib": 8000}}, UNKNOWN),
        (
            "requested_exceeds_limit",
            {"log": {"requested_mib": 900, "device": "/device:CPU:0"}, "host": {"memory_total_mib": 8000}},
            False,
        ),
        ("requested_exceeds_limit", {"log": {"requested_mib": 900, "gpu_index": "0"}, "gpus": [{"memory_total_mib": 800}]}, True),
        ("oom_killed", {"host": {"cgroup_oom_kills": 1}}, True),
        ("oom_killed", {"host": {"cgroup_oom_kills": 0}}, False),
        ("oom_killed", {}, UNKNOWN),
        ("shm_small", {"host": {"shm_total_mib": 64}}, True),
        ("shm_small", {"host": {"shm_total_mib": 8000}}, False),
        ("disk_full", {"host": {"disk_free_mib": 100000, "temporary_free_mib": 3}}, True),
        ("disk_full", {"host": {"disk_free_mib": 100000}}, False),
    ],
)
def test_memory(name: str, document: Document, expected: object) -> None:
    assert value(name, document) == expected


# The end of the process, the machine, the training


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("signal", {"run": {"exit_code": 139}}, "SIGSEGV"),
        ("signal", {"run": {"exit_code": -6}}, "SIGABRT"),
        ("signal", {"run": {"exit_code": 3221225477}}, "SIGSEGV"),
        ("signal", {"run": {"exit_code": 1}}, None),
        ("signal", {"run": {"signal": "kill"}}, "SIGKILL"),
        ("signal", {"run": {"exit_code": 138}, "os": {"name": "macos"}}, "SIGBUS"),
        ("signal", {}, UNKNOWN),
        ("killed", {"run": {"exit_code": 137}}, True),
        ("killed", {"run": {"signal": "SIGKILL"}}, True),
        ("killed", {"run": {"exit_code": 1}}, False),
        ("killed", {}, UNKNOWN),
        ("native_crash", {"run": {"exit_code": -1073741819}}, True),
        ("asked_to_stop", {"run": {"exit_code": 143}}, True),
        ("ended_well", {"run": {"exit_code": 0}}, True),
        ("exit_name", {"run": {"exit_code": 0xC0000409}}, "STATUS_STACK_BUFFER_OVERRUN"),
        ("exit_meaning", {"run": {"exit_code": 77}}, UNKNOWN),
        ("xid", {"driver": {"xid": [45, 79, 154]}}, 79),
        ("xid", {"driver": {"xid": [45]}}, 45),
        ("xid", {"driver": {"xid": []}}, None),
        ("xid_fault", {"driver": {"xid": [79]}}, "hardware"),
        ("xid_says_hardware", {"driver": {"xid": [13]}}, False),
        ("xid_says_memory_error", {"driver": {"xid": [13, 94]}}, True),
        ("cpu_lacks_avx", {"host": {"avx": False}}, True),
        ("cpu_lacks_avx", {"host": {"avx": None}}, UNKNOWN),
        ("avx_hidden_by_virtual_machine", {"host": {"avx": False}, "os": {"virtual_machine": True}}, True),
        ("open_files_limit_low", {"host": {"open_files_limit": 256}}, True),
        ("open_files_near_limit", {"host": {"open_files": 1000, "open_files_limit": 1024}}, True),
        ("locked_memory_small", {"host": {"locked_memory_limit_kib": 64}}, True),
        ("driver_libraries_mismatch", {"log": {"kernel_version": "470.1", "library_version": "470.2"}}, True),
        ("driver_libraries_mismatch", {"driver": {"state": "ok"}}, False),
        ("all_epochs_done", {"log": {"epochs_done": 3, "epochs_announced": 10}}, False),
        ("all_epochs_done", {"log": {"epochs_done": 10, "epochs_announced": 10}}, True),
        ("failed_before_first_step", {"log": {"steps_done": 0}}, True),
        ("failed_before_first_step", {"log": {"steps_done": 12}}, False),
        ("failed_before_first_step", {}, UNKNOWN),
    ],
)
def test_end_machine_and_training(name: str, document: Document, expected: object) -> None:
    assert value(name, document) == expected


def test_meaning_of_an_xid_reads_as_a_sentence() -> None:
    assert value("xid_meaning", {"driver": {"xid": [79]}}).startswith("GPU has fallen off the bus: ")


# What to install

LINUX = {"os": {"name": "linux", "architecture": "x86_64"}}


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("recommended_tensorflow", {**LINUX, "python": {"version": "3.12.3"}}, "2.21.0"),
        ("recommended_tensorflow", {**LINUX, "python": {"version": "3.14.0"}}, None),
        ("recommended_tensorflow", {**LINUX, **gpu("Tesla K80"), "python": {"version": "3.11.3"}}, "2.14.1"),
        (
            "recommended_tensorflow",
            {**LINUX, **gpu("Tesla T4"), "driver": {"version": "470.1"}, "python": {"version": "3.10"}},
            "2.14.1",
        ),
        ("recommended_tensorflow", {"python": {"version": "3.12.3"}}, UNKNOWN),
        ("recommended_uses_gpu", {**LINUX, **gpu("Tesla K80"), "python": {"version": "3.12.3"}}, False),
        ("recommended_uses_gpu", {**LINUX, **gpu("Tesla T4"), "python": {"version": "3.12.3"}}, True),
        ("pip_install_line", {**LINUX, **gpu("Tesla T4")}, 'python -m pip install "tensorflow[and-cuda]==2.21.0"'),
        ("pip_install_line", LINUX, 'python -m pip install "tensorflow==2.21.0"'),
        ("pip_requirement", {**LINUX, **gpu("Tesla T4")}, "tensorflow[and-cuda]==2.21.0"),
        ("cuda_requirement", {**LINUX, **tensorflow("2.17.1")}, "tensorflow[and-cuda]==2.17.1"),
        ("cuda_requirement", {**LINUX, **tensorflow("2.10.1")}, UNKNOWN),
        ("two_tensorflow_distributions", tensorflow("2.15.0", **{"tensorflow-cpu": "2.15.0"}), True),
        ("two_tensorflow_distributions", tensorflow("2.15.0", **{"tensorflow-intel": "2.15.0"}), UNKNOWN),
        ("two_tensorflow_distributions", tensorflow("2.15.0", **{"tensorflow-intel": "2.14.0"}), True),
        ("two_tensorflow_distributions", {"packages": {"tensorflow-cpu": "2.15.0", "tensorflow-intel": "2.15.0"}}, UNKNOWN),
        ("two_tensorflow_distributions", {"packages": {"tensorflow-cpu": "2.15.0", "tensorflow-intel": "2.14.0"}}, True),
        (
            "tensorflow_distributions",
            tensorflow("2.15.0", **{"tensorflow-cpu": "2.14.0"}),
            "tensorflow 2.15.0, tensorflow-cpu 2.14.0",
        ),
        ("torch_nvidia_clash", tensorflow("2.21.0", **{"nvidia-cudnn-cu13": "9.13.0.50"}), True),
        ("torch_nvidia_clash", tensorflow("2.21.0", **{"nvidia-cudnn-cu12": "9.10.2.21"}), False),
        ("torch_nvidia_clash", tensorflow("2.17.0", **{"nvidia-cudnn-cu12": "9.1.0.70"}), True),
        ("torch_nvidia_clash", tensorflow("2.17.0", **{"nvidia-cudnn-cu12": "8.9.7.29"}), False),
        ("torch_nvidia_clash", tensorflow("2.21.0", **{"nvidia-cuda-runtime": "13.0.0"}), False),  # another folder, no clash
        ("torch_nvidia_clash", tensorflow("2.21.0"), UNKNOWN),
        ("clashing_nvidia_packages", tensorflow("2.21.0", **{"nvidia-cudnn-cu13": "9.13.0.50"}), "nvidia-cudnn-cu13 9.13.0.50"),
        ("package_for_missing_library", {"log": {"missing_library": "libcudart.so.11.0"}}, "nvidia-cuda-runtime-cu11"),
        ("package_for_missing_library", {"log": {"missing_library": "libcudnn.so.8"}}, UNKNOWN),
        (
            "package_for_missing_library",
            {"log": {"missing_library": "libcudnn.so.8"}, **tensorflow("2.15.0")},
            "nvidia-cudnn-cu12<9",
        ),
        (
            "package_for_missing_library",
            {"cuda": {"missing_libraries": ["libcudnn.so.9"]}, **tensorflow("2.20.0")},
            "nvidia-cudnn-cu12>=9",
        ),
        ("missing_library_is_driver", {"log": {"missing_library": "libcuda.so.1"}}, True),
        ("missing_library_is_driver", {"log": {"missing_library": "libcudnn.so.8"}}, False),
        ("cuda_of_missing_library", {"log": {"missing_library": "cudart64_101.dll"}}, "==10.1.*"),
        ("cuda_of_missing_library", {"log": {"missing_library": "libcudart.so.12"}}, "==12.*"),
        ("cuda_of_missing_library", {"log": {"missing_library": "libcublas.so.9.0"}}, "==9.0.*"),
        (
            "missing_library_of_installed_cuda",
            {"log": {"missing_library": "libcublas.so.9.0"}, "cuda": {"version": "9.0.176"}},
            True,
        ),
        ("missing_library_of_installed_cuda", {"log": {"missing_library": "libcufft.so.8.0"}, "cuda": {"version": "9.0"}}, False),
        (
            "missing_library_of_installed_cuda",
            {"log": {"missing_library": "libcudnn.so.7"}, "cuda": {"version": "9.0"}},
            UNKNOWN,
        ),
        ("pip_too_old", {**LINUX, "python": {"pip_version": "9.0.1"}}, True),
        ("pip_too_old", {**LINUX, "python": {"pip_version": "24.0"}}, False),
        ("platform_without_wheels", {**LINUX, "python": {"bits": 32}}, True),
        ("platform_without_wheels", {**LINUX, "python": {"bits": 64}}, False),
        ("platform_without_wheels", {"os": {"name": "linux", "architecture": "ppc64le"}}, True),
    ],
)
def test_install(name: str, document: Document, expected: object) -> None:
    assert value(name, document) == expected


def test_packages_that_were_all_listed_settle_what_else_is_unknown() -> None:
    assert value("two_tensorflow_distributions", tensorflow("2.15.0"), listed=True) is False
    assert value("nvidia_wheels_installed", tensorflow("2.21.0"), listed=True) is False
    document = {**LINUX, **tensorflow("2.21.0"), "cuda": {"version": None}}
    assert value("cuda_libraries_left_out", document, listed=True) is True
    assert value("cuda_libraries_left_out", {**document, "cuda": {"version": "12.5"}}, listed=True) is False


def test_the_source_names_a_large_group_and_not_three_of_its_packages() -> None:
    sheet = sheet_of({"packages": {"absl-py": "2.1.0", "alembic": "1.13.0", "anyio": "4.4.0", "attrs": "24.1.0"}}, listed=True)
    said = {about["source"] for path, about in sheet.about.items() if path.startswith("derived.")}
    assert any("packages.*" in source for source in said)
    assert not any("alembic" in source for source in said)
