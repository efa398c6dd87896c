"""What counts as a secret in a text, and what only looks like one.

Every pattern is bounded: no quantifier is nested in another and none is open, so the time grows with the text only. A
rule has literals, one of which must be in the text before its pattern is tried at all.
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction.names import SECRET_WORD, is_secret_value, is_token, names_a_secret


class Rule:
    """A pattern whose groups are secrets.

    Attributes:
        kinds: the kind of each group, in order; empty for a group that stays.
        pattern: group n is of kind ``kinds[n - 1]``.
        literals: one of them stands in any text that the pattern can match; empty for any text.
        spares: whether a match is left as it is after all.
    """

    __slots__ = ("kinds", "literals", "pattern", "spares")

    def __init__(
        self,
        kinds: tuple[str, ...],
        pattern: str,
        literals: tuple[str, ...] = (),
        spares: typing.Callable[[re.Match[str]], bool] = lambda found: False,
        flags: int = 0,
    ) -> None:
        self.kinds = kinds
        self.pattern = Pattern(pattern, flags | re.MULTILINE)
        self.literals = literals
        self.spares = spares

    def concerns(self, text: str) -> bool:
        """Whether the pattern can match at all."""
        return not self.literals or any(literal in text for literal in self.literals)


def _named_value_is_spared(found: re.Match[str]) -> bool:
    before = found.string[max(0, found.start() - 40) : found.start()]
    name = before[len(before.rstrip(_NAME_CHARACTERS)) :] + found["name"]
    value = next(part for part in found.groups()[1:] if part is not None)
    if name in ("PWD", "OLDPWD") or (name.lower() == "key" and not _LOOKS_RANDOM.fullmatch(value)):
        return True
    return not names_a_secret(name) or not is_secret_value(name, value)


_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_LOOKS_RANDOM = Pattern(r"(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9+/_=-]{16,200}", re.ASCII)

# --- addresses ----------------------------------------------------------------------------------------------------------

# What stands before four numbers that are a version: "cudnn 8.9.4.25", "==4.5.1.48", "libcudnn.so.8.0.5.39", "(1.2.3.4".
_VERSION_BEFORE = Pattern(
    r"(?:[=<>~!]=|version|versions|ver|release|driver|cuda|cudnn|nccl|tensorrt|rt|cublas\w*|\.so\.|[-_]cu[0-9]{2}|\bv|[a-zA-Z][\w.]{0,40}-|"
    r"(?:nvidia|opencv|tensor|lib|cuda|pillow|torch|tf|intel|mkl|onednn|python|pip|numpy|chrome|java|jdk|open|glibc|gcc|windows)[\w.-]{0,40})"
    r"(?:\s(?:is|of|was|number))?[\s:='\"(\[@v]{0,40}$",
    re.IGNORECASE,
)
_NETWORK_BEFORE = Pattern(r"(?:ip-|ipv4:|https?://|grpc://|://)$", re.IGNORECASE)
_PACKAGE_ROW = Pattern(r"^\s{0,8}([A-Za-z][\w.-]{1,60})(?:\s{2,80}|\t{1,8}|=)$", re.ASCII)
_NETWORK_WORDS = frozenset(
    [
        "inet",
        "inet6",
        "addr",
        "address",
        "host",
        "server",
        "ping",
        "ssh",
        "curl",
        "wget",
        "ip",
        "node",
        "nameserver",
        "gateway",
        "netmask",
        "broadcast",
        "bind",
        "listen",
        "connect",
        "worker",
        "peer",
        "dns",
        "hostname",
        "from",
        "to",
        "at",
        "via",
        "master",
        "client",
        "remote",
        "local",
        "endpoint",
        "target",
        "url",
        "proxy",
    ]
)
_VERSION_BEHIND = Pattern(
    r"(?:[-+_~][0-9]{0,6}\+?(?:cuda|cu[0-9]|ubuntu|deb|post|dev|rc|py|cp|linux|win|el[0-9])|\.(?:tar|zip|whl|deb|rpm|exe|run|post|dev))",
    re.IGNORECASE,
)


def _is_no_address(found: re.Match[str]) -> bool:
    """Loopback and masks tell nothing; four numbers in a version's place are a version."""
    numbers = [int(part) for part in found[1].split(".")]
    if max(numbers) > 255 or numbers[0] == 127 or numbers == [0, 0, 0, 0] or numbers[0] == 255 or numbers == [8, 8, 8, 8]:
        return True
    text, start = found.string, found.start()
    before = text[max(text.rfind("\n", 0, start) + 1, start - 100) : start]
    if _NETWORK_BEFORE.search(before):
        return False
    if _VERSION_BEFORE.search(before) or _VERSION_BEHIND.match(text, found.end()):
        return True
    row = _PACKAGE_ROW.match(before)
    return row is not None and row[1].lower() not in _NETWORK_WORDS


def _is_no_ipv6(found: re.Match[str]) -> bool:
    """Eight groups, or fewer with one gap; a C++ name such as ``add::bad`` and a time of day are none."""
    address = found[1]
    groups = address.split(":")
    filled = [group for group in groups if group]
    if any(len(group) > 4 for group in groups) or not 1 <= len(filled) <= 8:
        return True
    if address.count("::") == 1 and ":::" not in address:
        if len(filled) >= 8 or address == "::1":
            return True
        local = re.match(r"(?:fe[89ab][0-9a-f]|f[cd][0-9a-f]{2}|2[0-9a-f]{3}|64)$", filled[0], re.IGNORECASE)
        return not (local or (len(filled) >= 3 and any(character.isdigit() for character in address)))
    return "::" in address or len(groups) != 8 or "" in groups


def _is_no_mail(found: re.Match[str]) -> bool:
    """``git@github.com`` is everybody's, ``noreply`` nobody's, and a token was somebody's."""
    return is_token(found[1].partition("@")[0]) or found[1].lower().startswith(("git@", "noreply@", "no-reply@", "user@example."))


def _is_no_internal_name(found: re.Match[str]) -> bool:
    """``threading.local`` is Python; a host of that kind has a digit, a hyphen or a port."""
    name = found[1]
    if name.lower().endswith((".cluster.local", ".ec2.internal", ".localdomain")):
        return False
    return not re.search(r"[0-9-]", name) and not re.match(r":[0-9]{2,5}\b", found.string[found.end() : found.end() + 7])


def _is_address(found: re.Match[str]) -> bool:
    """An address in a host's place is the business of the rule for addresses."""
    return re.fullmatch(r"[0-9.]{1,60}", found[1]) is not None


_WORD = r"[A-Za-z0-9_]"
_USER = r"[A-Za-z_][\w.-]{0,31}"
_HOST = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,100}"
_WINDOWS_HOME = r"(?:(?<=[A-Za-z]:)|(?<=\\))[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4}"

RULES: tuple[Rule, ...] = (
    # Tokens that name themselves.
    Rule(
        ("GITHUB-TOKEN",),
        rf"(?<!{_WORD})(gh[pousr]_[A-Za-z0-9]{{16,255}}|github_pat_[A-Za-z0-9_]{{16,255}})",
        ("gh", "github_pat_"),
    ),
    Rule(("GITLAB-TOKEN",), r"(?<![\w-])(glpat-[\w-]{16,255})", ("glpat-",), flags=re.ASCII),
    Rule(("SLACK-TOKEN",), r"(?<!\w)(xox[a-z]-[A-Za-z0-9-]{8,255}|xapp-[A-Za-z0-9-]{8,255})", ("xox", "xapp-"), flags=re.ASCII),
    Rule(("SLACK-TOKEN",), r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{8,255})", ("hooks.slack.com",)),
    Rule(("HF-TOKEN",), rf"(?<!{_WORD})(hf_[A-Za-z0-9]{{16,255}})", ("hf_",)),
    Rule(
        ("AWS-KEY",),
        r"(?<![A-Za-z0-9])((?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16})(?![A-Za-z0-9])",
        ("AKIA", "ASIA", "AROA", "AIDA", "AGPA", "ANPA"),
    ),
    Rule(
        ("API-KEY",),
        r"(?<![\w-])((?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj-|ant-|or-|svcacct-)?(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16,255}|AIza[\w-]{30,60}|ya29\.[\w-]{16,400}"
        r"|pypi-[\w-]{16,400}|npm_[A-Za-z0-9]{30,60}|SG\.[\w-]{16,40}\.[\w-]{16,80}|dop_v1_[a-f0-9]{40,80}|nvapi-[\w-]{20,200}|r8_[A-Za-z0-9]{30,60})",
        ("sk-", "sk_", "pk_", "rk_", "AIza", "ya29.", "pypi-", "npm_", "SG.", "dop_v1_", "nvapi-", "r8_", "pk-", "rk-"),
        flags=re.ASCII,
    ),
    Rule(("JWT",), r"(?<![\w.-])(eyJ[\w-]{6,4000}\.[\w-]{6,8000}(?:\.[\w-]{0,2000})?)", ("eyJ",), flags=re.ASCII),
    Rule(
        ("BEARER",),
        r"(?:\bBearer[ \t]{1,4}|Authorization['\"]?[ \t]{0,4}[:=][ \t]{0,4}['\"]?(?:Basic|Token|ApiKey|Digest|Key)[ \t]{1,4})([\w.~+/=-]{6,4000})",
        ("earer", "uthorization", "EARER", "UTHORIZATION"),
        lambda found: is_token(found[1]),
        re.ASCII | re.IGNORECASE,
    ),
    Rule(
        ("CREDENTIALS",),
        r"://([^\s/@\"'<>]{1,300}|[^\s/@:\"'<>]{1,100}:(?![0-9]{1,5}/)[^\s@\"'<>]{1,200})@(?=[\w\[])",
        ("://",),
        lambda found: is_token(found[1]) or found[1] == "git",
    ),
    Rule(
        ("", "SECRET", "SECRET", "SECRET"),
        rf"(?P<name>{SECRET_WORD}[\w.-]{{0,20}})(?:['\"]?\]?[ \t]{{0,8}}(?::=|=>|=(?!=)|:)[ \t]{{0,8}}|[ \t]{{1,4}}is[ \t]{{1,4}}|(?<=[a-z])[ \t]{{1,4}}(?=[\"']))"
        rf"(?:[fbr](?=[\"']))?(?:\"([^\"\n]{{1,400}})\"|'([^'\n]{{1,400}})'|(?![\"'=])([^\s\"',;&)}}\]]{{1,400}}))",
        (),
        _named_value_is_spared,
        re.IGNORECASE,
    ),
    Rule(
        ("SECRET",),
        r"(?<=\s)--?(?:[a-z]{1,20}-){0,2}(?:password|passwd|token|api-key|secret|access-key)[ \t=]{1,4}(?![\"'-])(\S{4,400})",
        ("-password", "-passwd", "-token", "-api-key", "-secret", "-access-key"),
        lambda found: not is_secret_value("token", found[1]),
    ),
    Rule(
        ("SECRET",),
        r"[?&](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|Signature|signature|sig|token|key|code)=([^&\s\"'<>#]{6,1000})",
        ("?", "&"),
        lambda found: is_token(found[1]),
        re.ASCII,
    ),
    # Mail, and who is where.
    Rule(
        ("MAIL",),
        r"(?<![\w.%+-])([\w%+-](?:[\w.%+-]{0,63})@(?:[A-Za-z0-9-]{1,63}\.){1,6}(?:[A-Za-z]{2,3}|info|name|tech|local|internal|corp|email|online|cloud|home|"
        r"example|invalid|museum|aero|coop|jobs|mobi))(?![\w-]|\.\w|\()",
        ("@",),
        _is_no_mail,
        re.ASCII,
    ),
    Rule(
        ("USER", "HOST"),
        rf"(?:^|(?<=[\s(\[]))({_USER})@({_HOST})(?=:[~/]|[ \t]?[~#$%>][ \t]|[ \t][^\s\]]{{1,100}}\][#$]|:[\w.-]{{1,60}}[#$])",
        ("@",),
        flags=re.ASCII,
    ),
    Rule(
        ("USER", "HOST"),
        rf"\b(?:ssh|scp|sftp|rsync|ssh-copy-id)[ \t][^\n@]{{0,200}}?({_USER})@({_HOST})",
        ("ssh", "scp", "sftp", "rsync"),
        flags=re.ASCII,
    ),
    Rule(("USER",), r"/(?:home|Users)/([^\s/\\:*?\"'<>|,;()\[\]{}=&]+)", ("/home/", "/Users/")),
    Rule(
        ("USER",),
        _WINDOWS_HOME + r"([^\\/:*?\"<>|\n]{1,64})(?=[\\/])",
        ("Users", "Documents and"),
        flags=re.IGNORECASE,
    ),
    Rule(
        ("USER",),
        _WINDOWS_HOME + r"([^\\/\s:*?\"'<>|,;()\[\]]{1,64})(?![^\s\"'<>|,;()\[\]]{0,64}[\\/])",
        ("Users", "Documents and"),
        flags=re.IGNORECASE,
    ),
    Rule(
        ("USER",),
        rf"\b(?:USER|LOGNAME|USERNAME|SUDO_USER|User|user|username|UserId)=['\"]?({_USER})(?![\w.])",
        ("USER", "LOGNAME", "ser="),
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        rf"['\"](?:username|user_name|login|USER|LOGNAME|USERNAME)['\"]: ?['\"]({_USER})['\"]",
        ("username", "user_name", "login", "USER", "LOGNAME"),
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        rf"^[-dlbcps][-rwxsStT]{{9}}[.+@]?[ \t]{{1,8}}[0-9]{{1,9}}[ \t]{{1,8}}({_USER})(?=\s)",
        ("rw", "r-", "--"),
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        rf"^({_USER})[ \t]{{1,12}}[0-9]{{1,9}}[ \t]{{1,8}}[0-9.]{{1,6}}[ \t]{{1,8}}[0-9.]{{1,6}}[ \t]{{1,10}}[0-9]{{1,12}}[ \t]{{1,10}}[0-9]{{1,12}}[ \t]",
        (),
        flags=re.ASCII,
    ),
    # Hosts.
    Rule(
        ("HOST",),
        rf"(?:for host: |\b[Hh]ost_?[Nn]ame['\"]?[ \t]?[:=][ \t]?['\"]?|\bHOST(?:NAME)?=|\bnode(?:name)?='|\bNodeList=|\bnode_name[=:] ?)({_HOST})",
        ("ost", "NodeList=", "node", "HOST"),
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        rf"\b(?:Linux|Darwin) ({_HOST}) [0-9]{{1,2}}\.[0-9]{{1,3}}(?:\.[0-9]{{1,4}})?(?:[-+.]\S{{1,60}})? (?:#|Darwin)",
        ("Linux ", "Darwin "),
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        rf"(?:\bsrun: error: |\b(?:JOB|STEP) [\w.]{{1,40}} ON )({_HOST})(?=:| CANCELLED|\s)",
        ("srun: ", " ON "),
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        rf"(?:grpc://|-> |target: )({_HOST}):[0-9]{{2,5}}(?![\w:])",
        ("grpc://", "-> ", "target: "),
        _is_address,
        re.ASCII,
    ),
    Rule(
        ("HOST",),
        rf"[\"']({_HOST}):[0-9]{{3,5}}(?=\\?[\"'])",
        ("cluster", "TF_CONFIG", "worker", "ClusterSpec"),
        _is_address,
        re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?<![\w.@/-])((?:[A-Za-z0-9_-]{1,63}\.){1,8}(?:internal|local|lan|corp|intra|intranet|localdomain))(?![\w(-]|\.\w)",
        (".internal", ".local", ".lan", ".corp", ".intra"),
        _is_no_internal_name,
        re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?<![\w.-])((?:ec2|ip)-[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}(?:\.[\w.-]{1,100}\w)?)",
        ("ec2-", "ip-"),
        flags=re.ASCII,
    ),
    Rule(("HOST",), r"(?<![\w:\\])\\\\([A-Za-z][\w.-]{1,62})\\[\w$]", ("\\\\",), flags=re.ASCII),
    # Addresses.
    Rule(
        ("MAC",),
        r"(?<![\w:-])([0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2}){5})(?![\w:-])",
        (":", "-"),
        flags=re.ASCII,
    ),
    Rule(
        ("IP",), r"(?<![\w.])([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(?![\w]|\.[0-9])", (".",), _is_no_address, re.ASCII
    ),
    Rule(
        ("IP",),
        r"(?:(?<=ipv6:)|(?<![\w:.]))([0-9a-fA-F:]{2,39}:[0-9a-fA-F:]{0,39})(?![\w:.])",
        ("::", ":"),
        _is_no_ipv6,
        re.ASCII,
    ),
)
