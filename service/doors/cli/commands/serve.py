"""``tfhelp serve``: the web form, the HTTP API and the Slack command."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port (default: 8000; 0 takes a free one)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes that diagnose (default: one a processor, at most 4)")
    parser.add_argument("--max-bytes", type=int, metavar="N", help="longest text in bytes (default: 16 MiB, or TFHELP_MAX_BYTES)")
    parser.add_argument("--root-path", default="", metavar="PATH", help="path below which a proxy serves it, such as /tfhelp")
    parser.add_argument(
        "--public-url", default="", metavar="URL", help="address under which people reach it, for links to itself"
    )
    parser.add_argument(
        "--cors", action="append", default=[], metavar="ORIGIN", help="pages of this origin may ask the API; may be given again"
    )
    parser.add_argument("--local-facts", action="store_true", help="let the form add facts of the machine that serves it")


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from tfhelp.service.doors.http.server import serve

    reached = (arguments.root_path, arguments.public_url, arguments.cors)
    return serve(arguments.host, arguments.port, arguments.max_bytes, arguments.local_facts, arguments.workers, reached)
