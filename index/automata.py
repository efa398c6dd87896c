"""Compile RE2 patterns. If a text makes an automaton too large, the text is read more slowly and nothing is logged.

An automaton may take 8 MB. Some texts need more, for example a pattern with ``.{0,1000}`` whose first words match at a thousand
distances. RE2 then falls back to its other engine, which also takes time in proportion to the text.
"""

import typing


def compiled(pattern: str | bytes) -> typing.Any:
    """The compiled pattern.

    Raises:
        re2.error: the pattern is invalid.
    """
    import re2

    options = re2.Options()
    options.log_errors = False  # otherwise any text from outside could write a log line
    return re2.compile(pattern, options)
