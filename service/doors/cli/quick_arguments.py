"""Reads the arguments of a plain ``tfhelp ask`` without argparse: a text, and options without a value.

Everything else, including mistakes, is left to argparse (``tfhelp.service.doors.cli.parsing``). The command itself defines its
options, with the same ``add_arguments``.
"""

import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing


class _Recorder:
    """Takes the place of a command's parser, and records what the command adds."""

    def __init__(self) -> None:
        self.defaults: dict[str, typing.Any] = {}
        self.flags: dict[str, tuple[str, typing.Any]] = {}
        self.positional = ""

    def add_argument(self, *names: str, **how: "typing.Any") -> None:
        """As argparse's method."""
        words = [name for name in names if name.startswith("--")] or list(names)
        dest = how.get("dest") or words[0].lstrip("-").replace("-", "_")
        action = how.get("action", "store")
        if action == "store_true":
            self.flags.update(dict.fromkeys(names, (dest, True)))
        elif action == "store_const":
            self.flags.update(dict.fromkeys(names, (dest, how["const"])))
        elif not names[0].startswith("-"):
            self.positional = dest
        self.defaults.setdefault(dest, how.get("default", False if action == "store_true" else None))


def read(arguments: list[str]) -> "typing.Any":
    """The options of ``ask``, with its ``run`` function as ``run``; ``None`` if argparse must read them."""
    if arguments[:1] != ["ask"] or any(word.startswith(("-h", "--h")) for word in arguments):
        return None
    from tfhelp.service.doors.cli.commands import ask

    known = _Recorder()
    ask.add_arguments(known)  # type: ignore[arg-type]  # add_arguments only adds arguments
    found = types.SimpleNamespace(**known.defaults, run=ask.run)
    for word in arguments[1:]:
        if word in known.flags:
            name, value = known.flags[word]
            setattr(found, name, value)
        elif word.startswith("-") or not word or getattr(found, known.positional) is not None:
            return None
        else:
            setattr(found, known.positional, word)
    return found
