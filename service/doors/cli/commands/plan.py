"""``tfhelp plan``: which TensorFlow works here, or on a machine that you describe, and how to install it."""

import argparse
import json
import sys
import typing

from tfhelp.service.doors.cli.progress import Activity

Json = dict[str, typing.Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = "Without options, tfhelp looks at this machine; with any option, only what the options say counts."
    parser.add_argument("--python", metavar="VERSION", help="version of Python, for example 3.12")
    parser.add_argument("--gpu", metavar="NAME", help="the GPU by name or compute capability ('RTX 5090', '8.6'), or 'none'")
    parser.add_argument("--driver", metavar="VERSION", help="version of NVIDIA's driver, or its branch: 560.35.03 or 560")
    parser.add_argument("--os", choices=("linux", "windows", "wsl", "macos"), help="operating system (default: this one)")
    parser.add_argument("--architecture", metavar="NAME", help="processor as uname names it: x86_64, aarch64, arm64")
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the plan. Return 0 if a release fits, 1 if none does (or a GPU was asked for and only the CPU is left)."""
    from tfhelp.kb import compiled
    from tfhelp.service.plan.machines import Description, described_machine, this_machine
    from tfhelp.service.plan.planner import plan

    knowledge = compiled.load()
    given = {name: getattr(arguments, name) for name in Description._fields}
    if any(value is not None for value in given.values()):
        description = Description(**{name: value or "" for name, value in given.items()})
        machine = described_machine(description, knowledge.tables, "--{}")
    else:
        with Activity("looking at this machine"):
            machine = this_machine(knowledge.tables, knowledge.fact_types, "--{}")
    document = plan(machine, knowledge.tables).document()
    if arguments.json:
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        show(document, sys.stdout)
    return 0 if document["answer"] == ("gpu" if machine.gpu else "cpu") else 1


def show(document: Json, stream: typing.TextIO) -> None:
    """Write a plan as text."""
    from tfhelp.service.doors.cli.page import Page

    page = Page(stream)
    page.line(page.style(_headline(document), "title"))
    for sentence in document["reasons"]:
        page.paragraph(sentence, "    ", "  - ", "dim")
    if document["commands"]:
        page.line()
        for command in document["commands"]:
            page.code(command, "    ")
        page.line()
        page.paragraph("Wants " + ", ".join(f"{name} {value}" for name, value in document["needs"].items()), "        ", "  ")
    for note in document["notes"]:
        page.paragraph(note, "    ", "  * ")
    for change in document["changes"]:
        page.line()
        page.paragraph(f"For TensorFlow {change['tensorflow']}: {change['change']}.", "    ", "  ", "title")
        for command in change["commands"]:
            page.code(command, "    ")
    if document["others"]:
        page.line()
        page.paragraph("These also fit: " + ", ".join(document["others"]), "    ", "  ", "dim")


def _headline(document: Json) -> str:
    machine, version = document["machine"], document["tensorflow"]
    about = [{"linux": "Linux", "windows": "native Windows", "wsl": "WSL2", "macos": "macOS"}[machine["system"]]]
    about += [machine["architecture"]] if "architecture" in machine else []
    about += [f"Python {machine['python']}"] if "python" in machine else []
    about += [f"GPU of compute capability {machine['compute_capability']}"] if "compute_capability" in machine else []
    about += [f"driver {machine['driver']}"] if "driver" in machine else []
    place = ", ".join(about)
    if version is None:
        return f"No stable TensorFlow release fits {place}."
    if document["answer"] == "cpu" and machine["gpu"]:
        return f"No TensorFlow release uses the GPU on {place}; on the CPU, TensorFlow {version} runs."
    return f"TensorFlow {version}{' with the GPU' if document['answer'] == 'gpu' else ''} for {place}"
