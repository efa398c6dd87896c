"""What a mistyped command, option or value was meant to be. Imported only after a mistake."""

import argparse
import difflib
import re
import typing

_CHOICE = re.compile(r"invalid choice: '([^']{1,80})' \(choose from (.{1,4000})\)\Z", re.DOTALL)
_LIKE = 0.7


def meant(word: str, known: typing.Iterable[str]) -> str:
    """The most similar known word, or one with the same letters; empty if none is similar.

    >>> meant("docter", ["ask", "doctor"]), meant("aks", ["ask", "doctor"]), meant("killed", ["ask", "kb"])
    ('doctor', 'ask', '')
    """
    known = list(known)
    near = difflib.get_close_matches(word, known, 1, _LIKE)
    turned = [name for name in known if len(name) > 2 and sorted(name) == sorted(word)]
    return next(iter([*near, *turned]), "")


def meant_choice(message: str) -> str:
    """``; did you mean 'json'?``, to follow argparse's own message about a value that is not one of the choices."""
    found = _CHOICE.search(message)
    near = meant(found[1], (choice.strip(" '") for choice in found[2].split(","))) if found else ""
    return f"; did you mean {near!r}?" if near else ""


def unexpected(words: list[str], command: str, parser: argparse.ArgumentParser) -> str:
    """A sentence about arguments that the command does not take."""
    first = next((word for word in words if word.startswith("-")), words[0])
    name = first.partition("=")[0]
    hint = f"'tfhelp help {command}' shows what there is."
    if not first.startswith("-"):
        quoted = " Put a text of several words in quotes." if command == "ask" else ""
        return f"{first!r} is one argument too many for 'tfhelp {command}'.{quoted} {hint}"
    known = options_of(parser)
    if name in known:  # of another of the command's actions
        return f"'tfhelp {command}' does not take {name} here. {hint}"
    near = meant(name, known)
    return f"'tfhelp {command}' has no option {name}" + (f"; did you mean {near}? " if near else ". ") + hint


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """The long options of a parser and of the commands inside it."""
    found: list[str] = []
    for action in parser._actions:
        found += [option for option in action.option_strings if option.startswith("--")]
        if isinstance(action, argparse._SubParsersAction):
            found += [option for inner in action.choices.values() for option in options_of(inner)]
    return found
