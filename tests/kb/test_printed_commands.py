"""Every command that answers print parses in its shell, and its options, modules and environment variables exist.

``test_snippets.py`` lints the snippets; this file covers the faults that a linter does not know.
"""

import ast
import contextlib
import functools
import importlib.util
import io
import mmap
import pathlib
import re
import shutil
import subprocess
import sys
import typing

import packaging.requirements
import pygments.lexers
import pytest
import yaml
from pip._internal.commands import commands_dict, create_command
from pygments.token import Token

from tests.kb.printed import PLACEHOLDER, Command, Printed, commands, of, pip_arguments, without_placeholders
from tfhelp.service.doors.cli import command_line, parsing

Json = dict[str, typing.Any]

KNOWN: Json = yaml.safe_load(pathlib.Path(__file__).with_name("known_options.yaml").read_text(encoding="utf-8"))
POSIX = of("shell")
SIMPLE = [(one, command) for one in of("shell", "span") for command in commands(one.code)]
# Programs that every Linux has: their own --help shows what they accept.
_ASKED_HERE = ("cat", "date", "df", "du", "find", "free", "grep", "head", "id", "ls", "ps", "sort", "tail", "uname", "uniq")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")


def faults(found: typing.Iterable[tuple[Printed, object]]) -> list[str]:
    """The faults, with their place and code, so that a failing test names all of them."""
    return [f"{one.place}: {about}: {one.code}" for one, about in found if about]


# It parses


def test_posix_lines_parse_in_bash() -> None:
    # One shell for all: a line that does not parse is searched for only if there is one.
    together = "\n".join(f"f{number}() {{ :\n{one.code}\n}}" for number, one in enumerate(POSIX))
    if _bash(together):
        assert faults((one, _bash(one.code)) for one in POSIX) == []
        pytest.fail("the lines parse one by one and not together")


def _bash(code: str) -> str:
    done = subprocess.run(["bash", "-n"], input=code, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("language", ["yaml"])
def test_files_parse(language: str) -> None:
    for one in of(language):
        assert isinstance(yaml.safe_load(one.code), dict), one


@pytest.mark.parametrize(("language", "lexer"), [("cmd", "batch"), ("powershell", "powershell")])
def test_windows_lines_are_of_their_shell(language: str, lexer: str) -> None:
    lines = of(language)
    assert len(lines) > 40
    lexed = pygments.lexers.get_lexer_by_name(lexer)
    assert faults((one, _errors(lexed.get_tokens(one.code))) for one in lines) == []
    check = cmd_fault if language == "cmd" else powershell_fault
    assert faults((one, check(one.code)) for one in lines) == []


def _errors(tokens: typing.Iterable[tuple[object, str]]) -> str:
    return "".join(text for kind, text in tokens if kind is Token.Error)


def cmd_fault(code: str) -> str:
    """Parts that cmd would not understand, or would understand differently."""
    if code.count('"') % 2:
        return "a quotation does not end"
    if re.search(r"\bset \w+=[^&\n]*[ \t]+(?:&|$)", code):
        return "the space in front of && becomes part of the value"
    outside = re.sub(r'"[^"]*"', '""', code)
    if "'" in outside:
        return "cmd knows no single quotes"
    if ";" in outside:
        return "cmd does not separate commands by a semicolon"
    if re.search(r"^\s*(?:(?:export|unset|rm|ls|cat|grep|sudo)\b|\$env:)|\|\s*(?:grep|head|tail)\b|/dev/null|\$\w", outside):
        return "a command of another shell"
    return ""


def powershell_fault(code: str) -> str:
    """Parts that Windows PowerShell 5.1, the version that Windows ships, would not understand."""
    outside = re.sub(r"'(?:[^']|'')*'|\"(?:[^\"`]|`.)*\"", "''", code)
    if re.search("[\"']", outside.replace("''", "")):
        return "a quotation does not end"
    if "&&" in outside or "||" in outside:
        return "PowerShell 5.1 knows no && and ||"
    if re.search(r"(?m)^\s*(?:export|unset|set \w+=|[A-Z_]+=)|\|\s*(?:grep|head|tail|findstr)\b|/dev/null", outside):
        return "a command of another shell"
    if "{" in outside and outside.count("{") != outside.count("}"):
        return "a brace does not end"
    return ""


@pytest.mark.parametrize(
    ("check", "code", "says"),
    [
        (cmd_fault, "set A=1 && python train.py", "space"),
        (cmd_fault, "set A=1&& python train.py", ""),
        (cmd_fault, "python -m pip install 'x<2'", "single quotes"),
        (cmd_fault, 'python -m pip install "x<2', "does not end"),
        (cmd_fault, "python a.py; echo 1", "semicolon"),
        (cmd_fault, "pip list | grep tensorflow", "another shell"),
        (powershell_fault, "$env:A = '1'; python train.py", ""),
        (powershell_fault, "python -m venv a && a\\Scripts\\python", "&&"),
        (powershell_fault, "A=1 python train.py", "another shell"),
        (powershell_fault, "python -c 'print(1)", "does not end"),
    ],
)
def test_the_checks_of_windows_shells_find_their_faults(check: typing.Callable[[str], str], code: str, says: str) -> None:
    assert says in check(code) if says else check(code) == ""


def test_python_on_a_command_line_compiles() -> None:
    found = [(one, command.words[command.words.index("-c") + 1]) for one, command in SIMPLE if _runs_code(command)]
    assert len(found) > 40
    assert faults((one, _python_fault(code)) for one, code in found) == []


def _runs_code(command: Command) -> bool:
    return bool(command.words) and "python" in command.words[0] and "-c" in command.words


def _python_fault(code: str) -> str:
    try:
        ast.parse(code)
    except SyntaxError as error:
        return str(error)
    return ""


def test_no_bracket_is_where_a_shell_would_expand_it() -> None:
    pattern = re.compile(r"\b(?:tensorflow|keras|jax|ray)[\w-]*\[")
    assert faults((one, pattern.search(_without_quotations(one.code))) for one in of("shell", "powershell")) == []


def _without_quotations(code: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "''", code)


# Its options exist


def test_pip_takes_these_options() -> None:
    found = [(one, arguments) for one, command in SIMPLE if (arguments := pip_arguments(command.words))]
    assert len(found) > 100
    assert faults((one, pip_fault(arguments)) for one, arguments in found) == []


def pip_fault(arguments: list[str]) -> str:
    """The complaint of pip's own parser about these arguments, and about the requirements among them."""
    if arguments[0] == "--version":
        return ""
    if arguments[0] not in commands_dict:
        return f"pip has no command {arguments[0]}"
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            _, rest = _pip_command(arguments[0]).parse_args(arguments[1:])
    except SystemExit:
        return said.getvalue() or "pip refuses it"
    return "" if arguments[0] not in ("install", "download") else " ".join(filter(None, map(_requirement_fault, rest)))


@functools.cache
def _pip_command(name: str) -> typing.Any:
    return create_command(name)


def _requirement_fault(text: str) -> str:
    if text.endswith(".whl") or "$" in text:
        return ""
    try:
        packaging.requirements.Requirement(re.sub(rf"{PLACEHOLDER}(?:\.\*|\.0)?$", "1.0", text))
    except packaging.requirements.InvalidRequirement as error:
        return f"{text}: {error}"
    return ""


def test_a_wrong_option_of_pip_is_found() -> None:
    assert pip_fault(["install", "--no-such-option", "x"])
    assert pip_fault(["instal", "x"])
    assert pip_fault(["install", "tensorflow[and-cuda]==2.21.0"]) == ""
    assert pip_fault(["install", "tensorflow=>2"])


def test_tfhelp_takes_these_words() -> None:
    found = [(one, command.words[1:]) for one, command in SIMPLE if command.words[:1] == ["tfhelp"]]
    assert found
    assert faults((one, _tfhelp_fault(words)) for one, words in found) == []


def _tfhelp_fault(words: list[str]) -> str:
    if words[0] not in command_line.COMMANDS:
        return "no such command"
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            parsing.parser_of(words[0]).parse_args(words)
    except SystemExit:
        return said.getvalue()
    return ""


def test_modules_of_python_exist() -> None:
    found = [(one, command.words[command.words.index("-m") + 1]) for one, command in SIMPLE if _runs_module(command)]
    assert len(found) > 100
    known = {*KNOWN["modules"], *sys.stdlib_module_names}
    assert faults((one, module) for one, module in found if module not in known and module != "pip") == []
    for module in {module for _, module in found} & set(sys.stdlib_module_names):
        assert importlib.util.find_spec(module), module


def _runs_module(command: Command) -> bool:
    return bool(command.words) and "python" in command.words[0] and "-m" in command.words[:3]


def options_of(words: list[str]) -> list[str]:
    """The options among words, without their values."""
    return [found[0] for word in words if (found := _OPTION.match(word)) and word[0] == "-"]


def test_programs_that_are_not_here_know_their_options() -> None:
    found = [(one, command.words) for one, command in SIMPLE if command.words and command.words[0] in KNOWN["programs"]]
    assert len(found) > 80
    assert faults((one, known_fault(words)) for one, words in found) == []
    used = {words[0] for _, words in found}
    assert used == set(KNOWN["programs"])


def known_fault(words: list[str]) -> str:
    """Options and fields of a command that the written list does not contain."""
    about = KNOWN["programs"][words[0]]
    mine = words[1 : words.index(PLACEHOLDER)] if words[0] == "docker" and PLACEHOLDER in words else words[1:]
    if words[0] == "docker":
        mine = mine[: next((at for at, word in enumerate(mine) if word in ("python", "bash", "nvidia-smi")), None)]
    if words[0] == "compute-sanitizer":
        mine = mine[:2]
    options = [*about["options"], *about.get("commands", {}).get(mine[0] if mine else "", [])]
    wrong = [option for option in options_of(mine) if option not in options]
    for name, wanted in (("--query-gpu=", "fields"), ("--query-compute-apps=", "fields"), ("--format=", "formats")):
        values = [value for word in mine if word.startswith(name) for value in word.removeprefix(name).split(",")]
        allowed = about.get(wanted) or about.get("fields", [])
        wrong += [value for value in values if value.split("%")[0] not in allowed]
    return ", ".join(wrong)


def test_a_wrong_option_or_field_is_found() -> None:
    assert known_fault(["nvidia-smi", "--query-gpu=memory-used", "--format=csv"]) == "memory-used"
    assert known_fault(["nvidia-smi", "--reset"]) == "--reset"
    assert known_fault(["nvidia-smi", "topo", "-m"]) == ""


@pytest.mark.parametrize("program", _ASKED_HERE)
def test_programs_that_are_here_know_their_options(program: str) -> None:
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed here")
    found = [(one, options_of(command.words[1:])) for one, command in SIMPLE if command.words[:1] == [program]]
    help_text = _help(program)
    assert faults((one, [name for name in options if not _in_help(name, help_text)]) for one, options in found) == []


def test_alternatives_of_find_stand_in_parentheses() -> None:
    """``-newer X -name A -o -name B`` finds every B, however old."""
    lines = [one for one in POSIX if "find " in one.code and " -o " in one.code and "\\(" not in one.code]
    tests = re.compile(r" -(?!print|o\b)[a-z]+")
    assert faults((one, len(tests.findall(one.code.split(" -o ")[0])) > 1) for one in lines) == []


def _help(program: str) -> str:
    wanted = [program, "--help", "all"] if program == "ps" else [program, "--help"]
    return subprocess.run(wanted, capture_output=True, text=True, check=False).stdout


def _in_help(option: str, help_text: str) -> bool:
    if option.startswith("-newer"):  # find's help shows only the form: -newerXY
        option = "-newer"
    if option.startswith("--") or re.search(rf"(?<![\w-]){option}\b", help_text):
        return option in help_text
    # -iE is -i and -E; a digit is a value (-A3). The meaning of a number alone (tail -20) is not an option.
    return all(re.search(rf"(?<![\w-])-{letter}\b", help_text) for letter in option[1:] if letter.isalpha())


# Its environment variables exist

_ON_WINDOWS = re.compile(r"(?:\bset (?=\w+=)|\$env:|\bEnv:)([A-Za-z_]\w*)")
_IN_PYTHON = re.compile(r"environ(?:\.\w+\(|\[)[\"']([A-Za-z_]\w*)")
_EXPORTED = re.compile(r"(?m)(?:^|[;&] *)(?:export|unset|printenv) ([A-Za-z_]\w*)")


def variables() -> dict[str, Printed]:
    """Every environment variable that a command or a snippet sets or reads, with one place of it."""
    found = {name: one for one, command in SIMPLE for name in command.variables}
    for one in of("cmd", "powershell", "shell", "python"):
        for pattern in (_ON_WINDOWS, _IN_PYTHON, _EXPORTED):
            found.update(dict.fromkeys(pattern.findall(one.code), one))
    return found


def test_environment_variables_are_known() -> None:
    found = variables()
    assert len(found) > 30
    unknown = {name: one.place for name, one in found.items() if name not in KNOWN["environment"]}
    assert unknown == {}


@pytest.mark.slow
def test_tensorflow_knows_its_environment_variables() -> None:
    wanted = {name for name, source in KNOWN["environment"].items() if source == "tensorflow"}
    wanted |= {flag for one, command in SIMPLE for flag in re.findall(r"--(\w+)", command.variables.get("XLA_FLAGS", ""))}
    wanted |= {flag for one, command in SIMPLE for flag in re.findall(r"--(\w+)", command.variables.get("TF_XLA_FLAGS", ""))}
    assert "tf_xla_auto_jit" in wanted
    spec = importlib.util.find_spec("tensorflow")
    assert spec and spec.submodule_search_locations
    folder = pathlib.Path(spec.submodule_search_locations[0])
    for path in [*folder.glob("libtensorflow*.so*"), *folder.glob("python/distribute/*.py"), *folder.glob("python/util/*.py")]:
        if path.stat().st_size:
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                wanted = {name for name in wanted if content.find(name.encode()) < 0}
    assert wanted == set()


def test_a_placeholder_is_not_a_redirection() -> None:
    assert without_placeholders("pip install 'x==<your version>.*' > log") == f"pip install 'x=={PLACEHOLDER}.*' > log"
