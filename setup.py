"""Packages, computed: a subpackage that nobody listed would work in an editable install and be missing from the wheel."""

import os
import subprocess
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel

ROOMS = ("kb", "collectors", "index", "service")
# What the build makes and a wheel is useless without. Neither is in git.
BUILD_PRODUCTS = (
    "kb/artefacts/knowledge.bin",
    "kb/artefacts/manifest.json",
    "index/artefacts/encoder.ort",
    "index/artefacts/encoder.json",
    "index/artefacts/tokenizer.json",
    "index/artefacts/vectors.faiss",
    "index/artefacts/classifier.bin",
    "index/artefacts/words.txt",
    "index/artefacts/quick.bin",
    "index/artefacts/manifest.json",
    "index/artefacts/sieve.hsdb",
    "index/artefacts/sieve-edges.hsdb",
    "service/artefacts/confidence.json",
)

MANUAL = "build/man/tfhelp.1"  # 'make man' writes it
_WITHOUT_GIT = "1580601600"  # 2 February 2020: any time will do that is the same everywhere


class WheelWithBuildProducts(bdist_wheel):
    """A wheel that refuses to be built before the knowledge base and the index are, and that two builds make alike, bit for bit."""

    def run(self) -> None:
        here = Path(__file__).resolve().parent
        missing = [name for name in BUILD_PRODUCTS if not (here / name).is_file()]
        if missing:
            raise SystemExit(
                f"tfhelp: the wheel would lack {', '.join(missing)}; run 'make setup' in {here} first, then 'make wheel'"
            )
        # The time of every file in the archive. An empty value is what a build argument gives that nobody set.
        os.environ["SOURCE_DATE_EPOCH"] = os.environ.get("SOURCE_DATE_EPOCH") or last_change(here)
        super().run()

    def write_wheelfile(self, *arguments: str, **named: str) -> None:
        """Called when all other files are in place: their modes depend on whose umask it was."""
        super().write_wheelfile(*arguments, **named)
        for path in Path(self.bdist_dir).rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)


def last_change(folder: Path) -> str:
    """Seconds since 1970 of git's last commit; a fixed time where the sources are no checkout."""
    if not (folder / ".git").exists():
        return _WITHOUT_GIT
    command = ["git", "-C", str(folder), "log", "-1", "--format=%ct"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() or _WITHOUT_GIT
    except (OSError, subprocess.CalledProcessError):
        return _WITHOUT_GIT


def version() -> str:
    """Of ``service/version.py``; nothing is imported, since what it would need is not yet installed."""
    text = (Path(__file__).resolve().parent / "service" / "version.py").read_text(encoding="utf-8")
    return next(line.partition("=")[2].strip(' "') for line in text.splitlines() if line.startswith("VERSION"))


def packages() -> list[str]:
    """Import names of ``tfhelp`` itself, which lies in service/public, of the four rooms, and of every package inside them."""
    rooms = [name for room in ROOMS for name in (f"tfhelp.{room}", *(f"tfhelp.{room}.{inner}" for inner in find_packages(room)))]
    return ["tfhelp", *(name for name in rooms if name != "tfhelp.service.public")]


def data_files() -> list[tuple[str, list[str]]]:
    """The manual page, where it was made."""
    return [("share/man/man1", [MANUAL])] if (Path(__file__).resolve().parent / MANUAL).is_file() else []


setup(version=version(), packages=packages(), data_files=data_files(), cmdclass={"bdist_wheel": WheelWithBuildProducts})
