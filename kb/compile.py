"""Compile the entries and tables into the one file that the program loads (``tfhelp.kb.compiled``).

    python -m tfhelp.kb.compile

If any entry has a fault, the fault is printed with file, line and field, and nothing is written.
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
from tfhelp.kb.lexicon import packed_lexicon
from tfhelp.kb.load import ENTRIES, LoadedEntry, load_entries, snippet_text
from tfhelp.kb.packed_rows import packed_names, packed_rows
from tfhelp.kb.sections import packed
from tfhelp.kb.signature_table import packed_signatures
from tfhelp.kb.whole_file import write_whole

Json = dict[str, typing.Any]


def compile_knowledge(loaded: list[LoadedEntry]) -> bytes:
    """The compiled file's bytes; the same entries give the same bytes."""
    common = commonness(loaded)
    phrases = [row for item in loaded for row in phrases_of(item)]
    examples = [
        *(["", text] for text in read_out_of_scope()),
        *(row for item in loaded for row in training_examples_of(item)),
    ]
    tables = {f"table:{name}": table for name, table in (*compile_tables().items(), ("experiments", compile_experiments()))}
    head = {
        "phrases_version": hashlib.sha256(json.dumps([phrases, examples]).encode()).hexdigest()[:12],
        "fact_types": fact_table(),
    }
    sections = {
        **sections_of_entries(loaded, common, [row for item in loaded for row in signatures_of(item, common)]),
        **sections_of_phrases(phrases, examples, packed_lexicon([text for _, _, text in phrases])),
        **{name: json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode() for name, table in tables.items()},
    }
    return content_of(head, sections)


def content_of(head: Json, sections: dict[str, bytes]) -> bytes:
    """The bytes of a compiled file.

    Args:
        head: ``phrases_version`` and ``fact_types``.
        sections: the sections of entries and phrases, and the other parts that ``Knowledge.line`` returns by name, as JSON.
    """
    return packed({"format": compiled.FORMAT, **head}, sections)


def sections_of_entries(
    loaded: list[LoadedEntry], common: patterns.Commonness, signatures: list[list[typing.Any]]
) -> dict[str, bytes]:
    """Names, summaries, entries, signatures, and the facts that name entries.

    Args:
        loaded: the entries.
        common: how common literals are.
        signatures: rows of ``tfhelp.kb.signature_table.SignatureRow``.
    """
    literals: set[str] = set()

    def rows() -> typing.Iterator[Json]:  # a generator: all rows at once would be the largest object in memory
        for item in loaded:
            entry = compile_entry(item, common)
            literals.update(literals_of_checks(entry))
            yield entry

    return {
        **packed_names("names", [item.entry.id for item in loaded]),
        **packed_rows("summaries", map(summary_of, loaded)),
        **packed_rows("entries", rows()),
        **packed_signatures(signatures, literals),
        "facts": json.dumps([row for item in loaded for row in facts_of(item)], ensure_ascii=False).encode(),
    }


def sections_of_phrases(phrases: list[list[str]], examples: list[list[str]], lexicon: dict[str, bytes]) -> dict[str, bytes]:
    """Phrases, their lexicon, and the further texts that the classifier is trained on."""
    return {**packed_rows("phrases", phrases), **packed_rows("training_examples", examples), **lexicon}


def literals_of_checks(entry: Json) -> set[str]:
    """The first literals of an entry's text checks."""
    checks = [check for cause in entry["causes"] for check in cause["checks"]]
    return {literal for check in checks for group in check.get("literals", ())[:1] for literal in group}


def read_out_of_scope(path: pathlib.Path = ENTRIES.parent / "out_of_scope.txt") -> list[str]:
    """Sentences about other software, for the classifier."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def commonness(loaded: list[LoadedEntry]) -> patterns.Commonness:
    """How common the literals of all the entries' patterns are in their recordings."""
    recorded = (path for item in loaded for path in sorted(item.folder.glob("*.recorded.json")))
    outputs = (json.loads(path.read_text(encoding="utf-8"))["output"] for path in recorded)
    return patterns.Commonness(outputs, (pattern for item in loaded for pattern in patterns_of(item)))


def patterns_of(item: LoadedEntry) -> list[str]:
    """The patterns of an entry's signatures and text checks."""
    matches = item.entry.matches
    signatures = [signature.pattern for signature in (*matches.decisive, *matches.supporting, *matches.never)]
    return signatures + [check.text for cause in item.entry.causes for check in cause.checks if check.text is not None]


def compile_entry(item: LoadedEntry, common: patterns.Commonness) -> Json:
    """One entry as JSON, with the names of its snippets replaced by their text."""
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
    """Replace the names of an action's code files with the code: ``snippet``, and ``shells`` if shells differ."""
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


def signatures_of(item: LoadedEntry, common: patterns.Commonness) -> list[list[typing.Any]]:
    """Rows of ``tfhelp.kb.signature_table.SignatureRow``."""
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
    """(entry, cause or empty, text) of all texts that are searched by similarity."""
    entry = item.entry
    rows = [[entry.id, "", text] for text in [entry.title, *entry.matches.phrases]]
    for cause in entry.causes:
        rows += [[entry.id, cause.id, text] for text in [f"{entry.title}: {cause.title}", *cause.phrases]]
    return rows


def training_examples_of(item: LoadedEntry) -> list[list[str]]:
    """The examples that belong to an entry: a near miss may belong to none, or to one that is not included."""
    examples = item.examples
    rows = [[example.entry or item.entry.id, example.text] for example in examples.must_match]
    rows += [[item.entry.id, state.text] for state in examples.wins_when.values() if state.text]
    return rows + [[item.entry.id, account.text] for account in examples.accounts]


def summary_of(item: LoadedEntry) -> Json:
    """What every answer needs from the entry (``tfhelp.kb.compiled_entry.Summary``)."""
    entry = item.entry
    return {
        "family": entry.family,
        "title": entry.title,
        "severity": entry.severity,
        "yields_to": entry.matches.yields_to,
        "causes": {cause.id: cause.title for cause in entry.causes},
    }


def facts_of(item: LoadedEntry) -> list[list[typing.Any]]:
    """Rows of ``tfhelp.kb.compiled_parts.FactRow``."""
    matches = [match.model_dump(mode="json", by_alias=True, exclude_none=True) for match in item.entry.matches.facts]
    return [[item.entry.id, match["fact"], match["is"], match["strength"], match["says"], match["shared"]] for match in matches]


def write(content: bytes, path: str = compiled.PATH) -> None:
    """Write the file atomically, so that a reader never sees half of it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, content)
    build_products.record([path])


def main() -> int:
    """Compile the knowledge base, or print every fault and return 1."""
    loaded, faults = load_entries()
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} faults in {ENTRIES}; nothing was compiled", file=sys.stderr)
        return 1
    content = compile_knowledge(loaded)
    write(content)
    knowledge = compiled.Knowledge(content)
    causes = sum(len(item.entry.causes) for item in loaded)
    print(
        f"compiled {len(loaded)} entries, {causes} causes, {len(list(knowledge.signatures))} signatures: {knowledge.version}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
