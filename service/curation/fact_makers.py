"""Find what sets each fact: every path that a check reads must have a source."""

import functools

from tfhelp.collectors import code, course, environment, gpu, run, text_facts
from tfhelp.kb.derived import derived_table
from tfhelp.kb.facts_of_tries import Tried
from tfhelp.kb.load import load_entries

# Given by what runs the program: a shell, a scheduler, 'tfhelp ask --exit-code'.
_GIVEN = frozenset({"run.exit_code", "run.signal"})
# Found by an experiment of 'tfhelp try'.
_TRIED = frozenset(f"tried.{name}" for name in Tried.model_fields)
# Set by the service from records (tfhelp.service.diagnosis.text_evidence).
_OF_RECORDS = frozenset({"log.exception"})


@functools.cache
def makers() -> dict[str, str]:
    """path (``packages.*`` for any name) -> its source."""
    made = dict.fromkeys(_GIVEN, "given") | dict.fromkeys(_TRIED, "try") | dict.fromkeys(_OF_RECORDS, "records")
    for collector in (code, course, environment, gpu, run, text_facts):
        made |= {path: collector.__name__.rpartition(".")[2] for path in collector.FACTS}
    for item in load_entries()[0]:
        for signature in (*item.entry.matches.decisive, *item.entry.matches.supporting):
            made |= dict.fromkeys(signature.captures.values(), f"signatures of {item.entry.id}")
    return made | dict.fromkeys(derived_table(), "derived")


def has_source(path: str) -> bool:
    """Return whether any collector, signature or derivation sets a path."""
    return path in makers() or f"{path.partition('.')[0]}.*" in makers()
