"""Ask the reader on the terminal for the one fact that would decide."""

import sys
import typing

from tfhelp.service.diagnosis.collecting import merge_documents
from tfhelp.service.diagnosis.given import Given
from tfhelp.service.diagnosis.replies import OUTPUT, ReplyError, offer, read_reply

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Question

Json = dict[str, typing.Any]
_MOST_LINES = 2000  # of a pasted output


def ask_back(question: "Question", given: Given, types: dict[str, str]) -> bool:
    """Ask, and put the reply into the facts or behind the text; false when the reader just presses Enter.

    A pasted output of several lines is read until an empty line ends it.
    """
    path: str = question["fact"]
    command: str = question["command"]
    asked = offer(path, types)
    if asked.kind == OUTPUT and not command:
        return False  # a computed fact that no command tells
    print(f"\nOne more fact would decide: {question['why']}", file=sys.stderr)
    if command:
        print(f"    {command}", file=sys.stderr)
    hint = " / ".join(asked.choices) or asked.hint
    while True:
        written = _written(f"{path} ({hint}; Enter to skip): ")
        try:
            reply = read_reply(path, written, types, command)
        except ReplyError as error:
            print(f"  {error}", file=sys.stderr)
            continue
        if reply is None:
            return False
        given.facts = merge_documents(reply.facts, given.facts)
        if reply.text:
            given.text = f"{given.text.rstrip()}\n{reply.text}" if given.text.strip() else reply.text
        return True


def _written(prompt: str) -> str:
    """One line, and the lines that were pasted with it."""
    try:
        lines = [input(prompt)]
        while lines[-1].strip() and len(lines) < _MOST_LINES and _more_waits():
            lines.append(input())
    except EOFError:
        return ""
    return "\n".join(lines)


def _more_waits() -> bool:
    """Whether more of a paste is there to be read: a terminal hands it over line by line, at once."""
    import select

    try:
        return bool(select.select([sys.stdin], [], [], 0.05)[0])
    except (OSError, ValueError):  # Windows selects sockets only
        return False
