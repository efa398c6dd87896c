"""``tfhelp explain``: all that is known about an entry, message, public name, operation or rule; search results; or the list."""

import argparse
import difflib
import re
import sys
import typing

from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.errors import InputError
from tfhelp.service.vocabulary import SEVERITIES

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge
    from tfhelp.kb.compiled_entry import CompiledEntry
    from tfhelp.service.diagnosis.explained_here import Here
    from tfhelp.service.diagnosis.explained_names import NameExplained
    from tfhelp.service.doors.cli.page import Page

Json = dict[str, typing.Any]

_MOST_FOUND = 12
_RULE = re.compile(r"[Tt][Ff][Hh]\w{0,7}\d\w{0,7}")  # looks like a rule's code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "entry", nargs="*", help="id of an entry, words to search for, a message in quotes, tf.keras.Model.fit, MatMul, or TFH505"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    add_kb_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what is known, or the list. Return 0, or 1 if nothing is known about a message or a name."""
    from tfhelp.service.doors.cli.pager import paged

    with paged(sys.stdout) as page:
        return _explain(arguments, page)


def _explain(arguments: argparse.Namespace, page: "Page") -> int:
    from tfhelp.kb import compiled

    arguments.entry = " ".join(arguments.entry)
    knowledge = compiled.load()
    if not arguments.entry:
        _list(knowledge, page)
        return 0
    if arguments.entry not in knowledge.summaries:
        if _RULE.fullmatch(arguments.entry):
            return _of_a_rule(arguments, knowledge, page)
        if _is_a_name(arguments.entry) or (" " in arguments.entry and _is_a_message(arguments.entry)):
            return _of_the_atlas(arguments, page)
        is_an_id = "-" in arguments.entry and " " not in arguments.entry
        near = difflib.get_close_matches(arguments.entry, knowledge.entries(), 3, 0.5) if is_an_id else []
        if not near:
            return _search(arguments, knowledge, page)
        raise InputError(f"no entry is called {arguments.entry!r}; did you mean {' or '.join(near)}?")
    entry = knowledge.entry(arguments.entry)
    if arguments.json:
        _print(entry)
    else:
        _show(entry, page)
        private = knowledge.summaries[arguments.entry].get("private")
        if private:
            page.paragraph(f"From your team's knowledge: {private}", "  ")
    return 0


def _of_a_rule(arguments: argparse.Namespace, knowledge: "Knowledge", page: "Page") -> int:
    """The page of a rule of ``tfhelp lint``, as ``tfhelp lint --explain`` shows it."""
    from tfhelp.service.doors.cli.lint_text import show_page
    from tfhelp.service.lint.formats.document import rule_document
    from tfhelp.service.lint.linting import entries_by_fact
    from tfhelp.service.lint.rules import named

    document = rule_document(named(arguments.entry), entries_by_fact(knowledge))
    _print(document) if arguments.json else show_page(document, page)
    return 0


def _is_a_name(text: str) -> bool:
    from tfhelp.service.diagnosis.explained_names import is_a_name

    # An entry's id may be one word, and a misspelt id is not a TensorFlow name.
    return is_a_name(text) and ("." in text or text.lower() != text)


def _is_a_message(text: str) -> bool:
    from tfhelp.kb.atlas.store import AtlasError
    from tfhelp.service.diagnosis.explained import explain_message

    try:
        return explain_message(text) is not None
    except AtlasError:
        return False  # the entries can be searched without the atlas


def _search(arguments: argparse.Namespace, knowledge: "Knowledge", page: "Page") -> int:
    from tfhelp.service.search.search import Search

    hits = Search(knowledge).find(arguments.entry, _MOST_FOUND)
    if arguments.json:
        _print(hits or None)
    elif not hits:
        page.paragraph("No entry mentions this, and no Python code of TensorFlow or Keras that I know raises such a message.")
    for hit in [] if arguments.json else hits:
        cause = f" ({hit['cause']['title']})" if "cause" in hit else ""
        says = hit["title"] if hit["kind"] == "entry" else hit["says"]
        page.paragraph(f"{hit['id']:<34} {says}{cause}", " " * 37 if page.width > 60 else "    ", "  ")
    return 0 if hits else 1


def _of_the_atlas(arguments: argparse.Namespace, page: "Page") -> int:
    from tfhelp.kb.atlas.store import AtlasError

    try:
        return (_name if _is_a_name(arguments.entry) else _message)(arguments, page)
    except AtlasError as error:
        raise InputError(str(error)) from None


def _message(arguments: argparse.Namespace, page: "Page") -> int:
    from tfhelp.service.diagnosis.explained import explain_message

    found = explain_message(arguments.entry, _installed())
    if arguments.json:
        _print(found)
    elif found is None:
        page.paragraph("No Python code of TensorFlow or Keras that I know raises this message. 'tfhelp ask' looks for an entry.")
    else:
        _say(found["says"], page)
    return 0 if found else 1


def _installed() -> "Here":
    """What is installed for the Python that trains on this machine."""
    from tfhelp.collectors.environment.interpreter import find_interpreter
    from tfhelp.collectors.errors import CollectorError
    from tfhelp.service.diagnosis.explained_here import Here, found_here

    try:
        return found_here(find_interpreter())
    except CollectorError:
        return Here()  # this machine has no Python


def _name(arguments: argparse.Namespace, page: "Page") -> int:
    from tfhelp.service.diagnosis.explained_names import about, about_op
    from tfhelp.service.diagnosis.explained_words import minor

    op = about_op(arguments.entry)
    found = about(f"tf.raw_ops.{op['name']}" if op else arguments.entry)
    if arguments.json:
        _print({**found, "op": op} if op else found)
    elif op and not found["existed"]:
        _say(op["says"], page)
    else:
        _show_name(found, page)
        if op:
            page.line()
            page.line(page.style(f"  The operation in TensorFlow {minor(op['release'])}", "title"))
            _say(op["says"], page)
    return 0 if found["existed"] or "renamed" in found or op else 1


def _show_name(found: "NameExplained", page: "Page") -> None:
    from tfhelp.service.diagnosis.explained_words import in_words

    _say(found["says"], page)
    for row in found["parameters"]:
        page.line()
        page.line(page.style(f"  Parameters in {in_words(row['releases'])}", "title"))
        page.paragraph(row["parameters"].replace(",", ", "), "    ", style="code")


def _say(says: list[str], page: "Page") -> None:
    for sentence in says:
        page.paragraph(sentence, "  ", "")


def _print(document: typing.Any) -> None:
    import json

    print(json.dumps(document, indent=2, ensure_ascii=False))


def _list(knowledge: typing.Any, page: typing.Any) -> None:
    family = ""
    for identifier, summary in knowledge.summaries.items():
        if summary["family"] != family:
            family = summary["family"]
            page.line(page.style(family, "title"))
        page.paragraph(f"{identifier:<34} {summary['title']}", " " * 37 if page.width > 60 else "    ", "  ")


def _show(entry: "CompiledEntry", page: typing.Any) -> None:
    from tfhelp.kb.fact_sheet import FactSheet
    from tfhelp.service.diagnosis.fixes import fill_fix
    from tfhelp.service.doors.cli.terminal import show_background, show_fix
    from tfhelp.service.doors.formats import words

    page.paragraph(f"{entry['title']}   {entry['id']}, {SEVERITIES[entry['severity']]}", "  ", "", "title")
    page.paragraph(entry["means"], "  ")
    for cause in entry["causes"]:
        page.line()
        page.paragraph(f"{cause['title']}   {cause['id']}, {cause['frequency']}", "    ", "  ", "title")
        page.paragraph(cause["means"], "    ")
        if cause["checks"]:
            page.line(f"    {words.SUPPORTS}")
        for sentence in words.supports(cause):
            page.paragraph(sentence, "        ", "      - ")
        show_fix(fill_fix(cause, FactSheet()), page)
        show_background(cause["myths"], cause["sources"], page)
