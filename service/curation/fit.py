"""Learn the weights of the confidence: run ``python -m tfhelp.service.curation.fit`` after the index is built.

Each case of ``training_cases`` is read like a user's text, and gives one row of features per candidate. The fit finds the weights
that make the right answers most likely; the sign of each weight is fixed. The figures that are stored and printed come from
cross-validation: every case is judged by weights that were learned without its entry, with a classifier that has not seen it.

If neither the knowledge nor the code has changed since the weights were learned last, the record of them is used (``fit_record``).
"""

import argparse
import json
import math
import os
import pathlib
import sys
import typing

import numpy

from tfhelp.index.word_classifier import SURE
from tfhelp.kb import build_products, compiled
from tfhelp.kb.load import load_entries
from tfhelp.kb.whole_file import write_whole
from tfhelp.service.curation import fit_record, training_cases
from tfhelp.service.curation.folds import FOLDS, UnseenLikeness, fold_of
from tfhelp.service.curation.training_cases import KINDS, SILENT, WITHHELD, TrainingCase
from tfhelp.service.diagnosis import candidates, confidence
from tfhelp.service.diagnosis.causes import rank
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.features import FEATURES, of_candidate
from tfhelp.service.diagnosis.reading import Reading, read

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import Summary

Array = typing.Any
Json = dict[str, typing.Any]

HEALTHY = pathlib.Path(__file__).resolve().parents[2] / "tests" / "healthy"
_MOST_CANDIDATES = 16  # per case: those with the strongest signs
_RIDGE = 0.02  # keeps the weight of a rare feature small
_BINS = 10
_LEAST_SURE = 0.6  # the weights without the encoder are also learned from texts that the words nearly settle: few others exist


class Row(typing.NamedTuple):
    """A case in the form that the fit uses.

    Attributes:
        case: the case.
        entries: its candidates, [n].
        values: their features, float64 [n, features].
        right: which of them is right, bool [n].
        behind: which of them yields to which other one, bool [n, n].
        none_right: whether no answer is right.
        sure: the probability by the words alone, if the row was made without the encoder; else 0.
    """

    case: TrainingCase
    entries: list[str]
    values: Array
    right: Array
    behind: Array
    none_right: bool
    sure: float = 0.0


class Rows:
    """All cases as arrays: ``values`` float64 [cases, candidates, features], padded; ``there`` and ``right`` bool [cases, candidates]."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.values = numpy.zeros((len(rows), _MOST_CANDIDATES, len(FEATURES)))
        self.there = numpy.zeros((len(rows), _MOST_CANDIDATES), bool)
        self.right = numpy.zeros((len(rows), _MOST_CANDIDATES), bool)
        self.behind = numpy.zeros((len(rows), _MOST_CANDIDATES, _MOST_CANDIDATES), bool)
        self.none_right = numpy.array([row.none_right for row in rows])
        self.weight = numpy.array([KINDS[row.case.kind] for row in rows])
        self.fold = numpy.array([fold_of(row.case.owner or row.case.text) for row in rows])
        for place, row in enumerate(rows):
            count = len(row.entries)
            self.values[place, :count] = row.values
            self.there[place, :count] = True
            self.right[place, :count] = row.right
            self.behind[place, :count, :count] = row.behind

    def shares(self, learned: Array) -> Array:
        """The share of "none of them" and of each candidate, float64 [cases, 1 + candidates]; ``learned``: bias, weights."""
        scores = self._held_back(numpy.where(self.there, self.values @ learned[1:] + learned[0], -numpy.inf))
        scores = numpy.concatenate([numpy.zeros((len(scores), 1)), scores], axis=1)
        scores -= scores.max(axis=1, keepdims=True)
        parts = numpy.exp(scores)
        return parts / parts.sum(axis=1, keepdims=True)

    def _held_back(self, scores: Array) -> Array:
        """The same as ``candidates.hold_back``, for scores float64 [cases, candidates]."""
        refuted = self.values[:, :, list(FEATURES).index("refuted")] > 0
        scores = numpy.where(refuted, numpy.minimum(scores, candidates.RULED_OUT), scores)
        limits = numpy.where(self.behind, scores[:, None, :] - candidates.BEHIND, numpy.inf).min(axis=2)
        return numpy.minimum(scores, limits)


def read_cases(diagnoser: Diagnoser, likeness: UnseenLikeness, cases: list[TrainingCase]) -> list[list[Row]]:
    """Read every case; a text with an entry is also read without the entry's signatures, and as if the entry did not exist.

    Returns:
        For each case, the row with the encoder, followed by the one without it if the words nearly settle the case.
    """
    rows = []
    for case in cases:
        likeness.leave_out(case.text, case.phrase, "")
        reading = read(case.text, case.facts, None, diagnoser.knowledge, diagnoser.finder)
        rows.append(_rows(diagnoser, likeness, reading, case))
        if SILENT + case.kind in KINDS and any(hit.signature.entry == case.right for hit in reading.hits):
            silent = _rows(diagnoser, likeness, reading, training_cases.silent(case), silent=case.right or "")
            # If another signature matches, the wording is not new.
            if not any(item.decisive for item in reading.candidates):
                rows.append(silent)
        if case.right and not case.wrong and WITHHELD + case.kind in KINDS:
            likeness.leave_out(case.text, case.phrase, case.right)
            rows.append(_rows(diagnoser, likeness, reading, training_cases.withheld(case), withheld=case.right))
    return rows


def _rows(diagnoser: Diagnoser, likeness: UnseenLikeness, reading: Reading, case: TrainingCase, **without: str) -> list[Row]:
    likeness.may_settle, likeness.least_sure = False, math.inf
    diagnoser.find(reading, **without)
    rows = [_row(diagnoser, reading, case)]
    sure = likeness.sure_by_words(reading.condensed) if likeness.may_settle else 0.0
    if sure >= _LEAST_SURE:
        likeness.least_sure = sure
        diagnoser.find(reading, **without)
        rows.append(_row(diagnoser, reading, case)._replace(sure=sure))
    return rows


def _row(diagnoser: Diagnoser, reading: Reading, case: TrainingCase) -> Row:
    summaries = diagnoser.knowledge.summaries
    failures = [item for item in reading.candidates if summaries[item.entry]["severity"] != "benign"]
    failures.sort(
        key=lambda item: -(item.decisive * 5 + len(item.hits) + item.script + item.lexical + item.vector + item.classified)
    )
    failures = failures[:_MOST_CANDIDATES]
    for item in failures:
        causes = rank(diagnoser.knowledge.entry(item.entry), reading.sheet, reading.records, item.likeness)
        item.refuted = item.refuted or all(cause.verdict == "ruled-out" for cause in causes)
    harmless = case.right is not None and case.right in summaries and summaries[case.right]["severity"] == "benign"
    if case.left_open:
        right = [item.entry != case.wrong for item in failures]
    elif case.kind.startswith(WITHHELD):
        right = [bool(item.decisive) and _close(summaries, case.owner, item.entry) for item in failures]
    else:
        right = [item.entry == case.right for item in failures]
    values = numpy.array([of_candidate(item, reading.around) for item in failures], "float64").reshape(-1, len(FEATURES))
    behind = numpy.array([[other in item.roots and not other.refuted for other in failures] for item in failures], bool)
    # If the right entry is not even a candidate, abstaining is the best answer.
    none_right = case.left_open or case.right is None or harmless or not any(right)
    return Row(
        case,
        [item.entry for item in failures],
        values,
        numpy.array(right, bool),
        behind.reshape(len(failures), len(failures)),
        none_right,
    )


def _close(summaries: "typing.Mapping[str, Summary]", one: str, other: str) -> bool:
    """Return whether two entries are declared close: one yields to the other."""
    first, second = set(summaries[one]["yields_to"]), set(summaries[other]["yields_to"])
    return other in first or one in second


def learn(rows: Rows, chosen: Array) -> Array:
    """Bias and weights, float64 [1 + features], learned from the chosen cases (bool [cases])."""
    from scipy.optimize import minimize

    there, right, values = rows.there[chosen], rows.right[chosen], rows.values[chosen]
    weight = rows.weight[chosen]
    wanted = numpy.concatenate([rows.none_right[chosen][:, None], right], axis=1)

    def loss(learned: Array) -> tuple[float, Array]:
        scores = numpy.where(there, values @ learned[1:] + learned[0], -numpy.inf)
        scores = numpy.concatenate([numpy.zeros((len(scores), 1)), scores], axis=1)
        scores -= scores.max(axis=1, keepdims=True)
        parts = numpy.exp(scores)
        shares = parts / parts.sum(axis=1, keepdims=True)
        hits = shares * wanted
        sums = numpy.maximum(hits.sum(axis=1, keepdims=True), 1e-12)
        slope = (weight[:, None] * (shares - hits / sums))[:, 1:]
        value = -(weight * numpy.log(sums[:, 0])).sum() + _RIDGE * (learned[1:] ** 2).sum() / 2
        gradient = numpy.concatenate([[slope.sum()], numpy.einsum("ij,ijk->k", slope, values) + _RIDGE * learned[1:]])
        return float(value), gradient

    bounds = [(None, None)] + [(0, None) if sign > 0 else (None, 0) for sign in FEATURES.values()]
    start = numpy.concatenate([[-3.0], 0.1 * numpy.array(list(FEATURES.values()))])
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2_000}).x


def out_of_fold(rows: Rows) -> Array:
    """Shares of every case by weights that were learned without its entry: float64 [cases, 1 + candidates]."""
    found = numpy.zeros((len(rows.rows), 1 + _MOST_CANDIDATES))
    for fold in range(FOLDS):
        learned = learn(rows, rows.fold != fold)
        inside = rows.fold == fold
        found[inside] = rows.shares(learned)[inside]
    return found


def as_answered(cases: list[list[Row]], encoded: Array, by_words: Array) -> tuple[Rows, Array]:
    """Each case as it is answered in practice: without the encoder if the words settle it, else with it.

    Args:
        cases: from ``read_cases``.
        encoded, by_words: shares of the rows with the encoder, and of those without, float64 [rows, 1 + candidates].
    """
    without = iter(by_words)
    rows, shares = [], []
    for row_of_case, share in zip(cases, encoded, strict=True):
        other = next(without) if row_of_case[1:] else share
        settled = row_of_case[-1].sure >= SURE
        rows.append(row_of_case[-1] if settled else row_of_case[0])
        shares.append(other if settled else share)
    return Rows(rows), numpy.array(shares)


def figures(rows: Rows, shares: Array) -> Json:
    """How accurate the answers are, by kind of case, and how good the confidence is."""
    best = shares[:, 1:].argmax(axis=1)
    sure = numpy.minimum(shares[numpy.arange(len(best)), 1 + best], confidence.MOST)
    answered = sure >= confidence.THRESHOLD
    right = rows.right[numpy.arange(len(best)), best]
    kinds = numpy.array([row.case.kind for row in rows.rows])
    by_kind = {
        kind: {
            "cases": int((kinds == kind).sum()),
            "answered": _share(answered[kinds == kind]),
            "answered wrongly": _share((answered & ~right)[kinds == kind]),
        }
        for kind in KINDS
        if (kinds == kind).any()
    }
    errors = 0.0
    for place in range(_BINS):
        inside = answered & (numpy.minimum((sure * _BINS).astype(int), _BINS - 1) == place)
        errors += abs(float((rows.weight * (sure - right))[inside].sum()))
    total = float(rows.weight[answered].sum())
    texts = numpy.array([kind.startswith(WITHHELD + "text") for kind in kinds])
    return {
        "cases": len(rows.rows),
        "settled by words": _share(numpy.array([row.sure > 0 for row in rows.rows])),
        "calibration error": round(errors / total, 4),
        "answered though withheld": _share((answered & ~right)[texts]),
        "by kind": by_kind,
    }


def _share(values: Array) -> float:
    return round(float(values.mean()), 4)


def document_of(weights: Array, by_words: Array, found: Json, knowledge: str) -> Json:
    """The weights and figures as they are stored. ``by_words``: the weights for texts that the words settle."""
    return {"knowledge": knowledge, **_named(weights), "settled by words": _named(by_words), "figures": found}


def write(document: Json, path: str = confidence.PATH) -> None:
    """Write the weights and figures atomically."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, json.dumps(document, indent=2).encode() + b"\n")
    build_products.record([path])


def _named(fitted: Array) -> Json:
    weights = {name: round(float(value), 4) + 0.0 for name, value in zip(FEATURES, fitted[1:], strict=True)}
    return {"bias": round(float(fitted[0]), 4), "weights": weights}


def collect(knowledge: compiled.Knowledge, healthy: pathlib.Path) -> list[TrainingCase]:
    """All cases. Entries that are not compiled are left out."""
    loaded = [item for item in load_entries()[0] if item.entry.id in knowledge.summaries]
    return [
        *training_cases.of_entries(loaded),
        *training_cases.of_scripts(loaded),
        *training_cases.of_phrases(knowledge.phrases),
        *training_cases.out_of_scope(text for entry, text in knowledge.training_examples if not entry),
        *training_cases.healthy(healthy),
    ]


def main() -> int:
    """Fit the weights, write them, and print the figures. Exit status: 0 if done, 1 if it cannot be done (reason on stderr)."""
    parser = argparse.ArgumentParser(
        prog="python -m tfhelp.service.curation.fit", description="Learn the weights of the confidence from the knowledge base."
    )
    parser.add_argument("--healthy", type=pathlib.Path, default=HEALTHY, help="recorded outputs of healthy programs")
    parser.add_argument("--again", action="store_true", help="learn them even if nothing has changed since they were recorded")
    arguments = parser.parse_args()
    try:
        knowledge = compiled.load(compiled.PATH)
    except compiled.KnowledgeError as error:
        print(f"fit: {error}", file=sys.stderr)
        return 1
    inputs = fit_record.digest_of(knowledge.version, arguments.healthy)
    document = None if arguments.again else fit_record.recorded(inputs)
    if document is None:
        document = fit(knowledge, arguments.healthy)
        fit_record.record(inputs, document)
        print(json.dumps(document["figures"], indent=2), file=sys.stderr)
    else:
        print(f"fit: nothing has changed since the weights in {fit_record.RECORD.name} were learned", file=sys.stderr)
    write(document)
    return 0


def fit(knowledge: compiled.Knowledge, healthy: pathlib.Path) -> Json:
    """Learn the weights from all cases, and measure them: the document of the confidence."""
    likeness = UnseenLikeness(knowledge)
    diagnoser = Diagnoser(knowledge, likeness, warm=True, words=likeness)
    cases = read_cases(diagnoser, likeness, collect(knowledge, healthy))
    encoded, by_words = Rows([rows[0] for rows in cases]), Rows([rows[1] for rows in cases if rows[1:]])
    found = figures(*as_answered(cases, out_of_fold(encoded), out_of_fold(by_words)))
    weights, weights_by_words = (learn(rows, numpy.ones(len(rows.rows), bool)) for rows in (encoded, by_words))
    return document_of(weights, weights_by_words, found, knowledge.version)


if __name__ == "__main__":
    sys.exit(main())
