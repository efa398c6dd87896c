"""The one place where secrets leave a text, before it leaves the machine or is stored or logged.

A secret becomes a token that names its kind and keeps the text's form: ``/home/alice/run`` becomes ``/home/USER-1/run``,
``10.3.2.1:2222`` becomes ``IP-1:2222``. Equal secrets get equal tokens within one call, lines stay lines, and redacting
twice changes nothing. Everything takes time in proportion to the text. What is found and what is left: ``redaction_rules``.

>>> redact("alice@gpu07:~$ HF_TOKEN=hf_abcdefghijklmnopqrstuv python /home/alice/train.py")
'USER-1@HOST-1:~$ HF_TOKEN=HF-TOKEN-1 python /home/USER-1/train.py'
>>> redact("nvidia-cudnn-cu11 8.9.4.25 talks to 192.168.4.25")
'nvidia-cudnn-cu11 8.9.4.25 talks to IP-1'
>>> redact_document({"env": {"WANDB_API_KEY": "0123456789abcdef"}, "text": ["/Users/bob/x", 3]})
{'env': {'WANDB_API_KEY': 'SECRET-1'}, 'text': ['/Users/USER-1/x', 3]}
"""

import re
import typing

from tfhelp.collectors.redaction import names, rules

_KEY_BEGINS = "PRIVATE KEY-----"
_MOST_PASSES = 8
_MOST_LEARNED = 200
_NUMBERED = re.compile(rf"(?<![\w-])({names.KINDS})-([0-9]{{1,6}})(?![\w-])", re.ASCII)


def redact(text: str) -> str:
    """The text without its secrets, with the same number of lines."""
    return _Redactor([text]).text(text)


def redact_document(document: typing.Any) -> typing.Any:
    """A JSON document without its secrets: strings anywhere in it, keys too; equal secrets get equal tokens."""
    redactor = _Redactor(_strings(document))
    return redactor.value(document)


def _strings(value: typing.Any) -> typing.Iterator[str]:
    """All strings of a document, without recursion: a document can be nested deeply."""
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


class _Redactor:
    """The tokens given out in one call."""

    __slots__ = ("_count", "_tokens")

    def __init__(self, texts: typing.Iterable[str]) -> None:
        self._tokens: dict[tuple[str, str], str] = {}
        self._count: dict[str, int] = {}
        # A text that was redacted before and then grew: new tokens must not be the old ones.
        for text in texts:
            for kind, number in _NUMBERED.findall(text):
                self._count[kind] = max(self._count.get(kind, 0), int(number))

    def value(self, value: typing.Any, name: str = "") -> typing.Any:
        """A value of a document; ``name`` is the key that it stands under."""
        if isinstance(value, str):
            if name and names.names_a_secret(name) and names.is_secret_value(name, value):
                return self.token("SECRET", value)
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key) if isinstance(key, str) else key: self.value(item, str(key)) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item, name) for item in value]
        return value

    def token(self, kind: str, secret: str) -> str:
        """The token of a secret; what is a token already stays."""
        if names.is_token(secret):
            return secret
        key = (kind, secret)
        if key not in self._tokens:
            self._count[kind] = self._count.get(kind, 0) + 1
            self._tokens[key] = f"{kind}-{self._count[kind]}"
        return self._tokens[key]

    def text(self, text: str) -> str:
        """Redact until nothing changes: what stood beside a secret may show itself as one when that is gone."""
        for _ in range(_MOST_PASSES):
            redacted = self._pass(text)
            if redacted == text:
                break
            text = redacted
        return text

    def _pass(self, text: str) -> str:
        if _KEY_BEGINS in text:
            text = self._private_keys(text)
        for rule in rules.RULES:
            if rule.concerns(text):
                text = rule.pattern.sub(self._replacement(rule), text)
        return self._learned(text)

    def _replacement(self, rule: rules.Rule) -> typing.Callable[[re.Match[str]], str]:
        def replace(found: re.Match[str]) -> str:
            if rule.spares(found):
                return found[0]
            result = found[0]
            # From the right, so that the places of the groups on the left stay.
            for group in range(len(rule.kinds), 0, -1):
                secret, kind = found[group], rule.kinds[group - 1]
                if not kind or not secret or (kind in ("USER", "HOST") and names.is_generic(kind, secret)):
                    continue
                start, end = found.start(group) - found.start(), found.end(group) - found.start()
                result = result[:start] + self.token(kind, secret) + result[end:]
            return result

        return replace

    def _learned(self, text: str) -> str:
        """User and host names that gave themselves away once are taken wherever else they stand as such."""
        for kind, frame in (("USER", names.USER_ELSEWHERE), ("HOST", names.HOST_ELSEWHERE)):
            telling = [name for known, name in self._tokens if known == kind and names.is_telling(kind, name) and name in text]
            if telling:
                either = "|".join(re.escape(name) for name in sorted(telling, key=len, reverse=True)[:_MOST_LEARNED])
                text = re.sub(frame % either, lambda found, kind=kind: self.token(kind, found[0]), text)  # type: ignore[misc]
        return text

    def _private_keys(self, text: str) -> str:
        """Lines between BEGIN and END; where END is missing, as long as the lines look like a key's."""
        lines = text.split("\n")
        inside = False
        for number, line in enumerate(lines):
            if _KEY_BEGINS in line and "-----BEGIN" in line:
                lines[number], inside = self._key_on_one_line(line)
            elif inside and "-----END" not in line and (not line.strip() or names.KEY_LINE.fullmatch(line)):
                if line.strip():
                    lines[number] = self.token("PRIVATE-KEY", line.strip())
            else:
                inside = False
        return "\n".join(lines)

    def _key_on_one_line(self, line: str) -> tuple[str, bool]:
        """A key inside a string, with escaped line ends; and whether it goes on in the next line."""
        pieces = line.split(_KEY_BEGINS)
        ended = True
        for position, piece in enumerate(pieces[1:], 1):
            if pieces[position - 1].rfind("-----BEGIN") < pieces[position - 1].rfind("-----END"):
                ended = True  # the marker belongs to an END
                continue
            body, end, rest = piece.partition("-----END")
            ended = bool(end)
            inner = body.replace("\\n", " ").replace("\\r", " ").strip(" \t\r\"',")
            if inner and (ended or names.KEY_LINE.fullmatch(inner)):
                pieces[position] = f"\\n{self.token('PRIVATE-KEY', inner)}\\n{end}{rest}"
        return _KEY_BEGINS.join(pieces), not ended
