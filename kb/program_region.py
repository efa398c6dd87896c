"""The marked region of a program: the part that users see, between ``# --- shown`` and ``# --- end``."""

import re
import textwrap

_BEGIN = re.compile(r"[ \t]*# --- (?P<name>[\w-]+)[ \t]*")


class RegionError(ValueError):
    """A region is missing, empty, duplicated or not closed. The message names it and, if there is one, the line."""


def region(text: str, name: str = "shown") -> str:
    """The lines between ``# --- <name>`` and ``# --- end``, dedented, without blank lines at either end.

    Args:
        text: a whole source file; each marker is on its own line, at any indentation.
        name: the region's name; a file may have several, one after another.

    Raises:
        RegionError: no such region, two of that name, one inside another, one that is empty or never ends.
    """
    found: list[str] | None = None
    open_name, open_line = "", 0
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        marker = _BEGIN.fullmatch(line)
        if marker is None:
            lines.append(line)
        elif marker["name"] == "end":
            if not open_name:
                raise RegionError(f"line {number}: '# --- end' closes no region")
            if open_name == name:
                if found is not None:
                    raise RegionError(f"line {open_line}: a second region '{name}'")
                found = list(lines)  # a copy: the lines after the region are added to the same list
            open_name = ""
        elif open_name:
            raise RegionError(f"line {number}: region '{marker['name']}' begins before '{open_name}' has ended")
        else:
            open_name, open_line, lines = marker["name"], number, []
    if open_name:
        raise RegionError(f"line {open_line}: region '{open_name}' has no '# --- end'")
    if found is None:
        raise RegionError(f"no region '# --- {name}' ... '# --- end'")
    shown = textwrap.dedent("\n".join(found)).strip("\n")
    if not shown.strip():
        raise RegionError(f"region '{name}' is empty")
    return shown
