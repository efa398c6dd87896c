"""The pages of the rules: why a rule matters, what to do, a program with a finding and one without.

One module for each family (``TFH1..`` is in ``distribution``). The tests run every example.
"""

import importlib
import typing

_MODULES = {
    "1": "distribution",
    "2": "models",
    "3": "memory",
    "4": "functions",
    "5": "optimizing",
    "6": "losses",
    "7": "data",
    "8": "processes",
    "9": "names",
}


class Page(typing.NamedTuple):
    """What ``tfhelp lint --explain`` shows for one rule.

    Attributes:
        why: what happens if you do not change it.
        fix: what to write instead, in words.
        found: a program in which the rule finds something.
        clean: the same program, changed so that the rule finds nothing.
    """

    why: str
    fix: str
    found: str
    clean: str


def page(code: str) -> Page | None:
    """The page of a rule, by its code; ``None`` if there is none."""
    name = _MODULES.get(code[3:4])
    if name is None:
        return None
    pages: dict[str, Page] = importlib.import_module(f"{__name__}.{name}").PAGES
    return pages.get(code)
