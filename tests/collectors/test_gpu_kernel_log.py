"""The kernel log: what its lines yield, and that reading ends."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tfhelp.collectors.gpu.kernel_log import oom_killed, read_kernel_log, xid_codes


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Out of memory: Killed process 1234 (python3) total-vm:8kB, anon-rss:7kB, UID:1000", "python3 (pid 1234)"),
        ("Out of memory: Kill process 88 (python) score 912 or sacrifice child", "python (pid 88)"),
        ("Memory cgroup out of memory: Killed process 7 (train worker) total-vm:8kB", "train worker (pid 7)"),
        ("Killed process 99 (python) total-vm:8kB, anon-rss:7kB", "python (pid 99)"),
        ("audit: process 99 (python) was not Killed", None),
    ],
)
def test_killed_for_memory(line, told):
    assert oom_killed(["boot", line]) == told


def test_the_last_one_killed_is_told():
    lines = [f"Out of memory: Killed process {pid} (a{pid}) total-vm" for pid in (1, 2, 3)]
    assert oom_killed(lines) == "a3 (pid 3)"


def test_xid_codes_in_their_order():
    lines = ["NVRM: Xid (PCI:0000:01:00): 13, pid=5", "NVRM: loading", "NVRM: Xid (0000:02:00): 79, GPU has fallen off"]
    assert xid_codes(lines) == [13, 79]


@given(some.lists(some.text()))
def test_any_text_is_read(lines):
    assert all(isinstance(code, int) for code in xid_codes(lines))
    assert oom_killed(lines) is None or "(pid " in str(oom_killed(lines))


def test_a_log_that_never_ends_is_cut(tmp_path):
    pipe = tmp_path / "kmsg"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # keeps the pipe open, so that there is neither data nor an end
    try:
        os.write(writer, b"6,1,2,-;hello\n")
        assert read_kernel_log(str(pipe)) == ["hello"]
    finally:
        os.close(writer)


def test_no_log():
    assert read_kernel_log("/nowhere/kmsg") is None
