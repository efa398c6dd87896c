"""Facts inside the program: a flat sheet path -> value, with the source and state of each fact.

The JSON document (``tfhelp.kb.facts.Facts``) is for people and interfaces. Checks, derived facts and templates read the sheet.
The module is light on purpose, because every cold ``ask`` imports it. A fact has one of three states: known, looked for and not
there (``None``), or unknown (not in the sheet).
"""

import typing

Document = dict[str, typing.Any]


class Unknown:
    """The value of a fact that was not looked for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        return False


UNKNOWN = Unknown()


READ_WHOLE = ("packages.", "env.")  # groups in which a missing name may mean "not there"


class FactError(ValueError):
    """A facts document does not match the model. The message names the path and the fault."""


def canonical(path: str) -> str:
    """The canonical spelling of a path: package names as in PEP 503, because people write ``tf_keras`` and ``tf-keras``."""
    if not path.startswith("packages."):
        return path
    return "packages." + path[9:].lower().replace("_", "-").replace(".", "-")


class FactSheet:
    """Facts by path.

    Attributes:
        values: path -> value; ``gpus`` is one value (a list of dicts), packages are ``packages.<name>``.
        about: path -> {"source", "state"}; a group's own name (``packages``, ``env``) with state ``ok`` means that the group was
            read completely, so that a missing name means "not there".
        lost: values that another source overrode: (path, value, source, reason).
    """

    __slots__ = ("about", "lost", "values")

    def __init__(self) -> None:
        self.values: dict[str, typing.Any] = {}
        self.about: dict[str, dict[str, str]] = {}
        self.lost: list[tuple[str, typing.Any, str, str]] = []

    def get(self, path: str) -> typing.Any:
        """The value at a path; ``None`` if it was looked for and is not there, else ``UNKNOWN``."""
        value = self.values.get(path, UNKNOWN)
        if value is not UNKNOWN or not path.startswith(READ_WHOLE):
            return value
        path = canonical(path)
        if path in self.values:
            return self.values[path]
        return None if self.read_whole(path.partition(".")[0]) else UNKNOWN

    def read_whole(self, group: str) -> bool:
        """Return whether a group was read completely, so that a missing name is known not to be there."""
        return self.about.get(group, {}).get("state") == "ok"

    def known(self, path: str) -> bool:
        """Return whether there is a value; ``None`` (looked for and not there) does not count as one."""
        value = self.get(path)
        return value is not UNKNOWN and value is not None

    def put(self, path: str, value: typing.Any, source: str, state: str = "ok") -> None:
        """Set a fact and its source."""
        path = canonical(path)
        self.values[path] = value
        self.about[path] = {"source": source, "state": state}

    def source(self, path: str) -> str:
        """The source of a fact, in a few words; the empty string for a derived or unknown one."""
        return self.about.get(canonical(path), {}).get("source", "")

    def add(self, other: "FactSheet") -> None:
        """Merge a sheet of lower precedence: known values stay, and the losing ones are kept under ``lost``."""
        for path, value in other.values.items():
            mine = self.get(path)
            if path not in self.values:
                self.values[path] = value
                if path in other.about:
                    self.about[path] = other.about[path]
            elif mine != value and value is not None:
                self.lost.append((path, value, other.source(path), f"{self.source(path) or 'what was given'} says otherwise"))
        for path, about in other.about.items():
            if path not in other.values:
                self.about.setdefault(path, about)

    def document(self) -> Document:
        """The nested JSON document, with ``_about`` first."""
        result: Document = {"_about": {path: self.about[path] for path in sorted(self.about)}}
        for path in sorted(self.values):
            group, _, rest = path.partition(".")
            if rest:
                result.setdefault(group, {})[rest] = self.values[path]
            else:
                result[group] = self.values[path]
        return result


def read_document(document: object, table: dict[str, str], source: str = "given") -> FactSheet:
    """Check a facts document against the flat table and turn it into a sheet.

    Args:
        document: parsed JSON.
        table: path -> type, from ``tfhelp.kb.facts.fact_table`` or the compiled knowledge base.
        source: the source of facts that do not state one.

    Raises:
        FactError: an unknown path, a wrong type, or ``derived.*``.
    """
    if not isinstance(document, dict):
        raise FactError(f"facts: expected a JSON object, got {_kind(document)}")
    sheet = FactSheet()
    about = document.get("_about") or {}
    _check_about(about)
    for group, value in document.items():
        if group == "_about":
            continue
        if group == "derived":
            raise FactError("derived.*: derived facts are computed and cannot be given")
        if group in table:
            if value is not None:
                _check_list(group, value, table)
                sheet.values[group] = value
            continue
        _read_group(str(group), value, table, sheet)
    for path in sheet.values:
        sheet.about[path] = {"source": source, "state": "ok"}
    for path, known in about.items():
        sheet.about[canonical(path)] = {"source": known.get("source", source), "state": known.get("state", "ok")}
    return sheet


def _check_about(about: object) -> None:
    if not isinstance(about, dict):
        raise FactError(f"_about: expected an object, got {_kind(about)}")
    for path, known in about.items():
        if not isinstance(known, dict) or not all(isinstance(part, str) for pair in known.items() for part in pair):
            raise FactError(f"_about.{path}: expected an object of strings such as {{'source': 'nvml', 'state': 'ok'}}")


def _read_group(group: str, value: object, table: dict[str, str], sheet: FactSheet) -> None:
    open_group = f"{group}.*" in table
    if not open_group and not any(path.startswith(f"{group}.") for path in table):
        raise FactError(f"{group}: no such fact")
    if not isinstance(value, dict):
        raise FactError(f"{group}: expected an object, got {_kind(value)}")
    for name, item in value.items():
        if not name or "[" in group:
            raise FactError(f"{group}.{str(name)[:60]}: no such fact")
        path = canonical(f"{group}.{name}")
        kind = table.get(f"{group}.*") if open_group else table.get(path)
        if kind is None or "[]" in group:  # the table's notation for items in a list of objects
            raise FactError(f"{path}: no such fact")
        _check_value(path, item, kind)
        sheet.values[path] = item


def _check_list(path: str, value: object, table: dict[str, str]) -> None:
    if not isinstance(value, list):
        raise FactError(f"{path}: expected a list, got {_kind(value)}")
    for position, item in enumerate(value):
        place = f"{path}[{position}]"
        if not isinstance(item, dict):
            raise FactError(f"{place}: expected an object, got {_kind(item)}")
        for name, inner in item.items():
            inner_path = f"{path}[].{name}"
            if inner_path not in table or "[" in name:
                raise FactError(f"{place}.{name}: no such fact")
            if table[inner_path] == "list":
                if inner is not None:
                    nested = {key.replace(inner_path, name, 1): kind for key, kind in table.items() if key.startswith(inner_path)}
                    _check_list(name, inner, nested)
            else:
                _check_value(f"{place}.{name}", inner, table[inner_path])


_TYPES: dict[str, tuple[type, ...]] = {"text": (str,), "number": (int, float), "integer": (int,), "boolean": (bool,)}
_ITEMS = {"texts": "text", "integers": "integer"}


def _check_value(path: str, value: object, kind: str) -> None:
    if value is None:
        return
    if kind.startswith("one of "):
        if value not in kind[7:].split("|"):
            raise FactError(f"{path}: expected {kind}, got {str(value)[:60]!r}")
    elif kind in _ITEMS:
        if not isinstance(value, list):
            raise FactError(f"{path}: expected a list, got {_kind(value)}")
        for position, item in enumerate(value):
            if item is None:
                raise FactError(f"{path}[{position}]: expected {_ITEMS[kind]}, got null")
            _check_value(f"{path}[{position}]", item, _ITEMS[kind])
    elif not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise FactError(f"{path}: expected {kind}, got {_kind(value)}")


def _kind(value: object) -> str:
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "an object",
        type(None): "null",
    }
    return names.get(type(value), type(value).__name__)
