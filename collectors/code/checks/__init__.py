"""The checks: one module a theme, each with ``FACTS``, the facts that it makes, and ``check(subject)``.

``UNSETTLED`` names those of its facts that stay unknown in a whole program which shows no fault: they depend on data.
"""
