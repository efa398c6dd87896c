"""Replies to the questions of an answer: one typed parser for the terminal, the form and every other door.

A question asks for a fact. The reply may be a value, "not there" (which is null: looked for and absent), or the whole output of
the question's command. A value that the fact cannot have is rejected with a sentence that says what is accepted.
"""

import math
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.service.diagnosis.asking import MAJORS, NOT_THERE, OUTPUT, choices_of, example, made_of, may_be_absent, type_of

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import QuestionType

Json = dict[str, typing.Any]

_ABSENT = frozenset((NOT_THERE, "absent", "null", "none", "n/a", "-", "missing", "nothing", "unlimited"))
_SAYS_ABSENT = Pattern(
    r"(?i)(?:no|not|isn't|none)(?: [a-z0-9-]{1,30})? (?:installed|there|set|drivers?|gpus?|cards?|limit|available|present)"
)
_SAYS_UNKNOWN = Pattern(
    r"(?i)\?{1,3}|unknown|unsure|idk|dunno|no (?:idea|clue)|(?:i am |i'm )?not (?:sure|certain|known)|(?:i )?(?:don'?t|do not|can(?:no|')?t) (?:know|tell|say)"
)
_NOT_FOUND = frozenset(("command not found", "not found", "not recognized", "no such command"))
_YES = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
_LISTS = {"texts": "text", "integers": "integer", "list": ""}
_PROGRAM_MISSING = Pattern(
    r"(?:^|[\s:'\"])([\w./-]{1,80}?)(?:\.exe)?['\"]?(?:: command not found(?!:)|: not found| is not recognized as an? |: No such file or directory)"
    r"|command not found: ([\w./-]{1,80})|The term '([\w./-]{1,80})' is not recognized"
)
_MODULE_MISSING = Pattern(r"No module named '?([\w.]{1,80})|Package\(s\) not found: ([\w.-]{1,80})")
_ALWAYS_THERE = ("python", "python3", "pip", "pip3", "sudo", "bash", "sh", "grep", "echo", "cat", "ls", "find")
_VERSION = Pattern(r"[vV]?([0-9][\w.+!-]{0,60})")
_VERSION_AND_PLACE = Pattern(r"([0-9][\w.+!-]{0,60})\s+(?:[A-Za-z]:)?[/\\].*")
_INSTALLED = Pattern(r"[/\\](?:site|dist)-packages[/\\]")
_LISTS_PACKAGES = Pattern(r"\bpip3? list\b")
_HEADING = Pattern(r"(?m)^\s{0,8}Package\s{1,80}Version\b")
_ROW = Pattern(r"(?m)^[A-Za-z][\w.-]{0,80} {1,80}[0-9][\w.!+-]{0,40}(?:\s.{0,300})?$")
_NAME_AND_CAPABILITY = Pattern(r"[^,]{2,80}, ?[0-9]{1,2}\.[0-9](?:, ?[0-9.]{1,20})?")
_CAPABILITY = Pattern(r"[0-9]{1,2}\.[0-9]")
_LONGEST = 300  # characters of a value; a longer reply is taken for a command's output
_LARGEST = 1e12
_MOST_GPUS = 64
_NO_LIMIT = Pattern(r"[0-9]{16,20}")  # memory.limit_in_bytes without a limit
_BYTES = 1 << 25  # a control group's limit from here on is in bytes: 32 TiB otherwise
_THOUSANDS = Pattern(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+\b")
_MINORS_OF_PYTHON_2 = ("", "6", "7")
_IMPORT_NAMES = {"google.protobuf": "protobuf", "google": "protobuf", "tf_keras": "tf-keras"}  # module -> package

# Ranges by the end of a path: the values that a machine can have.
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
    """A reply that is not a possible value of the fact. The message names the fact and says what is accepted."""


class Reply:
    """The content of a reply.

    Attributes:
        facts: a facts document that overrides the given facts.
        text: output of a command, to be read with the text; empty if the facts are enough.
    """

    __slots__ = ("facts", "text")

    def __init__(self, facts: Json, text: str = "") -> None:
        self.facts = facts
        self.text = text


def read_replies(replies: typing.Mapping[str, tuple[str, str]], types: dict[str, str]) -> Reply:
    """Read several replies; if two give the same fact, the later one counts.

    Args:
        replies: fact -> (the reply, the command that the question named or empty).
        types: path -> type of every fact.

    Raises:
        ReplyError: a fact cannot have its value, or there is no such fact.
    """
    from tfhelp.service.diagnosis.collecting import merge_documents

    facts: Json = {}
    texts = []
    for path, (written, command) in replies.items():
        if not _is_known(path, types):
            raise ReplyError(f"{path[:80]}: no answer asks for this fact")
        reply = read_reply(path, written, types, command)
        if reply is not None:
            facts = merge_documents(reply.facts, facts)
            texts += [reply.text] if reply.text else []
    return Reply(facts, "\n".join(texts))


def _is_known(path: str, types: dict[str, str]) -> bool:
    return path in types or (path.startswith(("packages.", "env.", "derived.")) and path[-1:] != ".")


def read_reply(path: str, written: str, types: dict[str, str], command: str = "") -> Reply | None:
    """Read one reply.

    Args:
        path: the fact that was asked for.
        written: what the user typed or pasted.
        types: path -> type of every fact.
        command: the command that the question named, empty if it named none.

    Returns:
        Its content; ``None`` for an empty reply, and for one that says that the user does not know.

    Raises:
        ReplyError: the fact cannot have this value.
    """
    written = written.strip()
    if not written or _SAYS_UNKNOWN.fullmatch(written.rstrip(".!")):
        return None
    path = made_of(path)
    kind = type_of(path, types)
    if written.lower().rstrip(".") in _NOT_FOUND and command:
        written = f"{command.split()[0]}: command not found"
    if _says_absent(path, written, kind):
        return _absent(path, kind, types)
    if kind == OUTPUT or _is_output(written):
        return _output(path, kind, written, types, command)
    printed = _printed(path, written, command)
    if printed is not None:
        return printed
    try:
        return Reply(_document(path, _value(path, written, kind, types)))
    except ReplyError:
        # One line that a command prints, such as an error of nvidia-smi, is not a value but is informative.
        found_facts = _facts_in(path, written)
        if found_facts:
            return Reply(found_facts)
        if command and " " in written and any(character.isdigit() for character in written):
            text = _with_command(written, command)
            found_facts = _facts_in(path, text)
            return Reply(found_facts) if found_facts else Reply({}, text)
        raise


def _is_output(written: str) -> bool:
    return "\n" in written or len(written) > _LONGEST or _missing_program(written) != ""


def _says_absent(path: str, written: str, kind: "QuestionType") -> bool:
    written = written.lower().rstrip(".")
    if written in _ABSENT or (path == "host.cgroup_limit_mib" and (written == "max" or _NO_LIMIT.fullmatch(written))):
        return True
    if not may_be_absent(path, kind):
        return False
    what = written.removeprefix("no ")  # "no cudnn" for cudnn.version
    return _SAYS_ABSENT.fullmatch(written) is not None or (what != written and len(what) > 2 and what in path.lower())


def _absent(path: str, kind: str, types: dict[str, str]) -> Reply:
    if path in types and types[path] in _LISTS:
        return Reply(_document(path, []))
    if kind == OUTPUT:
        raise ReplyError(f"{path}: paste what the command prints, or leave this empty")
    if path == "driver.version":
        return Reply(_NO_DRIVER)
    if kind == "boolean":
        raise ReplyError(f"{path}: expected yes or no; leave this empty if you do not know")
    return Reply(_document(path, None))


_NO_DRIVER: Json = {"driver": {"state": "absent", "version": None}}


def _output(path: str, kind: str, written: str, types: dict[str, str], command: str) -> Reply:
    """A command's output: facts from the text parsers; what they do not understand is kept as text."""
    program = _missing_program(written)
    if program and (not command or program in command) and program not in _ALWAYS_THERE:
        return Reply(_without_program(path, kind, program))
    text = _with_command(written, command)
    if kind == OUTPUT:
        if written.lower() in _YES:
            raise ReplyError(f"{path}: paste what the command prints, not {_shown(written)}")
        return Reply({}, text)
    found_facts = _facts_in(path, written) or _facts_in(path, text)
    if found_facts:
        return Reply(found_facts)
    head, _, below = written.partition("\n")
    if path == "driver.version" and head.strip() == "driver_version":  # of --query-gpu=driver_version, one line for each GPU
        return Reply(_document(path, _version(path, below.split("\n")[-1].strip())))
    return Reply({}, text)


def _printed(path: str, written: str, command: str) -> Reply | None:
    """The content of one printed line, for facts whose value may be any text; ``None`` if the line is the value itself."""
    if path == "python.shadowing_file":
        # The question's command prints the path of the real module too.
        return Reply(_document(path, None)) if _INSTALLED.search(written) else None
    if path == "python.broken_distribution":
        if not _ROW.fullmatch(written):
            return None
        return Reply({}, _with_command(written, command or "python -m pip list"))
    if path != "gpus" and not path.startswith("env."):
        return None
    said = _facts_of(written)
    if path == "gpus" and "driver.state" in said:
        return Reply({}, _with_command(written, command))
    listed = path == "gpus" and "," in written and not _NAME_AND_CAPABILITY.fullmatch(written)
    return Reply(_nested(said)) if path in said and not listed else None


def _with_command(written: str, command: str) -> str:
    """An output below its command; a list of packages that ``grep`` left without its heading gets the heading back."""
    if _LISTS_PACKAGES.search(command) and not _HEADING.search(written) and _ROW.search(written):
        written = f"Package Version\n------- -------\n{written}"
    return (f"$ {command}\n" if command else "") + written


def _facts_in(path: str, written: str) -> Json:
    """The facts of an output, if they include the requested fact or the reason why there is none."""
    module = _missing_module(written)
    if path == f"packages.{module}":
        return _document(path, None)
    said = _facts_of(written)
    if path in said or (path.startswith("driver.") and "driver.state" in said):
        return _nested(said)
    return {}


def _missing_program(written: str) -> str:
    found = _PROGRAM_MISSING.search(written[:2000])
    return (found[1] or found[2] or found[3]).rpartition("/")[2] if found else ""


def _missing_module(written: str) -> str:
    """The package of the last module that an import or pip did not find."""
    found = _MODULE_MISSING.search(written[-2000:])
    if not found:
        return ""
    name = (found[1] or found[2]).rstrip(".")
    return _IMPORT_NAMES.get(name, name).lower()


def _without_program(path: str, kind: str, program: str) -> Json:
    if program == "nvidia-smi":
        # nvidia-smi comes with the driver, so a machine without it has no driver.
        return _NO_DRIVER if kind == OUTPUT or path in ("gpus", "driver.state", "driver.version") else _nested({path: None})
    return {} if kind == OUTPUT else _document(path, None)


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


def _value(path: str, written: str, kind: str, types: dict[str, str]) -> object:
    if path == "gpus":
        return _gpus(path, written)
    if kind == "boolean":
        return _boolean(path, written)
    if kind == "choice":
        return _choice(path, written, choices_of(path, types))
    if kind == "number":
        return _number(path, written, types[path])
    if types.get(path) in _LISTS:
        return _list(path, written, types[path])
    return _version(path, written) if kind == "version" else _text(path, written)


def _list(path: str, written: str, kind: str) -> list[typing.Any]:
    if kind == "integers":
        return [_number(path, part, "integer") for part in written.replace(",", " ").split()]
    return [part.strip() for part in written.replace("\n", ",").split(",") if part.strip()]


def _gpus(path: str, written: str) -> list[Json]:
    """GPUs by name, by compute capability, or just their number."""
    if written.isascii() and written.isdigit():
        if int(written[:9]) > _MOST_GPUS:
            raise ReplyError(f"{path}: expected a GPU's name or a number of GPUs up to {_MOST_GPUS}, got {_shown(written)}")
        return [{} for _ in range(int(written))]
    if _CAPABILITY.fullmatch(written):
        return [{"compute_capability": written}]
    if written.lower() in _YES:
        raise ReplyError(f"{path}: expected the name of the GPU, got {_shown(written)}; {_hint()}")
    return [{"name": name.strip()} for name in written.split(",") if name.strip()]


def _boolean(path: str, written: str) -> bool:
    try:
        return _YES[written.lower()]
    except KeyError:
        raise ReplyError(f"{path}: expected yes or no, got {_shown(written)}; leave it empty if you do not know") from None


def _choice(path: str, written: str, choices: list[str]) -> str:
    if written.lower() not in choices:
        raise ReplyError(f"{path}: expected one of {', '.join(choices)}, got {_shown(written)}")
    return written.lower()


def _number(path: str, written: str, kind: str) -> int | float:
    expected = "an integer" if kind == "integer" else "a number"
    absent = f"; {_hint()}" if may_be_absent(path, "number") else ""
    try:
        number = _parsed_number(path, written, kind)
    except (ValueError, OverflowError):
        raise ReplyError(f"{path}: expected {expected}, got {_shown(written)}{absent}") from None
    least, most = next((least, most) for ending, least, most in _RANGES if path.endswith(ending))
    if path == "python.bits" and number not in (32, 64):
        raise ReplyError(f"{path}: expected 32 or 64, got {_shown(written)}")
    if not least <= number <= most:
        bounds = f"from {least:g} to {most:g}" if most < _LARGEST else f"of at least {least:g}"
        raise ReplyError(f"{path}: expected {expected} {bounds}, got {_shown(written)}")
    return number


def _parsed_number(path: str, written: str, kind: str) -> int | float:
    found = _THOUSANDS.match(written)
    if found:
        written = found[0].replace(",", "") + written[found.end() :]
    elif path.endswith("_mib"):
        written = written.replace(",", ".")
    if path.endswith("exit_code"):
        written = written.lower().removeprefix("exit code").strip(" :=")
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
    if path == "host.cgroup_limit_mib" and number >= _BYTES:
        number = round(number / (1 << 20), 3)  # memory.max gives bytes
    return number


def _version(path: str, written: str) -> str:
    found = _VERSION.fullmatch(written) or _VERSION_AND_PLACE.fullmatch(written)
    if not found:
        raise ReplyError(f"{path}: expected a version such as {example(path)}, got {_shown(written)}; {_hint()}")
    version: str = found[1]
    if path in MAJORS:
        _check_major(path, version, written)
    return version


def _check_major(path: str, version: str, written: str) -> None:
    least, most, good = MAJORS[path]
    digits, _, rest = version.partition(".")
    python_2 = path == "python.version" and digits == "2" and rest.partition(".")[0] not in _MINORS_OF_PYTHON_2
    if python_2 or (digits.isdigit() and not least <= int(digits[:9]) <= most):
        other = "; nvidia-smi's CUDA Version is not the driver's" if path == "driver.version" and int(digits[:9]) < 30 else ""
        raise ReplyError(f"{path}: {_shown(written)} is not a version that this can have; expected one such as {good}{other}")


def _text(path: str, written: str) -> str:
    if written.lower() in _YES and not path.startswith("env."):
        raise ReplyError(f"{path}: expected a value, got {_shown(written)}; {_hint()}")
    return written


def _hint() -> str:
    return f"say '{NOT_THERE}' if it is absent"


def _shown(written: str) -> str:
    return repr(written[:60])
