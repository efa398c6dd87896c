"""The content inside a line: the message of a JSON logger, a notebook's error as JSON, strings with escaped line ends.

>>> message_of('{"level": "info", "msg": "Epoch 1/5", "ts": 1.5}')
'Epoch 1/5'
>>> message_of('{"log": "Killed\\\\n", "stream": "stderr", "time": "2026-11-22T09:41:02Z"}')
'Killed'
>>> message_of('{"cluster": {"worker": ["a:1"]}}') is None
True
"""

from tfhelp.collectors.lazy_pattern import Pattern

_MESSAGES = ("message", "msg", "log", "text", "textPayload", "event")
_STACKS = ("stack", "traceback", "exc_info", "exception", "stack_trace")
_NESTED = ("jsonPayload", "record")
_LONGEST = 1 << 20  # characters of a line; a longer one is data
_MOST_BRACES = 400  # a log record is flat; a deep one would make the parser recurse


_ESCAPE = Pattern(r"""\\(u001b|x1b|[nrt"'\\])""")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "u001b": "\x1b", "x1b": "\x1b"}
_OF_WINDOWS = Pattern(r'\s*(?:File "|PS |\(.{1,40}\) )?[A-Za-z]:\\')  # "\n" begins the name of a folder in it


def message_of(text: str) -> str | None:
    """The message inside a JSON object, or ``None`` if the line holds none."""
    if text[:1] != "{" or not text.endswith("}") or len(text) > _LONGEST or not _has_key(text):
        return None
    import json  # rarely needed

    try:
        document = json.loads(text) if text.count("{") + text.count("[") < _MOST_BRACES else None
    except (ValueError, RecursionError):
        return None
    return _said(document) if isinstance(document, dict) else None


def _has_key(text: str) -> bool:
    return any(f'"{key}"' in text for key in _MESSAGES) or any(f'"{key}"' in text for key in _STACKS)


def _said(document: dict[str, object]) -> str | None:
    nested = next((inner for key in _NESTED if isinstance(inner := document.get(key), dict)), None)
    if nested:
        document = {**document, **nested}
    message = next((value for key in _MESSAGES if isinstance(value := document.get(key), str)), None)
    stack = next((value for key in _STACKS if isinstance(value := document.get(key), str) and "\n" in value), None)
    if stack is None:
        return None if message is None else message.removesuffix("\n")
    # In a notebook's error the message is repeated at the end of the stack; in a logger's record it precedes the stack.
    return stack if message is None or message in stack else f"{message}\n{stack}"


def unescaped(text: str) -> str | None:
    r"""A line of JSON or Python source that holds a text with ``\n`` for line ends, or ``None`` for any other line."""
    if text.count("\\n") < 2 or ('"' not in text and "'" not in text) or _OF_WINDOWS.match(text):
        return None
    text = text.strip().removeprefix("b")
    if text[:1] in ("'", '"') and text[-1] == text[0]:
        text = text[1:-1]
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)
