"""Lines in which a program prints its own memory use, as a leaking training run does in each epoch.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''epoch 1: memory 2100 MB (+0 MB)
... epoch 2: memory 2310 MB (+210 MB)
... epoch 3: memory 2520 MB (+420 MB)''')
{'log.memory_rises': True}
>>> values_of(read, '''epoch 1: memory 2100 MB (+1800 MB)
... epoch 2: memory 2101 MB (+1 MB)
... epoch 3: memory 2101 MB (+1 MB)''')
{'log.memory_rises': False}

>>> values_of(read, "Memory after 0 calls: 300 MiB\\nMemory after 1 calls: 320 MiB\\nMemory after 2 calls: 341 MiB")
{'log.memory_rises': True}

One line proves nothing: every program's memory rises once at its start.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import Statements

_MEMORY = Pattern(
    r"(?i)\b(?:memory|rss|mem|ram|resident)\b(?:[^0-9]{0,40}| (?:usage |used )?(?:after|at|in) [^0-9\n]{0,20}[0-9]{1,7}[^0-9\n]{0,20}: ?)([0-9.]{1,12}) ?([KMG]i?B)\b"
)
_LEAST_LINES = 3


@reads(words="memory rss mem ram resident", says=("log.memory_rises",))
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State whether the printed memory still rises in the second half of the lines."""
    sizes = []
    for number in at:
        # "ran out of memory trying to allocate 2.1GiB" is the size of one request.
        found = None if "to allocate" in lines[number] else _MEMORY.search(lines[number])
        size = mib(found[1], found[2]) if found else None
        if size is not None:
            sizes.append(size)
    if len(sizes) >= _LEAST_LINES:
        said.say("log.memory_rises", sizes[0] < sizes[len(sizes) // 2] < sizes[-1] and min(sizes) == sizes[0], at[-1])
