"""RE2's patterns, compiled so that a text which makes an automaton large is read more slowly and nothing is logged.

An automaton has 8 MB. A text that needs more of it, as a pattern with ``.{0,1000}`` and its first words at a thousand distances
do, is read by RE2's other machine, which takes time in proportion to the text too.
"""

import typing


def compiled(pattern: str | bytes) -> typing.Any:
    """The compiled pattern.

    Raises:
        re2.error: it is none.
    """
    import re2

    options = re2.Options()
    options.log_errors = False  # a line of a log for each text that a stranger chooses
    return re2.compile(pattern, options)
