"""The server that API, web form and Slack share: requests, limits, the processes that diagnose."""
