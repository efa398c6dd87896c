"""The sentences of an explanation, the same at every door. They contain pasted text, which each door escapes as usual."""

import typing

from tfhelp.service.vocabulary import PACKAGES

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Explained, RaisedAt, ReadersLine, Releases

_FILE = 60  # characters of a file's path, from its end


def sentences(found: "Explained") -> list[str]:
    """What is known, one fact a sentence. The first sentence says what raises the message."""
    if "only_place" in found:
        says = [_where(found)]
        if found["releases"]:
            says.append(f"The file of this function exists in {in_words(found['releases'])}.")
    else:
        says = [_who(found), f"The message exists in {in_words(found['releases'])}."]
    if found["values"]:
        says.append("Values: " + "; ".join(f"{value['name']} = {value['text']}" for value in found["values"]) + ".")
    if "your_line" in found:
        says.append(your_line(found["your_line"]))
    return says if "only_place" in found else [*says, *_doubts(found)]


def _where(found: "Explained") -> str:
    """Where a message that no known release has was raised."""
    package, what = PACKAGES[found["package"]], found["exception"]
    if found["only_place"] == "native":
        return f"TensorFlow's C++ code raised this {what}. The Python function that called it is {place(found)}."
    if found["only_place"] == "python":
        return f"Python itself raised this {what} inside {package}, in {place(found)}."
    if found["only_place"] == "beneath":
        return f"Code that {package} called raised this {what}. The call is in {place(found)}."
    known = (
        f"I know this message from {place(found['others'][0])}."
        if found["others"]
        else "No release that I know of has this message."
    )
    return f"This {what} was raised inside {package}, in {place(found)}. {known}"


def your_line(line: "ReadersLine") -> str:
    """The user's own line, and what it called."""
    what = f"called {line['called']}" if line["called"] else "led there"
    return f"Your line {short(line['file'])}:{line['line']} {what}."


def raised_in(found: "Explained") -> str:
    """The place in one line, for an entry that also matches the message.

    The line says where it is raised and since when.
    """
    if "only_place" in found:
        return _where(found)
    if "op" in found:
        return found["says"][0]
    statement = f"{_who(found)} The message exists in {in_words(found['releases'])}."
    return f"{statement} {found['says'][2]}" if "guard" in found else statement


def _who(found: "Explained") -> str:
    package = PACKAGES[found["package"]]
    verb = "raises" if not found["weak"] and (found["confirmed"] or not found["others"]) else "can raise"
    what = f"this {found['exception']}" if found["exception"] else "this message"
    return f"{package} {verb} {what} in {place(found)}."


def place(found: "Explained | RaisedAt") -> str:
    """A function by its public name, if it has one, with its place in the sources."""
    inside = f"{found['module']}.{found['function']}" if found["function"] else found["module"]
    return f"{found['public']} ({inside})" if found["public"] and found["public"] != inside else inside


def _doubts(found: "Explained") -> list[str]:
    says = []
    if found["weak"]:
        says.append("Only a few words of this message are fixed, so it may come from another program.")
    if found["others"] and not found["confirmed"]:
        more = found["other_places"] - len(found["others"])
        listed = [place(other) for other in found["others"]] + ([f"{more} more places"] if more > 0 else [])
        says.append(f"The same message is raised in {_listed(listed)}. The whole traceback shows which one it was.")
    return says


def in_words(rows: "typing.Sequence[Releases]") -> str:
    """Releases in words, by minor version.

    >>> in_words([{"package": "keras", "first": "3.0.5", "last": "3.12.4", "oldest": False, "newest": False}])
    'Keras 3.0 to 3.12'
    >>> in_words([{"package": "tensorflow", "first": "2.10.1", "last": "2.21.0", "oldest": False, "newest": True}])
    'TensorFlow 2.10 to 2.21 (the newest known)'
    >>> in_words([{"package": "tensorflow", "first": "1.15.5", "last": "1.15.5", "oldest": True, "newest": False}])
    'TensorFlow 1.15 or older'
    """
    return _listed([_row(row) for row in rows])


def _row(row: "Releases") -> str:
    first, last = minor(row["first"]), minor(row["last"])
    first += " or older" if row["oldest"] else ""
    span = first if minor(row["first"]) == last else f"{first} to {last}"
    return f"{PACKAGES.get(row['package'], row['package'])} {span}{' (the newest known)' if row['newest'] else ''}"


def minor(version: str) -> str:
    """A release without its patch number."""
    return ".".join(version.split(".")[:2])


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def short(path: str) -> str:
    """The end of a file's path."""
    return path if len(path) <= _FILE else f"\u2026{path[-_FILE:]}"
