"""Help texts with examples."""

import argparse

from tfhelp.service.doors.cli.command_line import HelpFormatter


class ExamplesFormatter(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Help whose last part, the examples and the exit statuses, keeps its lines."""
