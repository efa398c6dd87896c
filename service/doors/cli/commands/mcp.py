"""``tfhelp mcp``: tfhelp as tools of an agent, over the Model Context Protocol."""

import argparse

from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.errors import InputError
from tfhelp.service.version import how_to_install

_EPILOG = """\
examples:
  tfhelp mcp                             what a client starts: {"command": "tfhelp", "args": ["mcp"]}
  tfhelp mcp --http 8765                 for clients on this machine: http://127.0.0.1:8765/mcp
  tfhelp mcp --http 0.0.0.0:8765 --host tools.example.org --tokens-file tokens.txt
                                         for others, who send a token ('tfhelp token create NAME' makes one)
  tfhelp mcp --kb team-kb                with the entries of your team

Over standard input and output, diagnose and lint also take a path, and doctor, plan and diagnose can look at this machine.
Over HTTP, a script is passed as text, and clients on other machines learn nothing about this one.

exit status: 0 the client has gone, 2 bad usage, or the port cannot be used
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    parser.add_argument("--http", metavar="[HOST:]PORT", help="serve streamable HTTP there instead of standard input and output")
    parser.add_argument(
        "--host", metavar="NAME", action="append", default=[], help="with --http: a name under which other machines reach it"
    )
    parser.add_argument(
        "--tokens-file",
        default="",
        metavar="FILE",
        help="with --http: anyone who sends a token from this file may use it (TFHELP_TOKENS_FILE)",
    )
    parser.add_argument("--open-to-all", action="store_true", help="with --http and --host: everybody who reaches it may use it")
    add_kb_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client leaves or Ctrl-C."""
    if arguments.host and not arguments.http:
        raise InputError("--host needs --http")
    if (arguments.tokens_file or arguments.open_to_all) and not arguments.http:
        raise InputError("--tokens-file and --open-to-all need --http")
    try:
        import mcp.server.mcpserver  # noqa: F401 - whether it is installed
    except ImportError as error:
        raise InputError(f"'tfhelp mcp' needs the extra 'mcp': {how_to_install('mcp')} ({error})") from None
    from tfhelp.service.doors.mcp.transports import serve_http, serve_stdio

    if not arguments.http:
        return serve_stdio()
    from tfhelp.service.access.policy import Options

    return serve_http(
        arguments.http, arguments.host, Options(open_to_all=arguments.open_to_all, tokens_file=arguments.tokens_file)
    )
