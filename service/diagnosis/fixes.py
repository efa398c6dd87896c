"""The fix of a cause, with facts filled in. A value in a shell line is quoted; if a value is missing, the text says so."""

import typing

from tfhelp.kb import templates
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.checks import outcome

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledAction, CompiledAlternative, CompiledCause, CompiledStep
    from tfhelp.service.diagnosis.answer import Action, Fix, Step


def fill_fix(cause: "CompiledCause", sheet: FactSheet) -> "Fix":
    """The fix in the form of the answer's JSON."""
    fix = cause["fix"]
    filled: Fix = {
        "summary": templates.fill(fix["summary"], sheet.get),
        "steps": [_step(step, sheet) for step in fix["steps"]],
        "verify": templates.fill(fix["verify"], sheet.get),
        "wrong_when": fix["wrong_when"],
        "proof": cause["proof"]["kind"],
        "sources": cause["sources"],
        "myths": cause["myths"],
    }
    if "undo" in fix:
        filled["undo"] = fix["undo"]
    if "why" in cause["proof"]:
        filled["proof_why"] = cause["proof"]["why"]
    return filled


def _step(step: "CompiledStep", sheet: FactSheet) -> "Step":
    if not step.get("one_of"):
        return _action(step, sheet)
    chosen, possible = _alternatives(step["one_of"], sheet)
    if chosen is not None:
        return _action(chosen, sheet)
    filled = _action(step, sheet)
    filled["one_of"] = [_choice(item, sheet) for item in possible]
    return filled


def _choice(item: "CompiledAlternative", sheet: FactSheet) -> "Action":
    choice = _action(item, sheet)
    choice["when"] = templates.fill(item["when"], sheet.get).removesuffix(".")  # each door writes a colon after it
    return choice


def _alternatives(
    alternatives: "list[CompiledAlternative]", sheet: FactSheet
) -> "tuple[CompiledAlternative | None, list[CompiledAlternative]]":
    """The alternative to take, and those to show.

    The first whose facts are all known to hold is taken, else the only one that no fact rules out, else none (``None``). Shown
    are those that no fact rules out, or all if facts rule out each.
    """
    possible = []
    for item in alternatives:
        outcomes = [outcome(sheet, wanted["fact"], wanted["is"]) for wanted in item["facts"]]
        if outcomes and all(outcomes):
            return item, [item]
        if False not in outcomes:
            possible.append(item)
    return (possible[0] if len(possible) == 1 else None), possible or alternatives


def _action(action: "CompiledAction", sheet: FactSheet) -> "Step":
    filled: Step = {"say": templates.fill(action["do"], sheet.get), "safety": action["safety"]}
    if "why" in action:
        filled["why"] = templates.fill(action["why"], sheet.get)
    if "snippet" in action:
        language, code = _in_shell(action, sheet)
        filled["snippet"] = {"language": language, "code": templates.fill(code, sheet.get, _QUOTES.get(language, str))}
    return filled


def _in_shell(action: "CompiledAction", sheet: FactSheet) -> tuple[str, str]:
    """Language and code, for the user's shell if shells differ."""
    if sheet.get("os.name") == "windows":
        for shell in ("powershell", "cmd"):
            if shell in action.get("shells", ()):
                return shell, action["shells"][shell]
    return action["snippet"]["language"], action["snippet"]["code"]


def _quote_shell(value: str) -> str:
    import shlex

    return shlex.quote(value)


def _one_word(value: str) -> str:
    """For files whose quoting depends on the place: only values that need no quoting."""
    return "".join(character for character in value if character.isalnum() or character in "._-/=<>,:+[] ")


def _one_word_of_cmd(value: str) -> str:
    """cmd cannot quote everything, so values that it would expand or run are left out."""
    return '"' + "".join(character for character in value if character not in '"%!^&|<>\r\n') + '"'


_QUOTES: dict[str, typing.Callable[[str], str]] = {
    "shell": _quote_shell,
    "cmd": _one_word_of_cmd,
    "powershell": lambda value: "'" + value.replace("'", "''") + "'",
    "python": _one_word,
    "yaml": _one_word,
    "dockerfile": _one_word,
}
