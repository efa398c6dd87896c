"""Show what a change to the knowledge base affects: each of its own cases is answered with two compiled files."""

from tfhelp.kb import compiled
from tfhelp.kb.load import load_entries
from tfhelp.service.curation.own_cases import own_cases
from tfhelp.service.diagnosis.diagnoser import Diagnoser


def moved(old_path: str, new_path: str) -> list[str]:
    """One line for each case whose answer differs.

    The vectors belong to one knowledge base, so both are compared without them.

    Raises:
        tfhelp.kb.compiled.KnowledgeError: a file is missing or has a different format.
    """
    old, new = (Diagnoser(compiled.load(path), warm=True) for path in (old_path, new_path))
    rows = []
    for case in own_cases(load_entries()[0]):
        before, after = (_first(diagnoser, case.text, case.facts) for diagnoser in (old, new))
        if before != after:
            rows.append(f"{case.item.entry.id} {case.name}: {before} -> {after}")
    return rows


def _first(diagnoser: Diagnoser, text: str, facts: dict[str, object]) -> str:
    answer = diagnoser.diagnose(text, facts)
    if not answer["matches"]:
        return "abstained"
    first = answer["matches"][0]
    return f"{first['entry']}/{first['causes'][0]['cause']} ({first['confidence']:.1f})"
