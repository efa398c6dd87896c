"""What file paths show: the Python in ``site-packages`` paths, conda, a hosted notebook, the operating system.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '  File "/home/user/miniconda3/envs/tf/lib/python3.8/site-packages/keras/utils.py", line 67, in error')
{'python.version': '3.8', 'python.environment': 'conda', 'os.name': 'linux'}
>>> values_of(read, r'  File "C:\\Users\\user\\AppData\\Local\\Programs\\Python\\Python39\\lib\\site-packages\\keras\\a.py", line 1')
{'python.version': '3.9', 'os.name': 'windows'}

A text can contain paths of several systems (a Windows user's WSL, a quoted answer). Paths of traceback frames count before
all others; if they still disagree, nothing is stated.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import PATH, Statements

_UNIX_PYTHON = Pattern(r"/python([23]\.[0-9]{1,2})/(?:site|dist)-packages", re.ASCII)
_WINDOWS_PYTHON = Pattern(r"[\\/]Python(?:Software)?[\\/_-]?(3)\.?([0-9]{1,2})(?:-32)?[\\/]", re.ASCII | re.IGNORECASE)
_STORE_PYTHON = Pattern(r"PythonSoftwareFoundation\.Python\.(3\.[0-9]{1,2})_", re.ASCII)
_CONDA = Pattern(
    r"[\\/](?:ana|mini|micro|)(?:conda|forge|mamba)[0-9]{0,2}[\\/]|[\\/]\.conda[\\/]|[\\/]anaconda[0-9]?[\\/]", re.IGNORECASE
)
_VENV = Pattern(r"[\\/](?:\.?venv|\.?virtualenvs?|env)[\\/]", re.IGNORECASE)
_FRAME = Pattern(r"(?:^|[\s|>])File [\"']?(?=[/\\A-Za-z<])|^\S{0,3}(?=[/~A-Za-z][\w./\\:~-]{3,300} in [\w<])", re.ASCII)
_SYSTEMS = (
    ("windows", Pattern(r"(?:^|[\s\"'(=\[])[A-Za-z]:\\{1,2}[\w.$ -]{1,80}\\", re.ASCII)),
    (
        "macos",
        Pattern(
            r"(?:^|[\s\"'(=:])(?:/Users/[\w.-]{1,60}/|/opt/homebrew/|/Library/Frameworks/|/System/Volumes/|/private/var/)",
            re.ASCII,
        ),
    ),
    (
        "linux",
        Pattern(
            r"(?:^|[\s\"'(=:])(?:/home/[\w.-]{1,60}/|/usr/(?:local/)?lib(?:64|32)?/|/root/|/content/|/kaggle/|/opt/conda/|/mnt/[c-z]/)",
            re.ASCII,
        ),
    ),
)
_WSL = Pattern(r"(?:^|[\s\"'(=:])/mnt/[c-z]/|/usr/lib/wsl/lib", re.ASCII)
_HOSTED = (("/content/", "colab"), ("/kaggle/", "kaggle"), ("/databricks/", "databricks"))


@reads(
    words="appdata c content d databricks dist file home kaggle library mnt opt packages ps root site users usr",
    says=(
        "python.version",
        "python.environment",
        "os.name",
        "os.wsl",
        "log.hosted_notebook",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State what paths show, with the rank of a path: a banner is better evidence."""
    frames: dict[str, int] = {}
    others: dict[str, int] = {}
    for number in at:
        line = lines[number]
        if "/" not in line and "\\" not in line:
            continue
        _python(line, number, said)
        systems = [name for name, pattern in _SYSTEMS if pattern.search(line)]
        if "/" in line:
            _host(line, number, said)
        group = frames if _FRAME.search(line) else others
        for name in systems:
            group[name] = number
    systems_seen = frames or others
    if len(systems_seen) == 1:
        name, number = systems_seen.popitem()
        said.say("os.name", name, number, PATH)


def _python(line: str, number: int, said: Statements) -> None:
    if "-packages" not in line and "ython3" not in line and "ython_3" not in line and "PythonSoftware" not in line:
        return
    version = _UNIX_PYTHON.search(line) or _STORE_PYTHON.search(line)
    if version:
        said.say("python.version", version[1], number, PATH)
    elif windows := _WINDOWS_PYTHON.search(line):
        said.say("python.version", f"{windows[1]}.{windows[2]}", number, PATH)
    if "-packages" in line:
        if _CONDA.search(line):
            said.say("python.environment", "conda", number, PATH)
        elif _VENV.search(line):
            said.say("python.environment", "venv", number, PATH)


def _host(line: str, number: int, said: Statements) -> None:
    if _WSL.search(line):
        said.say("os.wsl", True, number, PATH)
    for part, host in _HOSTED:
        if part in line and re.search(rf"(?:^|[\s\"'(=]){part}", line):
            said.say("log.hosted_notebook", host, number, PATH)
