"""The ways in: command line, HTTP API, web form, Slack. They hold no knowledge and do no ranking."""
