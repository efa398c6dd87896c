"""Slack: ``/tfhelp``, a message shortcut, mentions, direct messages, buttons, an App Home, and posts of CI jobs."""
