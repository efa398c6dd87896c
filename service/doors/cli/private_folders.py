"""The option ``--kb``: folders of private knowledge, for every command that answers."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_kb_option(parser: "argparse.ArgumentParser | argparse._ArgumentGroup", help_text: str = "") -> None:
    """Let a command take ``--kb DIR``, several times if wanted; the command line passes the folders on."""
    parser.add_argument(
        "--kb",
        metavar="DIR",
        action="append",
        help=help_text or "also use the entries in this folder of your team's knowledge; repeat it for more (or set TFHELP_KB)",
    )


def use_folders(folders: list[str]) -> None:
    """Make this process and its child processes use the folders.

    Raises:
        tfhelp.kb.compiled.KnowledgeError: one of them is not a folder.
    """
    from tfhelp.kb.private import add_folders

    add_folders(folders)
