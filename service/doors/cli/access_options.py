"""Options of ``tfhelp serve`` that say who may use the server."""

import argparse

from tfhelp.service.access.policy import Options

_AGAIN = "; repeat it for more"


def add_access_options(parser: argparse.ArgumentParser) -> None:
    """Add a group of these options to the help."""
    group = parser.add_argument_group("who may use it (docs/hosting.md)")
    group.add_argument(
        "--open-to-all", action="store_true", help="let everybody who reaches the server use it, without asking who they are"
    )
    group.add_argument(
        "--tokens-file",
        default="",
        metavar="FILE",
        help="accept the tokens in this file (default: TFHELP_TOKENS_FILE), besides those in --memory",
    )
    _add_list(group, "--trust-proxy", "CIDR", f"trust the headers in which proxies of this network describe clients{_AGAIN}")
    group.add_argument(
        "--user-header", default="", metavar="NAME", help="header in which these proxies name the user who is logged in"
    )
    group.add_argument("--oidc-issuer", default="", metavar="URL", help="let people log in at this OpenID Connect issuer")
    _add_list(
        group, "--oidc-domain", "DOMAIN", f"let in people with a verified email address in this domain{_AGAIN}", "oidc_domains"
    )
    _add_list(group, "--oidc-group", "GROUP", f"let in the members of this group{_AGAIN}", "oidc_groups")
    _add_list(group, "--admin", "NAME", f"let this person, email address or group delete anybody's answers{_AGAIN}", "admins")
    _add_list(group, "--allowed-hosts", "NAME", f"also answer under this host name; * for any{_AGAIN}")
    group.add_argument(
        "--rate",
        default="",
        metavar="N/TIME",
        help="requests for each client, such as 60/minute, or off (default: 300/minute; off on your own machine)",
    )


def _add_list(group: "argparse._ArgumentGroup", option: str, metavar: str, text: str, name: str = "") -> None:
    name = name or option.lstrip("-").replace("-", "_")
    group.add_argument(option, action="append", default=[], metavar=metavar, help=text, dest=name)


def access_options(arguments: argparse.Namespace) -> Options:
    """The options that were given."""
    return Options(**{name: getattr(arguments, name) for name in Options._fields})
