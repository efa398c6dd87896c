"""GPUs and operating systems as people write them in a form or a sentence.

>>> gpu_name("2x NVIDIA GeForce RTX 3090 (24GB each)"), gpu_name("gtx 1080ti 11gb"), gpu_name("Intel Iris")
(('NVIDIA GeForce RTX 3090', 2), ('GTX 1080 Ti', 1), None)
>>> list(operating_system("WSL2 Ubuntu 20.04"))
[('os.name', 'linux'), ('os.wsl', True), ('os.release', 'Ubuntu 20.04')]
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern

_GPU = Pattern(
    r"\b(?:(nvidia)\s)?(?:(geforce|quadro|tesla|titan)\s)?(?:"
    r"(rtx|gtx|gt|mx)[ -]?(a?[0-9]{3,4})(?:[ -]?(ti|super|m|d))?(?:[ -](super|laptop|max-q|ada))?"
    r"|((?:[akptvhblm]|gb|gh|rtx pro )[0-9]{1,4}[a-z]{0,1}|titan (?:x[p]?|v|rtx)|[akpv][0-9]{2,3}|rtx (?:pro )?[0-9]{4}))\b",
    re.IGNORECASE | re.ASCII,
)
_DATA_CENTRE = Pattern(
    r"(?:A|K|P|T|V|H|B|L|M)(?:2|4|10|16|20|30|40|40S|60|80|100|200|1000|2000|3000|4000|4500|5000|6000)[SMXC]?|L40S|GB?200|GH200|B300",
    re.IGNORECASE,
)
_COUNT = Pattern(r"(?:\b([2-9]|1[0-6]) ?[x×*] ?|(?:^|\b(?:with|has|have|on|of|the|using) )([2-9]|1[0-6]) )$", re.IGNORECASE)
_UBUNTU = Pattern(
    r"\b(Ubuntu|Debian|Fedora|CentOS|RHEL|Rocky|AlmaLinux|Arch|Manjaro|Pop!?_OS|Linux Mint|openSUSE|Amazon Linux)(?![a-z])[ -]?(?:Linux )?([0-9]{1,2}(?:\.[0-9]{1,2})?)?",
    re.IGNORECASE,
    one_of=("ubuntu", "debian", "fedora", "centos", "rhel", "rocky", "alma", "arch", "manjaro", "pop", "mint", "suse", "amazon"),
)
_WINDOWS = Pattern(r"\bWin(?:dows)?[ -]?(7|8\.1|8|10|11|Server [0-9]{4})\b", re.IGNORECASE, one_of=("win",))
_MAC = Pattern(r"\b(?:mac ?os(?: ?x)?|os x)\b[^0-9\n]{0,24}([0-9]{2}(?:\.[0-9]{1,2})?)?", re.IGNORECASE, one_of=("mac", "os x"))
_APPLE_SILICON = Pattern(r"\bM[1-5](?: (?:Pro|Max|Ultra))?\b")
_WSL = Pattern(r"\bWSL ?[12]?\b", re.IGNORECASE, one_of=("wsl",))
_NOT_IN_WSL = Pattern(
    r"(?:(?:\b(?:not|no|without|instead of)|n't)(?: (?:want|like|plan|have|need|use|using|in|to)){0,4}"
    r"|\b(?:do|should|must|can|could) (?:i|we)(?: (?:really|have|need|use|install|switch|move|to)){0,4}) $",
    re.IGNORECASE,
)
_LINUX_ALONE = Pattern(r"\bLinux\b", re.IGNORECASE, one_of=("linux",))
_WINDOWS_ALONE = Pattern(r"\bWindows\b", re.IGNORECASE, one_of=("windows",))


def gpu_name(text: str) -> tuple[str, int] | None:
    """The first GPU that a text names, and how many of them (``2x``); ``None`` if there is none."""
    for found in _GPU.finditer(text[:400]):
        name = _name(found)
        if name:
            count = _COUNT.search(text[max(0, found.start() - 24) : found.start()])
            return name, int(count[1] or count[2]) if count else 1
    return None


def _name(found: re.Match[str]) -> str | None:
    maker, line, series, number, suffix, more, alone = found.groups()
    words = [_CASES.get(word.lower(), word) for word in (maker, line) if word]
    if number:
        # The laptop model GTX 960M is one word, the 1080 Ti two.
        glued = suffix.upper() if suffix and len(suffix) == 1 else ""
        words += [series.upper(), number.upper() + glued]
        suffix = None if glued else suffix
        words += [_CASES.get(word.lower(), word) for word in (suffix, more) if word]
        return " ".join(words)
    if alone.lower().startswith(("titan", "rtx")):
        return " ".join([*words, alone.upper()])
    # A letter and a number are a GPU only if they are in ``_DATA_CENTRE``. If they are short or in lower case, the maker or the
    # line must also precede them, except for T4 and L4.
    if _DATA_CENTRE.fullmatch(alone) and (words or (alone[0].isupper() and len(alone) > 2) or alone.upper() in ("T4", "L4")):
        return " ".join([*words, alone.upper()])
    return None


_CASES = {
    "nvidia": "NVIDIA",
    "geforce": "GeForce",
    "quadro": "Quadro",
    "tesla": "Tesla",
    "titan": "TITAN",
    "ti": "Ti",
    "super": "SUPER",
}
_CASES |= {"laptop": "Laptop", "max-q": "Max-Q", "ada": "Ada"}


def operating_system(text: str) -> typing.Iterator[tuple[str, typing.Any]]:
    """Fact paths and values of the operating system that a text names; nothing if it names several."""
    text = text[:400]
    windows, mac, unix, wsl = _WINDOWS.search(text), _MAC.search(text), _UBUNTU.search(text), _WSL.search(text)
    if wsl and not _NOT_IN_WSL.search(text[: wsl.start()]):
        yield "os.name", "linux"
        yield "os.wsl", True
    elif sum(map(bool, (windows, mac, unix))) > 1:
        return
    elif windows:
        yield "os.name", "windows"
        yield "os.release", f"Windows {windows[1]}"
    elif mac:
        yield "os.name", "macos"
        if mac[1]:
            yield "os.release", f"macOS {mac[1]}"
        if _APPLE_SILICON.search(text):
            yield "os.architecture", "arm64"
    elif unix or _LINUX_ALONE.search(text):
        yield "os.name", "linux"
    elif _WINDOWS_ALONE.search(text):
        yield "os.name", "windows"
    if unix and unix[2]:
        yield "os.release", f"{unix[1][0].upper()}{unix[1][1:]} {unix[2]}"
