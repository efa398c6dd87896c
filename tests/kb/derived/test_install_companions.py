"""Derived facts of the packages that must match TensorFlow: its Windows part, Keras 2, add-ons, OpenMP."""

import typing

import pytest

from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.tables import Tables

Packages = dict[str, str]


def known(
    tables: Tables, path: str, packages: Packages, *, listed: bool = True, os_name: str = "linux", legacy: str | None = None
) -> typing.Any:
    """The derived fact from installed packages; the text ``unknown`` where it stays unknown."""
    sheet = FactSheet()
    sheet.put("os.name", os_name, "given")
    if legacy is not None:
        sheet.put("env.TF_USE_LEGACY_KERAS", legacy, "given")
    for name, version in packages.items():
        sheet.put(f"packages.{name}", version, "given")
    if listed:
        sheet.about["packages"] = {"source": "pip metadata", "state": "ok"}
    derive(sheet, tables)
    return sheet.get(path) if sheet.known(path) else "unknown"


@pytest.mark.parametrize(
    ("packages", "os_name", "listed", "expected"),
    [
        ({"tensorflow": "2.15.0"}, "windows", True, True),
        ({"tensorflow": "2.15.0", "tensorflow-intel": "2.15.0"}, "windows", True, False),
        ({"tensorflow": "2.15.0"}, "windows", False, "unknown"),
        ({"tensorflow": "2.15.0"}, "linux", True, False),
        ({"tensorflow": "2.18.1"}, "windows", True, False),
        ({"tensorflow": "2.10.1"}, "windows", True, False),
        ({}, "windows", True, "unknown"),
    ],
)
def test_windows_stub_without_intel(tables: Tables, packages: Packages, os_name: str, listed: bool, expected: object) -> None:
    assert known(tables, "derived.windows_stub_without_intel", packages, os_name=os_name, listed=listed) == expected


@pytest.mark.parametrize(
    ("packages", "expected"),
    [
        ({"tensorflow": "2.20.0", "tf-keras": "2.15.0"}, False),
        ({"tensorflow": "2.20.0", "tf_keras": "2.20.1"}, True),
        ({"tensorflow": "2.20.0"}, "unknown"),
    ],
)
def test_tf_keras_must_have_the_same_minor_version(tables: Tables, packages: Packages, expected: object) -> None:
    assert known(tables, "derived.tf_keras_satisfies_tensorflow", packages) == expected


@pytest.mark.parametrize(
    ("legacy", "packages", "listed", "expected"),
    [
        ("1", {"tensorflow": "2.21.0"}, True, True),
        ("True", {"tensorflow": "2.21.0", "tf-keras": "2.21.0"}, True, False),
        ("0", {"tensorflow": "2.21.0"}, True, False),
        ("1", {"tensorflow": "2.21.0"}, False, "unknown"),
        (None, {"tensorflow": "2.21.0"}, True, "unknown"),
    ],
)
def test_legacy_keras_missing(tables: Tables, legacy: str | None, packages: Packages, listed: bool, expected: object) -> None:
    assert known(tables, "derived.legacy_keras_missing", packages, legacy=legacy, listed=listed) == expected


def test_an_addon_of_another_minor_version_is_named(tables: Tables) -> None:
    packages = {"tensorflow": "2.20.0", "tensorflow-text": "2.18.1"}
    assert known(tables, "derived.addon_of_other_version", packages) is True
    assert known(tables, "derived.mismatched_addons", packages) == "tensorflow-text 2.18.1"
    assert known(tables, "derived.addon_of_other_version", {"tensorflow": "2.20.0", "tensorflow-text": "2.20.0"}) is False
    assert known(tables, "derived.addon_of_other_version", {"tensorflow": "2.20.0"}) == "unknown"


def test_openmp_of_mkl_beside_another_copy(tables: Tables) -> None:
    packages = {"mkl": "2024.0", "torch": "2.5.0", "numpy": "1.26.4"}
    assert known(tables, "derived.openmp_packages", packages) == "mkl 2024.0, torch 2.5.0"
    assert known(tables, "derived.several_openmp_packages", packages) is True
    assert known(tables, "derived.several_openmp_packages", {"scikit-learn": "1.5.0", "torch": "2.5.0"}) is False
    assert known(tables, "derived.openmp_packages", {"numpy": "1.26.4"}, listed=False) == "unknown"
