"""A SARIF 2.1.0 log, which code-scanning services and editors read: the code that all writers of such logs share.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
"""

import os
import typing
import urllib.parse

from tfhelp.service.version import VERSION

Json = dict[str, typing.Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def log(rules: list[Json], results: list[Json], notifications: list[Json], succeeded: bool) -> Json:
    """One run with its rules and results.

    Args:
        rules: reporting descriptors; a result refers to one by its index.
        results: the findings.
        notifications: about the run itself.
        succeeded: whether the run did everything that it should.
    """
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "tfhelp", "version": VERSION, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": succeeded, "toolExecutionNotifications": notifications}],
                "results": results,
            }
        ],
    }


def notification(level: str, text: str) -> Json:
    """A sentence about the run."""
    return {"level": level, "message": {"text": text}}


def location(path: str, region: Json) -> Json:
    """A place in a file."""
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": region}}


def _artifact(path: str) -> Json:
    """A path under the current folder is relative to it, so that the log fits any checkout."""
    relative = os.path.relpath(path)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep) or os.path.isabs(relative):
        return {"uri": "file://" + urllib.parse.quote(os.path.abspath(path).replace(os.sep, "/"))}
    return {"uri": urllib.parse.quote(relative.replace(os.sep, "/")), "uriBaseId": "%SRCROOT%"}
