"""What is sent to a server: text and facts without the user's secrets and names, and the map that restores the names.

The facts of a script and of this machine are collected here, so neither code nor file names are sent.
"""

import re
import typing

from tfhelp.collectors.redaction import Redactor

Json = dict[str, typing.Any]

_SCRIPT = "script-of-the-user.py"
_SHOWN = frozenset(("USER", "HOST", "IP"))


class Sent(typing.NamedTuple):
    """What is sent.

    Attributes:
        text: the redacted text.
        facts: the redacted facts. A name has the same token in the text and in the facts.
        names: token -> name, for the names that an answer may show again. Credentials are not among them: no reader needs them.
    """

    text: str
    facts: Json
    names: dict[str, str]

    @classmethod
    def of(cls, text: str, facts: Json, script: str = "") -> "Sent":
        """Redact a question.

        Args:
            text: the text as it was pasted.
            facts: a facts document.
            script: name of the file that some facts come from; empty for none.
        """
        facts = _with_source(facts, script, _SCRIPT) if script else facts
        redactor = Redactor.of_document({"text": text, "facts": facts})
        clean_text, clean_facts = redactor.text(text), redactor.value(facts)
        secrets = redactor.secrets().items()
        names = {token: name for token, name in secrets if token.rpartition("-")[0] in _SHOWN and name.isprintable()}
        return cls(clean_text, clean_facts, names | ({_SCRIPT: script} if script else {}))

    def with_own_names(self, answer: Json) -> Json:
        """An answer with the user's own names in place of their tokens; its link stays unchanged."""
        if not self.names:
            return answer
        tokens = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, self.names))})(?![\w-])")
        put_back: Json = _replaced(answer, tokens, self.names)
        return put_back | ({"link": answer["link"]} if "link" in answer else {})


def _with_source(facts: Json, old: str, new: str) -> Json:
    """The facts, with another name for the file that some of them come from."""
    about = {
        path: said | {"source": new + said["source"].removeprefix(old)} if str(said.get("source", "")).startswith(old) else said
        for path, said in facts.get("_about", {}).items()
    }
    return facts | ({"_about": about} if about else {})


def _replaced(value: typing.Any, tokens: "re.Pattern[str]", names: dict[str, str]) -> typing.Any:
    if isinstance(value, str):
        return tokens.sub(lambda found: names[found[0]], value)
    if isinstance(value, dict):
        return {key: _replaced(item, tokens, names) for key, item in value.items()}
    return [_replaced(item, tokens, names) for item in value] if isinstance(value, list) else value
