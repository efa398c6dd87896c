"""Private keys that span lines: between BEGIN and END, even if launchers put words before each line."""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction.frames import without_end

KEY_BEGINS = "PRIVATE KEY"
_MOST_LINES = 400  # lines of a key; the longest in practice have about 100
_TAIL = Pattern(r"(?:^|(?<=[\s>|:\]\"'+-]))([A-Za-z0-9+/=]{4,400})(?:\\n)?[\"',\\+ \t]{0,6}$", re.ASCII)
_LIKE_A_KEY = Pattern(r"[ \t>|]{0,20}(?:[A-Za-z0-9+/=\\]{1,400}|(?:Proc-Type|DEK-Info): .{1,100})\s{0,4}", re.ASCII)
_BEGIN = Pattern(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File|Private-Lines: [0-9]")
_END = Pattern(r"-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:")

Token = typing.Callable[[str, str], str]


def without_private_keys(lines: list[str], token: Token) -> None:
    """Replace the lines of private keys in place; line ends and colours must already be removed."""
    number = 0
    while number < len(lines):
        begin = _BEGIN.search(lines[number])
        if begin:
            behind = lines[number][begin.end() :]
            lines[number], open_ended = _on_one_line(lines[number], token)
            if open_ended:
                # If a logger puts something after the words of BEGIN, it puts it after every line of the key.
                number = _inside(lines, number, behind if behind and not _LIKE_A_KEY.fullmatch(behind) else "", token)
        number += 1


def _inside(lines: list[str], begin: int, behind: str, token: Token) -> int:
    """Replace the lines after a BEGIN; return the number of the last line that belongs to the key."""
    rest = range(begin + 1, min(len(lines), begin + _MOST_LINES))
    end = next((number for number in rest if _END.search(lines[number])), None)
    if end is None:
        end = next((number for number in rest if lines[number].strip() and not _is_of_a_key(lines[number], behind)), rest.stop)
    for number in range(begin + 1, end):
        lines[number] = _replaced(lines[number], behind, token)
    return end - 1 if end == rest.stop else end


def _is_of_a_key(line: str, behind: str) -> bool:
    line = without_end(line, behind)
    tail = _TAIL.search(line)
    return _LIKE_A_KEY.fullmatch(line) is not None or (tail is not None and len(tail[1]) >= 40)


def _replaced(line: str, behind: str, token: Token) -> str:
    body = without_end(line, behind)
    tail = _TAIL.search(body)
    if tail is None or re.search(r"PRIVATE-KEY-[0-9]{1,6}\W{0,8}$", body):
        return line
    return body[: tail.start(1)] + token("PRIVATE-KEY", tail[1]) + line[tail.end(1) :]


def _on_one_line(line: str, token: Token) -> tuple[str, bool]:
    """A key inside a string, with escaped line ends; and whether it continues on the next line."""
    place, open_ended = 0, False
    while begin := _BEGIN.search(line, place):
        end = _END.search(line, begin.end())
        stop = end.start() if end else len(line)
        body = line[begin.end() : stop]
        inner = re.sub(r"(?<!\\)\\+[nr]", " ", body).strip(" \t\r\"',\\")
        open_ended = end is None
        if (
            inner
            and (end or re.fullmatch(r"[A-Za-z0-9+/=\\ ]{8,8000}", inner))
            and not re.fullmatch(r"PRIVATE-KEY-[0-9]{1,6}", inner)
        ):
            behind = body[len(body.rstrip("\"', \t\r")) :] if open_ended else ""
            body = f"\\n{token('PRIVATE-KEY', inner)}\\n{behind}"
        line = line[: begin.end()] + body + line[stop:]
        place = begin.end() + len(body)
        if open_ended:
            break
    return line, open_ended
