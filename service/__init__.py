"""What tfhelp says: diagnosis, curation, and the faces."""
