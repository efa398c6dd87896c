"""Whether a text asks for advice: how to do something (``How can I get the output of a layer?``), or which releases fit together."""

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
_ASKS_CHOICE = Pattern(
    r"(?i)\b(?:which|what) (?:\w+ ){0,5}(?:is|are|would be|works?) (?:the )?(?:best|better|recommended|preferred|more suitable)\b"
    r"|\b(?:which|what) (?:\w+ ){1,5}(?:should|would|do) (?:i|we|you) (?:use|choose|pick|prefer|recommend)\b"
    r"|\b(?:what is|what's) the (?:best|recommended|preferred) (?:way|practice|approach|format)\b"
)
# A question with one of these is about a failure: how to avoid it, or why something does not work.
_TROUBLE = Pattern(
    r"(?i)\b(?:\w*(?:error|exception|warning)s?|fail\w*|crash\w*|hang\w*|hung|stuck|freezes|slow\w*|(?:not|cannot|never|no|without|instead)"
    r"|\w+n['’]t|wrong|nans?|inf|leak\w*|memory|oom|killed|dies|died|stop\w*|fix\w*|solv\w*|resolv\w*|avoid\w*|prevent\w*|debug\w*|get rid|remov\w*"
    r"|disabl\w*|suppress\w*|ignor\w*|missing|unable|problems?|issues?|bugs?|different|same|reproduc\w*|determinis\w*|although|even though|again)\b"
)
_ASKS_RELEASES = Pattern(
    r"(?i)\b(?:which|what) (?:\w+ ){0,3}(?:versions?|releases?)\b|\b(?:which|what) (?:cuda|cudnn|python|driver|tensorflow|tf|keras)\b"
    r"|\b(?:compatible|compatibility|supported|matching) (?:\w+ ){0,2}versions?\b|\bversions? (?:\w+ ){0,4}(?:compatible|fit|go|work) "
    r"|\bcompatible with (?:tensorflow|tf|keras|cuda|cudnn|python)\b"
)
_INSTALLED = Pattern(r"(?i)\b(?:cuda|cudnn|python|(?:nvidia )?drivers?|gpu)\b")
# What the rest of such a text says if something failed after all.
_FAILED = Pattern(
    r"(?i)\b(?:\w*(?:error|exception)s?|fail\w*|crash\w*|complain\w*|raises?|raised|messages?|hangs?|stuck|wrong|trouble"
    r"|stops (?:at|after|once|early)|(?:do|does|did)(?: not|n't) (?:work|finish|run|learn|stop|start|train))\b"
)


def asks_how(records: list[Record]) -> bool:
    """Return whether the text begins with a person's question of how to do something, and nothing in it has failed.

    >>> asks_how([Record("prose", "How to freeze the first layers? I use Keras.", 1, 1)])
    True
    >>> asks_how([Record("prose", "Model.fit: steps_per_epoch and epochs, what is the difference?", 1, 1)])
    True
    >>> asks_how([Record("prose", "Which loss should I use for three labels?", 1, 1)])
    True
    >>> asks_how([Record("prose", "How can I avoid that fit takes longer each time?", 1, 1)])
    False
    >>> asks_how([Record("prose", "How to train it again? The training does not finish all epochs.", 1, 1)])
    False
    >>> asks_how([Record("prose", "How do I predict one image? It complains about dimensions.", 1, 1)])
    False
    """
    if not records or records[0].kind != "prose":
        return False
    question = records[0].text[:_MOST].partition("\n")[0].partition("?")[0]
    asked = _ASKS.match(question) or _ASKS_DIFFERENCE.search(question) or _ASKS_CHOICE.search(question)
    if not asked or _TROUBLE.search(question):
        return False
    return not any(_FAILED.search(record.text[:_READ]) for record in records[:_MOST_RECORDS])


def asks_which_releases(records: list[Record]) -> bool:
    """Return whether the text begins with a question of which releases of TensorFlow, Python, CUDA or the driver fit together.

    >>> asks_which_releases([Record("prose", "Which CUDA version do I need for TensorFlow 2.10?", 1, 1)])
    True
    >>> asks_which_releases([Record("prose", "Which version of the model is the best one?", 1, 1)])
    False
    """
    if not records or records[0].kind != "prose":
        return False
    question = records[0].text[:_MOST]
    return bool(_ASKS_RELEASES.search(question) and _INSTALLED.search(question))
