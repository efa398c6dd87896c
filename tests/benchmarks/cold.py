"""A cold process, as a user starts it: the built wheel in a clean environment."""

import pathlib
import typing

from tests.benchmarks import peer, prose
from tests.benchmarks.clean_environment import CleanEnvironment
from tests.benchmarks.recordings import ROOT
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import by_turns, run_process
from tfhelp.service.diagnosis.diagnoser import Diagnoser

ONE_LINE = (
    "OOM when allocating tensor with shape[256,128,112,112] and type float on /job:localhost/replica:0/task:0/device:GPU:0 "
    "by allocator GPU_0_bfc"
)
_BARE = "python -c pass"


def against_bare_python(
    environment: CleanEnvironment, recording: str, questions: dict[bool, str], rounds: int
) -> typing.Iterator[Row]:
    """Start-up and answers, compared with the bare start of the same interpreter.

    Args:
        environment: where the wheel is.
        recording: the output of a failed training run that a decisive signature recognises.
        questions: in plain words; ``True``: one that the words alone settle, ``False``: one that needs the encoder.
        rounds: how often each is started.
    """
    ask = [environment.tfhelp, "ask", "--no-collect"]
    commands = {
        _BARE: ([environment.python, "-c", "pass"], "", 0.0),
        "`tfhelp ask --no-collect`, an error line": (ask, ONE_LINE, 4.0),
        "`tfhelp ask --no-collect`, a whole recorded output": (ask, recording, 6.0),
        "`tfhelp ask --no-collect`, a question that its words settle": (ask, questions[True], 8.0),
        "`tfhelp ask --no-collect`, a question that needs the encoder": (ask, questions[False], 16.0),
        "`tfhelp ask` with this machine's facts, an error line": ([environment.tfhelp, "ask", "--no-input"], ONE_LINE, 12.0),
        "`tfhelp --help`": ([environment.tfhelp, "--help"], "", 4.0),
        "`tfhelp --version`": ([environment.tfhelp, "--version"], "", 4.0),
    }
    seconds = by_turns(
        {name: lambda command=command, text=text: run_process(command, text) for name, (command, text, _) in commands.items()},
        rounds,
    )
    bare = seconds.pop(_BARE)
    for name, taken in seconds.items():
        yield Row(name, milliseconds(taken), f"`{_BARE}`: {milliseconds(bare)}", taken / bare, commands[name][2])


def questions_by_kind(diagnoser: Diagnoser) -> dict[bool, str]:
    """A question that its words settle (``True``), and one that needs the encoder (``False``): the first of each kind.

    Raises:
        RuntimeError: there is no question of one kind.
    """
    found: dict[bool, str] = {}
    for text in prose.SHORT:
        found.setdefault(diagnoser.read(text).around.settled_by_words, text)
    if len(found) < 2:
        raise RuntimeError("the questions are all of one kind; is the index built?")
    return found


def prose_against_naive(environment: CleanEnvironment, folder: pathlib.Path, question: str, rounds: int) -> Row:
    """A cold question in plain words, compared with the naive script over the same phrases.

    Args:
        environment: where the wheel is.
        folder: the naive stack's index.
        question: one that needs the encoder.
        rounds: how often each is started.
    """
    seconds = by_turns(
        {
            "ours": lambda: run_process([environment.tfhelp, "ask", "--no-collect"], question),
            "naive": lambda: run_process(peer.ask_command(folder), question, str(ROOT)),
        },
        rounds,
    )
    ours, naive = seconds["ours"], seconds["naive"]
    return Row(
        "`tfhelp ask --no-collect`, a question in words",
        milliseconds(ours),
        f"naive script: {milliseconds(naive)}",
        naive / ours,
        8.0,
        True,
    )
