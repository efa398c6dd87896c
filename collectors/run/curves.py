"""The curves of a run: the shape of its memory over time, and the table of readings that is kept."""

import itertools
import typing

from tfhelp.collectors.run.gpu_watch import GpuReading
from tfhelp.collectors.run.sampler import Sample

_WARM_UP = 0.2  # share of the run in which imports and the first batch raise the memory of every program
_PARTS = 5
_FEWEST = 8  # readings needed to recognise a shape
_GROWTH_MIB, _GROWTH_SHARE = 64.0, 0.15  # growth below both limits does not count
_GROWN = 0.05  # share by which memory must rise to count as growth during a silence
_ONE_STEP = 0.7  # share of the growth that falls into one part of the run
_NEAR_LIMIT = 0.9
_IDLE_PERCENT = 10.0
_GPU_IN_USE_MIB = 256.0  # a context and an allocator take more
_NEVER_BUSY = 0.95  # share of the readings without work

COLUMNS = (*(name for name in Sample._fields if name != "gpus"),)


def memory_pattern(samples: list[Sample], limit_mib: float | None) -> str | None:
    """``steady-growth``, ``step``, ``plateau-at-limit`` or ``flat``; ``None`` with too few readings."""
    kept = _after_warm_up(samples)
    if len(kept) < _FEWEST:
        return None
    parts = _parts(kept)
    growth = parts[-1] - parts[0]
    if limit_mib and min(parts[-2:]) >= _NEAR_LIMIT * limit_mib and abs(parts[-1] - parts[-2]) < 0.03 * limit_mib:
        return "plateau-at-limit"
    if growth < _GROWTH_MIB or growth < _GROWTH_SHARE * parts[0]:
        return "flat"
    rises = [second - first for first, second in itertools.pairwise(parts)]
    if max(rises) >= _ONE_STEP * growth:
        return "step"
    # One part may be level: in a short run, imports and the first batch last longer than the excluded warm-up.
    rising = [rise > 0.05 * growth for rise in rises]
    return "steady-growth" if rising[-1] and sum(rising) >= len(rising) - 1 else "flat"


def grew_in_silence(samples: list[Sample], silent_since: float) -> bool | None:
    """Return whether memory rose after the last output, as when a data set is read; ``None`` without readings on both sides.

    Args:
        samples: the readings.
        silent_since: seconds from the start to the last output.
    """
    before = [sample.memory for sample in samples if sample.seconds <= silent_since]
    after = [sample.memory for sample in samples if sample.seconds > silent_since]
    return max(after) > (1 + _GROWN) * before[-1] if before and after else None


def until_final_silence(samples: list[Sample], silent_since: float) -> list[Sample]:
    """The readings that determine the memory's shape: without a final silence in which memory no longer rose.

    A crashed process that is still writing its report, or one that waits, would make any curve look flat.
    """
    spoke = [sample for sample in samples if sample.seconds <= silent_since]
    return spoke if grew_in_silence(samples, silent_since) is False and len(spoke) >= _FEWEST else samples


def _after_warm_up(samples: list[Sample]) -> list[Sample]:
    if not samples:
        return []
    start = samples[-1].seconds * _WARM_UP
    return [sample for sample in samples if sample.seconds >= start]


def _parts(samples: list[Sample]) -> list[float]:
    """The median memory of equal parts of the time; a part without a reading takes the value of the part before."""
    first, span = samples[0].seconds, samples[-1].seconds - samples[0].seconds or 1.0
    values: list[list[float]] = [[] for _ in range(_PARTS)]
    for sample in samples:
        values[min(_PARTS - 1, int(_PARTS * (sample.seconds - first) / span))].append(sample.memory)
    medians: list[float] = []
    for part in values:
        medians.append(sorted(part)[len(part) // 2] if part else medians[-1])
    return medians


def memory_slope(samples: list[Sample]) -> float | None:
    """Growth in MiB per minute after the warm-up, by least squares; ``None`` with too few readings."""
    kept = _after_warm_up(samples)
    if len(kept) < _FEWEST:
        return None
    middle = sum(sample.seconds for sample in kept) / len(kept)
    mean = sum(sample.memory for sample in kept) / len(kept)
    spread = sum((sample.seconds - middle) ** 2 for sample in kept)
    if not spread:
        return None
    return round(60.0 * sum((sample.seconds - middle) * (sample.memory - mean) for sample in kept) / spread, 1)


def cores_at_end(samples: list[Sample], seconds: float) -> float | None:
    """Busy cores over the last part of the run, weighted by time; ``None`` with fewer than two readings.

    A reading says what was computed since the one before, so a reading that only ends in that part counts if no other does.

    Args:
        samples: the readings.
        seconds: length of the part.
    """
    if len(samples) < 2:
        return None
    begin = samples[-1].seconds - seconds
    pairs = list(itertools.pairwise(samples))
    last = [pair for pair in pairs if pair[0].seconds >= begin] or pairs[-1:]
    took = last[-1][1].seconds - last[0][0].seconds
    busy = sum(sample.cpu_cores * (sample.seconds - before.seconds) for before, sample in last)
    return round(busy / took, 3) if took > 0 else None


def gpu_columns(samples: list[Sample]) -> list[list[GpuReading]]:
    """The readings of each GPU over the run."""
    count = max((len(sample.gpus) for sample in samples), default=0)
    return [[sample.gpus[number] for sample in samples if len(sample.gpus) > number] for number in range(count)]


def _idle_shares(samples: list[Sample], silent_since: float | None = None) -> list[float] | None:
    """For each GPU that the run filled, the share of readings in which it was idle; ``None`` with too few readings."""
    shares: list[float] = []
    columns = gpu_columns(samples)
    late = gpu_columns([sample for sample in samples if silent_since is not None and sample.seconds >= silent_since])
    for number, readings in enumerate(columns):
        memory = [one.memory_used_mib for one in readings if one.memory_used_mib is not None]
        looked_at = readings[int(_WARM_UP * len(readings)) :] if silent_since is None else (late[number] if late else [])
        busy = [one.utilisation_percent for one in looked_at if one.utilisation_percent is not None]
        if len(busy) < _FEWEST or not memory:
            return None
        if max(memory) - memory[0] > _GPU_IN_USE_MIB:
            shares.append(sum(value < _IDLE_PERCENT for value in busy) / len(busy))
    return shares if columns else None


def gpu_idle_share(samples: list[Sample], silent_since: float | None = None) -> float | None:
    """Share of the readings in which a GPU that the run filled did nothing; the smallest over those GPUs.

    Args:
        samples: the readings; the warm-up is left out.
        silent_since: for a run that hangs, the seconds after which it printed nothing; only readings since then count.
    """
    shares = _idle_shares(samples, silent_since)
    return round(min(shares), 3) if shares else None


def gpus_held(samples: list[Sample]) -> int | None:
    """Number of GPUs whose memory the run filled; ``None`` if no GPU was read."""
    shares = _idle_shares(samples)
    return None if shares is None else len(shares)


def gpus_busy(samples: list[Sample]) -> int | None:
    """Number of GPUs whose memory the run filled and that also computed."""
    shares = _idle_shares(samples)
    return None if shares is None else sum(share < _NEVER_BUSY for share in shares)


def table(samples: list[Sample]) -> typing.Iterator[list[str]]:
    """The readings as rows of a CSV file, with the names in the first row."""
    gpus = max((len(sample.gpus) for sample in samples), default=0)
    names = list(COLUMNS)
    for number in range(gpus):
        names += [f"gpu_{number}_{field}" for field in GpuReading._fields]
    yield names
    for sample in samples:
        row = [getattr(sample, name) for name in COLUMNS]
        for number in range(gpus):
            row += sample.gpus[number] if number < len(sample.gpus) else (None,) * len(GpuReading._fields)
        yield ["" if value is None else str(value) for value in row]
