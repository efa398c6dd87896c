"""What the tests of fault programs share: the entries' programs and recordings, and the diagnosis that is expected for them."""

import functools
import pathlib
import typing

from tfhelp.service.curation.recordings import facts_of_recording, read_recording
from tfhelp.service.diagnosis.diagnoser import Diagnoser

ENTRIES = pathlib.Path(__file__).resolve().parents[2] / "kb" / "entries"

Json = dict[str, typing.Any]


@functools.cache
def diagnoser() -> Diagnoser:
    """One diagnoser for the whole test process: loading the phrase index takes longest."""
    return Diagnoser.load()


def causes(suffix: str) -> list[tuple[str, pathlib.Path]]:
    """``<entry-id>/<cause-id>`` and file for every file of an entry with this suffix, for example ``.recorded.json``."""
    files = sorted(ENTRIES.glob(f"*/*/*{suffix}"))
    return [(f"{file.parent.name}/{file.name.removesuffix(suffix)}", file) for file in files]


def diagnose(output: str, exit_code: int | None, signal: str | None, facts: Json | None = None) -> Json:
    """The tool's answer if somebody pastes this output and states how the program ended.

    Args:
        output: the text.
        exit_code: as a shell reports it; ``None`` if it did not end.
        signal: name of the signal that ended it, else ``None``.
        facts: what ``tfhelp run`` observed and what the script shows, if the person has it.
    """
    run: Json = {**(facts or {}).get("run", {})}
    if exit_code is not None:
        run["exit_code"] = exit_code
    if signal is not None:
        run["signal"] = signal
    document = {**(facts or {}), **({"run": run} if run else {})}
    return diagnoser().diagnose(output, document or None)


def diagnose_recording(path: pathlib.Path) -> Json:
    """The tool's answer to a recording: to its text, plus the observations and the script if the run was observed."""
    return diagnoser().diagnose(read(path)["output"], facts_of_recording(path) or None)


def first_answer(answer: Json) -> str:
    """``<entry-id>/<cause-id>`` that the answer puts first, or a note if it puts nothing first."""
    if answer["abstained"]:
        nearest = ", ".join(item["entry"] for item in answer["nearest"])
        return f"abstained (nearest: {nearest})"
    match = answer["matches"][0]
    return f"{match['entry']}/{match['causes'][0]['cause']}"


def read(path: pathlib.Path) -> Json:
    """A recording."""
    return read_recording(path)
