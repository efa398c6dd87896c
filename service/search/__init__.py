"""Search by a few words: entries, their causes, and what the atlas has for a name or message."""
