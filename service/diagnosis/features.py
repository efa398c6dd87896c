"""The features of a candidate for the confidence: twenty-one numbers, each of which counts for it or against it.

The fit (``tfhelp.service.curation.fit``) learns a weight for each; its sign is fixed.
"""

import math
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.condense import LONGEST_CONDENSED, plain_failure, salience
from tfhelp.collectors.reading.origin import is_foreign
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.signatures import Hit
from tfhelp.service.diagnosis.candidates import Candidate, Likeness

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.reading import Reading

FEATURES = {
    "decisive": 1,
    "salience": 1,
    "supporting": 1,
    "more_signs": 1,
    "script": 1,
    "script_alone": 1,
    "facts": 1,
    "lexical": 1,
    "vector": 1,
    "classifier": 1,
    "account": 1,
    "near_twin": -1,
    "behind_root": -1,
    "refuted": -1,
    "out_of_scope": -1,
    "unexplained": -1,
    "raised_elsewhere": -1,
    "no_sign_of_ours": -1,
    "said_alone": -1,
    "completed": -1,
    "harmless": -1,
}
"""Name -> the sign of its weight."""

_NAMES_A_TRAINING = 0.4
_TRAINING = Pattern(
    r"(?i)\b(?:train(?:s|ed|ing)?|epochs?|(?:neural )?net(?:work)?s?|cnn|lstm|mnist|cifar|(?:val_)?(?:loss|acc(?:uracy)?)|batch(?:es)?|batch_size)\b"
)
_MOST_SIGNS = 2.0  # further signs of the same kind add nothing


class Surroundings(typing.NamedTuple):
    """What the text shows besides its candidates.

    Attributes:
        out_of_scope: probability that it is about other software or about no failure.
        unexplained: it contains a clear failure that no signature matches.
        raised_elsewhere: its first clear failure is another library's or program's.
        signs_of_ours: how many kinds of signs of TensorFlow or Keras it contains.
        completed: it is the output of a program that finished without a failure.
        told_by_script: the text shows no known or clear failure, and the script that the user named shows one.
        known_failure: the text shows a clear failure that a decisive signature identifies.
        harmless: 0, or 1 if it contains a known harmless message, or 2 if it contains nothing else.
        names_a_training: a user's sentence mentions the training of a network.
        elsewhere: probability that the text as a whole, with its code and its output, is about other software.
        settled_by_words: the encoder was not used, so other weights apply (``confidence``).
        length: of the condensed failure, 0 to 1 (as long as it can be).
    """

    out_of_scope: float = 0.0
    unexplained: bool = False
    raised_elsewhere: bool = False
    signs_of_ours: int = 0
    completed: bool = False
    told_by_script: bool = False
    known_failure: bool = False
    harmless: int = 0
    names_a_training: bool = False
    elsewhere: float = 0.0
    settled_by_words: bool = False
    length: float = 0.0


def surroundings(reading: "Reading", hits: list[Hit], benign: list[Candidate], ours: int, like: Likeness) -> Surroundings:
    """What a text shows besides its candidates.

    Args:
        reading: records, facts and candidates.
        hits: the signatures that count.
        benign: the candidates that are harmless messages.
        ours: how many signs of TensorFlow or Keras the text contains.
        like: its likeness, which includes the probability that it is about other software.
    """
    known = {id(hit.record) for hit in hits if hit.signature.strength != "never"}
    unknown = [record for record in reading.suspects() if id(record) not in known]
    # If a program ended with exit code 0, a line about an error is not a failure: the program went on.
    ended_well = reading.sheet.get("derived.ended_well") is True
    failures = [] if ended_well else [record for record in unknown if plain_failure(record)]
    decided = any(item.decisive for item in reading.candidates if item not in benign)
    told_by_script = not failures and not decided and any(item.shown_by_script for item in reading.candidates)
    explained = any(item.decisive for item in benign)
    besides = any(record.kind == "prose" or plain_failure(record) for record in unknown)
    return Surroundings(
        # A bare "it does not work" with a script that shows a fault adds nothing.
        out_of_scope=0.0 if told_by_script else like.classified.get(OUT_OF_SCOPE, 0.0),
        unexplained=bool(failures),
        raised_elsewhere=any(is_foreign(record) for record in failures[:1]),
        signs_of_ours=ours,
        completed=reading.sheet.get("derived.completed_without_failure") is True,
        told_by_script=told_by_script,
        known_failure=any(hit.signature.strength == "decisive" and plain_failure(hit.record) for hit in hits),
        harmless=explained + (explained and not besides),
        names_a_training=not ours and bool(_TRAINING.search(reading.condensed)),
        settled_by_words=like.settled_by_words,
        length=min(1.0, len(reading.condensed) / LONGEST_CONDENSED),
    )


def of_candidate(item: Candidate, around: Surroundings) -> list[float]:
    """The numbers of one candidate, in the order of ``FEATURES``."""
    decisive = _saliences(item, "decisive")
    supporting = _saliences(item, "supporting")
    by_likeness = not item.decisive
    said_alone = _said_alone(item, around)
    return [
        item.decisive > 0,
        item.decisive,
        supporting[0] if supporting else 0.0,
        min(_MOST_SIGNS, sum(decisive[1:]) + sum(supporting[1:])),
        _script(item, around),
        item.script if around.told_by_script else 0,
        min(_MOST_SIGNS, len(item.facts) - bool(item.script)) if item.facts else 0.0,
        math.sqrt(item.lexical),  # even the best phrase covers little of a long text
        item.vector,
        item.classified,
        item.classified * around.length if by_likeness else 0.0,  # of a long account, no single phrase covers much
        item.near_twin,
        item.behind_root,
        item.refuted,
        around.out_of_scope if by_likeness or said_alone else around.out_of_scope / 2,
        around.unexplained and by_likeness,
        _raised_elsewhere(item, around),
        not around.signs_of_ours,
        said_alone,
        around.completed and by_likeness,
        around.harmless if by_likeness and not item.shown_by_script else 0,
    ]


def _script(item: Candidate, around: Surroundings) -> int:
    """``item.script``, but at most 1 if the text shows another, known failure: a fault of the script may have nothing to do with it."""
    return min(item.script, 1) if around.known_failure and not item.hits else item.script


def _raised_elsewhere(item: Candidate, around: Surroundings) -> bool:
    """Return whether the entry's decisive records, or without any the text's failure, come from another library or program."""
    own = [hit for hit in item.hits if hit.signature.strength == "decisive"]
    if own:
        return all(is_foreign(hit.record) and not hit.signature.raised_by for hit in own)
    return around.raised_elsewhere


def _said_alone(item: Candidate, around: Surroundings) -> float:
    """1 if only people's words decide, and none names TensorFlow or Keras. People use the same words for other software ("it uses
    the CPU instead of the GPU"). If the text is about training, the other software can only be another framework.
    """
    decisive = [hit.signature for hit in item.hits if hit.signature.strength == "decisive"]
    if not decisive or item.facts or around.signs_of_ours or not all(signature.said for signature in decisive):
        return 0.0
    return _NAMES_A_TRAINING if around.names_a_training else 1.0


def _saliences(item: Candidate, strength: str) -> list[float]:
    return sorted((salience(hit.record) for hit in item.hits if hit.signature.strength == strength), reverse=True)
