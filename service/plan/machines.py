"""The machine that a plan is for: one that the user describes, or this one."""

import sys
import typing

from tfhelp.kb import versions
from tfhelp.kb.choice import Machine
from tfhelp.kb.fact_sheet import read_document
from tfhelp.kb.tables import Tables
from tfhelp.service.errors import InputError
from tfhelp.service.plan.planner import machine_of

_SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}  # of sys.platform


class Description(typing.NamedTuple):
    """What the user says about a machine, as typed; an empty string is not stated."""

    python: str = ""
    gpu: str = ""
    driver: str = ""
    os: str = ""
    architecture: str = ""


def described_machine(described: Description, tables: Tables, field: str = "{}") -> Machine:
    """The machine that the user describes; its operating system is this one if it is not stated.

    Args:
        described: at least one property.
        tables: the compatibility tables.
        field: how an error names a property, for example ``--{}``.

    Raises:
        InputError: a value cannot be used; the message names the property.
    """
    for name in ("python", "driver"):
        value = getattr(described, name)
        if value and versions.parse(value) is None:
            raise InputError(f"{field.format(name)}: {value!r} is not a version (write for example 3.12 or 560.35)")
    system = described.os or _SYSTEMS.get(sys.platform)
    if system is None:
        raise InputError(f"TensorFlow has no wheels for this system ({sys.platform}); name another one with {field.format('os')}")
    gpu = "" if described.gpu.strip().lower() == "none" else described.gpu
    return Machine(
        system,
        architecture=described.architecture or None,
        python=described.python or None,
        gpu=bool(gpu or (described.driver and not described.gpu)) and system != "macos",
        compute_capability=_compute_capability(gpu, tables, field.format("gpu")) if gpu else None,
        driver=described.driver or None,
    )


def _compute_capability(gpu: str, tables: Tables, name: str) -> str:
    if gpu in tables.table("cuda")["compute_capabilities"]:
        return gpu
    row = tables.gpu_by_name(gpu)
    if row is None:
        raise InputError(
            f"{name}: no single GPU is known by the name {gpu!r}; give its compute capability instead, for example 8.6"
        )
    return str(row["compute_capability"])


def this_machine(tables: Tables, fact_types: dict[str, str], field: str = "{}") -> Machine:
    """This machine, from its facts, which takes a few seconds to collect.

    Args:
        tables: the compatibility tables.
        fact_types: path -> type of every fact.
        field: how an error names a property, for example ``--{}``.

    Raises:
        InputError: TensorFlow has no wheels for the operating system.
    """
    from tfhelp.service.diagnosis.collecting import collect_facts

    machine = machine_of(read_document(collect_facts(), fact_types, "collected"), tables)
    if machine is None:
        raise InputError(
            f"TensorFlow has no wheels for this machine's operating system; name another one with {field.format('os')}"
        )
    return machine
