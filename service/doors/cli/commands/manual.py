"""``tfhelp man``: the manual page in the language of ``man``."""

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command has no arguments."""


def run(_: argparse.Namespace) -> int:
    """Print it."""
    from tfhelp.service.doors.cli.manual_page import manual_page

    sys.stdout.write(manual_page())
    return 0
