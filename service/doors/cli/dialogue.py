"""Asks the reader on the terminal for the one fact that would decide."""

import sys
import typing

from tfhelp.service.diagnosis.asking import OUTPUT
from tfhelp.service.diagnosis.collecting import merge_documents
from tfhelp.service.diagnosis.given import Given
from tfhelp.service.diagnosis.replies import read_reply
from tfhelp.service.diagnosis.reply_values import ReplyError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Question

Json = dict[str, typing.Any]
_MOST_LINES = 2000  # lines of a pasted output that are read


def ask_back(question: "Question", given: Given, types: dict[str, str]) -> bool:
    """Ask, and add the reply to the facts or to the end of the text. False if the reader only presses Enter.

    A pasted output of several lines is read until an empty line ends it.
    """
    command: str = question["command"]
    if question["type"] == OUTPUT and not command:
        return False  # a computed fact, and no command prints it
    print(f"\nOne more fact would decide: {question['question']}", file=sys.stderr)
    if command:
        print(f"    {command}", file=sys.stderr)
    while True:
        written = _written(f"{question['fact']} ({_ways(question)}; Enter to skip): ")
        try:
            reply = read_reply(question["fact"], _chosen(written, question), types, command)
        except ReplyError as error:
            print(f"  {error}", file=sys.stderr)
            continue
        if reply is None:
            return False
        given.facts = merge_documents(reply.facts, given.facts)
        if reply.text:
            given.text = f"{given.text.rstrip()}\n{reply.text}" if given.text.strip() else reply.text
        return True


def _ways(question: "Question") -> str:
    """What you may type: ``yes / no``, ``such as 550.54.14 / no driver``."""
    hint = [question["hint"]] if question["hint"] else []
    if hint and question["command"] and question["type"] not in ("output", "boolean", "choice"):
        hint.append("what the command prints")
    return " / ".join([*hint, *(option["label"] for option in question["options"])])


def _chosen(written: str, question: "Question") -> str:
    """The reply that an option's label means; ``y`` is enough for ``yes``."""
    typed = written.strip().lower()
    for option in question["options"]:
        if typed == option["label"].lower() or (question["type"] == "boolean" and typed == option["label"][0]):
            return option["reply"]
    return written


def _written(prompt: str) -> str:
    """One line, and the lines that were pasted with it."""
    try:
        lines = [input(prompt)]
        while lines[-1].strip() and len(lines) < _MOST_LINES and _has_pending_input():
            lines.append(input())
    except EOFError:
        return ""
    return "\n".join(lines)


def _has_pending_input() -> bool:
    """Return whether more of a paste is waiting: a terminal passes a paste on line by line, at once."""
    import select

    try:
        return bool(select.select([sys.stdin], [], [], 0.05)[0])
    except (OSError, ValueError):  # on Windows, select works only with sockets
        return False
