"""Whether a text begins with a question of how to do something: ``How can I get the output of a layer?``"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.text import Record

_MOST = 300  # characters of a title or first sentence
_READ = 2_000  # characters of a record
_MOST_RECORDS = 60
_ASKS = Pattern(
    r"(?i)\W{0,4}(?:\[[^\]\n]{1,20}\]:? ?)?(?:how (?:to|(?:do|can|could|should|would) (?:i|we|you|one))\b"
    r"|is (?:it possible to|there (?:a|any) (?:\w+ )?(?:way|method|function|possibility))\b)"
)
# This question may follow the names that it is about.
_ASKS_DIFFERENCE = Pattern(r"(?i)\bwhat(?:'s| is| are) the differences?(?: between\b|\W*$)")
# A question with one of these is about a failure: how to avoid it, or why something does not work.
_TROUBLE = Pattern(
    r"(?i)\b(?:\w*(?:error|exception|warning)s?|fail\w*|crash\w*|hang\w*|hung|stuck|freezes|slow\w*|(?:not|cannot|never|no|without|instead)"
    r"|\w+n['’]t|wrong|nans?|inf|leak\w*|memory|oom|killed|dies|died|stop\w*|fix\w*|solv\w*|resolv\w*|avoid\w*|prevent\w*|debug\w*|get rid|remov\w*"
    r"|disabl\w*|suppress\w*|ignor\w*|missing|unable|problems?|issues?|bugs?|different|same|reproduc\w*|determinis\w*|although|even though|again)\b"
)
# What the rest of such a text says if something failed after all.
_FAILED = Pattern(
    r"(?i)\b(?:\w*(?:error|exception)s?|fail\w*|crash\w*|complain\w*|raises?|raised|messages?|hangs?|stuck|wrong)\b"
)


def asks_how(records: list[Record]) -> bool:
    """Return whether the text begins with a person's question of how to do something, and nothing in it has failed.

    >>> asks_how([Record("prose", "How to freeze the first layers? I use Keras.", 1, 1)])
    True
    >>> asks_how([Record("prose", "Model.fit: steps_per_epoch and epochs, what is the difference?", 1, 1)])
    True
    >>> asks_how([Record("prose", "How can I avoid that fit takes longer each time?", 1, 1)])
    False
    >>> asks_how([Record("prose", "How do I predict one image? It complains about dimensions.", 1, 1)])
    False
    """
    if not records or records[0].kind != "prose":
        return False
    question = records[0].text[:_MOST].partition("\n")[0].partition("?")[0]
    if not (_ASKS.match(question) or _ASKS_DIFFERENCE.search(question)) or _TROUBLE.search(question):
        return False
    return not any(_FAILED.search(record.text[:_READ]) for record in records[:_MOST_RECORDS])
