"""Long logs: time against a bare loop over the lines, memory against the text, and growth."""

import pathlib
import tempfile
import typing

from tests.benchmarks import long_log
from tests.benchmarks.clean_environment import CleanEnvironment
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import by_turns, run_measured
from tfhelp.collectors.reading import read
from tfhelp.collectors.reading.condense import condense
from tfhelp.index.searchable import SearchableRecords
from tfhelp.index.signatures import SignatureIndex
from tfhelp.kb.compiled import Knowledge

MEGABYTE = 1_000_000
SIZES = (10, 50, 200)  # MB
_RE2_MEMORY = 512 << 20


def against_re2_loop(knowledge: Knowledge, rounds: int, size: int = 10 * MEGABYTE) -> Row:
    """Split, condensed and matched, against one call of an RE2 set of the same patterns for each line.

    Args:
        knowledge: gives the patterns.
        rounds: how often each is done.
        size: bytes of the log.

    Raises:
        RuntimeError: the failure in the log was not found.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "train.log")
        lines = long_log.write(path, size)
        content = path.read_bytes()
    text = content.decode()
    signatures = SignatureIndex(knowledge.signatures)
    bare = _re2_set(knowledge)

    def ours() -> None:
        records = SearchableRecords(read(text).records, signatures.finder)
        hits = signatures.scan(records)
        if "OOM when allocating" not in condense(records) or not any(hit.signature.strength == "decisive" for hit in hits):
            raise RuntimeError("the failure in the log was not found")

    def loop() -> int:
        return sum(bool(bare.Match(line)) for line in content.split(b"\n"))

    seconds = by_turns({"ours": ours, "loop": loop}, rounds)
    return Row(
        f"a log of {size / MEGABYTE:g} MB, {lines:,} lines, condensed and matched",
        milliseconds(seconds["ours"]),
        f"one RE2 set a line: {milliseconds(seconds['loop'])}",
        seconds["ours"] / seconds["loop"],
        5.0,
    )


def _re2_set(knowledge: Knowledge) -> typing.Any:
    import re2

    options = re2.Options()
    options.max_mem = _RE2_MEMORY
    made = re2.Set.SearchSet(options)
    for signature in knowledge.signatures:
        made.Add(signature.pattern)
    made.Compile()
    return made


def memory_and_growth(environment: CleanEnvironment, rounds: int, sizes: tuple[int, ...] = SIZES) -> typing.Iterator[Row]:
    """``tfhelp ask -f`` on logs of several sizes: peak memory above that of an empty text, and seconds a megabyte.

    Args:
        environment: where the wheel is.
        rounds: how often the smallest and the empty text are read; the larger ones are read once.
        sizes: in MB, rising.
    """
    ask = [environment.tfhelp, "ask", "--no-collect", "--exit-code", "1", "-f"]
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder, "empty.log")
        empty.touch()
        path = pathlib.Path(folder, "train.log")
        nothing = min(run_measured([*ask, str(empty)]) for _ in range(max(3, rounds)))
        costs: dict[int, float] = {}
        for size in sizes:
            long_log.write(path, size * MEGABYTE)
            spent = min(run_measured([*ask, str(path)]) for _ in range(rounds if size == sizes[0] else 1))
            costs[size] = (spent.seconds - nothing.seconds) / size
            yield Row(
                f"`tfhelp ask -f`, {size} MB: peak memory above that of an empty text",
                f"{(spent.peak - nothing.peak) / MEGABYTE:.0f} MB",
                f"the text: {size} MB",
                (spent.peak - nothing.peak) / (size * MEGABYTE),
                3.0,
            )
    small = sizes[0]
    for size in sizes[1:]:
        yield Row(
            f"`tfhelp ask -f`, {size} MB: time for a megabyte",
            milliseconds(costs[size]),
            f"at {small} MB: {milliseconds(costs[small])}",
            costs[size] / costs[small],
            1.25,
        )
