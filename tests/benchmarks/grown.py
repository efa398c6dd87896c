"""A tfhelp with more knowledge: the program's files unchanged, with larger knowledge, index and classifier.

The vectors of copied texts are synthetic, because encoding a quarter of a million texts takes hours: each is the original text's
vector plus a direction that belongs to the copied entry. The shipped texts keep their vectors.
"""

import json
import os
import pathlib
import resource
import shutil
import sys
import time
import typing
import zlib

import numpy

from tests.benchmarks import many_entries
from tests.benchmarks.recordings import ROOT
from tfhelp.index import build, stored_classifier, vectors
from tfhelp.index.embedding_cache import CachingEncoder
from tfhelp.index.encoder import ARTEFACTS, FILES
from tfhelp.index.sentence_encoder import DEFAULT_MODEL
from tfhelp.kb import compile as compiling
from tfhelp.kb import compiled
from tfhelp.kb.load import load_entries

ROOMS = ("kb", "collectors", "index", "service")
_OWN_DIRECTION = 0.6  # length of a copied entry's direction, next to a text's own vector of length one
Json = dict[str, typing.Any]


def prepare(folder: pathlib.Path, times: int) -> None:
    """Lay out the program with links to its files, and write the entries.

    Args:
        folder: becomes the entry of ``PYTHONPATH``. Its previous content is lost.
        times: how many times the shipped number of entries.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for room in ROOMS:
        (folder / "tfhelp" / room).mkdir(parents=True)
        for part in (ROOT / room).iterdir():
            if part.name not in ("artefacts", "entries", "__pycache__"):
                (folder / "tfhelp" / room / part.name).symlink_to(part)
        (folder / "tfhelp" / room / "artefacts").mkdir()
    for part in (ROOT / "service" / "public").iterdir():
        if part.name != "__pycache__":
            (folder / "tfhelp" / part.name).symlink_to(part)
    for name in FILES:
        (folder / "tfhelp" / "index" / "artefacts" / name).symlink_to(pathlib.Path(ARTEFACTS, name))
    (folder / "tfhelp" / "service" / "artefacts" / "confidence.json").symlink_to(ROOT / "service/artefacts/confidence.json")
    many_entries.write(folder / "entries", times)


def compile_entries(folder: pathlib.Path) -> Json:
    """Compile what ``prepare`` wrote: {"seconds": processor time, "peak": bytes of memory, "entries": how many}.

    Raises:
        RuntimeError: an entry has a fault.
    """
    started = time.process_time()
    loaded, faults = load_entries(folder / "entries")
    if faults:
        raise RuntimeError(f"{len(faults)} faults: {faults[0]}")
    content = compiling.compile_knowledge(loaded)
    spent = _spent(started)
    (folder / "tfhelp" / "kb" / "artefacts" / "knowledge.bin").write_bytes(content)
    return spent | {"entries": len(loaded)}


def train(folder: pathlib.Path) -> Json:
    """Make vectors and index, and train the classifier; return the cost, in the form of ``compile_entries``."""
    knowledge = compiled.load(str(folder / "tfhelp" / "kb" / "artefacts" / "knowledge.bin"))
    artefacts = folder / "tfhelp" / "index" / "artefacts"
    phrases = [(entry, text) for entry, _, text in knowledge.phrases]
    examples = knowledge.training_examples
    of_texts = _vectors([*phrases, *examples])
    vectors.write_index(vectors.index_of(of_texts[: len(phrases)]), str(artefacts))
    manifest = {"model": DEFAULT_MODEL, "knowledge": knowledge.phrases_version, "phrases": len(phrases)}
    manifest |= {"phrases_sha256": "made", "dimension": of_texts.shape[1]}
    (artefacts / vectors.MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
    started = time.process_time()
    taught = [*phrases, *examples]
    classifier = stored_classifier.trained(of_texts, [text for _, text in taught], [entry for entry, _ in taught])
    stored_classifier.save(classifier, str(artefacts))
    spent = _spent(started)
    texts, labels = [text for _, text in phrases], [entry for entry, _ in phrases]
    build.build_word_classifier(texts, labels, examples, knowledge.phrases_version, str(artefacts))
    build.build_quick_search(manifest, str(artefacts))
    return spent


def _spent(started: float) -> Json:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": time.process_time() - started, "peak": peak}


def _vectors(rows: list[tuple[str, str]]) -> typing.Any:
    """Unit vectors of pairs of an entry and a text: float32 [texts, dimension]."""
    shipped = compiled.load(compiled.PATH)
    known = [(entry, text) for entry, _, text in shipped.phrases] + shipped.training_examples
    encoded = CachingEncoder(DEFAULT_MODEL, ARTEFACTS).encode([text for _, text in known])
    places: dict[str, list[int]] = {}
    for place, (entry, _) in enumerate(known):
        places.setdefault(entry, []).append(place)
    met: dict[str, int] = {}
    found = numpy.empty((len(rows), encoded.shape[1]), "float32")
    for number, (entry, _) in enumerate(rows):
        original, _, copy = entry.rpartition("-") if entry not in places else (entry, "", "")
        own = places[original]
        place = own[met.get(entry, 0) % len(own)]
        met[entry] = met.get(entry, 0) + 1
        found[number] = encoded[place] + (_OWN_DIRECTION * _direction(entry, encoded.shape[1]) if copy else 0)
    return found / numpy.linalg.norm(found, axis=1, keepdims=True)


def _direction(entry: str, dimension: int) -> typing.Any:
    values = numpy.random.default_rng(zlib.crc32(entry.encode())).standard_normal(dimension)
    return values / numpy.linalg.norm(values)


def ask_many(texts: list[str]) -> list[float]:
    """Seconds that a warm diagnoser takes for each text; all were asked once before."""
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

    diagnoser = Diagnoser.load(warm=True)
    for text in texts:
        diagnoser.diagnose(text)
    seconds = []
    for text in texts:
        started = time.process_time()
        diagnoser.diagnose(text)
        seconds.append(time.process_time() - started)
    return seconds


def share_of_memory(process: int) -> int:
    """Bytes of memory of a process, each page divided by the number of processes that share it (Linux)."""
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))


def environment(folder: pathlib.Path) -> dict[str, str]:
    """The environment of a process that imports the program laid out by ``prepare``."""
    packages = [path for path in sys.path if path.endswith("-packages")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TFHELP_"))}
    return kept | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT), *packages))}
