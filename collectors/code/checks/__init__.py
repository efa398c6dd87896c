"""The checks: one module per topic, each with ``FACTS``, the facts that it makes, and ``check(subject)``.

``UNSETTLED`` names the facts that stay unknown even in a whole program without a fault, because they depend on data.
``LACKS`` names the facts about something that is missing: in part of a program, it may only be left out.
"""
