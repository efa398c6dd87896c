"""Runs a command in a scratch folder: ``python -I enter.py SPECIFICATION COMMAND...``; ``scratch.py`` starts it.

It enters new user and mount namespaces, mounts the overlay over the folder there, and becomes the command. The user
stays the same, so the command gets no additional rights. It imports only the standard library.
"""

import ctypes
import json
import os
import sys

_NEW_USER, _NEW_MOUNTS = 0x10000000, 0x00020000
_RECURSIVE, _PRIVATE = 0x4000, 0x40000


def main(arguments: list[str]) -> None:
    """Become the command; exits with 125 if the folder cannot be covered."""
    specification, *command = arguments
    wanted = json.loads(specification)
    try:
        if wanted["overlay"]:
            _cover(wanted["folder"], wanted["upper"], wanted["work"])
        os.chdir(wanted["folder"])
    except OSError as error:
        print(f"tfhelp: no scratch folder: {error}", file=sys.stderr)
        sys.exit(125)
    os.environ["PWD"] = wanted["folder"]
    os.execvp(command[0], command)


def _cover(folder: str, upper: str, work: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    _call(libc.unshare, _NEW_USER | _NEW_MOUNTS)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    _call(libc.mount, None, b"/", None, ctypes.c_ulong(_RECURSIVE | _PRIVATE), None)
    options = f"lowerdir={folder},upperdir={upper},workdir={work}"
    try:
        _mount_overlay(libc, folder, f"{options},userxattr")
    except OSError:  # a kernel before 5.11, which does not have this option
        _mount_overlay(libc, folder, options)


def _mount_overlay(libc: ctypes.CDLL, folder: str, options: str) -> None:
    _call(libc.mount, b"overlay", os.fsencode(folder), b"overlay", ctypes.c_ulong(0), os.fsencode(options))


def _call(function: object, *arguments: object) -> None:
    if function(*arguments) != 0:  # type: ignore[operator]
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
