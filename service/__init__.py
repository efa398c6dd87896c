"""What tfhelp says: diagnosis, curation, and the doors."""
