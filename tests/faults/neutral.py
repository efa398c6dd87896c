"""Neutral paths and names in program output, so that a recording does not reveal whose machine it was made on."""

import os
import pathlib
import re
import socket

PROJECT = "/home/user/project"
ENVIRONMENT = "/home/user/venv"
HOST = "workstation"
_SHORT = 4
# An environment can read the packages of another one (a .pth file), which is then part of this machine too.
_OTHER_ENVIRONMENT = re.compile(r"(?<![\w.-])(?!/usr/|/home/user/)(?:/[\w.+-]+)+(?=/lib/python\d\.\d+/site-packages\b)")


def neutral(output: str, folder: str, home: str, prefix: str, base_prefix: str) -> str:
    """Replace this machine's folders, user and host.

    Args:
        output: what the program printed.
        folder: the working folder of the run.
        home: the run's home folder.
        prefix: folder of the environment that ran it.
        base_prefix: the installation that the environment was created from.
    """
    repository = str(pathlib.Path(__file__).resolve().parents[2])
    names = {folder: PROJECT, home: "/home/user", prefix: ENVIRONMENT, base_prefix: "/usr", repository: "/home/user/tfhelp"}
    names[os.path.expanduser("~")] = "/home/user"
    for path in list(names):
        names[os.path.realpath(path)] = names[path]
    for path in sorted(names, key=len, reverse=True):
        if path not in ("/", "/usr"):
            output = re.sub(rf"{re.escape(path)}(?![\w-])", names[path], output)
            # XLA prints paths without their leading slash.
            output = re.sub(rf"(?<![\w/.-]){re.escape(path[1:])}(?![\w-])", names[path][1:], output)
    output = _OTHER_ENVIRONMENT.sub(ENVIRONMENT, output)
    host = socket.gethostname()
    for name in {host, host.partition(".")[0], socket.getfqdn()} - {"", "localhost"}:
        output = _without_host(output, name)
    return output


def _without_host(output: str, name: str) -> str:
    # A name of a few letters ("vm", "gpu") is also a word: it counts as the host only where a host name is expected.
    before = r"(?<![\w./-])" if len(name) > _SHORT else r"(?i:(?<=host: )|(?<=hostname: )|(?<=@)|(?<=//))"
    return re.sub(rf"{before}{re.escape(name)}(?![\w/-]|\.\w)", HOST, output)
