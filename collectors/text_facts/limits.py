"""``ulimit -a`` of bash and of other shells.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''open files                          (-n) 1024
... stack size                  (kbytes, -s) 8192
... max locked memory           (kbytes, -l) 64
... virtual memory              (kbytes, -v) 4194304''')
{'host.open_files_limit': 1024, 'host.stack_limit_kib': 8192.0, 'host.locked_memory_limit_kib': 64.0, 'host.address_space_limit_mib': 4096.0}
>>> values_of(read, "-n: file descriptors                256")
{'host.open_files_limit': 256}

``unlimited`` is not stated: no limit, no fact.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_BASH = Pattern(r"^\s{0,8}[a-zA-Z][a-z A-Z]{2,30}\s{1,40}\((?:kbytes, )?-([nslv])\)\s{1,8}([0-9]{1,12})\s*$", re.ASCII)
_ZSH = Pattern(r"^\s{0,8}-([nslv]): [a-z -]{3,40}(?:\((?:kbytes|kb)\))?\s{1,40}([0-9]{1,12})\s*$", re.ASCII)
_DASH = Pattern(r"^\s{0,8}(nofiles|stack|locked memory|vmemory)(?:\(kbytes\))?\s{1,20}([0-9]{1,12})\s*$", re.ASCII)
_ASKED = Pattern(r"ulimit -(?:[SH])?n\s*$", re.ASCII)
_LETTERS = {"nofiles": "n", "stack": "s", "locked memory": "l", "vmemory": "v"}


@reads(
    words="descriptors files kbytes nofile nofiles open stack ulimit vmemory",
    says=(
        "host.open_files_limit",
        "host.stack_limit_kib",
        "host.locked_memory_limit_kib",
        "host.address_space_limit_mib",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the limits on open files, stack, locked memory and address space."""
    for number in at:
        line = lines[number]
        limit = _BASH.match(line) or _ZSH.match(line) or _DASH.match(line)
        if limit:
            _say(_LETTERS.get(limit[1], limit[1]), int(limit[2]), number, said)
        elif "ulimit" in line and _ASKED.search(line) and number + 1 < len(lines) and lines[number + 1].strip().isascii():
            answer = lines[number + 1].strip()
            if answer.isdigit() and len(answer) < 13:
                _say("n", int(answer), number + 1, said)


def _say(letter: str, amount: int, number: int, said: Statements) -> None:
    if letter == "n":
        said.say("host.open_files_limit", amount, number)
    elif letter == "s":
        said.say("host.stack_limit_kib", float(amount), number)
    elif letter == "l":
        said.say("host.locked_memory_limit_kib", float(amount), number)
    else:
        said.say("host.address_space_limit_mib", amount / 1024, number)
