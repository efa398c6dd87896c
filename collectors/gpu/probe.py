"""Queries NVIDIA's driver through NVML, in a separate process, because a hanging driver may block it forever.

    python probe.py           one line of JSON after MARKER for each fact, as soon as it is known

tfhelp's own interpreter runs it, because it needs nvidia-ml-py. Every line is complete in itself: when a call never
returns, the lines printed before it count.
"""

import os
import sys

if __name__ == "__main__":
    del sys.path[0]  # the probe's own folder, whose modules must not shadow others
import json
import typing

MARKER = "tfhelp-facts:"
_UNITS = 1 << 20

# nvmlClocksEventReasons of nvml.h, named as in nvidia-smi -q; idle clocks and chosen clocks are not throttling.
_THROTTLE = {
    0x04: "software power cap",
    0x08: "hardware slowdown",
    0x10: "sync boost",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "hardware power brake",
}
_MOST = 256  # the most GPUs to query; a machine has at most sixteen
_COMPUTE_MODES = {0: "default", 2: "prohibited", 3: "exclusive-process"}


def say(document: dict[str, typing.Any]) -> None:
    """Write one line for the caller, unbuffered."""
    sys.stdout.write("\n" + MARKER + json.dumps(document) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Query the driver, then each GPU; an error is reported by its number (``error``) and the call that returned it (``at``)."""
    try:
        import pynvml
    except ImportError as error:
        say({"unusable": f"nvidia-ml-py: {error}"})
        return
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        say({"error": error.value, "at": "init"})
        return
    say({"driver": _answer_of("driver version", lambda: _ask(pynvml, pynvml.nvmlSystemGetDriverVersion))})
    say({"cuda": _answer_of("CUDA version", lambda: _ask(pynvml, pynvml.nvmlSystemGetCudaDriverVersion_v2))})
    try:
        count = pynvml.nvmlDeviceGetCount()
    except pynvml.NVMLError as error:
        say({"error": error.value, "at": "count"})
        return
    say({"count": count})
    for index in range(min(count, _MOST)):
        try:
            handle = pynvml.nvmlDeviceGetHandleByIndex(index)
            say({"gpu": _describe(pynvml, handle, f"GPU {index}")})
        except pynvml.NVMLError as error:
            say({"error": error.value, "at": f"GPU {index}"})
            say({"gpu": {}})
    say({"done": True})


def _ask(pynvml: typing.Any, function: typing.Callable[..., typing.Any], *arguments: typing.Any) -> typing.Any:
    """A call's answer, ``None`` if this GPU or this driver does not have it; a lost GPU is still an error."""
    try:
        return function(*arguments)
    except pynvml.NVMLError as error:
        if error.value in (pynvml.NVML_ERROR_GPU_IS_LOST, pynvml.NVML_ERROR_RESET_REQUIRED):
            raise
        return None


def _answer_of(what: str, ask: typing.Callable[[], typing.Any]) -> typing.Any:
    """The library's answer; if the call fails (a name that is not UTF-8, a missing call), ``None`` after a line that names it."""
    try:
        return ask()
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        say({"unreadable": f"{what} ({type(error).__name__})"})
        return None


def _describe(pynvml: typing.Any, handle: typing.Any, place: str) -> dict[str, typing.Any]:
    capability = _ask(pynvml, pynvml.nvmlDeviceGetCudaComputeCapability, handle)
    # Drivers before 510 have only the first version. It counts memory that the driver reserves as used (0.6 GB on an H200).
    memory = _ask(pynvml, pynvml.nvmlDeviceGetMemoryInfo, handle, pynvml.nvmlMemory_v2)
    memory = memory or _ask(pynvml, pynvml.nvmlDeviceGetMemoryInfo, handle)
    use = _ask(pynvml, pynvml.nvmlDeviceGetUtilizationRates, handle)
    mig = _ask(pynvml, pynvml.nvmlDeviceGetMigMode, handle)
    return {
        "name": _answer_of(f"name of {place}", lambda: _ask(pynvml, pynvml.nvmlDeviceGetName, handle)),
        "compute_capability": f"{capability[0]}.{capability[1]}" if capability else None,
        "memory_total_mib": round(memory.total / _UNITS, 1) if memory else None,
        "memory_used_mib": round(memory.used / _UNITS, 1) if memory else None,
        "processes": _answer_of(f"processes of {place}", lambda: _processes(pynvml, handle)),
        "utilization_percent": float(use.gpu) if use else None,
        "temperature_celsius": _temperature(pynvml, handle),
        "throttle_reasons": _throttle_reasons(pynvml, handle),
        "ecc_uncorrected": _ask(
            pynvml,
            pynvml.nvmlDeviceGetTotalEccErrors,
            handle,
            pynvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED,
            pynvml.NVML_VOLATILE_ECC,
        ),
        "mig_mode": bool(mig[0]) if mig else None,
        "compute_mode": _COMPUTE_MODES.get(_ask(pynvml, pynvml.nvmlDeviceGetComputeMode, handle)),
    }


def _temperature(pynvml: typing.Any, handle: typing.Any) -> float | None:
    value = _ask(pynvml, pynvml.nvmlDeviceGetTemperature, handle, pynvml.NVML_TEMPERATURE_GPU)
    return None if value is None else float(value)


def _throttle_reasons(pynvml: typing.Any, handle: typing.Any) -> list[str] | None:
    bits = _ask(pynvml, pynvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle)
    return None if bits is None else [name for bit, name in _THROTTLE.items() if bits & bit]


def _processes(pynvml: typing.Any, handle: typing.Any) -> list[dict[str, typing.Any]] | None:
    """Processes that compute or draw, each once, the largest first; ``None`` if the driver does not report them."""
    found: dict[int, dict[str, typing.Any]] = {}
    told = False
    for kind in ("Compute", "Graphics"):
        running = None
        for version in ("_v3", "_v2"):  # drivers before 510 know only the second
            running = _ask(pynvml, getattr(pynvml, f"nvmlDeviceGet{kind}RunningProcesses{version}"), handle)
            if running is not None:
                break
        told = told or running is not None
        for process in running or []:
            used = None if process.usedGpuMemory is None else round(process.usedGpuMemory / _UNITS, 1)
            found.setdefault(process.pid, {"pid": process.pid, "name": _name(pynvml, process.pid), "memory_mib": used})
    return sorted(found.values(), key=lambda process: -(process["memory_mib"] or 0)) if told else None


def _name(pynvml: typing.Any, pid: int) -> str | None:
    """The program's own name; its folders and arguments are private."""
    text = _answer_of(f"name of process {pid}", lambda: _ask(pynvml, pynvml.nvmlSystemGetProcessName, pid))
    if not text:
        return None
    if "\\" in text:
        return str(text).rpartition("\\")[2]
    return os.path.basename(str(text).split("\0")[0].split(" ")[0]) or None


if __name__ == "__main__":
    main()
