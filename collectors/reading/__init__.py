"""From the pasted bytes to lines and records: the text is read once, here."""
