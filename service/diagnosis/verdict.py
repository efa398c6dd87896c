"""Decide the kind of answer: one entry, a choice of a few, nothing failed, a message that the atlas knows, or unknown.

Only this module has the rules for abstaining.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.condense import plain_failure, reports_error
from tfhelp.collectors.reading.origin import is_foreign
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis import confidence
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.causes import RankedCause, rank
from tfhelp.service.diagnosis.elsewhere import is_elsewhere
from tfhelp.service.diagnosis.guarded import guarded
from tfhelp.service.diagnosis.how_to import asks_how
from tfhelp.service.diagnosis.op_signs import any_names_an_op
from tfhelp.service.diagnosis.reading import Reading

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Explained, Verdict

_NEAREST = 3  # entries named with an abstention
_RIVAL = 0.05  # confidence below which a rival is not shown
_SURE = 0.75  # minimum confidence for one entry to be the diagnosis
_GUESS = 0.68
"""Below this confidence, an entry found by likeness gives way to the atlas. Of 20 such answers to messages of wrong calls whose
place the atlas knows, one of the 12 below 0.6 was right, and four of the eight above 0.6. Two at 0.61 and 0.65, seen since, were wrong.
"""
_INSTALLED = {"tensorflow": "derived.tensorflow_version", "keras": "packages.keras", "tf_keras": "packages.tf-keras"}
"""Package of the atlas -> the fact with the installed version."""
_MOST_CHOICES = 4
_CHOICE = 0.02  # minimum confidence of an entry among the choices
_NEVER_SHOWN = 0.005  # confidence below which an entry's causes are not ranked, because no answer shows it
_STANDS_OUT = 0.15
"""Least confidence of the first choice for a longer complaint. The confidence is learned from short phrases and is cautious about
longer accounts: of 14 accounts whose best entry had between this value and ``THRESHOLD``, the entry was right for 12.
"""
_STANDS_OUT_CLEARLY = 0.2
"""The same if the complaint names neither TensorFlow nor Keras, or shows the progress of a training. Five of 323 fresh reports were
such complaints with a value between this one and ``THRESHOLD``. The entry was right for all five.
"""
_HARDLY_ELSEWHERE = 0.15  # probability of other software up to which a complaint about a training may be about TensorFlow's
_FEW_WORDS = 24  # a longer complaint says more than its topic
_PRINTED_TENSOR = Pattern(r"<tf\.(?:Tensor|Variable)\b|\btf\.Tensor\(")
_FAILED = Pattern(
    r"(?i)\bfail(?:s|ed)? to (?:load|save|train|run|start|convert|export|restore|compile|build|serve|read|write|fit)\b"
    r"|\b(?:program|script|training|conver\w+|code) fails\b|\bfails (?:[-–—:]|with|when|on|after)|\w{4,60} failed: \w|\bCheck failed: "
    r"|\b(?:then|but) (?:[\w.()]+ ){0,3}fails\b"
    r"|\bcrash(?:es|ed)\b|\bto crash\b|\bstop(?:s|ped|ping) by itself\b|\bprogram (?:exits|exited|exiting|dies|died)\b"
    r"|[`'\"]killed[`'\"]|\b(?:gets?|got|was|is|were|then|and) killed\b"
    r"|\b(?:results?|resulted|ends?|ended) (?:in|with) (?:[\w-]+ ){0,3}errors?\b"
    r"|\b(?:eventually|finally|then) (?:\w+ ){0,2}(?:the following )?errors?\b"
    r"|\b(?:program|script|training|it|fit|notebook|import) (?:just |always |then )?(?:hangs?|freezes)\b|\bto hang\b|\bdoes(?: not|n't) run\b"
    r"|\b(?:very|incredibly|extremely|terribly|too|so) slow(?:ly)?\b|\b(?:much|times|hours?|far) slower\b|\bslower than\b"
    r"|\berror ?: ?[A-Za-z]|\bunrecoverable error\b|\bunhandled \w+ error\b|\b(?:misleading|shape|type|value) error\b"
    r"|\b(?:predictions?|results?|outputs?) (?:are|is) (?:\w+ ){0,2}(?:wrong|garbage|nonsense|random)\b"
)
_DEVICE = Pattern(r"(?i)gpu|cuda|cudnn|device")
_PYTHON_WARNS = Pattern(r"\.py:\d{1,7}: \w{1,60}Warning: ")
_HEAD = 400  # characters of a record that name the file and the class of a warning
_IN_WORDS = 0.75  # share of plain words: people write plain words, programs print names, numbers and paths


class Shown(typing.NamedTuple):
    """An entry as the answer shows it: with its confidence and its causes, best first."""

    candidate: Candidate
    confidence: float
    causes: list[RankedCause]


class Decision(typing.NamedTuple):
    """The verdict, the entries to show, the harmless ones in the text, and those that were close but not close enough.

    ``explained``: what the atlas knows about the failure; it is not used if an entry is certain.
    """

    verdict: "Verdict"
    shown: list[Shown]
    benign: list[Candidate]
    nearest: list[Shown]
    explained: "Explained | None" = None


def decide(reading: Reading, knowledge: Knowledge, top: int) -> Decision:
    """The verdict on a reading whose candidates are ranked.

    Args:
        reading: with candidates, best first.
        knowledge: the compiled knowledge base.
        top: maximum number of entries.
    """
    failures, benign = _parted(reading, knowledge)
    if _reports_no_failure(reading):
        return Decision("nothing-failed", [], benign, [])
    ranked = _with_causes(failures, reading, knowledge, max(top, _MOST_CHOICES))
    if _named(ranked, benign, reading) and not _went_on(ranked[0].candidate, reading, knowledge):
        shown = [item for item in ranked[:top] if item is ranked[0] or item.confidence >= _RIVAL]
        if ranked[0].confidence >= _SURE:
            return Decision("diagnosed", shown, benign, [])
        explained = _explained(reading)
        if explained and not explained["weak"] and _is_a_guess(ranked[0]):
            return Decision("explained", [], benign, shown[:_NEAREST], explained)
        return Decision("likely", shown, benign, [], explained)
    if _nothing_failed(benign, reading):
        looked_at = [Shown(item, confidence.of_benign(item), _causes(item, reading, knowledge)) for item in benign[:top]]
        harmless = [item for item in looked_at if item.causes]
        return Decision("nothing-failed", harmless, benign, [])
    explained = _explained(reading)
    choices = [] if explained and not explained["weak"] else _choices(ranked, reading)
    if choices:
        return Decision("undecided", choices[:top], benign, [])
    nearest = [item for item in ranked[:_NEAREST] if item.confidence >= _RIVAL]
    return Decision("explained" if explained else "unknown", [], benign, nearest, explained)


def _is_a_guess(first: Shown) -> bool:
    """Return whether an entry is found by likeness alone, with low confidence: the atlas, if it knows the message, is better."""
    by_likeness = not first.candidate.decisive and not first.candidate.shown_by_script
    return by_likeness and first.confidence < _GUESS


def _explained(reading: Reading) -> "Explained | None":
    """What the atlas knows about the failure. The atlas is only opened for a text with an exception or an operation's name."""
    if not any(record.exception or "Error:" in record.text for record in reading.records) and not any_names_an_op(
        reading.records
    ):
        return None
    from tfhelp.service.diagnosis.explained import explain
    from tfhelp.service.diagnosis.explained_here import Here

    found = {package: reading.sheet.get(path) for package, path in _INSTALLED.items()}
    versions = {package: version for package, version in found.items() if isinstance(version, str)}
    here = Here(versions, reading.interpreter)
    return guarded(reading.faults, "the atlas of names and messages", lambda: explain(reading.records, here), None)


def _parted(reading: Reading, knowledge: Knowledge) -> tuple[list[Candidate], list[Candidate]]:
    """The failures, and the harmless messages that are certainly in the text."""
    failures, benign = [], []
    for item in reading.candidates:
        if knowledge.summaries[item.entry]["severity"] != "benign":
            failures.append(item)
        elif item.decisive:
            benign.append(item)
    return failures, benign


def _with_causes(failures: list[Candidate], reading: Reading, knowledge: Knowledge, count: int) -> list[Shown]:
    """The first ``count`` candidates; those whose causes are all ruled out by the facts move down.

    A candidate's causes are only ranked when it is first among the rest; most never are.
    """
    causes: dict[str, list[RankedCause]] = {}
    first: list[Candidate] = []
    rest = list(failures)
    while rest and len(first) < count:
        if first and confidence.of_failures([*rest, *first])[0] < _NEVER_SHOWN:
            break
        item = rest[0]
        if item.entry in causes:
            first.append(rest.pop(0))
            continue
        ranked = _causes(item, reading, knowledge)
        if not ranked:  # its entry is damaged
            rest.pop(0)
            continue
        causes[item.entry] = ranked
        if all(cause.verdict == "ruled-out" for cause in causes[item.entry]):
            item.refuted = True
            confidence.score(reading.candidates, reading.around)
            rest.sort(key=lambda other: -other.score)
    sure = confidence.of_failures([*first, *rest])
    return [Shown(item, value, causes[item.entry]) for item, value in zip(first, sure, strict=False)]


def _causes(item: Candidate, reading: Reading, knowledge: Knowledge) -> list[RankedCause]:
    """The causes, best first; none if the entry is damaged, and the notes then say so."""

    def ranked() -> list[RankedCause]:
        entry = knowledge.entry(item.entry)
        _ = [(cause["title"], cause["means"], cause["id"], cause["fix"]) for cause in entry["causes"]]  # what an answer shows
        return rank(entry, reading.sheet, reading.records, item.likeness)

    return guarded(reading.faults, f"the entry {item.entry}", ranked, [])


def _named(ranked: list[Shown], benign: list[Candidate], reading: Reading) -> bool:
    """Return whether the first entry is given as the answer."""
    if not ranked:
        return False
    first = ranked[0].candidate
    if is_elsewhere(first, reading):
        return False
    by_likeness = not first.decisive and not first.shown_by_script
    if by_likeness and reading.sheet.get("derived.completed_without_failure") is True:
        return False
    if reading.sheet.get("derived.nothing_failed") is True and not _warned(first):
        return False
    if by_likeness and benign and not any(_may_tell_a_failure(record, reading) for record in reading.unexplained()):
        return False  # next to a harmless message, an entry without a decisive signature may only be about the rest of the text
    if by_likeness and _is_printed(reading.records):
        return False  # values that a program prints are no failure, whatever they resemble
    if by_likeness and asks_how(reading.records) and not any(plain_failure(record) for record in reading.records):
        return False  # nothing that the question names has failed
    return ranked[0].confidence >= confidence.THRESHOLD


def _may_tell_a_failure(record: Record, reading: Reading) -> bool:
    """Return whether a record is a failure, or words of a user. Code that the user pasted reports nothing."""
    return plain_failure(record) or (record.kind == "prose" and not _is_only_code(record, reading))


def _is_only_code(record: Record, reading: Reading) -> bool:
    from tfhelp.collectors.code.text import is_only_code

    return is_only_code([line.text for line in reading.text.lines if record.first_line <= line.number <= record.last_line])


def _went_on(item: Candidate, reading: Reading, knowledge: Knowledge) -> bool:
    """Return whether the run went on after the warnings that show the entry, and ended because of something else.

    The later failure is something else if no signature matches it, if neither TensorFlow nor Keras raised it, and if it names no
    device: code that looks for a GPU fails because of such a warning. After a warning of Python, any other failure is something else.
    """
    deciding = [hit.record for hit in item.hits if hit.signature.strength == "decisive"]
    if not deciding or item.facts or item.shown_by_script or any(not _goes_on_after(record) for record in deciding):
        return False
    warned = min(record.first_line for record in deciding)
    failures = [record for record in reading.suspects() if plain_failure(record)]
    after = [record for record in failures if record.first_line > warned]
    if len(after) < len(failures):
        return False  # an exception did not end it before, so one need not have ended it now
    if all(_PYTHON_WARNS.search(record.text[:_HEAD]) for record in deciding):
        named = {id(hit.record) for hit in reading.hits if hit.signature.strength == "decisive"}
        return any(id(record) not in named for record in after)
    if knowledge.summaries[item.entry]["severity"] != "degraded" or any(record.kind == "prose" for record in reading.records):
        return False  # in words, the user may ask about the warning
    unexplained = {id(record) for record in reading.unexplained()}
    ended = [record for record in after if id(record) in unexplained and (is_foreign(record) or record.origin == "user")]
    return any(not _DEVICE.search(record.text) for record in ended)


def _goes_on_after(record: Record) -> bool:
    """Return whether a record is a log line after which the program goes on."""
    return record.kind == "log" and record.level != "F"


def _warned(item: Candidate) -> bool:
    """Return whether the record that identifies the entry is at least a warning, or a user's complaint. A notice of a finished run
    ("early stopping") is neither.
    """
    if item.shown_by_script or item.facts:
        return True
    deciding = [hit for hit in item.hits if hit.signature.strength == "decisive"]
    return any(hit.signature.said or _is_a_warning(hit.record) for hit in deciding)


def _is_a_warning(record: Record) -> bool:
    # The record of a progress bar without a line end includes the warning after it.
    return (
        record.level in ("W", "E", "F")
        or record.kind == "prose"
        or "Warning" in record.text
        or "warnings.warn(" in record.text
        or reports_error(record)
    )


def _reports_no_failure(reading: Reading) -> bool:
    """Return whether the text, all of it in words, says that the problem is solved, asks only for a feature, or proposes a change."""
    said = any(reading.sheet.get(fact) is True for fact in ("log.told_solved", "log.asks_for_feature"))
    return said and _is_in_words(reading.records)


def _nothing_failed(benign: list[Candidate], reading: Reading) -> bool:
    if reading.sheet.get("derived.nothing_failed") is True:
        return not _ends_elsewhere(reading)
    if not benign or _ends_in_failure(reading, benign):
        return False
    if any(reports_error(record) for record in reading.unexplained()):
        return False
    harmless = {id(hit.record) for item in benign for hit in item.hits if hit.signature.strength == "decisive"}
    return not any(_says_it_failed(record) for record in reading.suspects() if id(record) not in harmless)


def _says_it_failed(record: Record) -> bool:
    """Return whether a user, or a line without a level, says what failed. Below such words, harmless messages are what is left of a
    text that was cut.
    """
    return record.kind in ("prose", "output") and bool(_FAILED.search(record.text[:2_000]))


def _ends_elsewhere(reading: Reading) -> bool:
    """Return whether another library's or program's failure came after the training, so that the facts of the course leave it out."""
    if reading.shows_ours:
        return False
    last_step = max((record.last_line for record in reading.records if record.kind == "progress"), default=0)
    return any(record.first_line > last_step and is_foreign(record) and reports_error(record) for record in reading.suspects())


def _ends_in_failure(reading: Reading, benign: list[Candidate]) -> bool:
    """Return whether something other than the harmless message failed: by its form, by the exit code, or at the text's end."""
    if reading.sheet.get("derived.ended_well") is False:
        return True
    harmless = [hit.record for item in benign for hit in item.hits if not _ended_the_program(hit.record)]
    line = reading.sheet.get("course.failure_line")
    if isinstance(line, int) and not any(record.first_line <= line <= record.last_line for record in harmless):
        return True
    telling = [record for record in reading.records if record.kind not in ("command", "prose", "output", "progress")]
    return bool(telling) and plain_failure(telling[-1]) and telling[-1] not in harmless


def _ended_the_program(record: Record) -> bool:
    """Return whether a record is an exception that nobody caught: whatever it says, it is more than a harmless message.

    Some messages are a warning in one release and an exception in another. Python ignores an exception in ``__del__``.
    """
    ignored = record.text.startswith("Exception ignored") or any(frame.function == "__del__" for frame in record.frames[:1])
    return record.kind == "traceback" and record.exception.endswith(("Error", "Exception")) and not ignored


def _choices(ranked: list[Shown], reading: Reading) -> list[Shown]:
    """The few entries that a complaint in words can mean; empty if it is not in words, or says too little about any entry.

    A vague complaint names a topic. In a longer one, one entry has to stand out. The complaint also has to name TensorFlow or Keras,
    or to be about a training that is unlikely to be another program's.
    """
    if reading.around.out_of_scope >= confidence.THRESHOLD or not _is_told(reading.records) or asks_how(reading.records):
        return []
    eligible = [item for item in ranked if not item.candidate.near_twin][:_MOST_CHOICES]
    near = [item for item in eligible if item.confidence >= _CHOICE]
    in_words, names_ours = _is_in_words(reading.records), reading.around.signs_of_ours > 0
    if in_words and _is_vague(reading.records):
        return near if len(near) > 1 else []
    least = _STANDS_OUT if in_words and names_ours else _STANDS_OUT_CLEARLY
    about_ours = names_ours or (reading.around.names_a_training and reading.around.out_of_scope < _HARDLY_ELSEWHERE)
    stands_out = bool(near) and near[0].confidence >= least and about_ours
    return eligible[: max(2, len(near))] if stands_out and len(eligible) > 1 else []


def _is_in_words(records: list[Record]) -> bool:
    """Return whether a text contains no program message and no printed tensor, only what the user typed and plain output."""
    return all(
        record.kind == "prose" or (record.kind == "output" and not _PRINTED_TENSOR.search(record.text)) for record in records
    )


def _is_printed(records: list[Record]) -> bool:
    """Return whether a text consists of tensors and variables that a program printed."""
    return bool(records) and all(_PRINTED_TENSOR.search(record.text) for record in records)


def _is_told(records: list[Record]) -> bool:
    """Return whether a user tells what happens, and a program's part of the text is only the progress of its training."""
    rest = [record for record in records if record.kind not in ("progress", "command")]
    return _is_in_words(rest) and (len(rest) == len(records) or any(record.kind == "prose" for record in rest))


def _is_vague(records: list[Record]) -> bool:
    """Return whether a text in words is only a few plain words."""
    words = [word for record in records for word in record.text.split()]
    plain = sum(word.strip("\"'(),.:;?!").isalpha() for word in words)
    counts = sum(any(character.isdigit() for character in word) for word in words)
    return 1 < len(words) <= _FEW_WORDS and plain >= _IN_WORDS * len(words) and counts <= 1
