"""Versions that programs print about themselves: Python's banner, ``tf.__version__``, ``pip --version``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "Python 3.9.7 (default, Sep 16 2021, 16:59:28) [MSC v.1916 64 bit (AMD64)] :: Anaconda, Inc. on win32")
{'python.version': '3.9.7', 'python.environment': 'conda', 'os.name': 'windows', 'python.bits': 64}
>>> values_of(read, ">>> tf.__version__\\n'2.10.0'")
{'packages.tensorflow': '2.10.0'}
>>> values_of(read, "tensorflow.__version__: 2.4.1")
{'packages.tensorflow': '2.4.1'}
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import PATH, Statements

NUMBER = r"[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,8})?(?:[-.]?(?:rc|dev|a|b|post|alpha|beta)[-.]?[0-9]{1,8})?"
_BANNER = Pattern(r"(?:^|\s)Python ([23]\.[0-9]{1,2}\.[0-9]{1,2}(?:(?:rc|a|b)[0-9])?\+?)(?=\s*$| [(|:\[])", re.ASCII)
_SYS_VERSION = Pattern(
    r"(?:^|[\s'\"])([23]\.[0-9]{1,2}\.[0-9]{1,2}) (?:\((?:default|main|tags/|heads/)|\| ?packaged by|\|Anaconda)", re.ASCII
)
_COMPILER = Pattern(r"\[(?:GCC|Clang|MSC)\b[^\]]{0,80}\]", re.ASCII)
_BITS = Pattern(r"\b(32|64) bit \((?:AMD64|Intel)\)", re.ASCII)
_PLATFORM = Pattern(r"\bon (win32|linux2?|darwin)\b", re.ASCII)
_PLATFORMS = {"win32": "windows", "linux": "linux", "linux2": "linux", "darwin": "macos"}
_ATTRIBUTE = Pattern(
    rf"\b(tf|tensorflow|keras|tf\.keras|np|numpy|torch|google\.protobuf|h5py|pd|pandas)\.(?:version\.VERSION|__version__)\b"
    rf"[)\s'\"`]{{0,4}}(?:(?:is|gives|returns|prints|[:=,>-]{{1,3}})\s{{0,4}})?(?:['\"]?({NUMBER})|$)",
    re.ASCII,
)
_ALONE = Pattern(rf"^\s{{0,8}}(?:Out\s?\[[0-9]{{1,4}}\]:\s{{0,4}})?['\"]?({NUMBER})['\"]?\s*$", re.ASCII)
_NAMES = {"tf": "tensorflow", "tf.keras": "keras", "np": "numpy", "google.protobuf": "protobuf", "pd": "pandas"}
_PIP = Pattern(r"\bpip ([0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?) from \S{1,300}.{0,40}?\(python ([23]\.[0-9]{1,2})\)", re.ASCII)
_GIT = Pattern(rf"^\s{{0,8}}(?:\S{{1,40}} ?[:=] ?)?(?:v[0-9]\S{{1,40}}|unknown)[\s',]{{1,4}}({NUMBER})'?\s*$", re.ASCII)


@reads(
    words="__version__ clang gcc git_version msc pip python version",
    signs=(
        "Python ",
        "__version__",
        "VERSION",
        "[GCC",
        "[Clang",
        "[MSC",
        "pip ",
        "(default",
        "(main",
        "(tags/",
        "(heads/",
        "packaged by",
        "|Anaconda",
    ),
    says=(
        "python.version",
        "python.environment",
        "python.bits",
        "python.pip_version",
        "os.name",
        "packages.*",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the versions in banners and printed attributes."""
    taken: set[int] = set()
    for number in at:
        line = lines[number]
        _python(line, number, said)
        if "__version__" in line or "version.VERSION" in line:
            _attribute(lines, number, taken, said)
        if pip := (_PIP.search(line) if " from " in line else None):
            said.say("python.pip_version", pip[1], number)
            said.say("python.version", pip[2], number, PATH)
        if "GIT_VERSION" in line:
            _git_version(lines, number, line, said)


def _python(line: str, number: int, said: Statements) -> None:
    version = (_BANNER.search(line) if "Python " in line else None) or (_SYS_VERSION.search(line) if _is_banner(line) else None)
    if version:
        said.say("python.version", version[1].rstrip("+"), number)
        if "Anaconda" in line or "conda-forge" in line:
            said.say("python.environment", "conda", number)
    compiler = _COMPILER.search(line) if "[" in line else None
    if not compiler:
        return
    # The compiler is on the banner's second line, with the platform after it.
    if platform := _PLATFORM.search(line, compiler.end()):
        said.say("os.name", _PLATFORMS[platform[1]], number)
    if bits := _BITS.search(compiler[0]):
        said.say("python.bits", int(bits[1]), number)
    if "Anaconda" in line[compiler.end() :]:
        said.say("python.environment", "conda", number)


def _is_banner(line: str) -> bool:
    """``sys.version`` has the branch or the packager in parentheses."""
    return any(word in line for word in ("(default", "(main", "(tags/", "(heads/", "packaged by", "|Anaconda"))


def _attribute(lines: Lines, number: int, taken: set[int], said: Statements) -> None:
    """``tf.__version__`` with its value after it, or at a prompt with its value on the next line.

    Several may be asked for before the first value: then the values are in the same order, and each is taken once.
    """
    found = _ATTRIBUTE.search(lines[number])
    if not found:
        return
    name = _NAMES.get(found[1], found[1])
    if found[2]:
        said.say(f"packages.{name}", found[2], number)
        return
    for following in range(number + 1, min(number + 20, len(lines))):
        text = lines[following]
        if following not in taken and (alone := _ALONE.match(text)):
            taken.add(following)
            said.say(f"packages.{name}", alone[1], following)
            return
        if text.lstrip().startswith((">>>", "In [")):
            return


def _git_version(lines: Lines, number: int, line: str, said: Statements) -> None:
    """The issue form's own command prints ``v2.10.0-rc3-6-g359c3cdfc5f 2.10.0``."""
    for following in range(number, min(number + 20, len(lines))):
        if found := _GIT.match(lines[following]):
            said.say("packages.tensorflow", found[1], following)
            return
