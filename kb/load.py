"""Read the entries' YAML and report faults with file, line and field.

This is for authors of entries and for the build. The running program reads the compiled file (``tfhelp.kb.compiled``).
"""

import pathlib
import typing

import pydantic
import yaml

from tfhelp.kb import programs, templates
from tfhelp.kb.derived import derived_table
from tfhelp.kb.entry import Alternative, Cause, Comparison, Entry, Examples, Step
from tfhelp.kb.facts import fact_table

ENTRIES = pathlib.Path(__file__).parent / "entries"
_Loader: typing.Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # some wheels of PyYAML come without the C parser
T = typing.TypeVar("T", bound=pydantic.BaseModel)
Location = tuple[str | int, ...]


class Fault(typing.NamedTuple):
    """One fault: its place, and what is wrong."""

    file: pathlib.Path
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field}: {self.message}"


class LoadedEntry(typing.NamedTuple):
    """A valid entry with its examples, and the line numbers of its fields."""

    folder: pathlib.Path
    entry: Entry
    examples: Examples
    lines: dict[Location, int]

    def fault(self, location: Location, message: str) -> Fault:
        """A fault of this entry's ``entry.yaml`` at a field."""
        return Fault(self.folder / "entry.yaml", line_of(location, self.lines), ".".join(map(str, location)), message)


def entry_folders(root: pathlib.Path = ENTRIES) -> list[pathlib.Path]:
    """Folders that contain an ``entry.yaml``, sorted by path: ``<family>/<entry>``, or ``<entry>`` in a small knowledge base."""
    return sorted({path.parent for depth in ("*", "*/*") for path in root.glob(f"{depth}/entry.yaml")})


def load_entries(root: pathlib.Path = ENTRIES) -> tuple[list[LoadedEntry], list[Fault]]:
    """Load every entry below a folder.

    Returns:
        The entries whose form is valid, and all faults of all entries.
    """
    loaded: list[LoadedEntry] = []
    faults: list[Fault] = []
    for folder in entry_folders(root):
        entry, found = load_entry(folder, folder.parent == root)
        faults += found
        if entry:
            loaded.append(entry)
    return loaded, faults


def load_entry(folder: pathlib.Path, without_family: bool = False) -> tuple[LoadedEntry | None, list[Fault]]:
    """Load one entry's folder; ``without_family``: it is not in a folder of its family."""
    entry, lines, faults = _read(folder / "entry.yaml", Entry)
    examples, _, more = _read(folder / "examples.yaml", Examples)
    faults += more
    if not entry or not examples:
        return None, faults
    loaded = LoadedEntry(folder, entry, examples, lines)
    return loaded, faults + _faults_of_place(loaded, without_family) + _faults_of_facts(loaded) + _faults_of_files(loaded)


def _read(path: pathlib.Path, model: type[T]) -> tuple[T | None, dict[Location, int], list[Fault]]:
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), _Loader)
    except FileNotFoundError:
        return None, {}, [Fault(path, 1, path.name, "the file is missing")]
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        return None, {}, [Fault(path, mark.line + 1 if mark else 1, path.name, str(getattr(error, "problem", error)))]
    if node is None:
        return None, {}, [Fault(path, 1, path.name, "the file is empty")]
    lines: dict[Location, int] = {}
    _number(node, (), lines)
    duplicates = [Fault(path, line, name, "is given twice; the first one would be lost") for name, line in _duplicate_keys(node)]
    if duplicates:
        return None, lines, duplicates
    try:
        return model.model_validate(yaml.load(path.read_text(encoding="utf-8"), _Loader)), lines, []
    except pydantic.ValidationError as error:
        return None, lines, [_fault_of_pydantic(path, detail, lines) for detail in error.errors()]


def _duplicate_keys(node: yaml.Node) -> typing.Iterator[tuple[str, int]]:
    """Duplicate keys of a mapping, each with its line. YAML would silently take the last one."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.value, key.start_mark.line + 1
            seen.add(key.value)
            yield from _duplicate_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _duplicate_keys(value)


def _fault_of_pydantic(path: pathlib.Path, detail: typing.Any, lines: dict[Location, int]) -> Fault:
    location = tuple(part for part in detail["loc"] if part == "is" or not str(part).startswith("function-"))
    return Fault(path, line_of(location, lines), ".".join(map(str, location)) or path.name, _in_words(detail))


_WRONG_TYPES = {
    "string_type": "is not a text (put it in quotes)",
    "list_type": "is not a list",
    "dict_type": "is not a mapping of names to values",
    "model_type": "is not a mapping of fields",
    "model_attributes_type": "is not a mapping of fields",
    "bool_type": "is neither true nor false",
}


def _in_words(detail: typing.Any) -> str:
    """What pydantic found, in words for authors of entries."""
    kind = detail["type"]
    if detail["input"] is None and kind.endswith("_type"):
        return "is empty; fill it in"
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "there is no such field here"
    if kind == "literal_error":
        return f"is {detail['input']!r}; it takes {detail['ctx']['expected']}"
    if kind == "string_pattern_mismatch":
        return f"is {detail['input']!r}; it has to match {detail['ctx']['pattern']}"
    return str(_WRONG_TYPES.get(kind) or detail["msg"].removeprefix("Value error, "))


def _number(node: yaml.Node, location: Location, lines: dict[Location, int]) -> None:
    lines[location] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _number(value, (*location, key.value), lines)
            lines[(*location, key.value)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for position, value in enumerate(node.value):
            _number(value, (*location, position), lines)


def line_of(location: Location, lines: dict[Location, int]) -> int:
    """The line of a field, or of the nearest enclosing field."""
    while location and location not in lines:
        location = location[:-1]
    return lines.get(location, 1)


def _faults_of_place(loaded: LoadedEntry, without_family: bool) -> list[Fault]:
    faults = []
    if loaded.entry.id != loaded.folder.name:
        faults.append(loaded.fault(("id",), f"is {loaded.entry.id!r}, but the folder is called {loaded.folder.name}"))
    if not without_family and loaded.entry.family != loaded.folder.parent.name:
        faults.append(
            loaded.fault(("family",), f"is {loaded.entry.family!r}, but the folder lies in {loaded.folder.parent.name}")
        )
    causes = {cause.id for cause in loaded.entry.causes}
    for name in loaded.examples.wins_when:
        if name not in causes:
            faults.append(Fault(loaded.folder / "examples.yaml", 1, f"wins_when.{name}", "no such cause"))
    for number, account in enumerate(loaded.examples.accounts):
        if account.cause not in causes:
            faults.append(
                Fault(loaded.folder / "examples.yaml", 1, f"accounts.{number}.cause", f"no such cause: {account.cause}")
            )
    return faults


def known_paths() -> dict[str, str]:
    """Every path that a check or a template hole may name, with its type."""
    return fact_table() | derived_table()


def kind_of(path: str, table: dict[str, str]) -> str | None:
    """The type of a path, with ``packages.*`` and ``env.*`` standing for any name."""
    return table.get(path) or table.get(f"{path.partition('.')[0]}.*")


def _faults_of_facts(loaded: LoadedEntry) -> list[Fault]:
    table = known_paths()
    faults = []
    for kind in ("decisive", "supporting"):
        for number, signature in enumerate(getattr(loaded.entry.matches, kind)):
            for path in signature.captures.values():
                if kind_of(path, table) is None or path.startswith("derived."):
                    faults.append(loaded.fault(("matches", kind, number), f"captures {path}: no such fact"))
    for number, match in enumerate(loaded.entry.matches.facts):
        reason = _misfit(match.fact, match.is_, table)
        if reason:
            faults.append(loaded.fault(("matches", "facts", number), f"{match.fact}: {reason}"))
    for number, cause in enumerate(loaded.entry.causes):
        for place, check in enumerate(cause.checks):
            location = ("causes", number, "checks", place)
            if check.fact is not None:
                reason = _misfit(check.fact, check.is_, table)
                if reason:
                    faults.append(loaded.fault((*location, "fact"), f"{check.fact}: {reason}"))
        for place, condition in enumerate(cause.checkup):
            reason = _misfit(condition.fact, condition.is_, table)
            if reason:
                faults.append(loaded.fault(("causes", number, "checkup", place, "fact"), f"{condition.fact}: {reason}"))
        for inner, action in _actions(cause):
            for wanted in action.facts if isinstance(action, Alternative) else ():
                reason = _misfit(wanted.fact, wanted.is_, table)
                if reason:
                    faults.append(loaded.fault(("causes", number, *inner), f"{wanted.fact}: {reason}"))
        for path in _paths_in_templates(cause):
            if kind_of(path, table) is None:
                faults.append(loaded.fault(("causes", number), f"the hole {{{path}}}: no such fact"))
    return faults


_COMPARABLE = {"text": (str,), "number": (int, float), "integer": (int, float), "boolean": (bool,)}


def _misfit(path: str, wanted: object, table: dict[str, str]) -> str | None:
    """The reason why a comparison can never hold for a fact's type, or ``None``."""
    kind = kind_of(path, table)
    if kind is None:
        return "no such fact"
    if isinstance(wanted, Comparison):
        numeric = any(part is not None for part in (wanted.above, wanted.below, wanted.at_least, wanted.at_most))
        if numeric and kind not in ("number", "integer"):
            return f"is {kind}, not a number"
        if wanted.version is not None and kind != "text":
            return f"is {kind}, not a version"
        return None
    if kind.startswith("one of "):
        return None if wanted in kind[7:].split("|") else f"is never {wanted!r} but {kind}"
    if kind not in _COMPARABLE:
        return f"is {kind}; compare it with present or contains"
    right = isinstance(wanted, _COMPARABLE[kind]) and isinstance(wanted, bool) == (kind == "boolean")
    return None if right else f"is {kind}, not {wanted!r}"


def _actions(cause: Cause) -> typing.Iterator[tuple[Location, Step | Alternative]]:
    """Every action of the cause's fix with its location: the steps, and the alternatives inside them."""
    for number, step in enumerate(cause.fix.steps):
        yield ("fix", "steps", number), step
        for place, alternative in enumerate(step.one_of):
            yield ("fix", "steps", number, "one_of", place), alternative


def _commands(action: Step | Alternative) -> list[str]:
    run = action.run
    return [run] if isinstance(run, str) else [line for line in run.model_dump().values() if line] if run else []


def _paths_in_templates(cause: Cause) -> list[str]:
    texts = [said or "" for check in cause.checks for said in (check.because, check.unless)] + [
        condition.because or "" for condition in cause.checkup
    ]
    for _, action in _actions(cause):
        texts += [action.do, *_commands(action), action.why or "", action.code.code if action.code else ""]
    texts += [cause.fix.summary, cause.fix.verify]
    return [path for text in texts for path, _ in templates.holes(text)]


def _faults_of_files(loaded: LoadedEntry) -> list[Fault]:
    faults = []
    for number, cause in enumerate(loaded.entry.causes):
        location: Location = ("causes", number)
        if cause.proof.kind == "run":
            for suffix in ("broken.py", "fixed.py", "recorded.json"):
                if not (loaded.folder / f"{cause.id}.{suffix}").exists():
                    faults.append(loaded.fault((*location, "proof"), f"{cause.id}.{suffix} is missing"))
        for place, action in _actions(cause):
            if action.snippet:
                try:
                    snippet_text(loaded.folder, action.snippet)
                except (OSError, ValueError) as error:
                    faults.append(loaded.fault((*location, *place, "snippet"), str(error)))
    return faults


def snippet_text(folder: pathlib.Path, reference: str) -> str:
    """The marked region that ``cause.fixed.py#shown`` names.

    Raises:
        OSError: no such file.
        ValueError: no such region.
    """
    name, _, region = reference.partition("#")
    return programs.region((folder / name).read_text(encoding="utf-8"), region)
