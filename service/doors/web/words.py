"""Small parts of the pages' text: inline code, sizes, dates and durations."""

import datetime
import re

from markupsafe import Markup, escape

# The repeat is bounded, so the time is proportional to the length of the text.
_CODE = re.compile(r"`([^`\n]{1,300})`")
_UNITS = ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"))


def inline(text: object) -> Markup:
    """A sentence as HTML, with the text between backticks as code.

    >>> str(inline("set `a<b` & run"))
    'set <code>a&lt;b</code> &amp; run'
    """
    parts = _CODE.split(str(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


def without_code(text: object) -> str:
    """A sentence without its backticks, for a place that does not allow HTML."""
    return _CODE.sub(r"\1", str(text))


def size(count: int) -> str:
    """A number of bytes as file managers write it.

    >>> size(13_100_000), size(400), size(2048)
    ('13.1 MB', '400 bytes', '2 KB')
    """
    for unit, name in ((1_000_000, "MB"), (1_000, "KB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}" if count < 100 * unit else f"{count / unit:,.0f} {name}"
    return f"{count} bytes"


def day(seconds: float) -> str:
    """A date in UTC, from seconds since 1970.

    >>> day(0)
    '1 January 1970'
    """
    when = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return f"{when.day} {when:%B %Y}"


def span(seconds: float | None) -> str:
    """How long an answer is kept: ``a day``, ``30 days``, ``2 hours``; empty if it is kept for ever.

    >>> span(86400), span(7200), span(90 * 86400), span(None)
    ('a day', '2 hours', '90 days', '')
    """
    if seconds is None:
        return ""
    for unit, name in _UNITS:
        if seconds >= unit:
            count = round(seconds / unit)
            article = "an" if name == "hour" else "a"
            return f"{article} {name}" if count == 1 else f"{count} {name}s"
    return "a minute"
