"""The ``tfhelp`` command."""
