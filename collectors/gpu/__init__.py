"""NVIDIA's driver and GPUs, as facts: through NVML in a child process, plus what the kernel reports."""

import os
import re
import sys
import typing

from tfhelp.collectors.gpu.kernel_log import oom_killed, read_kernel_log, xid_codes
from tfhelp.collectors.machine.files import names_in
from tfhelp.collectors.probe_child import Outcome, answers, probe_file, run_child
from tfhelp.collectors.reported import fitting
from tfhelp.kb.fact_sheet import Document, FactSheet

FACTS: tuple[str, ...] = (
    "driver.version",
    "driver.cuda_version",
    "driver.library_version",
    "driver.state",
    "driver.xid",
    "driver.nouveau",
    "gpus",
    "gpus[].name",
    "gpus[].compute_capability",
    "gpus[].memory_total_mib",
    "gpus[].memory_used_mib",
    "gpus[].processes",
    "gpus[].processes[].pid",
    "gpus[].processes[].name",
    "gpus[].processes[].memory_mib",
    "gpus[].utilization_percent",
    "gpus[].temperature_celsius",
    "gpus[].throttle_reasons",
    "gpus[].ecc_uncorrected",
    "gpus[].mig_mode",
    "gpus[].compute_mode",
    "host.nvidia_devices",
    "host.oom_killed",
)
"""The fact paths that this collector makes."""

_CARD = {
    "name": "text",
    "compute_capability": "text",
    "memory_total_mib": "number",
    "memory_used_mib": "number",
    "utilization_percent": "number",
    "temperature_celsius": "number",
    "throttle_reasons": "texts",
    "ecc_uncorrected": "integer",
    "mig_mode": "boolean",
    "compute_mode": "text",
}
_PROCESS = {"pid": "integer", "name": "text", "memory_mib": "number"}
_LIBRARY = "libnvidia-ml.so.1"
_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib/wsl/lib",
    "/usr/local/nvidia/lib64",
    "/run/opengl-driver/lib",
)
# nvmlReturn_t of nvml.h; an error that is not listed here counts as an unreadable answer.
_STATES = {4: "not-permitted", 9: "absent", 10: "timed-out", 12: "absent", 15: "gpu-lost", 16: "gpu-lost", 18: "mismatch"}
_NO_DEVICES = 6  # NVML_ERROR_NOT_FOUND


def collect(budget_seconds: float = 2.0) -> Document:
    """Facts of the driver and its GPUs.

    Without NVIDIA's library on the machine, no process is started: ``driver.state`` is ``absent`` and ``gpus`` is empty.

    Args:
        budget_seconds: wall time for the driver to answer; one that hangs costs this much and is ``timed-out``.
    """
    sheet = FactSheet()
    library = find_library()
    try:
        _put_kernel(sheet)
    except (OSError, ValueError) as error:  # the driver is asked anyway
        sheet.about["driver.xid"] = {"source": f"{type(error).__name__}: {error}", "state": "not-readable"}
    if not library:
        sheet.put("driver.state", "absent", "no NVML library on this machine")
        for path in ("driver.version", "driver.cuda_version"):
            if path not in sheet.values:  # the kernel module may be there without the library
                sheet.put(path, None, "no NVML library on this machine")
        if sys.platform != "darwin":  # a Mac's own GPU is not one of NVIDIA's
            sheet.put("gpus", [], "no NVML library on this machine")
        return sheet.document()
    outcome = run_child([sys.executable, "-B", probe_file("gpu/probe.py")], budget_seconds)
    _put_answers(sheet, outcome)
    _put_library_version(sheet, library)
    return sheet.document()


def find_library() -> str:
    """The NVML file that the loader would use, the empty string if there is none."""
    if sys.platform == "win32":
        windows, programs = os.environ.get("WINDIR", "C:/Windows"), os.environ.get("ProgramFiles", "C:/Program Files")
        candidates = [f"{windows}/System32/nvml.dll", f"{programs}/NVIDIA Corporation/NVSMI/nvml.dll"]
        return next((file for file in candidates if os.path.isfile(file)), "")
    if sys.platform == "darwin":
        return ""
    folders = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    for folder in folders:
        if os.path.exists(os.path.join(folder, _LIBRARY)):
            return os.path.join(folder, _LIBRARY)
    try:
        with open("/etc/ld.so.cache", "rb") as cache:
            data = cache.read(1 << 24)
    except OSError:
        data = b""
    end = data.find(b"/" + _LIBRARY.encode() + b"\0")
    if end >= 0:
        file = data[data.rfind(b"\0", 0, end) + 1 : end].decode("utf-8", "replace") + "/" + _LIBRARY
        if os.path.exists(file):
            return file
    return next((f"{folder}/{_LIBRARY}" for folder in _FOLDERS if os.path.exists(f"{folder}/{_LIBRARY}")), "")


def _put_answers(sheet: FactSheet, outcome: Outcome) -> None:
    """Copy into the sheet what the probe reported before it ended or was killed."""
    gpus: list[typing.Any] = []
    unreadable: list[str] = []
    state = complete = ""
    for answer in answers(outcome):
        if "unusable" in answer:
            sheet.about["driver.state"] = sheet.about["gpus"] = {"source": str(answer["unusable"]), "state": "not-readable"}
            return
        if isinstance(answer.get("driver"), str):
            sheet.put("driver.version", answer["driver"], "nvml")
        elif isinstance(answer.get("cuda"), int) and answer["cuda"] is not True:
            sheet.put("driver.cuda_version", f"{answer['cuda'] // 1000}.{answer['cuda'] % 1000 // 10}", "nvml")
        elif isinstance(answer.get("gpu"), dict):
            gpus.append(_card(answer["gpu"]))
        elif "unreadable" in answer:
            unreadable.append(str(answer["unreadable"]))
        elif isinstance(answer.get("error"), int):
            code, place = answer["error"], str(answer.get("at", ""))
            state = state or _STATES.get(code, "" if code == _NO_DEVICES else f"NVML error {code} at {place}")
        complete = complete or ("yes" if "done" in answer else "")
    failure = outcome.failure()
    if outcome.timed_out:
        state = "timed-out"
    elif not state and failure:
        state = f"probe: {failure}"
    _put_state(sheet, state or "ok", gpus, bool(complete))
    if unreadable:
        about = sheet.about.setdefault("gpus", {"source": "nvml", "state": "not-readable"})
        about["source"] += f"; not readable: {', '.join(unreadable)}"


def _card(described: Document) -> Document:
    """The answers about one GPU, keeping only values of the right kind."""
    card = fitting(described, _CARD)
    processes = described.get("processes")
    if isinstance(processes, list):
        card["processes"] = [fitting(process, _PROCESS) for process in processes if isinstance(process, dict)]
    elif "processes" in described:
        card["processes"] = None
    return card


def _put_state(sheet: FactSheet, state: str, gpus: list[typing.Any], complete: bool) -> None:
    if state in ("ok", *_STATES.values()):
        sheet.put("driver.state", state, "nvml")
    else:  # a value that the model has no word for
        sheet.about["driver.state"] = {"source": state, "state": "not-readable"}
    if complete or gpus or state in ("absent", "ok"):
        sheet.put("gpus", gpus, "nvml", "timed-out" if state == "timed-out" else "ok")
    else:
        sheet.about["gpus"] = {"source": f"nvml: {state}", "state": "timed-out" if state == "timed-out" else "not-readable"}


def _put_library_version(sheet: FactSheet, library: str) -> None:
    """``driver.library_version``: NVIDIA puts the version in the file's name, so it is readable when nothing else is."""
    found = re.search(r"\.so\.(\d+\.\d+(?:\.\d+)?)$", os.path.realpath(library))
    kernel = sheet.values.get("driver.version")
    differs = found is not None and kernel is not None and found[1] != kernel
    sheet.put("driver.library_version", found[1] if found and differs else None, os.path.basename(os.path.realpath(library)))


def _put_kernel(sheet: FactSheet, root: str = "/") -> None:
    """What the kernel shows without the driver's library: its module, the devices on the bus, its log."""
    if not sys.platform.startswith("linux"):
        return
    module = os.path.join(root, "proc/driver/nvidia/version")
    found = re.search(r"Kernel Module.*?\s(\d+\.\d+(?:\.\d+)?)\s", _first_line(module))
    if found:
        sheet.put("driver.version", found[1], "/proc/driver/nvidia/version")
    modules = os.path.join(root, "sys/module")
    if os.path.isdir(modules):
        sheet.put("driver.nouveau", os.path.isdir(os.path.join(modules, "nouveau")), "/sys/module")
    devices = os.path.join(root, "sys/bus/pci/devices")
    if os.path.isdir(devices):
        sheet.put("host.nvidia_devices", _nvidia_devices(devices), "/sys/bus/pci")
    lines = read_kernel_log(os.path.join(root, "dev/kmsg"))
    for path, value in (("driver.xid", xid_codes(lines or [])), ("host.oom_killed", oom_killed(lines or []))):
        if lines is None:
            sheet.about[path] = {"source": "kernel log", "state": "not-readable"}
        else:
            sheet.put(path, value, "kernel log")


def _nvidia_devices(folder: str) -> int:
    """Display controllers (PCI class 03) of NVIDIA (vendor 10de)."""
    count = 0
    for name in names_in(folder):
        if _first_line(os.path.join(folder, name, "vendor")).strip() == "0x10de":
            count += _first_line(os.path.join(folder, name, "class")).startswith("0x03")
    return count


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(4096)
    except OSError:
        return ""


if __name__ == "__main__":
    import json

    print(json.dumps(collect(), indent=2))
