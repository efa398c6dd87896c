"""Who may use a server: derived from its owner's settings, and checked before the server starts."""

import hashlib
import re
import typing
import urllib.parse

from tfhelp.service.access.addresses import Hosts, Networks, SettingError
from tfhelp.service.access.identity import OF_A_PERSON, SCOPES, Who
from tfhelp.service.access.rates import DEFAULT, OFF, DatabaseCounter, Rates
from tfhelp.service.access.token_file import VARIABLE, FileTokens
from tfhelp.service.access.tokens import DatabaseTokens, Tokens
from tfhelp.service.errors import InputError
from tfhelp.service.version import how_to_install

if typing.TYPE_CHECKING:
    import sqlalchemy as sa

CLIENT_ID, CLIENT_SECRET = "TFHELP_OIDC_CLIENT_ID", "TFHELP_OIDC_CLIENT_SECRET"
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,79}")
_ISSUER = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]{1,255}(?:/[\w.~/-]{0,200})?")
_LONGEST_PERSON = 200
_SHORTEST_SECRET = 16
_HOW = (
    "make a token ('tfhelp token create NAME'), name a login (--oidc-issuer) or the proxy that asks people who they are "
    "(--trust-proxy), or say --open-to-all if everybody who reaches the server may use it"
)


class Options(typing.NamedTuple):
    """The owner's settings on the command line; see ``tfhelp serve --help``."""

    open_to_all: bool = False
    tokens_file: str = ""
    trust_proxy: typing.Sequence[str] = ()
    user_header: str = ""
    admins: typing.Sequence[str] = ()
    allowed_hosts: typing.Sequence[str] = ()
    rate: str = ""
    oidc_issuer: str = ""
    oidc_domains: typing.Sequence[str] = ()
    oidc_groups: typing.Sequence[str] = ()


class Place(typing.NamedTuple):
    """Where a server listens and how people reach it.

    Attributes:
        host: the address to listen on.
        is_local: whether only this machine can reach that address.
        public_url: the address at which people reach the server, without a trailing slash; empty if not set.
        origins: origins whose pages may call the API.
    """

    host: str
    is_local: bool
    public_url: str = ""
    origins: tuple[str, ...] = ()

    @property
    def public_host(self) -> str:
        """The host of the public address; empty if there is none."""
        return urllib.parse.urlsplit(self.public_url).hostname or ""


class Oidc(typing.NamedTuple):
    """A login by OpenID Connect: the issuer, this server's client there, and who may log in (everybody if both are empty)."""

    issuer: str
    client_id: str
    client_secret: str
    domains: frozenset[str]
    groups: frozenset[str]


class Policy(typing.NamedTuple):
    """Who may use a server.

    Attributes:
        is_open: the server does not ask who anybody is.
        hosts: names under which the server answers.
        place: where the server listens.
        tokens: places that keep tokens.
        proxies: proxies whose forwarded headers are trusted.
        user_header: the header in which they name the person, in lower case; empty if they do not.
        login: how people log in from a browser.
        admins: people who may delete anybody's answers: names, addresses or groups.
        rates: rate limits; None if there are none.
        proxies_only: the proxies authenticate everybody but pass on no names; requests from elsewhere are refused.
    """

    is_open: bool
    hosts: Hosts
    place: Place
    tokens: tuple[Tokens, ...] = ()
    proxies: Networks = Networks()
    user_header: str = ""
    login: Oidc | None = None
    admins: frozenset[str] = frozenset()
    rates: Rates | None = None
    proxies_only: bool = False

    @classmethod
    def open_to_all(cls, public_url: str = "", origins: tuple[str, ...] = ()) -> "Policy":
        """Everybody may do everything, under any host name: for a program that controls access itself."""
        return cls(True, Hosts.any(), Place("", True, public_url, origins))

    @classmethod
    def of(cls, options: Options, place: Place, environment: typing.Mapping[str, str], engine: "sa.Engine | None") -> "Policy":
        """The policy that follows from settings.

        Args:
            options: settings of the command line.
            place: where the server listens.
            environment: holds the secrets, and ``TFHELP_TOKENS_FILE``.
            engine: engine of the team's memory, which may hold tokens.

        Raises:
            SettingError: a setting cannot be used, or other machines reach the server and no setting says who may use it.
            InputError: the file is not a token file.
        """
        tokens = _tokens(options, environment, engine)
        proxies, login = Networks(options.trust_proxy), _login(options, place, environment)
        header = _user_header(options, proxies)
        # An owner who names a token file wants the server to ask for tokens, even while the file is empty.
        with_tokens = any(isinstance(kept, FileTokens) or kept.any_live() for kept in tokens)
        asks = bool(with_tokens or login or proxies)
        if options.open_to_all and (login or header):
            raise SettingError(
                "--open-to-all asks nobody who they are, so it cannot be combined with --oidc-issuer or --user-header"
            )
        if not asks and not place.is_local and not options.open_to_all:
            raise SettingError(
                f"other machines reach {place.host or 'all addresses'}, and nobody would be asked who they are: {_HOW}"
            )
        is_open = options.open_to_all or not asks
        return cls(
            is_open,
            Hosts.of(place.host, place.public_host, options.allowed_hosts),
            place,
            tokens,
            proxies,
            header,
            login,
            frozenset(alike(one.strip()) for part in options.admins for one in part.split(",") if one.strip()),
            _rates(options.rate, engine, place.is_local and is_open),
            not (is_open or header or login or with_tokens),
        )

    def notices(self) -> list[str]:
        """Sentences that tell the owner what follows from the settings."""
        said = []
        elsewhere = not self.place.is_local or (bool(self.place.public_host) and not _is_here(self.place.public_url))
        if self.is_open and elsewhere:
            said.append(
                f"everybody who reaches {self.place.public_url or self.place.host} may use it, and delete any answer whose link they have"
            )
        if self.login is not None and not (self.login.domains or self.login.groups):
            said.append(
                f"everybody with an account at {self.login.issuer} may log in; --oidc-domain and --oidc-group let in fewer people"
            )
        return said

    def who_has(self, token: str, at_hand: bool = False) -> Who | None:
        """The bearer of a token; None if no place knows the token.

        Args:
            token: as the request has it.
            at_hand: ask only places that need no database.
        """
        return next(filter(None, (kept.find(token) for kept in self.tokens if kept.at_hand or not at_hand)), None)

    def person(self, key: str, shown: str, names: typing.Iterable[str]) -> Who:
        """A person who is logged in.

        Args:
            key: a permanent identifier.
            shown: the name that the audit log and the pages show.
            names: the names that ``--admin`` may use for this person.
        """
        is_admin = any(alike(name) in self.admins for name in names)
        return Who(_short(key), _visible(shown[:_LONGEST_PERSON]), frozenset(SCOPES) if is_admin else OF_A_PERSON)


def alike(name: str) -> str:
    """A name as it is compared: in any case, if it is plain ASCII. Elsewhere, Python turns some letters into others' lower case."""
    return name.lower() if name.isascii() else name


def _short(key: str) -> str:
    """A key, or a hash of a long one: the issuer's ids may differ at their ends alone."""
    return key if len(key) <= _LONGEST_PERSON else f"long:{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()}"


def _visible(name: str) -> str:
    """A name with a sign in place of each character that nobody sees, so that nobody looks like somebody else in the audit log."""
    return "".join(character if character.isprintable() else "\ufffd" for character in name)


def _tokens(options: Options, environment: typing.Mapping[str, str], engine: "sa.Engine | None") -> tuple[Tokens, ...]:
    path = options.tokens_file or environment.get(VARIABLE, "").strip()
    of_file: list[Tokens] = [FileTokens(path)] if path else []
    of_memory: list[Tokens] = [DatabaseTokens(engine)] if engine is not None else []
    return (*of_file, *of_memory)


def _user_header(options: Options, proxies: Networks) -> str:
    if not options.user_header:
        return ""
    if not _HEADER.fullmatch(options.user_header):
        raise SettingError(f"--user-header is {options.user_header[:80]!r}; it takes a name such as X-Forwarded-User")
    if not proxies:
        raise SettingError("--user-header needs --trust-proxy: only a proxy that you name may say who somebody is")
    return options.user_header.lower()


def _login(options: Options, place: Place, environment: typing.Mapping[str, str]) -> Oidc | None:
    issuer = options.oidc_issuer.rstrip("/")
    if not issuer:
        if options.oidc_domains or options.oidc_groups:
            raise SettingError("--oidc-domain and --oidc-group need --oidc-issuer")
        return None
    if not _ISSUER.fullmatch(issuer):
        raise SettingError(f"--oidc-issuer is {issuer[:80]!r}; it takes an address such as https://login.example.org")
    if not place.public_url:
        raise SettingError("--oidc-issuer needs --public-url: the issuer sends people back to it")
    for name, url in (("--oidc-issuer", issuer), ("--public-url", place.public_url)):
        if not url.startswith("https://") and not _is_here(url):
            raise SettingError(
                f"{name} is {url[:80]}; a login takes https, because its cookie and its codes are as good as a password"
            )
    client_id, secret = secret_of(environment, CLIENT_ID), secret_of(environment, CLIENT_SECRET)
    if not client_id or len(secret) < _SHORTEST_SECRET:
        raise SettingError(
            f"--oidc-issuer needs {CLIENT_ID} and {CLIENT_SECRET} (at least {_SHORTEST_SECRET} characters) in the environment, "
            f"or {CLIENT_SECRET}_FILE with the path of a file that holds the secret"
        )
    return Oidc(issuer, client_id, secret, _listed(options.oidc_domains, "@"), _listed(options.oidc_groups))


def secret_of(environment: typing.Mapping[str, str], name: str) -> str:
    """A secret from a variable, or from the file that ``NAME_FILE`` names; empty if neither is set.

    Raises:
        InputError: the file cannot be read.
    """
    path = environment.get(f"{name}_FILE", "").strip()
    if not path:
        return environment.get(name, "").strip()
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(10_000).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}_FILE: {path} cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})") from None


def _listed(written: typing.Sequence[str], before: str = "") -> frozenset[str]:
    return frozenset(alike(one.strip()).removeprefix(before) for part in written for one in part.split(",") if one.strip())


def _is_here(url: str) -> bool:
    return urllib.parse.urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _rates(rate: str, engine: "sa.Engine | None", is_local: bool) -> Rates | None:
    if rate == OFF or (not rate and is_local):
        return None
    try:
        # Only one machine uses an SQLite file, and a process on it counts faster in its own memory.
        counter = DatabaseCounter(engine) if engine is not None and engine.dialect.name == "postgresql" else None
        return Rates(rate or DEFAULT, counter)
    except ImportError as error:
        raise SettingError(f"limits of requests need {error.name}, which is not installed: {how_to_install('hosting')}") from None
