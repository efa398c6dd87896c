"""How the process ended, and what the GPU's driver logged about it."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Row, Tables

CONSEQUENCES = (43, 45, 154)  # Xid codes that follow from another one


def _exit(sheet: FactSheet, tables: Tables) -> Row | None:
    return tables.exit_code(sheet.get("run.exit_code"), macos=sheet.get("os.name") == "macos")


@derived("derived.signal", "text", uses=("run.signal", "run.exit_code", "os.name", "tensorflow.import_signal"))
def signal(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Signal that ended the process (on Windows the equivalent one), as stated or from the exit code."""
    said = read.text(sheet, "run.signal")
    if said:
        name = said.upper()
        return name if name.startswith("SIG") else f"SIG{name}"
    row = _exit(sheet, tables)
    if row:
        return row["signal"]
    if sheet.known("run.exit_code"):
        return None
    return read.text(sheet, "tensorflow.import_signal") or UNKNOWN


@derived("derived.exit_meaning", "text", uses=("run.exit_code", "run.signal", "derived.signal", "os.name"))
def exit_meaning(sheet: FactSheet, tables: Tables) -> typing.Any:
    """What the exit code or signal means, in a sentence."""
    row = _exit(sheet, tables) or tables.signal(read.text(sheet, "derived.signal"))
    return row["meaning"] if row else UNKNOWN


@derived("derived.exit_name", "text", uses=("run.exit_code", "os.name"))
def exit_name(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Name of the exit code: SIGSEGV, STATUS_ACCESS_VIOLATION, usage error."""
    row = _exit(sheet, tables)
    return row["name"] if row else UNKNOWN


def _ended_by(sheet: FactSheet, *names: str) -> typing.Any:
    name = sheet.get("derived.signal")
    return UNKNOWN if name is UNKNOWN else name in names


@derived("derived.killed", "boolean", uses=("derived.signal",))
def killed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was killed from outside with SIGKILL (by the kernel for memory, a limit, a scheduler)."""
    return _ended_by(sheet, "SIGKILL")


@derived("derived.asked_to_stop", "boolean", uses=("derived.signal", "run.received_signal"))
def asked_to_stop(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process got a signal that asks it to stop: SIGTERM, SIGINT, SIGHUP, or a scheduler's warning. It may have caught the
    signal and ended differently."""
    if read.text(sheet, "run.received_signal"):
        return True
    return _ended_by(sheet, "SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGXCPU")


@derived("derived.native_crash", "boolean", uses=("derived.signal",))
def native_crash(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Native code crashed: SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE or SIGTRAP, or the Windows status that means the same."""
    return _ended_by(sheet, "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP")


@derived("derived.bus_error_on_linux", "boolean", needs=("derived.signal",), uses=("os.name",))
def bus_error_on_linux(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was ended by SIGBUS, and the system is Linux or unknown."""
    return sheet.get("derived.signal") == "SIGBUS" and sheet.get("os.name") in (UNKNOWN, "linux")


@derived("derived.ended_well", "boolean", needs=("run.exit_code",))
def ended_well(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process ended with exit code 0."""
    return sheet.get("run.exit_code") == 0


@derived("derived.xid", "integer", needs=("driver.xid",))
def xid(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The Xid code that counts: the first one that is not just a consequence of another."""
    codes = (
        [code for code in sheet.get("driver.xid") if isinstance(code, int)] if isinstance(sheet.get("driver.xid"), list) else []
    )
    return next((code for code in codes if code not in CONSEQUENCES), codes[0] if codes else None)


@derived("derived.xid_meaning", "text", needs=("derived.xid",))
def xid_meaning(sheet: FactSheet, tables: Tables) -> typing.Any:
    """What that Xid code means."""
    row = tables.xid(sheet.get("derived.xid"))
    return f"{row['name']}: {row['meaning']}" if row else UNKNOWN


@derived("derived.xid_fault", "text", needs=("derived.xid",))
def xid_fault(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Whose fault that Xid code is: application, driver, hardware or mixed."""
    row = tables.xid(sheet.get("derived.xid"))
    return row["fault"] if row else UNKNOWN


@derived("derived.xid_says_hardware", "boolean", needs=("derived.xid",))
def xid_says_hardware(sheet: FactSheet, tables: Tables) -> typing.Any:
    """That Xid code points to the hardware, not to the program."""
    row = tables.xid(sheet.get("derived.xid"))
    return row["fault"] == "hardware" if row else UNKNOWN


@derived("derived.xid_says_memory_error", "boolean", needs=("driver.xid",))
def xid_says_memory_error(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kernel log has an Xid code for a faulty GPU memory cell."""
    codes = sheet.get("driver.xid")
    return any(code in (48, 63, 64, 92, 94, 95, 140, 171, 172) for code in codes) if isinstance(codes, list) else UNKNOWN
