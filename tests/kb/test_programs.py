"""Reading a program's metadata: what is understood, and the message for a wrong value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.programs import ProgramError, read_program


def block(*lines: str) -> str:
    return "\n".join(["# /// script", *(f"# {line}" if line else "#" for line in lines), "# ///", "print(1)", ""])


def test_all_keys_are_read() -> None:
    program = read_program(
        "p.py",
        block(
            'requires-python = ">=3.10"',
            'dependencies = ["tensorflow==2.21.*", "numpy"]',
            "",
            "[tool.tfhelp]",
            'name = "random.py"',
            "timeout = 7",
            'signal = "SIGKILL"',
            'send-signal = {name = "SIGINT", after = 0.5, when = "ready", worker = 1}',
            "limits = {open_files = 32}",
            "memory_mib = 300",
            'files = {"data/a.csv" = "a,b", "b.bin" = {base64 = "AAEC"}}',
            "workers = 2",
            'env = {TF_CPP_MIN_LOG_LEVEL = "2"}',
            "rate = 0.25",
            "observed = true",
            'python = "3.9"',
            "tmpfs_mib = 8",
            'stdin = "y"',
            'args = ["--fast"]',
            'needs = ["zsh"]',
        ),
    )
    assert (program.requires_python, program.dependencies) == (">=3.10", ("tensorflow==2.21.*", "numpy"))
    assert (program.name, program.timeout, program.signal, program.exit) == ("random.py", 7.0, "SIGKILL", "nonzero")
    sent = program.send_signal
    assert sent is not None
    assert (sent.name, sent.after, sent.when, sent.worker) == ("SIGINT", 0.5, "ready", 1)
    assert (program.limits, program.memory_mib, program.tmpfs_mib) == ({"open_files": 32}, 300, 8)
    assert program.files == {"data/a.csv": b"a,b", "b.bin": b"\x00\x01\x02"}
    assert (program.workers, program.env, program.rate) == (2, {"TF_CPP_MIN_LOG_LEVEL": "2"}, 0.25)
    assert (program.python, program.stdin, program.args, program.observed) == ("3.9", "y", ("--fast",), True)
    assert program.needs == ("zsh",)


def test_a_block_without_options_has_the_defaults() -> None:
    program = read_program("p.py", block("dependencies = []"))
    assert (program.name, program.timeout, program.exit, program.signal) == ("train.py", 120.0, "nonzero", "")
    assert (program.send_signal, program.limits, program.workers, program.rate) == (None, {}, 0, 1.0)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["[tool.tfhelp]", "timeout = 0"], "p.py:3: timeout: must be a number of seconds above 0"),
        (["[tool.tfhelp]", "timeout = true"], "p.py:3: timeout: must be a number"),
        (["[tool.tfhelp]", "", "exit = 256"], "p.py:4: exit: must be an exit code from 0 to 255"),
        (["[tool.tfhelp]", 'exit = "zero"'], "p.py:3: exit: must be an exit code"),
        (["[tool.tfhelp]", 'signal = "KILL"'], "p.py:3: signal: must be the name of a signal"),
        (["[tool.tfhelp]", 'signal = "SIGNOSUCH"'], "p.py:3: signal: must be the name of a signal"),
        (["[tool.tfhelp]", 'send-signal = {name = "SIGINT"}'], "p.py:3: send-signal: has the keys name"),
        (["[tool.tfhelp]", 'send-signal = {name = "SIGINT", worker = 0}'], "needs after (seconds) or when"),
        (["[tool.tfhelp]", "limits = {ram_mib = 3}"], "p.py:3: limits: unknown limit ram_mib; known are address_space_mib"),
        (["[tool.tfhelp]", 'files = {"../x" = ""}'], "p.py:3: files: '../x' is not a file name inside"),
        (["[tool.tfhelp]", 'files = {"/etc/x" = ""}'], "p.py:3: files: '/etc/x' is not a file name inside"),
        (["[tool.tfhelp]", 'files = {"x" = {base64 = "?"}}'], "p.py:3: files: x is not base64"),
        (["[tool.tfhelp]", "rate = 0"], "p.py:3: rate: must be above 0"),
        (["[tool.tfhelp]", "observed = 1"], "p.py:3: observed: must be true or false"),
        (["[tool.tfhelp]", "workers = 0"], "p.py:3: workers: must be an integer"),
        (["[tool.tfhelp]", 'name = "train.sh"'], "p.py:3: name: must be a plain file name that ends in .py"),
        (["[tool.tfhelp]", "env = {A = 1}"], "p.py:3: env: must be a table: name -> text"),
        (["[tool.tfhelp]", "colour = 1"], "p.py:3: colour: unknown key; known are name, timeout"),
        (["[tool.tfhelp]", 'python = "3.9"'], "p.py:3: python: another interpreter needs the dependencies"),
        (["dependencies = 1"], "p.py:2: dependencies: requires-python is a text, dependencies a list"),
        (["homepage = 1"], "p.py:2: homepage: the block knows"),
        (["[tool.tfhelp]", "timeout = "], "p.py:3: the block is not TOML"),
        (["tool = 1"], "[tool.tfhelp] is a table"),
    ],
)
def test_a_wrong_value_names_file_line_and_key(lines: list[str], message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_program("p.py", block(*lines))
    assert message in str(caught.value)


def test_a_program_has_exactly_one_block() -> None:
    with pytest.raises(ProgramError, match="no '# /// script' block"):
        read_program("p.py", "print(1)\n")
    with pytest.raises(ProgramError, match="more than one"):
        read_program("p.py", block("dependencies = []") + block("dependencies = []"))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_block_is_read_or_refused_with_its_line(content: str) -> None:
    source = block(*content.splitlines())
    try:
        program = read_program("p.py", source)
    except ProgramError as error:
        assert str(error).startswith("p.py:")
    else:
        assert program.text == source
