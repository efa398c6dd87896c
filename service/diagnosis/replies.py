"""Replies to the questions of an answer: one typed parser for the terminal, the form and every other door.

A question asks for a fact. The reply may be a value, "not there" (which is null: looked for and absent), or the whole output of
the question's command. A value that the fact cannot have is rejected with a sentence that says what is accepted.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.service.diagnosis.asking import NOT_THERE, OUTPUT, made_of, may_be_absent, type_of
from tfhelp.service.diagnosis.reply_values import LISTS, YES, ReplyError, shown, value_of, version_of

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
_PROGRAM_MISSING = Pattern(
    r"(?:^|[\s:'\"])([\w./-]{1,80}?)(?:\.exe)?['\"]?(?:: command not found(?!:)|: not found| is not recognized as an? |: No such file or directory)"
    r"|command not found: ([\w./-]{1,80})|The term '([\w./-]{1,80})' is not recognized"
)
_MODULE_MISSING = Pattern(r"No module named '?([\w.]{1,80})|Package\(s\) not found: ([\w.-]{1,80})")
_ALWAYS_THERE = ("python", "python3", "pip", "pip3", "sudo", "bash", "sh", "grep", "echo", "cat", "ls", "find")
_INSTALLED = Pattern(r"[/\\](?:site|dist)-packages[/\\]")
_LISTS_PACKAGES = Pattern(r"\bpip3? list\b")
_HEADING = Pattern(r"(?m)^\s{0,8}Package\s{1,80}Version\b")
_ROW = Pattern(r"(?m)^[A-Za-z][\w.-]{0,80} {1,80}[0-9][\w.!+-]{0,40}(?:\s.{0,300})?$")
_NAME_AND_CAPABILITY = Pattern(r"[^,]{2,80}, ?[0-9]{1,2}\.[0-9](?:, ?[0-9.]{1,20})?")
_LONGEST = 300  # characters of a value; a longer reply is taken for a command's output
_NO_LIMIT = Pattern(r"[0-9]{16,20}")  # memory.limit_in_bytes without a limit
_IMPORT_NAMES = {"google.protobuf": "protobuf", "google": "protobuf", "tf_keras": "tf-keras"}  # module -> package


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
        return Reply(_document(path, value_of(path, written, kind, types)))
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
    if path in types and types[path] in LISTS:
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
        if written.lower() in YES:
            raise ReplyError(f"{path}: paste what the command prints, not {shown(written)}")
        return Reply({}, text)
    found_facts = _facts_in(path, written) or _facts_in(path, text)
    if found_facts:
        return Reply(found_facts)
    head, _, below = written.partition("\n")
    if path == "driver.version" and head.strip() == "driver_version":  # of --query-gpu=driver_version, one line for each GPU
        return Reply(_document(path, version_of(path, below.split("\n")[-1].strip())))
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
