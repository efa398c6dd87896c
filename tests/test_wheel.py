"""The wheel as a user gets it: built from the tree, installed without the build's tools, used from another folder."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator

import pytest

from tests.interpreters import of_pyenv
from tests.turns import EVERY, due
from tfhelp.kb import compiled
from tfhelp.kb.build_products import MANIFEST, PRODUCTS

ROOMS = ("kb", "collectors", "index", "service")
PYTHONS = ("3.11", "3.12", "3.13")  # the releases that pyproject.toml's requires-python promises, as far as they exist
EXTRAS = ("alembic", "sqlalchemy", "mcp", "mcp_types", "pygls", "lsprotocol")
"""What modules of doors with an extra import, and what the wheel alone does not install."""
ROOT_PACKAGE = "tfhelp.service.public"  # where the files of ``import tfhelp`` are in the tree
LEFT_OVER = ("kb/artefacts/knowledge.jsonl", "index/artefacts/encoder.onnx", "service/artefacts/weights.json")
BESIDE = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


def copy_tree(repository: pathlib.Path, target: pathlib.Path) -> pathlib.Path:
    """What a wheel is made from, without leftovers of earlier builds (setuptools would pack removed files from build/lib)."""
    target.mkdir()
    for room in ROOMS:
        shutil.copytree(repository / room, target / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy2(repository / name, target / name)
    return target


def build_wheel(tree: pathlib.Path, output: pathlib.Path, umask: int = -1) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(output), str(tree)]
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    return subprocess.run(command, capture_output=True, text=True, check=False, umask=umask, env=environment)


@pytest.fixture(scope="module")
def tree(repository: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The tree as it is at this moment, so that edits in the meantime do not look like a fault of the wheel.

    An older build left files beside those of this one.
    """
    copied = copy_tree(repository, tmp_path_factory.mktemp("wheel") / "tree")
    for name in LEFT_OVER:
        (copied / name).write_bytes(b"of an older build")
    return copied


@pytest.fixture(scope="module")
def wheel(tree: pathlib.Path) -> pathlib.Path:
    built = build_wheel(tree, tree.parent / "dist")
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = (tree.parent / "dist").glob("tfhelp-*.whl")
    return path


def test_two_builds_are_identical(tree: pathlib.Path, wheel: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Built elsewhere, from newer files in a different order, under a different umask."""
    other = tmp_path / "elsewhere and deeper" / "tree"
    other.parent.mkdir()
    copy_tree(tree, other)
    for number, path in enumerate(sorted(other.rglob("*"), reverse=True)):
        os.utime(path, (1_900_000_000 + number, 1_900_000_000 + number))
        path.chmod(0o700 if path.is_dir() else 0o600)
    built = build_wheel(other, tmp_path / "dist", umask=0o077)
    assert built.returncode == 0, built.stdout + built.stderr
    [again] = (tmp_path / "dist").glob("tfhelp-*.whl")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:  # a difference is reported by its name first
        assert [vars_of(info) for info in first.infolist()] == [vars_of(info) for info in second.infolist()]
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()


def test_two_builds_of_the_notebooks_wheel_are_identical(repository: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """By ``make``, from files with different modes, under a different umask."""
    built = []
    for umask in (0o022, 0o077):
        tree = tmp_path / oct(umask)
        shutil.copytree(
            repository / "service/doors/notebook", tree / "service/doors/notebook", ignore=shutil.ignore_patterns("__pycache__")
        )
        shutil.copy2(repository / "Makefile", tree)
        for path in (tree / "service").rglob("*"):
            path.chmod((0o777 if path.is_dir() else 0o666) & ~umask)
        (tree / "dist").mkdir()
        (tree / "dist" / "tfhelp_notebook-0.0.1-py3-none-any.whl").write_bytes(b"of an older release")
        command = ["make", "-C", str(tree), "notebook-wheel", f"VENV={pathlib.Path(sys.executable).parents[1]}"]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1900000000"}
        ran = subprocess.run(command, capture_output=True, text=True, check=False, umask=umask, env=environment)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        [path] = (tree / "dist").glob("tfhelp_notebook-*.whl")
        built.append(path)
    with zipfile.ZipFile(built[0]) as first, zipfile.ZipFile(built[1]) as second:  # a difference is reported by its name first
        assert [vars_of(info) for info in first.infolist()] == [vars_of(info) for info in second.infolist()]
    assert built[0].read_bytes() == built[1].read_bytes()


def vars_of(info: zipfile.ZipInfo) -> tuple[object, ...]:
    return info.filename, info.date_time, oct(info.external_attr >> 16), info.CRC


@functools.cache
def interpreter_of(version: str) -> str | None:
    """A Python of a minor version that runs and can create environments: this one, one on the path, or one from pyenv."""
    candidates = [sys.executable, shutil.which(f"python{version}"), *map(str, of_pyenv(f"{version}.*"))]
    program = "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])"
    for candidate in filter(None, candidates):
        ran = subprocess.run([candidate, "-c", program], capture_output=True, text=True, check=False)
        if ran.stdout.strip() == version:
            return candidate
    return None


@pytest.fixture(scope="module", params=PYTHONS)
def clean_python(
    request: pytest.FixtureRequest, repository: pathlib.Path, wheel: pathlib.Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[pathlib.Path]:
    """A fresh environment of a supported Python with only the wheel and its requirements.

    It is removed when its tests are done, because each takes about 450 MB.
    """
    interpreter = interpreter_of(request.param)
    if interpreter is None:
        pytest.skip(f"there is no Python {request.param} here; the wheel was not tried on it")
    if request.param not in due(filter(interpreter_of, PYTHONS)):
        pytest.skip(f"the turn of another Python; {EVERY}=1 tries all of them")
    folder = tmp_path_factory.mktemp("clean") / "venv"
    subprocess.run([interpreter, "-m", "venv", str(folder)], check=True, capture_output=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    command = [str(python), "-m", "pip", "install", "--constraint", str(repository / "requirements.txt"), str(wheel)]
    installed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stdout[-3000:] + installed.stderr[-3000:]
    yield python
    shutil.rmtree(folder)


def run_away(
    python: pathlib.Path, arguments: list[str], folder: pathlib.Path, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the clean interpreter from another folder, with nothing of this tree in its way."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(python), *arguments], cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False
    )


def modules(tree: pathlib.Path) -> list[str]:
    """Every module of the four rooms; an entry's programs are not modules."""
    paths = [path.relative_to(tree) for room in ROOMS for path in sorted((tree / room).rglob("*.py"))]
    inside = [path for path in paths if path.parts[:2] != ("kb", "entries")]
    names = [".".join(("tfhelp", *path.with_suffix("").parts)).replace(ROOT_PACKAGE, "tfhelp") for path in inside]
    return [name.removesuffix(".__init__") for name in names]


def test_the_wheel_holds_what_the_tree_holds(tree: pathlib.Path, wheel: pathlib.Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {f"tfhelp/{room}/py.typed" for room in ROOMS} | {
        "tfhelp/__init__.py",
        "tfhelp/py.typed",
        "tfhelp/kb/artefacts/knowledge.bin",
        "tfhelp/kb/atlas/atlas.bin",
        "tfhelp/kb/atlas/ops.bin",
        "tfhelp/kb/atlas/releases.tsv",
    }
    wanted |= {name.replace(".", "/") for name in modules(tree)}
    for folder in ("service/doors/web/templates", "service/doors/web/static"):
        files = [path for path in (tree / folder).rglob("*") if path.is_file()]
        assert files, f"{folder} is empty"
        wanted |= {f"tfhelp/{path.relative_to(tree).as_posix()}" for path in files}
    here = packed | {name.removesuffix(".py") for name in packed} | {name.removesuffix("/__init__.py") for name in packed}
    assert wanted - here == set()
    assert [name for name in packed if name.startswith("tfhelp/service/public")] == []
    assert [name for name in packed if name.startswith(("tfhelp/kb/entries/", "tests/", "index/", "kb/"))] == []
    assert [name for name in packed if name.endswith(("/LICENSE", "/NOTICE"))] != []
    made = {f"tfhelp/{name}" for name in (*PRODUCTS, MANIFEST) if (tree / name).is_file()}
    assert {name for name in packed if "/artefacts/" in name} == made


def test_a_wheel_without_build_products_is_refused(repository: pathlib.Path, tmp_path: pathlib.Path) -> None:
    incomplete = copy_tree(repository, tmp_path / "tree")
    (incomplete / "index/artefacts/vectors.faiss").unlink()
    built = build_wheel(incomplete, tmp_path / "dist")
    assert built.returncode != 0
    output = built.stdout + built.stderr
    assert "the wheel would lack index/artefacts/vectors.faiss" in output
    assert "make setup" in output


def test_it_answers_without_torch_from_another_folder(
    clean_python: pathlib.Path, tree: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    ran = run_away(clean_python, ["-c", "import torch"], tmp_path)
    assert "No module named 'torch'" in ran.stderr
    prose = "my graphics card memory is full after a few steps"
    program = "import sys; from tfhelp.index.vectors import shared; print(len(shared().search(sys.stdin.read(), 5)))"
    ran = run_away(clean_python, ["-c", program], tmp_path, prose)
    assert (ran.returncode, ran.stdout.strip()) == (0, "5"), ran.stderr
    ran = run_away(clean_python, ["-m", "tfhelp.service", "ask", "--json", "--no-collect"], tmp_path, prose)
    assert ran.returncode in (0, 1), ran.stderr
    assert ran.stdout, ran.stderr  # a traceback would also give exit status 1
    answer = json.loads(ran.stdout)
    assert answer["kb_version"] == compiled.load(str(tree / "kb/artefacts/knowledge.bin")).version
    assert answer["abstained"] is (ran.returncode == 1)


def test_it_compiles_and_checks_private_knowledge_by_itself(
    clean_python: pathlib.Path, repository: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    folder = str(repository / "tests/service/private/kb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TFHELP_CACHE", str(tmp_path / "cache"))
        checked = run_away(clean_python, ["-m", "tfhelp.service", "kb", "check", "--kb", folder], tmp_path)
        assert (checked.returncode, checked.stdout.split()) == (0, ["entries", "10"]), checked.stdout + checked.stderr
        text = "gannetctl: LeaseError: no lease for pool 'a100' within 600 s"
        asked = run_away(clean_python, ["-m", "tfhelp.service", "ask", "--json", "--no-collect", "--kb", folder, text], tmp_path)
    assert json.loads(asked.stdout)["matches"][0]["private"] == folder, asked.stderr
    own = run_away(clean_python, ["-m", "tfhelp.service", "kb", "check"], tmp_path)
    assert own.returncode == 2 and "name a folder of your own" in own.stderr
    refused = run_away(clean_python, ["-m", "tfhelp.service", "kb", "new", "my-symptom", "--family", "training"], tmp_path)
    assert refused.returncode == 2 and "belongs to an installed tfhelp" in refused.stderr


def test_its_console_script_is_the_same_program(clean_python: pathlib.Path, tmp_path: pathlib.Path) -> None:
    script = clean_python.parent / ("tfhelp.exe" if os.name == "nt" else "tfhelp")
    by_script = subprocess.run([str(script), "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    by_module = run_away(clean_python, ["-m", "tfhelp.service", "--help"], tmp_path)
    assert by_script.returncode == by_module.returncode == 0, by_script.stderr + by_module.stderr
    assert by_script.stdout == by_module.stdout
    installed = run_away(clean_python, ["-c", "import importlib.metadata as m; print('tfhelp', m.version('tfhelp'))"], tmp_path)
    assert run_away(clean_python, ["-m", "tfhelp.service", "--version"], tmp_path).stdout == installed.stdout


def test_every_module_of_the_tree_can_be_imported(clean_python: pathlib.Path, tree: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program = (
        "import importlib, sys, traceback\n"
        f"extras = {EXTRAS!r}\n"
        "for name in sys.stdin.read().split():\n"
        "    try: module = importlib.import_module(name)\n"
        "    except ModuleNotFoundError as error:\n"
        "        if (error.name or '').partition('.')[0] not in extras: print('cannot import', name, error)\n"
        "    except BaseException: print('cannot import', name); traceback.print_exc(file=sys.stdout)\n"
        "    else:\n"
        "        if 'site-packages' not in (module.__file__ or ''): print('not the installed', name, module.__file__)\n"
    )
    names = [name for name in modules(tree) if not name.endswith(".__main__")]
    assert len(names) > 40
    ran = run_away(clean_python, ["-c", program], tmp_path, "\n".join(names))
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
