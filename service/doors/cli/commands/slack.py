"""``tfhelp slack``: print the manifest of the Slack app, or post a diagnosis to a channel."""

import argparse
import os
import sys
import typing

from tfhelp.service.doors.cli.inputs import read_facts, read_input, say_notes
from tfhelp.service.errors import InputError

Json = dict[str, typing.Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    manifest = actions.add_parser(
        "manifest",
        help="print the app's manifest, to paste at https://api.slack.com/apps",
        description="Print the manifest of the Slack app, to paste at https://api.slack.com/apps.",
    )
    where = manifest.add_mutually_exclusive_group(required=True)
    where.add_argument("--url", help="public address of 'tfhelp serve', such as https://tfhelp.example.com")
    where.add_argument("--socket", action="store_true", help="Socket Mode: no public address is needed")
    manifest.set_defaults(act=_manifest)
    post = actions.add_parser(
        "post",
        help="diagnose a log and post the answer to a channel",
        description="Diagnose a log and post the answer to a channel through an incoming webhook. Secrets are taken out first. "
        "Exit status: 0 posted, 2 not posted.",
    )
    post.add_argument("text", nargs="?", help="the error text; '-' or nothing reads standard input")
    post.add_argument("-f", "--file", help="read the text from a file, such as the log of a CI job")
    post.add_argument("--webhook", metavar="URL", help="the incoming webhook (default: SLACK_WEBHOOK_URL, which keeps it secret)")
    post.add_argument("--exit-code", type=int, metavar="N", help="how the program ended")
    post.add_argument("--facts", metavar="FILE", help="facts as JSON, as 'tfhelp collect' prints them")
    post.add_argument("--no-collect", action="store_true", help="do not collect facts of this machine")
    post.add_argument(
        "--job",
        metavar="NAME",
        help="name of the failed job (default: read from the variables of GitHub, GitLab, Jenkins and others)",
    )
    post.add_argument("--link", metavar="URL", help="address of the job's log (default: as above)")
    post.set_defaults(act=_post)


def run(arguments: argparse.Namespace) -> int:
    """Run the action."""
    status: int = arguments.act(arguments)
    return status


def _manifest(arguments: argparse.Namespace) -> int:
    from tfhelp.service.doors.slack.manifest import manifest

    print(manifest("" if arguments.socket else arguments.url), end="")
    return 0


def _post(arguments: argparse.Namespace) -> int:
    from tfhelp.service.doors.slack.webhook import WEBHOOK_VARIABLE, job_from_environment, post

    url = arguments.webhook or os.environ.get(WEBHOOK_VARIABLE, "")
    if not url.strip():
        raise InputError(f"no webhook: give --webhook URL or set {WEBHOOK_VARIABLE}; docs/slack.md says where to get one")
    found = job_from_environment(os.environ)
    job = found._replace(name=arguments.job or found.name, url=arguments.link or found.url)
    answer = _diagnosed(arguments)
    post(answer, url, job)
    first = answer["matches"][0]["title"] if answer["matches"] else "no entry fits"
    print(f"tfhelp: posted to Slack: {first}", file=sys.stderr)
    return 0


def _diagnosed(arguments: argparse.Namespace) -> typing.Any:
    from tfhelp.service.diagnosis.collecting import collect_meanwhile
    from tfhelp.service.diagnosis.diagnoser import Diagnoser
    from tfhelp.service.diagnosis.given import join, with_notes

    facts = read_facts(arguments.facts)
    if arguments.exit_code is not None:
        facts.setdefault("run", {})["exit_code"] = arguments.exit_code
    diagnoser = Diagnoser.load()
    intake, stream = read_input(arguments.text, arguments.file)
    given = join([intake], facts, lambda: diagnoser.knowledge.fact_types)
    say_notes(given.notes)
    if stream is None and not given.text.strip() and not given.facts:
        raise InputError(given.nothing or "the text is empty; nothing was posted")
    collected = None if arguments.no_collect or given.machine else collect_meanwhile(None)
    return with_notes(diagnoser.diagnose(stream or given.text, given.facts, 3, collected), given.notes)
