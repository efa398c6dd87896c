"""The manifest from which Slack creates the app."""

import pathlib
import urllib.parse

from tfhelp.service.errors import InputError

_PATH = pathlib.Path(__file__).with_name("manifest.yaml")
_URL = "${url}"
_LONGEST_URL = 2000
_ONLY_HERE = ("localhost", "127.0.0.1", "::1", "0.0.0.0")


def manifest(url: str) -> str:
    """The manifest as YAML.

    Args:
        url: public address of ``tfhelp serve``; empty for Socket Mode.

    Raises:
        InputError: Slack could not reach the address.
    """
    lines = _PATH.read_text(encoding="utf-8").splitlines()
    if not url:
        without = [line for line in lines if _URL not in line]
        return "\n".join(without).replace("socket_mode_enabled: false", "socket_mode_enabled: true") + "\n"
    return "\n".join(line.replace(_URL, _checked(url)) for line in lines) + "\n"


def _checked(url: str) -> str:
    try:
        parts = urllib.parse.urlsplit(url.strip())
        host = parts.hostname or ""
    except ValueError:
        raise InputError(f"--url: {url[:80]!r} is not an address") from None
    if parts.scheme != "https" or not host or len(url) > _LONGEST_URL or any(map(_breaks_yaml, url.strip())):
        raise InputError(
            f"--url: {url[:80]!r} is not an address that Slack can reach; give one such as https://tfhelp.example.com"
        )
    if host in _ONLY_HERE:
        raise InputError(f"--url: Slack cannot reach {host}; give the public address, or use Socket Mode (--socket)")
    if parts.query or parts.fragment:
        raise InputError("--url: leave out what follows '?' or '#'")
    return f"https://{parts.netloc}{parts.path.rstrip('/').removesuffix('/slack/events')}"


def _breaks_yaml(character: str) -> bool:
    return character.isspace() or not character.isascii() or character in "\"'#{}[]<>\\`|$"
