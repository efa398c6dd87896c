"""What tfhelp knows: entries, compatibility tables, derived facts, and the words that every room speaks."""
