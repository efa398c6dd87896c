"""JSON from outside, read without guessing: no duplicate keys, no NaN, no half characters, no endless nesting."""

import itertools
import json
import typing

import orjson

from tfhelp.kb.json_numbers import NumberError, finite, refuse_constant


class JsonError(ValueError):
    """Text that is not acceptable JSON. The message says what is wrong and where."""


MOST_OBJECTS = 100_000
"""Most objects in one document. An object of two bytes takes hundreds of bytes of memory."""


def parse(text: str) -> typing.Any:
    """Parse one JSON document.

    Raises:
        JsonError: it is not JSON, could not be sent back as it came, or has too many objects.
    """
    count = itertools.count(1)

    def counted(pairs: list[tuple[str, typing.Any]]) -> dict[str, typing.Any]:
        if next(count) > MOST_OBJECTS:
            raise JsonError(f"not acceptable: more than {MOST_OBJECTS:,} objects")
        return _object(pairs)

    try:
        document = json.loads(text, object_pairs_hook=counted, parse_constant=refuse_constant, parse_float=finite)
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise JsonError("not acceptable: nested too deeply") from None
    except JsonError:
        raise
    except NumberError as error:
        raise JsonError(str(error)) from None
    except ValueError:
        # The only other error from json is an integer with more digits than Python converts.
        raise JsonError("not acceptable: an integer has too many digits") from None
    return document


def parse_bytes(data: bytes) -> typing.Any:
    """Parse one JSON document from a body, which is UTF-8 by the standard (RFC 8259).

    Raises:
        JsonError: as for ``parse``, or the bytes are not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8: byte {error.start} (0x{data[error.start]:02x})") from None
    return parse(text)


def lone_surrogate(text: str) -> int | None:
    """Position of a lone surrogate (half of a character, which ``\\ud800`` in JSON makes), or ``None``."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return error.start
    return None


def dump(document: object) -> bytes:
    """A document as compact UTF-8 JSON. UTF-8 cannot hold half a character, so that is written as its escape."""
    try:
        # For an answer of 30 KB, json takes 0.55 ms, a tenth of what the diagnosis takes; orjson takes 0.03 ms.
        return orjson.dumps(document)
    except orjson.JSONEncodeError:  # half a character
        text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")


def _object(pairs: list[tuple[str, typing.Any]]) -> dict[str, typing.Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise JsonError(f"the key {_first_duplicate(pairs)[:60]!r} occurs twice in one object")
    return result


def _first_duplicate(pairs: list[tuple[str, typing.Any]]) -> str:
    """The first duplicate key. Each key is checked only once, since an object may have a million keys."""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no key occurs twice")
