"""Processor and limits of the machine."""

import typing

from tfhelp.kb import versions
from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


@derived("derived.cpu_lacks_avx", "boolean", needs=("host.avx",))
def cpu_lacks_avx(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The processor (as this system shows it) has no AVX, which official x86_64 wheels need."""
    return sheet.get("host.avx") is False


@derived("derived.avx_hidden_by_virtual_machine", "boolean", needs=("derived.cpu_lacks_avx",), uses=("os.virtual_machine",))
def avx_hidden_by_virtual_machine(sheet: FactSheet, tables: Tables) -> typing.Any:
    """AVX is missing inside a virtual machine, which may hide it from the guest system."""
    virtual = sheet.get("os.virtual_machine")
    return virtual and sheet.get("derived.cpu_lacks_avx") is True if isinstance(virtual, bool) else UNKNOWN


@derived("derived.open_files_limit_low", "boolean", needs=("host.open_files_limit",))
def open_files_limit_low(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The limit on open files is 1024 or less (256 is the default of macOS, 1024 of most Linux shells)."""
    limit = read.number(sheet, "host.open_files_limit")
    return UNKNOWN if limit is None else limit <= 1024


@derived("derived.open_files_near_limit", "boolean", needs=("host.open_files", "host.open_files_limit"))
def open_files_near_limit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run had nine tenths or more of its allowed files open."""
    held, limit = read.number(sheet, "host.open_files"), read.number(sheet, "host.open_files_limit")
    return UNKNOWN if held is None or not limit else held >= 0.9 * limit


@derived("derived.locked_memory_small", "boolean", needs=("host.locked_memory_limit_kib",))
def locked_memory_small(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The limit on locked memory is 64 MiB or less, too little for NCCL over InfiniBand."""
    limit = read.number(sheet, "host.locked_memory_limit_kib")
    return UNKNOWN if limit is None else limit <= 65536


@derived("derived.address_space_limited", "boolean", needs=("host.address_space_limit_mib",))
def address_space_limited(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A limit on address space (ulimit -v) is set. CUDA reserves a lot of it and fails under such a limit."""
    return read.number(sheet, "host.address_space_limit_mib") is not None


@derived("derived.driver_libraries_mismatch", "boolean", uses=("driver.state", "log.kernel_version", "log.library_version"))
def driver_libraries_mismatch(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kernel module and the user-space libraries of the driver have different versions."""
    kernel, library = read.text(sheet, "log.kernel_version"), read.text(sheet, "log.library_version")
    if kernel and library:
        return kernel != library
    return UNKNOWN if not sheet.known("driver.state") else sheet.get("driver.state") == "mismatch"


@derived("derived.driver_library_newer", "boolean", needs=("log.kernel_version", "log.library_version"))
def driver_library_newer(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The driver's user-space library is newer than the kernel module; false if it is older, unknown if they agree."""
    kernel, library = versions.parse(sheet.get("log.kernel_version")), versions.parse(sheet.get("log.library_version"))
    return UNKNOWN if kernel is None or library is None or kernel == library else library > kernel
