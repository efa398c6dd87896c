"""Long logs of every shape: time compared with ``grep`` for the same words, and peak memory.

The peer is ``grep -c -i -F -f`` with the first literals of all signatures, in the C locale (in other locales it is slower, on
some texts a hundred times). It only counts lines; tfhelp has to answer. tfhelp's time and memory are those in excess of what the
planted failure costs alone, which is measured in the same round.
"""

import pathlib
import shutil
import statistics
import tempfile
import typing

from tests.benchmarks import long_log
from tests.benchmarks.clean_environment import CleanEnvironment
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import Spent, run_measured
from tfhelp.kb.compiled import Knowledge

MEGABYTE = 1_000_000
TARGETS = {10: 3.0, 100: 4.0}  # MB -> times the peer
PIPED = 1000  # MB
_MEMORY = 64  # MB
_FAILURE = """\
Traceback (most recent call last):
  File "/home/user/project/train.py", line 214, in <module>
    model.fit(training, validation_data=validation, epochs=40)
tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:

OOM when allocating tensor with shape[256,128,112,112] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by \
allocator GPU_0_bfc
"""


class Costs(typing.NamedTuple):
    """Medians for one log: tfhelp's seconds and bytes in excess of the failure alone, and grep's seconds."""

    seconds: float
    memory: float
    peer: float


class Stand:
    """The programs to run: tfhelp on a log and on the failure alone, and the peer with its file of literals.

    Raises:
        RuntimeError: there is no grep.
    """

    def __init__(self, environment: CleanEnvironment, knowledge: Knowledge, folder: pathlib.Path) -> None:
        grep = shutil.which("grep")
        if grep is None:
            raise RuntimeError("no grep, the peer of the rows about logs")
        literals = {literal for row in knowledge.signatures for literal in (row.literals[0] if row.literals else ())}
        words = folder / "literals.txt"
        words.write_text("".join(f"{literal}\n" for literal in sorted(literals)), encoding="utf-8")
        self._peer = [shutil.which("env") or "env", "LC_ALL=C", grep, "-c", "-i", "-F", "-f", str(words)]
        self._ask = [environment.tfhelp, "ask", "--no-collect", "--exit-code", "1"]
        self._alone = folder / "failure.log"
        self._alone.write_text(_FAILURE, encoding="utf-8")

    def costs(self, path: pathlib.Path, rounds: int) -> Costs:
        """The costs of a log, alternating with grep."""
        return _median(
            [(self._asked(path), self._asked(self._alone), run_measured([*self._peer, str(path)])) for _ in range(rounds)]
        )

    def _asked(self, path: pathlib.Path) -> Spent:
        return run_measured([*self._ask, "-f", str(path)])

    def costs_piped(self, path: pathlib.Path) -> Costs:
        """The costs of a log read from a pipe, measured once."""
        shell = ["/bin/sh", "-c", 'file=$1; shift; cat "$file" | "$@"', "sh", str(path)]
        return _median([(run_measured([*shell, *self._ask]), self._asked(self._alone), run_measured([*shell, *self._peer]))])


def _median(spent: list[tuple[Spent, Spent, Spent]]) -> Costs:
    return Costs(
        statistics.median(log.seconds - alone.seconds for log, alone, _ in spent),
        statistics.median(log.peak - alone.peak for log, alone, _ in spent),
        statistics.median(peer.seconds for _, _, peer in spent),
    )


def against_grep(
    environment: CleanEnvironment, knowledge: Knowledge, rounds: int, sizes: dict[int, float] = TARGETS, piped: int = PIPED
) -> typing.Iterator[Row]:
    """Every shape at every size, one from a pipe, and the largest memory that any took.

    Args:
        environment: where the wheel is.
        knowledge: gives the peer its literals.
        rounds: how often each is measured; the largest size and the pipe once.
        sizes: MB -> target.
        piped: MB; 0 for none.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stand = Stand(environment, knowledge, folder)
        path = folder / "train.log"
        most: dict[str, float] = {}
        for size, target in sizes.items():
            for shape in long_log.SHAPES:
                long_log.write(path, size * MEGABYTE, shape, _FAILURE)
                costs = stand.costs(path, rounds if size == min(sizes) else 1)
                most[f"{size} MB of {shape}"] = costs.memory
                if shape != "one line":  # grep prints nothing from it and stops at its first match
                    yield _row(f"`tfhelp ask -f`, {size} MB of {shape}", costs, target)
        if piped:
            long_log.write(path, piped * MEGABYTE, "application", _FAILURE)
            costs = stand.costs_piped(path)
            most[f"{piped} MB from a pipe"] = costs.memory
            yield _row(f"a pipe of {piped} MB into `tfhelp ask`, application", costs, TARGETS[100])
    what, memory = max(most.items(), key=lambda item: item[1])
    yield Row(
        f"peak memory above that of the failure alone, the most of all: {what}",
        f"{memory / MEGABYTE:.0f} MB",
        f"the limit: {_MEMORY} MB",
        memory / (_MEMORY * MEGABYTE),
        1.0,
    )


def _row(what: str, costs: Costs, target: float) -> Row:
    return Row(
        what,
        milliseconds(costs.seconds),
        f"grep for the signatures' words: {milliseconds(costs.peer)}",
        costs.seconds / costs.peer,
        target,
    )
