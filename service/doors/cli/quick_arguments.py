"""The arguments of a plain ``tfhelp ask``, read without argparse: a text, and options that take no value.

Everything else, a mistake included, is left to argparse (``tfhelp.service.doors.cli.parsing``). What options there are, the command
says itself, by the same ``add_arguments``.
"""

import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing


class _Recorder:
    """Stands where a command has its parser, and takes down what the command adds."""

    def __init__(self) -> None:
        self.defaults: dict[str, typing.Any] = {}
        self.flags: dict[str, tuple[str, typing.Any]] = {}
        self.positional = ""

    def add_argument(self, *names: str, **how: "typing.Any") -> None:
        """As argparse's."""
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
    """The options of ``ask`` with the function that runs it as ``run``; ``None`` where argparse must read them."""
    if arguments[:1] != ["ask"] or any(word.startswith(("-h", "--h")) for word in arguments):
        return None
    from tfhelp.service.doors.cli.commands import ask

    known = _Recorder()
    ask.add_arguments(known)  # type: ignore[arg-type]  # it adds arguments, and nothing else
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
