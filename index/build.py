"""Build the index: ``python -m tfhelp.index.build`` updates the encoder and the vectors to match the compiled knowledge base.

Anything that is up to date is kept: the encoder while its parity holds on the current phrases, the vectors while phrases and
model are unchanged.
"""

from __future__ import annotations

import argparse
import os
import sys
import typing

from tfhelp.index import quick_search, word_classifier
from tfhelp.index.embedding_cache import CachingEncoder
from tfhelp.index.encoder import ARTEFACTS, FILES, Encoder
from tfhelp.index.export import export
from tfhelp.index.parity import measure
from tfhelp.index.sentence_encoder import DEFAULT_MODEL
from tfhelp.index.stored_classifier import CLASSIFIER_FILE, MOST_LABELS
from tfhelp.index.vectors import INDEX_FILE, build, digest, read_manifest, write_manifest
from tfhelp.kb.build_products import PRODUCTS, ArtefactError, made_for, record


def bring_up_to_date(
    phrases: list[str],
    knowledge: str,
    folder: str = ARTEFACTS,
    model: str = DEFAULT_MODEL,
    labels: list[str] | None = None,
    training_examples: list[tuple[str, str]] | None = None,
) -> dict[str, typing.Any]:
    """Build what is missing or stale.

    Args:
        phrases: the knowledge base's phrases in their order.
        knowledge: its version.
        folder: the folder of the encoder and the index.
        model: the model of the index; with the default one, queries go through the exported encoder.
        labels: the entry of each phrase, for the classifier.
        training_examples: (entry or ``tfhelp.index.labels.OUT_OF_SCOPE``, text): further texts that the classifier is trained on.

    Returns:
        The manifest.

    Raises:
        ArtefactError: something that the build needs is missing, or a file is damaged.
    """
    manifest = read_manifest(folder)
    needs_encoder = model == DEFAULT_MODEL
    has_encoder = all(os.path.isfile(os.path.join(folder, name)) for name in FILES)
    if (
        manifest is not None
        and manifest["model"] == model
        and manifest["phrases_sha256"] == digest(phrases, labels, training_examples)
        and os.path.isfile(os.path.join(folder, INDEX_FILE))
        and (labels is None or os.path.isfile(os.path.join(folder, CLASSIFIER_FILE)))
        and (has_encoder or not needs_encoder)
    ):
        if manifest["knowledge"] != knowledge:
            manifest["knowledge"] = knowledge
            write_manifest(folder, manifest)
        _say(f"up to date ({len(phrases)} phrases)")
        return manifest
    reference = CachingEncoder(model, folder)
    texts = [*phrases, *(text for _, text in training_examples or ())]
    _say(f"encoding {len(texts)} phrases and examples with {model}")
    reference.encode(texts)
    if needs_encoder and not has_encoder:
        export(phrases, folder, reference)
    elif needs_encoder:
        _keep_or_export(phrases, folder, reference)
    _say("training the classifier")
    manifest = build(phrases, folder, model, knowledge, reference, labels, training_examples)
    reference.keep(texts)
    _say(f"wrote {folder}")
    return manifest


def _keep_or_export(phrases: list[str], folder: str, reference: CachingEncoder) -> None:
    """Keep the encoder if it is still faithful on these phrases, else let the export choose a precision again."""
    encoder = Encoder.load(folder)
    if encoder.description.get("measured_on") == digest(phrases):
        return
    parity = measure(reference.encode(phrases), encoder.encode(phrases))
    _say(f"encoder's parity: {parity}")
    if not parity.holds:
        export(phrases, folder, reference)


def build_word_classifier(
    phrases: list[str], labels: list[str], examples: list[tuple[str, str]], knowledge: str, folder: str
) -> None:
    """Train the word classifier, unless it is up to date."""
    wanted = (knowledge, digest(phrases, labels, examples))
    # A flat classifier with thousands of labels would take gigabytes. Without one, every text goes through the encoder.
    if not 2 <= len(set(labels)) <= MOST_LABELS or made_for(os.path.join(folder, word_classifier.WORDS_FILE)) == wanted:
        return
    _say("training the classifier of the words")
    texts, right = phrases + [text for _, text in examples], labels + [label for label, _ in examples]
    word_classifier.build(texts, right, wanted, folder)


def build_quick_search(manifest: dict[str, typing.Any], folder: str) -> None:
    """Write the file that a cold start maps, unless it is up to date. Custom models are not supported."""
    wanted = (manifest["knowledge"], f"{manifest['phrases_sha256']}-{quick_search.FORMAT}")  # an older format is made again
    if manifest["model"] != DEFAULT_MODEL or made_for(os.path.join(folder, quick_search.QUICK_FILE)) == wanted:
        return
    has_classifier = os.path.isfile(os.path.join(folder, CLASSIFIER_FILE))
    if has_classifier and quick_search.build(manifest["phrases"], wanted, folder):
        _say(f"wrote {quick_search.QUICK_FILE}")


def _build_sieve(knowledge: typing.Any, folder: str) -> None:
    """Compile the databases that long texts are sieved with, if Hyperscan is installed. Without it, long texts are sieved by
    literals, more slowly.
    """
    from tfhelp.index import sieve_patterns
    from tfhelp.kb.marks import MARKS

    try:
        written = sieve_patterns.build(knowledge, MARKS, folder)
        record(os.path.join(folder, name) for name in written)
    except ImportError as error:
        _say(f"no Hyperscan ({error}): long texts are sieved by literals, which is slower")
    else:
        _say(f"sieve: wrote {', '.join(written)}" if written else "sieve: up to date")


def _say(message: str) -> None:
    print(f"index: {message}", file=sys.stderr, flush=True)


def main() -> int:
    """Build the index of the compiled knowledge base. Exit status: 0 done, 1 it cannot be done (the reason on stderr)."""
    parser = argparse.ArgumentParser(
        prog="python -m tfhelp.index.build", description="Update the vector index to match the knowledge base."
    )
    parser.add_argument("--folder", default=ARTEFACTS, help="folder of the encoder and the index (default: %(default)s)")
    parser.add_argument(
        "--model", default=DEFAULT_MODEL, help="a sentence-transformers model, by name or folder (default: %(default)s)"
    )
    arguments = parser.parse_args()
    from tfhelp.kb import compiled

    try:
        knowledge = compiled.load(compiled.PATH)
        labels, texts = [row[0] for row in knowledge.phrases], [row[2] for row in knowledge.phrases]
        manifest = bring_up_to_date(
            texts, knowledge.phrases_version, arguments.folder, arguments.model, labels, knowledge.training_examples
        )
        build_word_classifier(texts, labels, knowledge.training_examples, knowledge.phrases_version, arguments.folder)
        build_quick_search(manifest, arguments.folder)
        _build_sieve(knowledge, arguments.folder)
        record((os.path.join(arguments.folder, os.path.basename(name)) for name in PRODUCTS), only_new=True)
    except (ArtefactError, ValueError) as error:
        print(f"index: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
