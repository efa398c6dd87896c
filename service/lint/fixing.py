"""``--fix``: apply the automatic fixes of a file until none is left, and write the file whole or not at all."""

import os
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.lint.checking import Checked, Problem, Settings
from tfhelp.service.lint.edits import Edited, apply_fixes
from tfhelp.service.lint.linting import Script, decode_script
from tfhelp.service.source_files import replace_file

_MOST_ROUNDS = 5  # one fix may reveal a second; none reveals a third


class Fixed(typing.NamedTuple):
    """A file after its fixes.

    Attributes:
        before: the original.
        after: the result; the same object if nothing is fixed.
        fixes: how many fixes were made.
        fault: a sentence about why it was not fixed; empty if all went well.
    """

    before: Checked
    after: Checked
    fixes: int
    fault: str = ""


def fixable(problem: Problem, unsafe: bool) -> bool:
    """Return whether a problem has a fix that was requested."""
    return problem.safety == "safe" or (unsafe and problem.safety == "unsafe")


def fix(checked: Checked, settings: Settings, unsafe: bool) -> Fixed:
    """Fix a file in memory, except for the problems that comments suppress or that are not selected."""
    current, count = checked, 0
    for _ in range(_MOST_ROUNDS):
        findings = [problem for problem in current.problems if fixable(problem, unsafe)]
        if not findings:
            break
        try:
            edited = _edited(current, findings)
        except ValueError as error:
            return Fixed(checked, current, count, f"{checked.path}: {error}")
        after = Checked(current.path, Script(edited.source, current.script.encoding), settings)
        if after.fault:
            return Fixed(checked, current, count, f"{checked.path}: not fixed: the result would not be valid Python")
        if not edited.fixes or edited.source == current.script.text:
            break
        current, count = after, count + edited.fixes
    return Fixed(checked, current, count)


def _edited(checked: Checked, problems: list[Problem]) -> Edited:
    findings = [problem.finding for problem in problems]
    if checked.is_notebook:
        from tfhelp.service.lint.notebook_edits import apply_fixes_to_notebook

        return apply_fixes_to_notebook(checked.script.text, checked.examination, findings)
    return apply_fixes(checked.script.text, findings)


def write(fixed: Fixed) -> None:
    """Replace the old file with the fixed one, with the same encoding, line endings and permissions.

    Raises:
        InputError: it was changed in the meantime, or it cannot be written.
    """
    path = os.path.realpath(fixed.before.path)  # for a link, its target
    content = fixed.after.script.text.encode(fixed.after.script.encoding)
    try:
        with open(path, "rb") as file:
            if decode_script(path, file.read()) != fixed.before.script:
                raise InputError(f"{fixed.before.path}: not fixed: another program changed it meanwhile")
        if not os.access(path, os.W_OK):
            raise InputError(f"{fixed.before.path}: not fixed: the file is write-protected")
        replace_file(path, content)
    except OSError as error:
        raise InputError(f"cannot write {fixed.before.path}: {error.strerror or error}") from None
