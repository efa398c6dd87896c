"""The operating system as its own commands print it: ``uname -a``, ``/etc/os-release``, ``platform.platform()``, ``ldd``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "Linux node7 5.15.90.1-microsoft-standard-WSL2 #1 SMP Fri Jan 27 x86_64 x86_64 GNU/Linux")
{'os.name': 'linux', 'os.architecture': 'x86_64', 'os.wsl': True}
>>> values_of(read, "Linux-5.4.0-42-generic-x86_64-with-glibc2.29")
{'os.name': 'linux', 'os.architecture': 'x86_64', 'os.glibc': '2.29'}
>>> values_of(read, "macOS-13.4-arm64-arm-64bit")
{'os.name': 'macos', 'os.architecture': 'arm64', 'os.release': 'macOS 13.4'}
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_ARCHITECTURES = r"(x86_64|aarch64|arm64|amd64|AMD64|i[36]86|ppc64le|armv7l)"
_UNAME = Pattern(
    rf"^(?:.{{0,80}} )?(Linux|Darwin) \S{{1,80}} [0-9]{{1,2}}\.[0-9]{{1,3}}.{{0,200}}?\b{_ARCHITECTURES}\b", re.ASCII
)
_PLATFORM = Pattern(
    rf"\b(Linux|Windows|macOS|Darwin)-([0-9][\w.+]{{0,40}}(?:-[\w.+]{{1,40}}){{0,4}}?)(?:-{_ARCHITECTURES})?(?:-(?:with-|arm-|i386-)\S{{1,60}}|-SP[0-9])?(?=[\s'\",)]|$)",
    re.ASCII,
)
_GLIBC = Pattern(r"(?:with-glibc|GLIBC |\(GNU libc\) |^glibc[ =:]{1,3})([0-9]\.[0-9]{1,2})", re.ASCII)
_PRETTY = Pattern(
    r"(?:PRETTY_NAME=\"|^Description:\s{1,8}(?=[^\n]{0,20}(?:[Ll]inux|Ubuntu|Debian|CentOS|Fedora|Red Hat|Pop!_OS|SUSE|Raspbian)))([A-Z][\w ./()-]{2,60}?)\"?\s*$",
    re.ASCII,
)
_MICROSOFT = Pattern(r"Microsoft Windows \[Version ([0-9.]{1,20})", re.ASCII)
_NAMES = {"Linux": "linux", "Darwin": "macos", "macOS": "macos", "Windows": "windows"}


@reads(
    words="darwin description glibc ldd libc linux macos pretty_name windows",
    says=(
        "os.name",
        "os.release",
        "os.architecture",
        "os.wsl",
        "os.glibc",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the system, its release, its machine type and its C library."""
    for number in at:
        line = lines[number]
        if not _uname(line, number, said):
            _platform(line, number, said)
        if pretty := _PRETTY.search(line):
            said.say("os.release", pretty[1], number)
            said.say("os.name", "linux", number)
        if glibc := _GLIBC.search(line):
            said.say("os.glibc", glibc[1], number)
        if microsoft := _MICROSOFT.search(line):
            said.say("os.name", "windows", number)
            said.say("os.release", f"Windows {microsoft[1]}", number)


def _uname(line: str, number: int, said: Statements) -> bool:
    found = _UNAME.search(line)
    if not found:
        return False
    said.say("os.name", _NAMES[found[1]], number)
    said.say("os.architecture", found[2], number)
    if "microsoft" in line.lower():
        said.say("os.wsl", True, number)
    return True


def _platform(line: str, number: int, said: Statements) -> None:
    found = _PLATFORM.search(line)
    if not found:
        return
    name = _NAMES[found[1]]
    said.say("os.name", name, number)
    if found[3]:
        said.say("os.architecture", found[3], number)
    release = found[2].partition("-")[0]
    if name == "windows":
        said.say("os.release", f"Windows {release}", number)
    elif name == "macos" and found[1] == "macOS":
        said.say("os.release", f"macOS {release}", number)
    elif "microsoft" in line.lower():
        said.say("os.wsl", True, number)
