"""Decide whose failure a text shows: signs of TensorFlow or Keras, and failures that are certainly of other software."""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.condense import plain_failure, primary, reports_error
from tfhelp.collectors.reading.origin import is_elsewhere, is_foreign
from tfhelp.collectors.reading.ours import imports_others, signs_in
from tfhelp.index.signatures import Hit
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record, Text

# Where a training runs, and what it is about. Nothing here shows TensorFlow: other trainings have the same words.
_OF_A_TRAINING = Pattern(
    r"(?i)\b(?:epochs?|train(?:ed|ing|s)?|batch[ _-]?size|learning[ _-]rate|neural|python\d?|jupyter\w*|notebooks?|conda|cuda|gpus?|nvidia)\b"
    r"|\.(?:py|ipynb)\b"
)
_OF_A_MODEL = Pattern(r"(?i)\b(?:model|network|layer|loss|accuracy|tensor|cnn|lstm|rnn|(?:machine|deep) learning)(?:s|es)?\b")
_ENDINGS = ("shell", "command")
_STORY = 12  # words
_EDGE = 100  # records
_READ = 2_000  # characters of a record


def count_signs(records: list[Record], hits: list[Hit], sheet: FactSheet) -> int:
    """How many kinds of signs there are, 0 to 3: those in the words (``signs_in``), and a fact with TensorFlow's version.

    Without any text, nothing points to other software: 1.
    """
    if not records:
        return 1
    return signs_in(records, _known(hits)) + bool(sheet.known("derived.tensorflow_version"))


def show_ours(records: list[Record], hits: list[Hit]) -> bool:
    """Return whether other software's record may be about TensorFlow: the words contain a sign, or there is no such record."""
    return not any(map(is_foreign, records)) or signs_in(records, _known(hits)) > 0


def may_be_a_training(records: list[Record], sheet: FactSheet, shows_ours: bool) -> bool:
    """Return whether an exit code or a signal may be a training's.

    Any program can end with an exit code or a signal, so the ending itself shows nothing. It counts if the text has nothing else,
    if the text names Python, a GPU or a training, or if the ending was not read from the text but observed or stated. What was read
    does not count beside another library's or program's message, or beside code that imports only other libraries.

    Args:
        records: of the text.
        sheet: facts, with the ending and where it was read.
        shows_ours: from ``show_ours``.
    """
    sources = [sheet.source(fact) for fact in ("run.exit_code", "run.signal") if sheet.known(fact)]
    if not sources or any(not source.startswith("log line") for source in sources):
        return True
    if not shows_ours or imports_others(records):
        return False
    near = records if len(records) <= 2 * _EDGE else [*records[:_EDGE], *records[-_EDGE:]]
    return all(record.kind in _ENDINGS for record in records) or any(
        _OF_A_TRAINING.search(record.text[:_READ]) for record in near
    )


def tells_of_no_training(records: list[Record]) -> bool:
    """Return whether the user tells at some length what happened, and no word of the text belongs to a training or a model."""
    near = records if len(records) <= 2 * _EDGE else [*records[:_EDGE], *records[-_EDGE:]]
    story = sum(len(record.text[:_READ].split()) for record in near if record.kind == "prose")
    return story >= _STORY and not any(
        _OF_A_TRAINING.search(record.text[:_READ]) or _OF_A_MODEL.search(record.text[:_READ]) for record in near
    )


def without_others(text: Text, hits: list[Hit]) -> Text:
    """The text without the records of other libraries and programs that no signature matches: their facts are not the user's.

    Args:
        text: a text without any sign of TensorFlow or Keras.
        hits: the signatures that count.
    """
    known = _known(hits)
    others = [record for record in text.records if is_foreign(record) and id(record) not in known]
    places = {(number, record.worker) for record in others for number in range(record.first_line, record.last_line + 1)}
    lines = [line for line in text.lines if (line.number, line.worker) not in places]
    return Text(lines, [record for record in text.records if record not in others])


def _known(hits: list[Hit]) -> set[int]:
    """``id()`` of the records that a signature matches."""
    return {id(hit.record) for hit in hits if hit.signature.strength != "never"}


def failed_elsewhere(records: list[Record]) -> bool:
    """Return whether the failure is another library's or program's, for a text without a sign of TensorFlow or Keras."""
    failure = primary([record for record in records if _reports_failure(record)])
    return failure is not None and is_elsewhere(failure)


def is_said(hit: Hit) -> bool:
    """Return whether a signature matches what a person wrote, or a line without a form. Where other software failed, such words are
    about that failure.
    """
    return hit.signature.strength != "never" and hit.record.kind in ("prose", "output")


def _reports_failure(record: Record) -> bool:
    if reports_error(record) or plain_failure(record):
        return True
    # Other software's message may be a sentence, and its exception a warning; a user's own words count as they are.
    return is_foreign(record) and record.kind not in ("log", "progress", "command")
