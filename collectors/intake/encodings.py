"""Decode the bytes of a text: UTF-8, and UTF-16 as Windows PowerShell writes it, with or without a byte order mark."""

import codecs


def decode(content: bytes) -> tuple[str, list[str]]:
    """The text, and sentences about what could not be read.

    A byte that belongs to no character becomes U+FFFD, so every line stays. NUL characters are left out: a machine that
    lost power leaves blocks of them in its logs.
    """
    encoding = _encoding(content)
    notes = []
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        text = content.decode(encoding, "replace")
        name = "UTF-16" if encoding.startswith("utf-16") else "UTF-8"
        places = text.count("\ufffd")
        shown = "1 place is" if places == 1 else f"{places} places are"
        notes.append(f"The text is not valid {name} from byte {error.start} on; {shown} shown as \ufffd.")
    return text.replace("\x00", ""), notes


def _encoding(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if content.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    return _without_mark(content)


def _without_mark(content: bytes) -> str:
    encoding = utf_16_without_mark(content[:4096])
    if encoding:
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            return "utf-8"
    return encoding or "utf-8"


def utf_16_without_mark(head: bytes) -> str:
    """``utf-16-le`` or ``utf-16-be`` if every second byte is NUL, as in English text of that encoding; else empty."""
    head = head[: len(head) & ~1]
    if len(head) < 8:
        return ""
    low, high = head[::2], head[1::2]
    for encoding, zeros, letters in (("utf-16-le", high, low), ("utf-16-be", low, high)):
        if zeros.count(0) >= 0.9 * len(zeros) and letters.count(0) <= 0.1 * len(letters):
            return encoding
    return ""
