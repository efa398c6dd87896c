"""The entry points: command line, ``import tfhelp``, notebook, HTTP API, web form, Slack, LSP and MCP.

They hold no knowledge and do no ranking.
"""
