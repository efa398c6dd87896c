"""How a fact reader declares, in its own file, what it reads.

    @reads(words="kill killed xid", says=("host.oom_killed", "driver.xid"), signs=("Xid", "ut of memory"))
    def read(lines, at, said): ...

``python -m tfhelp.collectors.text_facts.make_table`` collects the declarations in ``word_table``, so that a cold start knows
which readers have to inspect a text without importing all of them.
"""

import collections.abc
import importlib
import typing

if typing.TYPE_CHECKING:
    from tfhelp.collectors.text_facts.statements import Statements

Lines = collections.abc.Sequence[str]
"""The clean lines of one process, in order."""

OF_A_MACHINE = (
    *("packages.*", "python.version", "cuda.version", "cudnn.version", "driver.version", "gpus"),
    *("os.name", "os.release", "os.wsl", "os.architecture", "host.memory_total_mib"),
)
"""Facts that people give about their machine, in sentences or in an issue form."""

Read = typing.Callable[[Lines, list[int], "Statements"], None]


class Reader(typing.NamedTuple):
    """What a reader registers.

    Attributes:
        read: gets the lines of one process and the indices of those that contain one of its words, and states facts.
        words: the words that make a line worth showing: lower case and underscores, digits left out (``libcudart.so.11.0`` has
            the words ``libcudart`` and ``so``). Every line that it can read must contain one of them. Common words are
            cheap, because lines of one shape are checked only once.
        says: the paths of the facts that it makes.
        signs: for common words: literals, one of which occurs on some line of every text that it can read anything from.
    """

    read: Read
    words: tuple[str, ...]
    says: tuple[str, ...]
    signs: tuple[str, ...]


READERS: dict[str, Reader] = {}
"""Module name -> reader, for the modules that have been imported."""


def reads(words: str, says: tuple[str, ...], signs: tuple[str, ...] = ()) -> typing.Callable[[Read], Read]:
    """Register a module's fact reader; ``Reader`` describes the arguments, and ``words`` are separated by spaces."""

    def register(read: Read) -> Read:
        READERS[read.__module__.rpartition(".")[2]] = Reader(read, tuple(sorted(set(words.split()))), says, signs)
        return read

    return register


def load(name: str) -> Reader:
    """The reader of a module of this package."""
    if name not in READERS:
        importlib.import_module(f"{__package__}.{name}")
    return READERS[name]
