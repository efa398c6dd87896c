"""What Slurm, Kubernetes and Docker report about a job that they ended.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "slurmstepd: error: *** JOB 811 ON gpu07 CANCELLED AT 2024-03-01T10:00:00 DUE TO TIME LIMIT ***")
{'log.scheduler': 'slurm', 'log.scheduler_verdict': 'time-limit'}
>>> values_of(read, "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=811.batch. Some of your processes may have been killed")
{'log.scheduler': 'slurm', 'log.scheduler_verdict': 'memory-limit'}
>>> values_of(read, "      Reason:       OOMKilled\\n      Exit Code:    137")
{'run.signal': 'SIGKILL', 'run.exit_code': 137, 'log.scheduler': 'kubernetes', 'log.scheduler_verdict': 'memory-limit'}
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import Statements

_VERDICTS = (
    ("slurm", "time-limit", Pattern(r"DUE TO TIME LIMIT|\bTIMEOUT\b\s{1,20}[0-9]{1,3}:[0-9]{1,3}|\bJobState=TIMEOUT\b")),
    (
        "slurm",
        "memory-limit",
        Pattern(
            r"oom[-_]kill event|Exceeded (?:job|step) memory limit|exceeded memory limit \(|\bOUT_OF_ME(?:MORY|\+)|task [0-9]{1,5}: Out Of Memory"
        ),
    ),
    ("slurm", "preempted", Pattern(r"DUE TO PREEMPTION|\bPREEMPTED\b")),
    ("slurm", "node-failed", Pattern(r"DUE TO NODE FAILURE|\bNODE_FAIL\b")),
    (
        "slurm",
        "cancelled",
        Pattern(
            r"(?:JOB|STEP) \S{1,40} (?:ON \S{1,60} )?CANCELLED AT|\bCANCELLED by [0-9]{1,9}\b|\bJobState=CANCELLED\b|Force Terminated job"
        ),
    ),
    ("kubernetes", "memory-limit", Pattern(r"OOMKilled|low on resource: memory")),
    ("kubernetes", "preempted", Pattern(r"\bPreempted by\b|\bPreempting\b|node.{0,20}preempt", re.IGNORECASE)),
    ("kubernetes", "disk-limit", Pattern(r"low on resource: ephemeral-storage|ephemeral local storage usage exceeds")),
    ("kubernetes", "time-limit", Pattern(r"(?<!code = )\bDeadlineExceeded\b")),
    ("kubernetes", "evicted", Pattern(r"(?:Reason:|Status:|STATUS)\s{1,20}Evicted|\bEvicted\b\s{1,20}[0-9]{1,4}\s")),
    ("lsf", "memory-limit", Pattern(r"TERM_MEMLIMIT")),
    ("lsf", "time-limit", Pattern(r"TERM_RUNLIMIT")),
    ("pbs", "time-limit", Pattern(r"PBS: job killed: walltime")),
    ("pbs", "memory-limit", Pattern(r"PBS: job killed: (?:v?mem|pmem)")),
)
# Every verdict's line contains one of these; most lines with a word such as "memory" contain none.
_SIGN = Pattern(
    r"DUE TO|TIMEOUT|oom|xceeded|OUT_OF_ME|PREEMPTED|NODE_FAIL|CANCELLED|Force T|OOMK|low on|reempt|ephemeral|Evicted|TERM_|PBS: |Out Of"
)
_KUBERNETES_EXIT = Pattern(r"^\s{0,20}Exit Code:\s{1,20}([0-9]{1,3})\s*$", re.ASCII)
_SLURM_EXIT = Pattern(r"\b(?:ExitCode=|Exit_?code:? )([0-9]{1,3}):([0-9]{1,2})\b", re.ASCII)
_REQUESTED = Pattern(
    r"(?:--mem[= ]|--mem-per-cpu[= ]|ReqMem[= ]|#SBATCH --mem=)\s{0,2}([0-9]{1,12}(?:\.[0-9]{1,3})?)([KMGT]?)(?:i?B|[nc])?\b",
    re.ASCII,
)
_TERMINATED = {9: "SIGKILL", 15: "SIGTERM", 6: "SIGABRT", 11: "SIGSEGV", 7: "SIGBUS"}


@reads(
    words="""cancelled deadlineexceeded ephemeral evicted exceeded exit exitcode lsf memory node_fail oom oom_kill oomkilled
        out_of_memory pbs preempted preemption qsub reason requested resource slurm_job_id slurmstepd srun
        term_memlimit term_runlimit timeout walltime""",
    signs=(
        "slurm",
        "srun",
        "SBATCH",
        "CANCELLED",
        "TIME",
        "OOMKilled",
        "oom",
        "NODE_FAIL",
        "PREEMPT",
        "reempt",
        "Evicted",
        "TERM_",
        "PBS: ",
        "--mem",
        "ReqMem",
        "low on resource",
        "Exit Code:",
        "xit_code",
        "ExitCode",
        "Exitcode",
        "Out Of Memory",
        "OUT_OF",
        "DeadlineExceeded",
        "memory limit",
        "ephemeral",
        "Force Terminated",
    ),
    says=(
        "log.scheduler",
        "log.scheduler_verdict",
        "log.requested_memory_mib",
        "run.exit_code",
        "run.signal",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State which scheduler ended the job and why: the last reason in the text, ``cancelled`` only if there is no other."""
    verdicts: list[tuple[int, str, str]] = []
    for number in at:
        line = lines[number]
        for scheduler, verdict, pattern in _VERDICTS if _SIGN.search(line) else ():
            if pattern.search(line):
                verdicts.append((number, scheduler, verdict))
                if scheduler == "kubernetes" and verdict == "memory-limit" and "OOMKilled" in line:
                    said.say("run.signal", "SIGKILL", number)
                break
        _codes(line, number, said)
        if requested := _REQUESTED.search(line):
            # Slurm's unit is MB if none is written.
            amount = mib(requested[1], requested[2] or "M")
            if amount:
                said.say("log.requested_memory_mib", amount, number)
    if verdicts:
        telling = [found for found in verdicts if found[2] != "cancelled"] or verdicts
        number, scheduler, verdict = telling[-1]
        said.say("log.scheduler", scheduler, number)
        said.say("log.scheduler_verdict", verdict, number)


def _codes(line: str, number: int, said: Statements) -> None:
    if kubernetes := _KUBERNETES_EXIT.match(line):
        said.say("run.exit_code", int(kubernetes[1]), number)
    elif slurm := _SLURM_EXIT.search(line):
        code, signal = int(slurm[1]), int(slurm[2])
        # ExitCode=0:9 is not a success: the number after the colon is the signal. A shell reports it as 137.
        said.say("run.exit_code", code or (128 + signal if signal in _TERMINATED else code), number)
        if signal in _TERMINATED:
            said.say("run.signal", _TERMINATED[signal], number)
