"""Curves of a run as pictures: a line of block characters for a terminal, an SVG for a file."""

import typing

from tfhelp.collectors.run.curves import gpu_columns
from tfhelp.collectors.run.sampler import Sample

_BLOCKS = "▁▂▃▄▅▆▇█"
_PLAIN = "_.-=+*#@"
_WIDTH, _HEIGHT, _MARGIN = 720, 96, 40


class Curve(typing.NamedTuple):
    """One quantity over the run; a point is (seconds, value)."""

    name: str
    unit: str
    points: list[tuple[float, float]]


def curves_of(samples: list[Sample]) -> list[Curve]:
    """The curves to draw: always memory and processor, the others if there are readings."""
    found = [
        Curve("memory", "MiB", [(one.seconds, one.memory) for one in samples]),
        Curve("processor", "cores", [(one.seconds, one.cpu_cores) for one in samples[1:]]),
    ]
    for number, readings in enumerate(gpu_columns(samples)):
        times = [one.seconds for one in samples if len(one.gpus) > number]
        for name, unit, field in (
            (f"GPU {number}", "%", "utilisation_percent"),
            (f"GPU {number} memory", "MiB", "memory_used_mib"),
        ):
            pairs = zip(times, (getattr(one, field) for one in readings), strict=True)
            found.append(Curve(name, unit, [(time, value) for time, value in pairs if value is not None]))
    for name, unit, field, change in (("open files", "", "open_files", 50.0), ("disk free", "MiB", "disk_free", 256.0)):
        points = [(one.seconds, float(value)) for one in samples if (value := getattr(one, field)) is not None]
        if points and max(map(_value, points)) - min(map(_value, points)) > change:  # a constant curve shows nothing
            found.append(Curve(name, unit, points))
    return [curve for curve in found if len(curve.points) > 1]


def _value(point: tuple[float, float]) -> float:
    return point[1]


def sparkline(curve: Curve, width: int = 50, plain: bool = False) -> str:
    """A curve in one line: each character shows the highest value in its time interval, on a scale from 0."""
    marks = _PLAIN if plain else _BLOCKS
    first, span = curve.points[0][0], curve.points[-1][0] - curve.points[0][0] or 1.0
    width = min(width, len(curve.points))
    columns: list[float | None] = [None] * width
    for time, value in curve.points:
        place = min(width - 1, int(width * (time - first) / span))
        columns[place] = max(value, columns[place] or 0.0)
    highest = max(value for value in columns if value is not None) or 1.0
    line, last = "", 0.0
    for column in columns:
        last = last if column is None else column
        line += marks[min(len(marks) - 1, int(len(marks) * max(last, 0.0) / highest))]
    return line


def range_of(curve: Curve) -> str:
    """The first and the highest value in words."""
    return f"{_number(curve.points[0][1])} to at most {_number(max(map(_value, curve.points)))} {curve.unit}".rstrip()


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value < 10 else f"{value:.0f}"


def svg(curves: list[Curve], title: str) -> str:
    """All curves, one below another, on one time axis in seconds."""
    end = max((curve.points[-1][0] for curve in curves), default=1.0) or 1.0
    height = _MARGIN + len(curves) * (_HEIGHT + _MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH + 2 * _MARGIN}" height="{height}" font-size="12">',
        '<style>text {font-family: sans-serif}</style><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_MARGIN}" y="24" font-size="14">{_escaped(title)}</text>',
    ]
    for number, curve in enumerate(curves):
        top = _MARGIN + number * (_HEIGHT + _MARGIN) + 16
        highest = max(map(_value, curve.points)) or 1.0
        points = " ".join(
            f"{_MARGIN + _WIDTH * time / end:.1f},{top + _HEIGHT * (1 - value / highest):.1f}" for time, value in curve.points
        )
        parts += [
            f'<text x="{_MARGIN}" y="{top - 4}">{_escaped(f"{curve.name}: {range_of(curve)}")}</text>',
            f'<rect x="{_MARGIN}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#bbb"/>',
            f'<polyline points="{points}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>',
        ]
    parts += [f'<text x="{_MARGIN + _WIDTH}" y="{height - 4}" text-anchor="end">{end:.0f} s</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    # A command line may also contain characters that XML does not allow.
    import html

    return html.escape("".join(character if character.isprintable() else "?" for character in text), quote=False)
