"""Ask the person on the terminal for the one fact that would decide."""

import sys
import typing

from tfhelp.kb.fact_sheet import FactError, read_document

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Question

Json = dict[str, typing.Any]
_YES = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


def ask_back(question: "Question", facts: Json, types: dict[str, str]) -> bool:
    """Ask, and put the reply into the facts; false when the person just presses Enter.

    Facts that are computed (``derived.*``) cannot be given, so nothing is asked about them.
    """
    path: str = question["fact"]
    group, _, name = path.partition(".")
    if group == "derived" or not name:
        return False
    print(f"\nOne more fact would decide: {question['why']}", file=sys.stderr)
    if question["command"]:
        print(f"    {question['command']}", file=sys.stderr)
    while True:
        try:
            reply = input(f"{path} (Enter to skip): ").strip()
        except EOFError:
            return False
        if not reply:
            return False
        value = _typed(reply, types.get(path) or types.get(f"{group}.*", "text"))
        try:
            read_document({group: {name: value}}, types)
        except FactError as error:
            print(f"  {error}", file=sys.stderr)
            continue
        facts.setdefault(group, {})[name] = value
        return True


def _typed(reply: str, kind: str) -> bool | int | float | str:
    if kind == "boolean":
        return _YES.get(reply.lower(), reply)
    try:
        return int(reply) if kind == "integer" else float(reply) if kind == "number" else reply
    except ValueError:
        return reply
