"""The calls of a traceback, as Python, IPython, Jupyter and the fault handler print them.

>>> frames_of(['  File "/a/train.py", line 3, in main', "    fit(x)"])
[Frame(file='/a/train.py', line=3, function='main', source='fit(x)')]
>>> frames_of(["Cell In[3], line 2", "      1 x = 1", "----> 2 fit(x)"])
[Frame(file='Cell In[3]', line=2, function='', source='fit(x)')]
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.text import Frame

_PYTHON = Pattern(r'\s*File "([^"]{1,1000})", line (\d{1,9})(?:,? in (.{0,200}))?')
_CELL = Pattern(r"\s*((?:Cell |Input )?In ?\[[\d*]{0,9}\])(?:, line (\d{1,9}))?(?:, in ([^\s(]{1,200}))?")
# "File ~/x.py:12, in f(a)" of IPython 8; "~/x.py in f(a)" and "<ipython-input-1-2f> in <module>" of older releases.
_NOTEBOOK = Pattern(r"\s*(?:File )?((?:[~/<]|[A-Za-z]:[/\\])[^\s:]{0,1000}):(\d{1,9})(?:, in ([^\s(]{1,200}))?")
_OLD_NOTEBOOK = Pattern(r"\s*((?:[~/<.]|[A-Za-z]:[/\\])\S{0,1000}) in ([^\s(]{1,200})")
_POINTED = Pattern(r"[-=]{2,12}> ?(\d{1,9}) ?(.{0,400})")
_LONGEST_SOURCE = 400


def frames_of(lines: typing.Iterable[str], innermost_first: bool = False) -> list[Frame]:
    """The calls, outermost first.

    Args:
        lines: the clean lines of a traceback without its exception.
        innermost_first: whether the lines are in faulthandler's order, with the most recent call first.
    """
    frames: list[Frame] = []
    for text in lines:
        frame = _frame(text)
        if frame is not None:
            frames.append(frame)
        elif frames:
            frames[-1] = _with_source(frames[-1], text)
    return frames[::-1] if innermost_first else frames


def _frame(text: str) -> Frame | None:
    found: re.Match[str] | None
    if 'File "' in text:
        found = _PYTHON.match(text)
        return Frame(found[1], int(found[2]), found[3] or "", "") if found else None
    if "In" in text and (found := _CELL.match(text)):
        return Frame(found[1], int(found[2] or 0), found[3] or "", "")
    if ":" in text and (found := _NOTEBOOK.match(text)):
        return Frame(found[1], int(found[2]), found[3] or "", "")
    if " in " in text and (found := _OLD_NOTEBOOK.match(text)):
        return Frame(found[1], 0, found[2], "")
    return None


def _with_source(frame: Frame, text: str) -> Frame:
    pointed = _POINTED.match(text)
    if pointed:
        return frame._replace(line=int(pointed[1]), source=pointed[2].strip())
    stripped = text.strip()
    if frame.source or not stripped or not text[:1].isspace() or not stripped.strip("~^-") or stripped[0].isdigit():
        return frame
    return frame._replace(source=stripped[:_LONGEST_SOURCE])
