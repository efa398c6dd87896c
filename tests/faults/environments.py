"""Interpreters for fault programs: the one that runs the tests, or a separate environment if a program asks for one."""

import errno
import glob
import hashlib
import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import time

import packaging.requirements
import packaging.specifiers
import packaging.version

from tests.faults.errors import UnsupportedError
from tests.interpreters import of_pyenv
from tfhelp.kb.programs import Program, ProgramError

_CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "tfhelp" / "environments"
_READY = "ready"
_INSTALL_SECONDS = 1200
_UNUSED_SECONDS = 30 * 24 * 3600


class Interpreter:
    """A Python that can run a program.

    Attributes:
        executable: absolute path; its folder holds ``python``.
        prefix: the environment's folder.
        base_prefix: the installation that the environment was created from.
        version: for example ``3.11.7``.
    """

    __slots__ = ("base_prefix", "executable", "prefix", "version")

    def __init__(self, executable: str) -> None:
        ask = "import sys; print(sys.prefix); print(sys.base_prefix); print('%d.%d.%d' % sys.version_info[:3])"
        answer = subprocess.run([executable, "-I", "-c", ask], capture_output=True, text=True, check=True, timeout=60)
        self.executable = executable
        self.prefix, self.base_prefix, self.version = answer.stdout.split("\n")[:3]

    def package_version(self, *names: str) -> str | None:
        """Version of the first of these distributions that is installed there, else ``None``."""
        folders = glob.glob(os.path.join(self.prefix, "lib", "python3*", "site-packages"))
        installed = {
            (distribution.metadata["Name"] or "").lower().replace("_", "-"): distribution.version
            for distribution in importlib.metadata.distributions(path=folders)
        }
        return next((installed[name] for name in names if name in installed), None)


def interpreter_for(program: Program, python: str | None = None) -> Interpreter:
    """The interpreter that a program asks for.

    ``python`` (a path) overrides everything. The tests' own interpreter is used if ``requires-python`` admits it, the program
    names no other interpreter and is not ``isolated``, and the installed packages meet every dependency; otherwise an environment
    is created once and kept. A new environment removes those that no program used for 30 days.

    Raises:
        ProgramError: ``requires-python`` or a dependency cannot be understood.
        UnsupportedError: no interpreter on this machine fits, or the dependencies cannot be installed for it.
        OSError: the disk is full. That is no property of the program, so the tests must not skip it.
    """
    if python is not None:
        return Interpreter(python)
    own = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if (
        not program.isolated
        and _admits(program, own)
        and all(_is_installed(program, requirement) for requirement in program.dependencies)
    ):
        return Interpreter(sys.executable)
    return Interpreter(_environment(_find_python(program), program.dependencies))


def _admits(program: Program, version: str) -> bool:
    if program.python and not version.startswith(program.python + ".") and version != program.python:
        return False
    try:
        return packaging.specifiers.SpecifierSet(program.requires_python).contains(version)
    except packaging.specifiers.InvalidSpecifier as error:
        raise ProgramError(f"{program.path}: requires-python: {error}") from None


def _is_installed(program: Program, requirement: str) -> bool:
    try:
        wanted = packaging.requirements.Requirement(requirement)
    except packaging.requirements.InvalidRequirement as error:
        raise ProgramError(f"{program.path}: dependencies: {requirement!r}: {error}") from None
    if wanted.marker is not None and not wanted.marker.evaluate():
        return True
    try:
        return wanted.specifier.contains(importlib.metadata.version(wanted.name), prereleases=True)
    except importlib.metadata.PackageNotFoundError:
        return False


def _find_python(program: Program) -> str:
    """Path of the newest interpreter on this machine (PATH, pyenv) that the program admits."""
    candidates: dict[str, str] = {}
    for minor in range(7, 20):
        on_path = shutil.which(f"python3.{minor}")
        if on_path and "shims" not in on_path:
            candidates[os.path.realpath(on_path)] = on_path
    for installed in of_pyenv():
        candidates[os.path.realpath(installed)] = str(installed)
    fitting = []
    for path in candidates:
        version = Interpreter(path).version
        if _admits(program, version):
            fitting.append((packaging.version.Version(version), path))
    if not fitting:
        wanted = program.python or program.requires_python
        raise UnsupportedError(f"{program.path}: needs Python {wanted}, and this machine has none that fits")
    return max(fitting)[1]


def _environment(python: str, dependencies: tuple[str, ...]) -> str:
    """Make an environment with these dependencies, once, and return the path of its interpreter."""
    key = hashlib.sha256("\n".join([os.path.realpath(python), *sorted(dependencies)]).encode()).hexdigest()[:16]
    folder = _CACHE / key
    executable = str(folder / "bin" / "python")
    if (folder / _READY).exists():
        (folder / _READY).touch()
        return executable
    print(f"making an environment: {Interpreter(python).version} with {', '.join(dependencies) or 'nothing'}", file=sys.stderr)
    # Two test processes may need the same one at the same time: the second waits for the first.
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_suffix(".lock"), "w") as lock:
        _hold(lock.fileno())
        if not (folder / _READY).exists():
            _remove_unused(folder.parent)
            shutil.rmtree(folder, ignore_errors=True)
            try:
                _run([python, "-m", "venv", str(folder)])
                if dependencies:
                    _run([executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", *dependencies])
            except (UnsupportedError, OSError):
                shutil.rmtree(folder, ignore_errors=True)
                raise
            (folder / _READY).touch()
    return executable


def _remove_unused(cache: pathlib.Path) -> None:
    """Remove the environments of older dependencies: each takes up to 2.3 GB, and nothing else would ever remove them."""
    oldest = time.time() - _UNUSED_SECONDS
    for ready in cache.glob(f"*/{_READY}"):
        if ready.stat().st_mtime < oldest:
            shutil.rmtree(ready.parent, ignore_errors=True)


def _hold(descriptor: int) -> None:
    import fcntl  # not at the top: a POSIX system is certain only here

    fcntl.flock(descriptor, fcntl.LOCK_EX)


def _run(command: list[str]) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UnsupportedError(f"{' '.join(command[:6])} was not done after {_INSTALL_SECONDS} s") from None
    if done.returncode:
        last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
        if os.strerror(errno.ENOSPC) in last:
            raise OSError(errno.ENOSPC, f"{' '.join(command[:6])}: {os.strerror(errno.ENOSPC)}", str(_CACHE))
        raise UnsupportedError(f"{' '.join(command[:6])} ended with {done.returncode}:\n{last}")
