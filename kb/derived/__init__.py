"""Derived facts: what follows from facts and tables. Pure functions, one file a theme, three-valued.

``derive`` adds all of them to a sheet. A function whose ``needs`` are not known is not called, so a sheet that says
little costs little; the tables are touched only by those that are called. Light: every cold ``ask`` imports this.
"""

from tfhelp.kb.derived import (  # noqa: F401  # each registers its facts
    end,
    gpu,
    hang,
    install,
    learning,
    machine,
    memory,
    names,
    releases,
    run,
    shapes,
    training,
    training_distributed,
    versions,
    whole_run,
)
from tfhelp.kb.derived.registry import DerivedFact, derive, derived_facts, derived_table

__all__ = ["DerivedFact", "derive", "derived_facts", "derived_table"]
