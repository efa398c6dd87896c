"""The server behind the API, the web form and Slack: requests, limits, and the processes that diagnose."""
