"""Secrets after a name, in several languages: ``password: x``, ``"api_key": "x"``, ``--token x``, ``<secret>x</secret>``."""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction import frames
from tfhelp.collectors.redaction.names import is_token
from tfhelp.collectors.redaction.rule import Rule

# A password in any spelling: its value may be a plain word.
_PASSWORD = (
    r"passw(?:or)?d|passphrase|passwort|kennwort|contrase(?:ñ|n|\\u00f1)a|clave|senha|palavra-passe|mot[ _]de[ _]passe|"
    r"wachtwoord|has(?:ł|l)o|"
    r"l(?:ö|o)senord|adgangskode|salasana|parola|heslo|jelsz(?:ó|o)|şifre|sifre|пароль|密码|密碼|口令|パスワード|비밀번호|암호|passcode|secret|"
    r"(?<![A-Za-z])(?:pwd|pass|(?-i:PW)|(?:root|user|admin|db|bind|proxy|sudo|store|key|src|dest)_?(?:pass|pw))(?![A-Za-z])"
)
SECRET_WORD = (
    rf"(?:{_PASSWORD}|credential|api[ _-]?key|access[ _-]?key|auth[_-]?key|private[_-]?key|account[_-]?key|"
    r"storage[_-]?key|encryption[_-]?key|token|sess(?:ion)?[_-]?id|(?<![A-Za-z])otp(?![A-Za-z])|"
    r"(?<![\w.-])(?:sig|_?auth|key)(?![\w.-])|(?<=[A-Za-z0-9][_-])key(?![A-Za-z])|(?<=[a-z0-9])(?-i:Key)(?![a-z]))"
)
# The same in RE2's syntax, and somewhat wider; each rule's sign covers what follows the name.
_SIGN = (
    r"(?i)(?:passw|passphrase|kennwort|contrase(?:\\u00f1)?|clave|senha|passe|wachtwoord|has[łl]o|senord|adgangskode|salasana|parola|"
    r"heslo|jelsz|[şs]ifre|пароль|"
    r"密码|密碼|口令|パスワード|비밀번호|암호|passcode|secret|pwd|(?-i:PW)|pw\b|pass\b|pass_|_pass|credential|key|token|sess(?:ion)?[_-]?id|otp|sig\b|"
    r"auth\b)[\pL\pN_.-]{0,24}"
)
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_NAMES_A_SECRET = Pattern(rf"[\w.-]{{0,60}}?{SECRET_WORD}[\w.-]{{0,20}}", re.IGNORECASE)
_IS_PASSWORD = Pattern(_PASSWORD, re.IGNORECASE)
# Names of variables and features after TensorFlow's "Key": "model/dense_1/kernel", "image_raw_2023_v1".
_PART = r"(?:[a-z]{2,24}[0-9]{0,3}|[A-Z]{2,24}|(?:[A-Z][a-z]{1,20}){1,6}[0-9]{0,3}|[a-z]?[0-9]{1,4})"
_VARIABLE = Pattern(rf"{_PART}(?:[_./:-]{{1,2}}{_PART}){{1,30}}[.:]?", re.ASCII)
# Terms of language models, databases and functions that contain "token", "key" or "signature".
_NOT_A_SECRET = Pattern(
    r"(?:.*[_.-])?(?:pad|oov|unk|mask|cls|sep|eos|bos|max|min|num|n|special|additional|new|start|end|begin|decoder|start_of|"
    r"end_of|first|last|"
    r"image|audio|prompt|per|total|vocab|text|input|output|word|sub|next)[_-]?tokens?(?:[_-]?(?:ids?|idx|index|type|types|"
    r"length|count))?"
    r"|.*tokens?[_-]?(?:ids?|idx|index|types?|lengths?|counts?|izer.*|ize.*|ization.*|s)|tokens|.*tokeniz.*|input_signature|"
    r"output_signature|"
    r"(?:.*[_.])?(?:call|fn|func|function|model|serving|default|save|inputs?|outputs?|element|concrete)_signatures?|"
    r"signatures?|.*signature_(?:def|key|name).*|"
    r"secrets|.*_signature_wrapper.*|.*(?:bypass|compass|multipass|two_pass|forward_pass|backward_pass|pass_(?:through|"
    r"count|id|name)|one_pass).*|"
    r"(?:.*[_.-])?(?:primary|foreign|sort|partition|cache|dict|signature|rng|prng|random|feature|label|query|attention|"
    r"metric|loss|graph|"
    r"collection|index|lookup|unique|hot|routing|group|tensor|checkpoint|object|json|map|row|column|config|model|layer|"
    r"public|ssh_host|host|data)_?key(?:s|_.*)?|"
    r".*\.(?:cc|cpp|cu|c|h|hpp|py|pyx|go|rs|js|ts|java|txt|md)|.*key(?:s|_?(?:dim|name|error|word|words|board|dtype|mask|"
    r"shape|size|bias|type|space|frame|points?|_?id))|keyid",
    re.IGNORECASE,
)
_NO_VALUE = Pattern(
    r"|none|null|true|false|nil|undefined|\*{1,80}|[x•]{3,80}|\.{2,10}|<[^>]{0,80}>?|\$\{?\w{1,60}\}?|\$[({].{0,200}|"
    r"%\w{1,60}%|required|optional|!!str|str|string|bytes|int|[|>][-+0-9]{1,2}|"
    r"[\\\"'(){}\[\],;|>]{1,10}|(?:os\.[a-z]|getpass|input\(|self\.|config\.|args\.|settings\.|environ|keyring|get_|st\.|userdata\.|"
    r"process\.env|\{\{).{0,200}|"
    r"\[?redacted\]?|pyfunc_[0-9]{1,9}|yes|no|invalid|incorrect|wrong|missing|expired|empty|not|is|was|for|must|cannot|"
    r"failed|authentication",
    re.IGNORECASE,
)
_LOOKS_RANDOM = Pattern(r"(?=[A-Za-z+/=_-]{0,80}[0-9])[A-Za-z0-9+/_=.~-]{16,4000}", re.ASCII)
_NO_KEY = Pattern(
    r"[0-9]{1,8}|[(\[{].*|[A-Za-z_][\w.]{0,80}\(.*|[0-9]{0,8}[.,:][0-9.,:]{0,20}|"
    r"(?:[A-Za-z_]{1,40}/)?[\w.-]{1,40}(?:/[\w.:-]{1,80}){1,20}"
)
_WORD = Pattern(r"[A-Za-z_]{1,15}")


def names_a_secret(name: str) -> bool:
    """Whether a key's name marks its value as a secret."""
    return _NAMES_A_SECRET.fullmatch(name) is not None and _NOT_A_SECRET.fullmatch(name) is None


def is_secret_value(name: str, value: str) -> bool:
    """Whether a value under such a name is a secret: not empty, not ``None``, not a variable, not a token already."""
    value = value.strip()
    if _NO_VALUE.fullmatch(value) or is_token(value):
        return False
    if name in ("PWD", "OLDPWD") or (name.lower() in ("pwd", "pass") and re.fullmatch(r"[/~.].*|[0-9.]{1,6}", value)):
        return False
    if _IS_PASSWORD.search(name):
        return True
    if name.lower() in ("key", "auth") or re.search(r"sess", name, re.IGNORECASE):
        if name.lower() == "key" and _VARIABLE.fullmatch(value):
            return False
        return _LOOKS_RANDOM.fullmatch(value) is not None
    if re.fullmatch(r".*otp.*", name, re.IGNORECASE):
        return re.fullmatch(r"[0-9]{4,10}", value) is not None
    if re.fullmatch(r"[\w.-]*[_-]key|[\w.-]*[a-z0-9]Key|[\w.-]*_KEY\w*", name) and not re.search(
        r"(?i)api|access|private|secret|auth", name
    ):
        # "OPENAI_KEY=..." is a secret; "sort_by_key: name" is not.
        return len(value) >= 8 and re.search(r"[0-9]|[a-z][A-Z]{2}", value) is not None and not re.search(r"[/:({\[]", value[:40])
    # A number, a tuple, a plain word in the form of a path or a function call is not a key.
    if len(value) < 6 or _NO_KEY.fullmatch(value):
        return False
    return not _WORD.fullmatch(value) or re.search(r"(?i)(?:api|access|private|auth)[ _-]?key", name) is not None


def whole_name(found: re.Match[str]) -> str:
    """The name that a match of ``NAME`` is the end of."""
    before = found.string[max(0, found.start() - 40) : found.start()]
    return before[len(before.rstrip(_NAME_CHARACTERS)) :] + found["name"]


def _is_spared(found: re.Match[str]) -> bool:
    name = whole_name(found).strip("-.")
    value = next(part for part in found.groups()[1:] if part is not None)
    between = found.string[found.end("name") : found.start() + found[0].rindex(value)]
    if name.lower() == "pass" and (
        value.endswith("Pass") or (not re.search("[=\"']", between) and re.fullmatch(r"[A-Za-z]*", value))
    ):
        return True  # "Running optimization pass: LowerFunctionalOpsPass", "one pass is enough"
    if re.search("[是は]", between) and not value[:1].isascii():
        return True  # "what is the password?"
    return not names_a_secret(name) or not is_secret_value(name, value)


def _is_spared_pair(found: re.Match[str]) -> bool:
    """In ``("token", "x")`` both may be plain words."""
    return _is_spared(found) or (not _IS_PASSWORD.search(found["name"]) and not _LOOKS_RANDOM.fullmatch(found[2]))


def _is_spared_word(found: re.Match[str]) -> bool:
    """After a mere space, the value is the next word of a sentence, unless it contains digits."""
    if found["name"].lower() == "pass" or "=" in found[2][:-2]:
        return True
    return _is_spared(found) or not re.search(r"[0-9]", found[2]) or not re.search(r"[A-Za-z]", found[2])


def _is_no_rest_of_line(value: str) -> bool:
    """A token, a sentence without a digit, or the sign of a block such as ``|2``."""
    return is_token(value) or is_token(value.split()[0]) or not re.search("[0-9]", value) or bool(_NO_VALUE.fullmatch(value))


NAME = rf"(?P<name>{SECRET_WORD}[\w.-]{{0,20}})"
_QUOTE = r"\\{0,7}[\"']"
# A value without quotes ends before an escaped quote, and before an escaped line end.
_PLAIN, _ESCAPE = r"[^\s\"',;&)}\]<\\]", r"\\(?![nrt\"'\\])"
_BARE = rf"(?![\"'=]|\\{{1,7}}[\"'])((?:{_PLAIN}|{_ESCAPE}){_PLAIN}*(?:{_ESCAPE}{_PLAIN}*){{0,4000}})"

RULES: tuple[Rule, ...] = (
    Rule(
        ("", "SECRET", "SECRET", "SECRET", "SECRET"),
        _SIGN + r"(?:\\*[\"'])?\]?[ \t]*(?:[:=：＝是は]|->|%3D|[ \t](?:is|ist|est|es|was|set to)[ \t]|[ \t][\"']|[ \t][|│])",
        rf"{NAME}(?:(?:{_QUOTE})?\]?[ \t]{{0,8}}(?::=|[=-]>|=(?!=)|%3D|[:：＝是は])[ \t]{{0,8}}|[ \t]{{1,4}}(?:is|ist|est|es|was|"
        rf"set to)[ \t]{{1,4}}|(?<=[a-z])[ \t]{{1,4}}(?=[\"'])|"
        rf"[ \t]{{1,8}}[|│][ \t]{{1,8}})"
        rf"(?:[fbr](?=[\"']))?(?:\\{{1,7}}[\"]((?:[^\"\\]|\\(?!\\{{0,6}}\"))[^\"\\]*(?:\\(?!\\{{0,6}}\")[^\"\\]*){{0,4000}})|"
        rf"\"((?:[^\"\\\n]|\\.)[^\"\\\n]*(?:\\.[^\"\\\n]*){{0,4000}})|'((?:[^'\\\n]|\\.)[^'\\\n]*(?:\\.[^'\\\n]*){{0,4000}})|{_BARE})",
        _is_spared,
        re.IGNORECASE,
    ),
    Rule(
        ("", "SECRET"),
        _SIGN + r"(?:[ \t][^<>\n]{0,60})?>",
        rf"{NAME}(?:[ \t][^<>\n]{{0,60}})?>[ \t]{{0,8}}([^<\n]{{1,1000}}?)[ \t]{{0,8}}</",
        _is_spared,
        re.IGNORECASE,
    ),
    Rule(
        ("", "SECRET"),
        _SIGN + r"(?:\\*[\"'])?[,;]?[ \t]*(?:\\*[\"'])?value",
        rf"{NAME}(?:{_QUOTE})?[,;]?[ \t]{{0,8}}(?:{_QUOTE})?value(?:{_QUOTE})?[ \t]{{0,4}}[:=][ \t]{{0,4}}(?:{_QUOTE})?([^"
        rf"\s\"'<>\\]{{1,}})",
        _is_spared,
        re.IGNORECASE,
    ),
    Rule(
        ("", "SECRET"),
        _SIGN + r"\\*[\"'][ \t]*,",
        rf"{NAME}{_QUOTE}[ \t]{{0,4}},[ \t]{{0,4}}[fbr]?{_QUOTE}([^\"'\n\\]{{1,4000}}){_QUOTE}(?![ \t]?:)",
        _is_spared_pair,
        re.IGNORECASE,
    ),
    # Options: "--api_key X", "-token=X"; and settings in words: "aws configure set aws_secret_access_key X".
    Rule(
        ("", "SECRET"),
        r"(?i)-[\w-]{0,80}" + _SIGN.removeprefix("(?i)") + r"[\"', \t=]",
        rf"(?<![\w/.])--?(?:[A-Za-z0-9]{{1,20}}[-_]){{0,3}}(?P<name>{SECRET_WORD}[\w-]{{0,20}})(?:[\"'],)?[ \t=]{{1,4}}[\"']"
        rf"?(?![\"'-])([^\s\"']{{4,}})",
        _is_spared,
        re.IGNORECASE,
    ),
    Rule(
        ("", "SECRET"),
        _SIGN + r"[ \t]+[^\s]*[0-9]",
        rf"{NAME}[ \t]{{1,8}}([^\s\"'<>(){{}}\[\],;]{{8,}})",
        _is_spared_word,
        re.IGNORECASE,
    ),
    Rule(
        ("", "SECRET"),
        r"(?i)passphrase|mnemonic|seed phrase",
        r"(?P<name>passphrase|mnemonic|seed phrase)[\"']?[ \t]{0,4}[:=][ \t]{0,4}([A-Za-z]{3,20}(?: [A-Za-z]{3,20}){2,30})",
        lambda found: False,
        re.IGNORECASE,
    ),
    # A mapping with an arrow between spaces, or with several words: the rest of the line is the password.
    Rule(
        ("", "SECRET"),
        r"(?i)^\s*[-*]?\s*(?:mot[ _]de[ _]|\pL{0,8}[_-]?)" + _SIGN.removeprefix("(?i)") + r"[ \t]*[:：]",
        rf"^[ \t]{{0,40}}(?:[-*][ \t])?(?P<name>{_PASSWORD})[ \t]{{0,4}}[:：][ \t]{{1,4}}([^\s\"'][^\n\"']{{1,80}})$",
        lambda found: _is_no_rest_of_line(found[2].strip()),
        re.IGNORECASE,
    ),
)
# A line that ends with a name and its separator: the value is on the next line.
UNFINISHED = Pattern(
    rf"{NAME}(?:{_QUOTE})?[ \t]{{0,8}}(?:[:=](?:[ \t]{{0,4}}[|>][-+]?)?|[ \t]\\|(?:[:=][ \t]{{0,4}})\\)[ \t]{{0,8}}$"
    rf"|(?<=name)(?:{_QUOTE})?:[ \t]{{0,8}}(?:{_QUOTE})?(?P<listed>[\w.-]{{1,80}})(?:{_QUOTE})?,?[ \t]{{0,8}}$",
    re.IGNORECASE,
)
_NEXT = Pattern(
    r"[ \t>|,\"']{0,80}(?:[0-9TZ:.FP+-]{1,40} (?:stderr |stdout )?(?:[FP] )?)?[ \t]{0,80}(?:(?:\\{0,3}[\"'])?value(?:\\{0,3}"
    r"[\"'])?[ \t]{0,4}[:=][ \t]{0,4})?\\{0,3}[\"']?([^\s\"',\\]{1,4000})[\\\"'\])},]{0,8}[ \t]{0,8}\\?$"
)


def value_behind(line: str, following: str) -> tuple[int, int] | None:
    """The position, in the next line, of the secret that the end of a line announces.

    A prefix or suffix that both lines have in common belongs to a logger or a launcher.
    """
    before, behind = _frame(line, following)
    inner, value_line = line[before:], following[before:]
    for end, its_end in dict.fromkeys(((behind, behind), frames.common_end(inner, value_line))):
        place = _value_in(inner[: len(inner) - end], value_line[: len(value_line) - its_end])
        if place:
            return before + place[0], before + place[1]
    return None


def _value_in(line: str, following: str) -> tuple[int, int] | None:
    found = UNFINISHED.search(line)
    value = _NEXT.match(following) if found else None
    if not found or not value or (found["listed"] and "value" not in following):
        return None
    name = found["listed"] or whole_name(found).strip("-.")
    return value.span(1) if names_a_secret(name) and is_secret_value(name, value[1]) else None


def _frame(first: str, second: str) -> tuple[int, int]:
    """Lengths of the common beginning and the common end of two lines, cut at a separator between words."""
    before = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        before += 1
    while before and first[before - 1] in _NAME_CHARACTERS:
        before -= 1
    behind = 0
    for one, other in zip(reversed(first[before:]), reversed(second[before:]), strict=False):
        if one != other:
            break
        behind += 1
    while behind and first[len(first) - behind] in _NAME_CHARACTERS + ":=>| ":
        behind -= 1
    return before, behind
