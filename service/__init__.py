"""The services of tfhelp: diagnosis, curation, and the doors (its interfaces)."""
