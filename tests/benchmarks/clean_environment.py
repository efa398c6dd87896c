"""The built wheel in a separate environment, like that of a user who ran ``pip install tfhelp``."""

import hashlib
import os
import pathlib
import subprocess
import sys
import venv

from tests.benchmarks.recordings import ROOT
from tests.benchmarks.timing import plain_environment

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tfhelp" / "benchmark"


class CleanEnvironment:
    """Where the wheel is installed.

    Attributes:
        python: the environment's interpreter.
        tfhelp: the console script.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        suffix = ".exe" if os.name == "nt" else ""
        self.python = str(scripts / f"python{suffix}")
        self.tfhelp = str(scripts / f"tfhelp{suffix}")


def prepare() -> CleanEnvironment:
    """Install the wheel of ``dist/`` unless the same wheel is installed; the environment is kept for the next run.

    Raises:
        RuntimeError: there is no wheel, or it cannot be installed.
    """
    wheels = sorted((ROOT / "dist").glob("tfhelp-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        raise RuntimeError(f"no wheel in {ROOT / 'dist'}; 'make wheel' builds it, 'make bench' does so by itself")
    requirements = (ROOT / "requirements.txt").read_bytes()
    folder = CACHE / f"environment-{sys.version_info[0]}.{sys.version_info[1]}"
    environment = CleanEnvironment(folder)
    stamp = folder / "wheel.sha256"
    installed = hashlib.sha256(wheels[-1].read_bytes() + requirements).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == installed:
        return environment
    if not os.path.exists(environment.python):
        venv.create(folder, with_pip=True)
    stamp.unlink(missing_ok=True)
    pip = [environment.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "--constraint", str(ROOT / "requirements.txt"), str(wheels[-1])])
    _run([*pip, "--no-deps", "--force-reinstall", str(wheels[-1])])  # the version does not change during development
    stamp.write_text(installed, encoding="utf-8")
    return environment


def _run(command: list[str]) -> None:
    ran = subprocess.run(command, env=plain_environment(), capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {ran.returncode}: {ran.stderr.strip()[-1000:]}")
