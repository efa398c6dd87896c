"""How the process ended: exit codes and signals, as shells, launchers, IDEs and Python print them.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "Process finished with exit code -1073741819 (0xC0000005)")
{'run.exit_code': -1073741819}
>>> values_of(read, "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)")
{'run.exit_code': 137, 'run.signal': 'SIGKILL'}
>>> values_of(read, "./train.sh: line 3: 4242 Segmentation fault      (core dumped) python train.py")
{'run.signal': 'SIGSEGV'}
>>> values_of(read, "run.sh: line 2:  4242 Killed                  python train.py")
{'run.signal': 'SIGKILL'}
>>> values_of(read, "subprocess.CalledProcessError: Command '['python']' died with <Signals.SIGABRT: 6>.")
{'run.signal': 'SIGABRT'}

Only the end of a process counts: "Killed" inside a sentence is not one, but an exit code of 0 is.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_CODE = r"(-?[0-9]{1,10}|0x[0-9a-fA-F]{1,8})"
_EXIT = Pattern(
    rf"(?:exit(?:ed|s|ing)?(?: with)?(?: (?:an? )?(?:error|non-zero|nonzero|exit))?[ _-]?(?:status[ _-]code|code|status)s?|returned (?:a )?non-?zero (?:exit )?(?:status|code)"
    rf"|exit[_ ]?code|returncode|return code|exitcode|\brc(?=\s{{0,3}}[:=]))\s{{0,3}}(?:was|is|of|[:=])?\s{{0,3}}[(\[]?{_CODE}(?!\w|\.\w)",
    re.ASCII | re.IGNORECASE,
)
_SHELL = Pattern(
    r"^(?:\S{1,200}: (?:line [0-9]{1,6}: )?|\[[0-9]{1,3}\][+-]?\s{0,4})?(?:\s{0,8}[0-9]{1,9}\s{1,4})?"
    r"(Killed|Segmentation fault|Aborted|Bus error|Illegal instruction|Terminated|Floating point exception|Trace/breakpoint trap|Trace/BPT trap"
    r"|killed|segmentation fault|abort|bus error|illegal hardware instruction|terminated)"
    r"(?:: [0-9]{1,2})?(?:\s{0,40}\(core dumped\))?(?:\s{1,40}(?:\S.{0,600}))?\s*$",
    re.ASCII,
    one_of=("Killed", "killed", " fault", "Aborted", "abort", "us error", "llegal ", "erminated", "loating point", "Trace/"),
)
_SIGNALS = {
    "killed": "SIGKILL",
    "segmentation fault": "SIGSEGV",
    "aborted": "SIGABRT",
    "abort": "SIGABRT",
    "bus error": "SIGBUS",
    "illegal instruction": "SIGILL",
    "illegal hardware instruction": "SIGILL",
    "terminated": "SIGTERM",
    "floating point exception": "SIGFPE",
    "trace/breakpoint trap": "SIGTRAP",
    "trace/bpt trap": "SIGTRAP",
}
_NAMED = Pattern(
    r"(?:died with <Signals\.|interrupted by signal [0-9]{1,2}:\s?|\bsignal [0-9]{1,2} ?[(:] ?|signal[:=]? ?'?\(?|(?:got|received|on|by) (?:a |an )?)(SIG(?:KILL|SEGV|ABRT|BUS|ILL|TERM|FPE|INT|HUP))\b",
    re.ASCII,
)
_NUMBERED = Pattern(r"(?:Killed by|killed by|terminated by|exited on|died with|caught) signal ([0-9]{1,2})\b", re.ASCII)
_BY_NUMBER = {
    1: "SIGHUP",
    2: "SIGINT",
    4: "SIGILL",
    5: "SIGTRAP",
    6: "SIGABRT",
    7: "SIGBUS",
    8: "SIGFPE",
    9: "SIGKILL",
    11: "SIGSEGV",
    15: "SIGTERM",
}
_FATAL = Pattern(r"Fatal Python error: ([A-Za-z_][\w ./:-]{2,80})", re.ASCII)
_FATAL_SIGNALS = {"Segmentation fault": "SIGSEGV", "Aborted": "SIGABRT", "Bus error": "SIGBUS", "Illegal instruction": "SIGILL"}


@reads(
    words="""abort aborted bus code exit exit_code exitcode exited fatal floating illegal killed oomkilled rc returncode
        returned returns segmentation sigabrt sigbus sigill sigkill signal signals sigsegv sigterm status terminated
        trace zsh""",
    says=(
        "run.exit_code",
        "run.signal",
        "log.fatal_python_error",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State exit code and signal; if there are several, the last one printed."""
    for number in at:
        line = lines[number]
        _exit_code(line, number, said)
        signal = _signal(line)
        if signal:
            said.say("run.signal", signal, number)
        if fatal := (_FATAL.search(line) if "Fatal Python error" in line else None):
            said.say("log.fatal_python_error", fatal[1].strip(), number)
            if fatal[1].strip() in _FATAL_SIGNALS:
                said.say("run.signal", _FATAL_SIGNALS[fatal[1].strip()], number)


def _exit_code(line: str, number: int, said: Statements) -> None:
    small = line.lower()
    if not any(word in small for word in ("exit", "return", "rc")):
        return
    found = None
    for found in _EXIT.finditer(line):
        pass
    if not found:
        return
    code = int(found[1], 16) if found[1].startswith("0x") else int(found[1])
    if -(2**31) <= code < 2**32:
        said.say("run.exit_code", code, number)


def _signal(line: str) -> str | None:
    if named := (_NAMED.search(line) if "SIG" in line else None):
        return named[1]
    if numbered := (_NUMBERED.search(line) if "signal" in line else None):
        return _BY_NUMBER.get(int(numbered[1]))
    shell = _SHELL.match(line.strip())
    return _SIGNALS[shell[1].lower()] if shell and _is_report(line.strip(), shell) else None


def _is_report(line: str, shell: re.Match[str]) -> bool:
    """``Killed`` alone, or with a job number before it and a command after it; not ``Killed the process by hand``."""
    rest = line[shell.end(1) :].strip()
    before = line[: shell.start(1)].strip()
    if not rest:
        return True
    if rest.startswith(("(core dumped)", ": ")):
        return True
    return bool(before) and not before.endswith(",") and (before[-1].isdigit() or before.endswith((":", "]", "+", "-")))
