"""What tfhelp knows: entries, compatibility tables, derived facts, and the vocabulary that all packages share."""
