"""Questions in so few words that the answer is not certain.

How certain an answer to such a question is depends on all that the confidence was learned from, so it moves with every new
entry. A test that needs a text of one verdict takes the first question that gets it, and not one text for ever.
"""

import typing

Diagnose = typing.Callable[[str], str]

QUESTIONS = (
    "keras gives an error",
    "training crashed",
    "tensorflow hangs",
    "my keras training stops",
    "the gpu is not used",
    "my model is wrong",
    "tensorflow says error",
    "val_loss is strange",
    "my notebook dies",
    "tensorflow does not work",
    "training ends without a word",
    "my keras model is bad",
    "it crashes when I load my keras model",
    "my keras model is slow",
    "keras stopped working after an update",
    "the session fails on the second run",
)


def question_with(verdict: str, verdict_of: Diagnose) -> str:
    """The first of the questions that gets this verdict.

    Args:
        verdict: ``likely`` or ``undecided``.
        verdict_of: the verdict of the answer to a text.

    Raises:
        AssertionError: if none of the questions gets it.
    """
    found = {}
    for question in QUESTIONS:
        found[question] = verdict_of(question)
        if found[question] == verdict:
            return question
    raise AssertionError(f"none of {len(QUESTIONS)} vague questions gets the verdict {verdict!r}: {found}")
