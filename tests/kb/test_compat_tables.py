"""The data: every reference from one table to a row of another is valid, and the loader names faults."""

import itertools
import json
import pathlib
import re
import shutil

import pytest
import yaml

from tfhelp.kb import compat_tables, compatibility, versions
from tfhelp.kb.tables import Row, Tables


@pytest.fixture(scope="module")
def releases(tables: Tables) -> list[Row]:
    found = [tables.release(version) for version in tables.release_versions(stable_only=False)]
    return [release for release in found if release]


def test_compiled_form_survives_json() -> None:
    compiled = compat_tables.compile_tables()
    assert set(compiled) == {"tensorflow", "cuda", "xid", "exit"}
    assert json.loads(json.dumps(compiled)) == compiled


def test_files_stay_small() -> None:
    for path in compat_tables.FOLDER.glob("*.yaml"):
        assert path.stat().st_size < 100_000, path.name


def test_every_release_is_found_by_its_own_name(tables: Tables, releases: list[Row]) -> None:
    assert len(releases) == 77
    assert [release["version"] for release in releases] == tables.release_versions(stable_only=False)


def test_releases_are_listed_newest_first(tables: Tables) -> None:
    listed = [versions.parse(version) for version in tables.release_versions(stable_only=False)]
    assert all(first is not None and second is not None and first >= second for first, second in itertools.pairwise(listed))


def test_newest_stable_is_the_first_stable_release(tables: Tables) -> None:
    newest = tables.table("tensorflow")["newest"]
    assert tables.release_versions()[0] == newest["stable"]
    assert tables.release_versions(stable_only=False)[0] == newest["prerelease"]


def test_every_cuda_of_a_release_has_libraries_drivers_and_a_compiler(tables: Tables, releases: list[Row]) -> None:
    compiled_for = {name for row in tables.compilers() for name in row["cuda"]}
    for release in releases:
        cuda = compatibility.cuda_of(release)
        if cuda is None:
            continue
        assert tables.library_row(cuda), release["version"]
        assert tables.driver_minimum(cuda, "linux"), release["version"]
        assert versions.minor_release(cuda) in compiled_for, release["version"]


def test_minimum_driver_of_a_release_is_that_of_its_cuda(tables: Tables, releases: list[Row]) -> None:
    for release in releases:
        cuda = compatibility.cuda_of(release)
        if cuda:
            assert release["min_driver_linux"] == tables.driver_minimum(cuda, "linux"), release["version"]


def test_every_cudnn_of_a_release_is_made_for_its_cuda(tables: Tables, releases: list[Row]) -> None:
    rows = tables.table("cuda")["cudnn"]
    for release in releases:
        cuda, cudnn = compatibility.cuda_of(release), release["cudnn"].get("tested")
        if not cuda or not cudnn:
            continue
        fitting = [row for row in rows if _spans(row["cudnn"], cudnn)]
        assert fitting, (release["version"], cudnn)
        made_for = fitting[0]["cuda"]
        assert cuda in made_for or f"{versions.major(cuda)}.x" in made_for, (release["version"], cuda, cudnn)


def _spans(text: str, version: str) -> bool:
    first, _, last = text.partition(" to ")
    return bool(versions.satisfies(version, f">={first}") and versions.satisfies(version, f"<={last or first}"))


def test_pins_agree_with_the_cuda_and_cudnn_that_were_tested(tables: Tables, releases: list[Row]) -> None:
    pinned = [release for release in releases if release.get("and_cuda")]
    assert len(pinned) >= 15
    for release in pinned:
        pins = release["and_cuda"]
        cuda = compatibility.cuda_of(release)
        runtime = next(pins[name] for name in pins if name.startswith("nvidia-cuda-runtime-cu"))
        cudnn = next(pins[name] for name in pins if name.startswith("nvidia-cudnn-cu"))
        if cuda is None:
            continue
        assert versions.satisfies(f"{cuda}.99999", runtime.replace("==", ">=")), release["version"]
        wanted = compatibility.cudnn_of(release)
        lowest = next(text for operator, text in versions.clauses(cudnn) if operator in ("==", ">="))
        assert compatibility.cudnn_satisfies(wanted, lowest), release["version"]


def test_lowest_compute_capability_is_the_first_with_machine_code(releases: list[Row]) -> None:
    for release in releases:
        code = release.get("gpu_code")
        if code:
            assert code["minimum"] == min(code["machine_code"], key=lambda one: versions.parse(one) or ((), 0, 0)), release[
                "version"
            ]


def test_newest_ptx_needs_the_driver_branch_that_the_ptx_table_names(tables: Tables, releases: list[Row]) -> None:
    branches = {row["driver_branch"] for row in tables.table("cuda")["ptx"].values()}
    for release in releases:
        if release.get("gpu_code"):
            assert release["gpu_code"]["jit_driver_branch"] in branches, release["version"]
        kernels = release.get("generated_kernels")
        if kernels:
            rows = tables.table("cuda")["ptx"].values()  # oldest first; two CUDA releases can write the same PTX
            known = {row["ptx_isa"]: row["driver_branch"] for row in reversed(rows)}
            assert known[kernels["ptx_isa"]] <= release["gpu_code"]["jit_driver_branch"], release["version"]


def test_every_gpu_has_a_compute_capability_that_some_cuda_compiles_for(tables: Tables) -> None:
    known = tables.table("cuda")["compute_capabilities"]
    targets = {target for row in tables.compilers() for target in row["targets"]}
    for group in tables.table("cuda")["gpus"]:
        assert group["compute_capability"] in known
        assert group["compute_capability"] in targets


def test_first_and_last_cuda_of_a_compute_capability_agree_with_the_compilers(tables: Tables) -> None:
    order = [name for row in tables.compilers() for name in row["cuda"]]
    for capability, row in tables.table("cuda")["compute_capabilities"].items():
        compiling = [name for one in tables.compilers() if capability in one["targets"] for name in one["cuda"]]
        if versions.satisfies(row["first_cuda"], ">=11.1"):
            assert compiling[0] == row["first_cuda"], capability
        last = row.get("last_cuda")
        assert (compiling[-1] == last) if last else (compiling[-1] == order[-1]), capability


def test_every_library_file_of_a_cuda_from_12_on_has_a_package(tables: Tables) -> None:
    for row in tables.table("cuda")["libraries"][-2:]:
        for name, soname in row.items():
            if name != "cuda":
                majors = {package["cuda"] for package in tables.soname(soname)}
                assert versions.major(row["cuda"].lstrip("=")) in majors, soname


def test_every_pinned_nvidia_package_is_known(tables: Tables, releases: list[Row]) -> None:
    known = {re.split(r"[<>=]", row["package"])[0] for row in tables.table("cuda")["packages"]}
    for release in releases:
        for name in release.get("and_cuda", {}):
            assert name in known or name.startswith("tensorrt"), (release["version"], name)


def test_windows_status_rows_name_known_signals(tables: Tables) -> None:
    table = tables.table("exit")
    for code, row in table["ntstatus"].items():
        assert row.get("like") is None or row["like"] in table["signals"], code


def test_rules_speak_of_xid_codes_that_are_listed(tables: Tables) -> None:
    for code in (13, 31, 43, 45, 48, 63, 64, 68, 74, 79, 92, 94, 95, 109, 119, 120, 136, 137, 140, 143, 154, 155, 171, 172):
        assert tables.xid(code), code


def test_every_xid_has_advice(tables: Tables) -> None:
    assert len(tables.table("xid")["xids"]) == 57
    assert all(row["do"] for row in tables.table("xid")["xids"].values())


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("tensorflow.yaml", "min_driver_linux: 450.80.02", "min_driver_linux: soon", "not a version"),
        ("tensorflow.yaml", "gpu_package: tensorflow-gpu", "gpu_packages: tensorflow-gpu", "gpu_packages"),
        ("tensorflow.yaml", "works_with: <2,", "works_with: two,", "bounds.0"),
        ("cuda.yaml", "memory_gib: {Tesla K80: 12}", "memory_gib: {Tesla K80: lots}", "gpus"),
        ("xid.yaml", "severity: fatal", "severity: dreadful", "severity"),
        ("exit.yaml", "number: 9,", "number: 99,", "signals.SIGKILL"),
        ("exit.yaml", "codes:", "codes: [", "exit.yaml"),
    ],
)
def test_a_bad_figure_is_refused_by_file_and_place(tmp_path: pathlib.Path, file: str, old: str, new: str, says: str) -> None:
    shutil.copytree(compat_tables.FOLDER, tmp_path / "compat")
    path = tmp_path / "compat" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(compat_tables.TableError) as error:
        compat_tables.compile_tables(tmp_path / "compat")
    assert file in str(error.value)
    assert says in str(error.value)


def test_a_missing_file_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(compat_tables.TableError, match=r"tensorflow\.yaml"):
        compat_tables.compile_tables(tmp_path)


def test_yaml_has_no_key_twice() -> None:
    """YAML silently lets the last of two equal keys win; none of ours may have two."""

    class Strict(yaml.SafeLoader):
        pass

    def mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[object, object]:
        keys = [loader.construct_object(key) for key, _ in node.value]  # type: ignore[no-untyped-call]
        assert len(keys) == len(set(keys)), [key for key in keys if keys.count(key) > 1]
        return {key: loader.construct_object(value, deep=True) for key, (_, value) in zip(keys, node.value, strict=True)}  # type: ignore[no-untyped-call]

    Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)
    for path in compat_tables.FOLDER.glob("*.yaml"):
        assert yaml.load(path.read_text(encoding="utf-8"), Strict)
