"""How far the training got."""

import typing

from tfhelp.kb import versions
from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.run import LONG_SECONDS, NEARLY_ALL, SPARE_SHARE
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


@derived(
    "derived.memory_grew_while_training",
    "boolean",
    needs=("derived.memory_grew_steadily", "run.seconds", "run.seconds_since_output"),
    uses=("derived.training_started", "run.memory_grew_in_silence"),
)
def memory_grew_while_training(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run's memory grew all the time, and the run printed output until its end: steps were done, so it leaks.
    Reading a data set also takes more and more memory, but without output.
    """
    seconds, silent = read.number(sheet, "run.seconds"), read.number(sheet, "run.seconds_since_output")
    if seconds is None or silent is None:
        return UNKNOWN
    if sheet.get("derived.training_started") is False:
        return False
    spoke = silent <= max(5.0, 0.1 * seconds) or sheet.get("run.memory_grew_in_silence") is False
    return sheet.get("derived.memory_grew_steadily") is True and spoke


@derived(
    "derived.memory_grew_though_it_ended_well",
    "boolean",
    needs=("derived.memory_grew_steadily", "derived.ended_well", "run.seconds"),
)
def memory_grew_though_it_ended_well(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run ended with exit code 0, and over at least a minute its memory had grown all the time."""
    seconds = read.number(sheet, "run.seconds")
    if seconds is None:
        return UNKNOWN
    grew = sheet.get("derived.memory_grew_steadily") is True and seconds >= LONG_SECONDS
    return grew and sheet.get("derived.ended_well") is True


@derived(
    "derived.failed_at_memory_limit",
    "boolean",
    needs=("derived.ended_well",),
    uses=(
        "derived.run_memory_share",
        "derived.memory_grew_while_training",
        "run.address_space_peak_mib",
        "host.address_space_limit_mib",
        "run.data_peak_mib",
        "host.data_limit_mib",
    ),
)
def failed_at_memory_limit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run failed while it used nearly all of its memory or address space, or when steady growth had come close to
    that limit.
    """
    shares = [read.number(sheet, "derived.run_memory_share")]
    for kind in ("address_space", "data"):
        peak, limit = read.number(sheet, f"run.{kind}_peak_mib"), read.number(sheet, f"host.{kind}_limit_mib")
        shares.append(peak / limit if peak is not None and limit else None)
    known = [share for share in shares if share is not None]
    if not known:
        return UNKNOWN
    grew = sheet.get("derived.memory_grew_while_training") is True
    return sheet.get("derived.ended_well") is False and max(known) >= (SPARE_SHARE if grew else NEARLY_ALL)


@derived("derived.failed_before_first_step", "boolean", needs=("derived.training_started",))
def failed_before_first_step(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The failure came before any training step was done."""
    return sheet.get("derived.training_started") is False


@derived(
    "derived.stopped_early",
    "boolean",
    needs=("derived.ended_well",),
    uses=("derived.all_epochs_done", "log.announced_steps_missing"),
)
def stopped_early(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The program ended with exit code 0 before all announced epochs, or all steps of a custom loop, were done."""
    epochs, missing = sheet.get("derived.all_epochs_done"), sheet.get("log.announced_steps_missing")
    if epochs is UNKNOWN and missing is UNKNOWN:
        return UNKNOWN
    return sheet.get("derived.ended_well") is True and (epochs is False or missing is True)


@derived(
    "derived.tf1_names_work",
    "boolean",
    needs=("code.tf1_names",),
    uses=("derived.training_started", "derived.tensorflow_version", "log.tensorflow_1_ran", "log.name"),
)
def tf1_names_work(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The program uses names of TensorFlow 1, and it ran: steps are printed, or TensorFlow 1 itself is there. No name is missing."""
    ran = sheet.get("derived.training_started") is True or sheet.get("log.tensorflow_1_ran") is True
    old = versions.satisfies(sheet.get("derived.tensorflow_version"), "<2") is True
    return sheet.get("code.tf1_names") is True and (ran or old) and not sheet.known("log.name")
