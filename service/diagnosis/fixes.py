"""The fix of a cause, with facts filled in. A value in a shell line is quoted; the text says so where one is missing."""

import typing

from tfhelp.kb import templates
from tfhelp.kb.fact_sheet import FactSheet

Json = dict[str, typing.Any]


def fill_fix(cause: Json, sheet: FactSheet) -> Json:
    """The fix as the answer's JSON has it."""
    fix = cause["fix"]
    filled: Json = {
        "summary": templates.fill(fix["summary"], sheet.get),
        "steps": [_step(step, sheet) for step in fix["steps"]],
        "verify": templates.fill(fix["verify"], sheet.get),
        "undo": fix.get("undo"),
        "wrong_when": fix["wrong_when"],
        "proof": cause["proof"]["kind"],
        "proof_why": cause["proof"].get("why"),
        "sources": cause["sources"],
        "myths": cause["myths"],
    }
    return {key: value for key, value in filled.items() if value is not None}


def _step(step: Json, sheet: FactSheet) -> Json:
    filled: Json = {"say": templates.fill(step["do"], sheet.get)}
    if "why" in step:
        filled["why"] = templates.fill(step["why"], sheet.get)
    if "snippet" in step:
        language = step["snippet"]["language"]
        quote = _QUOTES.get(language, str)
        filled["snippet"] = {"language": language, "code": templates.fill(step["snippet"]["code"], sheet.get, quote)}
    filled["safety"] = step["safety"]
    return filled


def _quote_shell(value: str) -> str:
    import shlex

    return shlex.quote(value)


def _one_word(value: str) -> str:
    """For files whose quoting depends on the place: only what needs none there."""
    return "".join(character for character in value if character.isalnum() or character in "._-/=<>,:+[] ")


_QUOTES: dict[str, typing.Callable[[str], str]] = {
    "shell": _quote_shell,
    "powershell": lambda value: "'" + value.replace("'", "''") + "'",
    "python": _one_word,
    "yaml": _one_word,
    "dockerfile": _one_word,
}
