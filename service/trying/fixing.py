"""Prove a fix: make the automatic edit for the confirmed cause in the scratch folder, and run the edited program there."""

import os
import typing

from tfhelp.collectors.scratch import Scratch
from tfhelp.service.errors import InputError
from tfhelp.service.lint.edits import apply_fixes, unified
from tfhelp.service.lint.linting import examine_file, read_script, read_source
from tfhelp.service.source_files import replace_file
from tfhelp.service.trying.trial import Trial, Watch, run_trial

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledEntry
    from tfhelp.service.diagnosis.answer import Answer


class Fix(typing.NamedTuple):
    """An automatic edit.

    Attributes:
        path: of the script.
        before, after: the script's text.
    """

    path: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The edit as a unified diff."""
        return unified(self.path, self.before, self.after)

    def write(self) -> None:
        """Write it to the user's file, with the same encoding, line endings and permissions.

        Raises:
            InputError: the file was changed in the meantime, or cannot be written.
        """
        script = read_script(self.path)
        if script.text.replace("\r\n", "\n") != self.before:
            raise InputError(f"{self.path} has changed since the experiments began; nothing was written")
        newline = "\r\n" if "\r\n" in script.text else "\n"
        try:
            replace_file(os.path.realpath(self.path), self.after.replace("\n", newline).encode(script.encoding))
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from None


def fix_of(answer: "Answer", entry: "CompiledEntry", script: str) -> Fix | None:
    """The automatic edit for the first cause; ``None`` if there is none.

    Args:
        answer: with the causes ranked.
        entry: the compiled entry of its first match.
        script: path of the program.
    """
    leading = answer["matches"][0]["causes"][0]["cause"]
    checks = next(cause["checks"] for cause in entry["causes"] if cause["id"] == leading)
    facts = {check["fact"] for check in checks if str(check.get("fact", "")).startswith("code.") and check.get("is") is True}
    source = read_source(script)
    findings = [finding for finding in examine_file(script, source).findings if finding.fix and finding.fact in facts]
    try:
        fixed = apply_fixes(source, findings)
    except ValueError as error:
        raise InputError(f"{script}: {error}") from None
    return Fix(script, source, fixed.source) if fixed.source != source else None


def prove(fix: Fix, scratch: Scratch, command: list[str], first: Trial, watch: Watch) -> Trial:
    """Run the edited program in the scratch folder, to its end or well past the point where it failed."""
    scratch.fresh()
    scratch.write(fix.path, fix.after)
    return run_trial(scratch, command, None, "", 3 * first.seconds + 60, watch)


def passes(first: Trial, fixed: Trial) -> bool:
    """Return whether the edited program gets past the point where it had failed."""
    if fixed.ended == "stopped":
        return first.ended == "badly" and fixed.seconds > 2 * first.seconds
    return fixed.ended == "well"
