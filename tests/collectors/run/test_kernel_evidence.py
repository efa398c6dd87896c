"""The kernel's messages count only from the start of the run on, and only for its own processes."""

import pathlib

from tfhelp.collectors.run.kernel_evidence import KernelEvidence
from tfhelp.kb.fact_sheet import FactSheet

KILLED = "3,1,1,-;Out of memory: Killed process {pid} (python) total-vm:8kB, anon-rss:7kB, UID:0\n"


def told(tmp_path: pathlib.Path, *later: str) -> tuple[KernelEvidence, FactSheet]:
    log = tmp_path / "kmsg"
    log.write_text(KILLED.format(pid=7) + "3,2,2,-;NVRM: Xid (PCI:0000:01:00): 79, pid=7\n")
    evidence = KernelEvidence(str(log))
    with log.open("a") as file:
        file.writelines(later)
    evidence.take({7, 8})
    sheet = FactSheet()
    evidence.put(sheet)
    return evidence, sheet


def test_what_was_said_before_the_run_is_no_evidence(tmp_path: pathlib.Path) -> None:
    evidence, sheet = told(tmp_path)
    assert evidence.killed == ""
    assert (sheet.get("host.oom_killed"), sheet.get("driver.xid")) == (None, [])


def test_a_process_of_another_program_is_no_evidence(tmp_path: pathlib.Path) -> None:
    evidence, sheet = told(tmp_path, KILLED.format(pid=9))
    assert (evidence.killed, sheet.get("host.oom_killed")) == ("", None)


def test_a_process_of_the_run(tmp_path: pathlib.Path) -> None:
    evidence, sheet = told(tmp_path, KILLED.format(pid=8), "3,4,4,-;NVRM: Xid (PCI:0000:01:00): 31, pid=8\n")
    assert evidence.killed == sheet.get("host.oom_killed") == "python (pid 8)"
    assert sheet.get("driver.xid") == [31]


def test_a_system_without_a_log_tells_nothing(tmp_path: pathlib.Path) -> None:
    evidence = KernelEvidence(str(tmp_path / "none"))
    evidence.take({7})
    sheet = FactSheet()
    evidence.put(sheet)
    assert sheet.get("driver.xid") != []
