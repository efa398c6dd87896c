"""A warm process: the service under load, compared with the naive one, and the diagnosis, compared with the encoder alone."""

import itertools
import os
import pathlib
import statistics
import typing

from tests.benchmarks import prose
from tests.benchmarks.load import Load, put_load
from tests.benchmarks.peer import NaiveService
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import by_turns
from tests.service.serving import Server
from tfhelp.index.encoder import ARTEFACTS, Encoder
from tfhelp.service.diagnosis.diagnoser import Diagnoser

CLIENTS = 8
_P99 = 0.07  # of the naive service's
SECONDS = 4.0  # of one turn
_LEAST_TOKENS = 60


def services(failures: list[str], folder: pathlib.Path, turns: int, seconds: float = SECONDS) -> typing.Iterator[Row]:
    """Requests per second and the p99, both services alternating.

    Args:
        failures: outputs of failed training runs that decisive signatures recognise.
        folder: the naive stack's index.
        turns: how often each service gets each load.
        seconds: length of a turn.
    """
    with Server.real() as ours, NaiveService(folder) as naive:
        urls = {"ours": f"{ours.url}/api/v1/diagnose", "naive": naive.url}
        questions = prose.SHORT + prose.LONG
        for texts, what, least in (
            (_mixed(failures, questions), "failures and questions", 20.0),
            (failures, "recorded failures", 25.0),
            (questions, "questions in words", 8.0),
        ):
            for url in urls.values():
                put_load(url, texts, CLIENTS, min(1.0, seconds))  # warm up
            loads: dict[str, list[Load]] = {name: [] for name in urls}
            for _ in range(turns):
                for name, url in urls.items():
                    loads[name].append(put_load(url, texts, CLIENTS, seconds))
            yield from _rows(what, loads, least)


def _mixed(failures: list[str], questions: list[str]) -> list[str]:
    """Two failures and a question, alternating: every failure once, the questions as often as that takes."""
    asked = itertools.cycle(questions)
    return [text for place, failure in enumerate(failures) for text in ([failure, next(asked)] if place % 2 else [failure])]


def _rows(what: str, loads: dict[str, list[Load]], least: float) -> typing.Iterator[Row]:
    rate = {name: statistics.median(load.rate for load in measured) for name, measured in loads.items()}
    slow = {name: statistics.median(load.p99 for load in measured) for name, measured in loads.items()}
    yield Row(
        f"service, {what}, {CLIENTS} clients: requests a second",
        f"{rate['ours']:.0f}/s",
        f"naive service: {rate['naive']:.1f}/s",
        rate["ours"] / rate["naive"],
        least,
        True,
    )
    yield Row(
        f"service, {what}, {CLIENTS} clients: 99th percentile",
        milliseconds(slow["ours"]),
        f"naive service: {milliseconds(slow['naive'])}",
        slow["ours"] / slow["naive"],
        _P99,
    )


def diagnosis_against_encoder(rounds: int, diagnoser: Diagnoser) -> Row:
    """A diagnosis of prose, compared with the forward passes of the encoder that it needs.

    Args:
        rounds: how often all questions are asked.
        diagnoser: a warm one.

    Raises:
        RuntimeError: a question is shorter than intended.
    """
    encoder = Encoder.load()
    diagnoser.diagnose(prose.LONG[0])  # loads the vectors
    condensed = [diagnoser.read(text).condensed for text in prose.LONG]
    for text in condensed:
        if _tokens(text) < _LEAST_TOKENS:
            raise RuntimeError(f"shorter than {_LEAST_TOKENS} tokens: {text[:60]!r}")
    seconds = by_turns(
        {
            "ours": lambda: [diagnoser.diagnose(text) for text in prose.LONG],
            "encoder": lambda: [encoder.encode([text]) for text in condensed],
        },
        rounds,
    )
    ours, bare = seconds["ours"] / len(prose.LONG), seconds["encoder"] / len(prose.LONG)
    return Row(
        f"`diagnose` in process, questions of {_LEAST_TOKENS} tokens and more",
        milliseconds(ours),
        f"the encoder's forward pass: {milliseconds(bare)}",
        ours / bare,
        1.5,
    )


def _tokens(text: str) -> int:
    """The number of tokens that the encoder sees."""
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(os.path.join(ARTEFACTS, "tokenizer.json"))
    tokenizer.no_padding()
    return len(tokenizer.encode(text).ids)
