"""``--fix``: the mechanical cures of a file, made until none is left, and written whole or not at all."""

import contextlib
import os
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.lint.checking import Checked, Problem, Settings
from tfhelp.service.lint.edits import Mended, mend_and_count
from tfhelp.service.lint.linting import Script, decode_script

_MOST_ROUNDS = 5  # one cure may show the next; none shows a third


class Fixed(typing.NamedTuple):
    """A file after its cures.

    Attributes:
        before: as it was.
        after: as it would be; the same object where nothing is mended.
        cures: how many were made.
        fault: a sentence about why it was not mended; empty where all went well.
    """

    before: Checked
    after: Checked
    cures: int
    fault: str = ""


def fixable(problem: Problem, unsafe: bool) -> bool:
    """Whether a problem has a cure that is asked for."""
    return problem.safety == "safe" or (unsafe and problem.safety == "unsafe")


def fix(checked: Checked, settings: Settings, unsafe: bool) -> Fixed:
    """Mend a file in memory; what the comments and the selection leave out stays."""
    current, count = checked, 0
    for _ in range(_MOST_ROUNDS):
        findings = [problem for problem in current.problems if fixable(problem, unsafe)]
        if not findings:
            break
        try:
            mended = _mended(current, findings)
        except ValueError as error:
            return Fixed(checked, current, count, f"{checked.path}: {error}")
        after = Checked(current.path, Script(mended.source, current.script.encoding), settings)
        if after.fault:
            return Fixed(checked, current, count, f"{checked.path}: not mended: the result would be no Python")
        if not mended.cures or mended.source == current.script.text:
            break
        current, count = after, count + mended.cures
    return Fixed(checked, current, count)


def _mended(checked: Checked, problems: list[Problem]) -> Mended:
    findings = [problem.finding for problem in problems]
    if checked.is_notebook:
        from tfhelp.service.lint.notebook_edits import mend_notebook

        return mend_notebook(checked.script.text, checked.examination, findings)
    return mend_and_count(checked.script.text, findings)


def write(fixed: Fixed) -> None:
    """Write a mended file in place of the old one, with its encoding, line ends and permissions.

    Raises:
        InputError: it was changed meanwhile, may not be written, or cannot be.
    """
    path = os.path.realpath(fixed.before.path)  # of a link the file that it leads to
    content = fixed.after.script.text.encode(fixed.after.script.encoding)
    try:
        with open(path, "rb") as file:
            if decode_script(path, file.read()) != fixed.before.script:
                raise InputError(f"{fixed.before.path}: not mended: another program changed it meanwhile")
        if not os.access(path, os.W_OK):
            raise InputError(f"{fixed.before.path}: not mended: the file is write-protected")
        _replace(path, content)
    except OSError as error:
        raise InputError(f"cannot write {fixed.before.path}: {error.strerror or error}") from None


def _keep_owner(path: str, temporary: str) -> None:
    """What root mends stays its owner's; others own what they may write, and cannot give it away."""
    old = os.stat(path)
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (os.stat(temporary).st_uid, os.stat(temporary).st_gid):
        with contextlib.suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)


def _replace(path: str, content: bytes) -> None:
    """Write beside the file, then take its place in one step: a full disk or a kill leaves the old one."""
    import shutil
    import tempfile

    handle, temporary = tempfile.mkstemp(prefix=".tfhelp-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, temporary)
        _keep_owner(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
