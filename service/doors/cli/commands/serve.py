"""``tfhelp serve``: the web form, the HTTP API and the Slack command."""

import argparse

from tfhelp.service.doors.cli.private_folders import add_kb_option


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port (default: 8000; 0 takes a free one)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes that diagnose (default: one a processor, at most 4)")
    parser.add_argument("--max-bytes", type=int, metavar="N", help="longest text in bytes (default: 16 MiB, or TFHELP_MAX_BYTES)")
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
    parser.add_argument("--no-experience", action="store_true", help="what people said of answers moves no cause of later ones")
    add_kb_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from tfhelp.service.doors.http.server import serve

    return serve(
        arguments.host,
        arguments.port,
        arguments.max_bytes,
        arguments.local_facts,
        arguments.workers,
        arguments.slack_socket,
        arguments.memory,
        arguments.keep_days,
        not arguments.no_experience,
    )
