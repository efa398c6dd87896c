"""Check the whole knowledge base: form, consistency, honest programs, and its own answers."""

import pathlib

from tfhelp.index import vectors
from tfhelp.kb.compile import compile_knowledge
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.honesty import check_entries
from tfhelp.kb.load import ENTRIES, Fault, LoadedEntry, load_entries
from tfhelp.service.curation.answers import answer_faults
from tfhelp.service.curation.consistency import consistency_faults
from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

HEALTHY_LOGS = ENTRIES.parents[1] / "tests" / "healthy"


def check(with_answers: bool = True, close: bool = True) -> list[Fault]:
    """All faults. With answers it takes a minute, because every example is diagnosed.

    Args:
        with_answers: whether to diagnose the examples.
        close: whether an example whose confidence is close to the threshold is a fault (``answers.answer_faults``).

    Raises:
        tfhelp.kb.build_products.ArtefactError: the entries are valid, and the index was not made from them, so the answers cannot
            be checked.
    """
    loaded, faults = load_entries()
    valid_folders = {item.folder for item in loaded} - {fault.file.parent for fault in faults}
    valid = [item for item in loaded if item.folder in valid_folders]
    faults = [*faults, *consistency_faults(valid), *_honesty_faults(valid)]
    if with_answers and valid:
        knowledge = Knowledge(compile_knowledge(valid))
        whole = len(valid) == len(loaded)
        if whole:
            vectors.check(knowledge=knowledge.phrases_version)
        faults += answer_faults(valid, Diagnoser(knowledge, load_vectors if whole else None, warm=True), close)
    return faults


def _honesty_faults(valid: list[LoadedEntry]) -> list[Fault]:
    patterns = {
        item.entry.id: [signature.pattern for signature in (*item.entry.matches.decisive, *item.entry.matches.supporting)]
        for item in valid
    }
    return [Fault(pathlib.Path(fault.path), fault.line, fault.rule, fault.message) for fault in check_entries(ENTRIES, patterns)]


def count() -> dict[str, int]:
    """The counts of entries, causes, signatures, proofs, near misses, accounts and healthy logs."""
    loaded, _ = load_entries()
    causes = [cause for item in loaded for cause in item.entry.causes]
    return {
        "entries": len(loaded),
        "causes": len(causes),
        "signatures": sum(len(item.entry.matches.decisive) + len(item.entry.matches.supporting) for item in loaded),
        "proof: run": sum(cause.proof.kind == "run" for cause in causes),
        "proof: reviewed": sum(cause.proof.kind == "reviewed" for cause in causes),
        "near misses": sum(len(item.examples.near_misses) for item in loaded),
        "accounts": sum(len(item.examples.accounts) for item in loaded),
        "healthy logs": len(list(HEALTHY_LOGS.glob("*.json"))),
    }
