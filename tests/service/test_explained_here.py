"""The installation on the reader's machine adds the condition and decides between places; nothing else reads its files."""

import importlib.util
import io
import json
import pathlib
import shutil
import typing

import pytest

from tfhelp.collectors.reading import read
from tfhelp.service.diagnosis import explained
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.explained_here import Here
from tfhelp.service.doors.cli.terminal import show_answer

SIZE = "ValueError: 'size' must be a 1-D Tensor of 2 elements: new_height, new_width"
STRIDED = (
    "InvalidArgumentError: {{function_node __wrapped__StridedSlice_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
    "slice index 5 of dimension 0 out of bounds. [Op:StridedSlice] name: strided_slice/"
)


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


@pytest.fixture
def environment(tmp_path: pathlib.Path) -> pathlib.Path:
    """The path of an interpreter in a virtual environment that has one file of the real TensorFlow, and claims release 2.99."""
    spec = importlib.util.find_spec("tensorflow")
    assert spec is not None
    assert spec.submodule_search_locations
    inside = pathlib.Path("tensorflow/python/ops/image_ops_impl.py")
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    (packages / inside).parent.mkdir(parents=True)
    shutil.copy(pathlib.Path(spec.submodule_search_locations[0]).parent / inside, packages / inside)
    (packages / "tensorflow" / "__init__.py").write_text("raise SystemExit('imported')\n")
    (packages / "tensorflow-2.99.0.dist-info").mkdir()
    (tmp_path / "pyvenv.cfg").write_text("version = 3.11.4\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("")
    return tmp_path / "bin" / "python"


def test_the_condition_is_read_from_the_installed_file(environment: pathlib.Path) -> None:
    found = explained.explain(read(SIZE).records, Here({}, str(environment)))
    assert found is not None
    guard = found["guard"]
    assert (guard["version"], guard["file"]) == ("2.99.0", "tensorflow/python/ops/image_ops_impl.py")
    assert "is_compatible_with([2])" in guard["condition"]
    assert f"image_ops_impl.py:{guard['line']} raises it if `{guard['condition']}`." in found["says"][2]


def test_without_the_package_the_rest_stands(tmp_path: pathlib.Path) -> None:
    found = explained.explain(read(SIZE).records, Here({}, str(tmp_path / "bin" / "python")))
    assert found == explained.explain(read(SIZE).records)
    assert found is not None
    assert "guard" not in found


def test_only_facts_that_were_collected_here_open_files(diagnoser: Diagnoser, environment: pathlib.Path) -> None:
    facts = {"python": {"executable": str(environment)}}
    here = diagnoser.diagnose(SIZE, {}, collected=facts)
    assert here["explained"]["guard"]["version"] == "2.99.0"
    sent = diagnoser.diagnose(SIZE, facts)
    assert "guard" not in sent["explained"], "a facts document that somebody sends names no file that a server opens"
    page = io.StringIO()
    show_answer(here, page)
    assert "In your installed tensorflow 2.99.0" in page.getvalue()


def test_facts_that_step_back_open_no_files(diagnoser: Diagnoser, environment: pathlib.Path) -> None:
    facts = {"python": {"executable": str(environment)}, "packages": {"tensorflow": "2.20.0"}}
    answer = diagnoser.diagnose(SIZE, {"packages": {"tensorflow": "2.4.1"}}, collected=facts)
    assert "guard" not in answer["explained"]


def test_what_cpp_says_is_its_operations_and_no_pythons() -> None:
    found = explained.explain(read(STRIDED).records)
    assert found is not None
    assert (found["op"]["name"], found["package"]) == ("StridedSlice", "tensorflow")


def test_explain_on_the_command_line_looks_here(
    environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tfhelp.service.doors.cli.command_line import main

    monkeypatch.setenv("VIRTUAL_ENV", str(environment.parent.parent))
    assert main(["explain", "--json", SIZE]) == 0
    document: dict[str, typing.Any] = json.loads(capsys.readouterr().out)
    assert document["guard"]["version"] == "2.99.0"
    monkeypatch.delenv("VIRTUAL_ENV")
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert main(["explain", "--json", SIZE]) == 0
    assert "guard" not in json.loads(capsys.readouterr().out)
