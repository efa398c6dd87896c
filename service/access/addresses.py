"""Where a request comes from: the client's address behind trusted proxies, and the host name that the request asks for."""

import ipaddress
import re
import socket
import typing

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NETWORK_OF_A_CLIENT = 64  # leading bits of an IPv6 address that identify one household or machine
_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9._-]{1,253}))(?::(?P<port>\d{1,5}))?")
_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9.]+):\d{1,5}")
_MOST_PROXIES = 20
_HERE = ("localhost", "127.0.0.1", "::1")


class SettingError(ValueError):
    """An access setting that cannot be used. The message names the setting and says what it takes."""


class Networks:
    """Networks of trusted proxies.

    Args:
        written: as people write them, such as ``10.0.0.0/8`` or ``192.0.2.1``; several are separated by commas.

    Raises:
        SettingError: one of them is not a network.
    """

    def __init__(self, written: typing.Iterable[str] = ()) -> None:
        self._all = [_network(one.strip()) for part in written for one in part.split(",") if one.strip()]

    def __bool__(self) -> bool:
        return bool(self._all)

    def __contains__(self, text: object) -> bool:
        """Return whether an address, as text, belongs to a trusted proxy."""
        address = read_address(text) if isinstance(text, str) else None
        return address is not None and any(address in network for network in self._all if network.version == address.version)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise SettingError(f"--trust-proxy names {text[:80]!r}; it takes networks such as 10.0.0.0/8 ({error})") from None


def read_address(text: str) -> Address | None:
    """An address as a peer or a proxy writes it; None if it is not an address. It may have a port or be a mapped IPv4 address.

    >>> read_address("::ffff:192.0.2.1"), read_address("[2001:db8::1]:443"), read_address("unknown")
    (IPv4Address('192.0.2.1'), IPv6Address('2001:db8::1'), None)
    """
    text = text.strip()
    with_port = _PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address((with_port[1] if with_port else text).strip("[]"))
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or ipaddress.IPv6Address(int(address))  # without the interface's name
    return address


def client_address(peer: str, forwarded: typing.Sequence[str], trusted: Networks) -> str:
    """The address of the client.

    Args:
        peer: the address that opened the connection.
        forwarded: the values of all ``X-Forwarded-For`` headers, in order.
        trusted: the trusted proxies.

    Returns:
        The last address that is not a trusted proxy's. The client wrote whatever comes before it, and may write anything.
    """
    if peer not in trusted:
        return _text(peer)
    known = peer
    hops = [hop for value in forwarded for hop in value.split(",")]
    for hop in reversed(hops[-_MOST_PROXIES:]):
        address = read_address(hop)
        if address is None:
            break
        known = str(address)
        if known not in trusted:
            break
    return _text(known)


def _text(address: str) -> str:
    found = read_address(address)
    return str(found) if found else address


def network_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, since a client may use all of them."""
    found = read_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(found), _NETWORK_OF_A_CLIENT), strict=False))
    return str(found) if found else address


class Hosts:
    """The names under which the server answers. Another site that points its own name at this server gets no answer.

    Args:
        names: host names without ports, in any case; ``*`` for any.
        numbers: whether to accept any numeric address: no other site can own one.
    """

    def __init__(self, names: typing.Iterable[str], numbers: bool = False) -> None:
        self._names = frozenset(name.lower().strip("[]").rstrip(".") for name in names if name)
        self._numbers = numbers

    @classmethod
    def of(cls, bound: str, public_host: str, named: typing.Sequence[str]) -> "Hosts":
        """The names that follow from the settings.

        Args:
            bound: the address on which the server listens.
            public_host: host of the public address; empty if there is none.
            named: the values of ``--allowed-hosts``; each may hold several names, separated by commas.

        Raises:
            SettingError: one of them is not a host name.
        """
        listed = [one.strip() for part in named for one in part.split(",") if one.strip()]
        wrong = next((one for one in listed if one != "*" and not _is_name(one)), None)
        if wrong is not None:
            raise SettingError(f"--allowed-hosts names {wrong[:80]!r}; it takes host names without ports, or *")
        everywhere = bound in ("", "0.0.0.0", "::")
        own = [socket.gethostname()] if everywhere else [bound]
        return cls([*_HERE, *own, public_host, *listed], numbers=everywhere)

    @classmethod
    def any(cls) -> "Hosts":
        """Every name."""
        return cls(["*"])

    def __contains__(self, header: object) -> bool:
        """Return whether the value of a ``Host`` header is one of the names. The port does not matter."""
        found = _HOST.fullmatch(header) if isinstance(header, str) else None
        if found is None:
            return False
        name = (found["six"] or found["name"]).lower().rstrip(".")
        return "*" in self._names or name in self._names or (self._numbers and read_address(name) is not None)


def _is_name(text: str) -> bool:
    found = _HOST.fullmatch(text) or _HOST.fullmatch(f"[{text}]")
    return found is not None and found["port"] is None
