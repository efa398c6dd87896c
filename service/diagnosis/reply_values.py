"""The value that a reply states for a fact, checked against the fact's type and range."""

import math
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.service.diagnosis.asking import MAJORS, NOT_THERE, choices_of, example, may_be_absent

Json = dict[str, typing.Any]

YES = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
LISTS = {"texts": "text", "integers": "integer", "list": ""}
_VERSION = Pattern(r"[vV]?([0-9][\w.+!-]{0,60})")
_VERSION_AND_PLACE = Pattern(r"([0-9][\w.+!-]{0,60})\s+(?:[A-Za-z]:)?[/\\].*")
_CAPABILITY = Pattern(r"[0-9]{1,2}\.[0-9]")
_LARGEST = 1e12
_MOST_GPUS = 64
_BYTES = 1 << 25  # a control group's limit from here on is in bytes: 32 TiB otherwise
_THOUSANDS = Pattern(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+\b")
_MINORS_OF_PYTHON_2 = ("", "6", "7")

# Ranges by the end of a path: the values that a machine can have.
_RANGES: tuple[tuple[str, float, float], ...] = (
    ("_percent", 0, 100),
    ("_share", 0, 1),
    ("_celsius", -50, 200),
    ("exit_code", -(1 << 31), (1 << 32) - 1),
    ("_slope_mib_per_minute", -_LARGEST, _LARGEST),
    ("cpu_count", 1, 100_000),
    ("", 0, _LARGEST),
)


class ReplyError(ValueError):
    """A reply that is not a possible value of the fact. The message names the fact and says what is accepted."""


def value_of(path: str, written: str, kind: str, types: dict[str, str]) -> object:
    """The value of a fact, as its type wants it.

    Raises:
        ReplyError: the fact cannot have it.
    """
    if path == "gpus":
        return _gpus(path, written)
    if kind == "boolean":
        return _boolean(path, written)
    if kind == "choice":
        return _choice(path, written, choices_of(path, types))
    if kind == "number":
        return _number(path, written, types[path])
    if types.get(path) in LISTS:
        return _list(path, written, types[path])
    return version_of(path, written) if kind == "version" else _text(path, written)


def _list(path: str, written: str, kind: str) -> list[typing.Any]:
    if kind == "integers":
        return [_number(path, part, "integer") for part in written.replace(",", " ").split()]
    return [part.strip() for part in written.replace("\n", ",").split(",") if part.strip()]


def _gpus(path: str, written: str) -> list[Json]:
    """GPUs by name, by compute capability, or just their number."""
    if written.isascii() and written.isdigit():
        if int(written[:9]) > _MOST_GPUS:
            raise ReplyError(f"{path}: expected a GPU's name or a number of GPUs up to {_MOST_GPUS}, got {shown(written)}")
        return [{} for _ in range(int(written))]
    if _CAPABILITY.fullmatch(written):
        return [{"compute_capability": written}]
    if written.lower() in YES:
        raise ReplyError(f"{path}: expected the name of the GPU, got {shown(written)}; {_hint()}")
    return [{"name": name.strip()} for name in written.split(",") if name.strip()]


def _boolean(path: str, written: str) -> bool:
    try:
        return YES[written.lower()]
    except KeyError:
        raise ReplyError(f"{path}: expected yes or no, got {shown(written)}; leave it empty if you do not know") from None


def _choice(path: str, written: str, choices: list[str]) -> str:
    if written.lower() not in choices:
        raise ReplyError(f"{path}: expected one of {', '.join(choices)}, got {shown(written)}")
    return written.lower()


def _number(path: str, written: str, kind: str) -> int | float:
    expected = "an integer" if kind == "integer" else "a number"
    absent = f"; {_hint()}" if may_be_absent(path, "number") else ""
    try:
        number = _parsed_number(path, written, kind)
    except (ValueError, OverflowError):
        raise ReplyError(f"{path}: expected {expected}, got {shown(written)}{absent}") from None
    least, most = next((least, most) for ending, least, most in _RANGES if path.endswith(ending))
    if path == "python.bits" and number not in (32, 64):
        raise ReplyError(f"{path}: expected 32 or 64, got {shown(written)}")
    if not least <= number <= most:
        bounds = f"from {least:g} to {most:g}" if most < _LARGEST else f"of at least {least:g}"
        raise ReplyError(f"{path}: expected {expected} {bounds}, got {shown(written)}")
    return number


def _parsed_number(path: str, written: str, kind: str) -> int | float:
    found = _THOUSANDS.match(written)
    if found:
        written = found[0].replace(",", "") + written[found.end() :]
    elif path.endswith("_mib"):
        written = written.replace(",", ".")
    if path.endswith("exit_code"):
        written = written.lower().removeprefix("exit code").strip(" :=")
    if kind == "integer":
        # Windows reports crashes as 0xC0000005.
        return int(written, 16) if written.lower().startswith("0x") else int(written)
    if path.endswith("_mib") and written[-1:].isalpha():
        from tfhelp.collectors.text_facts.sizes import mib

        amount = mib(written)
        if amount is None:
            raise ValueError
        return amount
    number = float(written.replace(",", "."))
    if not math.isfinite(number):
        raise ValueError
    if path == "host.cgroup_limit_mib" and number >= _BYTES:
        number = round(number / (1 << 20), 3)  # memory.max gives bytes
    return number


def version_of(path: str, written: str) -> str:
    """A version, or the version before a path. Raises: ReplyError: it is none."""
    found = _VERSION.fullmatch(written) or _VERSION_AND_PLACE.fullmatch(written)
    if not found:
        raise ReplyError(f"{path}: expected a version such as {example(path)}, got {shown(written)}; {_hint()}")
    version: str = found[1]
    if path in MAJORS:
        _check_major(path, version, written)
    return version


def _check_major(path: str, version: str, written: str) -> None:
    least, most, good = MAJORS[path]
    digits, _, rest = version.partition(".")
    python_2 = path == "python.version" and digits == "2" and rest.partition(".")[0] not in _MINORS_OF_PYTHON_2
    if python_2 or (digits.isdigit() and not least <= int(digits[:9]) <= most):
        other = "; nvidia-smi's CUDA Version is not the driver's" if path == "driver.version" and int(digits[:9]) < 30 else ""
        raise ReplyError(f"{path}: {shown(written)} is not a version that this can have; expected one such as {good}{other}")


def _text(path: str, written: str) -> str:
    if written.lower() in YES and not path.startswith("env."):
        raise ReplyError(f"{path}: expected a value, got {shown(written)}; {_hint()}")
    return written


def _hint() -> str:
    return f"say '{NOT_THERE}' if it is absent"


def shown(written: str) -> str:
    """A reply as an error quotes it."""
    return repr(written[:60])
