"""A record while it is being read: which line opens one, and which of the following lines belong to it.

Signatures are written against the records made here, so a change here affects every signature: the
tests of the recordings will show it.
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.frames import frames_of
from tfhelp.kb.text import Frame, Line, Record

LONGEST_RECORD = 12_000  # characters of a record's text: head and tail of a longer one are kept
MOST_PARAGRAPH_LINES = 30
_SENTENCE = 6  # words
_DIGITS = "0123456789"

_SOURCE = r"[\w./\\@+-]+\.(?:cc|h|cu|mm|cpp|cxx|py|c)"
_TENSORFLOW_LOG = Pattern(rf"(?:\d{{4}}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d+: ([IWEF]) ({_SOURCE}|[A-Z]:\S+):(\d+)\] ?(.*)")
_ABSL_LOG = Pattern(rf"([IWEF])\d{{4}} \d\d:\d\d:\d{{2,10}}\.\d+ +\d+ ({_SOURCE}):(\d+)\] ?(.*)")
_BARE_LOG = Pattern(r"(?:([IWEF]) )?((?:tensorflow|external|xla|T:\\src|\.[/\\]tensorflow)[\w./\\@+-]+\.(?:cc|h)):(\d+)\] ?(.*)")
_LOGS: dict[str, tuple[Pattern, ...]] = {  # by how a line starts
    **dict.fromkeys(_DIGITS, (_TENSORFLOW_LOG,)),
    **dict.fromkeys("IWEF", (_ABSL_LOG, _BARE_LOG)),
    **dict.fromkeys("texT.", (_BARE_LOG,)),
}
_PYTHON_LOG = Pattern(
    r"(?:\[?\d{4}-\d\d-\d\d[ T][\d:.,]{5,24}\]?[ :-]{0,6})?\[?(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]?(?::[\w.]{1,200}:|:| -|\s)\s*(.*)"
)
_PYTHON_WARNING = Pattern(r"\S+\.py:\d+: \w*Warning: (.*)")
_LEVELS = {"D": "I", "I": "I", "W": "W", "E": "E", "C": "F", "F": "F"}

_TRACEBACK = Pattern(r"Traceback \(most recent call (?:last|first)\):?\s*$")
_FRAME = Pattern(
    r"\s*(?:File \"|File [~/<\w].*(?:, line \d+|:\d+, in|:\d+)|\S+\.py in |[-=]+> ?\d+|\d+ |\^|~+\^|\.\.\.|\[Previous line|"
    r"<ipython-input|Cell In\s?\[|Input In \[|/\S+ in |\(\.\.\. omitting|\d+ frames$|<frozen |\.\.\.<\d+ lines>)"
)
_NOTEBOOK_FRAME = Pattern(
    r"File [~/<\w]\S*\.py:\d+, in \S|(?:[~/.]|[A-Za-z]:[/\\])[^\s(]{1,1000}\.pyc? in [\w<]|<ipython-input-\S{1,60}> in [\w<]|"
    r"Cell In ?\[\d{1,9}\], line \d|-{3,12}> ?\d{1,9} {1,80}\S"
)
_POINTER = r"(?: \(see above for traceback\))?"  # the text that TensorFlow 1 wrote after the name
_EXCEPTION = Pattern(
    r"(?:\w+ )?(?P<name>(?:[A-Za-z_]\w*\.)*[A-Z_]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Exhausted|Failure|Killed|"
    r"NotFound|Timeout|Signal|Aborted|Cancelled|Expired))" + _POINTER + r"(?P<colon>:\s*(?P<message>.*)|\s*$)",
    one_of=("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration", "Exhausted", "Failure", "Killed", "NotFound")
    + ("Timeout", "Signal", "Aborted", "Cancelled", "Expired"),
)
_AFTER_FRAMES = Pattern(r"(?P<name>(?:[A-Za-z_]\w*\.)*[A-Z]\w+)" + _POINTER + r"(?P<colon>:\s*(?P<message>.*)|\s*$)")
CHAIN = Pattern(r"\s*(?:During handling of the above exception|The above exception was the direct cause)")
_SHELL = Pattern(
    r"(?:(?:zsh|bash|sh|fish|-bash): |(?:\S{1,300}: line \d{1,9}: {1,20})|\[\d{1,9}\][+-]? {1,20}(?:[+-] {0,20})?)?(?:\d{1,12} {1,20})?"
    r"(?:(?:Killed|Terminated|Hangup|Bus error|Aborted|Segmentation fault|Illegal instruction|Floating point exception|"
    r"Trace/breakpoint trap|Memory fault|User defined signal \d)(?:: \d+)?(?:[ (:].*)?$|"
    r"(?:killed|terminated|hangup|bus error|abort|segmentation fault|illegal hardware instruction|trace trap|IOT instruction)"
    r"(?: {1,40}\(core dumped\))? {1,40}\S)|(?:terminate called (?:without|after|recursively)|Fatal Python error:|Process finished with exit code|"
    r"\*\*\* (?:SIG\w+|Aborted|Received signal)|slurmstepd: |srun: error|Command terminated by signal|command terminated with|"
    r"make: \*\*\*|Exited with (?:exit |status )?code|exit(?:ed)? with (?:exit |status )code|free\(\): |malloc\(\): |double free or|corrupted (?:size|double)|malloc_consolidate|munmap_chunk)"
    # "Killed" and "Segmentation fault" in Bash's translations
    r"|(?:已杀死|已殺死|已砍掉|Getötet|Processus arrêté|Terminado \(killed\)|Убито|強制終了|죽었음|Ucciso|段错误|段錯誤|區段錯誤|Speicherzugriffsfehler"
    r"|Erreur de segmentation|Violación de segmento|Errore di segmentazione|Falha de segmentação|Ошибка сегментирования)(?:[ (].*)?$",
    one_of=(
        *("杀死", "殺死", "砍掉", "強制終了", "죽었음", "段错误", "段錯誤", "Getötet", "arrêté", "killed", "Убито", "Ucciso"),
        *("Speicherzugriff", "segmenta", "Violación", "сегмент"),
        "illed",
        "erminated",
        "angup",
        "us error",
        "Aborted",
        "abort",
        " fault",
        "llegal",
        "loating point",
        "race/",
        "race trap",
        "signal",
        "IOT ",
        "terminate ",
    )
    + (
        "Fatal Python",
        "xit",
        "***",
        "slurmstepd",
        "srun: error",
        "free(): ",
        "malloc",
        "double free",
        "corrupted ",
        "munmap_chunk",
    ),
)
# An exit code of 0 is not a failure: what counts is what the program printed before it ended.
_ENDED_WELL = Pattern(r"\bexit (?:status )?code:? 0\b|[Ee]xited with (?:status )?code:? 0\b", one_of=("code",))
_COMMAND = Pattern(
    r"(?:\$|>>>|\.\.\.|In \[\d+\]:|%|!pip|!python|PS [A-Z]:\\[^>]*>|[A-Z]:\\[^>]*>|(?:\([\w.-]+\) ?)?[\w.-]+@[\w.-]+[: ]\S*?[#$%])\s?\S"
)
_PROGRESS = Pattern(
    r"\d{1,12}/(?:\d{1,12}(?!\d)|Unknown|\?)\s{0,20}(?:\[[=>.\s]*\]|[━╸╺\u2500-\u257f]|\[?[^\s-]{0,200}(?:-[^\s-]{0,200}){0,3} ?- )"
    r"|Epoch \d{1,9}(?:/\d{1,9})?\b|\d{1,3}%\||\d{1,12}/\d{1,12} .*(?:ETA|step\b|/step|s/epoch)"
)
# A few words on a line of their own, which end as a salutation does.
_SALUTATION = Pattern(r"\s*[A-Z][a-z']+(?: [A-Za-z']+){0,3} ?[,!.:]+\s*$")
_PROSE_WORD = Pattern(r"[A-Za-z][a-z']*[,.;:?!)]*$")
# What continues after a blank line or without indentation in TensorFlow's long messages.
_MESSAGE_GOES_ON = Pattern(
    r"\s+\S|\[\[|\(\d+\)|\d+ (?:root error|successful op|derived err)|Detected at node|File \"|Stack trace for|Original stack|Arguments? |Call arg|"
    r"Function call stack|Errors may have|Input Source|Operation defined|Node: |Hint: |Additional GRPC|Received:|Expected:|Traceback|[•*-] |"
    r"defined at|Caused by|\{\"created|:\{|\)|node |Colocat|Registered|Root error|Op:|The |This |Please |You |If |To |In |Make sure|For |It "
)
_CHARACTERS = Pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FEWEST_CHARACTERS = 5
_FIRST_PERSON = Pattern(r"(?:I|I'm|I've|My) ")
# "Did you mean", "Do you want to continue" are questions of programs.
_QUESTION = Pattern(r"(?:Is|Are|Does|Can|Could|Should|Would|Will|Why|What|Which|When|Where|How|Has|Have) .{8,200}\?$")
_LOG_GOES_ON = Pattern(r"\s{2,}\S|\t\S|Check failed|\(|To enable|Skipping|and |but ")

# Tracebacks and similar records may take a line that would otherwise start a record.
MAY_TAKE_A_START = frozenset(("traceback", "exception", "shell"))


class RecordBuilder:
    """A record while it is being read."""

    __slots__ = ("blank", "chained", "exception_at", "first", "key", "kind", "level", "lines", "message", "name", "position")

    def __init__(self, kind: str, line: Line, message: str | None = None, level: str = "") -> None:
        self.kind = kind
        self.first = line
        self.lines = [line]
        self.level = level
        self.message = message
        self.name = ""
        self.exception_at = -1
        self.blank = False
        self.chained = False
        self.position = 0
        self.key = ""  # of the first line: its worker and its shape

    def goes_on(self, line: Line) -> bool:
        """Return whether the line belongs to this record; if so, it is added."""
        going_on = _GOES_ON[self.kind](self, line)
        if going_on:
            if line.text.strip() and len(self.lines) < 4_000:
                self.lines.append(line)
            self.blank = not line.text.strip()
        return going_on

    def record(self) -> Record:
        text = _flat(self.lines)
        kind = "prose" if self._starts_with_salutation() else self.kind
        record = Record(kind, text, self.first.number, self.lines[-1].number)
        record.worker = self.first.worker
        record.level = self.level
        record.chain = self.position
        if self.exception_at >= 0:
            record.exception = self.name.rpartition(".")[2]
            message_lines = self.lines[self.exception_at :]
            record.message = _flat(message_lines)
            if len(message_lines) > 1:
                record.message_lines = message_lines
        elif self.message is not None:
            record.message = _flat([Line(0, "", self.message), *self.lines[1:]])
        return record

    def _starts_with_salutation(self) -> bool:
        """Return whether a letter's first words (``Hi all,``) are above a sentence; alone they are too few to be one."""
        if self.kind != "output" or len(self.lines) < 2:
            return False
        return bool(_SALUTATION.match(self.first.text)) and _is_prose(self.lines[1].text.strip())

    def frames(self) -> list[Frame]:
        """The calls of a traceback, or of the failed thread in the fault handler's output."""
        texts = [line.text for line in self.lines]
        if self.kind == "traceback":
            return frames_of(texts[: self.exception_at] if self.exception_at >= 0 else texts)
        if self.kind == "shell" and texts[0].lstrip().startswith("Fatal Python error"):
            return frames_of(_of_failed_thread(texts), innermost_first=True)
        return []


def _of_failed_thread(texts: list[str]) -> list[str]:
    heads = [place for place, text in enumerate(texts) if text.startswith(("Thread 0x", "Current thread"))]
    failed = next((place for place in heads if texts[place].startswith("Current")), heads[0] if heads else 0)
    end = next((place for place in heads if place > failed), len(texts))
    return texts[failed:end]


def _flat(lines: list[Line]) -> str:
    text = " ".join(" ".join(line.text.split()) for line in lines)
    if len(text) > LONGEST_RECORD:
        text = text[: LONGEST_RECORD // 2] + " ... " + text[-LONGEST_RECORD // 2 :]
    return text


def start(line: Line) -> RecordBuilder:
    """The builder that a line opens, by the line's form."""
    text = line.text
    found: re.Match[str] | None
    if "] " in text or text.rstrip().endswith("]"):
        for pattern in _LOGS.get(text.lstrip()[0], ()):
            found = pattern.match(text.lstrip())
            if found:
                return RecordBuilder("log", line, found[4], found[1] or "E")
    found = _TRACEBACK.search(text) if "Traceback (" in text else None
    if found or _starts_with_frame(text) or text.startswith(("Exception ignored in", "Exception in thread")):
        return RecordBuilder("traceback", line)
    stripped = text.strip()
    if _SHELL.match(stripped):
        return RecordBuilder("output", line) if _ENDED_WELL.search(stripped) else RecordBuilder("shell", line, None, "F")
    if (stripped[0] == "E" or stripped[0].isdigit()) and _PROGRESS.match(stripped):
        return RecordBuilder("progress", line)
    found = _EXCEPTION.match(stripped)
    if found and (found["colon"].startswith(":") or " " not in stripped):
        builder = RecordBuilder("exception", line)
        builder.name, builder.exception_at = found["name"], 0
        return builder
    found = _PYTHON_WARNING.match(stripped) if "Warning: " in stripped else None
    if found:
        return RecordBuilder("log", line, found[1], "W")
    found = _PYTHON_LOG.match(stripped) if stripped[0] in "[0123456789DIWECF" else None
    if found and stripped != found[1]:
        return RecordBuilder("log", line, found[2], _LEVELS[found[1][0]])
    if (
        stripped[0] in "$>.%!" or stripped.startswith(("In [", "PS ")) or stripped[1:3] == ":\\" or "@" in stripped
    ) and _COMMAND.match(stripped):
        return RecordBuilder("command", line)
    return RecordBuilder("prose" if _is_prose(stripped) else "output", line)


def _starts_with_frame(text: str) -> bool:
    """A traceback whose first line was not pasted."""
    stripped = text.lstrip()
    if stripped.startswith('File "'):
        return ", line " in stripped
    return (" in " in stripped or stripped[:1] in "-C") and bool(_NOTEBOOK_FRAME.match(stripped))


def _is_prose(text: str, sentence: int = _SENTENCE) -> bool:
    if not text.isascii() and _is_in_characters(text):
        return True
    if _QUESTION.match(text):
        return True
    tokens = text.split()
    if len(tokens) < 3:
        return False
    share = 0.6 if len(tokens) >= sentence else 1.0  # a few words are a sentence only if nothing else is among them
    return sum(bool(_PROSE_WORD.match(token)) for token in tokens) >= share * len(tokens)


def _is_in_characters(text: str) -> bool:
    """Return whether most letters are Chinese, Japanese or Korean, which programs seldom print. Their words have no spaces between."""
    characters = len(_CHARACTERS.findall(text))
    return characters >= _FEWEST_CHARACTERS and 2 * characters >= sum(map(str.isalpha, text))


def _is_prose_of_user(text: str) -> bool:
    """Return whether a line is a sentence by the user who pasted the text; users do not always leave a blank line before it."""
    return bool(_FIRST_PERSON.match(text)) and _is_prose(text.strip(), sentence=3)


def _starts_something(line: Line) -> bool:
    """Return whether a line clearly opens another record."""
    text = line.text.strip()
    first = text[:1]
    return bool(
        (first in _DIGITS and _TENSORFLOW_LOG.match(text))
        or (first in "IWEF" and _ABSL_LOG.match(text))
        or _SHELL.match(text)
        or ((first in _DIGITS or first == "E") and _PROGRESS.match(text))
        or "Traceback (most recent call" in text
        or ("Warning: " in text and _PYTHON_WARNING.match(text))
        or (text[:1] in "[0123456789DIWECF" and (found := _PYTHON_LOG.match(text)) and found[1] != text)
        or text.startswith(("$ ", ">>> "))
    )


def always_starts(builder: RecordBuilder) -> bool:
    """Return whether lines of the builder's shape always start a record, except in a traceback."""
    text = builder.first.text
    return _starts_something(builder.first) and not _COMMAND.match(text) and not _FRAME.match(text)


def _traceback_goes_on(builder: RecordBuilder, line: Line) -> bool:
    text = line.text
    if CHAIN.match(text):
        builder.chained = True
        return False
    if builder.exception_at >= 0:
        return _exception_goes_on(builder, line)
    stripped = text.strip()
    if not stripped:
        return True
    if _FRAME.match(text) or (text[:1].isspace() and not _starts_something(line)):
        return True
    found = _EXCEPTION.match(stripped) or _AFTER_FRAMES.match(stripped)
    if found and not _TENSORFLOW_LOG.match(stripped):
        builder.name, builder.exception_at = found["name"], len(builder.lines)
        return True
    if len(builder.lines) == 1 and _TRACEBACK.search(text):  # follows "Exception ignored in: ..."
        return True
    # Notebooks print source lines and file names without indentation; a plain log line or a signal ends the traceback.
    return not _starts_something(line)


def _exception_goes_on(builder: RecordBuilder, line: Line) -> bool:
    text = line.text
    if CHAIN.match(text):
        builder.chained = True
        return False
    if not text.strip():
        return not builder.blank or len(builder.lines) - builder.exception_at > 1
    if text.startswith('File "') and builder.kind == "traceback":  # the next traceback of a chain, without its first lines
        builder.chained = True
        return False
    if _starts_something(line) or (_EXCEPTION.match(text.strip()) and builder.kind == "exception" and not text[:1].isspace()):
        return False
    if _is_prose_of_user(text):
        return False
    if not builder.blank or _MESSAGE_GOES_ON.match(text):
        return True
    # Keras prints "Exception encountered when calling ..." and, after a blank line, the exception. After "Error
    # encountered:" and another blank line, it prints the cause.
    if builder.lines[-1].text.rstrip().endswith(":"):
        return True
    said = builder.lines[builder.exception_at].text
    return len(builder.lines) - builder.exception_at == 1 and "Exception encountered when calling" in said


def _log_goes_on(builder: RecordBuilder, line: Line) -> bool:
    text = line.text
    if not text.strip() or builder.blank or _starts_something(line) or len(builder.lines) >= MOST_PARAGRAPH_LINES:
        return False
    if _EXCEPTION.match(text.strip()) or _is_prose_of_user(text):
        return False
    said = (builder.message or "").rstrip()
    if not said or said[-1] in ":,(-":
        return True
    # A line that a screen or a chat broke continues in lower case; a complete line does not.
    return bool(_LOG_GOES_ON.match(text)) or (said[-1] not in ".)]!;>'\"" and len(said) > 50 and text[:1].islower())


def _shell_goes_on(builder: RecordBuilder, line: Line) -> bool:
    if builder.lines[0].text.lstrip().startswith("Fatal Python error"):
        if not line.text.strip():
            return not builder.blank
        return bool(_FRAME.match(line.text)) or line.text.startswith(
            ("Current thread", "Thread 0x", "Python runtime", "Extension modules")
        )
    return line.text.startswith("  what():")


def _paragraph_goes_on(builder: RecordBuilder, line: Line) -> bool:
    text = line.text.strip()
    if not text or len(builder.lines) >= MOST_PARAGRAPH_LINES or _starts_something(line) or _starts_with_frame(text):
        return False
    if _COMMAND.match(text) or _BARE_LOG.match(text):
        return False
    found = _EXCEPTION.match(text)
    return not (found and found["colon"].startswith(":"))


def _never_goes_on(_builder: RecordBuilder, _line: Line) -> bool:
    return False


_GOES_ON: dict[str, typing.Callable[[RecordBuilder, Line], bool]] = {
    "traceback": _traceback_goes_on,
    "exception": _exception_goes_on,
    "log": _log_goes_on,
    "shell": _shell_goes_on,
    "prose": _paragraph_goes_on,
    "output": _paragraph_goes_on,
    "progress": _never_goes_on,
    "command": _never_goes_on,
}
