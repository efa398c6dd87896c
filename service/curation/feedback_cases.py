"""Turn feedback on kept answers (the lines of ``tfhelp memory export``) into cases for ``tfhelp eval``."""

import typing

Json = dict[str, typing.Any]

FORMAT = "tfhelp-memory"


def is_export(line: Json) -> bool:
    """Return whether this is the first line of an exported memory."""
    return line.get("format") == FORMAT


def case_of(incident: Json) -> Json | None:
    """The case from a kept diagnosis; ``None`` if no feedback says what it was.

    The newest feedback that gives the right answer counts: "it helped" means the answered entry, and a named cause means the
    entry of that cause. Only the condensed failure of the text is kept, without the facts, so the case names no cause.
    """
    for said in sorted(incident.get("feedback") or [], key=lambda row: -row.get("at", 0.0)):
        named = str(said.get("cause") or "").partition("/")[0]
        entry = named or (incident.get("entry") if said.get("said") == "helped" else None)
        if entry and incident.get("condensed"):
            return {"id": str(incident.get("uid", ""))[:12], "text": incident["condensed"], "entry": entry}
    return None
