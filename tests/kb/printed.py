"""Every command that an answer can print, filled in as it is when no fact is known, and its parts."""

import functools
import re
import shlex
import typing

from tfhelp.kb import compiled
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.fixes import fill_fix

Json = dict[str, typing.Any]

SHELLS = ("shell", "cmd", "powershell")
# What the reader fills in, for example <your TensorFlow version>. A shell would take it for a redirection.
PLACEHOLDER = "PLACEHOLDER"
_PLACEHOLDER = re.compile(r"<[A-Za-z][^<>|&\n]{1,80}>")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_COMMENT = re.compile(r"(?m)(?:^|[ \t]+)#[^\n]*$")
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_BEFORE_A_COMMAND = ("sudo", "nohup", "then", "do", "else", "if", "export")
_SHOWN_IN_WORDS = ("python", "python3", "pip", "nvidia-smi", "tfhelp")


class Printed(typing.NamedTuple):
    """Code that people are shown.

    ``place``: entry, cause and where in the cause. ``language``: ``shell``, ``cmd``, ``powershell``, ``python``, ``yaml`` ...;
    ``span`` for a command in the middle of a sentence.
    """

    place: str
    language: str
    code: str


@functools.cache
def printed() -> tuple[Printed, ...]:
    """All commands and snippets of all entries, without duplicates in one place."""
    knowledge = compiled.load()
    found: dict[Printed, None] = {}
    for identifier in knowledge.entries():
        entry = knowledge.entry(identifier)
        for part in _of_entry(entry):
            found[part] = None
        for cause in entry["causes"]:
            for part in _of_cause(f"{identifier}/{cause['id']}", cause):
                found[part] = None
    return tuple(found)


def of(*languages: str) -> list[Printed]:
    """The code in these languages."""
    return [one for one in printed() if one.language in languages]


def _of_entry(entry: Json) -> typing.Iterator[Printed]:
    command = (entry.get("told_by") or {}).get("command")
    if command:
        yield Printed(f"{entry['id']}.told_by", "shell", without_placeholders(command))
    yield from _spans(f"{entry['id']}.means", entry["means"])


def _of_cause(place: str, cause: Json) -> typing.Iterator[Printed]:
    for number, check in enumerate(cause["checks"]):
        unknown = check.get("if_unknown") or {}
        if unknown.get("command"):
            yield Printed(f"{place}.checks.{number}", "shell", without_placeholders(unknown["command"]))
        yield from _spans(f"{place}.checks.{number}", unknown.get("ask", ""))
    fix = fill_fix(cause, FactSheet())
    for number, (step, raw) in enumerate(zip(fix["steps"], cause["fix"]["steps"], strict=True)):
        yield from _of_step(f"{place}.steps.{number}", typing.cast("Json", step), raw)
    for name in ("summary", "verify", "undo", "wrong_when"):
        yield from _spans(f"{place}.{name}", typing.cast("Json", fix).get(name) or "")
    yield from _spans(f"{place}.means", cause["means"])


def _of_step(place: str, step: Json, raw: Json) -> typing.Iterator[Printed]:
    for action in (step, *step.get("one_of", ())):
        if "snippet" in action:
            code = action["snippet"]["code"]
            yield Printed(place, action["snippet"]["language"], without_placeholders(code))
        yield from _spans(place, action["say"] + " " + action.get("why", ""))
    for action in (raw, *raw.get("one_of", ())):
        for shell, code in action.get("shells", {}).items():
            yield Printed(place, shell, without_placeholders(_default_of_holes(code)))


def _default_of_holes(code: str) -> str:
    from tfhelp.kb import templates

    return templates.fill(code, lambda _: None)


def _spans(place: str, text: str) -> typing.Iterator[Printed]:
    """Commands in the middle of a sentence. A name alone is not a command, and dots stand for what the reader knows."""
    for code in _CODE_SPAN.findall(text):
        words = code.split()
        if len(words) > 1 and words[0] in _SHOWN_IN_WORDS and "..." not in code:
            yield Printed(place, "span", without_placeholders(code))


def without_placeholders(code: str) -> str:
    """The code with a word in place of each ``<what the reader knows>``."""
    return _PLACEHOLDER.sub(PLACEHOLDER, code)


class Command(typing.NamedTuple):
    """One command of a shell line: its environment variables and its words."""

    variables: dict[str, str]
    words: list[str]


def commands(code: str) -> list[Command]:
    """The simple commands of a POSIX shell text, split at ``;``, ``&``, ``|``, parentheses and line ends.

    Raises:
        ValueError: a quotation does not end.
    """
    plain = _COMMENT.sub("", code.replace("\\\n", " "))
    lexer = shlex.shlex(plain, posix=True, punctuation_chars="();<>|&\n")
    lexer.commenters = ""
    lexer.whitespace = " \t"
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if word and set(word) <= set("();|&\n"):
            found.append([])
        else:
            found[-1].append(word)
    return [_command(words) for words in found if words]


def _command(words: list[str]) -> Command:
    variables: dict[str, str] = {}
    while words:
        assignment = _ASSIGNMENT.fullmatch(words[0])
        if assignment:
            variables[assignment[1]] = assignment[2]
        elif words[:2] == ["env", "-u"]:
            variables[words[2]] = ""
            words = words[2:]
        elif words[0] not in _BEFORE_A_COMMAND:
            break
        words = words[1:]
    return Command(variables, words)


def pip_arguments(words: list[str]) -> list[str] | None:
    """The arguments that a command passes to pip; ``None`` if it does not call pip."""
    if words and re.fullmatch(r"(.*[/\\])?python[0-9.]*", words[0]) and words[1:3] == ["-m", "pip"]:
        return words[3:]
    return words[1:] if words and words[0] == "pip" else None
