"""Find the entries that resemble the failure: from records to candidate entries."""
