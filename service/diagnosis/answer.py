"""The form of the answer: the JSON document that every door gets and only renders.

This module is only imported for types, so that a cold ``ask`` does not load it.
"""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.service.run.findings import Findings

Verdict = typing.Literal["diagnosed", "likely", "undecided", "explained", "nothing-failed", "unknown"]
"""``diagnosed``: one entry, confidence 0.75 or more. ``likely``: one entry, lower confidence. ``undecided``: a few entries,
each with its distinguishing sign. ``explained``: no entry, but it is known what raised the message. ``nothing-failed``: harmless
lines, or a completed run. ``unknown``: nothing is known about it.
"""

Role = typing.Literal["failure", "alternative"]
Outcome = typing.Literal["holds", "fails", "unknown"]
CauseVerdict = typing.Literal["confirmed", "likely", "possible", "ruled-out"]


class MatchedLine(typing.TypedDict):
    """A line of the text, or a fact (line 0), that supports an entry."""

    line: int
    text: str
    by: typing.Literal["signature", "lexical", "vector", "fact"]
    phrase: typing.NotRequired[str]


class EvidenceRow(typing.TypedDict):
    """The outcome of one check: the question, the result, the reason, and the source of the fact."""

    check: str
    outcome: Outcome
    because: str
    source: str


class Snippet(typing.TypedDict):
    """Code that can be copied."""

    language: str
    code: str


class Safety(typing.TypedDict):
    """What a step may cost; ``note`` says it in words."""

    level: str
    note: typing.NotRequired[str]


class Action(typing.TypedDict):
    """One thing to do; ``when`` says when an alternative applies."""

    say: str
    safety: Safety
    why: typing.NotRequired[str]
    snippet: typing.NotRequired[Snippet]
    when: typing.NotRequired[str]


class Step(Action):
    """An action, or a choice of several that the facts do not decide."""

    one_of: typing.NotRequired[list[Action]]


class Fix(typing.TypedDict):
    """What to do for a cause, how to see that it worked, and when this advice does not apply."""

    summary: str
    steps: list[Step]
    verify: str
    undo: typing.NotRequired[str]
    wrong_when: str
    proof: str
    proof_why: typing.NotRequired[str]
    sources: list[dict[str, typing.Any]]
    myths: list[dict[str, str]]


class CauseRow(typing.TypedDict):
    """A cause of an entry, with its evidence and its fix."""

    cause: str
    title: str
    means: str
    confidence: float
    verdict: CauseVerdict
    evidence: list[EvidenceRow]
    fix: Fix


class Sign(typing.TypedDict):
    """What distinguishes an entry from similar ones, and the command that shows it."""

    sign: str
    command: typing.NotRequired[str]


class Releases(typing.TypedDict):
    """Consecutive releases of a package.

    ``oldest`` and ``newest``: the span begins or ends with the oldest or newest release that the atlas was built from, so there
    may be more.
    """

    package: str
    first: str
    last: str
    oldest: bool
    newest: bool


class RaisedAt(typing.TypedDict):
    """A place in the sources that raises a message; ``public`` is its public name, or empty."""

    module: str
    function: str
    public: str


class ValueSeen(typing.TypedDict):
    """A value in a message: its name in the source, and its text as pasted."""

    name: str
    text: str


class ReadersLine(typing.TypedDict):
    """The innermost line of the user's own code in a traceback; ``called`` is what it called, or empty."""

    file: str
    line: int
    source: str
    called: str


class ArgumentOfOp(typing.TypedDict):
    """An input or output of an operation.

    ``type``: a type, the attribute that gives it, or ``N*T`` for a list. ``types``: the allowed types, empty for any.
    """

    name: str
    type: str
    types: list[str]


class AttributeOfOp(typing.TypedDict):
    """An attribute of an operation. ``kind``: as TensorFlow writes it; ``allowed``: its values, empty for any."""

    name: str
    kind: str
    allowed: list[str]
    default: str | None


class OpFacts(typing.TypedDict):
    """An operation in the registry of ``release``.

    ``kernels``: device -> kernels, each as attribute -> accepted values; an attribute that is left out may have any value.
    """

    name: str
    release: str
    inputs: list[ArgumentOfOp]
    outputs: list[ArgumentOfOp]
    attributes: list[AttributeOfOp]
    kernels: dict[str, list[dict[str, list[str]]]]


class OpSeen(OpFacts):
    """An operation that a message names. ``kind`` says what is wrong: the type of an ``input``, the value of an ``attribute``, no
    ``kernel``, none for ``xla``, or a ``value``. ``node`` is the node whose name shows the operation, else empty; ``devices`` are
    those that the message names, ``got`` is the type that does not fit.
    """

    kind: typing.Literal["input", "attribute", "kernel", "xla", "value"]
    node: str
    devices: list[str]
    got: str


class GuardSeen(typing.TypedDict):
    """Where the installed release raises a message, and the tests in its source that lead there (empty: none)."""

    version: str
    file: str
    line: int
    condition: str


class Explained(RaisedAt):
    """What the atlas knows about a message: what raises it, in which releases, with which values.

    For a C++ message that names an operation, ``op`` is that operation, ``function`` is its name, and ``releases`` are those
    that have it. ``guard`` is present if the package is installed on the user's machine and may be read.

    ``others``: other functions with the same message, ``other_places``: their number. ``confirmed``: the traceback names the
    place. ``weak``: few words of the message are fixed. ``says``: all of this in sentences. ``only_place``: no known release has
    the message, but the traceback ends in TensorFlow or Keras; ``python`` if Python itself raised it there, ``native`` if C++
    did, ``beneath`` if another package that they call did. ``releases`` are then those that have the file, ``others`` the other
    places of the message.
    """

    exception: str
    package: str
    releases: list[Releases]
    values: list[ValueSeen]
    your_line: typing.NotRequired[ReadersLine]
    others: list[RaisedAt]
    other_places: int
    confirmed: bool
    weak: bool
    op: typing.NotRequired[OpSeen]
    guard: typing.NotRequired[GuardSeen]
    only_place: typing.NotRequired[typing.Literal["raised", "python", "native", "beneath"]]
    says: list[str]


class Match(typing.TypedDict):
    """An entry that the text is about. ``told_by`` is present if the answer is undecided between entries.

    ``raised_in`` names the function that raises the message, if the entry is not certain and the atlas knows the function.
    ``op_says`` says which input, type or device of an operation does not fit, if the message names one. ``private`` is the folder
    of your team's knowledge that contains the entry.
    """

    entry: str
    title: str
    family: str
    severity: str
    role: Role
    confidence: float
    matched: list[MatchedLine]
    causes: list[CauseRow]
    told_by: typing.NotRequired[Sign]
    raised_in: typing.NotRequired[str]
    op_says: typing.NotRequired[list[str]]
    private: typing.NotRequired[str]


class BenignLine(typing.TypedDict):
    """A harmless message in the text."""

    entry: str
    title: str
    line: int


class Nearest(typing.TypedDict):
    """An entry that is close, but not close enough to be an answer."""

    entry: str
    title: str
    confidence: float


QuestionType = typing.Literal["version", "boolean", "text", "number", "choice", "output"]
"""The type of a question. ``output``: only the output of the question's command answers it."""


class Option(typing.TypedDict):
    """A reply to choose: the text to show, and the value to send."""

    label: str
    reply: str


class Question(typing.TypedDict):
    """A fact that would decide between causes, and how to ask for it.

    ``question`` is the sentence to show. ``options`` are replies to choose from; if the fact may be absent, one of them is "not
    there". For a ``version``, ``text``, ``number`` or ``output`` you may also write anything else, including the whole output of
    ``command``; ``hint`` is the placeholder of that field. The reply goes into ``replies`` under ``fact``. ``says`` and ``why``
    are the words of the check; ``why`` may ask the opposite of the options of a ``boolean`` answer, so show ``question``.
    """

    fact: str
    says: str
    why: str
    command: str
    question: str
    type: QuestionType
    options: list[Option]
    hint: str


class SteppedBack(typing.TypedDict):
    """A fact that a better source overrode."""

    fact: str
    value: typing.Any
    source: str
    why: str


class Failure(typing.TypedDict):
    """The failure itself: its exception, its message, the innermost function of the user's own code and of a library.

    Each is empty if the text does not name it.
    """

    exception: str
    message: str
    own: str
    library: str


class Recalled(typing.TypedDict):
    """What a memory of answers knows about a failure.

    ``fingerprint`` is the same for the same failure; ``cause`` is the cause in the fingerprint, or empty. ``times`` is how often
    the failure was kept before; ``alike`` is the number of similar kept failures if none is the same. ``retry`` is ``no`` if a
    second attempt ended like the first, ``maybe`` if it got further or may have had a transient problem, and empty if no earlier
    attempt is known. ``says``: all of this in sentences.
    """

    fingerprint: str
    cause: str
    times: int
    alike: int
    retry: typing.Literal["no", "maybe", ""]
    says: list[str]


class Answer(typing.TypedDict):
    """The document. ``nearest`` and ``report`` are present if it abstains, ``explained`` with the verdict of that name,
    ``failure`` if the text shows one.

    ``notes`` says what was recognised in the input, if that was more than a text, and for which releases the script was written,
    if these do not include the installed one. ``your_line`` is the innermost line of the user's own code in the failure's
    traceback. ``run`` is what ``tfhelp run`` saw of the run's processes. ``memory`` is what a memory of answers knows about the
    failure (``tfhelp.service.memory.recall``). ``link`` is the page of a kept answer; anyone who has the link can read the
    answer, and delete it unless the server asks people who they are.
    """

    verdict: Verdict
    abstained: bool
    matches: list[Match]
    benign: list[BenignLine]
    explained: typing.NotRequired[Explained]
    nearest: typing.NotRequired[list[Nearest]]
    condensed: str
    failure: typing.NotRequired[Failure]
    facts: dict[str, typing.Any]
    stepped_back: list[SteppedBack]
    ask_for: list[Question]
    report: typing.NotRequired[str]
    kb_version: str
    took_ms: float
    notes: typing.NotRequired[list[str]]
    your_line: typing.NotRequired[ReadersLine]
    run: "typing.NotRequired[Findings]"
    memory: "typing.NotRequired[Recalled]"
    link: typing.NotRequired[str]
