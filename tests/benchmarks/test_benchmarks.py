"""The harness and the naive stack work, on tiny inputs. No test depends on the measured figures."""

import json
import math
import pathlib
import random
import subprocess
import sys

import pytest

from tests.benchmarks import long_log, page_table, peer, soak
from tests.benchmarks.load import put_load
from tests.benchmarks.recordings import ROOT
from tests.benchmarks.targets import Row
from tests.benchmarks.timing import by_turns, run_measured, run_process
from tests.benchmarks.watched import cost_of

PHRASES = [["memory", "the memory of the card is full"], ["hang", "nothing happens and nobody ends"], ["nan", "the loss is nan"]]


def test_every_action_is_done_in_every_round() -> None:
    done: list[str] = []
    seconds = by_turns({"a": lambda: done.append("a"), "b": lambda: done.append("b")}, 2)
    assert done == ["a", "b", "a", "b", "a", "b"]  # one warm-up round
    assert set(seconds) == {"a", "b"}
    assert all(value >= 0 for value in seconds.values())


def test_a_program_that_fails_is_not_measured() -> None:
    with pytest.raises(RuntimeError, match="exit status 3: no such"):
        run_process([sys.executable, "-c", "import sys; print('no such', file=sys.stderr); sys.exit(3)"])
    with pytest.raises(RuntimeError, match="exit status 3"):
        run_measured([sys.executable, "-c", "import sys; sys.exit(3)"])


def test_the_peak_is_that_of_the_program_alone() -> None:
    large = bytearray(200_000_000)
    small = run_measured([sys.executable, "-c", "pass"])
    more = run_measured([sys.executable, "-c", "x = bytearray(80_000_000)"])
    assert len(large) > small.peak
    assert 70_000_000 < more.peak - small.peak < 120_000_000


def test_the_cost_of_a_run_is_that_of_all_its_processes(tmp_path: pathlib.Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass\n"
    cost = cost_of(
        [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"], str(tmp_path)
    )
    assert cost.processor > 0.3
    with pytest.raises(RuntimeError, match="exit status 3"):
        cost_of([sys.executable, "-c", "raise SystemExit(3)"], str(tmp_path))


@pytest.mark.parametrize("shape", long_log.SHAPES)
def test_a_long_log_has_its_size_and_its_failure(shape: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "train.log"
    long_log.write(path, 300_000, shape, "OSError: no space left\n")
    text = path.read_text(encoding="utf-8")
    assert text.count("OSError: no space left\n") == 1
    assert 300_000 <= len(text) < 301_000
    long_log.write(path, 300_000, shape, "OSError: no space left\n")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("shape", long_log.SHAPES)
def test_a_failure_is_planted_with_all_its_lines(shape: str) -> None:
    failure = "Traceback (most recent call last):\n  here\nOSError: no space left\n"
    text = long_log.planted(shape, long_log.lines(shape, 20_000), failure, random.Random(1))
    places = [text.index(line) for line in failure.splitlines()]
    assert places == sorted(places)


def test_a_target_is_met_on_the_right_side() -> None:
    assert Row("a", "", "", 5.0, 5.0).met
    assert not Row("a", "", "", 5.1, 5.0).met
    assert Row("a", "", "", 20.0, 20.0, True).met
    assert not Row("a", "", "", 19.0, 20.0, True).met


def test_the_table_is_put_between_the_markers(tmp_path: pathlib.Path) -> None:
    readme = tmp_path / "README.md"
    text = page_table.table([Row("start", "1 ms", "2 ms", 0.5, 1.0)], "a machine")
    assert not page_table.put(readme, text)
    readme.write_text("before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n", encoding="utf-8")
    assert page_table.put(readme, text)
    assert page_table.put(readme, text)
    content = readme.read_text(encoding="utf-8")
    assert content == f"before\n<!-- bench -->\n{text}\n<!-- /bench -->\nafter\n"
    assert "| start | 1 ms | 2 ms | 0.50 | at most 1 times: met |" in content


def test_a_figure_that_grows_is_told_from_one_that_swings() -> None:
    swings = [300 + 20 * math.sin(place) for place in range(200)]
    assert not soak.trend("memory, MB", swings).real
    assert soak.trend("memory, MB", [value + place for place, value in enumerate(swings)]).real
    assert not soak.trend("memory, MB", [value + place / 50 for place, value in enumerate(swings)]).real  # 1.3 % is not a leak
    assert soak.trend("threads", [7.0] * 150 + [8.0] * 50).real
    assert not soak.trend("threads", [7.0] * 200).real
    assert not soak.trend("threads", [8.0] * 100 + [7.0] * 100).real


@pytest.mark.slow
def test_the_naive_stack_answers_as_script_and_as_service(tmp_path: pathlib.Path) -> None:
    folder = peer.index_folder(PHRASES, tmp_path)
    assert peer.index_folder(PHRASES, tmp_path) == folder
    question = "my graphics card has no memory left"
    ran = subprocess.run(peer.ask_command(folder), input=question, cwd=ROOT, capture_output=True, text=True, check=True)
    first = json.loads(ran.stdout)[0]
    assert first["entry"] == "memory"
    assert 0 < first["cosine"] <= 1.0001
    with peer.NaiveService(folder) as service:
        load = put_load(service.url, [question, "nan"], clients=2, seconds=0.2)
        assert load.requests >= 2
        assert load.rate > 0
        with pytest.raises(RuntimeError, match="status 404"):
            put_load(f"{service.url}/nowhere", [question], clients=1, seconds=0.1)
