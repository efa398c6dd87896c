"""Which program C++ code belongs to: by the namespaces of an exception and of stack frames, and by the form of a log line."""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb import origin_names as names

_THROWN = Pattern(r"terminate called after throwing an instance of [`'‘]([A-Za-z_]\w{0,60})::")
_FRAME = Pattern(r"(?:^|\s)#?\d{1,3} {1,4}([A-Za-z_]\w{0,60})::\w")
# glog and absl write the month and the day before the time, and the file without its folder. TensorFlow does not initialise its
# logging, so in this form it writes 0000.
_DATED = Pattern(r"[IWEF](?:0[1-9]|1[0-2])[0-3]\d \d\d:\d\d:\d\d\.\d{6} {1,8}\d{1,10} [\w-]{1,80}\.(?:cc|cpp|cu|h):\d{1,6}\]")


def thrown_by(text: str) -> str | None:
    """The origin of an exception of C++ that nothing caught, or ``None`` if its namespace does not show it.

    >>> thrown_by("terminate called after throwing an instance of 'c10::Error'")
    'library:c10'
    """
    found = _THROWN.match(text)
    return f"library:{found[1]}" if found and found[1] not in names.NAMESPACES else None


def of_native_frames(text: str) -> str | None:
    """The origin of a numbered stack of C++ calls: the first namespace, unless one of them is in TensorFlow's build too.

    >>> of_native_frames("0 paddle::framework::SignalHandle(char const*, int) 1 paddle::platform::GetCurrentTraceBackString()")
    'library:paddle'
    """
    found = [frame[1] for frame in _FRAME.finditer(text)]
    return f"library:{found[0]}" if found and names.NAMESPACES.isdisjoint(found) else None


def is_dated(text: str) -> bool:
    """Return whether a C++ program that initialised its logging (glog or absl) wrote a log line. TensorFlow does not initialise it."""
    return _DATED.match(text) is not None
