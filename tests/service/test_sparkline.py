"""Sparklines of a run's curves."""

import xml.etree.ElementTree

from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.run.sampler import Sample
from tfhelp.service.run.sparkline import Curve, curves_of, range_of, sparkline, svg


def sample(seconds: float, memory: float, files: int = 10) -> Sample:
    return Sample(seconds, memory, 1, 0.5, files, 8000.0, 0.0, None, None, None, 5000.0, 5000.0, ())


def test_a_rising_curve_rises() -> None:
    assert sparkline(Curve("memory", "MiB", [(float(n), float(n)) for n in range(8)])) == "▁▂▃▄▅▆▇█"
    assert sparkline(Curve("memory", "MiB", [(float(n), float(n)) for n in range(8)]), plain=True) == "_.-=+*#@"


def test_the_highest_value_of_a_part_is_seen() -> None:
    points = [(float(n), 100.0 if n == 500 else 1.0) for n in range(1000)]
    line = sparkline(Curve("memory", "MiB", points))
    assert len(line) == 50
    assert line.count("█") == 1


@given(st.lists(st.floats(0, 1e9), min_size=2, max_size=200))
def test_any_curve_has_a_line_and_a_picture(values: list[float]) -> None:
    curve = Curve("memory", "MiB", [(float(n), value) for n, value in enumerate(values)])
    assert 0 < len(sparkline(curve)) <= 50
    assert range_of(curve).endswith(" MiB")
    xml.etree.ElementTree.fromstring(svg([curve], "title"))


def test_only_what_changes_is_drawn_beside_memory_and_processor() -> None:
    level = [sample(float(n), 100.0) for n in range(10)]
    assert [curve.name for curve in curves_of(level)] == ["memory", "processor"]
    rising = [sample(float(n), 100.0, 10 * n) for n in range(10)]
    assert [curve.name for curve in curves_of(rising)] == ["memory", "processor", "open files"]
    assert curves_of([]) == []


def test_a_command_line_cannot_break_the_picture() -> None:
    title = "python <script>alert('x')</script> & \x00\x1b[31m"
    text = svg(curves_of([sample(0.0, 1.0), sample(1.0, 2.0), sample(2.0, 2.0)]), title)
    root = xml.etree.ElementTree.fromstring(text)
    assert "<script>" not in text
    assert any((element.text or "").startswith("python <script>") for element in root.iter())
