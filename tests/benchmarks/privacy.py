"""Redaction: which secrets it misses, how it affects the answers, and how long it takes compared with ``grep``."""

import pathlib
import shutil
import statistics
import tempfile
import time
import typing

from tests.benchmarks import long_log, recordings
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import run_measured
from tests.redaction import planting
from tfhelp.collectors.redaction import redact, redact_document
from tfhelp.service.diagnosis.diagnoser import Diagnoser

PLANTED = 10_000
_MEGABYTES = 4
_TIMES_GREP = 60.0
_WORDS = ("password", "token", "secret", "api_key", "/home/", "@", "://", "PRIVATE KEY", "AKIA", "Bearer")


def rows(diagnoser: Diagnoser, failures: list[recordings.Recording], rounds: int) -> typing.Iterator[Row]:
    """Planted secrets, answers, speed.

    Args:
        diagnoser: answers plain and redacted texts.
        failures: recordings; secrets are planted in each, so that redaction has something to do in every one of them.
        rounds: how often the time is measured.
    """
    for seed in planting.KEPT_SEEDS:
        counts = planting.by_kind(seed, PLANTED)
        planted, through = (sum(row[place] for row in counts.values()) for place in (0, 1))
        yield Row(
            f"planted secrets of {len(counts)} kinds let through, seed `{seed}`",
            str(through),
            f"planted: {planted}",
            through / planted,
            0.0,
        )
    same = sum(_same(diagnoser, recording, number) for number, recording in enumerate(failures))
    yield Row(
        "answers to recordings with planted secrets that redaction leaves as they are",
        str(same),
        f"recordings: {len(failures)}",
        same / len(failures),
        0.99,
        at_least=True,
    )
    yield from _speed(rounds)


def _same(diagnoser: Diagnoser, recording: recordings.Recording, number: int) -> bool:
    """Whether the first entry and its first cause are the same as for the plain text, with three planted lines above it."""
    cases = [case for case, _ in zip(planting.cases(f"answers {number}", 1_000), range(3), strict=False)]
    text = "\n".join([case.plant.text for case in cases] + [recording.output])
    facts = recording.facts or None
    redacted = redact_document({"text": text, "facts": facts})
    return _first(diagnoser.diagnose(text, facts)) == _first(diagnoser.diagnose(redacted["text"], redacted["facts"]))


def _first(answer: typing.Mapping[str, typing.Any]) -> tuple[str, str]:
    """The entry and the cause that an answer puts first; empty if it abstains."""
    if not answer["matches"]:
        return "", ""
    match = answer["matches"][0]
    return match["entry"], match["causes"][0]["cause"] if match["causes"] else ""


def _speed(rounds: int) -> typing.Iterator[Row]:
    grep = shutil.which("grep")
    if grep is None:
        raise RuntimeError("no grep, the peer of the row about redaction")
    redact("password=x /home/a b@c.de")  # patterns are compiled once per process
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "train.log"
        words = pathlib.Path(name) / "words.txt"
        words.write_text("\n".join(_WORDS) + "\n")
        long_log.write(path, _MEGABYTES * 1_000_000, "application", "Killed\n")
        text = path.read_text()
        ours, peers = [], []
        for _ in range(max(3, rounds)):
            begun = time.process_time()
            redact(text)
            ours.append(time.process_time() - begun)
            peers.append(run_measured([grep, "-c", "-i", "-F", "-f", str(words), str(path)]).seconds)
    mine, peer = statistics.median(ours) / _MEGABYTES, statistics.median(peers) / _MEGABYTES
    yield Row(
        "redaction of an application log, a megabyte",
        milliseconds(mine),
        f"`grep -c -i -F -f` for ten words: {milliseconds(peer)}",
        mine / peer,
        _TIMES_GREP,
    )
