"""An answer for other programs and places: ``--format json``, ``markdown``, ``github`` and ``sarif``."""

import argparse
import json
import sys
import typing

from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer


def written(answer: "Answer", arguments: argparse.Namespace) -> str:
    """The text for standard output. ``github`` also adds to the step's summary, if GitHub names a file for it.

    Raises:
        InputError: the summary cannot be written.
    """
    of_format = {"json": _json, "markdown": _markdown, "github": _github, "sarif": _sarif}
    return of_format[arguments.format](answer, arguments)


def _json(answer: "Answer", _: argparse.Namespace) -> str:
    # A stream that is not UTF-8 would lose characters.
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    return json.dumps(answer, ensure_ascii=plain) + "\n"


def _markdown(answer: "Answer", arguments: argparse.Namespace) -> str:
    from tfhelp.service.doors.formats.markdown import markdown

    return markdown(answer, arguments.verbose)


def _github(answer: "Answer", arguments: argparse.Namespace) -> str:
    from tfhelp.service.doors.formats.github import github, write_summary

    try:
        write_summary(answer)
    except OSError as error:
        raise InputError(f"cannot write the step's summary (GITHUB_STEP_SUMMARY): {error.strerror or error}") from None
    return github(answer, arguments.code or "")


def _sarif(answer: "Answer", arguments: argparse.Namespace) -> str:
    from tfhelp.service.doors.formats.sarif import sarif

    log = arguments.file if arguments.file not in (None, "-") else ""
    return json.dumps(sarif(answer, arguments.code or "", log), ensure_ascii=False, indent=1) + "\n"
