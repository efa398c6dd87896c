"""The checks: one module a theme, each with ``FACTS``, the facts that it makes, and ``check(subject)``."""
