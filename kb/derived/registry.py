"""The register of derived facts."""

import typing

from tfhelp.kb.fact_sheet import READ_WHOLE, UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

Function = typing.Callable[[FactSheet, Tables], typing.Any]
_MOST_NAMED = 8  # maximum number of facts listed as the source of a derived fact
_MOST_OF_A_GROUP = 3
_KINDS = ("text", "number", "integer", "boolean", "texts")


class DerivedFact:
    """One derived fact.

    Attributes:
        path: ``derived.<name>``.
        kind: type of its value, as in the fact table.
        needs: paths that must be known. Otherwise the function is not called and the fact stays unknown.
        uses: further paths that it may read (``packages.*`` stands for any).
        reads: both, to check whether any of them is known.
        function: returns the value, ``None`` (looked for and not there) or ``UNKNOWN``.
        description: what the fact means, for users.
    """

    __slots__ = ("description", "function", "kind", "needs", "path", "reads", "uses")

    def __init__(self, path: str, kind: str, needs: tuple[str, ...], uses: tuple[str, ...], function: Function) -> None:
        self.path = path
        self.kind = kind
        self.needs = needs
        self.uses = uses
        self.reads = frozenset(path if not path.startswith(READ_WHOLE) else _group(path) for path in (*needs, *uses))
        self.function = function
        self.description = " ".join((function.__doc__ or "").split())


_facts: dict[str, DerivedFact] = {}


def derived(
    path: str, kind: str, needs: tuple[str, ...] = (), uses: tuple[str, ...] = ()
) -> typing.Callable[[Function], Function]:
    """Register a function as a derived fact; its docstring is the fact's description.

    Raises:
        ValueError: the name is taken or malformed, the kind unknown, or it needs a derived fact that is not registered
            yet (facts are computed in the order of registration).
    """

    def register(function: Function) -> Function:
        if not path.startswith("derived.") or path in _facts or kind not in _KINDS or not function.__doc__:
            raise ValueError(f"{path}: a derived fact needs a new name under derived., a kind of {_KINDS} and a docstring")
        for other in (*needs, *uses):
            if other.startswith("derived.") and other not in _facts:
                raise ValueError(f"{path} reads {other}, which is not registered before it")
        _facts[path] = DerivedFact(path, kind, needs, uses, function)
        return function

    return register


def derive(sheet: FactSheet, tables: Tables) -> None:
    """Add every derived fact whose inputs are known; earlier ones are computed again."""
    for path in [known for known in sheet.values if known.startswith("derived.")]:
        del sheet.values[path]
        sheet.about.pop(path, None)
    present = _present(sheet)
    for fact in _facts.values():
        # Most texts give only a handful of facts, and a function that reads none of them has no result.
        if not fact.reads.isdisjoint(present) and all(map(sheet.known, fact.needs)):
            value = fact.function(sheet, tables)
            if value is not UNKNOWN:
                sheet.put(fact.path, value, _source(fact, sheet))
                present.add(fact.path)


def _present(sheet: FactSheet) -> set[str]:
    """The known paths, and the groups that can be read by any name."""
    groups = {f"{group}*" for group in READ_WHOLE if sheet.read_whole(group[:-1])}
    return groups | set(sheet.values) | {_group(path) for path in sheet.values}


def _group(path: str) -> str:
    return f"{path.partition('.')[0]}.*"


def _source(fact: DerivedFact, sheet: FactSheet) -> str:
    known = list(fact.needs)
    for path in fact.uses:
        if path.endswith(".*"):
            known += _read_of(path[:-1], sheet)
        elif path in sheet.values:
            known.append(path)
    more = ", ..." if len(known) > _MOST_NAMED else ""
    return "derived from " + ", ".join(known[:_MOST_NAMED]) + more if known else "derived"


def _read_of(group: str, sheet: FactSheet) -> list[str]:
    """The names listed for a group: its facts, or if there are more than three, the group itself."""
    names = [name for name in sheet.values if name.startswith(group)]
    return names if len(names) <= _MOST_OF_A_GROUP else [f"{group}*"]


def derived_facts() -> list[DerivedFact]:
    """All derived facts in the order in which they are computed."""
    return list(_facts.values())


def derived_table() -> dict[str, str]:
    """path -> kind of every derived fact, to be joined with the table of given facts."""
    return {fact.path: fact.kind for fact in _facts.values()}
