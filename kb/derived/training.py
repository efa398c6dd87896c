"""How far the training got."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


@derived("derived.all_epochs_done", "boolean", needs=("log.epochs_done", "log.epochs_announced"))
def all_epochs_done(sheet: FactSheet, tables: Tables) -> typing.Any:
    """All announced epochs are complete."""
    done, announced = read.number(sheet, "log.epochs_done"), read.number(sheet, "log.epochs_announced")
    return UNKNOWN if done is None or not announced else done >= announced


@derived("derived.training_started", "boolean", uses=("log.steps_done", "log.epochs_done"))
def training_started(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Progress lines show at least one step or epoch done."""
    known = [found for name in ("steps_done", "epochs_done") if (found := read.number(sheet, f"log.{name}")) is not None]
    return any(found > 0 for found in known) if known else UNKNOWN


@derived("derived.failed_before_first_step", "boolean", needs=("derived.training_started",))
def failed_before_first_step(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The failure came before any training step was done."""
    return sheet.get("derived.training_started") is False


@derived("derived.stopped_early", "boolean", needs=("derived.ended_well", "derived.all_epochs_done"))
def stopped_early(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The program ended with exit code 0 before all announced epochs were done."""
    return sheet.get("derived.ended_well") is True and sheet.get("derived.all_epochs_done") is False
