"""What people said of kept answers, as cases for ``tfhelp eval``: the lines of ``tfhelp memory export``."""

import typing

Json = dict[str, typing.Any]

FORMAT = "tfhelp-memory"


def is_export(line: Json) -> bool:
    """Whether this is the first line of an exported memory."""
    return line.get("format") == FORMAT


def case_of(incident: Json) -> Json | None:
    """The case that a kept diagnosis makes; ``None`` where nobody said what it was.

    The newest word that names the right answer counts: "it helped" means the entry that was answered, and a cause that somebody
    names means that one's entry. Of the text only the condensed failure is kept, without the facts, so no cause is asked.
    """
    for said in sorted(incident.get("feedback") or [], key=lambda row: -row.get("at", 0.0)):
        named = str(said.get("cause") or "").partition("/")[0]
        entry = named or (incident.get("entry") if said.get("said") == "helped" else None)
        if entry and incident.get("condensed"):
            return {"id": str(incident.get("uid", ""))[:12], "text": incident["condensed"], "entry": entry}
    return None
