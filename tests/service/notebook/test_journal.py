"""What a kernel leaves behind, and what is reported from it."""

import json
import pathlib
import subprocess
import sys

import pytest

from tfhelp.service.doors.notebook.kernel import journal, machine, telling
from tfhelp.service.doors.notebook.kernel.surroundings import facts_of_kernel
from tfhelp.service.run import folder as run_folder

LOG = (
    "6,1,2,-;unrelated\n"
    "3,5,9,-;Out of memory: Killed process 4711 (python) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, UID:0\n"
    "3,6,9,-;Out of memory: Killed process 47110 (other) total-vm:9kB, anon-rss:8kB\n"
)


@pytest.fixture(autouse=True)
def cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A separate cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(journal, "root", lambda: str(tmp_path / "tfhelp" / "notebook"))
    return tmp_path


def died(notebook: str = "", **document: object) -> pathlib.Path:
    """The folder of a kernel that has died."""
    program = (
        "import os, sys\n"
        "from tfhelp.service.doors.notebook.kernel import journal\n"
        "journal.root = lambda: sys.argv[1]\n"
        "kept = journal.Journal(sys.argv[2], '')\n"
        "kept.begins(3, {2: 'import tensorflow', 3: '# first\\nmodel.fit(x)'}, {'/tmp/ipykernel_1/7.py': 3})\n"
        "print(kept.folder, flush=True)\n"
        "os._exit(1)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, journal.root(), notebook], capture_output=True, text=True, check=False)
    folder = pathlib.Path(ran.stdout.strip())
    path = folder / "kernel.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **document}))
    return folder


def test_the_kernel_log_tells_of_one_process(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "kmsg"
    log.write_text(LOG)
    assert machine.killed_for_memory(4711, str(log)).startswith("Out of memory: Killed process 4711 (python)")
    assert machine.killed_for_memory(471, str(log)) == ""
    assert machine.killed_for_memory(4711, str(tmp_path / "none")) == ""


def test_a_kill_for_memory_is_told_with_its_evidence(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "kmsg"
    folder = died(pid=4711, limit_mib=2048)
    log.write_text(LOG)
    monkeypatch.setattr(machine, "killed_for_memory", lambda pid, read=machine.killed_for_memory: read(pid, str(log)))
    (folder / "memory").write_text("1900 2000 9999999999.0\n")
    death = journal.last_death("", "")
    assert death is not None
    says = telling.how_it_died(death)
    assert "was killed by Linux for lack of memory while it ran In[3] (model.fit(x)) for" in says
    assert "with at most 2000 of 2048 MiB of memory" in says
    facts = telling.facts_of_dead_kernel(death)
    assert (facts["run"]["exit_code"], facts["run"]["killed_by"]) == (137, "oom-killer")
    assert facts["host"] == {"oom_killed": "python (pid 4711)"}
    import tfhelp

    answer = tfhelp.diagnose(telling.text_of_dead_kernel(death), facts)
    assert (
        answer["matches"][0]["family"]
        == tfhelp.diagnose("Killed", {"host": facts["host"]}, exit_code=137)["matches"][0]["family"]
    )


def test_stacks_name_cells() -> None:
    folder = died()
    text = 'Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n  File "/tmp/ipykernel_1/7.py", line 2 in <module>\n'
    (folder / "stacks.txt").write_text(text)
    death = journal.last_death("", "")
    assert death is not None
    assert death.signal == "SIGSEGV"
    assert 'File "Cell In[3]", line 2' in death.stacks


def test_the_kernel_of_another_notebook_is_ignored() -> None:
    died(notebook="a.ipynb")
    assert journal.last_death("b.ipynb", "") is None
    assert journal.last_death("a.ipynb", "") is not None
    assert journal.last_death("a.ipynb", "") is None  # it is reported once


def test_a_kernel_that_lives_is_not_dead() -> None:
    program = (
        "import sys\nfrom tfhelp.service.doors.notebook.kernel import journal\njournal.root = lambda: sys.argv[1]\n"
        "kept = journal.Journal('', '')\nkept.begins(1, {1: 'x'}, {})\nprint('ready', flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, journal.root()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as living:
        assert living.stdout is not None
        living.stdout.readline()
        assert journal.last_death("", "") is None
        living.kill()
        living.wait()
    assert journal.last_death("", "") is not None


def test_a_damaged_journal_is_ignored(cache: pathlib.Path) -> None:
    folder = died()
    (folder / "kernel.json").write_text("{")
    (cache / "tfhelp" / "notebook" / "20990101-000000-1").mkdir()
    assert journal.last_death("", "") is None


def test_old_folders_are_removed() -> None:
    folders = [died(notebook=f"{number}.ipynb") for number in range(2)]
    for number in range(journal._KEPT):
        (pathlib.Path(journal.root()) / f"29990101-0000{number:02}-1").mkdir()
    journal.last_death("none.ipynb", "")
    assert [folder.exists() for folder in folders] == [False, False]


def test_of_two_kernels_of_one_second_the_one_with_the_higher_process_id_is_the_later() -> None:
    for number in (9998, 10003):
        folder = died(cell={"number": number})
        folder.rename(folder.with_name(f"20260301-120000-{number}"))
    death = journal.last_death("", "")
    assert death is not None and death.cell == 10003


def test_kernels_and_runs_are_in_the_same_order(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setattr(run_folder, "root", journal.root)
    names = ["20260301-120000-10003", "20260301-120000-9998", "20260301-115959-20000", "20260301-120000", "notes", "x-y"]
    for name in names:
        (tmp_path / "tfhelp" / "notebook" / name).mkdir(parents=True)
    ordered = [pathlib.Path(folder).name for folder in sorted(journal._folders(), key=journal._age)]
    assert ordered == run_folder.identifiers()
    assert ordered.index("20260301-120000-9998") < ordered.index("20260301-120000-10003")


def test_a_crash_with_many_threads_is_named_by_its_first_line() -> None:
    folder = died()
    stack = "".join(f'  File "/x/loader_{number}.py", line {number} in run_the_loader_of_the_images\n' for number in range(30))
    threads = "".join(f"\nThread 0x0000{number:04x} (most recent call first):\n{stack}" for number in range(16))
    (folder / "stacks.txt").write_text(f"Fatal Python error: Segmentation fault\n{threads}")
    death = journal.last_death("", "")
    assert death is not None and death.signal == "SIGSEGV"


def test_only_variables_of_training_go_to_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/alice")
    for name, value in {
        "TF_VAR_db_password": "hunter2",
        "TF_TOKEN_app": "atlasv1",
        "LD_LIBRARY_PATH": "/home/alice/cuda/lib64",
    }.items():
        monkeypatch.setenv(name, value)
    sent = facts_of_kernel()["env"]
    assert sent["LD_LIBRARY_PATH"] == "~/cuda/lib64"
    assert not {"TF_VAR_db_password", "TF_TOKEN_app"} & set(sent)
