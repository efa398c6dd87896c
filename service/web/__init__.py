"""The HTTP faces: the API, the web form, the pages of the entries and Slack. They hold no knowledge and no ranking."""
