"""Search by a few words: entries, their causes, and what the atlas knows about a name or message."""
