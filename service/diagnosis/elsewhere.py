"""Whether a text without a name of TensorFlow or Keras is about other software, whose machine fails in the same ways."""

from tfhelp.service.diagnosis import signs
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.reading import Reading

_ELSEWHERE = 0.7
"""Least probability of other software with which a text that does not name TensorFlow or Keras gets no entry, whatever its
message: other programs crash, run out of memory and lose their GPU too. Of 812 real reports, 48 reach this test: two of 38 about
TensorFlow have this probability, and six of ten about other software.
"""
_MAYBE_ELSEWHERE = 0.15
"""The same if the user tells a story in which no word belongs to a training (``signs.tells_of_no_training``), and only a shell's or a
scheduler's line decides. A decisive sentence in the user's words may be TensorFlow's message.
"""


def is_elsewhere(item: Candidate, reading: Reading) -> bool:
    """Return whether a text without a name of ours is about other software.

    A traceback, a log line and an installer's message have shown whose they are by now. Progress that a training printed is as good as a
    name, and so are a script and facts that show the failure. Facts beside a matching line may only repeat what the line says. What is
    left are the words of a shell or of a user, and an exit code that any program may have.
    """
    if reading.around.signs_of_ours or item.shown_by_script:
        return False
    deciding = [hit.record for hit in item.hits if hit.signature.strength == "decisive"]
    any_machine = all(record.kind == "shell" for record in deciding) and signs.tells_of_no_training(reading.records)
    if reading.around.elsewhere < (_MAYBE_ELSEWHERE if any_machine else _ELSEWHERE):
        return False
    if item.facts and not item.hits and not _user_tells_of_an_ending(reading):
        return False
    if any(record.kind == "progress" for record in reading.records):
        return False
    return all(record.kind in ("prose", "shell", "output") and record.origin != "installer" for record in deciding)


def _user_tells_of_an_ending(reading: Reading) -> bool:
    """Return whether the user's account has the exit code or the signal of a program, which may be any program."""
    read = any(reading.sheet.source(fact).startswith("log line") for fact in ("run.exit_code", "run.signal"))
    return read and any(record.kind == "prose" for record in reading.records)
