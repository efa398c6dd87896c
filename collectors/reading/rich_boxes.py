"""Tracebacks in boxes, as the library Rich and the programs that use it draw them, rewritten as Python prints them.

>>> box = ["╭─ Traceback (most recent call last) ─╮", "│ /a/b.py:2 in <module>               │", "│ ❱ 2 f(x)                            │",
...        "╰─────────────────────────────────────╯"]
>>> [text for _, text in unboxed(list(enumerate(box, 1)))]
['Traceback (most recent call last):', '  File "/a/b.py", line 2, in <module>', '    f(x)']
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern

Numbered = list[tuple[int, str]]

TITLE = "Traceback (most recent call last)"
CORNERS = ("╭", "┌─", "+--")
"""One of them begins a box."""

_TOP = Pattern(r"\s*[╭┌+][─-]+ Traceback \(most recent call last\) [─-]+[╮┐+]\s*$")
_BOTTOM = Pattern(r"\s*[╰└+][─-]+[╯┘+]\s*$")
_SIDES = Pattern(r"\s*[│|] (?P<inside>.*)[│|]\s*$")
_HEAD = Pattern(r"(?P<file>\S.{0,1000}):(?P<line>\d{1,9}) in (?P<function>\S.{0,200})$")
_POINTED = Pattern(r"[❱>] {1,8}\d{1,9} (?:│ {3})*(?P<source>.*)$")  # the lines before the code show its indentation
_WORD_ENDS = Pattern(r":\d{1,9}$")  # a full line that ends between the words of a head: a.py:12 | in f
_LOCALS = ("  ╭", "  │", "  ╰")  # a box with the local variables, to the right of the code
_LONGEST_HEAD = 1_200  # characters


def unboxed(numbered: Numbered) -> Numbered:
    """The lines, with each box replaced by a plain traceback: its calls, and of the code only the line that was called.

    Args:
        numbered: lines with their numbers. They have no ANSI codes.
    """
    if not any(TITLE in text and _TOP.match(text) for _, text in numbered):
        return numbered
    plain: Numbered = []
    box: _Box | None = None
    for number, text in numbered:
        if box is None:
            box = _Box() if _TOP.match(text) else None
            plain.append((number, f"{TITLE}:" if box else text))
        elif _BOTTOM.match(text):
            box = None
        elif sides := _SIDES.match(text):
            plain += [(number, line) for line in box.read(sides["inside"])]
        else:  # it is not the whole box
            box = None
            plain.append((number, text))
    return plain


class _Box:
    """Reads the lines inside a box, one after the other."""

    def __init__(self) -> None:
        self._head = ""
        self._is_full = False

    def read(self, inside: str) -> typing.Iterator[str]:
        """The lines of a plain traceback that this line completes."""
        text = inside.rstrip()
        if pointed := _POINTED.match(text):
            self._head = ""
            source = pointed["source"]
            for edge in _LOCALS:
                source = source.partition(edge)[0]
            yield f"    {source.strip()}"
        elif not text or (text[0] in " ╭│╰" and not (self._is_full and text.startswith(" in "))):
            self._head = ""
        else:
            # A long path is cut at the width of the box; otherwise the head is wrapped between its words.
            between = _WORD_ENDS.search(self._head) if text.startswith("in ") or text == "in" else self._head.endswith(" in")
            is_cut = self._is_full and not between
            self._head += text if is_cut or not self._head else f" {text}"
            self._is_full = len(text) >= len(inside) - 1
            if len(self._head) <= _LONGEST_HEAD and (head := _HEAD.match(self._head)):
                self._head = ""
                yield f'  File "{head["file"]}", line {head["line"]}, in {head["function"]}'
