"""``tfhelp man``: the manual page in the format of ``man``."""

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: the command has none."""


def run(_: argparse.Namespace) -> int:
    """Print the page."""
    from tfhelp.service.doors.cli.manual_page import manual_page

    sys.stdout.write(manual_page())
    return 0
