"""The environment collector, with real interpreters (healthy, old, broken, hanging) and programs that are no interpreter."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import textwrap
import time

import pytest

from tests.interpreters import of_pyenv
from tfhelp.collectors import environment
from tfhelp.collectors.environment import libraries as environment_libraries
from tfhelp.collectors.environment.interpreter import find_interpreter
from tfhelp.collectors.environment.probe import __main__ as probe_main
from tfhelp.collectors.environment.probe import import_tensorflow, load
from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.probe_child import MARKER, run_child
from tfhelp.kb.fact_sheet import FactSheet, read_document
from tfhelp.kb.facts import fact_table

posix = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand in for interpreters")
OTHERS = of_pyenv()
PYTHON_2 = of_pyenv("2.7.18")


def _check(document: dict) -> dict:
    """The model accepts the document, and every path in it is declared."""
    read_document(document, fact_table())
    for group, members in document.items():
        if group != "_about":
            for name in members:
                assert f"{group}.{name}" in environment.FACTS or group in ("packages", "env")
    return document


@pytest.fixture
def program(tmp_path):
    """Makes an executable shell script that acts as an interpreter."""

    def make(body: str) -> str:
        file = tmp_path / "python"
        file.write_text("#!/bin/sh\n" + textwrap.dedent(body))
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    return make


@pytest.fixture(scope="session")
def venv(tmp_path_factory) -> pathlib.Path:
    """A separate environment, without pip."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder


def _site(venv: pathlib.Path) -> pathlib.Path:
    return next(venv.glob("lib/python*/site-packages"), venv / "Lib" / "site-packages")


def test_declared_facts_are_in_the_model():
    assert set(environment.FACTS) <= set(fact_table())


def test_the_marker_is_the_same_everywhere():
    markers = {module.MARKER for module in (probe_main, load, import_tensorflow)}
    assert markers == {MARKER}


def test_this_interpreter():
    document = _check(environment.collect(sys.executable, budget_seconds=30))
    assert document["python"]["version"] == ".".join(map(str, sys.version_info[:3]))
    assert document["python"]["start_failure"] is None
    assert document["packages"]["pytest"] == pytest.__version__
    assert document["_about"]["packages"] == {"source": "pip metadata", "state": "ok"}
    assert document["host"]["memory_total_mib"] > document["host"]["memory_available_mib"] > 0
    assert 0 < document["host"]["cpu_count"] <= (os.cpu_count() or 1)


def test_an_empty_environment_by_its_folder(venv):
    document = _check(environment.collect(str(venv), budget_seconds=30))
    assert document["python"]["environment"] == "venv"
    assert document["python"]["pip_version"] is None
    assert document["tensorflow"] == {"location": None}
    assert pathlib.Path(document["python"]["executable"]).is_relative_to(venv)


def test_a_broken_installation_in_a_real_environment(venv):
    site = _site(venv)
    (site / "~ensorflow").mkdir()
    try:
        document = _check(environment.collect(str(venv), budget_seconds=30))
    finally:
        (site / "~ensorflow").rmdir()
    assert document["python"]["broken_distribution"] == "tensorflow"


@pytest.mark.parametrize("name", ["json", "random", "re", "socket", "tensorflow"])
def test_a_file_that_hides_a_module_is_told_and_not_imported(venv, tmp_path, monkeypatch, name):
    (tmp_path / f"{name}.py").write_text("raise SystemExit('imported the wrong file')")
    monkeypatch.chdir(tmp_path)
    document = _check(environment.collect(str(venv), budget_seconds=30))
    assert document["python"]["start_failure"] is None
    assert document["python"]["shadowing_file"] == str(tmp_path / f"{name}.py")


def test_what_is_loaded_before_a_script_cannot_be_hidden_by_it(venv, tmp_path, monkeypatch):
    (tmp_path / "os.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert environment.collect(str(venv), budget_seconds=30)["python"]["shadowing_file"] is None


def test_a_hiding_file_on_pythonpath(venv, tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit('imported the wrong file')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    document = _check(environment.collect(str(venv), budget_seconds=30))
    assert document["python"]["start_failure"] is None
    assert document["python"]["shadowing_file"] == str(tmp_path / "json.py")


@posix
def test_a_working_folder_that_was_removed(venv, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    try:
        document = _check(environment.collect(str(venv), budget_seconds=30))
    finally:
        os.chdir(tmp_path)
    assert document["python"]["start_failure"] is None
    assert document["host"]["disk_free_mib"] is None
    assert document["_about"]["host.disk_free_mib"]["state"] == "not-readable"


@posix
def test_bytes_that_are_not_text(venv, monkeypatch):
    monkeypatch.setitem(os.environb, b"TF_CONFIG", b"caf\xe9")
    document = _check(environment.collect(str(venv), budget_seconds=30))
    assert document["env"]["TF_CONFIG"] == "caf?"


def test_the_probe_writes_nothing(venv):
    before = sorted(venv.rglob("*"))
    environment.collect(str(venv), budget_seconds=30)
    assert sorted(venv.rglob("*")) == before


@posix
def test_an_interpreter_that_a_startup_file_kills(venv):
    (_site(venv) / "sitecustomize.py").write_text("import ctypes\nctypes.string_at(0)\n")
    try:
        document = _check(environment.collect(str(venv), budget_seconds=30))
    finally:
        (_site(venv) / "sitecustomize.py").unlink()
    assert document["python"]["start_failure"] == "SIGSEGV"
    assert document["python"]["version"] == ".".join(map(str, sys.version_info[:3]))
    assert document["_about"]["packages"]["state"] == "not-readable"
    assert document["host"]["memory_total_mib"] > 0
    assert "packages" not in document


def test_a_startup_file_that_talks(venv):
    (_site(venv) / "talk.pth").write_text(f"import sys; sys.stdout.write('hello {MARKER}{{ no json')\n")
    try:
        document = _check(environment.collect(str(venv), budget_seconds=30))
    finally:
        (_site(venv) / "talk.pth").unlink()
    assert document["python"]["start_failure"] is None


@posix
def test_an_illegal_instruction(program):
    document = _check(environment.collect(program("kill -ILL $$"), budget_seconds=30))
    assert document["python"]["start_failure"] == "SIGILL"


@posix
def test_an_interpreter_that_hangs(program):
    document = _check(environment.collect(program("sleep 60"), budget_seconds=0.5))
    assert document["python"]["start_failure"].startswith("no answer in ")
    assert document["_about"]["packages"]["state"] == "timed-out"
    assert document["os"]["name"] in ("linux", "macos")


@posix
def test_an_interpreter_that_talks_without_end(program):
    document = _check(environment.collect(program("yes nonsense"), budget_seconds=20))
    assert document["python"]["start_failure"] == "wrote more than it should"


@posix
@pytest.mark.parametrize("body", ["echo hello", f"echo '{MARKER}[1, 2]'", f"echo '{MARKER}{{broken'"])
def test_an_answer_that_is_none(program, body):
    document = _check(environment.collect(program(body), budget_seconds=20))
    assert document["python"]["start_failure"] == "printed something other than facts"


@posix
def test_a_program_that_is_not_an_interpreter(program):
    document = _check(environment.collect(program("echo 'unknown option -B' >&2; exit 3"), budget_seconds=20))
    assert document["python"]["start_failure"] == "exit code 3"
    assert document["_about"]["python.start_failure"]["source"] == "probe: unknown option -B"


@posix
def test_facts_that_are_not_ours_are_left_out(program):
    body = (
        f"""echo '{MARKER}{{"run": {{"exit_code": 1}}, "derived": {{"x": 1}}, "python": {{"version": "3.9.1"}}, "_plan": 7}}'"""
    )
    document = _check(environment.collect(program(body), budget_seconds=20))
    assert document["python"] == {"version": "3.9.1"}
    assert "run" not in document and "derived" not in document


@pytest.fixture(scope="session")
def libraries(tmp_path_factory):
    """Libraries that answer, crash when loaded, need another library, or never return."""
    compiler = shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler for Linux")
    folder = tmp_path_factory.mktemp("libraries")
    sources = {
        "libcudart.so.12": "int cudaRuntimeGetVersion(int *v) { *v = 12050; return 0; }",
        "libcudnn.so.9": "unsigned long cudnnGetVersion(void) { return 90300; }",
        "libcublas.so.12": "#include <stdlib.h>\n__attribute__((constructor)) static void start(void) { abort(); }",
        "libcufft.so.11": "int not_here(void); int call(void) { return not_here(); }",
        "libhang.so": "#include <unistd.h>\n__attribute__((constructor)) static void start(void) { for (;;) pause(); }",
    }
    for name, source in sources.items():
        command = [compiler, "-shared", "-fPIC", "-x", "c", "-o", str(folder / name), "-"]
        subprocess.run(command, input=source.encode(), check=True)
    return folder


class TestLibraries:
    def _load(self, libraries, names, seconds=30.0) -> FactSheet:
        sheet = FactSheet()
        plan = [[name, str(libraries / name)] for name in names]
        environment_libraries.put_libraries(sheet, sys.executable, plan, time.monotonic() + seconds)
        return sheet

    def test_versions_from_the_libraries_themselves(self, libraries):
        sheet = self._load(libraries, ["libcudart.so.12", "libcudnn.so.9"])
        assert sheet.values == {
            "cuda.version": "12.5",
            "cuda.runtime_file": str(libraries / "libcudart.so.12"),
            "cuda.unloadable_libraries": [],
            "cudnn.version": "9.3.0",
            "cudnn.runtime_file": str(libraries / "libcudnn.so.9"),
        }

    def test_the_version_in_the_name_of_the_file_or_of_its_wheel(self, libraries, tmp_path):
        named = tmp_path / "libcudnn.so.8.9.7"
        shutil.copy(libraries / "libcudnn.so.9", named)
        (tmp_path / "libcudnn.so.8").symlink_to(named)
        assert self._load(tmp_path, ["libcudnn.so.8"]).values["cudnn.version"] == "8.9.7"
        wheel = tmp_path / "nvidia" / "cudnn" / "lib"
        wheel.mkdir(parents=True)
        shutil.copy(libraries / "libcudnn.so.9", wheel)
        sheet = FactSheet()
        sheet.put("packages.nvidia-cudnn-cu12", "9.1.0.70", "pip metadata")
        plan = [["libcudnn.so.9", str(wheel / "libcudnn.so.9")]]
        environment_libraries.put_libraries(sheet, sys.executable, plan, time.monotonic() + 30)
        assert sheet.values["cudnn.version"] == "9.1.0"
        # Two wheels write into one folder: then only the library knows which of them it came from.
        sheet.put("packages.nvidia-cudnn-cu11", "8.9.6.50", "pip metadata")
        environment_libraries.put_libraries(sheet, sys.executable, plan, time.monotonic() + 30)
        assert sheet.values["cudnn.version"] == "9.3.0"

    def test_a_version_is_not_told_of_a_library_that_does_not_load(self, tmp_path):
        (tmp_path / "libcudnn.so.8.9.7").write_bytes(b"no library")
        (tmp_path / "libcudnn.so.8").symlink_to(tmp_path / "libcudnn.so.8.9.7")
        sheet = self._load(tmp_path, ["libcudnn.so.8"])
        assert sheet.values["cudnn.version"] is None
        assert sheet.values["cuda.unloadable_libraries"][0].startswith("libcudnn.so.8: ")

    def test_one_that_crashes_does_not_keep_the_others_from_loading(self, libraries):
        sheet = self._load(libraries, ["libcudart.so.12", "libcublas.so.12", "libcufft.so.11", "libcudnn.so.9"])
        first, second = sheet.values["cuda.unloadable_libraries"]
        assert first == "libcublas.so.12: SIGABRT"
        assert second.startswith("libcufft.so.11: ") and "not_here" in second
        assert sheet.values["cudnn.version"] == "9.3.0"

    def test_one_that_never_comes_back(self, libraries):
        sheet = self._load(libraries, ["libcudart.so.12", "libhang.so", "libcudnn.so.9"], seconds=8.0)
        assert sheet.values["cuda.version"] == "12.5"
        assert sheet.about["cuda.unloadable_libraries"]["state"] == "timed-out"
        assert sheet.values["cuda.unloadable_libraries"][0].startswith("libhang.so: no answer in ")

    def test_a_gpu_build_that_finds_some_of_its_libraries(self, libraries, venv, monkeypatch):
        site = _site(venv)
        info = site / "tensorflow" / "python" / "platform" / "build_info.py"
        info.parent.mkdir(parents=True)
        (site / "tensorflow" / "__init__.py").write_text("raise SystemExit('must not be imported')")
        info.write_text("build_info = {'cuda_version': '12.5.1', 'cudnn_version': '9', 'is_cuda_build': True}")
        wheel = site / "nvidia" / "cusparse" / "lib"
        wheel.mkdir(parents=True)
        (wheel / "libcusparse.so.12").write_bytes(b"")
        monkeypatch.setenv("LD_LIBRARY_PATH", str(libraries))
        try:
            document = _check(environment.collect(str(venv), budget_seconds=30))
        finally:
            shutil.rmtree(site / "tensorflow")
            shutil.rmtree(site / "nvidia")
        cuda = document["cuda"]
        assert document["tensorflow"]["cuda_build"] is True
        assert document["tensorflow"]["built_cuda_version"] == "12.5.1"
        assert cuda["version"] == "12.5"
        assert document["cudnn"]["version"] == "9.3.0"
        assert {"libcusparse.so.12", "libcusolver.so.11", "libcublasLt.so.12"} == set(cuda["missing_libraries"])
        assert cuda["unreached_folder"] == str(wheel)
        assert any(text.startswith("libcublas.so.12: SIGABRT") for text in cuda["unloadable_libraries"])

    def test_a_stub_of_the_driver(self, libraries, tmp_path, venv, monkeypatch):
        stubs = tmp_path / "cuda" / "lib64" / "stubs"
        stubs.mkdir(parents=True)
        shutil.copy(libraries / "libcudart.so.12", stubs / "libcuda.so.1")
        monkeypatch.setenv("LD_LIBRARY_PATH", str(stubs))
        assert environment.collect(str(venv), budget_seconds=30)["cuda"]["stub_driver"] is True

    @posix
    def test_ptxas_is_asked(self, tmp_path, venv, monkeypatch):
        tool = tmp_path / "ptxas"
        tool.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n")
        tool.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        cuda = environment.collect(str(venv), budget_seconds=30)["cuda"]
        assert (cuda["ptxas"], cuda["ptxas_version"]) == (str(tool), "11.8.89")


class TestInterpreters:
    @pytest.mark.parametrize("wrong", ["/nowhere/python", "./nowhere"])
    def test_a_path_that_is_not_there(self, wrong):
        with pytest.raises(CollectorError, match=f"--python {wrong}: no such file or folder"):
            environment.collect(wrong)

    def test_a_name_that_is_nothing(self):
        with pytest.raises(CollectorError, match="--python no-such-environment: no file, no folder"):
            find_interpreter("no-such-environment")

    def test_a_folder_without_an_interpreter(self, tmp_path):
        with pytest.raises(CollectorError, match="holds no interpreter"):
            find_interpreter(str(tmp_path))

    @posix
    def test_an_environment_whose_interpreter_was_removed(self, tmp_path):
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "python").symlink_to("/usr/bin/python3.0")
        with pytest.raises(CollectorError, match=r"points to /usr/bin/python3\.0, which no longer exists"):
            find_interpreter(str(tmp_path))

    @posix
    def test_a_file_that_cannot_be_run(self, tmp_path):
        file = tmp_path / "python"
        file.write_text("")
        with pytest.raises(CollectorError, match="not executable"):
            find_interpreter(str(file))

    def test_the_active_environment_is_the_default(self, venv, monkeypatch):
        monkeypatch.setenv("VIRTUAL_ENV", str(venv))
        assert pathlib.Path(find_interpreter()).is_relative_to(venv)

    @posix
    def test_else_what_is_on_path(self, program, tmp_path, monkeypatch):
        file = program("exit 0")
        monkeypatch.delenv("VIRTUAL_ENV", raising=False)
        monkeypatch.delenv("CONDA_PREFIX", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert find_interpreter() == file
        os.unlink(file)
        with pytest.raises(CollectorError, match="name one with --python"):
            find_interpreter()

    @posix
    def test_a_conda_environment_by_its_name(self, program, tmp_path, monkeypatch):
        root = tmp_path / "miniconda3"
        for part in ("conda-meta", "envs/tf/conda-meta", "envs/tf/bin", "envs/no-environment"):
            (root / part).mkdir(parents=True)
        shutil.copy(program("exit 0"), root / "envs/tf/bin/python")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert find_interpreter("tf") == str(root / "envs/tf/bin/python")
        with pytest.raises(CollectorError, match="conda environments here: .*base.*tf"):
            find_interpreter("torch")

    @posix
    def test_a_shim_is_resolved(self, tmp_path, monkeypatch):
        root = tmp_path / ".pyenv"
        for file in (root / "shims/python3", root / "versions/3.9.1/bin/python3", root / "versions/3.8.2/bin/python3"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("#!/bin/sh\n")
            file.chmod(0o755)
        (root / "version").write_text("3.9.1\n")
        (tmp_path / "project/deeper").mkdir(parents=True)
        (tmp_path / "project/.python-version").write_text("3.8.2\n")
        for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_VERSION"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("PYENV_ROOT", str(root))
        monkeypatch.setenv("PATH", str(root / "shims"))
        monkeypatch.chdir(tmp_path)
        assert find_interpreter() == str(root / "versions/3.9.1/bin/python3")
        monkeypatch.chdir(tmp_path / "project/deeper")
        assert find_interpreter() == str(root / "versions/3.8.2/bin/python3")
        monkeypatch.setenv("PYENV_VERSION", "gone")
        assert find_interpreter() == str(root / "shims/python3")


class TestChild:
    @posix
    def test_a_grandchild_that_keeps_the_pipe(self):
        outcome = run_child([sys.executable, "-c", "import os,time\nif os.fork() == 0: time.sleep(60)\nprint('said')"], 20)
        assert outcome.output == "said\n"
        assert outcome.failure() == ""
        assert outcome.seconds < 15

    def test_what_cannot_be_started(self, tmp_path):
        outcome = run_child([str(tmp_path / "nothing")], 5)
        assert outcome.failure() == "could not be started: No such file or directory"

    def test_the_exit_code(self):
        outcome = run_child([sys.executable, "-c", "import sys; sys.stderr.write('why'); sys.exit(7)"], 20)
        assert (outcome.exit_code, outcome.errors, outcome.failure()) == (7, "why", "exit code 7")


@pytest.mark.slow
@pytest.mark.parametrize("interpreter", OTHERS, ids=lambda path: path.parts[-3])
def test_other_interpreters(interpreter):
    document = _check(environment.collect(str(interpreter), budget_seconds=60))
    assert document["python"]["version"] == interpreter.parts[-3]
    assert document["python"]["start_failure"] is None
    assert document["packages"]["pip"] == document["python"]["pip_version"]
    assert "not-readable" not in {known["state"] for known in document["_about"].values()}


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON_2, reason="no Python 2 here")
def test_an_interpreter_too_old_for_the_probe_still_tells_its_version():
    document = _check(environment.collect(str(PYTHON_2[0]), budget_seconds=60))
    assert document["python"]["version"] == "2.7.18"
    assert document["python"]["start_failure"] == "exit code 1"


@pytest.mark.slow
def test_importing_the_real_tensorflow(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = _check(environment.collect(sys.executable, budget_seconds=60, deep=True))
    assert document["tensorflow"]["import_state"] == "ok"
    assert document["tensorflow"]["import_seconds"] > 0
    assert isinstance(document["tensorflow"]["visible_gpus"], list)
    assert pathlib.Path(document["tensorflow"]["location"], "__init__.py").is_file()


@posix
@pytest.mark.parametrize(
    ("source", "state", "name"),
    [
        ("import ctypes; ctypes.string_at(0)", "crashed", "SIGSEGV"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "crashed", "SIGILL"),
        ("raise ImportError('DLL load failed')", "failed", None),
    ],
)
def test_importing_a_tensorflow_that_does_not_import(venv, tmp_path, monkeypatch, source, state, name):
    (tmp_path / "tensorflow.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    facts = _check(environment.collect(str(venv), budget_seconds=30, deep=True))["tensorflow"]
    assert (facts["import_state"], facts["import_signal"]) == (state, name)
    assert facts["import_seconds"] is None
    if state == "failed":
        assert facts["import_output"][-1] == "ImportError: DLL load failed"


@posix
def test_importing_a_tensorflow_that_never_ends(venv, tmp_path, monkeypatch):
    (tmp_path / "tensorflow.py").write_text("import sys, time\nsys.stderr.write('waiting\\n')\ntime.sleep(60)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(environment, "IMPORT_SECONDS", 6.0)
    facts = _check(environment.collect(str(venv), budget_seconds=30, deep=True))["tensorflow"]
    assert facts["import_state"] == "timed-out"
    assert facts["import_output"] == ["waiting"]
