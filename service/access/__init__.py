"""Who may do what: tokens, scopes, identities, rate limits, and the audit log. Nothing here depends on a door."""
