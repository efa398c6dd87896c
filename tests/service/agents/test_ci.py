"""The GitHub Action and the hooks of pre-commit, run as GitHub and pre-commit run them."""

import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import typing

import pytest
import yaml

from tfhelp.service.doors.cli.command_line import main

OLD_RATE = "import keras\no = keras.optimizers.Adam(lr=0.1)\n"
LOG = """\
Traceback (most recent call last):
  File "{folder}/train.py", line 2, in <module>
    model.fit(x, y)
  File "/x/site-packages/keras/src/backend/tensorflow/nn.py", line 700, in categorical_crossentropy
    raise ValueError(
ValueError: Arguments `target` and `output` must have the same shape. Received: target.shape=(None, 1), output.shape=(None, 10)
"""
TFHELP = f'#!/bin/sh\nexec "{sys.executable}" -m tfhelp.service "$@"\n'
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs in bash")


class Job(typing.NamedTuple):
    """How an action's steps ended: the status of the one that failed, else 0, the output, and the summary."""

    status: int
    names: list[str]
    out: str
    err: str
    summary: str


def run_action(folder: pathlib.Path, repository: pathlib.Path, **given: str) -> Job:
    """Run the steps of the action as a runner does, with these inputs, in a folder that is the checkout."""
    action = yaml.safe_load((repository / "action.yml").read_text())
    assert given.keys() <= action["inputs"].keys()
    inputs = {name: given.get(name, declared["default"]) for name, declared in action["inputs"].items()}
    summary = folder.parent / f"{folder.name}.summary"
    around = os.environ | {"GITHUB_WORKSPACE": str(folder), "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    around["PATH"] = os.pathsep.join((str(_program(folder.parent)), os.environ["PATH"]))
    names, out = [], ""
    for step in action["runs"]["steps"]:
        if not _holds(step["if"], inputs):
            continue
        variables = {name: _filled(value, inputs) for name, value in step["env"].items()}
        assert "${{" not in step["run"]  # an input in the script would be run
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=around | variables)
        names.append(step["name"])
        out += done.stdout
        if done.returncode:
            break
    return Job(done.returncode, names, out, done.stderr, summary.read_text() if summary.exists() else "")


def _program(folder: pathlib.Path) -> pathlib.Path:
    """A folder with a ``tfhelp`` of this checkout, and a ``python`` whose pip only prints its arguments."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in (("tfhelp", TFHELP), ("python", '#!/bin/sh\necho "python $*"\n')):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    return programs


def _filled(value: str, inputs: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], value)


def _holds(condition: str, inputs: dict[str, str]) -> bool:
    """A condition of ``==``, ``!=``, ``&&``, ``||`` and parentheses over inputs."""
    filled = re.sub(r"inputs\.([\w-]+)", lambda found: repr(inputs[found[1]]), condition)
    return bool(eval(filled.replace("&&", " and ").replace("||", " or "), {"__builtins__": {}}))


@pytest.fixture
def checkout(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    return folder


@needs_bash
def test_the_action_annotates_the_paths_it_is_given(checkout: pathlib.Path, repository: pathlib.Path) -> None:
    for name in ("a b.py", "$(touch made).py", "c.py"):
        (checkout / name).write_text(OLD_RATE.replace("0.1", "0.5"))  # two rules find something, and one is ignored
    job = run_action(checkout, repository, paths="a b.py\n$(touch made).py\n", arguments="--ignore TFH508")
    assert (job.status, job.names) == (1, ["tfhelp lint"]), job.err
    annotations = job.out.splitlines()
    assert [line.partition(",")[0] for line in annotations] == ["::error file=a b.py", "::error file=$(touch made).py"]
    assert not (checkout / "made").exists()


@needs_bash
def test_the_action_annotates_a_log_at_the_readers_line(checkout: pathlib.Path, repository: pathlib.Path) -> None:
    (checkout / "train.py").write_text("# one\nmodel.fit(x, y)\n")
    (checkout / "train.log").write_text(LOG.format(folder=checkout))
    job = run_action(checkout, repository, log="train.log")
    assert (job.status, job.names) == (0, ["tfhelp ask"]), job.err
    [annotation] = job.out.splitlines()
    assert annotation.startswith("::error file=train.py,line=2,title=tfhelp%3A ")
    assert "sparse_categorical_crossentropy" in annotation
    assert "labels-logits-mismatch" in job.summary


@needs_bash
def test_an_unknown_log_fails_nothing_and_a_missing_one_does(checkout: pathlib.Path, repository: pathlib.Path) -> None:
    (checkout / "other.log").write_text("django.db.utils.OperationalError: no such table: auth_user\n")
    unknown = run_action(checkout, repository, log="other.log")
    assert unknown.status == 0 and unknown.out.startswith("::notice ")
    missing = run_action(checkout, repository, log="$(touch made).log")
    assert missing.status == 2 and "cannot read" in missing.err
    assert not (checkout / "made").exists()


@needs_bash
def test_the_action_installs_a_release_or_a_file(checkout: pathlib.Path, repository: pathlib.Path) -> None:
    (checkout / "train.py").write_text(OLD_RATE)
    release = run_action(checkout, repository, version="0.1.0", **{"exit-code": "137"})
    assert release.names == ["install tfhelp", "tfhelp ask"] and release.status == 0
    assert release.out.splitlines()[0].endswith("-- tfhelp==0.1.0")
    assert "host-out-of-memory" in release.summary
    both = run_action(checkout, repository, install="dist/tfhelp; touch made", paths="train.py", **{"exit-code": "137"})
    assert both.names == ["install tfhelp", "tfhelp ask", "tfhelp lint"] and both.status == 1
    assert both.out.splitlines()[0].endswith("-- dist/tfhelp; touch made")
    assert not (checkout / "made").exists()


def test_every_input_is_used_and_none_is_unknown(repository: pathlib.Path) -> None:
    action = yaml.safe_load((repository / "action.yml").read_text())
    used = {name for step in action["runs"]["steps"] for name in re.findall(r"inputs\.([\w-]+)", json.dumps(step))}
    assert used == set(action["inputs"])


def test_the_hooks_of_pre_commit_check_the_files_they_are_given(
    tmp_path: pathlib.Path, repository: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hooks = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["tfhelp-lint", "tfhelp-lint-fix"]
    path = tmp_path / "a b.py"
    path.write_text(OLD_RATE)
    for hook, status in zip(hooks, (1, 0), strict=True):
        program, *arguments = shlex.split(hook["entry"])
        assert program == "tfhelp"
        assert main([*arguments, str(path)]) == status
    assert "Fixed 1 problem." in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed")
@pytest.mark.skipif(shutil.which("git") is None, reason="pre-commit works in a repository of git")
def test_pre_commit_itself_runs_the_hooks(tmp_path: pathlib.Path, repository: pathlib.Path) -> None:
    around = os.environ | {"PRE_COMMIT_HOME": str(tmp_path / "home"), "GIT_CONFIG_GLOBAL": os.devnull}
    around |= {f"GIT_{who}_{what}": "tests@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    around["PATH"] = os.pathsep.join((str(_program(tmp_path)), os.environ["PATH"]))
    (tmp_path / "bin" / "python").unlink()

    def run(folder: pathlib.Path, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, check=False, timeout=120)

    hooks, project = tmp_path / "hooks", tmp_path / "project"
    for folder in (hooks, project):
        folder.mkdir()
        assert run(folder, "git", "init", "-q").returncode == 0
    shutil.copy(repository / ".pre-commit-hooks.yaml", hooks)
    (project / "train.py").write_text(OLD_RATE)
    (project / "notes.txt").write_text("no Python\n")
    for folder in (hooks, project):
        run(folder, "git", "add", "-A")
        assert run(folder, "git", "commit", "-qm", "all").returncode == 0
    trial = (sys.executable, "-m", "pre_commit", "try-repo", str(hooks))
    checked = run(project, *trial, "tfhelp-lint", "--all-files")
    assert checked.returncode == 1 and "train.py:2:5: TFH505" in checked.stdout, checked.stdout + checked.stderr
    fixed = run(project, *trial, "tfhelp-lint-fix", "--all-files")
    assert fixed.returncode == 1 and "files were modified by this hook" in fixed.stdout  # so that the commit is made again
    assert (project / "train.py").read_text() == OLD_RATE.replace("lr=", "learning_rate=")
    assert run(project, *trial, "tfhelp-lint", "--all-files").returncode == 0
