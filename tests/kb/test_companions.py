"""Packages that pair with a TensorFlow release: the rows, and that the resolver found such pairs."""

import pytest

from tests.kb import resolving
from tfhelp.kb import compat_tables, compatibility, versions
from tfhelp.kb.choice import Machine
from tfhelp.service.plan.planner import plan

TABLES = compat_tables.tables()


def companions(version: str) -> dict[str, str]:
    return compatibility.companions(TABLES, TABLES.release(version) or {})


@pytest.mark.parametrize(
    ("version", "package", "wanted"),
    [
        ("2.18.1", "tensorflow-text", "==2.18.*"),
        ("2.18.1", "tf_keras", "==2.18.*"),
        ("2.16.2", "tensorflow-io", "==0.37.1"),
        ("2.10.1", "tensorflow-io", "==0.27.0"),
        ("2.20.0", "setuptools", "<82"),
    ],
)
def test_what_fits_a_release(version: str, package: str, wanted: str) -> None:
    assert companions(version)[package] == wanted


def test_what_a_release_has_no_companion_of() -> None:
    assert "tensorflow-io" not in companions("2.17.1")
    assert "setuptools" not in companions("2.21.0")
    assert "tf_keras" not in companions("2.10.1")


def test_the_resolver_agrees() -> None:
    """Each pair that it found for a line with both packages is one from the table."""
    found = [row["versions"] for row in resolving.read().values() if "tensorflow" in row.get("versions", {})]
    compared = 0
    for row in found:
        for package, wanted in companions(row["tensorflow"]).items():
            version = row.get(package.replace("_", "-"))
            if version and package != "tensorflow-io":  # no line states the version of tensorflow-io: the reader looks it up
                compared += 1
                assert versions.satisfies(version, wanted), (row["tensorflow"], package, version)
    assert compared > 10


def test_a_plan_names_what_fits_its_release() -> None:
    notes = " ".join(plan(Machine("linux", python="3.13"), TABLES).notes)
    assert "tensorflow-text==2.21.*" in notes
    assert "setuptools" not in notes
    notes = " ".join(plan(Machine("linux", python="3.9"), TABLES).notes)
    assert 'python -m pip install "setuptools<82"' in notes
    assert "tensorflow-text==2.20.*" in notes
