"""The probe's readers, each with folders and files made for it."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tfhelp.collectors import machine
from tfhelp.collectors.environment import probe
from tfhelp.collectors.environment.probe import cuda_files, loader_path, packages, shadowing, tensorflow_files
from tfhelp.collectors.environment.probe.findings import Findings
from tfhelp.collectors.environment.probe.findings import read_file as findings_read_file
from tfhelp.collectors.environment.probe.load import cudnn_version
from tfhelp.collectors.machine import memory, operating_system, processor, variables
from tfhelp.collectors.machine.files import read_file
from tfhelp.kb.fact_sheet import FactSheet


@pytest.fixture
def write(tmp_path: pathlib.Path):
    """Writes a file under the test's own root."""

    def to(path: str, text: str = "") -> pathlib.Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return to


def _control_group(root: pathlib.Path) -> dict:
    findings = FactSheet()
    memory.read_control_group(findings, str(root))
    return {path.partition(".")[2]: value for path, value in findings.values.items()}


class TestControlGroups:
    def test_version_2_in_a_container(self, tmp_path, write):
        write("proc/self/cgroup", "0::/\n")
        write("sys/fs/cgroup/memory.max", "4294967296\n")
        write("sys/fs/cgroup/memory.current", "1073741824\n")
        write("sys/fs/cgroup/memory.events", "low 0\noom 3\noom_kill 2\noom_group_kill 0\n")
        assert _control_group(tmp_path) == {"cgroup_limit_mib": 4096.0, "cgroup_used_mib": 1024.0, "cgroup_oom_kills": 2}

    def test_the_narrowest_of_nested_groups_counts(self, tmp_path, write):
        write("proc/self/cgroup", "0::/slurm/job_7/step_0\n")
        write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n")
        write("sys/fs/cgroup/slurm/job_7/memory.max", "1048576\n")
        write("sys/fs/cgroup/slurm/job_7/memory.events", "oom_kill 1\n")
        write("sys/fs/cgroup/slurm/memory.max", "2097152\n")
        assert _control_group(tmp_path) == {"cgroup_limit_mib": 1.0, "cgroup_oom_kills": 1}

    def test_version_1_without_a_limit(self, tmp_path, write):
        write("proc/self/cgroup", "4:memory:/user\n0::/\n")
        write("sys/fs/cgroup/memory/user/memory.limit_in_bytes", "9223372036854771712\n")
        write("sys/fs/cgroup/memory/user/memory.usage_in_bytes", "1048576\n")
        write("sys/fs/cgroup/memory/user/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n")
        assert _control_group(tmp_path) == {"cgroup_limit_mib": None, "cgroup_used_mib": 1.0, "cgroup_oom_kills": 5}

    def test_version_1_under_the_path_of_the_host(self, tmp_path, write):
        write("proc/self/cgroup", "9:cpu,memory:/docker/0123abcd\n")
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n")
        assert _control_group(tmp_path)["cgroup_limit_mib"] == 2.0

    def test_no_control_groups(self, tmp_path):
        assert _control_group(tmp_path) == {}


class TestOperatingSystem:
    @pytest.fixture(autouse=True)
    def outside(self, monkeypatch):
        for name in ("KUBERNETES_SERVICE_HOST", "SINGULARITY_CONTAINER", "APPTAINER_CONTAINER"):
            monkeypatch.delenv(name, raising=False)

    def _read(self, root) -> dict:
        findings = FactSheet()
        operating_system.read_operating_system(findings, str(root))
        return findings.values

    def test_ubuntu_under_wsl(self, tmp_path, write):
        write("etc/os-release", 'PRETTY_NAME="Ubuntu 22.04.3 LTS"\nNAME="Ubuntu"\nVERSION_ID="22.04"\n')
        write("proc/sys/kernel/osrelease", "5.15.133.1-microsoft-standard-WSL2\n")
        write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu avx hypervisor avx2\n\nprocessor\t: 1\n")
        values = self._read(tmp_path)
        assert values["os.release"] == "Ubuntu 22.04"
        assert values["os.wsl"] is True
        assert values["os.container"] is False
        assert values["os.virtual_machine"] is True

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            (".dockerenv", ""),
            ("run/.containerenv", ""),
            ("proc/1/cgroup", "12:memory:/kubepods/burstable/pod1\n"),
            ("proc/self/mounts", "overlay / overlay rw,lowerdir=/a 0 0\n"),
        ],
    )
    def test_marks_of_a_container(self, tmp_path, write, path, text):
        write(path, text)
        assert self._read(tmp_path)["os.container"] is True

    def test_a_machine_of_metal(self, tmp_path, write):
        write("proc/self/mounts", "/dev/nvme0n1p2 / ext4 rw 0 0\n")
        write("proc/cpuinfo", "flags : fpu sse\n")
        write("sys/class/dmi/id/sys_vendor", "Dell Inc.\n")
        values = self._read(tmp_path)
        assert (values["os.container"], values["os.virtual_machine"], values["os.wsl"]) == (False, False, False)
        assert values["os.release"] is None


def test_instruction_sets_are_whole_words(tmp_path, write):
    write("proc/cpuinfo", "model name\t: Old CPU\nflags\t\t: fpu avx512f xavx2 fma4\n")
    findings = FactSheet()
    processor.read_processor(findings, str(tmp_path))
    assert [findings.values[f"host.{name}"] for name in ("avx", "avx2", "fma")] == [False, False, False]
    assert findings.values["host.cpu_model"] == "Old CPU"


class TestPackages:
    @pytest.fixture
    def site(self, tmp_path):
        folder = tmp_path / "site-packages"
        folder.mkdir()
        return folder

    def _install(self, site: pathlib.Path, name: str, version: str, module: str = "", metadata: bool = True) -> None:
        info = site / f"{name}-{version}.dist-info"
        info.mkdir()
        if metadata:
            (info / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
        if module:
            (site / module).mkdir(parents=True)
            (site / module / "__init__.py").write_text("")

    def _read(self, *folders: pathlib.Path) -> Findings:
        findings = Findings()
        packages.read_packages(findings, [str(folder) for folder in folders])
        return findings

    def test_names_are_normalised_and_the_group_is_whole(self, site):
        self._install(site, "tf_keras", "2.16.0", "tf_keras")
        self._install(site, "Ruamel.Yaml", "0.18")
        self._install(site, "pip", "23.2.1")
        findings = self._read(site)
        assert findings.values["packages.tf-keras"] == "2.16.0"
        assert findings.values["packages.ruamel-yaml"] == "0.18"
        assert findings.values["python.pip_version"] == "23.2.1"
        assert findings.values["python.broken_distribution"] is None
        assert findings.about["packages"]["state"] == "ok"

    def test_old_forms(self, site):
        (site / "wrapt-1.11-py3.7.egg-info").write_text("Name: wrapt\nVersion: 1.11\n")
        (site / "six.egg-info").mkdir()
        (site / "six.egg-info" / "PKG-INFO").write_text("Metadata-Version: 1.0\nName: six\nVersion: 1.16.0\n")
        (site / "absl_py-0.9-py3.7.egg").mkdir()
        (site / "wrapt").mkdir()
        (site / "wrapt" / "__init__.py").write_text("")
        values = self._read(site).values
        assert (values["packages.wrapt"], values["packages.six"], values["packages.absl-py"]) == ("1.11", "1.16.0", "0.9")

    def test_the_first_folder_wins(self, site, tmp_path):
        user = tmp_path / "user"
        user.mkdir()
        self._install(user, "numpy", "2.1.0", "numpy")
        self._install(site, "numpy", "1.26.4", "numpy")
        findings = self._read(user, site)
        assert findings.values["packages.numpy"] == "2.1.0"
        assert findings.values["python.broken_distribution"] is None

    @pytest.mark.parametrize("leftover", ["~ensorflow", "~ensorflow-2.10.0.dist-info"])
    def test_what_pip_left_over(self, site, leftover):
        self._install(site, "tensorflow", "2.11.0", "tensorflow")
        (site / leftover).mkdir()
        findings = self._read(site)
        assert findings.values["python.broken_distribution"] == "tensorflow"
        assert leftover in findings.about["python.broken_distribution"]["source"]

    def test_two_versions_in_one_folder(self, site):
        self._install(site, "protobuf", "3.20.3", "google/protobuf")
        self._install(site, "protobuf", "4.25.0")
        findings = self._read(site)
        assert findings.values["python.broken_distribution"] == "protobuf"
        assert "protobuf-3.20.3.dist-info and protobuf-4.25.0.dist-info" in findings.about["python.broken_distribution"]["source"]

    def test_removed_by_halves(self, site):
        self._install(site, "tensorflow", "2.15.0")
        self._install(site, "somebody", "1.0", metadata=False)
        assert self._read(site).values["python.broken_distribution"] == "tensorflow"

    def test_without_metadata(self, site):
        self._install(site, "somebody", "1.0", metadata=False)
        assert self._read(site).values["python.broken_distribution"] == "somebody"

    @pytest.mark.parametrize("written", [b"", b"\x00\xff" * 50, b"Name: ten"])
    def test_damaged_metadata(self, site, written):
        self._install(site, "tensorflow", "2.15.0", "tensorflow")
        self._install(site, "numpy", "1.26.0", "numpy")
        (site / "tensorflow-2.15.0.dist-info" / "METADATA").write_bytes(written)
        findings = self._read(site)
        assert findings.values["python.broken_distribution"] == "tensorflow"
        assert "METADATA" in findings.about["python.broken_distribution"]["source"]
        assert findings.values["packages.numpy"] == "1.26.0" and findings.values["packages.tensorflow"] == "2.15.0"

    def test_an_editable_installation_is_whole(self, site):
        self._install(site, "keras", "3.0.0")
        (site / "keras-3.0.0.dist-info" / "direct_url.json").write_text("{}")
        assert self._read(site).values["python.broken_distribution"] is None


class TestShadowing:
    def _find(self, folder: pathlib.Path, path: "list[str] | None" = None) -> "list[str]":
        return [os.path.basename(file) for file in shadowing.find_shadowing(str(folder), path or [shadowing.STANDARD_LIBRARY])]

    def test_tensorflow_comes_before_standard_modules(self, tmp_path, write):
        write("random.py")
        write("tensorflow.py")
        write("train.py")
        assert self._find(tmp_path) == ["tensorflow.py", "random.py"]

    def test_a_folder_hides_only_as_a_package(self, tmp_path, write):
        write("keras/model.h5")
        assert self._find(tmp_path) == []
        write("keras/__init__.py")
        assert self._find(tmp_path) == ["keras"]

    def test_what_is_built_in_cannot_be_hidden(self, tmp_path, write):
        write("sys.py")
        write("time.py")
        write("tests/__init__.py")
        assert self._find(tmp_path) == []

    def test_a_folder_of_pythonpath_hides_too(self, tmp_path, write):
        write("lib/logging.py")
        (tmp_path / "work").mkdir()
        assert self._find(tmp_path / "work", [str(tmp_path / "lib"), shadowing.STANDARD_LIBRARY]) == ["logging.py"]
        assert self._find(tmp_path / "work", [shadowing.STANDARD_LIBRARY, str(tmp_path / "lib")]) == []


class TestEnvironmentVariables:
    @pytest.mark.parametrize(
        ("name", "value", "told"),
        [
            ("TF_GPU_ALLOCATOR", "cuda_malloc_async", "cuda_malloc_async"),
            ("LD_LIBRARY_PATH", "/usr/local/cuda/lib64", "/usr/local/cuda/lib64"),
            ("CUDA_VISIBLE_DEVICES", "", ""),
            ("https_proxy", "http://me:word@proxy:80", "set"),
            ("HTTPS_PROXY", "http://me:word@proxy:80", "set"),
            ("TF_SERVING_TOKEN", "abc", "set"),
            ("TFHUB_CACHE_DIR", "s3://me:word@host/x", "set"),
            ("TF_VAR_db_password", "abc", None),
            ("AWS_SECRET_ACCESS_KEY", "abc", None),
            ("SLURM_JWT", "abc", None),
            ("HOME", "/home/me", None),
        ],
    )
    def test_what_is_told(self, name, value, told):
        assert variables.environment_variable(name, value) == told

    def test_the_group_is_whole(self, monkeypatch):
        monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")
        monkeypatch.setenv("MY_SECRET", "abc")
        findings = FactSheet()
        variables.read_environment_variables(findings)
        assert findings.values["env.TF_CPP_MIN_LOG_LEVEL"] == "3"
        assert "env.MY_SECRET" not in findings.values
        assert findings.about["env"]["state"] == "ok"


class TestTensorFlow:
    @pytest.mark.parametrize(
        ("text", "built"),
        [
            (
                "build_info = collections.OrderedDict([('cuda_version', '12.5.1'), ('cudnn_version', '9'), ('is_cuda_build', True)])",
                (True, "12.5.1", "9"),
            ),
            ('build_info = {"cuda_version": "11.2", "cudnn_version": "8", "is_cuda_build": True}', (True, "11.2", "8")),
            ("is_cuda_build = True\ncuda_version_number = '10.0'\ncudnn_version_number = '7'\n", (True, "10.0", "7")),
            ("build_info = collections.OrderedDict([('is_cuda_build', False)])", (False, None, None)),
        ],
    )
    def test_build_info_of_several_ages(self, tmp_path, write, text, built):
        write("tensorflow/__init__.py", "raise SystemExit('must not be imported')")
        write("tensorflow/python/platform/build_info.py", text)
        findings = Findings()
        location = tensorflow_files.read_tensorflow(findings, [str(tmp_path)])
        assert location == str(tmp_path / "tensorflow") == findings.values["tensorflow.location"]
        names = ("cuda_build", "built_cuda_version", "built_cudnn_version")
        assert tuple(findings.values[f"tensorflow.{name}"] for name in names) == built

    def test_none(self, tmp_path):
        findings = Findings()
        assert tensorflow_files.read_tensorflow(findings, [str(tmp_path)]) == ""
        assert findings.values == {"tensorflow.location": None}


@pytest.mark.parametrize(
    ("cuda", "cudnn", "some_of_them"),
    [
        ("12.5.1", "9", {"libcudart.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11", "libcudnn.so.9"}),
        ("11.2", "8", {"libcudart.so.11.0", "libcufft.so.10", "libcusolver.so.11", "libcusparse.so.11", "libcudnn.so.8"}),
        ("10.1", "7", {"libcudart.so.10.1", "libcublas.so.10", "libcudnn.so.7"}),
        ("10.0", "7", {"libcudart.so.10.0", "libcublas.so.10.0", "libcudnn.so.7"}),
        ("9.0", "7.4", {"libcudart.so.9.0", "libcublas.so.9.0", "libcudnn.so.7"}),
        ("12", "", {"libcudart.so.12"}),
    ],
)
def test_wanted_libraries(cuda, cudnn, some_of_them):
    wanted = tensorflow_files.wanted_libraries(cuda, cudnn)
    assert some_of_them <= set(wanted)
    assert any(name.startswith("libcudnn") for name in wanted) is bool(cudnn)


@pytest.mark.parametrize(("number", "version"), [(7605, "7.6.5"), (8907, "8.9.7"), (90300, "9.3.0"), (91002, "9.10.2")])
def test_cudnn_version(number, version):
    assert cudnn_version(number) == version


@pytest.fixture(scope="session")
def linked(tmp_path_factory):
    """Two libraries, linked with a run path in each of its two forms."""

    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("linked")
    (folder / "empty.c").write_text("int nothing;\n")
    for name, flag in (("libnew.so", "--enable-new-dtags"), ("libold.so", "--disable-new-dtags")):
        path = "-Wl,-rpath,$ORIGIN/../nvidia/cudnn/lib:/opt/other:$ORIGIN/../nvidia/cudnn/lib"
        command = [compiler, "-shared", "-fPIC", f"-Wl,{flag}", path, "-o", folder / name, folder / "empty.c"]
        subprocess.run(command, check=True)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "libplain.so", folder / "empty.c"], check=True)
    return folder


class TestLoaderPath:
    def test_run_path_of_both_forms(self, linked):
        folders = [str(linked.parent / "nvidia/cudnn/lib"), "/opt/other"]
        assert loader_path.run_path(str(linked / "libnew.so")) == (False, folders, "")
        assert loader_path.run_path(str(linked / "libold.so")) == (True, folders, "")
        assert loader_path.run_path(str(linked / "libplain.so")) == (False, [], "")

    @given(some.binary(max_size=400))
    def test_a_file_that_is_not_a_library(self, tmp_path_factory, data):
        file = tmp_path_factory.mktemp("elf") / "libcudart.so"
        file.write_bytes(b"\x7fELF\x02\x01" + data)
        before, folders, fault = loader_path.run_path(str(file))
        assert (before, folders) == (False, []) and (not fault or str(file) in fault)

    def test_a_damaged_library_is_named_and_the_others_are_found(self, linked, tmp_path, write, monkeypatch):
        package = write("tensorflow/__init__.py").parent
        (package / "libtensorflow_framework.so.2").write_bytes((linked / "libnew.so").read_bytes()[:70])
        write("b/libcudart.so.12")
        monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}/b")
        findings = Findings()
        cuda_files.read_cuda(findings, [str(tmp_path)], str(package), "")
        assert f"{tmp_path}/b/libcudart.so.12" in findings.values["cuda.libraries"]
        said = findings.about["cuda.libraries"]["source"]
        assert said.endswith(f"cannot read {package}/libtensorflow_framework.so.2: it is cut off or damaged")

    def test_a_library_that_was_cut_off(self, linked, tmp_path):
        data = (linked / "libnew.so").read_bytes()
        for length in (0, 40, 64, 100, 300, len(data) // 2):
            (tmp_path / "cut.so").write_bytes(data[:length])
            before, folders, _ = loader_path.run_path(str(tmp_path / "cut.so"))
            assert before is False
            assert len(folders) in (0, 2)

    def test_order_and_doubles(self, tmp_path, write, monkeypatch):
        write("a/libcudart.so.12")
        write("b/libcudart.so.12")
        (tmp_path / "c").mkdir()
        (tmp_path / "c/libcudart.so.12").symlink_to(tmp_path / "a/libcudart.so.12")
        monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}/missing:{tmp_path}/c:{tmp_path}/a:{tmp_path}/b")
        loader = loader_path.LoaderPath("", str(tmp_path))
        assert loader.files("libcudart.so.12") == [f"{tmp_path}/c/libcudart.so.12", f"{tmp_path}/b/libcudart.so.12"]
        assert loader.sonames("libcudart") == ["libcudart.so.12"]
        assert loader.sonames("libcublas") == []

    def test_the_cache_of_the_loader(self, tmp_path, write):
        write("lib/libcudnn.so.9")
        (tmp_path / "etc").mkdir()
        entry = f"libcudnn.so.9\0{tmp_path}/lib/libcudnn.so.9\0libz.so.1\0/lib/libz.so.1\0".encode()
        (tmp_path / "etc/ld.so.cache").write_bytes(b"glibc-ld.so.cache1.1" + struct.pack("<I", 2) + b"\0" * 24 + entry)
        loader = loader_path.LoaderPath("", str(tmp_path))
        assert loader.files("libcudnn.so.9") == [f"{tmp_path}/lib/libcudnn.so.9"]
        assert "libz.so.1" not in loader.cache


@pytest.mark.parametrize("written", ["9" * 5000, "\u00b2", "-1", "", "1e9"])
def test_an_invalid_number_affects_only_that_fact(tmp_path, write, written):
    write("proc/meminfo", f"MemTotal: {written} kB\nMemAvailable: 2048 kB\n")
    write("proc/self/cgroup", "0::/\n")
    write("sys/fs/cgroup/memory.max", written)
    write("sys/fs/cgroup/memory.current", written)
    write("sys/fs/cgroup/memory.events", f"oom_kill {written}\n")
    found = FactSheet()
    machine.read_machine(found, str(tmp_path))
    assert found.values["host.memory_available_mib"] == 2.0
    assert found.values["host.cgroup_limit_mib"] is None
    assert not {"host.memory_total_mib", "host.cgroup_used_mib", "host.cgroup_oom_kills"} & set(found.values)
    assert "host" not in found.about


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert read_file(str(tmp_path / "pipe")) == "" and findings_read_file(str(tmp_path / "pipe")) == ""


@pytest.mark.parametrize("cuda", ["9" * 5000 + ".0", "\u00b2.0", ""])
def test_a_cuda_release_that_does_not_exist(cuda):
    assert len(tensorflow_files.wanted_libraries(cuda, "8")) == 6


def test_a_failing_reader_does_not_stop_the_others(monkeypatch):
    def broken(sheet, root):
        raise RuntimeError("unlucky")

    monkeypatch.setattr(machine, "_READERS", (*machine._READERS, ("host", broken)))
    findings = FactSheet()
    machine.read_machine(findings)
    assert findings.about["host"] == {"source": "RuntimeError: unlucky", "state": "not-readable"}
    assert findings.values["os.name"] == {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    assert findings.values["host.disk_free_mib"] > 0


def test_a_file_system_that_hangs_costs_no_more_than_the_limit(monkeypatch):
    release = threading.Event()

    def hangs(sheet, root):
        release.wait(60)

    monkeypatch.setattr(machine, "_READERS", (*machine._READERS[:1], ("host", hangs)))
    found = FactSheet()
    machine.read_machine_within(found, 0.2)
    release.set()
    assert found.about["host"]["state"] == "timed-out"
    assert found.values["os.name"]


@given(some.data())
def test_a_forged_library_is_no_error(linked, tmp_path_factory, data):
    """Offsets and sizes in a header may be anything: beyond the file, beyond the type, negative for seek."""
    whole = (linked / "libnew.so").read_bytes()
    forged = bytearray(whole[:4096])
    for _ in range(data.draw(some.integers(1, 6))):
        place = data.draw(some.integers(6, 120))
        forged[place] = data.draw(some.sampled_from([0, 1, 0x7F, 0x80, 0xFF]))
    file = tmp_path_factory.mktemp("forged") / "libforged.so"
    file.write_bytes(bytes(forged))
    before, folders, _ = loader_path.run_path(str(file))
    assert isinstance(before, bool) and all(isinstance(folder, str) for folder in folders)


def test_the_probe_behind_a_symlink_reports_no_shadowing(tmp_path):
    """Home folders of clusters are symbolic links: Python resolves sys.path[0], so the probe's own folder stayed on the path."""
    (tmp_path / "home").symlink_to(pathlib.Path(probe.__file__).resolve().parent)
    (tmp_path / "work").mkdir()
    command = [sys.executable, str(tmp_path / "home")]
    done = subprocess.run(command, cwd=tmp_path / "work", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout[done.stdout.index("{") :])["python"]["shadowing_file"] is None
