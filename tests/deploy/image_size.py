"""The size of the image, calculated from its layers: no container can be built where the tests run.

The layers are those of the base image, and one with ``/opt/tfhelp``: what the Dockerfile's last stage copies. The base's size is
an assumption: python:3.11-slim on amd64 is Debian slim (75 MB), CPython and its libraries (50 MB), unpacked. For the releases of
the last years, ``docker images`` shows 124 to 131 MB, and the largest size is taken.
"""

import os
import pathlib

BASE = 131_000_000
"""Bytes of python:3.11-slim."""
MOST = 600_000_000
"""Bytes of the whole image."""


def size_of(folder: pathlib.Path) -> int:
    """Bytes of all files in a folder, as a layer's size is counted; links count as zero."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            if not os.path.islink(path):
                total += os.path.getsize(path)
    return total


def told(environment: pathlib.Path) -> str:
    """The sum, with the largest parts."""
    packages = next((environment / "lib").glob("python3*/site-packages"))
    parts = sorted(((size_of(part), part.name) for part in packages.iterdir() if part.is_dir()), reverse=True)
    served = size_of(environment)
    lines = [f"{size / 1e6:8.1f} MB  {name}" for size, name in parts[:12]]
    lines.append(f"{served / 1e6:8.1f} MB  /opt/tfhelp as a whole")
    lines.append(f"{BASE / 1e6:8.1f} MB  python:3.11-slim (assumed)")
    lines.append(f"{(BASE + served) / 1e6:8.1f} MB  the image; at most {MOST / 1e6:.0f} MB are wanted")
    return "\n".join(lines)
