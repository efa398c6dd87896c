"""``tfhelp serve``: the web form, the HTTP API and the Slack command."""

import argparse

from tfhelp.service.doors.cli.access_options import access_options, add_access_options
from tfhelp.service.doors.cli.private_folders import add_kb_option


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port (default: 8000; 0 takes a free one)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes that diagnose (default: one for each CPU, at most 4)")
    parser.add_argument("--max-bytes", type=int, metavar="N", help="longest text in bytes (default: 16 MiB, or TFHELP_MAX_BYTES)")
    parser.add_argument("--deadline", type=float, default=20.0, metavar="S", help="seconds that an answer may take (default: 20)")
    parser.add_argument("--queue", type=int, metavar="N", help="questions that may wait (default: 8 for each worker)")
    parser.add_argument(
        "--worker-memory", type=int, default=1024, metavar="MIB", help="memory that one question may take (default: 1024 MiB)"
    )
    parser.add_argument("--root-path", default="", metavar="PATH", help="path under which a proxy serves it, such as /tfhelp")
    parser.add_argument("--public-url", default="", metavar="URL", help="address at which people reach it, for links to itself")
    parser.add_argument(
        "--cors", action="append", default=[], metavar="ORIGIN", help="let pages of this origin call the API; repeat it for more"
    )
    parser.add_argument("--local-facts", action="store_true", help="let the form add facts of the machine that serves it")
    parser.add_argument(
        "--slack-socket",
        action="store_true",
        help="talk to Slack by Socket Mode, which needs no public address (SLACK_BOT_TOKEN and SLACK_APP_TOKEN)",
    )
    parser.add_argument(
        "--memory",
        metavar="WHERE",
        help="keep diagnoses for the team: a path or a database's URL (default: TFHELP_MEMORY, or none)",
    )
    parser.add_argument("--keep-days", type=float, default=180.0, metavar="DAYS", help="how long they are kept (default: 180)")
    parser.add_argument(
        "--no-experience",
        dest="weighs",
        action="store_false",
        help="do not let feedback change the ranking of causes in later answers",
    )
    parser.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="text: warnings and faults; json: a line for every request and diagnosis too, without what was pasted (default: text)",
    )
    add_kb_option(parser)
    add_access_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from tfhelp.service.doors.http.server import serve
    from tfhelp.service.doors.http.serving import Serving

    arguments.access = access_options(arguments)
    return serve(Serving(**{name: getattr(arguments, name) for name in Serving._fields}))
