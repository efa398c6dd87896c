"""The shape of a run's memory, from readings; and the table of them."""

import pytest

from tfhelp.collectors.run import curves
from tfhelp.collectors.run.gpu_watch import GpuReading
from tfhelp.collectors.run.sampler import Sample


def sample(seconds: float, memory: float, cores: float = 1.0, gpus: tuple[GpuReading, ...] = ()) -> Sample:
    return Sample(seconds, memory, 1, cores, 10, 8000.0, 0.0, None, None, None, 5000.0, 5000.0, gpus)


def run(*memory: float) -> list[Sample]:
    return [sample(float(number), value) for number, value in enumerate(memory)]


LEVEL = [100.0, 400.0, 800.0] + [900.0] * 27


@pytest.mark.parametrize(
    ("memory", "limit", "expected"),
    [
        (LEVEL, 16000.0, "flat"),
        ([900.0 + 30 * (number % 2) for number in range(30)], 16000.0, "flat"),
        ([100.0 + 50 * number for number in range(30)], 16000.0, "steady-growth"),
        ([100.0 + 50 * (number // 3) for number in range(30)], 16000.0, "steady-growth"),
        ([500.0] * 18 + [2500.0] * 12, 16000.0, "step"),
        ([500.0] * 12 + [500.0 + 100 * number for number in range(18)], 16000.0, "steady-growth"),
        ([500.0] * 6 + [500.0 + 100 * min(number, 10) for number in range(24)], 16000.0, "flat"),
        ([200.0 * min(number, 10) for number in range(40)], 2100.0, "plateau-at-limit"),
        ([500.0] * 5, 16000.0, None),
        ([], None, None),
    ],
)
def test_the_shape_of_memory(memory: list[float], limit: float | None, expected: str | None) -> None:
    assert curves.memory_pattern(run(*memory), limit) == expected


def test_growth_in_mib_per_minute() -> None:
    assert curves.memory_slope(run(*(100.0 + 5 * number for number in range(40)))) == 300.0
    assert curves.memory_slope(run(1.0, 2.0)) is None


def test_busy_cores_are_those_of_the_end() -> None:
    samples = [sample(float(second), 500.0, 8.0 if second < 60 else 0.0) for second in range(100)]
    assert curves.cores_at_end(samples, 30.0) == 0.0
    assert curves.cores_at_end(samples[:50], 30.0) == 8.0
    assert curves.cores_at_end(samples[:1], 30.0) is None


def test_a_reading_that_began_before_the_end_does_not_count() -> None:
    started = [sample(0.0, 500.0, 0.0), sample(10.0, 500.0, 4.0), sample(11.0, 500.0, 0.0), sample(14.0, 500.0, 0.0)]
    assert curves.cores_at_end(started, 7.0) == 0.0
    assert curves.cores_at_end(started[:2], 7.0) == 4.0  # nothing else is known


def test_idle_gpus_count_only_where_they_were_used() -> None:
    def gpu(second: int) -> tuple[GpuReading, ...]:
        used = GpuReading(95.0 if second % 4 == 0 else 3.0, 20000.0 if second > 3 else 10.0, 60.0)
        return (used, GpuReading(0.0, 10.0, 30.0))

    samples = [sample(float(second), 500.0, 1.0, gpu(second)) for second in range(100)]
    assert curves.gpu_idle_share(samples) == 0.75
    assert curves.gpu_idle_share([sample(float(second), 500.0) for second in range(100)]) is None


def test_the_table_has_a_column_for_each_gpu() -> None:
    rows = list(curves.table([sample(0.0, 5.0), sample(1.0, 6.0, gpus=(GpuReading(50.0, None, 40.0),))]))
    assert rows[0][-3:] == ["gpu_0_utilisation_percent", "gpu_0_memory_used_mib", "gpu_0_temperature_celsius"]
    assert rows[1][-3:] == ["", "", ""]
    assert rows[2][-3:] == ["50.0", "", "40.0"]
    assert {len(row) for row in rows} == {len(rows[0])}


def gpus(*readings: tuple[float, float]) -> tuple[GpuReading, ...]:
    return tuple(GpuReading(busy, memory, 50.0) for busy, memory in readings)


def test_one_of_two_gpus_computes() -> None:
    samples = [
        sample(float(n), 900.0, gpus=gpus((90.0, 10.0 if n < 2 else 9000.0), (0.0, 10.0 if n < 2 else 9000.0))) for n in range(30)
    ]
    assert (curves.gpus_held(samples), curves.gpus_busy(samples)) == (2, 1)
    assert curves.gpu_idle_share(samples) == 0.0
    assert (curves.gpus_held(run(*LEVEL)), curves.gpus_busy(run(*LEVEL)), curves.gpu_idle_share(run(*LEVEL))) == (
        None,
        None,
        None,
    )


def test_a_gpu_that_others_fill_is_not_the_runs() -> None:
    samples = [sample(float(n), 900.0, gpus=gpus((90.0, 9000.0))) for n in range(30)]
    assert (curves.gpus_held(samples), curves.gpu_idle_share(samples)) == (0, None)


def test_for_a_hanging_run_only_readings_since_its_last_output_count() -> None:
    samples = [sample(float(n), 900.0, gpus=gpus((0.0 if n < 15 else 100.0, 10.0 if n < 2 else 9000.0))) for n in range(30)]
    assert curves.gpu_idle_share(samples, silent_since=16.0) == 0.0
    assert curves.gpu_idle_share(samples) == pytest.approx(9 / 24, abs=0.01)
    assert curves.gpu_idle_share(samples, silent_since=28.0) is None


def test_a_silence_after_a_crash_does_not_flatten_the_course() -> None:
    grown = run(*[100.0 + 50 * number for number in range(20)], *[1050.0] * 20)
    assert curves.memory_pattern(grown, 16000.0) != "steady-growth"
    assert curves.memory_pattern(curves.until_final_silence(grown, 19.5), 16000.0) == "steady-growth"
    assert curves.grew_in_silence(grown, 19.5) is False


def test_what_is_read_in_silence_counts() -> None:
    read = run(*[100.0] * 10, *[100.0 + 50 * number for number in range(20)])
    assert curves.grew_in_silence(read, 9.5) is True
    assert curves.until_final_silence(read, 9.5) == read
    assert curves.grew_in_silence(read, 60.0) is None
