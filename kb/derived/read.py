"""Reading the sheet for derived facts: values of one type, or ``None`` if there is no usable value."""

import math
import typing

from tfhelp.kb import choice, compatibility
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Row, Tables

Value = typing.TypeVar("Value")


def text(sheet: FactSheet, path: str) -> str | None:
    """A non-empty text."""
    value = sheet.get(path)
    return value.strip() or None if isinstance(value, str) else None


def first_text(sheet: FactSheet, *paths: str) -> str | None:
    """The first text among several paths."""
    return next((found for path in paths if (found := text(sheet, path))), None)


def number(sheet: FactSheet, path: str) -> float | None:
    """A finite number that is not negative (sizes, counts)."""
    return finite(sheet.get(path))


def finite(value: object) -> float | None:
    """The value as a number, if it is finite and not negative."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, int) and value.bit_length() > 200:
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


def package(sheet: FactSheet, name: str) -> str | None:
    """The version of an installed package, in any spelling of its name (``tf_keras``, ``tf-keras``)."""
    return first_text(sheet, f"packages.{name}", f"packages.{name.replace('-', '_')}", f"packages.{name.replace('_', '-')}")


def packages_listed(sheet: FactSheet) -> bool:
    """Return whether the list of installed packages is complete, so that a missing name means that it is not installed."""
    return sheet.read_whole("packages")


def gpus(sheet: FactSheet) -> list[Row]:
    """The GPUs that were seen."""
    value = sheet.get("gpus")
    return [gpu for gpu in value if isinstance(gpu, dict)] if isinstance(value, list) else []


def visible_gpus(sheet: FactSheet) -> list[Row]:
    """The GPUs that the program could use: those that CUDA_VISIBLE_DEVICES names by number, else all."""
    known, named = gpus(sheet), (text(sheet, "env.CUDA_VISIBLE_DEVICES") or "").split(",")
    numbers = [int(one) for part in named if (one := part.strip()).isdecimal() and len(one) < 5]
    inside = len(numbers) == len(named) and all(number < len(known) for number in numbers)
    return [known[number] for number in numbers] if inside else known


def system(sheet: FactSheet) -> str | None:
    """``linux``, ``windows``, ``wsl`` or ``macos``."""
    name = text(sheet, "os.name")
    return "wsl" if name == "linux" and sheet.get("os.wsl") is True else name


def systems(sheet: FactSheet) -> list[str]:
    """The possible systems: the known one, else each that can have an NVIDIA GPU."""
    known = system(sheet)
    return [known] if known else ["linux", "windows"]


def platforms(sheet: FactSheet) -> list[str]:
    """The platforms of the release table that fit the machine; all of them if the system is not known."""
    name = text(sheet, "os.name")
    if name is None:
        return ["linux_x86_64", "linux_aarch64", "windows", "macos_x86_64", "macos_arm64"]
    return compatibility.platform_keys(name, text(sheet, "os.architecture"))


def machine(sheet: FactSheet) -> choice.Machine | None:
    """The properties of the machine that decide which TensorFlow runs; ``None`` if not even the system is known."""
    name = system(sheet)
    if name is None:
        return None
    gpu = sheet.get("derived.gpu_present") is True or sheet.known("driver.version")
    return choice.Machine(
        name,
        architecture=text(sheet, "os.architecture"),
        python=text(sheet, "python.version"),
        gpu=gpu and name != "macos",
        compute_capability=text(sheet, "derived.gpu_compute_capability"),
        driver=text(sheet, "driver.version"),
        glibc=text(sheet, "os.glibc"),
    )


def release(sheet: FactSheet, tables: Tables) -> Row | None:
    """The installed TensorFlow's row, if it is an official build."""
    if text(sheet, "derived.tensorflow_distribution") in OTHER_MAKERS:
        return None
    return tables.release(text(sheet, "derived.tensorflow_version"))


def agreed(values: typing.Iterable[Value | None]) -> typing.Any:
    """The value that all share, else ``UNKNOWN``."""
    found = list(values)
    return found[0] if found and found[0] is not None and all(value == found[0] for value in found) else UNKNOWN


OTHER_MAKERS = ("intel-tensorflow", "tensorflow-directml", "tensorflow-rocm", "tensorflow-directml-plugin")
