"""Derived facts: what follows from facts and tables. Pure functions with three-valued results, one file per topic.

``derive`` adds all of them to a sheet. A function whose ``needs`` are not known is not called, so a sheet with few facts is
cheap, and the tables are only read by the functions that are called. Keep the imports light: every cold ``ask`` imports this.
"""

from tfhelp.kb.derived import (  # noqa: F401  # each registers its facts
    arguments,
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
