"""``tfhelp lint``: find what the knowledge base warns about in a training script, and the edits that fix it."""
