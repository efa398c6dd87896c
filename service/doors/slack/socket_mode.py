"""Socket Mode: Slack's requests arrive over a connection that this server opens, so it needs no public address."""

import logging
import threading

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tfhelp.service.doors.slack.settings import SlackSettings
from tfhelp.service.doors.slack.web_api import quiet, retry_handlers

_FIRST_PAUSE = 2.0  # seconds before the next try
_LONGEST_PAUSE = 120.0

_logger = logging.getLogger("tfhelp.slack")


class SocketMode:
    """The connection to Slack. It is opened in the background, and again whenever it breaks."""

    def __init__(self, bolt: App, settings: SlackSettings) -> None:
        client = WebClient(
            settings.bot_token, base_url=settings.api_url, timeout=20, logger=quiet, retry_handlers=retry_handlers()
        )
        self._handler = SocketModeHandler(bolt, settings.app_token, logger=quiet, web_client=client)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._connect, name="slack-socket", daemon=True)

    def start(self) -> None:
        """Connect in the background."""
        self._thread.start()

    def close(self) -> None:
        """Close the connection for good."""
        self._ended.set()
        self._handler.close()  # type: ignore[no-untyped-call]

    def _connect(self) -> None:
        """Try until the first connection works; Slack's library then keeps it up."""
        pause = _FIRST_PAUSE
        while not self._ended.is_set():
            try:
                self._handler.connect()  # type: ignore[no-untyped-call]
            except SlackApiError as error:
                _logger.warning("Socket Mode: Slack rejects SLACK_APP_TOKEN: %s", str(error.response.get("error", ""))[:80])
            except Exception as error:  # noqa: BLE001 - the library raises many kinds; each means "not connected"
                _logger.warning("Socket Mode: Slack cannot be reached: %s", type(error).__name__)
            else:
                return
            self._ended.wait(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)
