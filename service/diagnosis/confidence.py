"""The confidence of an answer, and when to abstain.

It is one model, learned when the knowledge base is built (``python -m tfhelp.service.curation.fit``). Each candidate has a score,
the weighted sum of its features. A softmax over the candidates and "none of them", whose score is 0, gives the shares. So a close
rival takes its share, and a candidate with little evidence loses to "none of them". The file with the weights also contains the
figures of the fit.
"""

import json
import math
import os
import typing

from tfhelp.kb.compiled import KnowledgeError
from tfhelp.service.diagnosis.candidates import Candidate, hold_back
from tfhelp.service.diagnosis.features import FEATURES, Surroundings, of_candidate

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "artefacts", "confidence.json")
THRESHOLD = 0.4  # confidence below which the answer abstains
MOST = 0.99  # nothing here is certain


class ConfidenceError(KnowledgeError):
    """The learned weights are missing or damaged. The message names the command that rebuilds them."""


class Weights(typing.NamedTuple):
    """The learned model: ``bias`` is the score of an entry without any sign, ``of_features`` are the weights in order.

    ``by_words``: the same for texts that their words settle. There is no vector then, so the words count instead.
    """

    bias: float
    of_features: list[float]
    by_words: "Weights | None" = None

    def score(self, item: Candidate, around: Surroundings) -> float:
        """Log-odds of a candidate against "none of them"."""
        if around.settled_by_words and self.by_words:
            return self.by_words.score(item, around._replace(settled_by_words=False))
        values = of_candidate(item, around)
        return self.bias + sum(weight * value for weight, value in zip(self.of_features, values, strict=True))


_loaded: dict[str, Weights] = {}


def weights(path: str = PATH) -> Weights:
    """The weights, read once.

    Raises:
        ConfidenceError: the file is missing, damaged, or made for different features.
    """
    if path not in _loaded:
        _loaded[path] = _read(path)
    return _loaded[path]


def _read(path: str) -> Weights:
    try:
        with open(path, encoding="utf-8") as file:
            stored = json.load(file)
        if list(stored["weights"]) != list(FEATURES):
            raise ConfidenceError(f"{path}: learned for features that differ from those of this tfhelp; run 'make index'")
        return _named(stored)._replace(by_words=_named(stored["settled by words"]))
    except FileNotFoundError:
        raise ConfidenceError(f"{path}: missing; run 'make index' (python -m tfhelp.service.curation.fit)") from None
    except (ValueError, TypeError, KeyError):
        raise ConfidenceError(f"{path}: damaged; run 'make index' (python -m tfhelp.service.curation.fit)") from None


def _named(stored: dict[str, typing.Any]) -> Weights:
    return Weights(float(stored["bias"]), [float(stored["weights"][name]) for name in FEATURES])


def score(items: list[Candidate], around: Surroundings) -> None:
    """Give each candidate its score; the facts about each, and to which others it yields, are known."""
    learned = weights()
    for item in items:
        item.score = learned.score(item, around)
    hold_back(items)


def shares(scores: list[float]) -> list[float]:
    """The share of each candidate, 0 to 1, from the scores; together with the share of "none of them" they add up to 1."""
    highest = max([0.0, *scores])
    parts = [math.exp(score - highest) for score in scores]
    total = math.exp(-highest) + sum(parts)
    return [part / total for part in parts]


def of_failures(ranked: list[Candidate]) -> list[float]:
    """Confidence of each candidate, 0 to 1, in the order given."""
    return [min(MOST, share) for share in shares([item.score for item in ranked])]


def of_benign(item: Candidate) -> float:
    """Confidence that a harmless message is what the user asks about, if nothing else is wrong."""
    return 0.95 if item.decisive else 0.5
