"""Data that identifies a person: user names and their places, mail addresses, names, telephone numbers, cards and accounts."""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction.names import is_generic, is_token
from tfhelp.collectors.redaction.rule import Rule

_USER = r"[A-Za-z_][\w.-]{0,31}"
_HOST = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,100}"
_PART = r"[^\s/\\:*?\"'<>|,;()\[\]{}=&%#]{1,64}"
_WINDOWS_HOME = r"(?:(?<=[A-Za-z]:)|(?<=\\)|(?<=/[a-z])|(?<=/mnt/[a-z]))(?:[\\/]{1,4})(?:Users|Documents and Settings)[\\/]{1,4}"
# Cluster folders below which each user has a folder; the levels in between belong to no user.
_SHARED = (
    r"(?:scratch[0-9]?|lustre[\w-]{0,12}|gpfs[\w-]{0,12}|beegfs|panfs|fsx|efs|nfs[0-9]?|ceph[\w-]{0,12}|netscratch|homes|"
    r"user_data|userdata|"
    r"users|user|Users|staff|students|home[0-9]|data_home|work_home|netapp|vol/home|u)"
)
_BETWEEN = (
    r"(?:(?:users|user|home|homes|staff|students|work|scratch|projects?|proj|groups?|fs[0-9]{1,3}|p[0-9]{1,3}|[a-z]|"
    r"[0-9]{1,2}|(?:project|group|proj|pr)[_-]?[A-Za-z0-9]{1,20})/){0,4}"
)
_ATTRIBUTES = Pattern(
    (
        r"(?:kernel|weights|weight|value|values|numpy|shape|dtype|bias|data|transpose|matrix|embeddings|embedding|grad|"
        r"variable|service|socket|timer|target|mount|slice|scope|json|yaml|toml|conf|html|tflite|keras|whl|tar|zip|wheel|path|"
        r"device|function|property|setter|getter|wraps|js|ts|jsx|tsx)"
    ),
    re.IGNORECASE,
)


def _is_no_mail(found: re.Match[str]) -> bool:
    """``git@github.com`` and ``noreply`` name no person, a token is already redacted, and ``x@w.kernel`` is a product."""
    local, _, domain = found[1].replace("%40", "@").partition("@")
    ending = domain.rpartition(".")[2]
    if is_token(local) or found[1].lower().startswith(("git@", "noreply@", "no-reply@", "user@example.")):
        return True
    if _ATTRIBUTES.fullmatch(ending) or (len(ending) == 1):
        return True
    return len(ending) > 3 and (len(local) < 2 or (ending != ending.lower() and ending != ending.upper()))


def _is_no_card(found: re.Match[str]) -> bool:
    digits = [int(digit) for digit in found[1] if digit.isdigit()]
    doubled = [2 * digit - 9 * (digit > 4) if place % 2 else digit for place, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 != 0 or len(set(digits)) < 4


def _is_no_iban(found: re.Match[str]) -> bool:
    text = re.sub(r"[ -]", "", found[1])
    if not 15 <= len(text) <= 34:
        return True
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 != 1


_IS_FILE = Pattern(
    r"v[0-9]{1,2}|.*\.(?:py|ipynb|txt|csv|tsv|json|ya?ml|h5|hdf5|keras|pb|tfrecords?|ckpt|index|npy|npz|jpe?g|png|bmp|gif|tiff?|"
    r"zip|gz|tar|log|pkl|pickle|pt|onnx|tflite|parquet|wav|mp3|mp4|dll|exe|bat|cfg|ini|xml)",
    re.IGNORECASE,
)


def _is_escape(found: re.Match[str]) -> bool:
    r"""``ERROR\nfailed`` contains an escaped line end, and ``DATASET\cat.jpg`` is a file in a folder."""
    if _IS_FILE.fullmatch(found[2]):
        return True
    told = re.search(
        r"(?i)(?:user|account|log(?:in|on|ged)|whoami|owner|domain|as|by)\W{1,5}$",
        found.string[max(0, found.start() - 20) : found.start()],
    )
    return not told and (found[2][0] in "nrtuxbfdws0" or len(found[1]) < 3)


def _is_no_person(found: re.Match[str]) -> bool:
    return is_token(found[1].split()[0])


def _is_no_user(found: re.Match[str]) -> bool:
    """In a sentence, the word after "user" may just be the next word."""
    return _WORDS_BEHIND_USER.fullmatch(found[1]) is not None or is_generic("USER", found[1])


_WORDS_BEHIND_USER = Pattern(
    (
        r"(?:is|was|has|code|defined|did|the|a|an|in|on|to|of|for|with|and|or|not|interface|input|space|mode|agent|error|"
        r"errors|from|by|may|can|cannot|could|function|functions|provided|specified|program|site|sites|id|data|event|events|"
        r"name|names|guide|account|script|warning)"
    ),
    re.IGNORECASE,
)
_IS_BOOK = Pattern(r"(?i)(?:usr|opt|lib|share)$")

RULES: tuple[Rule, ...] = (
    Rule(
        ("MAIL",),
        r"(?:@|%40)[A-Za-z0-9-]+\.",
        r"(?<![\w.%+-])([\w+-](?:[\w.+-]{0,63})(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24})(?![\w-]|\.\w|\()",
        _is_no_mail,
        re.ASCII,
    ),
    Rule(
        ("NAME", "MAIL"),
        r"<(?:MAIL-|[^<>\s]+@)",
        r"(?:(?<=: )|(?<=[:,] ')|(?<=^)|(?<=[\"'])|(?<=by )|(?<=From ))([^\W\d_][\w.'-]{1,30}(?: [^\W\d_][\w.'-]{0,30}){1,3}"
        r") <(?:MAIL-[0-9]{1,6}|([^<>\s@]{1,64}@[^<>\s@]{1,100}))>",
        _is_no_person,
    ),
    Rule(
        ("USER", "HOST"),
        r"[\w.-]@[A-Za-z0-9]",
        rf"(?:^|(?<=[\s(\[>|:'\"]))({_USER})@({_HOST})(?=:[~/]|[ \t]?[~#$%>][ \t]|[ \t][^\s\]]{{1,100}}\][#$]|"
        rf":[\w.-]{{1,60}}[#$])",
        flags=re.ASCII,
    ),
    Rule(
        ("USER", "HOST"),
        r"(?:ssh|scp|sftp|rsync|ssh-copy-id)[ \t].*@",
        rf"\b(?:ssh|scp|sftp|rsync|ssh-copy-id)[ \t][^\n@]{{0,200}}?({_USER})@({_HOST}[A-Za-z0-9_.-]*)",
        flags=re.ASCII,
    ),
    Rule(
        ("", "USER"),
        r"(?:/|%2F|\\u002[fF])(?:home|Users)(?:/|%2F|\\u002[fF])",
        rf"(?:/|%2[Ff]|\\u002[fF])(?:home|Users)(?:/|%2[Ff]|\\u002[fF])(?:(?:users|staff|students|guests?|work|grad|phd|"
        rf"(?P<initial>[a-z])(?=/(?P=initial))|[0-9]{{1,2}}|dept[\w-]{{0,20}}|[\w-]{{0,20}}(?:group|lab|dept|"
        rf"team))/){{0,3}}({_PART}?)(?=%2[Ff]|\\u002[fF]|[\s/\\:*?\"'<>|,;()\[\]{{}}=&%#]|$)",
    ),
    Rule(
        ("USER",),
        r"/(?:scratch|lustre|gpfs|beegfs|panfs|fsx|efs|nfs|ceph|netscratch|homes|user|Users|staff|students|home[0-9]|netapp|"
        r"vol/home|u|mail|media|krb5cc)",
        rf"(?<![\w.-])(?:/(?:mnt|net|data[0-9]?|export|global|share|shared|cluster|storage|work|project|projects|vol|fs|nfs|"
        rf"nas|import|hpc|proj|pool|afs/[\w.]{{1,40}}|lustre[\w-]{{0,12}}|gpfs[\w-]{{0,12}}|nfs[0-9]?)){{0,3}}"
        rf"/(?:{_SHARED}|var/spool/mail|run/media|media)/{_BETWEEN}(?![\w-]{{1,60}}\.(?:py|txt|csv|h5|keras|tfrecords?|zip|"
        rf"gz|tar|log|out|err|sh|json|yaml|yml|npz|npy|cache|pb|ckpt|pt|onnx|tflite|bin|parquet|sif|simg|img)\b)({_PART})",
        lambda found: _IS_BOOK.search(found.string[max(0, found.start() - 6) : found.start()]) is not None,
    ),
    Rule(
        ("USER",),
        r"(?i)(?:Users|Documents and Settings)[\\/]",
        _WINDOWS_HOME + r"([^\\/:*?\"<>|\n]{1,64})(?=[\\/])",
        flags=re.IGNORECASE,
    ),
    Rule(
        ("USER",),
        r"(?i)(?:Users|Documents and Settings)[\\/]",
        _WINDOWS_HOME + r"([^\\/\s:*?\"'<>|,;()\[\]]{1,64})(?![^\s\"'<>|,;()\[\]]{0,64}[\\/])",
        flags=re.IGNORECASE,
    ),
    Rule(("USER",), r"\\home\\", rf"\\home\\{{1,2}}({_PART})", flags=re.ASCII | re.IGNORECASE),
    Rule(
        ("HOST", "USER"),
        r"\\\\[A-Za-z0-9]",
        r"(?<![\w:\\])\\\\(?:\\\\)?(?!wsl[.$])([A-Za-z0-9][\w.$-]{1,62})\\{1,2}(?:(?:homes?|users|profiles|redirected|"
        r"share[sd]?)\\{1,2}([\w.-]{1,32})|[\w$])",
        flags=re.ASCII | re.IGNORECASE,
    ),
    Rule(
        ("HOST", "USER"),
        r"[A-Z0-9-]{2,15}\\{1,2}[A-Za-z]",
        rf"(?<![\w\\/:.$%-])([A-Z][A-Z0-9-]{{1,14}})\\{{1,2}}({_USER})(?![\w\\(/*])",
        _is_escape,
        re.ASCII,
    ),
    Rule(
        ("USER",),
        r"(?i)(?:user|logname|user_?name|login|user[ _]?id|uid|owner|author)\\*['\"]?\s*[=:]",
        rf"\b(?:USER|LOGNAME|USERNAME|SUDO_USER|User|user|username|user_name|Username|UserId|UserName|userName|User ID|"
        rf"user_id|Owner|owner|PGUSER|MYSQL_USER|DB_USER|db_user|uid|UID|"
        rf"[A-Z]{{1,20}}_USER(?:NAME)?)\\{{0,3}}[\"']?[ ]?=[ ]?\\{{0,3}}['\"]?({_USER})(?!\.?\w|[\[]|\((?![0-9]))",
        lambda found: re.fullmatch(r"True|False|None|self|args|os|config|str", found[1]) is not None,
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        r"(?i)['\"](?:user|user_name|username|login|logname|owner|entity|author)\\*['\"]\s?:",
        rf"['\"](?:user|username|user_name|userName|login|USER|LOGNAME|USERNAME|owner|entity|"
        rf"[A-Z]{{1,20}}_USER(?:NAME)?)\\{{0,3}}['\"] ?: ?\\{{0,3}}['\"]({_USER})\\{{0,3}}['\"]",
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        r"(?i)user(?:name)?|logged in|whoami|sudo:|su -|uid=|publickey|password for|for\s+[\w.-]+\s+from|login",
        rf"(?:\b(?:[Uu]ser(?:name)?|USER)[ ]?(?:: |=|name is | ?[\"'](?=[\w.-]{{1,32}}[\"']))[\"']?|\b(?:for|as|"
        rf"by) user [\"']?|\b[Uu]ser [\"'](?=[\w.-]{{1,32}}[\"'])|\b[Ll]ogged in as:? (?:user )?|\bwhoami:? ?|"
        rf"\bsudo: {{1,4}}|"
        rf"\bsu - |\buid=[0-9]{{1,9}}\(|\bgid=[0-9]{{1,9}}\(|\bgroups=[0-9]{{1,9}}\(|\b[Pp]assword for |"
        rf"\bCurrently logged in as: |\bAccepted \w{{1,20}} for |\bsession opened for user |\blogin: )({_USER})(?![\w(=]|"
        rf"\.\w)",
        _is_no_user,
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        r"[-dlbcps][-rwxsStT]{9}",
        rf"(?<![\w-])[-dlbcps][-rwxsStT]{{9}}[.+@]?[ \t]{{1,8}}[0-9]{{1,9}}[ \t]{{1,8}}({_USER})(?=\s)",
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        r"[0-9]\s+[0-9.]+\s+[0-9.]+\s+[0-9]+\s+[0-9]+\s",
        rf"(?:^|(?<=[|>\]:] ))({_USER})\+?[ \t]{{1,12}}[0-9]{{1,9}}[ \t]{{1,8}}[0-9.]{{1,6}}[ \t]{{1,8}}[0-9.]{{1,6}}[ \t]{{"
        rf"1,10}}[0-9]{{1,12}}[ \t]{{1,10}}[0-9]{{1,12}}[ \t]",
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        r"\s(?:R|PD|CG|CD|CF|F|TO|S|RUNNING|PENDING|FAILED|COMPLETED|TIMEOUT)\s+(?:[0-9]|None)",
        rf"(?<![\w.-])[0-9]{{3,12}}(?:_[0-9\[\]-]{{1,12}})?[ \t]{{1,8}}\S{{1,40}}[ \t]{{1,8}}\S{{1,60}}[ \t]{{1,8}}({_USER})"
        rf"\+?[ \t]{{1,8}}(?:R|PD|CG|CD|CF|F|TO|S|RUNNING|PENDING|FAILED|COMPLETED|TIMEOUT)[ \t]{{1,8}}[0-9]",
        flags=re.ASCII,
    ),
    Rule(
        ("USER",),
        r"[\w-]\([0-9]+M\)|pts/[0-9]|tty[0-9]",
        r"(?:(?<=[|\s]))([a-z_][\w.-]{1,31})(?:(?::[\w-]{1,32}(?:/[0-9]{1,9})?)?\([0-9]{1,7}M\)|"
        r"[ \t]{1,12}(?:pts/[0-9]{1,4}|tty[0-9]{1,2})[ \t])",
        flags=re.ASCII,
    ),
    Rule(("USER",), r"~[a-z]", r"(?<![\w/~.)\]])~([a-z_][\w-]{1,31})(?=/[\w.])", flags=re.ASCII),
    Rule(
        ("PHONE",),
        r"\+[0-9]|\([0-9]{3}\)|[0-9]{3}[-. ][0-9]{3}[-. ][0-9]{4}",
        r"(?<![\w.+/-])(\+[1-9][0-9]{0,2}[ .-]?(?:\(0?[0-9]{1,4}\)[ .-]?)?(?:[0-9]{2,5}[ ./-]?){2,5}[0-9]{2,4}|"
        r"\([0-9]{3}\) ?[0-9]{3}-[0-9]{4}|[2-9][0-9]{2}-[0-9]{3}-[0-9]{4})(?![\w]|[.-][0-9])",
        lambda found: not 9 <= len(re.sub(r"[^0-9]", "", found[1])) <= 15,
    ),
    Rule(
        ("CARD",),
        r"[3-6][0-9]{3}[ -]?[0-9]{4,6}[ -]?[0-9]{4,5}",
        r"(?<![\w.+/-])((?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6011|65[0-9]{2}|"
        r"35[0-9]{2})([ -]?)[0-9]{4}\2[0-9]{4}\2[0-9]{4}|3[47][0-9]{2}([ -]?)[0-9]{6}\3[0-9]{5})(?![\w]|[.-][0-9])",
        _is_no_card,
    ),
    Rule(
        ("IBAN",),
        r"[A-Z]{2}[0-9]{2} ?[A-Z0-9]{4}",
        r"(?<![\w-])([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)(?![\w-])",
        _is_no_iban,
    ),
    Rule(("SOCIAL-SECURITY",), r"[0-9]{3}-[0-9]{2}-[0-9]{4}", r"(?<![\w.-])([0-8][0-9]{2}-[0-9]{2}-[0-9]{4})(?![\w.-])"),
)
RULES[1].kinds = ("NAME", "MAIL")
next(rule for rule in RULES if rule.kinds == ("CARD",)).kinds = ("CARD", "", "")
