"""All speed measurements, one after another, each as a ratio to a peer in the same run."""

import os
import platform
import typing

from tests.benchmarks import burst, clean_environment, cold, logs, peer, privacy, soak, warm, watched
from tests.benchmarks.recordings import Recording
from tests.benchmarks.targets import Row
from tfhelp.service.diagnosis.diagnoser import Diagnoser

SECTIONS = ("cold", "service", "diagnosis", "logs", "run", "privacy", "burst", "soak")
_SOAK_MINUTES = 3.0  # make soak takes half an hour


def measure(recordings: list[Recording], rounds: int, sections: typing.Container[str] = SECTIONS) -> typing.Iterator[Row]:
    """The rows of the table, each as soon as it is known.

    Args:
        recordings: outputs of failed training runs.
        rounds: how often the fast measurements are repeated; the slow ones are repeated less often.
        sections: which of ``SECTIONS``.

    Raises:
        RuntimeError: a measured program did not work.
    """
    diagnoser = Diagnoser.load(warm=True)
    known = [recording.output for recording in recordings if known_by_signature(diagnoser, recording)]
    if not known:
        raise RuntimeError("no recording is known by a decisive signature; is the knowledge base compiled?")
    few = max(1, rounds // 5)
    environment = clean_environment.prepare() if {"cold", "logs", "run"} & set(sections) else None
    naive = peer.index_folder([[entry, text] for entry, _, text in diagnoser.knowledge.phrases], clean_environment.CACHE)
    if "cold" in sections and environment:
        questions = cold.questions_by_kind(diagnoser)
        yield from cold.against_bare_python(environment, sorted(known, key=len)[len(known) // 2], questions, rounds)
        yield cold.prose_against_naive(environment, naive, questions[False], few)
    if "service" in sections:
        yield from warm.services(known, naive, few)
    if "diagnosis" in sections:
        yield warm.diagnosis_against_encoder(rounds, diagnoser)
    if "logs" in sections and environment:
        yield from logs.against_grep(environment, diagnoser.knowledge, few)
    if "run" in sections and environment and hasattr(os, "wait4"):
        yield from watched.against_bare_run(environment, min(few, 3))
    if "privacy" in sections:
        yield from privacy.rows(diagnoser, recordings, few)
    if "burst" in sections:
        yield from burst.rows(burst.questions(), turns=few)
    if "soak" in sections:
        yield from soak.rows(burst.questions(), _SOAK_MINUTES)


def known_by_signature(diagnoser: Diagnoser, recording: Recording) -> bool:
    """Whether a recording's output contains a decisive signature of a failure."""
    summaries = diagnoser.knowledge.summaries
    return any(
        candidate.decisive and candidate.hits and summaries[candidate.entry]["severity"] != "benign"
        for candidate in diagnoser.read(recording.output).candidates
    )


def machine() -> str:
    """The machine in words: cores, memory, processor, Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else 0.0
    size = f", {memory:.0f} GiB of memory" if memory else ""
    return f"{cores} cores ({processor()}){size}, {platform.system()}, Python {platform.python_version()}"


def processor() -> str:
    """The processor's own name, or its architecture."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()
