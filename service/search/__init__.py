"""Search for people who type a few words: entries, their causes, and what the atlas has under that name or message."""
