"""Who may do what: tokens, scopes, identities, rate limits, and the audit log. It knows no door."""
