"""``tfhelp explain``: all that is known of one entry, or the list of entries."""

import argparse
import difflib
import sys
import typing

from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledEntry

Json = dict[str, typing.Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("entry", nargs="?", help="id of an entry; without one, all are listed")
    parser.add_argument("--json", action="store_true", help="print the entry as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the entry or the list."""
    from tfhelp.kb import compiled
    from tfhelp.service.doors.cli.terminal import Page

    knowledge = compiled.load()
    page = Page(sys.stdout)
    if arguments.entry is None:
        _list(knowledge, page)
        return 0
    if arguments.entry not in knowledge.summaries:
        near = difflib.get_close_matches(arguments.entry, knowledge.entries(), 3, 0.5)
        raise InputError(f"no entry is called {arguments.entry!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""))
    entry = knowledge.entry(arguments.entry)
    if arguments.json:
        import json

        print(json.dumps(entry, indent=2, ensure_ascii=False))
    else:
        _show(entry, page)
    return 0


def _list(knowledge: typing.Any, page: typing.Any) -> None:
    family = ""
    for identifier, summary in knowledge.summaries.items():
        if summary["family"] != family:
            family = summary["family"]
            page.line(page.style(family, "title"))
        page.paragraph(f"{identifier:<34} {summary['title']}", " " * 37, "  ")


def _show(entry: "CompiledEntry", page: typing.Any) -> None:
    from tfhelp.kb.fact_sheet import FactSheet
    from tfhelp.service.diagnosis.fixes import fill_fix
    from tfhelp.service.doors.cli.terminal import show_fix

    page.line(page.style(entry["title"], "title") + page.style(f"   {entry['id']}, {entry['severity']}", "dim"))
    page.paragraph(entry["means"], "  ")
    for cause in entry["causes"]:
        page.line()
        page.line(page.style(f"  {cause['title']}", "title") + page.style(f"   {cause['id']}, {cause['frequency']}", "dim"))
        page.paragraph(cause["means"], "    ")
        for check in cause["checks"]:
            page.paragraph(check["says"], "        ", "    speaks for it: ")
        show_fix(fill_fix(cause, FactSheet()), page)
        for myth in cause["myths"]:
            page.paragraph(f"Often said: {myth['says']}. {myth['truth']}", "      ", "    ")
        for source in cause["sources"]:
            page.paragraph(_source(source), "      ", "    source: ", "dim")


def _source(source: Json) -> str:
    if "url" in source:
        return f"{source['url']} (seen {source['seen']})"
    if "document" in source:
        return f'"{source["document"]}"' + (f", {source['part']}" if "part" in source else "")
    return f"run here: {source['ran']}"
