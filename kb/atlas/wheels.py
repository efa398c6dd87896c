"""The wheels that the atlas is made from, and their Python sources, fetched through pip one at a time.

Only a wheel's Python files, name and SHA-256 are kept, in the folder that you gave the build.
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import typing
import zipfile

PLATFORMS = (
    "manylinux1_x86_64",
    "manylinux2010_x86_64",
    "manylinux2014_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux_2_27_x86_64",
    "any",
)
"""Platform tags to request from pip; every release of TensorFlow has one of them."""


class WheelError(RuntimeError):
    """A wheel could not be fetched or read. The message names the wheel and gives the reason."""


class Release(typing.NamedTuple):
    """A release to read.

    Attributes:
        package: the package of the sources: ``tensorflow``, ``keras``, ``tf_keras`` or ``tensorflow_estimator``.
        version: as the index writes it.
        python: version of Python whose wheel is read, such as ``3.8``.
        project: the name to request from pip: ``tensorflow-cpu`` is smaller than ``tensorflow`` and has the same Python files.
    """

    package: str
    version: str
    python: str
    project: str

    @property
    def name(self) -> str:
        return f"{self.package}-{self.version}"


class Sources(typing.NamedTuple):
    """The Python files of a wheel.

    Attributes:
        files: path inside the wheel -> text as bytes.
        wheel: the wheel's file name.
        sha256: of the whole wheel, in hexadecimal.
    """

    files: dict[str, bytes]
    wheel: str
    sha256: str


def sources(release: Release, cache: pathlib.Path) -> Sources:
    """The Python files of a release, from the cache or else from the package index.

    Raises:
        WheelError: pip does not find the wheel, or the archive cannot be read.
    """
    kept = cache / f"{release.name}.zip"
    if not kept.exists():
        _fetch(release, kept)
    try:
        with zipfile.ZipFile(kept) as archive:
            about = json.loads(archive.comment)
            return Sources({name: archive.read(name) for name in archive.namelist()}, about["wheel"], about["sha256"])
    except (zipfile.BadZipFile, ValueError, KeyError) as error:
        raise WheelError(f"{kept}: not sources of a wheel ({error}); delete it and build again") from None


def _fetch(release: Release, target: pathlib.Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--only-binary", ":all:"]
        command += ["--implementation", "cp", "--python-version", release.python, "--dest", folder]
        for platform in PLATFORMS:
            command += ["--platform", platform]
        run = subprocess.run([*command, f"{release.project}=={release.version}"], capture_output=True, text=True, check=False)
        wheels = list(pathlib.Path(folder).glob("*.whl"))
        if run.returncode or len(wheels) != 1:
            raise WheelError(f"{release.project}=={release.version}: {run.stderr.strip()[-400:] or 'pip gave no wheel'}")
        keep(wheels[0], pathlib.Path(folder) / "kept.zip").replace(target)


def keep(wheel: pathlib.Path, target: pathlib.Path) -> pathlib.Path:
    """Write the Python files of ``wheel`` to ``target``, with the wheel's name and hash as the archive's comment."""
    with wheel.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as kept:
        for entry in archive.infolist():
            if entry.filename.endswith((".py", ".pyi")):
                kept.writestr(entry.filename, archive.read(entry))
        kept.comment = json.dumps({"wheel": wheel.name, "sha256": digest}).encode()
    return target
