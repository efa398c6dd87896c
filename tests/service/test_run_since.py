"""What changed since the last good run of the same command; good runs are kept for this."""

import json
import os
import pathlib
import subprocess
import sys
import time

import hypothesis
import hypothesis.strategies as st
import pytest

from tests.service.run_tool import TFHELP, RunTool
from tfhelp.collectors.run.open_files import OpenFiles
from tfhelp.collectors.run.setting import commit_of, environment_of, packages_of, without_secrets
from tfhelp.kb import compiled
from tfhelp.service.run.comparison import change_words, changed_lines, changes_between, words_of
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.good_runs import key_of
from tfhelp.service.run.suspects import add_changes, without_known_lines

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")

GOOD = """
import os, sys, time
import helper
print("W the cache is cold")
data = open("data.csv")
time.sleep(4)
print("loss 0.5")
helper.check(sys.argv)
print("done")
"""
HELPER = "def check(words):\n    if 'fail' in words:\n        raise RuntimeError('no such optimizer')\n"


@pytest.fixture
def tool(tmp_path: pathlib.Path) -> RunTool:
    tool = RunTool(tmp_path)
    tool.script(HELPER, "helper.py")
    (tmp_path / "data.csv").write_text("1\n2\n")
    return tool


def test_a_failure_is_compared_with_the_last_good_run(tool: RunTool) -> None:
    script = tool.script(GOOD)
    assert tool.run(sys.executable, script, "--lr", "1").status == 0
    (tool.folder / "data.csv").write_text("1\n")
    tool.script(GOOD.replace('print("loss 0.5")', 'print("loss")\nprint("0.6")'))
    tool.script(HELPER.replace("no such optimizer", "no such optimizer: adamm"), "helper.py")
    tool.environment |= {"CUDA_VISIBLE_DEVICES": "7", "HF_TOKEN": "hf_" + "a" * 30}
    ended = tool.run(sys.executable, script, "--lr", "fail", options=("--json", "answer.json"))
    assert ended.status == 1
    said = " ".join(ended.err.decode().split())
    assert "Since the last good run (" in said
    for words in (
        "train.py lines 7-8",
        "helper.py line 3",
        "command line 1 -> fail",
        "CUDA_VISIBLE_DEVICES added (7)",
        "data.csv 4 bytes of",
    ):
        assert words in said
    assert "aaaa" not in said
    since = json.loads((tool.folder / "answer.json").read_text())["run"]["since_last_good"]
    assert since["run"] == tool.runs()[0].name
    assert {change["kind"] for change in since["changes"]} >= {"file", "argument", "variable", "data"}
    assert "aaaa" not in json.dumps(since)
    again = subprocess.run(
        [*TFHELP, "ask", "--run", "last"], capture_output=True, text=True, check=False, env=tool.environment, cwd=tool.folder
    )
    assert "CUDA_VISIBLE_DEVICES added (7)" in again.stdout


def test_without_a_change_the_answer_says_so(tool: RunTool) -> None:
    script = tool.script("import os, sys\nif os.path.exists('broken'):\n    os.kill(os.getpid(), 11)\n")
    assert tool.run(sys.executable, script).status == 0
    (tool.folder / "broken").write_text("")
    ended = tool.run(sys.executable, script)
    assert "nothing has changed that tfhelp keeps" in ended.err.decode()
    other = tool.script("import ctypes\nctypes.string_at(0)\n", "other.py")
    assert "Since the last good run" not in tool.run(sys.executable, other).err.decode()


def test_a_line_of_the_last_good_run_is_not_a_suspect(tool: RunTool) -> None:
    known = "print('W ResourceExhaustedError: OOM when allocating tensor with shape[9,9] and type float on GPU:0 by allocator GPU_0_bfc')\n"
    script = tool.script(known)
    assert tool.run(sys.executable, script).status == 0
    tool.script(known + "raise ModuleNotFoundError(\"No module named 'tensorflow'\", name='tensorflow')\n")
    ended = tool.run(sys.executable, script)
    assert ended.status == 1
    assert "gpu-out-of-memory" not in [match["entry"] for match in tool.answer()["matches"][:1]]


def test_the_last_good_run_of_a_command_is_not_thrown_away(tool: RunTool) -> None:
    script = tool.script("import sys\nraise SystemExit(len(sys.argv) > 1)\n")
    options = ("--keep", "2", "--no-diagnose")
    tool.run(sys.executable, script, options=options)
    tool.run(sys.executable, script, options=options)
    good = tool.runs()[-1].name
    for number in range(3):
        tool.run(sys.executable, script, str(number), options=options)
    names = [folder.name for folder in tool.runs()]
    assert len(names) == 3 and names[0] == good
    listed = subprocess.run([*TFHELP, "run", "--list"], capture_output=True, text=True, check=True, env=tool.environment)
    rows = [line.split()[3] for line in listed.stdout.splitlines()]
    assert rows == ["good", "bad", "bad"]
    assert listed.stdout.splitlines()[0].startswith(good)
    assert listed.stdout.splitlines()[0].endswith(script)


def test_a_run_that_goes_on_keeps_its_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    first = RunFolder.make(1).path
    os.rename(first, first := os.path.join(os.path.dirname(first), f"20200101-000000-{os.getpid()}"))
    for number in (1, 2):
        os.makedirs(os.path.join(os.path.dirname(first), f"2020010{number + 1}-000000-999999{number}"))
    RunFolder.make(1).remove()
    assert os.path.isdir(first)
    pathlib.Path(first, "bad").write_text("")
    RunFolder.make(1)
    assert not os.path.exists(first)


def test_a_script_behind_a_launcher_is_a_program_of_its_own(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("train.py", "eval.py"):
        (tmp_path / name).write_text("")
    assert key_of(["uv", "run", "train.py"]) != key_of(["uv", "run", "eval.py"])
    assert key_of(["uv", "run", "train.py"]) == key_of(["uv", "run", "train.py", "--lr", "1"])
    assert key_of(["make", "train"]) == key_of(["make", "eval"])


def test_packages_by_their_folders(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "site-packages"
    for name in ("keras-3.12.0.dist-info", "tf_keras-2.21.0.dist-info", "PyYAML-6.0.egg-info", "x.py", "a-b"):
        (place / name).mkdir(parents=True)
    assert packages_of([str(place), "/no/such-packages"]) == {"keras": "3.12.0", "tf-keras": "2.21.0", "pyyaml": "6.0"}


def test_secret_variables_are_fingerprints() -> None:
    first, second = (environment_of({"WANDB_API_KEY": value}) for value in ("0123456789abcdef", "1123456789abcdef"))
    assert first["WANDB_API_KEY"].startswith("hidden ") and first != second
    assert "0123456789abcdef" not in str(first)
    secrets = dict.fromkeys(("DB_PASS", "MYSQL_PWD", "ROOT_PW", "GITHUB_PAT"), "hunter2")
    assert "hunter2" not in str(environment_of(secrets | {"REDIS_URL": "redis://:hunter2@cache:6379/0"}))
    plain = {"PATH": "/bin", "PYTHONPATH": "src", "TF_USE_LEGACY_KERAS": "1"}
    assert environment_of(plain) == plain


def test_secret_arguments_are_fingerprints() -> None:
    old, new = (["train.py", "--password", word, f"--api-key={word}", "--max-tokens", "5"] for word in ("hunter2", "hunter3"))
    assert "hunter" not in str(without_secrets(old)) and without_secrets(old) != without_secrets(new)
    assert without_secrets(old)[-2:] == ["--max-tokens", "5"]


def test_a_file_that_is_gone_was_removed() -> None:
    setting = {
        "command": [], "folder": "/x", "machine": "a", "python": "", "driver": "", "commit": "",
        "packages": {}, "environment": {}, "files": {"/no/helper.py": "1", "/x/train.py": "2"}, "data": {},
    }  # fmt: skip
    now = setting | {"files": {"/x/train.py": "2"}}
    assert [change_words(change) for change in changes_between(setting, now, {}, {})] == ["no/helper.py was removed"]  # type: ignore[arg-type]


def test_the_commit_that_is_checked_out(tmp_path: pathlib.Path) -> None:
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs\n{'b' * 40} refs/heads/main\n")
    (tmp_path / "below").mkdir()
    assert commit_of(str(tmp_path / "below")) == "b" * 40
    (git / "refs" / "heads" / "main").write_text("a" * 40 + "\n")
    assert commit_of(str(tmp_path)) == "a" * 40


def test_data_files_that_are_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"x" * 10)
    files = OpenFiles()
    with open(tmp_path / "data.bin", "rb"), open(tmp_path / "result.bin", "wb"), open("/dev/null"):
        files.look(os.getpid())
    assert files.found.get(str(tmp_path / "data.bin"), [0])[0] == 10
    assert str(tmp_path / "result.bin") not in files.found
    files.look(0)  # no such process


@hypothesis.given(
    st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12), st.lists(st.sampled_from(["a", "b", "c"]), max_size=12)
)
def test_lines_that_are_not_named_are_as_they_were(old: list[str], new: list[str]) -> None:
    places = changed_lines("\n".join(old), "\n".join(new))
    named: set[int] = set()
    for place in places:
        if not place.startswith("after"):
            first, _, last = place.partition("-")
            named |= set(range(int(first), int(last or first) + 1))
    kept = [line for number, line in enumerate("\n".join(new).splitlines(), 1) if number not in named]
    remaining = iter("\n".join(old).splitlines())
    assert all(any(line == other for other in remaining) for line in kept)
    assert bool(places) == ("\n".join(old).splitlines() != "\n".join(new).splitlines())


def test_words_of_changes() -> None:
    setting = {
        "command": ["python", "train.py"], "folder": "/x", "machine": "a", "python": "3.11.7", "driver": "", "commit": "",
        "packages": {"keras": "3.9.2", "old": "1"}, "environment": {"B": "", "TF_X": "1"}, "files": {}, "data": {},
    }  # fmt: skip
    now = setting | {"packages": {"keras": "3.12.0"}, "environment": {"A": "2", "B": "", "TF_X": "0"}, "driver": "550.1"}
    words = [change_words(change) for change in changes_between(setting, now, {}, {})]  # type: ignore[arg-type]
    assert words == ["keras 3.9.2 -> 3.12.0", "old removed (1)", "TF_X 1 -> 0", "A added (2)"]
    when = time.strftime("%Y-%m-%dT%H:%M:%S", time.struct_time((2026, 11, 17, 14, 3, 0, 0, 0, 0)))
    since = {"run": "x", "when": when, "changes": changes_between(setting, setting | {"python": "3.12.1"}, {}, {})}  # type: ignore[arg-type]
    assert words_of(since) == "Since the last good run (Tuesday, 2026-11-17 14:03): python 3.11.7 -> 3.12.1"  # type: ignore[arg-type]


def change(kind: str, name: str, lines: tuple[str, ...] = ()) -> dict[str, object]:
    return {"kind": kind, "name": name, "before": "1", "after": "2", "lines": list(lines)}


def test_a_change_is_evidence_below_the_causes_that_look_at_it() -> None:
    knowledge = compiled.load()
    held = {"check": "", "outcome": "holds", "because": "", "source": "train.py line 7"}
    causes = [
        {"cause": cause["id"], "evidence": [dict(held)] if number == 0 else []}
        for number, cause in enumerate(knowledge.entry("variable-outside-scope")["causes"])
    ] + [{"cause": "x", "evidence": []}]
    package = knowledge.entry("keras-package-mismatch")["causes"]
    others = [{"cause": cause["id"], "evidence": []} for cause in package]
    answer = {
        "matches": [{"entry": "variable-outside-scope", "causes": causes}, {"entry": "keras-package-mismatch", "causes": others}]
    }
    changes = [change("file", "/x/train.py", ("after 2", "5-8")), change("package", "tf-keras"), change("package", "unrelated")]
    add_changes(answer, {"run": "r", "when": "", "changes": changes}, knowledge)  # type: ignore[arg-type]
    told = [[row["because"] for row in cause["evidence"][1 if cause is causes[0] else 0 :]] for cause in (*causes, *others)]
    assert told[0] == ["since the last good run: x/train.py lines after 2, 5-8"]
    assert not any(told[1 : len(causes)])
    assert ["since the last good run: tf-keras 1 -> 2"] in told[len(causes) :]
    assert "unrelated" not in str(told)


def test_only_an_answer_that_rests_on_known_lines_alone_is_asked_again() -> None:
    def answer(*lines: int) -> object:
        return {"abstained": False, "matches": [{"matched": [{"line": line, "text": "", "by": "signature"} for line in lines]}]}

    text, good = "W 12:00 odd\nE new\n", "W 11:00 odd\n"
    assert without_known_lines(answer(1), text, good) == "\nE new"  # type: ignore[arg-type]
    with_bar = without_known_lines(answer(2), "1/4\r2/4\nW 12:00 odd\nE new\n", good)  # type: ignore[arg-type]
    assert with_bar == "1/4\r2/4\n\nE new"
    assert without_known_lines(answer(1, 2), text, good) is None  # type: ignore[arg-type]
    assert without_known_lines(answer(0, 1), text, good) is None  # type: ignore[arg-type]
    assert without_known_lines({"abstained": True, "matches": []}, text, good) is None  # type: ignore[arg-type]
