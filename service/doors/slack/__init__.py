"""The Slack command."""
