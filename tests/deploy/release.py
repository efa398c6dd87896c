"""Whether the tree can be released: ``python -m tests.deploy.release``, which ``make release-check`` runs."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
_SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?")
_RELEASE = re.compile(r"^## (\S+) - (\d{4}-\d\d-\d\d)$")


def changelog_faults(text: str) -> list[str]:
    """Deviations from the form of Keep a Changelog, as sentences."""
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    found = [
        f"CHANGELOG.md: {line!r} is neither 'Unreleased' nor 'VERSION - DAY'" for line in headings[1:] if not _RELEASE.match(line)
    ]
    if not headings or headings[0] != "## Unreleased":
        found.append("CHANGELOG.md: the first heading is not '## Unreleased'")
    days = [match[2] for line in headings if (match := _RELEASE.match(line))]
    if days != sorted(days, reverse=True):
        found.append("CHANGELOG.md: the releases are not in order, the newest first")
    sections = [line[4:] for line in text.splitlines() if line.startswith("### ")]
    found += [f"CHANGELOG.md: '### {name}' is none of {', '.join(SECTIONS)}" for name in sections if name not in SECTIONS]
    return found


def faults(root: pathlib.Path) -> list[str]:
    """Why the sources in a folder cannot be released, as sentences; none if they can."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    version = _version(root / "service" / "version.py", "VERSION")
    found = changelog_faults(text)
    if not _SEMANTIC.fullmatch(version):
        found.append(f"service/version.py: {version!r} is no semantic version")
    if _version(root / "service" / "doors" / "notebook" / "kernel" / "__init__.py", "__version__") != version:
        found.append("service/doors/notebook/kernel/__init__.py: another version than service/version.py")
    released = [match[1] for line in text.splitlines() if (match := _RELEASE.match(line))]
    if released[:1] != [version]:
        found.append(f"CHANGELOG.md: the newest release is not {version}, which service/version.py says")
    unreleased = text.partition("## Unreleased")[2].partition("\n## ")[0]
    if unreleased.strip():
        found.append("CHANGELOG.md: lines stand under 'Unreleased'; move them under the version that you release")
    return found


def _version(file: pathlib.Path, name: str) -> str:
    match = re.search(rf'^{name}\b[^=]*= "([^"]*)"', file.read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else ""


def git_faults(root: pathlib.Path) -> list[str]:
    """Git's objections to a release: uncommitted changes, or a tag of this version on another commit."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False).stdout.strip()

    tag = f"v{_version(root / 'service' / 'version.py', 'VERSION')}"
    tagged = git("rev-list", "-n", "1", tag)
    found = ["there are changes that are in no commit"] if git("status", "--porcelain") else []
    return found + ([f"{tag} is the tag of another commit"] if tagged and tagged != git("rev-parse", "HEAD") else [])


if __name__ == "__main__":
    told = faults(ROOT) + git_faults(ROOT)
    print("\n".join(told) or "This commit can be released.")
    sys.exit(bool(told))
