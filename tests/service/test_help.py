"""Help, completion, the manual page, and the messages for mistakes."""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import typing

import pytest

from tests.service.terminals import Terminal
from tfhelp.service.doors.cli.command_line import COMMANDS, main
from tfhelp.service.doors.cli.commands.completion import SHELLS, script_for
from tfhelp.service.doors.cli.help_text import TEXTS
from tfhelp.service.doors.cli.manual_page import manual_page
from tfhelp.service.doors.cli.mistakes import meant
from tfhelp.service.doors.cli.parsing import parser_of

Capture = pytest.CaptureFixture[str]
LONGEST = 110  # characters of a line of examples


def helped(capsys: Capture, *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    assert ended.value.code == 0
    return capsys.readouterr().out


def examples_of(text: str) -> list[list[str]]:
    """The arguments of each line that shows a call of tfhelp."""
    found = []
    for line in text.partition("examples:")[2].splitlines():
        called = re.match(r"  (?:[^\s].*\| )?(tfhelp\b.*?)(?:\s{2,}.*|)$", line) or re.match(
            r"  eval \"\$\((tfhelp [a-z ]+)\)\"", line
        )
        if called:
            found.append(shlex.split(re.split(r" [|>] ", called[1])[0])[1:])
    return found


def named_by_option(arguments: list[str]) -> list[str]:
    """Commands whose subject an option names: ``ask --kb DIR`` is an example of ``kb`` too."""
    return [word.removeprefix("--") for word in arguments if word.startswith("--")]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_help_of_every_command_has_examples_that_parse_and_exit_statuses(command: str, capsys: Capture) -> None:
    text = helped(capsys, *([command] if command else []), "--help")
    assert "\nexit status: " in text
    examples = examples_of(text)
    assert examples
    for arguments in examples:
        named = arguments[0] if arguments and arguments[0] in COMMANDS else "ask"
        parser = parser_of(named)
        assert parser.parse_known_args(arguments if named in arguments[:1] else ["ask", *arguments])[1] == [], arguments
        assert command in ("", "ask", named) or command in named_by_option(arguments), arguments


def test_lines_of_examples_are_no_longer_than_a_wide_terminal() -> None:
    for command, (examples, status) in TEXTS.items():
        assert all(len(line) + len(says) < LONGEST for line, says in examples), command
        assert status.startswith(("0 ", "that of the program"))


def test_help_of_a_command_is_its_help(capsys: Capture) -> None:
    assert helped(capsys, "help", "ask") == helped(capsys, "ask", "--help")
    assert helped(capsys, "help") == helped(capsys, "--help")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["aks", "some text"], "did you mean 'tfhelp ask'?"),
        (["docter", "--json"], "did you mean 'tfhelp doctor'?"),
        (["help", "lnt"], "did you mean 'lint'?"),
        (["ask", "--jsn", "x"], "has no option --jsn; did you mean --json?"),
        (["--fulll", "x"], "has no option --fulll; did you mean --full?"),
        (["plan", "--gup", "8.6"], "has no option --gup; did you mean --gpu?"),
        (["memory", "export", "--json"], "'tfhelp memory' does not take --json here."),
        (["ask", "two", "words"], "Put a text of several words in quotes."),
        (["explain", "gpu-out-of-memry"], "did you mean gpu-out-of-memory"),
    ],
)
def test_a_mistyped_command_gets_a_suggestion(arguments: list[str], said: str, capsys: Capture) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", "--format", "markdwon", "x"], "did you mean 'markdown'? 'tfhelp help ask' shows what there is.\n"),
        (["kb", "chek"], "did you mean 'check'?"),
        (["ask", "--top", "many", "x"], "argument --top: invalid int value: 'many'. 'tfhelp help ask'"),
    ],
)
def test_a_wrong_value_is_answered_without_all_of_the_usage(arguments: list[str], said: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    err = capsys.readouterr().err
    assert (ended.value.code, said in err, err.count("\n")) == (2, True, 1)


def test_an_ordinary_word_is_not_a_mistyped_command() -> None:
    assert [word for word in ("killed", "oom", "error", "nan", "hangs", "tensorflow") if meant(word, COMMANDS)] == []


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings if option.startswith("--")} - {"--help"}


def test_the_manual_page_has_every_command_and_option() -> None:
    page = manual_page().replace(r"\-", "-")
    for command in COMMANDS:
        assert f".SS tfhelp {command}\n" in page
        subparsers = next(action for action in parser_of(command)._actions if isinstance(action, argparse._SubParsersAction))
        assert [option for option in options(subparsers.choices[command]) if f"\\fB{option}\\fR" not in page] == []
    assert not re.search(r"%\(|^\.[^A-Za-z]", page, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_manual_page_says_once_how_a_command_ends(command: str) -> None:
    section = manual_page().split(f".SS tfhelp {command}\n")[1].split("\n.S")[0]
    assert len(re.findall("exit status: ", section, re.IGNORECASE)) == 1


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_the_manual_page_renders_without_a_warning(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "tfhelp.1"
    file.write_text(manual_page())
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
    assert "tfhelp ask --exit-code 137" in shown
    assert "--format text|json|markdown|github|sarif" in shown


@pytest.fixture(scope="module")
def shells(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with a ``tfhelp`` for the path, the script of each shell, and a file to complete."""
    folder = tmp_path_factory.mktemp("shells")
    program = folder / "bin/tfhelp"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tfhelp.service "$@"\n')
    program.chmod(0o755)
    for shell in SHELLS:
        (folder / f"script.{shell}").write_text(script_for(shell))
    (folder / "train.log").write_text("x")
    return folder


def run_in(shells: pathlib.Path, command: list[str]) -> str:
    environment = os.environ | {
        "PATH": f"{shells / 'bin'}:{os.environ['PATH']}",
        "HOME": str(shells),
        "XDG_CONFIG_HOME": str(shells),
    }
    done = subprocess.run(command, cwd=shells, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.stdout


WANTED = [
    (["doc"], {"doctor"}),
    (["ask", "--form"], {"--format"}),
    (["ask", "--format", "mark"], {"markdown"}),
    (["explain", "gpu-out-of"], {"gpu-out-of-memory"}),
    (["lint", "--explain", "TFH50"], {"TFH505"}),
    (["ask", "--code", "tra"], {"train.log"}),
    (["help", "pl"], {"plan"}),
    (["completion", "z"], {"zsh"}),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("words", "completed"), WANTED)
def test_bash_completes(words: list[str], completed: set[str], shells: pathlib.Path) -> None:
    line = shlex.join(["tfhelp", *words])
    script = (
        f"source script.bash\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; COMP_LINE='{line}'; COMP_POINT={len(line)}\n"
        "function=$(complete -p tfhelp | sed 's/.*-F \\([^ ]*\\) .*/\\1/')\n"
        f'compopt() {{ :; }}; $function tfhelp {shlex.quote(words[-1])} {shlex.quote(["tfhelp", *words][-2])}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    found = {word.strip() for word in run_in(shells, ["bash", "--norc", "-c", script]).split("\n")} - {""}
    assert completed <= found
    assert all(word.startswith(words[-1]) for word in found)


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize(("words", "completed"), WANTED)
def test_fish_completes(words: list[str], completed: set[str], shells: pathlib.Path) -> None:
    said = run_in(
        shells, ["fish", "--no-config", "-c", f"source script.fish; complete -C {shlex.quote(shlex.join(['tfhelp', *words]))}"]
    )
    found = {line.split("\t")[0] for line in said.splitlines()}
    assert completed <= found


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_completes(shells: pathlib.Path) -> None:
    environment: dict[str, typing.Any] = {
        "PATH": f"{shells / 'bin'}:{os.environ['PATH']}",
        "HOME": str(shells),
        "ZDOTDIR": str(shells),
    }
    with Terminal(["-f"], program=["zsh"], columns=200, **environment) as terminal:
        terminal.write(
            f"cd {shells}; PS1='ready> '; autoload -U compinit; compinit -u -D; eval \"$(cat script.zsh)\"; echo be''gun\n"
        )
        terminal.until("begun")
        for typed, completed in (
            ("explain gpu-out-of", "gpu-out-of-memory"),
            ("ask --form", "--format"),
            ("doc", "doctor"),
            ("ask --code tra", "train.log"),
        ):
            terminal.write(f"tfhelp {typed}\t")
            terminal.until(completed)
            terminal.write("\x15")  # empties the line
        terminal.write("exit\n")
        terminal.rest()
