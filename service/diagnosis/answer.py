"""The answer's form: the JSON document that every door gets and only renders.

Imported for types alone, so that a cold ``ask`` does not pay for it.
"""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.service.run.findings import Findings

Verdict = typing.Literal["diagnosed", "likely", "undecided", "explained", "nothing-failed", "unknown"]
"""``diagnosed``: one entry, confidence 0.75 or more. ``likely``: one entry, less. ``undecided``: a few entries, each with what
tells it. ``explained``: no entry, but it is known who raised the message. ``nothing-failed``: harmless lines, or a completed
run. ``unknown``: nothing is known of it."""

Role = typing.Literal["failure", "alternative"]
Outcome = typing.Literal["holds", "fails", "unknown"]
CauseVerdict = typing.Literal["confirmed", "likely", "possible", "ruled-out"]


class MatchedLine(typing.TypedDict):
    """A line of the text, or a fact (line 0), that speaks for an entry."""

    line: int
    text: str
    by: typing.Literal["signature", "lexical", "vector", "fact"]
    phrase: typing.NotRequired[str]


class EvidenceRow(typing.TypedDict):
    """The outcome of one check: what was asked, what came out, why, and where the fact is from."""

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
    """One thing to do; ``when`` says which reader an alternative is for."""

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
    """What tells an entry from its neighbours, and the command that shows it."""

    sign: str
    command: typing.NotRequired[str]


class Releases(typing.TypedDict):
    """Releases in a row of a package.

    ``oldest`` and ``newest``: the row begins or ends with the oldest or newest release that the atlas was made from, so that
    there may be more.
    """

    package: str
    first: str
    last: str
    oldest: bool
    newest: bool


class RaisedAt(typing.TypedDict):
    """A place in the sources that raises a message; ``public`` is the name that people know it by, or empty."""

    module: str
    function: str
    public: str


class ValueSeen(typing.TypedDict):
    """A value in a message: its name in the source, and its text as it was pasted."""

    name: str
    text: str


class ReadersLine(typing.TypedDict):
    """The innermost line of the reader's own code in a traceback; ``called`` is what it called, or empty."""

    file: str
    line: int
    source: str
    called: str


class ArgumentOfOp(typing.TypedDict):
    """An input or output of an operation.

    ``type``: a type, the attribute that holds it, or ``N*T`` of a list. ``types``: those that it may have, empty for any.
    """

    name: str
    type: str
    types: list[str]


class AttributeOfOp(typing.TypedDict):
    """An attribute of an operation. ``kind`` as TensorFlow writes it; ``allowed``: its values, empty for any."""

    name: str
    kind: str
    allowed: list[str]
    default: str | None


class OpFacts(typing.TypedDict):
    """An operation in the registry of ``release``.

    ``kernels``: device -> kernels, each as attribute -> values that it takes; an attribute that is left out may be anything.
    """

    name: str
    release: str
    inputs: list[ArgumentOfOp]
    outputs: list[ArgumentOfOp]
    attributes: list[AttributeOfOp]
    kernels: dict[str, list[dict[str, list[str]]]]


class OpSeen(OpFacts):
    """An operation that a message names. ``kind`` says what is wrong: the type of an ``input``, the value of an ``attribute``, no
    ``kernel``, none for ``xla``, or a ``value``. ``node`` is the node whose name tells the operation, else empty; ``devices``
    are those that the message names, ``got`` is the type that does not fit.
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
    """What the atlas knows of a message: who raises it, in which releases, with which values.

    Of a message of C++ that names an operation, ``op`` holds that operation, ``function`` is its name, and ``releases`` are those
    that have it. ``guard`` stands there where the package is installed on the reader's machine and may be read.

    ``others``: other functions with the same message, ``other_places`` how many there are. ``confirmed``: the traceback names
    the place. ``weak``: few words of the message are fixed. ``says``: all of it in sentences. ``only_place``: no release that is
    known has the message, but the traceback ends in TensorFlow or Keras; ``python`` where Python itself raised it there,
    ``native`` where C++ did, ``beneath`` where another package did that they call. ``releases`` are then those that have the
    file, ``others`` where else the message is known.
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
    """An entry that the text speaks of. ``told_by`` stands there while it is undecided between entries.

    ``raised_in`` says which function raises the message, where the entry is not sure and the atlas knows it. ``op_says`` says
    which input, type or device of an operation does not fit, where the message names one. ``private`` is the folder of your
    team's knowledge that the entry is from.
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
    """An entry that comes near, but not near enough to be an answer."""

    entry: str
    title: str
    confidence: float


QuestionType = typing.Literal["version", "boolean", "text", "number", "choice", "output"]
"""How a fact is asked for. ``output``: only what the question's command prints tells it."""


class Option(typing.TypedDict):
    """A reply to choose: what people read, and what is sent for it."""

    label: str
    reply: str


class Question(typing.TypedDict):
    """A fact that would decide between causes, and how to ask for it.

    ``question`` is the sentence to show. ``options`` are replies to choose from; where the fact may be absent, one of them is
    "not there". Beside the options of a ``version``, ``text``, ``number`` or ``output`` anything may be written, also what
    ``command`` prints, whole; ``hint`` stands in that field. The reply goes into ``replies`` under ``fact``. ``says`` and ``why``
    are the words of the check; ``why`` may ask the other way round than the options of a ``boolean`` answer, so show ``question``.
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
    """A fact that lost against a better one."""

    fact: str
    value: typing.Any
    source: str
    why: str


class Failure(typing.TypedDict):
    """The failure itself: its exception, its message, the innermost function of the reader's own code and of a library.

    Each is empty where the text does not name it.
    """

    exception: str
    message: str
    own: str
    library: str


class Recalled(typing.TypedDict):
    """What a memory of answers knows of a failure.

    ``fingerprint`` is the same for the same failure; ``cause`` is the one that it is made with, or empty. ``times`` is how often the
    failure was kept before, ``alike`` how many kept failures are like it where none is the same. ``retry`` is ``no`` where a second
    attempt ended as the first did, ``maybe`` where it came further or may have met a passing trouble, and empty where no earlier
    attempt is known. ``says``: all of it in sentences.
    """

    fingerprint: str
    cause: str
    times: int
    alike: int
    retry: typing.Literal["no", "maybe", ""]
    says: list[str]


class Answer(typing.TypedDict):
    """The document. ``nearest`` and ``report`` stand there when it abstains, ``explained`` with the verdict of that name,
    ``failure`` where something tells of one.

    ``notes`` says what was recognised in what was handed over, where that was more than a text, and for which releases the
    script was written, where those are others than the installed one. ``your_line`` is the innermost line of the reader's own
    code in the failure's traceback. ``run`` is what ``tfhelp run`` saw of the run's processes. ``memory`` is what a memory of
    answers knows of the failure (``tfhelp.service.memory.recall``). ``link`` is the page of a kept answer; whoever has it may read
    and delete the answer.
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
