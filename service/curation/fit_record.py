"""The weights of the confidence that were learned last, kept in the repository: to learn them takes minutes, and the same knowledge
and code give the same weights. ``learned.json`` holds them with a digest of what they were learned from.
"""

import hashlib
import json
import pathlib
import typing

from tfhelp.kb.whole_file import write_whole

RECORD = pathlib.Path(__file__).with_name("learned.json")
_ROOMS = ("kb", "collectors", "index", "service/diagnosis")
LEARNING = ("fit", "folds", "own_cases", "recordings", "training_cases")
"""The modules of this room that the weights depend on."""
_KNOWLEDGE = "entries"  # below kb: its programs are part of the knowledge, which has its own version

Json = dict[str, typing.Any]


def digest_of(knowledge: str, healthy: pathlib.Path, root: pathlib.Path = RECORD.parents[2]) -> str:
    """A digest of what the weights depend on: the compiled knowledge, the healthy logs, and the code that reads texts and learns.

    Args:
        knowledge: version of the compiled knowledge.
        healthy: folder of the healthy logs.
        root: folder of the rooms.
    """
    sources = [path for room in _ROOMS for path in (root / room).rglob("*.py") if _KNOWLEDGE not in path.relative_to(root).parts]
    sources += [path for name in LEARNING if (path := root / "service/curation" / f"{name}.py").exists()]
    found = hashlib.sha256(knowledge.encode())
    for path in [*sorted(sources), *sorted(healthy.glob("*.json"))]:
        found.update(f"\n{path.name}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:32]


def recorded(digest: str, path: pathlib.Path = RECORD) -> Json | None:
    """The document of the confidence that was learned from the same inputs; ``None`` if there is none."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return dict(record["confidence"]) if record["inputs"] == digest else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record(digest: str, document: Json, path: pathlib.Path = RECORD) -> None:
    """Replace the record. A folder that cannot be written, as of an installed package, keeps the old one."""
    text = json.dumps({"inputs": digest, "confidence": document}, indent=1) + "\n"
    try:
        write_whole(str(path), text.encode())
    except OSError:
        return
