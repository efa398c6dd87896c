"""Secrets in a fixed place of a command or a call: ``mysql -pX``, ``echo X | sudo -S``, ``login("alice", "X")``."""

import re

from tfhelp.collectors.redaction import labels
from tfhelp.collectors.redaction.names import is_token
from tfhelp.collectors.redaction.rule import Rule
from tfhelp.collectors.redaction.tokens import looks_drawn

_QUOTE = r"\\{0,7}[\"']"
# An argument of a shell command, without its quotes.
_ARGUMENT = r"(?![\"'<>$%|;&-]|\\)([^\s\"'\\|;&<>]{3,4000})"
_QUOTED = rf"{_QUOTE}([^\"'\\\n]{{3,200}}){_QUOTE}"
_BETWEEN = r"[^\n|;]{0,200}?[ \t]"
# Commands whose -p or -P is a password.
_TAKES_PASSWORD = (
    r"mysql(?:dump|admin)?|mariadb|sshpass|login|redis-cli|7z|unzip|zip|mongo(?:sh|dump|restore|export|import)?|useradd|usermod|"
    r"twine|rdesktop|ncftp(?:get|put)?|ipmitool|sqlcmd|bcp"
)
# Commands that read a password from their standard input, and options that tell any command to do so.
_READS_PASSWORD = (
    r"sudo[ \t][^\n|]{0,40}?(?<=[ \t])-\w?S|(?:sudo[ \t]{1,4})?(?:kinit|vncpasswd|smbpasswd|passwd|cryptsetup|su)(?![\w.-])"
)
_FROM_INPUT = r"--(?:password|pass|token)-?stdin|--passphrase-fd|--with-token"


def _is_no_secret(found: re.Match[str]) -> bool:
    """A variable, a placeholder, a port or a word such as "required" takes the secret's place."""
    value = found[found.re.groups]
    if is_token(value) and found.re.groups == 2:
        return False  # another rule found the password, and the user's name before it is still there
    return re.fullmatch(r"[0-9]{1,5}|ort", value) is not None or not labels.is_secret_value("password", value)


def _is_no_short_password(found: re.Match[str]) -> bool:
    """``pw`` also names a pointwise convolution and a patch's width: a password there mixes letters and digits."""
    value = found[1]
    mixed = re.search("[0-9]", value) and re.search("[A-Za-z]", value)
    names = re.fullmatch(r"[A-Za-z_][\w.]*", value) and re.search("[_.]", value)
    return not mixed or bool(names) or re.fullmatch(r"[0-9x*.,]+", value) is not None or _is_no_secret(found)


RULES: tuple[Rule, ...] = (
    # --- passwords in arguments
    Rule(
        ("CREDENTIALS",),
        r"(?i)(?:curl|wget|http|-u|--(?:proxy-)?user).*:",
        r"(?<=[\s\"'\[,])(?:-u|--user|--proxy-user|-U)(?:[ =]|[\"'],[ ]?[\"'])[\"']?([^\s:\"'/]{1,64}:[^\s\"']{3,200})",
        lambda found: is_token(found[1]) or re.fullmatch(r"[0-9]{1,8}:[0-9]{1,8}", found[1]) is not None,
    ),
    Rule(
        ("SECRET",),
        rf"(?:{_TAKES_PASSWORD}).*[ \t]-[pPa]",
        rf"\b(?:{_TAKES_PASSWORD})\b{_BETWEEN}-[pPa][ \t]?[\"']?(?![-\s\"'])([^\s\"'\\]{{3,200}})",
        _is_no_secret,
    ),
    Rule(
        ("SECRET",),
        r"ldap\w+.*-w|openssl.*-k|snmp\w+.*-[AX]|freerdp.*/p:|(?:plink|pscp|psftp).*-pw|rclone[ \t]+obscure|wpa_passphrase|kaggle.*-v|net use",
        rf"(?:\bldap\w{{3,8}}{_BETWEEN}-w[ \t]?|\bopenssl[ \t]{_BETWEEN}-k[ \t]{{1,4}}|\bsnmp\w{{2,8}}{_BETWEEN}-[AX][ \t]?|"
        rf"freerdp\d?{_BETWEEN}/p:|\b(?:plink|pscp|psftp)\b{_BETWEEN}-pw[ \t]{{1,4}}|\brclone[ \t]{{1,4}}obscure[ \t]{{1,4}}|\bwpa_passphrase[ \t]{{1,4}}\S{{1,64}}[ \t]{{1,4}}|"
        rf"\bkaggle[ \t]{{1,4}}config{_BETWEEN}-v[ \t]{{1,4}}|\bnet use[^\n]{{0,200}}?\\[\w$-]{{1,60}}[ \t]{{1,4}}(?!/))"
        rf"(?:{_QUOTE})?{_ARGUMENT}",
        _is_no_secret,
    ),
    Rule(
        ("USER", "SECRET"),
        r"htpasswd.*-|http-basic|(?:mc|mcli)[ \t]+alias[ \t]+set",
        rf"(?:\bhtpasswd[ \t]{{1,4}}-\w{{0,8}}b\w{{0,8}}[ \t]{{1,4}}\S{{1,200}}|\bhttp-basic\.[\w.-]{{1,60}}|"
        rf"\balias[ \t]{{1,4}}set[ \t]{{1,4}}\S{{1,60}}[ \t]{{1,4}}\S{{1,200}})[ \t]{{1,4}}([\w.@-]{{1,64}})[ \t]{{1,4}}"
        rf"(?:{_QUOTE})?{_ARGUMENT}",
        _is_no_secret,
    ),
    # A user and a password in one argument: "-U alice%X", "-u alice,X", "alice/X@database".
    Rule(
        ("USER", "SECRET"),
        r"(?:-U|--user)[ =]?.*%|lftp.*,|(?:sqlplus|sqlldr|expdp|impdp).*/.*@",
        rf"(?:(?<=[ \t])(?:-U|--user)[ =]?(?:{_QUOTE})?(?=[^\s%\"']{{1,64}}%)|\blftp\b{_BETWEEN}-u[ \t]?(?:{_QUOTE})?(?=[^\s,]{{1,64}},)|"
        rf"\b(?:sqlplus|sqlldr|expdp|impdp)\b{_BETWEEN}(?:{_QUOTE})?(?=[A-Za-z]\w{{0,30}}/[^\s/@]{{3,100}}@))"
        r"([\w.\\-]{1,64})[%,/]([^\s\"'\\@]{3,200})",
        _is_no_secret,
    ),
    Rule(
        ("USER", "SECRET"),
        r"(?i)login[ \t]+\S+[ \t]+password",
        r"\blogin[ \t]{1,8}([^\s]{1,64})[ \t]{1,8}password[ \t]{1,8}([^\s\"']{1,200})",
    ),
    Rule(
        ("SECRET",),
        r":(?:[0-9]{3,5}|\*):[^:\s]+:[^:\s]+:\S",
        r"(?:^|[\s\"'>|]:?)[\w.*-]{1,100}:(?:5432|5433|5434|6432|3306|1433|1521|[0-9]{4,5}|"
        r"\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s\"':]{3,200})(?=\s|\\n|[\"']|$)",
        lambda found: is_token(found[1]),
    ),
    Rule(
        ("SECRET",),
        r"(?i)(?:login|auth|authenticate|requirepass|authtoken|add-authtoken|set-token)[ \t]+(?:--relogin[ \t]+)?[\"']?\S{12}",
        r"\b(?:wandb login|comet login|login|authenticate|auth|requirepass|authtoken|add-authtoken|"
        r"set-token)(?:[ \t]{1,4}--[a-z-]{1,20}){0,2}[ \t]{1,4}[\"']?"
        r"(?=[A-Za-z_+/=.-]{0,80}[0-9])(?=[0-9_+/=.-]{0,80}[A-Za-z])([A-Za-z0-9_+/=-]{12,400})",
        lambda found: is_token(found[1]),
        re.IGNORECASE,
    ),
    Rule(
        ("SECRET",),
        r"requirepass|masterauth|(?i:identified[ \t]+by)",
        rf"(?:\b(?:requirepass|masterauth)[ \t]{{1,8}}(?:{_QUOTE})?|\b(?i:identified[ \t]{{1,4}}by[ \t]{{1,4}}(?:password[ \t]{{1,4}})?)"
        rf"{_QUOTE}){_ARGUMENT}",
        _is_no_secret,
    ),
    # --- passwords that a command reads from its standard input
    Rule(
        ("USER", "SECRET"),
        r"\|.*chpasswd",
        rf"\b(?:echo|printf)[ \t]{{1,4}}(?:-[neE]{{1,3}}[ \t]{{1,4}})?(?:{_QUOTE})?([\w.-]{{1,64}}):([^\s\"'\\|]{{3,200}})"
        rf"(?:{_QUOTE})?[ \t]{{0,4}}\|[ \t]{{0,4}}(?:sudo[ \t]{{1,4}})?(?:/usr)?(?:/sbin/)?chpasswd",
        _is_no_secret,
    ),
    Rule(
        ("SECRET",),
        r"(?:echo|printf).*\|",
        rf"\b(?:echo|printf)[ \t]{{1,4}}(?:-[neE]{{1,3}}[ \t]{{1,4}})?(?:{_QUOTE}%s(?:\\{{1,4}}n)?{_QUOTE}[ \t]{{1,4}})?(?:{_QUOTE})?"
        rf"{_ARGUMENT}(?:\\{{1,4}}n)?(?:{_QUOTE})?[ \t]{{0,4}}\|[ \t]{{0,4}}"
        rf"(?:{_READS_PASSWORD}|[^\n|]{{0,120}}?(?:{_FROM_INPUT}))",
        _is_no_secret,
    ),
    Rule(
        ("SECRET",),
        r"<<<",
        rf"(?:\b(?:{_READS_PASSWORD}|chpasswd)|{_FROM_INPUT})[^\n|;<]{{0,100}}<<<[ \t]{{0,4}}\$?(?:{_QUOTE})?(?:[\w.-]{{1,64}}:)?{_ARGUMENT}",
        _is_no_secret,
    ),
    # A prompt and what was typed, and the same in a script that answers prompts.
    Rule(
        ("SECRET",),
        r"(?i)(?:password|passphrase) for .*: ",
        rf"\b(?:password|passphrase) for (?:key )?(?:{_QUOTE}[^\"'\n]{{1,200}}{_QUOTE}|[^\s:]{{1,100}}):[ \t]{{1,4}}"
        rf"([^\s\"'\\]{{3,200}})(?=[ \t]{{0,8}}(?:[\\\"']|$))",
        _is_no_secret,
        re.IGNORECASE,
    ),
    Rule(
        ("SECRET",),
        r"(?:assword|assphrase).*send",
        rf"(?:assword|assphrase)[^\n\w]{{0,12}}(?:\{{[ \t]{{0,4}})?send(?:line)?(?:[ \t]{{1,4}}--)?[ \t(]{{1,4}}{_QUOTE}([^\s\"'\\]{{3,200}})",
        _is_no_secret,
    ),
    # --- arguments of calls
    Rule(
        ("USER", "SECRET"),
        r"(?:auth[ ]?=[ ]?|Auth)\(",
        r"(?:\b[a-z_]{0,20}auth[ ]?=[ ]?\(|Auth\()[ ]?\\{0,3}[\"']([^\"'\\\n]{1,64})\\{0,3}[\"'][ ]?,[ ]?\\{0,3}[\"']([^\"'\\\n]{3,200})",
        lambda found: is_token(found[2]),
    ),
    Rule(
        ("USER", "SECRET"),
        r"(?:login|connect)\(",
        rf"(?:\blogin\([ ]?|\bconnect\([ ]?(?:{_QUOTE}[^\"'\\\n]{{1,100}}{_QUOTE}|[\w.]{{1,60}})[ ]?,[ ]?(?:[0-9]{{2,5}}[ ]?,[ ]?)?)"
        rf"{_QUOTE}([^\"'\\\n]{{1,64}}){_QUOTE}[ ]?,[ ]?{_QUOTED}",
        _is_no_secret,
    ),
    Rule(("SECRET",), r"login\(", rf"\blogin\([ ]?{_QUOTED}[ ]?\)", lambda found: not looks_drawn(found[1])),
    Rule(
        ("SECRET",),
        r"Secret(?:Str|Bytes)\(",
        rf"\bSecret(?:Str|Bytes)\([ ]?b?{_QUOTED}",
        _is_no_secret,
    ),
    # --- connection strings, and addresses that are escaped as a part of another one
    Rule(
        ("SECRET",),
        r"(?i)(?:;|%3B)[ ]?pwd[ ]?(?:=|%3D)",
        r"(?:;|%3B)[ ]?pwd[ ]?(?:=|%3D)(?![/~.$])(\{[^}\n]{1,200}\}|(?:[^\s;%&\"'\\]|%(?!3B|26)){1,200})",
        _is_no_secret,
        re.IGNORECASE,
    ),
    Rule(
        ("CREDENTIALS",),
        r"(?i)%3A%2F%2F.*%40",
        r"%3A%2F%2F((?:[^\s%/&\"']|%(?!2F|40)){1,300})%40",
        lambda found: is_token(found[1]) or found[1] == "git",
        re.IGNORECASE,
    ),
    # --- short names
    Rule(
        ("SECRET",),
        r"\bpw(?:\\*[\"'])?(?:[=:]|[ ](?:is|was)[ ])",
        rf"(?<![\w.-])pw(?:{_QUOTE})?(?:=|:[ \t]?|[ ](?:is|was)[ ])(?:{_QUOTE})?([^\s\"',;()\\]{{3,200}})(?![(\w])",
        _is_no_short_password,
    ),
    Rule(
        ("SECRET",),
        r"--cookie",
        rf"--cookie[ \t=]{{1,4}}(?:{_QUOTE})?([\w.-]{{1,60}}=[^\s\"'\\]{{6,1000}})",
        lambda found: is_token(found[1]),
    ),
    Rule(
        ("SECRET",),
        r"://.*/t/",
        r"(?<=://)[\w.:-]{1,200}/t/([A-Za-z0-9_-]{16,200})/",
        lambda found: is_token(found[1]) or not re.search("[0-9]", found[1]),
    ),
)
