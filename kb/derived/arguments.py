"""An argument that a function or class of TensorFlow or Keras rejects: which releases take it, and what it may be instead.

This comes from the atlas, which is only opened if Python says that it rejected an argument.
"""

import functools
import typing

from tfhelp.kb import versions
from tfhelp.kb.derived import read
from tfhelp.kb.derived.names import has_release, installed_release, minor
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.versions import VERSION
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas, Span
    from tfhelp.kb.atlas.renames import Row

FUNCTION = "log.rejected_by"
ARGUMENT = "log.rejected_argument"
_NAMES = {"tensorflow": "TensorFlow", "keras": "Keras"}
_FIRST_ON_PYTHON_3_10 = (2, 8)
"""TensorFlow and Keras 2.8 are the first that install on Python 3.10, which is the first Python that prints the class's name."""


class _Rejected(typing.NamedTuple):
    """What is known of a rejected argument.

    Attributes:
        function: public name of the function or class.
        releases: those that take the argument.
        row: its row in the table of renames, if an argument of this name was removed.
        nearest: a similar argument of the newest release, if no release takes this one; else empty.
    """

    function: str
    releases: "tuple[Span, ...]"
    row: "Row | None"
    nearest: str


def _looked_up(sheet: FactSheet) -> _Rejected | None:
    """None if no function of TensorFlow or Keras with this name is known to take such an argument, or a similar one."""
    function, argument = read.text(sheet, FUNCTION), read.text(sheet, ARGUMENT)
    return _known(function, argument) if function and argument else None


@functools.lru_cache(maxsize=16)  # five facts ask for the same
def _known(function: str, argument: str) -> _Rejected | None:
    from tfhelp.kb.atlas import called
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    if function[0].isupper() and "." not in function:
        function += ".__init__"
    try:
        atlas = shared()
        names = called.functions(atlas, function, "")
        if "." in function:
            return _of_names(atlas, names, argument)
        functions = [name for name in names if not _is_member(atlas, name)]
        methods = [name for name in names if _is_member(atlas, name)] if "_" in argument else []
        return _of_names(atlas, functions, argument) or _of_names(atlas, methods, argument, nearest=False)
    except AtlasError:
        return None


def _is_member(atlas: "Atlas", name: str) -> bool:
    """Return whether a name is a class's method.

    Up to version 3.9, Python prints a method without its class, and programs define methods with the same names. So a method only
    counts together with an argument of several words that some release takes: nobody else has a ``batch(num_parallel_calls=...)``.
    """
    return atlas.is_class(name.rpartition(".")[0])


def _of_names(atlas: "Atlas", names: list[str], argument: str, nearest: bool = True) -> _Rejected | None:
    from tfhelp.kb.atlas import called, renames

    for name in names:
        found, row = atlas.lookup(name), renames.of_argument(name, argument)
        if row is not None and row.how:
            row = None  # the function still takes the argument
        taken = called.releases_taking(found, argument) if found else []
        always = found is not None and len(taken) == sum(len(spans) for _, spans in found.signatures)
        if row or (taken and not always):
            return _Rejected(name, _in_order(taken), row, "")
    similar = called.nearest_parameter(atlas, names[0], argument) if names and nearest else ""
    return _Rejected(names[0], (), None, similar) if similar else None


def _in_order(spans: "list[Span]") -> "tuple[Span, ...]":
    """The spans of the package that the first one belongs to, oldest first."""
    return tuple(sorted((span for span in spans if span.package == spans[0].package), key=lambda span: minor(span.first) or ()))


@derived("derived.argument_fault", "text", needs=(FUNCTION, ARGUMENT), uses=(VERSION, "packages.*"))
def argument_fault(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Why an argument is rejected: came-later (only later releases take it), gone (only earlier ones do), misspelt (none does,
    and a similar one exists), or other (the function is none of TensorFlow or Keras, or always takes the argument)."""
    found = _looked_up(sheet)
    if found is None:
        return "other"
    if not found.releases:
        return "gone" if found.row else "misspelt"
    first, last = found.releases[0], found.releases[-1]
    installed = installed_release(sheet, first.package)
    if installed is not None:
        if any(has_release(span, installed) for span in found.releases):
            return "other"
        return "came-later" if installed < (minor(first.first) or installed) else "gone"
    if not last.newest or found.row:
        return "gone"
    names_class = "." in (read.text(sheet, FUNCTION) or "")
    always = _FIRST_ON_PYTHON_3_10 if names_class else (2, 3) if first.package == "keras" else (2, 0)
    return "came-later" if (minor(first.first) or always) > always else "other"


@derived("derived.argument_of", "text", needs=(FUNCTION, ARGUMENT))
def argument_of(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The public name of the function or class that rejects the argument."""
    found = _looked_up(sheet)
    return UNKNOWN if found is None else found.function


@derived("derived.argument_releases", "text", needs=(FUNCTION, ARGUMENT))
def argument_releases(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The releases that take the argument, for example 'Keras 2.11 to 3.15', 'releases before Keras 3.0'."""
    found = _looked_up(sheet)
    if found is None:
        return UNKNOWN
    if found.row is not None:
        package, number = found.row.since
        return f"releases before {_NAMES[package]} {'.'.join(map(str, number))}"
    if not found.releases:
        return UNKNOWN
    package = found.releases[0].package
    first, last = versions.minor_release(found.releases[0].first), versions.minor_release(found.releases[-1].last)
    name = _NAMES.get(package, package)
    return f"{name} {first}" if first == last else f"{name} {first} to {last}"


@derived("derived.argument_instead", "text", needs=(FUNCTION, ARGUMENT))
def argument_instead(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The argument's new name, or the most similar argument of the newest release."""
    found = _looked_up(sheet)
    return (found.row.new if found.row else found.nearest) or UNKNOWN if found is not None else UNKNOWN


@derived("derived.argument_advice", "text", needs=(FUNCTION, ARGUMENT))
def argument_advice(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A sentence on what to do without an argument that was removed."""
    found = _looked_up(sheet)
    return (found.row.says if found is not None and found.row else "") or UNKNOWN
