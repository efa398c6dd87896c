"""The setting of a run: packages, driver, environment, own files, data. It is kept for comparison with the next run.

Nothing here calls another program or waits: a good run must end as fast as it does without tfhelp. The packages come from the
names of their ``dist-info`` folders, the driver version from ``/proc``.
"""

import hashlib
import os
import re
import typing

from tfhelp.collectors.run.processes import ProcessRecord

_VOLATILE = re.compile(
    r"PWD|OLDPWD|SHLVL|_|LINES|COLUMNS|TERM\w*|COLORTERM|LS_COLORS|WINDOWID|DISPLAY|STY|TMUX\w*|SSH_\w+|XDG_\w+|DBUS_\w+|VSCODE_\w+"
    r"|INVOCATION_ID|JOURNAL_STREAM|TFHELP_\w+|PYTEST_\w+|MEMORY_PRESSURE_\w+"
    r"|SLURM_(?:JOB|STEP|TASK|LAUNCH|SRUN|GTIDS|NODELIST|TOPOLOGY|STEPID|CLUSTER|SUBMIT)\w*"
)
# If in doubt, a variable counts as secret: its fingerprint still shows whether it has changed.
_SECRET = re.compile(
    r"(?i)key|token|secret|passw|passphrase|credential|auth|cookie|session|private|license|dsn|sas"
    r"|(?<![a-z])(?:pass|pwd|pw|pat)(?![a-z])"
)
_SECRET_VALUE = re.compile(r"://[^/\s:@]{0,200}:[^/\s@]{1,200}@|-----BEGIN")
_PACKAGE = re.compile(r"([A-Za-z0-9][\w.]{0,100})-(\d[\w.+!]{0,60})(?:-py[\d.]{1,6})?\.(?:dist|egg)-info")
_LONGEST_FILE, _LONGEST_TEXT = 4 << 20, 200 << 10
_MOST_FILES, _MOST_TEXT = 300, 4 << 20
_LONGEST_VALUE = 500


class Setting(typing.TypedDict):
    """The setting of one run. Secret values of variables and arguments are fingerprints. Data files appear as size and modification time."""

    command: list[str]
    folder: str
    machine: str
    python: str
    driver: str
    packages: dict[str, str]
    environment: dict[str, str]
    files: dict[str, str]
    data: dict[str, list[float]]
    commit: str


def packages_of(path: typing.Iterable[str]) -> dict[str, str]:
    """Installed packages, from the folders of ``sys.path``; if a package is installed twice, the first one counts."""
    found: dict[str, str] = {}
    for place in path:
        try:
            names = os.listdir(place) if "-packages" in place else []
        except OSError:
            continue
        for name in names:
            if told := _PACKAGE.fullmatch(name):
                found.setdefault(told[1].lower().replace("_", "-").replace(".", "-"), told[2])
    return found


def environment_of(environment: typing.Mapping[str, str]) -> dict[str, str]:
    """The variables that a run can depend on, without secrets.

    >>> environment_of({"TF_USE_LEGACY_KERAS": "1", "PWD": "/x", "SSH_TTY": "/dev/pts/1"})
    {'TF_USE_LEGACY_KERAS': '1'}
    """
    found: dict[str, str] = {}
    for name, value in environment.items():
        if _VOLATILE.fullmatch(name):
            continue
        secret = _SECRET.search(name) or _SECRET_VALUE.search(value)
        found[name] = _hidden(value) if secret else value[:_LONGEST_VALUE]
    return found


def _hidden(value: str) -> str:
    return f"hidden {fingerprint(value.encode('utf-8', 'replace'))[:8]}"


def without_secrets(command: list[str]) -> list[str]:
    """The words of a command, with fingerprints in place of secret values.

    >>> without_secrets(["train.py", "--password", "x", "--max-tokens", "5"])[3:]
    ['--max-tokens', '5']
    """
    found: list[str] = []
    for before, word in zip(["", *command], command, strict=False):
        name, sign, value = word.partition("=")
        if sign and value and _is_secret_option(name):
            found.append(f"{name}={_hidden(value)}")
        elif (_is_secret_option(before) and not word.startswith("-")) or _SECRET_VALUE.search(word):
            found.append(_hidden(word))
        else:
            found.append(word)
    return found


def _is_secret_option(word: str) -> bool:
    if not word.startswith("-") or not _SECRET.search(word):
        return False
    from tfhelp.collectors.redaction.labels import names_a_secret  # it takes 30 ms to load, and few options get here

    return names_a_secret(word.lstrip("-"))


def fingerprint(content: bytes) -> str:
    """A short hash of some content."""
    return hashlib.blake2b(content, digest_size=12).hexdigest()


def driver_version(path: str = "/proc/driver/nvidia/version") -> str:
    """Version of NVIDIA's kernel module, or empty."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(r"Kernel Module.{0,40}?\s(\d{1,5}\.\d{1,5}(?:\.\d{1,5})?)\s", file.readline(4096))
    except OSError:
        return ""
    return found[1] if found else ""


def commit_of(folder: str) -> str:
    """The commit that is checked out in the folder's repository, or empty. Git itself is not called."""
    while not os.path.isdir(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    place = os.path.join(folder, ".git")
    head = _first_line(os.path.join(place, "HEAD"))
    if not head.startswith("ref: "):
        return head[:40]
    return _first_line(os.path.join(place, head.removeprefix("ref: ")))[:40] or _packed(place, head.removeprefix("ref: "))


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(1000).strip()
    except OSError:
        return ""


def _packed(place: str, name: str) -> str:
    try:
        with open(os.path.join(place, "packed-refs"), encoding="utf-8", errors="replace") as file:
            return next((line[:40] for line in file if line.rstrip().endswith(f" {name}")), "")
    except OSError:
        return ""


class Sources:
    """The program's own files as they were: the fingerprint and, if it is not too long, the text.

    Attributes:
        files: path -> fingerprint.
        texts: path -> text.
    """

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.texts: dict[str, str] = {}

    def add(self, path: str, not_after: float | None = None) -> None:
        """Read a file.

        Args:
            path: the file. One that cannot be read is left out.
            not_after: seconds since the epoch; a file that was changed later is not the one that ran.
        """
        if path in self.files or len(self.files) >= _MOST_FILES:
            return
        try:
            with open(path, "rb") as file:
                changed = os.fstat(file.fileno()).st_mtime
                content = file.read(_LONGEST_FILE)
        except OSError:
            return
        if not_after is not None and changed > not_after:
            return
        self.files[path] = fingerprint(content)
        if len(content) <= _LONGEST_TEXT and sum(map(len, self.texts.values())) < _MOST_TEXT:
            self.texts[path] = content.decode("utf-8", "replace")


def setting_of(
    command: list[str],
    environment: typing.Mapping[str, str],
    records: list[ProcessRecord],
    files: dict[str, str],
    data: dict[str, list[float]],
) -> Setting:
    """The setting of a run, as far as it is known when the run ends.

    Args:
        command: program and arguments.
        environment: the program's.
        records: its Python processes; the first that was started determines the interpreter and the packages.
        files: its own files.
        data: the files that it was seen to read.
    """
    first = min((record for record in records if record.path), key=lambda record: record.pid, default=None)
    return {
        "command": without_secrets(command),
        "folder": os.getcwd(),
        "machine": os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", ""),
        "python": first.python if first else "",
        "driver": driver_version(),
        "packages": packages_of(first.path) if first else {},
        "environment": environment_of(environment),
        "files": files,
        "data": data,
        "commit": commit_of(os.getcwd()),
    }
