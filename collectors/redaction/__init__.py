"""The one place where secrets are removed from a text, before it leaves the machine or is stored or logged.

A secret becomes a token that names its kind and keeps the text's form: ``/home/alice/run`` becomes ``/home/USER-1/run``,
``10.3.2.1:2222`` becomes ``IP-1:2222``. Equal secrets get equal tokens within one call, lines stay lines, and redacting
twice changes nothing. The time is proportional to the text. ``docs/privacy.md`` lists what is found and what is not.

>>> redact("alice@gpu07:~$ HF_TOKEN=hf_abcdefghijklmnopqrstuv python /home/alice/train.py")
'USER-1@HOST-1:~$ HF_TOKEN=HF-TOKEN-1 python /home/USER-1/train.py'
>>> redact("nvidia-cudnn-cu11 8.9.4.25 talks to 192.168.4.25")
'nvidia-cudnn-cu11 8.9.4.25 talks to IP-1'
>>> redact_document({"env": {"WANDB_API_KEY": "0123456789abcdef"}, "text": ["/Users/bob/x", 3]})
{'env': {'WANDB_API_KEY': 'SECRET-1'}, 'text': ['/Users/USER-1/x', 3]}
"""

import functools
import re
import typing

from tfhelp.collectors.redaction import blocks, labels, names
from tfhelp.collectors.redaction.look_alikes import read_as_ascii
from tfhelp.collectors.redaction.private_keys import KEY_BEGINS, without_private_keys

if typing.TYPE_CHECKING:
    from tfhelp.collectors.redaction.rule import Rule, Signs

_MOST_PASSES = 8
_MOST_LEARNED = 200
_FRAMES = {"USER": names.USER_ELSEWHERE, "HOST": names.HOST_ELSEWHERE}
_NUMBERED = re.compile(r"(?<![A-Za-z0-9_-])([A-Z][A-Z-]{1,20})-([0-9]{1,6})(?![\w-])", re.ASCII)
_LINE_ENDS = re.compile("(\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029])")
_ESCAPED_ENDS = re.compile(r"(\\{1,8}[nr])")
_ESCAPED = re.compile(
    r"\\{1,4}u((?!d[89a-f])(?:0[1-9a-f]|[1-9a-f][0-9a-f])[0-9a-f]{2}|(?!d[89a-f])00[c-f][0-9a-f])"
    r"|\\{1,4}u(d[89ab][0-9a-f]{2})\\{1,4}u(d[c-f][0-9a-f]{2})",
    re.IGNORECASE,
)
# What may announce a value on the next line: a separator, perhaps with a logger's words after it, or the row "name: ...".
_UNFINISHED = re.compile(r"[:=\\|>][+-]?(?:[\"'][^:=]{0,40}[:=]?[^:=]{0,40})?\s*$|name[\"']?:|[:=]\\{1,4}[nr]\\{0,3}[\"']")
_SERIAL = re.compile(r"serial(?:_?number)?|(?:machine|boot|product|hardware)_?(?:uu)?id", re.IGNORECASE)
_FOUR_NUMBERS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_HAS_VERSIONS = re.compile(r"version|packages|driver|cuda|cudnn|nccl|tensorrt|nvidia|librar", re.IGNORECASE)
_MAY_ANNOUNCE = frozenset(":=\\|>+-\"'}])0123456789,;")  # the last characters of such lines
# Colours, and characters that nobody sees: the latter come from chats and web pages.
_UNSEEN = re.compile("\x1b\\[[0-9;:?]{0,40}[A-Za-z]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


def redact(text: str) -> str:
    """The text without its secrets, with the same number of lines."""
    return Redactor([text]).text(text)


def redact_document(document: typing.Any, examples: frozenset[str] = frozenset()) -> typing.Any:
    """A JSON document without its secrets: strings anywhere in it, keys too; equal secrets get equal tokens.

    Args:
        document: a value that can be written as JSON.
        examples: addresses and names in our own texts (``examples_in``). A fix shows them unchanged.
    """
    return Redactor(_strings(document), examples).value(document)


def examples_in(words: typing.Any) -> frozenset[str]:
    """Strings in one of our own documents that look like secrets: they are examples, and belong to no real person."""
    redactor = Redactor([])
    redactor.value(words)
    return frozenset(redactor.secrets().values())


def _strings(value: typing.Any) -> typing.Iterator[str]:
    """All strings of a document, without recursion, because a document can be nested deeply."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting.extend(item.keys())
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple)):
            waiting.extend(item)


@functools.cache
def _signs() -> "Signs":
    from tfhelp.collectors.redaction.rule import Signs
    from tfhelp.collectors.redaction.rules import RULES

    return Signs(RULES)


def _seen(line: str) -> str:
    """A line without colours and hidden characters."""
    return line if line.isascii() and "\x1b[" not in line else _UNSEEN.sub("", line)


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    # The two halves of a character above U+FFFF, as JSON writes it.
    return chr(0x10000 + ((int(found[2], 16) & 0x3FF) << 10) + (int(found[3], 16) & 0x3FF))


def _uncoloured(lines: list[str], change: typing.Callable[[list[str]], None]) -> list[str]:
    """Apply a change to lines as they are seen; a line that the change leaves as it is keeps its colours and hidden characters."""
    plain = [_seen(line) for line in lines]
    changed = plain[:]
    change(changed)
    return [line if new == old else new for line, old, new in zip(lines, plain, changed, strict=True)]


def _may_hold_a_key(line: str) -> bool:
    return KEY_BEGINS in line or "PuTTY" in line or KEY_BEGINS in _seen(line)


def _are_lines(value: typing.Sequence[typing.Any]) -> bool:
    """Whether a list holds the lines of a text, as in notebooks, so that a secret may begin in one string and end in another."""
    return len(value) > 1 and all(
        isinstance(item, str) and not _LINE_ENDS.search(item, 0, max(0, len(item) - 1)) for item in value
    )


class Redactor:
    """The tokens given out for one text or document.

    Args:
        texts: all texts that it will be asked to redact. If a token already occurs in them, new tokens get different numbers.
        examples: strings that stay unredacted inside a fix.
    """

    __slots__ = ("_count", "_examples", "_in_fix", "_known", "_known_lines", "_signs", "_telling", "_tokens")

    def __init__(self, texts: typing.Iterable[str], examples: frozenset[str] = frozenset()) -> None:
        self._tokens: dict[tuple[str, str], str] = {}
        self._count: dict[str, int] = {}
        self._known_lines: dict[tuple[str, bool], str] = {}
        self._telling: dict[str, list[str]] = {kind: [] for kind in _FRAMES}
        self._known: dict[str, _Known] = {}
        self._examples = examples
        self._in_fix = False
        self._signs = _signs()
        # A text that was redacted before and has grown since: new tokens must not repeat the old ones.
        for text in texts:
            for kind, number in _NUMBERED.findall(text):
                if kind in names.KINDS:
                    self._count[kind] = max(self._count.get(kind, 0), int(number))

    @classmethod
    def of_document(cls, document: typing.Any) -> "Redactor":
        """A redactor for the parts of a JSON document, which are redacted one by one."""
        return cls(_strings(document))

    def secrets(self) -> dict[str, str]:
        """Token -> the secret that it stands for."""
        return {token: secret for (_, secret), token in self._tokens.items()}

    def value(self, value: typing.Any, name: str = "", above: str = "") -> typing.Any:
        """Redact a value of a document; ``name`` is its key, ``above`` the key of the object that contains it."""
        if isinstance(value, str):
            shown = read_as_ascii(name)
            if name and labels.names_a_secret(shown) and labels.is_secret_value(shown, value):
                return self.token("SECRET", value)
            if name and _SERIAL.fullmatch(name):
                return self.token("SERIAL", value) if re.search("[0-9]", value) else self.text(value)
            if _FOUR_NUMBERS.fullmatch(value) and _HAS_VERSIONS.search(f"{above}.{name}"):
                return value
            return self.text(value)
        if isinstance(value, dict):
            return {
                self.text(key) if isinstance(key, str) else key: self._member(item, str(key), name) for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            if (
                _are_lines(value)
                and not labels.names_a_secret(read_as_ascii(name))
                and not _HAS_VERSIONS.search(f"{above}.{name}")
            ):
                return self._lines(list(value))
            return [self.value(item, name, above) for item in value]
        return value

    def _member(self, value: typing.Any, name: str, above: str) -> typing.Any:
        if name != "fix" or self._in_fix or not self._examples:
            return self.value(value, name, above)
        self._in_fix, kept, self._known_lines = True, self._known_lines, {}
        try:
            return self.value(value, name, above)
        finally:
            self._in_fix, self._known_lines = False, kept

    def token(self, kind: str, secret: str) -> str:
        """The token of a secret; a text that is already a token stays, and so does one from our own texts."""
        if names.is_token(secret) or (self._in_fix and secret in self._examples):
            return secret
        key = (kind, secret)
        if key not in self._tokens:
            self._count[kind] = self._count.get(kind, 0) + 1
            self._tokens[key] = f"{kind}-{self._count[kind]}"
            # No more than this: the patterns for them are made again with each name.
            if kind in _FRAMES and len(self._telling[kind]) < _MOST_LEARNED and names.is_telling(kind, secret):
                self._telling[kind].append(secret)
        return self._tokens[key]

    def text(self, text: str) -> str:
        """Redact until nothing changes: the neighbour of a secret may be recognised as one only when that secret is gone."""
        ended = text.splitlines(keepends=True)
        lines = text.splitlines()
        ends = [whole[len(line) :] for whole, line in zip(ended, lines, strict=True)]
        return "".join(line + end for line, end in zip(self._lines(lines), ends, strict=True))

    def _lines(self, lines: list[str], inner: bool = False) -> list[str]:
        """``inner``: the lines are parts of one line that was split at its escaped line ends."""
        for _ in range(_MOST_PASSES):
            before = lines[:]
            if any(_may_hold_a_key(line) for line in lines):
                lines = _uncoloured(lines, lambda plain: without_private_keys(plain, self.token))
            lines = [self._line(line, inner) for line in lines]
            lines = self._learned(_uncoloured(lines, self._across_lines))
            if lines == before:
                break
        return lines

    def _line(self, line: str, inner: bool) -> str:
        known = self._known_lines.get((line, inner))
        if known is None:
            known = self._known_lines[line, inner] = self._changed(line, inner)
        return known

    def _changed(self, line: str, inner: bool) -> str:
        """Colours, hidden characters and escapes in a secret conceal it: a line with a secret loses them, any other keeps them."""
        plain = _seen(line)
        if "\\u" in plain:
            plain = _ESCAPED.sub(_unescaped, plain)
        redacted = self._settled(plain)
        if not inner and ("\\n" in redacted or "\\r" in redacted):
            pieces = _ESCAPED_ENDS.split(redacted)
            pieces[::2] = self._lines(pieces[::2], inner=True)
            redacted = "".join(pieces)
        return line if redacted == plain else redacted

    def _settled(self, line: str) -> str:
        for _ in range(_MOST_PASSES):
            redacted = line
            for rule in self._signs.of(line):
                redacted = rule.pattern.sub(self._replacement(rule), redacted)
            if redacted == line and not line.isascii():
                redacted = self._undisguised(line)
            if redacted == line:
                break
            line = redacted
        return line

    def _undisguised(self, line: str) -> str:
        """The line without the secrets that only show if its look-alike letters are read as ASCII; its other letters stay."""
        shown = read_as_ascii(line)
        if shown == line:
            return line
        for rule in self._signs.of(shown):
            replace, parts, end = self._replacement(rule, line), [], 0
            for found in rule.pattern.finditer(shown):
                parts += [line[end : found.start()], replace(found)]
                end = found.end()
            line = "".join([*parts, line[end:]])
            shown = read_as_ascii(line)
        return line

    def _replacement(self, rule: "Rule", whole: str | None = None) -> typing.Callable[[re.Match[str]], str]:
        """What replaces a match; ``whole`` is the line as it was written, if the rule was applied to what a reader sees in it."""

        def replace(found: re.Match[str]) -> str:
            text = found.string if whole is None else whole
            first = found.start()
            result = text[first : found.end()]
            if rule.spares(found):
                return result
            # From right to left, so that the positions of the groups on the left stay valid.
            for group in range(len(rule.kinds), 0, -1):
                secret, kind = found[group], rule.kinds[group - 1]
                if not kind or not secret or (kind in ("USER", "HOST") and names.is_generic(kind, secret)):
                    continue
                start, end = found.span(group)
                result = result[: start - first] + self.token(kind, text[start:end]) + result[end - first :]
            return result

        return replace

    def _across_lines(self, lines: list[str]) -> None:
        """A name at the end of one line, its value on the next, or in the block below."""
        shown = [read_as_ascii(line) for line in lines]
        for number, start, end in blocks.secrets(shown):
            lines[number] = lines[number][:start] + self.token("SECRET", lines[number][start:end]) + lines[number][end:]
            shown[number] = read_as_ascii(lines[number])
        for number in range(1, len(lines)):
            before, line = shown[number - 1], lines[number]
            if line and (before.rstrip()[-1:] in _MAY_ANNOUNCE or "name" in before) and _UNFINISHED.search(before):
                place = labels.value_behind(before, shown[number])
                if place:
                    lines[number] = line[: place[0]] + self.token("SECRET", line[place[0] : place[1]]) + line[place[1] :]
                    shown[number] = read_as_ascii(lines[number])

    def _learned(self, lines: list[str]) -> list[str]:
        """User and host names that were found once are replaced wherever else they occur as such."""
        for kind, telling in self._telling.items():
            if telling:
                known = self._patterns(kind)
                lines = [self._replaced(kind, known, line) if known.any.search(line) else line for line in lines]
        return lines

    def _replaced(self, kind: str, known: "_Known", line: str) -> str:
        framed = re.compile(_FRAMES[kind] % known.either)  # few lines need it, and Python keeps it
        return framed.sub(lambda found: self.token(kind, found[0]), line)

    def _patterns(self, kind: str) -> "_Known":
        """What finds the telling names. It is made again only if there are more names: a document has many strings."""
        telling = self._telling[kind]
        known = self._known.get(kind)
        if known is None or known.names != len(telling):
            either = "|".join(re.escape(name) for name in sorted(telling, key=len, reverse=True))
            known = self._known[kind] = _Known(len(telling), either, re.compile(either))
        return known


class _Known(typing.NamedTuple):
    """How many names were learned, the source of a pattern for any of them, and that pattern."""

    names: int
    either: str
    any: re.Pattern[str]
