"""The shipped environment: the locked packages and the wheel, as in the image's last stage.

``python -m tests.deploy.served COMMAND`` is what ``make sbom``, ``make licences`` and ``make image-size`` run.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

from tests.deploy.image_size import told

ROOT = pathlib.Path(__file__).parents[2]
LOCK = ROOT / "deploy" / "serve.lock"
LICENCES = ROOT / "docs" / "licences.md"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: ; (.+?))? \\$", re.MULTILINE)
_BEGIN, _END = "<!-- make licences writes from here -->", "<!-- to here -->"


def locked() -> list[tuple[str, str, str]]:
    """(name, version, marker) of each package in the lock."""
    return [found.groups(default="") for found in _PINNED.finditer(LOCK.read_text(encoding="utf-8"))]  # type: ignore[misc]


def make_environment(folder: pathlib.Path, wheel: pathlib.Path) -> pathlib.Path:
    """An environment without pip: the lock, with each file's digest checked, and the wheel. Returns its interpreter.

    Args:
        folder: the folder to create.
        wheel: the wheel of tfhelp.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--clear", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run([*install, "--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCK)], check=True)
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True)
    subprocess.run(["sh", str(ROOT / "deploy" / "slim.sh"), str(folder)], check=True)
    return python


def write_sbom(python: pathlib.Path, output: pathlib.Path) -> None:
    """A software bill of materials (CycloneDX, JSON) of an environment; the same environment gives the same file."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", str(python), "--pyproject", str(ROOT / "pyproject.toml")]
    options = ["--output-reproducible", "--output-format", "JSON", "--output-file", str(output)]
    subprocess.run([*command, *options], check=True)


def licences(python: pathlib.Path, style: str = "markdown", *more: str) -> str:
    """The licences of all packages of an environment, as ``pip-licenses`` writes them."""
    environment = {**os.environ, "PYTHONUTF8": "1"}  # in the C locale it would not find packages in a folder with an umlaut
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        link = pathlib.Path(folder, "environment")  # it does not find packages in a folder whose path has a space
        link.symlink_to(python.parents[1])
        command = [sys.executable, "-m", "piplicenses", "--python", str(link / "bin" / python.name), "--from", "mixed"]
        options = ["--format", style, *more]
        return subprocess.run([*command, *options], check=True, capture_output=True, encoding="utf-8", env=environment).stdout


def write_licences(python: pathlib.Path, texts: pathlib.Path) -> None:
    """The table in docs/licences.md, and all licence texts in one file."""
    page = LICENCES.read_text(encoding="utf-8")
    before, after = page.partition(_BEGIN)[0], page.partition(_END)[2]
    table = licences(python, "markdown", "--ignore-packages", "tfhelp")
    LICENCES.write_text(f"{before}{_BEGIN}\n\n{table.strip()}\n\n{_END}{after}", encoding="utf-8")
    texts.write_text(licences(python, "plain-vertical", "--with-license-file", "--no-license-path"), encoding="utf-8")


def main(arguments: typing.Sequence[str]) -> int:
    """Run a command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.served", description=__doc__)
    parser.add_argument("command", choices=("environment", "sbom", "licences", "size"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "served", help="the environment")
    parser.add_argument("--dist", type=pathlib.Path, default=ROOT / "dist", help="where the wheel is, and where files go")
    given = parser.parse_args(arguments)
    python = given.folder / "bin" / "python"
    if given.command == "environment":
        [wheel] = given.dist.glob("tfhelp-[0-9]*.whl")
        make_environment(given.folder, wheel)
    elif given.command == "sbom":
        write_sbom(python, given.dist / "tfhelp.cdx.json")
    elif given.command == "licences":
        write_licences(python, given.dist / "licences.txt")
    else:
        print(told(given.folder))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1580601600")
    sys.exit(main(sys.argv[1:]))
