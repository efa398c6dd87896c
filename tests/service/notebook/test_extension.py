"""``%load_ext tfhelp`` in real kernels."""

import pathlib
import re
import stat

import pytest

from tests.service.notebook.kernels import Notebook

SLOW = pytest.mark.slow
LOAD = "%load_ext tfhelp"
MISMATCH = "raise ValueError('Shapes (None, 1) and (None, 10) are incompatible')"


@pytest.fixture
def notebook(tmp_path: pathlib.Path) -> Notebook:
    """A notebook in its own folder."""
    return Notebook(tmp_path)


def test_exceptions_hints_and_answers(notebook: Notebook) -> None:
    load, name, asked, known, answered, full, zero, text, grouped, group, wrong, usage = notebook.run(
        LOAD,
        "x = undefined_name",
        "%tfhelp",
        f"def build(shape):\n    {MISMATCH}\ntry:\n    {{}}['data']\nexcept KeyError as error:\n    build(3)",
        "%tfhelp",
        "%tfhelp --full",
        "1 / 0",
        "%tfhelp Could not load dynamic library 'libcudart.so.11.0'",
        f"try:\n    {MISMATCH}\nexcept ValueError as error:\n    raise ExceptionGroup('both', [error, OSError('x')])",
        "%tfhelp",
        "%tfhelp --hlep",
        "%tfhelp -h",
    )
    assert load.kinds == []
    assert name.kinds == ["error"]  # the reader's own misspelt name, not one of ours
    assert "I do not know this one" in asked.plain
    assert "In[2]" in asked.plain
    assert known.kinds == ["error", "display_data"]
    assert known.plain.count("\n") == 0
    assert "Labels and predictions have different shapes" in known.plain
    assert sorted(answered.shown[0]) == ["text/html", "text/markdown", "text/plain"]
    assert "In[4]" in answered.plain
    assert "sparse_categorical_crossentropy" in answered.plain
    assert len(full.plain) > len(answered.plain)
    assert zero.kinds == ["error"]
    assert "libcudart" in text.shown[0]["text/html"]
    assert "different shapes" in group.plain, grouped.plain
    assert "ValueError: Shapes" in group.shown[0]["text/html"]
    assert "%tfhelp TEXT" in usage.stdout
    assert "does not know '--hlep'" in wrong.stdout


def test_evidence_names_cells_and_their_lines(notebook: Notebook) -> None:
    *_, answered = notebook.run(
        LOAD,
        "def build():\n    raise ValueError('Shapes (None, 1) and (None, 10) are incompatible')",
        "loss = 'categorical_crossentropy'",
        "import sys\nclass Model: pass\nbuild()",
        "import json\nfrom tfhelp.service.doors.notebook.kernel import _loaded\nprint(_loaded[0]._failure.text)\n"
        "print(json.loads(_loaded[0]._cells.as_notebook())['cells'][2]['source'])",
    )
    assert 'File "Cell In[4]", line 3, in <module>' in answered.stdout
    assert 'File "Cell In[2]", line 2, in build' in answered.stdout
    assert "ipykernel" not in answered.stdout
    assert "loss = 'categorical_crossentropy'" in answered.stdout


def test_a_failure_from_before_it_was_loaded_is_known(notebook: Notebook) -> None:
    _, _, answered = notebook.run(MISMATCH, LOAD, "%tfhelp")
    assert "Labels and predictions have different shapes" in answered.plain


def test_a_watched_cell(notebook: Notebook) -> None:
    _, hung, nan, fine, wrong, native = notebook.run(
        LOAD,
        f"%%tfhelp --hang-after 1\nimport time\nprint('hello')\ntime.sleep(12)\n{MISMATCH}",
        "%%tfhelp\nprint('Epoch 1/1\\n4/4 - 1s - loss: nan')",
        "%%tfhelp\nvalue = 41\nprint('fine')\nvalue + 1",
        "%%tfhelp --hangafter 3\nprint('never')",
        "%%tfhelp\nimport os\nos.write(2, b'Could not load dynamic library libcudnn.so.8; dlerror: no such file\\n')\nraise OSError(value)",
    )
    assert hung.stdout == "hello\n"
    assert hung.kinds.index("error") > hung.kinds.index("display_data")  # it reported the silence while the cell continued
    assert re.search(r"No output for \d s", hung.plain)
    assert "In[2] line 4: time.sleep(12)" in hung.plain
    assert hung.errors == [("ValueError", "Shapes (None, 1) and (None, 10) are incompatible")]
    assert "In[2] failed after" in hung.plain
    assert "Labels and predictions have different shapes" in hung.plain
    assert "The loss becomes NaN" in nan.plain
    assert "Nothing in its output calls for an answer" in fine.plain
    assert "execute_result" in fine.kinds
    assert "never" not in wrong.stdout.replace("never' in", "")
    assert "--hangafter" in wrong.stdout
    assert "libcudnn" in native.shown[0]["text/html"]
    assert native.errors == [("OSError", "41")]


def test_a_watched_cell_that_fails_counts_as_failed(notebook: Notebook) -> None:
    _, failed, well = notebook.run(LOAD, f"%%tfhelp\n{MISMATCH}", "%%tfhelp\n1")
    assert (failed.status, well.status) == ("error", "ok")


def test_what_c_code_says_is_shown_once_and_kept_for_this_user_alone(notebook: Notebook) -> None:
    _, spoken, files = notebook.run(
        LOAD,
        "import os, time\nos.write(2, b'native words\\n')\ntime.sleep(3)",  # until ipykernel's thread has certainly shown them
        "import pathlib, tfhelp.service.doors.notebook.kernel.journal as journal\n"
        "[folder] = pathlib.Path(journal.root()).iterdir()\n"
        "print(oct(folder.stat().st_mode), *(f'{item.name}={oct(item.stat().st_mode)}' for item in folder.iterdir()))\n"
        "print((folder / 'stderr.log').read_text())",
    )
    assert spoken.stderr == "native words\n"
    assert "native words" in files.stdout
    modes = dict(word.split("=") for word in files.stdout.split("\n")[0].split()[1:])
    assert files.stdout.startswith(oct(stat.S_IFDIR | 0o700))
    assert modes["kernel.json"] == modes["stderr.log"] == oct(stat.S_IFREG | 0o600)
    assert notebook.journals() == []  # a kernel that ends normally leaves nothing


def test_unloading_restores_everything(notebook: Notebook) -> None:
    before = (
        "import faulthandler, os, signal, sys, threading\n"
        "def state():\n"
        "    shell = get_ipython()\n"
        "    events = {name: len(found) for name, found in shell.events.callbacks.items()}\n"
        "    magics = [kind for kind in ('line', 'cell') if 'tfhelp' in shell.magics_manager.magics[kind]]\n"
        "    threads = [thread.name for thread in threading.enumerate() if thread.name.startswith('tfhelp')]\n"
        "    return events, magics, threads, os.fstat(2)[:3], faulthandler.is_enabled(), 'write' in sys.stdout.__dict__\n"
        "first = state()"
    )
    *_, last = notebook.run(
        before, LOAD, "%%tfhelp\nprint(1)", "print(state() == first)", "%unload_ext tfhelp", "print(state() == first, state())"
    )
    assert last.stdout.startswith("True "), last.stdout
    assert notebook.journals() == []


@pytest.mark.parametrize(
    ("fatal", "says", "knows"),
    [
        ("import ctypes\nctypes.string_at(0)", "crashed (SIGSEGV) while it ran In[2] (ctypes.string_at(0))", "SIGSEGV"),
        pytest.param("import os\nos.write(2, b'F0000 last words\\n')\nos.abort()", "crashed (SIGABRT)", "SIGABRT", marks=SLOW),
        pytest.param("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)", "was told to end (SIGTERM)", "", marks=SLOW),
        pytest.param("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "ended without a message", "", marks=SLOW),
    ],
)
def test_a_dead_kernel_is_explained_by_the_next_one(notebook: Notebook, fatal: str, says: str, knows: str) -> None:
    notebook.run(LOAD, fatal)
    load, told = notebook.run(LOAD, "%tfhelp --full")
    assert says in load.plain
    assert load.plain.count("\n") == 0
    assert says in told.plain
    assert knows in told.shown[0]["text/html"]
    [again] = notebook.run(LOAD)
    assert again.shown == []  # it is reported once


@SLOW
def test_a_kernel_that_ended_in_order_or_rested_is_not_told_of(notebook: Notebook) -> None:
    notebook.run(LOAD, "x = 1")
    notebook.run(LOAD, "import os, signal, threading\nthreading.Timer(1, os.kill, (os.getpid(), signal.SIGKILL)).start()", "1")
    [load] = notebook.run(LOAD)
    assert load.shown == []
