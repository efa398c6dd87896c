"""Versions and the CHANGELOG: the form is always checked, the rest before a release."""

import pathlib
import shutil
import subprocess

import pytest

from tests.deploy.release import ROOT, changelog_faults, faults

FILES = ("CHANGELOG.md", "service/version.py", "service/doors/notebook/kernel/__init__.py")


@pytest.fixture
def ready(tmp_path: pathlib.Path) -> pathlib.Path:
    """A tree that can be released."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "service/version.py").write_text('VERSION = "1.2.0"\n', encoding="utf-8")
    (tmp_path / FILES[2]).write_text('__version__ = "1.2.0"\n', encoding="utf-8")
    text = "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-12-01\n\n### Added\n\n- A door.\n\n## 1.1.0 - 2026-11-01\n"
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_changelog_keeps_its_form() -> None:
    assert changelog_faults((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) == []


def test_a_tree_that_is_ready_has_no_fault(ready: pathlib.Path) -> None:
    assert faults(ready) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("service/version.py", "1.2.0", "1.2", "no semantic version"),
        ("service/version.py", "1.2.0", "1.3.0", "newest release is not 1.3.0"),
        (FILES[2], "1.2.0", "1.1.0", "another version"),
        ("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n### Fixed\n\n- A fault.\n", "under 'Unreleased'"),
        ("CHANGELOG.md", "2026-11-01", "2027-11-01", "not in order"),
        ("CHANGELOG.md", "### Added", "### News", "'### News' is none of"),
        ("CHANGELOG.md", "## 1.1.0 - 2026-11-01", "## 1.1.0", "neither 'Unreleased' nor"),
    ],
)
def test_each_fault_is_told(ready: pathlib.Path, file: str, old: str, new: str, said: str) -> None:
    path = ready / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert any(said in fault for fault in faults(ready))


def test_what_is_said_of_a_release_is_said_of_the_wheel_that_is_built_for_it(tmp_path: pathlib.Path) -> None:
    """``make sbom`` installs the new wheel, even if an older one has an environment that is newer than the other sources."""
    made = tmp_path / ".made"
    made.touch()
    ran = subprocess.run(["make", "--dry-run", "sbom", f"SERVED={made}"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    steps = ["rm -rf build/lib build/bdist.* dist/tfhelp-*.whl", "tests.deploy.served environment", "tests.deploy.served sbom"]
    places = [ran.stdout.find(step) for step in steps]
    assert -1 not in places and places == sorted(places), places
