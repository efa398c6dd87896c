"""Whether the user only asks for a feature, or tells of a change: ``It would be nice if fit could stop after an hour.``

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "It would be great if the callback also wrote the learning rate.")
{'log.asks_for_feature': True}
>>> values_of(read, "Please add support for sparse labels."), values_of(read, "I would like a callback with a time limit.")
({'log.asks_for_feature': True}, {'log.asks_for_feature': True})
>>> values_of(read, "fit raises an error. It would be great if somebody could help me.")
{}
>>> values_of(read, "I save the model and get ValueError: Invalid filepath extension. Please add a `.keras` extension.")
{}

>>> values_of(read, "Corrected the accuracy.\\n\\nFixes: https://github.com/someone/project/issues/12")
{'log.asks_for_feature': True}

>>> values_of(read, "The example is old. This commit replaces tf.Session by what TensorFlow 2 has.")
{'log.asks_for_feature': True}
>>> values_of(read, "With this commit training crashes in the first step.")
{}

>>> values_of(read, "Add a callback for gradient norms\\n\\nIt writes one scalar for each layer, to see which layers learn.")
{'log.asks_for_feature': True}
>>> values_of(read, "Add layer gives zeros\\n\\nThe output is 0 for every input.")
{}

>>> values_of(read, "Bump keras from 3.3.3 to 3.4.1 in /server\\n\\nBug fixes: an error in load_model"), values_of(read, "Breaking changes: none")
({'log.asks_for_feature': True}, {'log.asks_for_feature': True})

>>> values_of(read, "Issue Type: Documentation Bug\\nThe link in the guide is broken.")
{'log.asks_for_feature': True}

A question, or a word that tells of trouble, means that the text is about more than a wish. A pull request that names the issue which
it closes, and a filled form about a fault of the documentation, may have such words.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import PROSE, Statements

_MOST_LINES = 60  # a longer text is not only somebody's wish
_WISH = Pattern(
    r"\b(?:it|this|that)(?: would| will|'d) be (?:really |very |so |quite |super |extremely )?"
    r"(?:nice|great|good|cool|helpful|useful|awesome|amazing|handy|wonderful|valuable) "
    r"(?:to (?:have|be able|get|support|see|allow)|(?:if|when) (?!(?:some(?:one|body)|any(?:one|body)|you|we) "
    r"(?:can |could |would |might )?(?:help|explain|tell|point|clarify|look|share|give|confirm|assist)))"
    r"|\bfeature request\b|\b(?:i|we)(?: would|'d) (?:like|love) (?:to (?:propose|suggest|request|see) |an? )"
    r"|(?:^|[.!:;,] ?)please (?:add|support|implement|provide|expose) "
    r"|\b(?:in|with|by) this (?:commit|pull request|pr|patch)\b",
    one_of=("would", "will", "'d", "feature", "please", "this"),
)
# A pull request, the notes of a release, and the form of TensorFlow's and Keras' repositories for documentation.
_CHANGE = Pattern(
    r"^(?:fixes|closes|resolves):? (?:#[0-9]{1,7}|https?://\S{1,200}/issues/[0-9]{1,7})\.?\s*$|\bdescription of issue \(what needs changing\)"
    r"|^\W{0,4}bump (?:\S+ from [0-9]\S* to [0-9]|the \S+ group )|^\W{0,4}(?:breaking changes:|what's changed\s*$)"
    r"|^(?:\*\*)?issue type:?(?:\*\*)?:? (?:documentation|feature)\b"
    r"|\bthis (?:commit|pull request|pr|patch) (?:also )?(?:adds|fixes|removes|replaces|updates|changes|introduces|corrects|moves|renames|implements|improves)\b",
    one_of=("fixes", "closes", "resolves", "changing", "issue type", "this", "bump", "changes", "changed"),
)
# The title of such a text. ``Add layer`` is the layer.
_ORDER = Pattern(r"^\W{0,4}(?:add|implement|support|allow|provide|introduce|expose) (?!layers?\b)[\w`]\S* \S+ ?\S*")
_TROUBLE = Pattern(
    r"\?|\b(?:\w*(?:error|exception|warning)s?|fail\w*|crash\w*|traceback|(?:do|does|did|is|was|can|could|will|would)(?: not|n't)|cannot|hangs?|hung|stuck"
    r"|stops|stopped|nans?|wrong|slow\w*|problems?|issues?|why|how (?:do|can|should|could)|bugs?|raises?|raised|unable|broken?)\b"
)


@reads(
    words="""add allow bump changed changes changing closes commit documentation expose feature fixes implement introduce like love patch please pr provide pull
        resolves support would""",
    says=("log.asks_for_feature",),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State that the user asks for a feature, if a sentence or the title does so and none tells of trouble, or that the text proposes a change."""
    if len(lines) > _MOST_LINES:
        return
    for number in at:
        small = lines[number].lower()
        if _CHANGE.search(small):
            said.say("log.asks_for_feature", True, number, PROSE)
            return
        if _WISH.search(small) or (number == 0 and _ORDER.match(small)):
            if not any(_TROUBLE.search(line.lower()) for line in lines):
                said.say("log.asks_for_feature", True, number, PROSE)
            return
