"""The processor, and the instruction sets that TensorFlow's builds require."""

import os
import sys

from tfhelp.collectors.machine.files import read_file
from tfhelp.kb.fact_sheet import FactSheet


def first_processor(root: str) -> dict[str, str]:
    """Fields of the first processor; only the start of the file is read, because the whole file is slow with 200 processors."""
    fields: dict[str, str] = {}
    for line in read_file(os.path.join(root, "proc/cpuinfo"), 8192).splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), " " + value.strip() + " ")
    return fields


def read_processor(sheet: FactSheet, root: str = "/") -> None:
    """``host.cpu_*``, and the instruction sets that TensorFlow's builds require."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    sheet.put("host.cpu_count", count, "sched_getaffinity")
    if sys.platform == "win32":
        import ctypes

        present = ctypes.windll.kernel32.IsProcessorFeaturePresent  # type: ignore[attr-defined, unused-ignore]
        sheet.put("host.cpu_model", os.environ.get("PROCESSOR_IDENTIFIER"), "PROCESSOR_IDENTIFIER")
        sheet.put("host.avx", bool(present(39)), "IsProcessorFeaturePresent")
        sheet.put("host.avx2", bool(present(40)), "IsProcessorFeaturePresent")
        return
    if sys.platform == "darwin":
        model = _sysctl_text("machdep.cpu.brand_string")
        sheet.put("host.cpu_model", model, "sysctl")
        features = (_sysctl_text("machdep.cpu.features"), _sysctl_text("machdep.cpu.leaf7_features"))
        flags = f" {features[0]} {features[1]} ".lower().replace("avx1.0", "avx")
        source = "sysctl"
    else:
        fields = first_processor(root)
        sheet.put("host.cpu_model", fields.get("model name", "").strip() or None, "/proc/cpuinfo")
        flags = fields.get("flags", fields.get("features", ""))
        source = "/proc/cpuinfo"
        if not flags:
            return
    for name in ("avx", "avx2", "fma"):
        sheet.put("host." + name, f" {name} " in flags, source)


def _sysctl_text(name: str) -> str | None:
    """A text value of macOS's sysctl; ``None`` if there is none."""
    import ctypes

    library = ctypes.CDLL(None)
    size = ctypes.c_size_t(0)
    if library.sysctlbyname(name.encode(), None, ctypes.byref(size), None, 0) != 0 or not size.value:
        return None
    buffer = ctypes.create_string_buffer(size.value)
    if library.sysctlbyname(name.encode(), buffer, ctypes.byref(size), None, 0) != 0:
        return None
    return buffer.value.decode("utf-8", "replace")
