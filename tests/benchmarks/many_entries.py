"""A knowledge base many times larger than the shipped one, created from it: what private folders and other frameworks would add.

The shipped entries stay unchanged, and copies of them with different words are added. In a copy, the letters of words are
replaced by a substitution that is specific to the copy. All words of program output (patterns, examples, recordings) are replaced
in the same way, so an entry's own texts still match its patterns and no other copy's. In phrases and titles, common words
(``not``, ``model``, ``gpu``) stay, because all knowledge shares them. A fact of the machine names the shipped entry
alone: facts come from the collectors, and their number does not grow with the knowledge.

The same number gives the same files.
"""

import collections
import functools
import json
import pathlib
import random
import re
import typing

import yaml

from tfhelp.kb.load import entry_folders

_COMMON = 400  # words that stay, the most frequent ones of the phrases
_STEM = 5  # letters that identify a word as common: "train" and "training" are one
_SHORTEST = 3  # letters of the shortest word that is replaced
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_WORD = re.compile(r"[A-Za-z]+")
# Parts of a pattern that are not words: group names, flags, escapes, properties, ranges of classes.
_SYNTAX = re.compile(r"\(\?P<\w+>|\(\?[a-zA-Z]*[:)]|\\[pP]\{\w+\}|\\x[0-9a-fA-F]{2}|\\.|[A-Za-z]-[A-Za-z]|[A-Za-z]+|.", re.DOTALL)
Json = dict[str, typing.Any]


class Words:
    """The words of one copy.

    Attributes:
        copy: its number, from 1.
    """

    def __init__(self, copy: int, common: frozenset[str]) -> None:
        """Args: copy: its number. common: the first letters of words that stay."""
        self.copy = copy
        self._common = common
        chance = random.Random(copy)
        self._letters: dict[int, int] = {}
        for alphabet in (_VOWELS, _CONSONANTS):
            others = list(alphabet)
            chance.shuffle(others)
            changed = "".join(others)
            self._letters |= str.maketrans(alphabet + alphabet.upper(), changed + changed.upper())

    def _word(self, word: str) -> str:
        return word.translate(self._letters) if len(word) >= _SHORTEST else word

    def phrase(self, text: str) -> str:
        """A phrase, in the copy's words."""
        return _WORD.sub(lambda word: word[0] if word[0][:_STEM].lower() in self._common else self._word(word[0]), text)

    def message(self, text: str) -> str:
        """A program's message, in the copy's words."""
        return _WORD.sub(lambda word: self._word(word[0]), text)

    def pattern(self, pattern: str) -> str:
        """A pattern that matches in the copy's messages what the original matched."""
        return _SYNTAX.sub(lambda part: self._word(part[0]) if part[0].isalpha() else part[0], pattern)

    def name(self, identifier: str) -> str:
        """An entry's id."""
        return f"{identifier}-{self.copy}"


def write(folder: pathlib.Path, times: int) -> None:
    """Write entries in the form of ``kb/entries``.

    Args:
        folder: where ``<family>/<entry>`` go.
        times: how many times the shipped number.
    """
    originals = [_Original(place) for place in entry_folders()]
    common = _common(originals)
    for copy in range(times):
        words = Words(copy, common)
        for original in originals:
            if copy:
                original.write_copy(folder, words)
            else:
                family = folder / original.folder.parent.name
                family.mkdir(parents=True, exist_ok=True)
                (family / original.folder.name).symlink_to(original.folder)


def common_words() -> frozenset[str]:
    """The first letters of the words that copies keep in their phrases, in lower case."""
    return _common([_Original(place) for place in entry_folders()])


def _common(originals: "list[_Original]") -> frozenset[str]:
    counted: collections.Counter[str] = collections.Counter()
    for original in originals:
        for phrase in original.entry["matches"]["phrases"]:
            counted.update({word[:_STEM].lower() for word in _WORD.findall(phrase)})
    return frozenset(stem for stem, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:_COMMON])


class _Original:
    """A shipped entry as its files state it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.entry: Json = _read(folder / "entry.yaml")
        self.examples: Json = _read(folder / "examples.yaml")
        self.recorded = {
            path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.recorded.json"))
        }
        self.programs = sorted(folder.glob("*.py"))

    def write_copy(self, folder: pathlib.Path, words: Words) -> None:
        """Write it in the copy's words."""
        place = folder / self.folder.parent.name / words.name(self.folder.name)
        place.mkdir(parents=True)
        _write(place / "entry.yaml", _entry(self.entry, words))
        _write(place / "examples.yaml", _examples(self.examples, words))
        for name, recorded in self.recorded.items():
            _write(place / name, {**recorded, "output": words.message(recorded["output"])})
        for path in self.programs:
            (place / path.name).symlink_to(path)


@functools.cache
def _read(path: pathlib.Path) -> Json:
    found: Json = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def _write(path: pathlib.Path, document: Json) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, default=str), encoding="utf-8")  # JSON is YAML


def _entry(entry: Json, words: Words) -> Json:
    matches = dict(entry["matches"])
    for strength in ("decisive", "supporting", "never"):
        if strength in matches:
            matches[strength] = [_signature(signature, words) for signature in matches[strength]]
    matches["phrases"] = [words.phrase(phrase) for phrase in matches.get("phrases", [])]
    matches["yields_to"] = [words.name(other) for other in matches.get("yields_to", [])]
    matches.pop("facts", None)
    causes = [_cause(cause, words) for cause in entry["causes"]]
    return {**entry, "id": words.name(entry["id"]), "title": words.phrase(entry["title"]), "matches": matches, "causes": causes}


def _signature(signature: str | Json, words: Words) -> str | Json:
    if isinstance(signature, str):
        return words.pattern(signature)
    kind = "said" if "said" in signature and isinstance(signature["said"], str) else "pattern"
    return {**signature, kind: words.pattern(signature[kind])}


def _cause(cause: Json, words: Words) -> Json:
    checks = [{**check, "text": words.pattern(check["text"])} if "text" in check else check for check in cause["checks"]]
    phrases = [words.phrase(phrase) for phrase in cause["phrases"]]
    return {**cause, "title": words.phrase(cause["title"]), "phrases": phrases, "checks": checks}


def _examples(examples: Json, words: Words) -> Json:
    found: Json = {}
    for name in ("must_match", "near_misses"):
        if name in examples:
            found[name] = [_example(example, words) for example in examples[name]]
    if "wins_when" in examples:
        states = examples["wins_when"].items()
        found["wins_when"] = {
            cause: {**state, "text": words.message(state["text"])} if state.get("text") else state for cause, state in states
        }
    if "accounts" in examples:
        found["accounts"] = [{**account, "text": words.phrase(account["text"])} for account in examples["accounts"]]
    return found


def _example(example: Json, words: Words) -> Json:
    entry = {"entry": words.name(example["entry"])} if example.get("entry") else {}
    return {**example, **entry, "text": words.message(example["text"])}
