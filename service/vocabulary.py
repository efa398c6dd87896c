"""The words for verdicts, severities, safety and outcomes that all doors use."""

VERDICTS = {
    "diagnosed": "Found",
    "likely": "Probably",
    "undecided": "Undecided between",
    "explained": "Explained",
    "nothing-failed": "Nothing failed in this text",
    "unknown": "I do not know this one",
}
"""The kind of answer. Doors write it before the entry's title."""

EXPLAINED = "No entry of the knowledge base fits, but the message is known."
"""The beginning of an answer without an entry, if the atlas knows what raises the message."""

PACKAGES = {
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "tf_keras": "tf_keras (Keras 2)",
    "tensorflow_estimator": "TensorFlow Estimator",
}
"""The names of the atlas's packages in a sentence."""

CAUSE_VERDICTS = {"confirmed": "confirmed", "likely": "likely", "possible": "possible", "ruled-out": "ruled out"}
"""How sure a cause is, given its entry."""

SEVERITIES = {"fatal": "stops the run", "degraded": "runs, but badly", "benign": "harmless"}
"""What an entry does to the run."""

SAFETY = {
    "safe": "safe",
    "changes-results": "changes results",
    "restarts": "restarts something",
    "deletes": "deletes something",
    "needs-root": "needs administrator rights",
}
"""What a step may cost."""

OUTCOMES = {"holds": "holds", "fails": "counts against it", "unknown": "not known"}
"""The outcome of a check."""


def percent(share: float) -> str:
    """A whole percentage; never 0 or 100, since nothing here is certain.

    >>> percent(0.004), percent(0.62), percent(1.0)
    ('under 1%', '62%', '99%')
    """
    return "under 1%" if share < 0.01 else f"{min(share, 0.99):.0%}"
