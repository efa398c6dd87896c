"""The form of an entry: what ``entry.yaml`` and ``examples.yaml`` may contain.

Use it as the reference for the format; ``kb/README.md`` shows how to write one. Everything is validated when the
knowledge base is compiled, so the running program never gets an invalid entry.
"""

import datetime
import typing

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from tfhelp.kb import patterns, templates, versions

Weight = typing.Literal["strong", "medium", "weak"]
Origin = typing.Literal[
    "tensorflow", "keras", "user", "library", "program", "shell", "kernel", "scheduler", "installer", "person", "any"
]
Identifier = typing.Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Signature(_Part):
    """A linear-time pattern (RE2 syntax) on the text of one record, and the facts that its groups capture.

    ``captures`` maps a named group to the path of a ``log.*`` fact or a machine's fact. ``said``: it is about people's wording,
    so it is not matched in a program's log lines and tracebacks; ``said: PATTERN`` is short for both. ``raised_by``: the required
    origin of the record (``tfhelp.kb.text``, ``ORIGINS``). Without it, an exception or a source-position log line must come from
    TensorFlow or Keras, or have no origin that the text names; any other record may have any origin. ``shared``: other programs
    print these words too, so the text needs a second sign of TensorFlow or Keras.
    """

    pattern: str
    captures: dict[str, str] = {}
    said: bool = False
    raised_by: list[Origin] = []
    shared: bool = False

    @model_validator(mode="before")
    @classmethod
    def _plain_text(cls, value: object) -> object:
        if isinstance(value, dict) and isinstance(value.get("said"), str) and "pattern" not in value:
            return {**value, "pattern": value["said"], "said": True}
        return {"pattern": value} if isinstance(value, str) else value

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        return patterns.check(value)

    @model_validator(mode="after")
    def _groups_exist(self) -> "Signature":
        groups = patterns.group_names(self.pattern)
        for group in self.captures:
            if group not in groups:
                raise ValueError(f"captures names the group {group!r}, which the pattern does not have")
        return self


class Matches(_Part):
    """What identifies this entry.

    ``decisive``: enough alone. ``supporting``: adds weight. ``never``: a similar symptom on the same record; it cancels the other
    matches there. ``facts``: facts that identify the entry without any text, such as an exit code. ``yields_to``: entries whose
    decisive match makes this one a consequence, or a side effect. ``phrases``: how people describe it.
    """

    decisive: list[Signature] = []
    supporting: list[Signature] = []
    never: list[Signature] = []
    facts: list["FactMatch"] = []
    yields_to: list[Identifier] = []
    phrases: list[str] = []


class Comparison(_Part):
    """One comparison of a fact with a value. Exactly one key is given."""

    above: float | None = None
    below: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    version: str | None = Field(None, description="a range such as '>=2.10,<2.12'")
    any_of: list[str | int | float] | None = None
    none_of: list[str | int | float] | None = None
    contains: str | None = None
    matches: str | None = None
    present: bool | None = None

    @model_validator(mode="after")
    def _one(self) -> "Comparison":
        given = [name for name, value in self if value is not None]
        if len(given) != 1:
            raise ValueError(f"a comparison has exactly one key, this has {given or 'none'}")
        if self.version is not None:
            versions.clauses(self.version)
        if self.matches is not None:
            patterns.check(self.matches)
        return self


class FactMatch(_Part):
    """A fact that identifies the entry without any text; ``never``: a fact that rules it out, even if the text matches.

    ``shared``: it is also true of other programs' failures, such as an exit code. So it counts only if the text may be about a
    training (``tfhelp.service.diagnosis.signs.may_be_a_training``).
    """

    says: str
    fact: str
    is_: bool | str | int | float | Comparison = Field(alias="is")
    strength: typing.Literal["decisive", "supporting", "never"] = "supporting"
    shared: bool = False


class IfUnknown(_Part):
    """How you find out what a check needs to know."""

    ask: str
    command: str | None = None


class Check(_Part):
    """One comparison of a fact (``fact``, ``is``) or one pattern on the text (``text``). Its result is three-valued.

    A check that holds adds ``weight``; one that fails counts against the cause by ``against``, if that is given. ``required``: if
    it fails, the cause is ruled out. ``decides``: if it holds, the cause is confirmed. A text check only fails if ``against`` or
    ``required`` is given; otherwise, what the text does not show is unknown.
    """

    says: str
    fact: str | None = None
    is_: bool | str | int | float | Comparison | None = Field(None, alias="is")
    text: str | None = None
    weight: Weight = "medium"
    against: Weight | None = None
    required: bool = False
    decides: bool = False
    because: str | None = None
    unless: str | None = None
    if_unknown: IfUnknown | None = None

    @field_validator("text")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        return None if value is None else patterns.check(value)

    @model_validator(mode="after")
    def _one_kind(self) -> "Check":
        if (self.fact is None) == (self.text is None):
            raise ValueError("a check reads either a fact or the text")
        if (self.fact is None) != (self.is_ is None):
            raise ValueError("'fact' and 'is' go together")
        templates.holes((self.because or "") + (self.unless or ""))
        return self


class Condition(_Part):
    """A fact of the machine that must hold for ``tfhelp doctor`` to report a cause without any error text."""

    says: str
    fact: str
    is_: bool | str | int | float | Comparison = Field(alias="is")
    because: str | None = None

    @field_validator("fact")
    @classmethod
    def _of_the_machine(cls, value: str) -> str:
        if value.partition(".")[0] in ("log", "code", "run"):
            raise ValueError(f"{value}: a check-up has no text, no script and no run; it reads the machine's facts only")
        return value

    @model_validator(mode="after")
    def _holes(self) -> "Condition":
        templates.holes(self.because or "")
        return self


class Safety(_Part):
    """What a step may cost."""

    level: typing.Literal["safe", "changes-results", "restarts", "deletes", "needs-root"] = "safe"
    note: str | None = None

    @model_validator(mode="after")
    def _explained(self) -> "Safety":
        if self.level != "safe" and not self.note:
            raise ValueError(f"{self.level}: say in 'note' what it costs")
        return self


class Code(_Part):
    """Code inside the entry, for causes without a program."""

    language: typing.Literal["python", "shell", "powershell", "yaml", "dockerfile", "text"]
    code: str


class Commands(_Part):
    """A command for each shell. The operating system decides which is shown; ``posix`` is shown if it is unknown."""

    posix: str
    cmd: str | None = None
    powershell: str | None = None

    @model_validator(mode="after")
    def _fillable(self) -> "Commands":
        for line in (self.posix, self.cmd, self.powershell):
            templates.check_shell(line or "")
        return self


class _Action(_Part):
    """Something to do: in words, with at most one of a command (``run``), a snippet of a program, or code."""

    do: str
    run: str | Commands | None = None
    snippet: str | None = Field(None, pattern=r"^[a-z0-9-]+\.fixed\.py#[a-z-]+$")
    code: Code | None = None
    why: str | None = None
    safety: Safety = Safety()

    @model_validator(mode="after")
    def _at_most_one(self) -> "typing.Self":
        if sum(part is not None for part in (self.run, self.snippet, self.code)) > 1:
            raise ValueError("a step has at most one of run, snippet and code")
        templates.check_shell(self.run if isinstance(self.run, str) else "")
        templates.holes(self.do + (self.why or ""))
        if self.code:
            templates.holes(self.code.code)
        return self


class FactIs(_Part):
    """A fact and what it must be."""

    fact: str
    is_: bool | str | int | float | Comparison = Field(alias="is")


class Alternative(_Action):
    """One of several ways; ``when`` says in words when to use it, ``facts`` is the same for the program."""

    when: str
    facts: list[FactIs] = []


class Step(_Action):
    """One thing to do, or a choice of several (``one_of``). The facts choose one; if they do not, all are shown as a choice."""

    one_of: list[Alternative] = []

    @model_validator(mode="after")
    def _either(self) -> "Step":
        if self.one_of and (self.run or self.snippet or self.code):
            raise ValueError("a step with one_of has its commands in the alternatives")
        if len(self.one_of) == 1:
            raise ValueError("one_of: one alternative is no choice")
        return self


class Fix(_Part):
    """What to do for one cause, how to see that it worked, and when this advice does not apply."""

    summary: str
    steps: list[Step] = Field(min_length=1)
    verify: str
    undo: str | None = None
    wrong_when: str


class Proof(_Part):
    """``run``: the programs next to the entry were run. ``reviewed``: they could not be run; ``why`` gives the reason."""

    kind: typing.Literal["run", "reviewed"]
    why: str | None = None

    @model_validator(mode="after")
    def _explained(self) -> "Proof":
        if self.kind == "reviewed" and not self.why:
            raise ValueError("reviewed: say in 'why' what keeps it from being run")
        return self


class Source(_Part):
    """The source: one of the five documents, a public page with the date when it was read, or our own run."""

    document: str | None = None
    part: str | None = None
    url: str | None = Field(None, pattern=r"^https?://\S+$")
    seen: datetime.date | None = None
    ran: str | None = Field(None, description="what was run, for example 'TensorFlow 2.21 on Python 3.11, Linux, CPU'")

    @model_validator(mode="after")
    def _one_kind(self) -> "Source":
        if sum(part is not None for part in (self.document, self.url, self.ran)) != 1:
            raise ValueError("a source is one of document, url and ran")
        if self.url and not self.seen:
            raise ValueError("a url needs the day it was seen")
        return self


class Myth(_Part):
    """A common wrong belief, and what is right."""

    says: str
    truth: str


class Cause(_Part):
    """One reason for the symptom, with its own checks and its own fix."""

    id: Identifier
    title: str
    means: str
    frequency: typing.Literal["common", "occasional", "rare"] = "occasional"
    phrases: list[str] = []
    checks: list[Check] = []
    checkup: list[Condition] = Field([], description="'tfhelp doctor' reports this cause when all of these are known to hold")
    fix: Fix
    proof: Proof
    sources: list[Source] = Field(min_length=1)
    myths: list[Myth] = []
    versions: str | None = Field(None, description="TensorFlow or Keras releases it concerns, in words")


class Sign(_Part):
    """What distinguishes an entry from similar ones if the text is vague: a sentence, and the command that shows it."""

    sign: str
    command: str | None = None


class Entry(_Part):
    """A symptom as a user sees it, with its causes.

    ``overrides``: only in a folder of private knowledge; the id of the shipped entry that this one replaces.
    """

    id: Identifier
    overrides: Identifier | None = None
    family: Identifier
    title: str
    severity: typing.Literal["fatal", "degraded", "benign"]
    means: str
    told_by: Sign | None = None
    matches: Matches
    causes: list[Cause] = Field(min_length=1)

    @model_validator(mode="after")
    def _distinct(self) -> "Entry":
        names = [cause.id for cause in self.causes]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise ValueError(f"two causes are called {', '.join(doubled)}")
        if self.overrides not in (None, self.id):
            raise ValueError(f"overrides: {self.overrides}: an entry takes the place of the entry with its own id, {self.id}")
        return self


class Example(_Part):
    """A text, and the facts known with it. ``entry`` names the entry that it belongs to, if it is a different one."""

    text: str
    facts: dict[str, typing.Any] = {}
    cause: Identifier | None = None
    entry: Identifier | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain_text(cls, value: object) -> object:
        return {"text": value} if isinstance(value, str) else value


class State(_Part):
    """A state of facts in which a cause wins: flat paths and values, and a text if one is needed."""

    facts: dict[str, typing.Any] = {}
    text: str | None = None


class Account(_Part):
    """A whole question, as people post it: long, with side remarks, and without a message that a signature matches."""

    cause: Identifier
    text: str


class Examples(_Part):
    """``examples.yaml``: texts that must put this entry first, near misses that must not, who wins when, and accounts.

    The classifier and the confidence learn from the accounts. tfhelp need not answer all of them, because many fit more than one entry.
    """

    must_match: list[Example] = []
    near_misses: list[Example] = []
    wins_when: dict[Identifier, State] = {}
    accounts: list[Account] = []
