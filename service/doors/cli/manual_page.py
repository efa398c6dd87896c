"""The manual page. It is made from the parsers, so it says what ``--help`` says.

Source of the macros: man(7).
"""

import argparse
import re

from tfhelp.service.doors.cli.command_line import COMMANDS
from tfhelp.service.doors.cli.help_text import TEXTS
from tfhelp.service.doors.cli.parsing import parser_of
from tfhelp.service.version import VERSION

_ENVIRONMENT = (
    ("NO_COLOR", "no colours."),
    ("FORCE_COLOR", "colours even if the output is not a terminal; 0 turns them off."),
    ("FORCE_HYPERLINK", "links on any terminal; 0 turns them off."),
    ("TFHELP_PAGER, PAGER", "the program that shows what is longer than the screen. The default is less \\-FRX."),
    ("NO_PAGER", "no pager."),
    ("VIRTUAL_ENV, CONDA_PREFIX", "the environment that is examined if no option names one."),
    ("TFHELP_KB", "folders of your team's own entries, with ':' between them (';' on Windows)."),
    ("TFHELP_CACHE", "folder for the compiled entries. The default is tfhelp under XDG_CACHE_HOME (~/.cache)."),
    ("XDG_STATE_HOME", "the runs of 'tfhelp run' are kept under it, in tfhelp/runs. The default is ~/.local/state."),
    ("TFHELP_TOKEN", "the token that 'tfhelp ask \\-\\-server' sends."),
    ("TFHELP_MEMORY, TFHELP_MEMORY_FILE", "the team's memory: a path or URL, or a file that holds it."),
    ("TFHELP_TOKENS_FILE", "a file of tokens, for 'tfhelp serve', 'tfhelp mcp' and 'tfhelp token'."),
    ("TFHELP_OIDC_CLIENT_ID", "this server's client at the issuer that \\-\\-oidc\\-issuer names."),
    ("TFHELP_OIDC_CLIENT_SECRET, TFHELP_OIDC_CLIENT_SECRET_FILE", "the secret of this client, or a file that holds it."),
    ("TFHELP_MAX_BYTES", "length in bytes of the longest text that 'tfhelp serve' takes."),
    ("SLACK_BOT_TOKEN", "with one of the next two, 'tfhelp serve' answers Slack."),
    ("SLACK_SIGNING_SECRET", "for requests that Slack sends to a public address."),
    ("SLACK_APP_TOKEN", "for Socket Mode (\\-\\-slack\\-socket), which needs no public address."),
    ("TFHELP_PUBLIC_URL", "the address to which links in Slack lead."),
    ("SLACK_WEBHOOK_URL", "the incoming webhook of 'tfhelp slack post'."),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "where 'tfhelp serve' sends traces."),
    ("TFHELP_SERVER, TFHELP_COMMAND", "the server, or the program, that a notebook asks."),
    ("TFHELP_UNREDACTED", "1: a notebook without tfhelp sends a text to TFHELP_SERVER as it is."),
    ("GITHUB_STEP_SUMMARY", "the file to which 'tfhelp ask \\-\\-format github' adds its answer."),
)
_UNPRINTED = re.compile(r"%\((\w+)\)s|%%")


def manual_page() -> str:
    """The page in the format of man."""
    parser = parser_of(None, everything=True)
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction)).choices
    lines = [
        f'.TH TFHELP 1 "" "tfhelp {VERSION}" "User Commands"',
        ".SH NAME",
        r"tfhelp \- from a TensorFlow error to the fix that fits this machine",
        ".SH SYNOPSIS",
        ".B tfhelp",
        ".RI [ COMMAND ] \\ ...",
        ".br",
        ".B tfhelp",
        ".RI [ TEXT \\ |\\  FILE ]",
        ".br",
        r"python train.py 2>&1 | \fBtfhelp\fR",
        ".SH DESCRIPTION",
        _text(parser.description or ""),
        ".SH COMMANDS",
    ]
    for name, command in commands.items():
        lines += _command(name, command)
    lines += [".SH EXAMPLES", *_examples("")]
    lines += [".SH EXIT STATUS", _text(_sentence(TEXTS[""][1])), ".SH ENVIRONMENT"]
    for variable, says in _ENVIRONMENT:
        lines += [".TP", rf"\fB{variable}\fR", says[0].upper() + says[1:]]
    return "\n".join(lines) + "\n"


def _command(name: str, parser: argparse.ArgumentParser) -> list[str]:
    lines = [f".SS tfhelp {_text(name)}", _text(parser.description or _sentence(COMMANDS[name][1] if name in COMMANDS else name))]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for inner, its in action.choices.items():
                lines += [".TP", rf"\fB{_text(name)} {_text(inner)}\fR", _text(_sentence(summaries.get(inner, inner)))]
                lines += [".RS", *(line for option in its._actions for line in _action(option)), ".RE"]
        else:
            lines += _action(action)
    own = parser.epilog or ""
    return [*lines, *(_own(own) if own else []), *([] if "examples:" in own else _examples(name))]


def _action(action: argparse.Action) -> list[str]:
    """An argument or option with its help; nothing for ``--help``, which every command has."""
    if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
        return []
    names = ", ".join(rf"\fB{_text(option)}\fR" for option in action.option_strings)
    value = "" if action.nargs == 0 else rf"\fI{_text(_value(action))}\fR"
    return [".TP", f"{names} {value}".strip(), _text(_sentence(_help(action)))]


def _value(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices is not None and not metavar:
        return "|".join(str(choice) for choice in action.choices)
    return metavar or (action.dest.upper().replace("_", "-") if action.option_strings else action.dest)


def _help(action: argparse.Action) -> str:
    return _UNPRINTED.sub(lambda found: str(getattr(action, found[1])) if found[1] else "%", action.help or "")


def _examples(command: str) -> list[str]:
    lines: list[str] = []
    if command in TEXTS:
        lines = [".PP", "Examples:"] if command else []
        for line, says in TEXTS[command][0]:
            lines += [".TP", rf"\fB{_text(line)}\fR", _text(_sentence(says))]
        if command:
            lines += [".PP", "Exit status: " + _text(_sentence(TEXTS[command][1]))]
    return lines


def _own(epilog: str) -> list[str]:
    """The text that a command adds to its help, with its line breaks."""
    return [".PP", ".nf", *(_text(line) if line.strip() else ".sp" for line in epilog.strip().split("\n")), ".fi"]


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".") if text else ""


def _text(text: str) -> str:
    """Words that man shows unchanged: no macro at the start of a line, plain hyphens, quotes and backslashes."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace('"', r"\(dq").replace("`", r"\(ga")
    escaped = escaped.replace("^", r"\(ha").replace("~", r"\(ti")
    return r"\&" + escaped if escaped.startswith((".", "'")) else escaped
