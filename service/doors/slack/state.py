"""Whether Slack accepts the app's bot token, for the operator and ``/healthz``."""

import logging
import threading

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from tfhelp.service.doors.slack.settings import SlackSettings

_TOKEN_CHECK_SECONDS = 5

_logger = logging.getLogger("tfhelp.slack")


class SlackState:
    """Whether Slack accepts the bot token: checked once at start, in the background."""

    __slots__ = ("_settings", "_words")

    def __init__(self, settings: SlackSettings | None) -> None:
        self._settings = settings
        self._words = "off" if settings is None else "token not checked yet"

    def words(self) -> str:
        """``off``, ``on``, or why the token is not known to work."""
        return self._words

    def check_token_in_background(self) -> None:
        """Start the check, without waiting for it."""
        if self._settings is not None:
            threading.Thread(target=self._check_token, args=(self._settings,), name="slack-token", daemon=True).start()

    def _check_token(self, settings: SlackSettings) -> None:
        client = WebClient(settings.bot_token, base_url=settings.api_url, timeout=_TOKEN_CHECK_SECONDS)
        try:
            client.auth_test()
        except SlackApiError as error:
            self._words = f"token refused by Slack: {str(error.response.get('error', 'no reason given'))[:80]}"
        except (SlackClientError, OSError, ValueError):
            self._words = "Slack cannot be reached from here; answers to commands will not arrive"
        else:
            self._words = "on"
        if self._words != "on":
            _logger.warning("%s", self._words)
