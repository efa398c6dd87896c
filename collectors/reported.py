"""Values that another process reported as facts, believed only if they are of the fact's kind.

The interpreter that a user names may be any program, and the driver's library may print anything. The compiled
knowledge base has the kinds too, but opening it would take longer than a probe.
"""

import typing

_PLAIN: dict[str, type | tuple[type, ...]] = {"text": str, "integer": int, "number": (int, float), "boolean": bool}
_ITEMS = {"texts": "text", "integers": "integer"}


def fits(value: object, kind: str) -> bool:
    """Return whether a value is of a kind, or ``None``.

    Args:
        value: parsed JSON.
        kind: ``text``, ``integer``, ``number``, ``boolean``, ``texts``, ``integers``, or words separated by ``|``.
    """
    if value is None:
        return True
    if kind in _ITEMS:
        return isinstance(value, list) and all(item is not None and fits(item, _ITEMS[kind]) for item in value)
    if kind in _PLAIN:
        return isinstance(value, _PLAIN[kind]) and (kind == "boolean" or not isinstance(value, bool))
    return isinstance(value, str) and value in kind.split("|")


def fitting(values: typing.Mapping[str, object], kinds: typing.Mapping[str, str]) -> dict[str, typing.Any]:
    """The known members of an object, if they are of the right kind."""
    return {name: value for name, value in values.items() if name in kinds and fits(value, kinds[name])}
