"""The form of an entry in the compiled knowledge base, as ``Knowledge.entry`` and ``Knowledge.summaries`` return it.

The form is derived from the model in ``tfhelp.kb.entry``, and ``tfhelp.kb.compile`` converts the model into it. This module is
only imported for types, so that a cold ``ask`` does not load it. ``NotRequired`` keys are left out if they have no value.
"""

import typing
from typing import NotRequired

Weight = typing.Literal["strong", "medium", "weak"]
Severity = typing.Literal["fatal", "degraded", "benign"]
Wanted = typing.Any
"""The value that a fact is compared with: a plain value, or a comparison with exactly one key (``{"at_least": 3}``)."""


class Question(typing.TypedDict):
    """How you find out what a check needs to know."""

    ask: str
    command: NotRequired[str]


CompiledCheck = typing.TypedDict(
    "CompiledCheck",
    {
        "says": str,
        "fact": NotRequired[str],
        "is": NotRequired[Wanted],
        "text": NotRequired[str],
        "literals": NotRequired[list[list[str]]],
        "weight": Weight,
        "against": NotRequired[Weight],
        "required": bool,
        "decides": bool,
        "because": NotRequired[str],
        "unless": NotRequired[str],
        "if_unknown": NotRequired[Question],
    },
)
"""A check on a fact (``fact``, ``is``), or on the text (``text`` with its ``literals``)."""

Condition = typing.TypedDict("Condition", {"says": str, "fact": str, "is": Wanted, "because": NotRequired[str]})
"""A fact of the machine that ``tfhelp doctor`` looks for."""

FactIs = typing.TypedDict("FactIs", {"fact": str, "is": Wanted})
"""A fact and what it must be."""


class Snippet(typing.TypedDict):
    """Code and its language."""

    language: str
    code: str


class Safety(typing.TypedDict):
    """What a step may cost."""

    level: str
    note: NotRequired[str]


class CompiledAction(typing.TypedDict):
    """One thing to do. ``shells``: the same command in the syntax of other shells."""

    do: str
    safety: Safety
    why: NotRequired[str]
    snippet: NotRequired[Snippet]
    shells: NotRequired[dict[str, str]]


class CompiledAlternative(CompiledAction):
    """One of several ways, for the readers whose facts it names."""

    when: str
    facts: list[FactIs]


class CompiledStep(CompiledAction):
    """An action, or a choice of several."""

    one_of: NotRequired[list[CompiledAlternative]]


class CompiledFix(typing.TypedDict):
    """What to do for a cause."""

    summary: str
    steps: list[CompiledStep]
    verify: str
    undo: NotRequired[str]
    wrong_when: str


class Proof(typing.TypedDict):
    """How the fix was proved; ``why`` it could only be reviewed."""

    kind: typing.Literal["run", "reviewed"]
    why: NotRequired[str]


class CompiledCause(typing.TypedDict):
    """A cause with its checks and its fix."""

    id: str
    title: str
    means: str
    frequency: typing.Literal["common", "occasional", "rare"]
    phrases: list[str]
    checks: list[CompiledCheck]
    checkup: list[Condition]
    fix: CompiledFix
    proof: Proof
    sources: list[dict[str, typing.Any]]
    myths: list[dict[str, str]]
    versions: NotRequired[str]


class Sign(typing.TypedDict):
    """What distinguishes an entry from similar ones, and the command that shows it."""

    sign: str
    command: NotRequired[str]


class CompiledEntry(typing.TypedDict):
    """A symptom with its causes. From ``matches``, only the phrases are kept here: signatures have their own table."""

    id: str
    family: str
    title: str
    severity: Severity
    means: str
    told_by: NotRequired[Sign]
    matches: dict[str, list[str]]
    causes: list[CompiledCause]


class Summary(typing.TypedDict):
    """The part of an entry that every answer needs, without parsing the entry; ``causes``: id -> title.

    ``private``: the folder of private knowledge that the entry comes from, if it is private.
    """

    family: str
    title: str
    severity: Severity
    yields_to: list[str]
    causes: dict[str, str]
    private: NotRequired[str]
