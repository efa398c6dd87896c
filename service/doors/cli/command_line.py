"""The ``tfhelp`` command line: lists the commands, imports only the chosen one, and turns errors into sentences.

Exit status of every command: 0 done (answered), 1 no answer or something found, 2 bad usage or input.
"""

import errno
import os
import sys

from tfhelp.service.doors.cli import quick_arguments
from tfhelp.service.errors import InputError

USAGE_ERROR = 2

# command -> (module, help). Only the chosen command's module is imported: `ask` must start at once.
COMMANDS = {
    "ask": ("ask", "diagnose an error text, a log or an exit code"),
    "run": ("run", "run a training program, and say why if it ends badly, ends early or hangs"),
    "try": ("trying", "run experiments that decide between the causes of a failure, and prove its fix"),
    "explain": (
        "explain",
        "show all that is known about an entry, a message or a name such as tf.keras.Model.fit, or list the entries",
    ),
    "collect": ("collect", "print the facts of this machine as JSON"),
    "condense": ("condense", "print the records of a text and the failure among them"),
    "report": ("report", "write a bug report: the condensed failure and redacted facts"),
    "plan": ("plan", "which TensorFlow works with this Python, GPU and driver, and how to install it"),
    "doctor": ("doctor", "find what is wrong with this machine's TensorFlow, without an error text"),
    "lint": ("lint", "find what is wrong in a training script, without running it"),
    "upgrade": ("upgrade", "find what a script uses that a release of TensorFlow lacks, and edit it"),
    "serve": ("serve", "start the web form, the HTTP API and the Slack command"),
    "slack": ("slack", "print the manifest of the Slack app, or post a diagnosis to a channel"),
    "mcp": ("mcp", "give an agent the tools of tfhelp (Model Context Protocol)"),
    "lsp": ("lsp", "show what lint finds in an editor (Language Server Protocol)"),
    "eval": ("evaluate", "score the answers over a file of cases with known answers"),
    "memory": ("memory", "list, delete, export and import what a team's memory holds, and find gaps in the knowledge"),
    "token": ("token", "make, list and revoke the tokens that programs use to ask a server"),
    "kb": ("knowledge", "check, begin and compare knowledge-base entries"),
    "completion": ("completion", "print what a shell needs to complete commands, options, entries and files"),
    "man": ("manual", "print the manual page"),
    "help": ("helping", "show the options and examples of a command"),
}


def main(argv: list[str] | None = None) -> int:
    """Run a command and return the exit status."""
    try:
        _escape_unencodable_output()
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return status
    except _expected_errors() as error:
        print(f"tfhelp: {error}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (head, less) has gone.
        _silence_output()
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _silence_output()
        print(f"tfhelp: cannot write all of it: {error.strerror}", file=sys.stderr)
        return USAGE_ERROR


def _run(given: list[str]) -> int:
    arguments = _with_command(given)
    command = next((word for word in arguments if not word.startswith("-")), None)
    options = quick_arguments.read(arguments)
    if options is not None:
        return int(options.run(options))
    from tfhelp.service.doors.cli.parsing import parser_of

    parser = parser_of(command if command in COMMANDS else None, with_help=_asks_for_help(arguments))
    options, left = parser.parse_known_args(arguments)
    if left:
        from tfhelp.service.doors.cli.mistakes import unexpected

        raise InputError(unexpected(left, command or "", parser))
    if getattr(options, "kb", None):
        from tfhelp.service.doors.cli.private_folders import use_folders

        use_folders(options.kb)
    status: int = options.run(options)
    return status


def _asks_for_help(arguments: list[str]) -> bool:
    return "-h" in arguments or any(word.startswith("--h") for word in arguments)


def _escape_unencodable_output() -> None:
    """On a terminal or pipe that is not UTF-8, write other characters as escapes instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None) or "utf-8"
        if encoding.lower().replace("-", "") != "utf8" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments, with ``ask`` before them if they name no command: a text, a file or a pipe is a question.

    Raises:
        InputError: the first word is almost a command's name.
    """
    first = arguments[0] if arguments else ""
    if first in COMMANDS or first in ("-h", "--help", "--version"):
        return arguments
    if not arguments:
        return arguments if sys.stdin is None or sys.stdin.isatty() else ["ask"]
    if first.isalpha() and not os.path.isfile(first):
        from tfhelp.service.doors.cli.mistakes import meant

        near = meant(first.lower(), COMMANDS)
        if near:
            raise InputError(f"there is no command {first!r}; did you mean 'tfhelp {near}'? A text goes to 'tfhelp ask'.")
    return ["ask", *arguments]


def _silence_output() -> None:
    """Discard the rest of the output, which nothing reads. Otherwise the interpreter would try again at exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _expected_errors() -> tuple[type[Exception], ...]:
    """Errors that the user can fix. Looked up late: most commands never import the modules that define them."""
    names = (
        ("tfhelp.kb.fact_sheet", "FactError"),
        ("tfhelp.kb.build_products", "ArtefactError"),
        ("tfhelp.collectors.errors", "CollectorError"),
    )
    loaded = [getattr(sys.modules[module], name) for module, name in names if module in sys.modules]
    return (InputError, *loaded)
