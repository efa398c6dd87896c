"""What only the kernel knows: which releases it has loaded, and a few facts for a server that cannot examine this machine."""

from __future__ import annotations

import os
import sys
import typing

TYPE_CHECKING = False
if TYPE_CHECKING:
    Json = dict[str, typing.Any]

PACKAGES = ("tensorflow", "keras", "tf_keras", "numpy", "protobuf", "h5py", "ml_dtypes", "tensorflow_probability")
_MODULES = {"protobuf": "google.protobuf"}
_VARIABLES = ("CUDA_", "TF_", "XLA_", "KERAS_", "LD_LIBRARY_PATH", "PROTOCOL_BUFFERS_")
_FOREIGN = ("TF_VAR_", "TF_CLI_", "TF_TOKEN_", "TF_HTTP_")  # Terraform's
_SECRET = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "JWT", "APIKEY", "API_KEY", "ACCESS_KEY")
_SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}


def loaded_releases() -> dict[str, str]:
    """Package -> release that this kernel has imported. ``pip install`` in a cell changes what is installed, not this."""
    found = {}
    for package in PACKAGES:
        version = getattr(sys.modules.get(_MODULES.get(package, package)), "__version__", None)
        if isinstance(version, str):
            found[package] = version
    return found


def installed_release(package: str) -> str | None:
    """The release that a new kernel would import."""
    if sys.version_info < (3, 8):
        return None
    from importlib import metadata

    for name in (package, package.replace("_", "-"), package + "-cpu", package + "-intel"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


def replaced_while_running() -> list[str]:
    """Sentences about packages that were reinstalled after this kernel had imported them."""
    says = []
    for package, loaded in loaded_releases().items():
        installed = installed_release(package)
        if installed is not None and installed != loaded:
            says.append(
                f"This kernel has loaded {package} {loaded}, but {package} {installed} is installed now. Restart the kernel."
            )
    return says


def facts_of_kernel() -> Json:
    """A facts document of this process, computed without starting another process."""
    packages: dict[str, str] = {}
    home = os.path.expanduser("~")
    for package in PACKAGES:
        version = loaded_releases().get(package) or installed_release(package)
        if version:
            packages[package.replace("_", "-")] = version
    facts: Json = {
        "python": {"version": ".".join(map(str, sys.version_info[:3]))},
        "packages": packages,
        "env": {
            name: value.replace(home, "~") if len(home) > 1 else value for name, value in os.environ.items() if _may_go(name)
        },
    }
    if sys.platform in _SYSTEMS:
        facts["os"] = {"name": _SYSTEMS[sys.platform]}
    return facts


def _may_go(name: str) -> bool:
    """Return whether a variable may leave this machine: it affects training and holds no secret."""
    return name.startswith(_VARIABLES) and not name.startswith(_FOREIGN) and not any(word in name.upper() for word in _SECRET)
