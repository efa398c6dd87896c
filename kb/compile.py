"""Compile the entries and tables into the one file that the program loads (``tfhelp.kb.compiled``).

    python -m tfhelp.kb.compile

A fault in any entry is printed with file, line and field, and nothing is written.
"""

import hashlib
import json
import os
import pathlib
import sys
import typing

from tfhelp.kb import build_products, compiled, patterns
from tfhelp.kb.compat_tables import compile_tables
from tfhelp.kb.experiments import compile_experiments
from tfhelp.kb.facts import fact_table
from tfhelp.kb.lexicon import build_lexicon
from tfhelp.kb.load import ENTRIES, LoadedEntry, load_entries, snippet_text

Json = dict[str, typing.Any]


def compile_knowledge(loaded: list[LoadedEntry]) -> bytes:
    """The compiled file's bytes; the same entries give the same bytes."""
    phrases = [row for item in loaded for row in phrases_of(item)]
    common = commonness(loaded)
    body: dict[str, object] = {f"entry:{item.entry.id}": compile_entry(item, common) for item in loaded}
    body |= {f"table:{name}": table for name, table in compile_tables().items()}
    body["table:experiments"] = compile_experiments()
    training_examples = [
        *(["", text] for text in read_out_of_scope()),
        *(row for item in loaded for row in training_examples_of(item)),
    ]
    body |= {
        "phrases": phrases,
        "training_examples": training_examples,
        "lexicon": build_lexicon([text for _, _, text in phrases]),
    }
    head: Json = {
        "phrases_version": hashlib.sha256(json.dumps([phrases, training_examples]).encode()).hexdigest()[:12],
        "fact_types": fact_table(),
        "signatures": [row for item in loaded for row in signatures_of(item, common)],
        "summaries": {item.entry.id: summary_of(item) for item in loaded},
    }
    return content_of(head, body)


def content_of(head: Json, body: dict[str, object]) -> bytes:
    """The bytes of a compiled file: its head, and a line for each part of its body.

    Args:
        head: ``phrases_version``, ``fact_types``, ``signatures`` and ``summaries``.
        body: name -> what is parsed when it is asked for.
    """
    places, lines, position = {}, [], 0
    for name, value in body.items():
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        places[name] = [position, position + len(line)]
        lines.append(line)
        position += len(line) + 1
    head = {"format": compiled.FORMAT, **head, "places": places, "length": position}
    digest = hashlib.sha256(b"\n".join([json.dumps(head, sort_keys=True).encode(), *lines]))
    head = {"version": digest.hexdigest()[:12], **head}
    return b"\n".join([json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode(), *lines]) + b"\n"


def read_out_of_scope(path: pathlib.Path = ENTRIES.parent / "out_of_scope.txt") -> list[str]:
    """Sentences about other software, for the classifier."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def commonness(loaded: list[LoadedEntry]) -> patterns.Commonness:
    """How common literals are in the entries' recordings."""
    recorded = (path for item in loaded for path in sorted(item.folder.glob("*.recorded.json")))
    return patterns.Commonness(json.loads(path.read_text(encoding="utf-8"))["output"] for path in recorded)


def compile_entry(item: LoadedEntry, common: patterns.Commonness) -> Json:
    """One entry as JSON, with the text of its snippets in place of their names."""
    entry = item.entry.model_dump(mode="json", by_alias=True, exclude_none=True)
    entry["matches"] = {"phrases": entry["matches"]["phrases"]}
    for cause in entry["causes"]:
        for check in cause["checks"]:
            if "text" in check:
                check["literals"] = patterns.required_literals(check["text"], common)
        for step in cause["fix"]["steps"]:
            for action in (step, *step.get("one_of", ())):
                _put_snippets(item.folder, action)
    return entry


def _put_snippets(folder: pathlib.Path, action: Json) -> None:
    """Put the code of an action in place of what names it: ``snippet``, and ``shells`` where shells differ."""
    run = action.pop("run", None)
    code = action.pop("code", None)
    if isinstance(run, dict):
        action["snippet"] = {"language": "shell", "code": run["posix"]}
        action["shells"] = {shell: line for shell, line in run.items() if shell != "posix"}
    elif run is not None:
        action["snippet"] = {"language": "shell", "code": run}
    elif code is not None:
        action["snippet"] = code
    elif "snippet" in action:
        action["snippet"] = {"language": "python", "code": snippet_text(folder, action["snippet"])}


def signatures_of(item: LoadedEntry, common: patterns.Commonness) -> list[list[object]]:
    """Rows of ``tfhelp.kb.compiled.SignatureRow``."""
    rows = []
    for strength in ("decisive", "supporting", "never"):
        for signature in getattr(item.entry.matches, strength):
            literals = patterns.required_literals(signature.pattern, common)
            rows.append(
                [
                    item.entry.id,
                    strength,
                    signature.pattern,
                    literals,
                    signature.captures,
                    signature.said,
                    signature.raised_by,
                    signature.shared,
                ]
            )
    return rows


def phrases_of(item: LoadedEntry) -> list[list[str]]:
    """(entry, cause or empty, text) of all that is searched by likeness."""
    entry = item.entry
    rows = [[entry.id, "", text] for text in [entry.title, *entry.matches.phrases]]
    for cause in entry.causes:
        rows += [[entry.id, cause.id, text] for text in [f"{entry.title}: {cause.title}", *cause.phrases]]
    return rows


def training_examples_of(item: LoadedEntry) -> list[list[str]]:
    """The examples, as far as they are of an entry: a near miss may be of none, or of one that is not asked for."""
    examples = item.examples
    rows = [[example.entry or item.entry.id, example.text] for example in examples.must_match]
    return rows + [[item.entry.id, state.text] for state in examples.wins_when.values() if state.text]


def summary_of(item: LoadedEntry) -> Json:
    """What every answer needs of the entry (``tfhelp.kb.compiled_entry.Summary``)."""
    entry = item.entry
    return {
        "family": entry.family,
        "title": entry.title,
        "severity": entry.severity,
        "yields_to": entry.matches.yields_to,
        "facts": [match.model_dump(mode="json", by_alias=True, exclude_none=True) for match in entry.matches.facts],
        "causes": {cause.id: cause.title for cause in entry.causes},
    }


def write(content: bytes, path: str = compiled.PATH) -> None:
    """Put the file in place in one step, so that a reader never sees half of it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write(content)
    os.replace(temporary, path)
    build_products.record([path])


def main() -> int:
    """Compile, or print every fault and return 1."""
    loaded, faults = load_entries()
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} faults in {ENTRIES}; nothing was compiled", file=sys.stderr)
        return 1
    content = compile_knowledge(loaded)
    write(content)
    knowledge = compiled.Knowledge(content)
    causes = sum(len(summary["causes"]) for summary in knowledge.summaries.values())
    print(
        f"compiled {len(loaded)} entries, {causes} causes, {len(knowledge.signatures)} signatures: {knowledge.version}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
