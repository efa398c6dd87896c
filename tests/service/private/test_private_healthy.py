"""Logs of a team's good runs: which effects their lines can have, and which they cannot."""

import pathlib

import hypothesis
import pytest
from hypothesis import strategies

from tests.service.private.conftest import over
from tfhelp.kb import compiled
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.healthy import form_of

CUDNN = (
    "E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:9261] Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR"
)
STAMP = "2026-03-0{}  10:00:0{}.123456: "
OOM = (
    "Traceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler\n'
    "    raise e.with_traceback(filtered_tb) from None\n"
    "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:\n"
    "OOM when allocating tensor with shape[1024,1024] and type float on /job:localhost/replica:0/task:0/device:GPU:0 "
    "by allocator GPU_0_bfc [Op:MatMul]"
)


@pytest.fixture
def healthy(team_kb: pathlib.Path) -> pathlib.Path:
    folder = team_kb / "healthy"
    for path in folder.iterdir():
        path.unlink()
    return folder


def asked(shipped: compiled.Knowledge, healthy: pathlib.Path, good: str) -> Diagnoser:
    (healthy / "good.log").write_text(good)
    return over(shipped, healthy.parent, vectors=None)


def test_a_line_of_a_good_run_is_not_a_suspect(shipped: compiled.Knowledge, healthy: pathlib.Path) -> None:
    text = f"{STAMP.format(2, 5)}{CUDNN}\n"
    suspected = Diagnoser(shipped, None, warm=True).diagnose(text)
    assert suspected["matches"], "without good runs the line is a failure"
    answer = asked(shipped, healthy, f"{STAMP.format(1, 1)}{CUDNN}\nsaved\n").diagnose(text)
    assert answer["matches"] == []
    assert "Your team's good runs print line 1 too, so it is not a suspect." in answer["notes"]


def test_a_line_that_only_begins_like_one_stays_a_suspect(shipped: compiled.Knowledge, healthy: pathlib.Path) -> None:
    diagnoser = asked(shipped, healthy, f"{STAMP.format(1, 1)}{CUDNN} (retrying)\n")
    answer = diagnoser.diagnose(f"{STAMP.format(2, 5)}{CUDNN}\n")
    assert answer["matches"]
    assert "notes" not in answer


@pytest.mark.parametrize(
    "text",
    [
        OOM,
        OOM.splitlines()[-2] + " " + OOM.splitlines()[-1],
        "gannetctl: LeaseError: no lease for pool 'a100' within 600 s",
    ],
)
def test_it_hides_no_exception_that_a_signature_names(shipped: compiled.Knowledge, healthy: pathlib.Path, text: str) -> None:
    alone = over(shipped, healthy.parent, vectors=None).diagnose(text)
    answer = asked(shipped, healthy, text).diagnose(text)
    assert alone["matches"]
    assert [match["entry"] for match in answer["matches"]] == [match["entry"] for match in alone["matches"]]
    assert answer["verdict"] == alone["verdict"]


@pytest.mark.parametrize(
    "text", ["Killed", "Segmentation fault (core dumped)", "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.0"]
)
def test_it_hides_no_message_of_a_shell_or_scheduler(shipped: compiled.Knowledge, healthy: pathlib.Path, text: str) -> None:
    alone = over(shipped, healthy.parent, vectors=None).diagnose(text)
    answer = asked(shipped, healthy, f"start\n{text}\n").diagnose(text)
    assert alone["matches"]
    assert [match["entry"] for match in answer["matches"]] == [match["entry"] for match in alone["matches"]]


def test_the_failure_is_found_behind_lines_of_good_runs(shipped: compiled.Knowledge, healthy: pathlib.Path) -> None:
    good = f"{STAMP.format(1, 1)}{CUDNN}"
    answer = asked(shipped, healthy, good).diagnose(f"{STAMP.format(7, 2)}{CUDNN}\n{OOM}")
    assert answer["matches"][0]["entry"] == "gpu-out-of-memory"
    assert all(row["line"] != 1 for match in answer["matches"] for row in match["matched"])


def test_a_changed_log_counts_at_once(shipped: compiled.Knowledge, healthy: pathlib.Path) -> None:
    text = f"{STAMP.format(2, 5)}{CUDNN}\n"
    assert asked(shipped, healthy, text).diagnose(text)["matches"] == []
    assert asked(shipped, healthy, "nothing of it\n").diagnose(text)["matches"] != []


def test_unreadable_logs_have_no_effect(shipped: compiled.Knowledge, healthy: pathlib.Path) -> None:
    (healthy / "folder.log").mkdir()
    (healthy / "bytes.log").write_bytes(bytes(range(256)) * 40)
    assert over(shipped, healthy.parent, vectors=None).diagnose(f"{STAMP.format(2, 5)}{CUDNN}\n")["matches"]


@hypothesis.given(strategies.text(max_size=80), strategies.integers(0, 10**9), strategies.integers(0, 10**9))
def test_the_form_leaves_out_numbers_and_is_its_own_form(line: str, one: int, other: int) -> None:
    assert form_of(f"{line} step {one} ") == form_of(f"{line} step {other}")
    assert form_of(form_of(line)) == form_of(line)
