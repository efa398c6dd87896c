"""``tfhelp lint``: what a training script does that the knowledge base warns of, and the edits that cure it."""
