"""Questions whose answer needs several rows."""

import pytest
from packaging.specifiers import SpecifierSet

from tfhelp.kb import compatibility, versions
from tfhelp.kb.tables import Row, Tables


def release(tables: Tables, version: str) -> Row:
    found = tables.release(version)
    assert found
    return found


@pytest.mark.parametrize(
    ("version", "capability", "support"),
    [
        ("2.21.0", "8.6", "machine-code"),
        ("2.21.0", "9.0", "compiled-at-start"),
        ("2.21.0", "12.0", "compiled-at-start"),  # plain sm_90 PTX, and the pins let pip take a CUDA 12 that knows Blackwell
        ("2.20.0", "12.0", "too-new"),  # sm_90a PTX runs on exactly 9.0
        ("2.16.1", "10.0", "too-new"),
        ("2.16.1", "9.0", "compiled-at-start"),
        ("2.15.1", "12.0", "too-new"),  # plain PTX, but the pinned CUDA 12.2 has no code for Blackwell
        ("2.15.1", "9.0", "compiled-at-start"),
        ("2.10.1", "8.6", "compiled-at-start"),
        ("2.17.0", "5.2", "too-old"),
        ("2.16.2", "5.2", "machine-code"),
        ("2.15.1", "3.7", "too-old"),
        ("2.14.1", "3.7", "machine-code"),
        ("2.3.0", "8.6", "too-new"),  # CUDA 10.1 is older than Ampere
        ("2.4.1", "8.6", "machine-code"),
        ("1.15.0", "6.1", "machine-code"),
        ("2.21.0", "nonsense", None),
    ],
)
def test_gpu_support(tables: Tables, version: str, capability: str, support: str | None) -> None:
    assert compatibility.gpu_support(tables, release(tables, version), capability) == support


@pytest.mark.parametrize(
    ("version", "system", "capability", "driver"),
    [
        ("2.21.0", "linux", None, "525.60.13"),
        ("2.21.0", "linux", "8.6", "525.60.13"),
        ("2.21.0", "linux", "9.0", "555"),  # the driver must compile PTX 8.5
        ("2.21.0", "linux", "12.0", "570"),  # the first branch that knows Blackwell
        ("2.21.0", "wsl", "8.6", "528.33"),
        ("2.10.1", "windows", "7.5", "452.39"),
        ("2.10.1", "windows", "8.6", "460"),
        ("2.3.0", "linux", "7.5", "418.39"),
    ],
)
def test_driver_needed(tables: Tables, version: str, system: str, capability: str | None, driver: str) -> None:
    assert compatibility.driver_needed(tables, release(tables, version), system, capability) == driver


@pytest.mark.parametrize(
    ("wanted", "found", "fits"),
    [
        ("12.5", "12.5.1", True),
        ("12.5", "12.9", True),
        ("12.5", "12.2", False),
        ("12.5", "13.0", False),
        ("12.5", "11.8", False),
        ("11.2", "11.8", True),
        ("11.0", "11.2", False),  # libcusolver.so.10 became .11
        ("10.1", "10.2", False),
        ("12.5", "12", None),
        ("12.5", "11", False),
        ("12.5", "unknown", None),
        ("nonsense", "12.5", None),
    ],
)
def test_cuda_satisfies(tables: Tables, wanted: str, found: str, fits: bool | None) -> None:
    assert compatibility.cuda_satisfies(tables, wanted, found) is fits


@pytest.mark.parametrize(
    ("wanted", "found", "fits"),
    [
        ("8.1", "8.0.5", False),
        ("8.1.0", "8.1.1", True),
        ("8.1.1", "8.1.0", True),
        ("8.6", "8.9.7", True),
        ("9.3", "8.9.7", False),
        ("8", "8.0.5", True),
        ("9.3", "9", None),
        ("9.3", "10", False),
        ("9.3", "6.5v2", False),
        ("9.3", "n/a", None),
    ],
)
def test_cudnn_satisfies(wanted: str, found: str, fits: bool | None) -> None:
    assert compatibility.cudnn_satisfies(wanted, found) is fits


def test_ranges_depend_on_python_where_the_metadata_does(tables: Tables) -> None:
    row = release(tables, "2.16.1")
    assert compatibility.requirement(tables, row, "numpy", "3.11.4") == ">=1.23.5,<2.0.0"
    assert compatibility.requirement(tables, row, "numpy", "3.12.1") == ">=1.26.0,<2.0.0"
    assert compatibility.requirement(tables, row, "numpy") is None


def test_bounds_beyond_the_metadata_are_added_once(tables: Tables) -> None:
    assert compatibility.requirement(tables, release(tables, "2.10.1"), "numpy") == ">=1.20,<2"
    assert compatibility.requirement(tables, release(tables, "2.4.1"), "numpy") == "~=1.19.2"
    assert compatibility.requirement(tables, release(tables, "2.4.1"), "protobuf") == ">=3.9.2,<3.21"
    assert compatibility.requirement(tables, release(tables, "2.6.0"), "keras") == "~=2.6,<2.7"
    assert compatibility.requirement(tables, release(tables, "2.1.0"), "keras") is None


def test_every_range_means_to_us_what_it_means_to_pip(tables: Tables) -> None:
    """Our comparison of versions is not pip's; for the ranges of the tables, the two must agree."""
    candidates = {
        "numpy": ["1.16.0", "1.19.5", "1.23.5", "1.24.0", "1.26.4", "2.0.0", "2.0.2", "2.1.3", "2.4.6"],
        "protobuf": ["3.6.1", "3.19.6", "3.20.3", "4.21.3", "4.25.9", "5.28.3", "6.31.1", "7.36.2", "8.0.0"],
        "keras": ["2.6.0", "2.7.0", "2.10.0", "2.15.0", "3.0.0", "3.5.0", "3.10.0", "3.15.1"],
    }
    compared = 0
    for version in tables.release_versions(stable_only=False):
        row = release(tables, version)
        for package, known in candidates.items():
            for python in compatibility.pythons(row, "linux_x86_64"):
                wanted = compatibility.requirement(tables, row, package, python)
                for candidate in known if wanted else []:
                    assert versions.satisfies(candidate, str(wanted)) == SpecifierSet(str(wanted)).contains(candidate), (
                        wanted,
                        candidate,
                    )
                    compared += 1
    assert compared > 3000


@pytest.mark.parametrize(
    ("version", "platform", "gpu", "capability", "command"),
    [
        ("2.21.0", "linux_x86_64", True, "8.6", 'python -m pip install "tensorflow[and-cuda]==2.21.0"'),
        ("2.21.0", "linux_x86_64", True, "7.0", 'python -m pip install "tensorflow[and-cuda]==2.21.0" "nvidia-cudnn-cu12<9.11"'),
        ("2.21.0", "linux_x86_64", False, None, 'python -m pip install "tensorflow==2.21.0"'),
        ("2.21.0", "linux_aarch64", True, "8.7", 'python -m pip install "tensorflow==2.21.0"'),
        ("2.21.0", "windows", True, "8.6", 'python -m pip install "tensorflow==2.21.0"'),
        ("2.15.1", "linux_x86_64", True, "8.6", 'python -m pip install "tensorflow[and-cuda]==2.15.1"'),
        ("2.10.1", "windows", True, "8.6", 'python -m pip install "tensorflow==2.10.1" "numpy<2"'),
        ("2.0.4", "linux_x86_64", True, "7.5", 'python -m pip install "tensorflow-gpu==2.0.4" "protobuf<3.21"'),
        ("2.0.4", "linux_x86_64", False, None, 'python -m pip install "tensorflow==2.0.4" "protobuf<3.21"'),
        ("2.6.1", "linux_x86_64", True, "8.6", 'python -m pip install "tensorflow==2.6.1" "protobuf<3.21" "keras<2.7"'),
    ],
)
def test_install_command(tables: Tables, version: str, platform: str, gpu: bool, capability: str | None, command: str) -> None:
    row = release(tables, version)
    assert compatibility.install_command(tables, row, platform, gpu=gpu, compute_capability=capability) == command


@pytest.mark.parametrize(
    ("system", "architecture", "keys"),
    [
        ("linux", None, ["linux_x86_64"]),
        ("linux", "aarch64", ["linux_aarch64"]),
        ("linux", "ppc64le", []),
        ("linux", "i686", []),
        ("windows", "AMD64", ["windows"]),
        ("windows", "ARM64", []),
        ("macos", None, ["macos_arm64", "macos_x86_64"]),
        ("macos", "arm64", ["macos_arm64"]),
        ("plan9", None, []),
        (None, None, []),
    ],
)
def test_platform_keys(system: str | None, architecture: str | None, keys: list[str]) -> None:
    assert compatibility.platform_keys(system, architecture) == keys


def test_the_extra_is_asked_for_only_where_pip_can_serve_it(tables: Tables) -> None:
    row = release(tables, "2.14.0")
    served = compatibility.install_command(tables, row, "linux_x86_64", gpu=True, python="3.10.4")
    assert served == 'python -m pip install "tensorflow[and-cuda]==2.14.0" "numpy<2"'
    for python in ("3.11", None):
        named = compatibility.install_command(tables, row, "linux_x86_64", gpu=True, python=python)
        assert named.startswith('python -m pip install "tensorflow==2.14.0" "nvidia-cuda-runtime-cu11==11.8.89" ')
        assert named.endswith(' "numpy<2"')
    assert not compatibility.extra_works(release(tables, "2.15.0"), "3.10")
    assert compatibility.extra_works(release(tables, "2.15.1"), None)
    assert not compatibility.extra_works(release(tables, "2.10.1"), "3.10")
