"""Names in a text that the user chose: the folders of an environment or a project, and the user's own files.

They do not show what failed. An environment called ``tensorflow`` may hold a script that fails in another library, and a script
called ``lr_scheduler.py`` may fail in Keras.
"""

import functools
import re
import typing

_LONGEST = 1_000  # characters of a path
_QUOTED = 'file "'
_ROOTS = ("/", "\\", "~")


def is_chosen(text: str, place: int) -> bool:
    """Return whether a place in a text lies within a chosen name, in a path of Python's.

    In the path of an installed package, of the standard library or of TensorFlow's own sources, everything before them is chosen. In
    the path of any other Python file, everything is.

    Args:
        text: of a record.
        place: an offset in the text.

    >>> path = 'File "/envs/keras/lib/python3.11/site-packages/torch/a.py", line 3'
    >>> is_chosen(path, path.index("keras")), is_chosen(path, path.index("torch"))
    (True, False)
    """
    first, after = _path_around(text, place)
    root = 3 if text[first + 1 : first + 3] == ":\\" else int(text[first : first + 1] in _ROOTS)  # a root has no name
    return first + root <= place < first + _length_of_chosen(text[first:after], text[after : after + 1] == '"')


def _path_around(text: str, place: int) -> tuple[int, int]:
    """The start and the end of the path around a place: up to the quotation marks of a traceback's frame, or up to a space or a line's end."""
    before, after = text[max(0, place - _LONGEST) : place], text[place : place + _LONGEST]
    quote = before.rfind('"') + 1
    if before[:quote].lower().endswith(_QUOTED):
        return place - len(before) + quote, place + (after.find('"') if '"' in after else len(after))
    gap = max(quote, before.rfind(" ") + 1, before.rfind("\n") + 1)
    ends = [found for mark in ' \n"' if (found := after.find(mark)) >= 0]
    return place - len(before) + gap, place + min(ends, default=len(after))


def _length_of_chosen(path: str, quoted: bool) -> int:
    known = _not_the_users().search(path)
    if known:
        return known.start()
    ends = path.lower().rfind(".py")
    if ends < 0 or not ("/" in path or "\\" in path):
        return 0
    return len(path) if quoted else ends + len(".py")


@functools.cache
def _not_the_users() -> typing.Pattern[str]:
    """Where the part of a path begins that the user did not name."""
    return re.compile(
        r"(?:site|dist)-packages[/\\]"
        r"|lib(?:64)?[/\\]python[23]\.\d{1,2}[/\\](?!.{0,300}(?:site|dist)-packages[/\\])"
        r"|(?<=[/\\])lib[/\\](?!.{0,300}(?:site|dist)-packages[/\\])"
        r"|(?:tensorflow(?:_core)?|keras|tf_keras)[/\\]{1,2}(?:python|src|core|compiler|engine|layers|models|utils|saving|backend)[/\\]"
        r"|__autograph_generated_file",
        re.IGNORECASE,
    )
