"""The learning of a watched run: its facts, and whether they show a fault even though the program ended well."""

import typing

from tfhelp.collectors.run.learning import read_folder

Json = dict[str, typing.Any]

HOOK = "learning"


def facts_of_learning(hooks: typing.Sequence[str], folder: str | None) -> Json:
    """The facts of the learning; an empty document if they were not requested.

    Args:
        hooks: the hooks that were started inside the program.
        folder: the folder that the hooks wrote to; ``None`` if there was none.
    """
    return read_folder(folder) if HOOK in hooks and folder is not None else {}


def learned_badly(facts: Json) -> bool:
    """Return whether facts of the learning show a fault.

    Args:
        facts: a document from ``facts_of_learning``.
    """
    if "learning" not in facts:
        return False
    from tfhelp.kb import compiled
    from tfhelp.kb.derived import derive
    from tfhelp.kb.fact_sheet import read_document

    knowledge = compiled.load()
    sheet = read_document(facts, knowledge.fact_types)
    derive(sheet, knowledge.tables)
    return sheet.known("derived.learning_fault")
