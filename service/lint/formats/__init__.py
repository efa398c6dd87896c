"""The findings of ``tfhelp lint`` in formats for other programs."""
