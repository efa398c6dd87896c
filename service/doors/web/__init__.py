"""The web form and the pages of the entries."""
