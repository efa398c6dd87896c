"""From a TensorFlow error to the fix that fits the machine: no network, no language model.

>>> import tfhelp
>>> answer = tfhelp.diagnose("OSError: Unable to open file (file signature not found)")
>>> answer["verdict"], answer["matches"][0]["entry"]
('diagnosed', 'model-format-unsupported')

In a notebook ``%load_ext tfhelp`` adds ``%tfhelp`` and ``%%tfhelp``.

This is the whole public interface: ``diagnose``, ``Answer``, ``InputError``, ``FactError`` and ``__version__``. The modules
below ``tfhelp`` may change with each release.
"""

TYPE_CHECKING = False  # importing typing would take most of the time of this import
if TYPE_CHECKING:
    import os
    import typing

    from tfhelp.kb.fact_sheet import FactError
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.errors import InputError

    __version__: str

__all__ = ["Answer", "FactError", "InputError", "__version__", "diagnose"]

_LATE = {
    "Answer": ("tfhelp.service.diagnosis.answer", "Answer"),
    "FactError": ("tfhelp.kb.fact_sheet", "FactError"),
    "InputError": ("tfhelp.service.errors", "InputError"),
    "__version__": ("tfhelp.service.version", "VERSION"),
}


def diagnose(
    text: "str | bytes",
    facts: "typing.Mapping[str, typing.Any] | None" = None,
    *,
    code: "str | os.PathLike[str] | None" = None,
    exit_code: "int | None" = None,
    collect: bool = False,
    python: "str | None" = None,
    top: int = 3,
) -> "Answer":
    """Say what a failure is, why it happened, and how to fix it. The answer is that of ``tfhelp ask --json``.

    The first call in a process loads the knowledge base, which takes a few tenths of a second. Several threads may call the
    function at the same time.

    Args:
        text: what the program printed: a traceback, a log, a description. Bytes may also be a compressed log or a notebook.
        facts: what is known in addition to the text, in the form that ``tfhelp collect`` prints: ``{"run": {"exit_code": 137}}``.
        code: the training program: its source, or the path of a script or notebook. A ``str`` without a line break is a path.
        exit_code: how the program ended, 128 + n after signal n. If it is given, ``text`` may be empty.
        collect: also inspect this machine and the active Python environment, for up to five seconds.
        python: the interpreter or environment that the training program runs in, for ``collect`` (the active one by default).
        top: the maximum number of entries.

    Returns:
        The answer's document, ready for ``json.dumps``.

    Raises:
        InputError: the text is empty or not text, ``code`` cannot be read or is not Python, or ``top`` is less than 1.
        FactError: ``facts`` does not match the model of facts.
        ValueError: ``python`` does not name an interpreter.
    """
    from tfhelp.service.doors.library import answer_to

    return answer_to(text, facts, code, exit_code, python if collect else None, collect, top)


def load_ipython_extension(shell: "typing.Any") -> None:
    """``%load_ext tfhelp``."""
    from tfhelp.service.doors.notebook.kernel import load_ipython_extension as load

    load(shell)


def unload_ipython_extension(shell: "typing.Any") -> None:
    """``%unload_ext tfhelp``."""
    from tfhelp.service.doors.notebook.kernel import unload_ipython_extension as unload

    unload(shell)


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module, attribute = _LATE[name]
    return getattr(importlib.import_module(module), attribute)


def __dir__() -> "list[str]":
    return sorted({*globals(), *_LATE})
