"""The record command: what it writes, and what it refuses."""

import json
import pathlib

import pytest

from tests.faults.record import main

BLOCK = "# /// script\n# [tool.tfhelp]\n# {}\n# ///\n"


def shown(source: str) -> str:
    """The source as the region that people are shown: a change must lie inside it."""
    return f"# --- shown\n{source.rstrip()}\n# --- end\n"


@pytest.fixture
def entry(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "training" / "some-entry"
    folder.mkdir(parents=True)
    (folder / "one.broken.py").write_text(BLOCK.format("timeout = 20") + "x = {}\nprint('so far')\nx['gone']\n")
    (folder / "one.fixed.py").write_text(BLOCK.format("timeout = 20") + "x = {'gone': 1}\nassert x['gone']\n")
    return folder


def test_a_recording_says_what_happened(entry: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(entry)]) == 0
    recorded = json.loads((entry / "one.recorded.json").read_text())
    assert set(recorded) == {"tensorflow", "keras", "python", "exit_code", "signal", "output"}
    assert (recorded["exit_code"], recorded["signal"]) == (1, None)
    assert recorded["output"].startswith("so far\nTraceback (most recent call last):\n")
    assert recorded["output"].endswith("KeyError: 'gone'\n")
    assert "KeyError: 'gone'" in capsys.readouterr().out


def test_a_broken_program_that_runs_is_not_recorded(entry: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (entry / "one.broken.py").write_text((entry / "one.fixed.py").read_text())
    assert main([str(entry)]) == 1
    assert not (entry / "one.recorded.json").exists()
    assert "ended with exit code 0, expected an exit code that is not 0" in capsys.readouterr().out


def test_a_fixed_program_that_fails_is_a_fault(entry: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (entry / "one.fixed.py").write_text((entry / "one.broken.py").read_text())
    assert main([str(entry), "--only", "fixed"]) == 1
    assert "the fixed program ended with exit code 1, must be 0" in capsys.readouterr().out


def test_a_recording_of_an_observed_run_keeps_its_facts(entry: pathlib.Path) -> None:
    source = (entry / "one.broken.py").read_text()
    (entry / "one.broken.py").write_text(source.replace("timeout = 20", "timeout = 20\n# observed = true"))
    assert main([str(entry), "--only", "broken"]) == 0
    facts = json.loads((entry / "one.recorded.json").read_text())["facts"]
    assert set(facts) == {"host", "run"}
    assert {"pid", "exit_code", "signal"} & set(facts["run"]) == set()
    assert facts["run"]["memory_limit_mib"] == float(f"{facts['run']['memory_limit_mib']:.1e}")


@pytest.mark.parametrize(
    ("option", "body", "expected"),
    [
        (
            'signal = "SIGABRT"\n# send-signal = {name = "SIGABRT", when = "go"}',
            "import time\nprint('go')\ntime.sleep(60)",
            (134, "SIGABRT"),
        ),
        ("exit = 0", "print('loss: nan')", (0, None)),
        ('exit = "hangs"\n# timeout = 1', "import time\ntime.sleep(60)", (None, None)),
        ("exit = 2", "import argparse\nargparse.ArgumentParser().parse_args(['--no'])", (2, None)),
    ],
)
def test_other_endings_are_recorded_when_expected(
    entry: pathlib.Path, option: str, body: str, expected: tuple[int | None, str | None]
) -> None:
    (entry / "one.broken.py").write_text(BLOCK.format(option) + body + "\n")
    fixed = body.replace("sleep(60)", "sleep(0)").replace("['--no']", "[]").replace("loss: nan", "loss: 1")
    (entry / "one.fixed.py").write_text(BLOCK.format("timeout = 20") + shown(fixed) + "assert __name__\n")
    assert main([str(entry), "--only", "broken"]) == 0
    recorded = json.loads((entry / "one.recorded.json").read_text())
    assert (recorded["exit_code"], recorded["signal"]) == expected


def test_what_fails_only_sometimes_is_tried_until_it_does(entry: pathlib.Path) -> None:
    body = "import random\n[1][random.randrange(2)]\n"
    (entry / "one.broken.py").write_text(BLOCK.format("rate = 0.5") + body)
    (entry / "one.fixed.py").write_text(BLOCK.format("timeout = 20") + shown(body.replace("[1]", "[1, 2]")) + "assert random\n")
    assert main([str(entry), "--only", "broken"]) == 0
    assert json.loads((entry / "one.recorded.json").read_text())["output"].endswith("IndexError: list index out of range\n")


def test_a_long_output_keeps_head_and_tail(entry: pathlib.Path) -> None:
    body = "for number in range(30000):\n    print('line', number)\nlen(number)\n"
    (entry / "one.broken.py").write_text(BLOCK.format("timeout = 60") + body)
    (entry / "one.fixed.py").write_text(
        BLOCK.format("timeout = 60") + shown(body.replace("len(number)", "len('x')")) + "assert number\n"
    )
    assert main([str(entry), "--only", "broken"]) == 0
    output = json.loads((entry / "one.recorded.json").read_text())["output"]
    lines = output.splitlines()
    cut = next(index for index, line in enumerate(lines) if line.startswith("[..."))
    before, after = int(lines[cut - 1].split()[1]), int(lines[cut + 1].split()[1])
    assert len(output.encode()) < 66 * 1024
    assert (before, lines[cut]) == (cut - 1, f"[... {after - before - 1} lines left out ...]")
    assert lines[-1] == "TypeError: object of type 'int' has no len()"


def test_a_dishonest_program_is_a_fault(entry: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (entry / "entry.yaml").write_text("matches:\n  decisive:\n    - pattern: 'so far away'\n")
    source = (entry / "one.broken.py").read_text()
    (entry / "one.broken.py").write_text(source.replace("so far", "so far away"))
    assert main([str(entry)]) == 1
    assert "one.broken.py:6: own-words: its own text is matched by the signature 'so far away'" in capsys.readouterr().out


def test_a_pattern_on_peoples_words_is_read_in_its_short_form(entry: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (entry / "entry.yaml").write_text("matches: {supporting: [said: 'so far']}\n")
    assert main([str(entry)]) == 1
    assert "its own text is matched by the signature 'so far'" in capsys.readouterr().out


def test_bad_usage_is_reported(entry: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(entry), "--cause", "two"]) == 2
    assert "no two.broken.py" in capsys.readouterr().err
    (entry / "one.broken.py").write_text("print(1)\n")
    assert main([str(entry), "--only", "broken"]) == 1
    assert "no '# /// script' block" in capsys.readouterr().out
