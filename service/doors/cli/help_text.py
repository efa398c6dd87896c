"""Help texts: the formatter that keeps line breaks, and the examples and exit statuses of each command.

They are here and not in the commands, so that only ``--help`` loads them. A command with more to say has its own text.
"""

import argparse
import textwrap

from tfhelp.service.doors.cli.parsing import HelpFormatter


class ExamplesFormatter(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Help whose lists, such as the examples, keep their lines; a paragraph of one line is wrapped."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(
            part if "\n" in part else textwrap.fill(part.strip(), width, initial_indent=indent, subsequent_indent=indent)
            for part in text.split("\n\n")
        )


# command -> (examples with explanations, exit statuses)
TEXTS: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {
    "": (
        (
            ("python train.py 2>&1 | tfhelp", "diagnose what a training run prints"),
            ("tfhelp train.log --code train.py", "a log, and the script that wrote it"),
            ("tfhelp run -- python train.py", "run a training program, and say why it ended badly"),
            ("tfhelp doctor", "what is wrong with this machine's TensorFlow"),
            ("tfhelp help ask", "the options of a command"),
        ),
        "0 done or answered, 1 no answer or something found, 2 bad usage or input, 130 interrupted",
    ),
    "ask": (
        (
            ("python train.py 2>&1 | tfhelp", "what a training run prints; 'ask' may be left out"),
            ("tfhelp ask train.log --code train.py", "a log, and the script that wrote it"),
            ('tfhelp ask "Could not load library libcudnn"', "a message; the facts of this machine are added"),
            ("tfhelp ask --exit-code 137", "no text at all"),
            ("tfhelp ask --facts gpu-box.json -f train.log", "a log from another machine, with its facts"),
            ("tfhelp ask --format github -f train.log", "an annotation and a summary in GitHub Actions"),
            ("tfhelp ask --server https://help.example.org -f train.log", "ask a server; TFHELP_TOKEN says who asks"),
            ("tfhelp ask --run last --full", "all that is known about the last 'tfhelp run'"),
        ),
        "0 answered, 1 no answer is known, 2 bad usage or input",
    ),
    "run": (
        (
            ("tfhelp run -- python train.py --epochs 3", "run it, and get an answer if it ends badly"),
            ("tfhelp run --hang-after 300 -- python train.py", "also get an answer if it prints nothing for five minutes"),
            ("tfhelp run --watch-learning -- python train.py", "also get an answer if the model does not learn"),
            ("tfhelp run --list", "the runs that are kept, and the folder to delete them from"),
        ),
        "that of the program; 128 + N after signal N, 126 or 127 if it cannot be started, 2 bad usage",
    ),
    "explain": (
        (
            ("tfhelp explain", "the list of all entries"),
            ("tfhelp explain gpu-out-of-memory", "all that is known about one entry"),
            ('tfhelp explain "Shapes (2, 3) and (4, 5) are incompatible"', "which function raises it, in which releases"),
            ("tfhelp explain tf.keras.Model.fit", "in which releases a name exists, and its parameters"),
            ("tfhelp explain MatMul", "what an operation takes, and on which devices"),
        ),
        "0 something is known, 1 nothing is known, 2 no such entry or bad usage",
    ),
    "collect": (
        (
            ("tfhelp collect > facts.json", "the facts of this machine, without names and secrets"),
            ("tfhelp collect --deep --python ~/envs/tf", "also import TensorFlow in another environment"),
        ),
        "0 collected, 2 bad usage or input",
    ),
    "condense": (
        (
            ("tfhelp condense -f train.log", "the records of a log, and the failure among them"),
            ("python train.py 2>&1 | tfhelp condense --json", "the same as JSON lines"),
        ),
        "0 read, 2 bad usage or input",
    ),
    "report": (
        (
            ("tfhelp report -f train.log > report.md", "a bug report about a log, with this machine's facts"),
            ("tfhelp report --no-collect -f train.log", "the same without this machine's facts"),
        ),
        "0 written, 2 bad usage or input",
    ),
    "plan": (
        (
            ("tfhelp plan", "for this machine"),
            ("tfhelp plan --python 3.12 --gpu 'RTX 5090' --driver 570", "for another machine"),
            ("tfhelp plan --os windows --gpu none", "for Windows, without a GPU"),
        ),
        "0 a release fits, 1 none fits or only without the GPU, 2 bad usage or input",
    ),
    "upgrade": (
        (
            ("tfhelp upgrade train.py --to 2.21", "what the script uses that TensorFlow 2.21 lacks"),
            ("tfhelp upgrade src --diff", "the automatic edits, as a diff"),
            ("tfhelp upgrade notebook.ipynb --write", "make the edits"),
        ),
        "0 nothing to change (with --write: nothing left to change), 1 something to change, 2 a file that cannot be read",
    ),
    "serve": (
        (
            ("tfhelp serve", "listen at http://127.0.0.1:8000, for this machine only"),
            ("tfhelp serve --host 0.0.0.0 --open-to-all", "let everybody on the network use it"),
            ("tfhelp serve --local-facts", "let the form add this machine's facts"),
        ),
        "0 after Ctrl-C, 2 if it cannot start",
    ),
    "eval": (
        (
            ("tfhelp eval cases.jsonl", "how many answers are right, with an explanation of every miss"),
            ("tfhelp eval cases.jsonl --against before.json", "also what changed since an earlier --json"),
        ),
        "0 every case was read, 2 bad usage or input",
    ),
    "slack": (
        (
            ("tfhelp slack manifest --socket", "the app's manifest, if Slack cannot reach the server"),
            ("tfhelp slack manifest --url https://tfhelp.example.com", "the same for a public address"),
            ("tfhelp slack post -f train.log", "post the answer to a channel, as from a CI job"),
        ),
        "0 done, 2 bad usage or nothing was posted",
    ),
    "completion": (
        (
            ('eval "$(tfhelp completion bash)"', "put this line into ~/.bashrc"),
            ('eval "$(tfhelp completion zsh)"', "put this line into ~/.zshrc, below compinit"),
            ("tfhelp completion fish > ~/.config/fish/completions/tfhelp.fish", "run this once"),
        ),
        "0 written, 2 bad usage",
    ),
    "man": (
        (
            ("tfhelp man | man -l -", "read the page"),
            ("tfhelp man > ~/.local/share/man/man1/tfhelp.1", "install the page for 'man tfhelp'"),
        ),
        "0 written, 2 bad usage",
    ),
    "help": ((("tfhelp help ask", "the same as 'tfhelp ask --help'"),), "0 shown, 2 no such command"),
}


def epilog(command: str, own: str | None = None) -> str:
    """The text at the end of a command's help.

    Args:
        command: the command's name; empty for ``tfhelp`` itself.
        own: the command's own text; if it has examples, nothing is added.
    """
    if (own and "examples:" in own) or command not in TEXTS:
        return own or ""
    examples, status = TEXTS[command]
    width = min(46, max(len(line) for line, _ in examples))
    lines = [f"  {line:<{width}}  {says}".rstrip() for line, says in examples]
    return "\n\n".join([*([own] if own else []), "\n".join(["examples:", *lines]), f"exit status: {status}"])
