"""Replies to the questions of an answer: one typed reader for the terminal, the form and every other door.

A question asks for a fact. The reply may be a value, "not there" (which is null: looked for and absent), or what the
question's command printed, whole. A value that the fact cannot have is refused with a sentence that says what would do.
"""

import math
import typing

from tfhelp.collectors.lazy_pattern import Pattern

Json = dict[str, typing.Any]

NOT_THERE = "not there"
OUTPUT = "output"  # the kind of a question that only a command's output answers
_ABSENT = frozenset((NOT_THERE, "not installed", "absent", "null", "none", "n/a", "-", "missing", "nothing"))
_NOT_FOUND = frozenset(("command not found", "not found", "not recognized", "no such command"))
_YES = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
_LISTS = {"texts": "text", "integers": "integer", "list": ""}
_PROGRAM_MISSING = Pattern(
    r"(?:^|[\s:'\"])([\w./-]{1,80}?)(?:\.exe)?['\"]?(?:: command not found|: not found| is not recognized as an? |: No such file or directory)"
    r"|command not found: ([\w./-]{1,80})|The term '([\w./-]{1,80})' is not recognized"
)
_ALWAYS_THERE = ("python", "python3", "pip", "pip3", "sudo", "bash", "sh", "grep", "echo", "cat", "ls", "find")
_VERSION = Pattern(r"[vV]?([0-9][\w.+!-]{0,60})")
_LONGEST = 300  # characters of a value; a longer reply is the output of a command
_LARGEST = 1e12

# Ranges by the end of a path: what a machine can have.
_RANGES: tuple[tuple[str, float, float], ...] = (
    ("_percent", 0, 100),
    ("_share", 0, 1),
    ("_celsius", -50, 200),
    ("exit_code", -(1 << 31), (1 << 32) - 1),
    ("_slope_mib_per_minute", -_LARGEST, _LARGEST),
    ("cpu_count", 1, 100_000),
    ("", 0, _LARGEST),
)


class ReplyError(ValueError):
    """A reply that cannot be the fact. The message names the fact and says what would do."""


class Reply:
    """What a reply says.

    Attributes:
        facts: a facts document to put on top of what is given.
        text: output of a command, to be read with the text; empty where the facts say all.
    """

    __slots__ = ("facts", "text")

    def __init__(self, facts: Json, text: str = "") -> None:
        self.facts = facts
        self.text = text


class Offer(typing.NamedTuple):
    """How to ask for a fact: the kind of its value, the values to choose from, and an example or a hint."""

    kind: str
    choices: tuple[str, ...]
    hint: str


def kind_of(path: str, types: dict[str, str]) -> str:
    """A type of the fact table, or ``output`` where only a command's output can tell the fact."""
    if path.startswith(("packages.", "env.")):
        return "text"
    kind = types.get(path, "")
    return kind if kind and kind != "list" and "[]" not in path else OUTPUT


def offer(path: str, types: dict[str, str]) -> Offer:
    """What to offer beside a question."""
    kind = kind_of(path, types)
    if kind == OUTPUT:
        return Offer(kind, (), "paste what the command prints")
    if kind == "boolean":
        return Offer(kind, ("yes", "no", NOT_THERE), "")
    if kind.startswith("one of "):
        return Offer(kind, (*kind[len("one of ") :].split("|"), NOT_THERE), "")
    example = {"integer": "an integer", "number": "a number"}.get(kind, "a value")
    if is_version(path):
        example = "a version such as " + ("550.54.14" if path.startswith("driver.") else "2.16.1")
    return Offer(kind, (), f"{example}, what the command prints, or '{NOT_THERE}'")


def is_version(path: str) -> bool:
    """Whether a fact's value is a version, which begins with a digit."""
    return path.startswith("packages.") or path.endswith((".version", "_version", ".glibc"))


def read_reply(path: str, written: str, types: dict[str, str], command: str = "") -> Reply | None:
    """Read one reply.

    Args:
        path: the fact that was asked for.
        written: what the reader typed or pasted.
        types: path -> type of every fact.
        command: the command that the question named, empty where it named none.

    Returns:
        What it says; ``None`` for an empty reply.

    Raises:
        ReplyError: the fact cannot have this value.
    """
    written = written.strip()
    if not written:
        return None
    kind = kind_of(path, types)
    if written.lower().rstrip(".") in _NOT_FOUND and command:
        written = f"{command.split()[0]}: command not found"
    if written.lower() in _ABSENT:
        return _absent(path, kind, types)
    if kind == OUTPUT or _is_output(written):
        return _output(path, kind, written, types, command)
    try:
        return Reply(_document(path, _value(path, written, kind)))
    except ReplyError:
        # What a command prints in one line, such as nvidia-smi's own error, is no value and says much.
        said = _facts_of(written)
        if path in said or _concerns(path, said):
            return Reply(_nested(said))
        if command and " " in written and any(character.isdigit() for character in written):
            return Reply({}, f"$ {command}\n{written}")
        raise


def _is_output(written: str) -> bool:
    return "\n" in written or len(written) > _LONGEST or _missing_program(written) != ""


def _absent(path: str, kind: str, types: dict[str, str]) -> Reply:
    if path in types and types[path] in _LISTS:
        return Reply(_document(path, []))
    if kind == OUTPUT:
        raise ReplyError(f"{path}: paste what the command prints, or leave this empty")
    return Reply(_document(path, None))


def _output(path: str, kind: str, written: str, types: dict[str, str], command: str) -> Reply:
    """What a command printed: facts by the readers of texts; what they do not understand stays with the text."""
    program = _missing_program(written)
    if program and (not command or program in command) and program not in _ALWAYS_THERE:
        return Reply(_without_program(path, kind, program))
    text = (f"$ {command}\n" if command else "") + written
    if kind == OUTPUT:
        if written.lower() in _YES:
            raise ReplyError(f"{path}: paste what the command prints, not {_shown(written)}")
        return Reply({}, text)
    said = _facts_of(written)
    if path in said or _concerns(path, said):
        return Reply(_nested(said))
    return Reply({}, text)


def _missing_program(written: str) -> str:
    found = _PROGRAM_MISSING.search(written[:2000])
    return (found[1] or found[2] or found[3]).rpartition("/")[2] if found else ""


def _without_program(path: str, kind: str, program: str) -> Json:
    if program == "nvidia-smi":
        # The driver brings nvidia-smi, so a machine without it has no driver.
        facts: Json = {"driver": {"state": "absent", "version": None}}
        return facts if kind == OUTPUT or path in ("driver.state", "driver.version") else _put(facts, path, None)
    return {} if kind == OUTPUT else _document(path, None)


def _concerns(path: str, said: dict[str, object]) -> bool:
    """Whether an output that does not give the fact tells why: the driver's state explains a missing version."""
    return path.startswith("driver.") and "driver.state" in said


def _facts_of(written: str) -> dict[str, object]:
    from tfhelp.collectors import reading, text_facts

    sheet = text_facts.read(reading.read(written))
    return {path: value for path, value in sheet.values.items() if not path.startswith("log.")}


def _nested(said: dict[str, object]) -> Json:
    facts: Json = {}
    for path, value in said.items():
        _put(facts, path, value)
    return facts


def _document(path: str, value: object) -> Json:
    return _put({}, path, value)


def _put(facts: Json, path: str, value: object) -> Json:
    group, _, name = path.partition(".")
    if name:
        facts.setdefault(group, {})[name] = value
    else:
        facts[group] = value
    return facts


def _value(path: str, written: str, kind: str) -> object:
    if kind == "boolean":
        return _boolean(path, written)
    if kind.startswith("one of "):
        return _choice(path, written, kind[len("one of ") :].split("|"))
    if kind in ("integer", "number"):
        return _number(path, written, kind)
    if kind in _LISTS:
        parts = [part.strip() for part in written.replace("\n", ",").split(",") if part.strip()]
        return [_number(path, part, "integer") for part in written.replace(",", " ").split()] if kind == "integers" else parts
    return _version(path, written) if is_version(path) else _text(path, written)


def _boolean(path: str, written: str) -> bool:
    try:
        return _YES[written.lower()]
    except KeyError:
        raise ReplyError(f"{path}: expected yes or no, got {_shown(written)}; {_hint()}") from None


def _choice(path: str, written: str, choices: list[str]) -> str:
    if written.lower() not in choices:
        raise ReplyError(f"{path}: expected one of {', '.join(choices)}, got {_shown(written)}; {_hint()}")
    return written.lower()


def _number(path: str, written: str, kind: str) -> int | float:
    expected = "an integer" if kind == "integer" else "a number"
    try:
        number = _parsed_number(path, written, kind)
    except (ValueError, OverflowError):
        raise ReplyError(f"{path}: expected {expected}, got {_shown(written)}; {_hint()}") from None
    least, most = next((least, most) for ending, least, most in _RANGES if path.endswith(ending))
    if path == "python.bits" and number not in (32, 64):
        raise ReplyError(f"{path}: expected 32 or 64, got {_shown(written)}")
    if not least <= number <= most:
        bounds = f"from {least:g} to {most:g}" if most < _LARGEST else f"of at least {least:g}"
        raise ReplyError(f"{path}: expected {expected} {bounds}, got {_shown(written)}")
    return number


def _parsed_number(path: str, written: str, kind: str) -> int | float:
    if kind == "integer":
        # Windows reports crashes as 0xC0000005.
        return int(written, 16) if written.lower().startswith("0x") else int(written)
    if path.endswith("_mib") and written[-1:].isalpha():
        from tfhelp.collectors.text_facts.sizes import mib

        amount = mib(written)
        if amount is None:
            raise ValueError
        return amount
    number = float(written.replace(",", "."))
    if not math.isfinite(number):
        raise ValueError
    return number


def _version(path: str, written: str) -> str:
    found = _VERSION.fullmatch(written)
    if not found:
        example = "550.54.14" if path.startswith("driver.") else "2.16.1"
        raise ReplyError(f"{path}: expected a version such as {example}, got {_shown(written)}; {_hint()}")
    return found[1]


def _text(path: str, written: str) -> str:
    if written.lower() in _YES and not path.startswith("env."):
        raise ReplyError(f"{path}: expected a value, got {_shown(written)}; {_hint()}")
    return written


def _hint() -> str:
    return f"say '{NOT_THERE}' if it is absent"


def _shown(written: str) -> str:
    return repr(written[:60])
