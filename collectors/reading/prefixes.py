"""What launchers, containers and journals put before each line of a program's output, and which process wrote the line.

Most prefixes are recognised by their own form, on any line. Some look like ordinary program output (``node7: ``,
``[0] ``, a bare time); they count only if most lines of the text have them (``Survey``).
"""

import itertools
import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern

_DATE = r"\d{4}-\d\d-\d\d"
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_ZONE = r"(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))"
_PROCESS = r"(?:[\w.-]{1,64} (?:(?P<program>[\w.@/-]{1,64})\[\d{1,9}\]:(?: |$)|(?=kernel: )))?"  # a journal's host and process

# The group is the worker, if the prefix names one. No pattern takes more than one space, because the program's output
# may itself begin with spaces.
_MPIRUN = Pattern(r"\[\d{1,9},(\d{1,6})\]<std(?:err|out)>:")  # mpirun --tag-output: job and rank
_TORCHRUN = Pattern(r"\[(?:rank|default)(\d{1,6})\]:")
_LABEL = Pattern(r"\[((?:worker|chief|ps|rank|node|task)[ _-]?\d{1,6})\]:? ?", re.IGNORECASE)
_POD = Pattern(r"\[pod/([\w.-]{1,128})(?:/[\w.-]{1,64})?\](?: |$)")  # kubectl logs --prefix
_BRACKETED = Pattern(rf"()\[{_DATE}[ T]{_TIME}{_ZONE}?\](?: |$)")  # ts '[%Y-%m-%d %H:%M:%S]'
_RAY = Pattern(r"\((?:[\w.:<>-]{1,80} )?pid=(\d{1,9})(?:, ip=[\d.a-fA-F:]{2,45})?\) ?")
_COMPOSE = Pattern(
    r"([\w.-]{0,40}(?:worker|chief|ps|replica|trainer|node|rank|master|launcher)[\w.-]{0,40}|[\w.-]{1,80}[_-]\d{1,4})\s{0,40}(?:\|| -\|) ?"
)
_SRUN = Pattern(r"(\d{1,4}):(?: |$)")  # srun --label
_CONTAINER = Pattern(
    rf"(){_DATE}T{_TIME}{_ZONE}(?:$| (?:std(?:out|err) [FP](?: |$)|{_PROCESS}))"
)  # kubectl --timestamps, CRI, GitHub Actions, journalctl -o short-iso
_SYSTEM = Pattern(rf"()[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{{1,6}})?(?:$| {_PROCESS})")  # ts, syslog, journalctl
_NAMING_A_PROGRAM = frozenset((id(_CONTAINER), id(_SYSTEM)))
_WORKFLOW = Pattern(r"()##\[(?:error|warning|group|endgroup|debug|command|section|notice)\]")  # GitHub Actions
_QUOTATION = Pattern(r"()>(?!>) ?")  # an email's or a forum's; ">>> " is Python's prompt
# Markdown's mark of code, before a log line or a traceback.
_MARK = Pattern(r"()`(?=[IWEF] \S{1,300}:\d+\] |\d{4}-\d\d-\d\d \d\d:\d\d|Traceback )")
_BAR = Pattern(r"()\| ?(?=\S)(?!.*\|\s*$)")  # the same with bars, but not a row of a table
_PYTEST = Pattern(r"()E {2,12}(?=\S)")
_MONTHS = "JFMASOND"
_LONGEST_NAME = 130  # characters, for a compose service with its spaces
_TIGHT = (_MPIRUN, _TORCHRUN)  # some versions put a space after it, others do not
_PREFIXES: dict[str, tuple[Pattern, ...]] = {
    "[": (_MPIRUN, _TORCHRUN, _LABEL, _POD, _BRACKETED),
    "(": (_RAY,),
    ">": (_QUOTATION,),
    "`": (_MARK,),
    "|": (_BAR,),
    "#": (_WORKFLOW,),
    "E": (_PYTEST,),
    **dict.fromkeys("0123456789", (_CONTAINER, _SRUN)),
    **dict.fromkeys(_MONTHS, (_SYSTEM,)),
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", (_COMPOSE,)),
}
_MOST_PREFIXES = 5  # a container's time stamp before a launcher's label before a quotation mark

# Prefixes that count only if most lines have them.
_COMMON: tuple[Pattern, ...] = (
    Pattern(r"([\w.-]{1,64})\s{0,40}\| ?(?!.*\|\s*$)"),  # docker compose with a container_name
    Pattern(r"\[(\d{1,4})\] "),  # mpirun -prepend-rank
    Pattern(r"([a-z][\w.-]{0,60}\d): "),  # pdsh, clush
    Pattern(rf"(){_TIME} (?![-|:])"),
    Pattern(rf"(){_DATE} {_TIME}{_ZONE}? (?![-|:])(?!\[?(?:DEBUG|INFO|WARN|ERROR|CRITICAL|FATAL))"),
)
# Numbers of lines, and what follows them: grep -n, cat -n, less -N, editors, and pages from which people copy.
_NUMBER = Pattern(r"\s{0,8}(\d{1,7})(?=\D|$)")
_AFTER_NUMBER = (": ", ":", "\t", " | ", "| ", "|", ". ", ") ", "  ", " ")
_FEWEST_NUMBERED = 4
_MOST_NUMBERED = 60
_SAMPLE = 400  # lines
_FEW = 3
_MOST = 0.6

_REPEATED = Pattern(r" \[repeated \d{1,9}x across cluster\](?: \(Ray deduplicates logs.{0,400})?$")


class Survey:
    """What the lines of a text show together: prefixes that count only because most lines have them.

    Attributes:
        common: the prefixes that most lines have.
        loose: the tags that are followed by a space on every line; the space then belongs to the tag, not to the program.
        after_number: what follows the number with which each line begins; empty if the lines have no numbers.
    """

    __slots__ = ("after_number", "common", "loose")

    def __init__(self, raws: typing.Sequence[str]) -> None:
        step = max(1, len(raws) // _SAMPLE)
        sample = [raw for raw in raws[::step] if raw.strip()]
        self.common = tuple(pattern for pattern in _COMMON if _is_common(pattern, sample))
        self.after_number = _after_number(raws)
        self.loose = frozenset(id(tag) for tag in _TIGHT if _is_loose(tag, sample))


def _is_common(pattern: Pattern, sample: list[str]) -> bool:
    """Return whether most lines have the prefix. The check is cheap for most texts: their first lines have none."""
    if len(sample) < _FEW or not any(map(pattern.match, sample[:_FEW] + sample[len(sample) // 2 :][:_FEW])):
        return False
    found = sum(bool(pattern.match(raw)) for raw in sample)
    return found >= max(_FEW, _MOST * len(sample))


def _after_number(raws: typing.Sequence[str]) -> str:
    """What follows the number with which each line begins, or nothing. The ranks of ``srun --label`` begin with 0."""
    if not (raws and raws[0][:8].strip()[:1].isdigit()):
        return ""
    lines = [raw for raw in raws[:_MOST_NUMBERED] if raw.strip()]
    found = [number for raw in lines if (number := _NUMBER.match(raw))]
    numbers = [int(number[1]) for number in found]
    if len(found) < max(len(lines), _FEWEST_NUMBERED) or numbers[0] == 0:
        return ""
    if any(after != before + 1 for before, after in itertools.pairwise(numbers)):
        return ""
    rests = [number.string[number.end() :] for number in found]
    return next((sign for sign in _AFTER_NUMBER if all(f"{rest} ".startswith(sign) for rest in rests)), "")


def _is_loose(tag: Pattern, sample: list[str]) -> bool:
    ends = [raw[found.end() :] for raw in sample if raw[:1] == "[" and (found := tag.match(raw))]
    return bool(ends) and all(end.startswith(" ") or not end.strip() for end in ends)


def may_have_prefix(raw: str, survey: Survey) -> bool:
    """A quick check of the first character."""
    first = raw[:1]
    if survey.after_number or survey.common or (first and first in "[(>|#`"):
        return True
    if first.isdigit():
        return raw[10:11] == "T" or ":" in raw[1:5]
    if first.islower():
        return "|" in raw[:_LONGEST_NAME]
    return (first in _MONTHS and raw[9:10] == ":") or raw.startswith("E  ")


class Unwrapped(typing.NamedTuple):
    """A line without its prefixes, and the worker and the program that they name (empty if they name none)."""

    worker: str
    program: str
    text: str


def without_prefixes(text: str, survey: Survey) -> Unwrapped:
    """Remove a line's prefixes."""
    worker = program = ""
    if survey.after_number and (number := _NUMBER.match(text)):
        rest, sign = text[number.end() :], survey.after_number
        text = rest.removeprefix(sign if rest.startswith(sign) else sign.strip())
    for _ in range(_MOST_PREFIXES):
        found, tag = _first(text, survey)
        if found is None:
            break
        worker = found[1] or worker
        if tag in _NAMING_A_PROGRAM:
            program = found["program"] or program
        text = text[found.end() :]
        if tag in survey.loose:
            text = text.removeprefix(" ")
    if text.endswith(("across cluster]", ")")) and " [repeated " in text:
        text = _REPEATED.sub("", text)
    return Unwrapped(worker, program, text)


def _first(text: str, survey: Survey) -> tuple[re.Match[str] | None, int]:
    for prefix in (*_PREFIXES.get(text[:1], ()), *survey.common):
        if prefix is _COMPOSE and "|" not in text[:_LONGEST_NAME]:
            continue
        if found := prefix.match(text):
            return found, id(prefix)
    return None, 0
