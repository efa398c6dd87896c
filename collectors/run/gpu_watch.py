"""Reads the GPUs while a program runs, in a separate thread, so that a driver that hangs delays nothing else."""

import threading
import time
import typing

_SHARE = 0.005  # share of a core, at most


class GpuReading(typing.NamedTuple):
    """One GPU at one moment; values that the driver does not report are ``None``."""

    utilisation_percent: float | None
    memory_used_mib: float | None
    temperature_celsius: float | None


class GpuWatch(threading.Thread):
    """Queries the driver at intervals, if there is one.

    Attributes:
        latest: the last reading of each GPU; empty before the first one and without a driver.
        read_at: ``time.monotonic()`` of that reading.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.latest: list[GpuReading] = []
        self.read_at = 0.0
        self._stop_now = threading.Event()

    def run(self) -> None:
        from tfhelp.collectors.gpu import find_library

        if not find_library():
            return
        try:
            import pynvml

            pynvml.nvmlInit()
            handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(pynvml.nvmlDeviceGetCount())]
        except Exception:  # noqa: BLE001 - whatever keeps NVML from answering, the run goes on without it
            return
        interval = 1.0
        while handles and not self._stop_now.wait(interval):
            before = time.thread_time()
            self.latest = [_read(pynvml, handle) for handle in handles]
            self.read_at = time.monotonic()
            interval = max(1.0, (time.thread_time() - before) / _SHARE)

    def stop(self) -> None:
        """Stop asking."""
        self._stop_now.set()

    def fresh(self, seconds: float = 10.0) -> list[GpuReading]:
        """The last readings, unless they are older than this."""
        return self.latest if self.latest and time.monotonic() - self.read_at < seconds else []


def _read(pynvml: typing.Any, handle: typing.Any) -> GpuReading:
    def ask(function: typing.Callable[..., typing.Any], *arguments: typing.Any) -> typing.Any:
        try:
            return function(handle, *arguments)
        except pynvml.NVMLError:
            return None

    use = ask(pynvml.nvmlDeviceGetUtilizationRates)
    memory = ask(pynvml.nvmlDeviceGetMemoryInfo, pynvml.nvmlMemory_v2) or ask(pynvml.nvmlDeviceGetMemoryInfo)
    temperature = ask(pynvml.nvmlDeviceGetTemperature, pynvml.NVML_TEMPERATURE_GPU)
    return GpuReading(
        float(use.gpu) if use else None,
        round(memory.used / (1 << 20), 1) if memory else None,
        None if temperature is None else float(temperature),
    )
