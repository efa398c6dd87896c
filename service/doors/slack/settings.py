"""The secrets of a Slack app, from the environment."""

import logging
import re
import typing

API_URL_VARIABLE = "TFHELP_SLACK_API_URL"
PUBLIC_URL_VARIABLE = "TFHELP_PUBLIC_URL"
_SLACK_API = "https://slack.com/api/"

_ADDRESS = re.compile(r"https?://[^\s<>|\"]{1,2000}")

_logger = logging.getLogger("tfhelp.slack")


class SlackSettings:
    """The secrets of a Slack app.

    Attributes:
        signing_secret: checks that a request is from Slack; empty with Socket Mode alone, and then no request is accepted.
        bot_token: token of the installed app.
        api_url: base of Slack's Web API.
        app_token: token for Socket Mode; empty without it.
        public_url: address of this server for a browser; if empty, answers have no links.
    """

    __slots__ = ("api_url", "app_token", "bot_token", "public_url", "signing_secret")

    def __init__(
        self, signing_secret: str, bot_token: str, api_url: str = _SLACK_API, app_token: str = "", public_url: str = ""
    ) -> None:
        self.signing_secret = signing_secret
        self.bot_token = bot_token
        self.api_url = api_url
        self.app_token = app_token
        self.public_url = public_url


def slack_settings(environment: typing.Mapping[str, str]) -> SlackSettings | None:
    """The settings in ``SLACK_BOT_TOKEN``, ``SLACK_SIGNING_SECRET`` and ``SLACK_APP_TOKEN``.

    Returns:
        ``None`` if the bot token or both of the others are missing, or if ``SLACK_APP_TOKEN`` does not begin with ``xapp-``.
    """
    secret = environment.get("SLACK_SIGNING_SECRET", "").strip()
    token = environment.get("SLACK_BOT_TOKEN", "").strip()
    app_token = environment.get("SLACK_APP_TOKEN", "").strip()
    missing = missing_settings(token, secret, app_token)
    if missing:
        if secret or token or app_token:
            _logger.warning("Slack stays off: %s", missing)
        return None
    url = environment.get(API_URL_VARIABLE, "").strip() or _SLACK_API
    public = environment.get(PUBLIC_URL_VARIABLE, "").strip().rstrip("/")
    if public and not _ADDRESS.fullmatch(public):
        _logger.warning("%s is not an address such as https://tfhelp.example.com; Slack gets no links", PUBLIC_URL_VARIABLE)
        public = ""
    return SlackSettings(secret, token, url if url.endswith("/") else url + "/", app_token, public)


def missing_settings(token: str, secret: str, app_token: str) -> str:
    """What is missing or mixed up, in words; empty if nothing is."""
    if not token:
        return "SLACK_BOT_TOKEN is not set"
    if not secret and not app_token:
        return "SLACK_SIGNING_SECRET is not set (nor SLACK_APP_TOKEN, for Socket Mode)"
    if app_token and not app_token.startswith("xapp-"):
        return "SLACK_APP_TOKEN is not an app-level token; those begin with xapp-"
    return ""
