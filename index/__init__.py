"""What resembles the failure: from records to candidate entries."""
