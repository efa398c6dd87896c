"""JSON Schemas of what the API sends. They are derived from the types of the answers, so that a client can be generated."""

import types
import typing

Json = dict[str, typing.Any]

REFERENCE = "#/components/schemas/"
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WRAPPERS = (typing.NotRequired, typing.Required)


def schemas_of(*roots: type, closed: bool = False, **names: typing.Any) -> Json:
    """The schemas of typed dictionaries and of all types inside them.

    Args:
        roots: typed dictionaries.
        closed: refuse undeclared keys. Clients must not do this, since keys may be added.
        names: types that appear in annotations, but that their module imports only for the type checker.

    Returns:
        name -> schema; they refer to each other below ``REFERENCE``.
    """
    maker = _Maker(names, closed)
    for root in roots:
        maker.schema(root)
    return dict(sorted(maker.made.items()))


class _Maker:
    def __init__(self, names: Json, closed: bool) -> None:
        self.made: Json = {}
        self._names = names
        self._closed = closed

    def schema(self, annotation: typing.Any) -> Json:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in _WRAPPERS:
            return self.schema(arguments[0])
        if annotation is typing.Any:
            return {}
        if annotation is type(None):
            return {"type": "null"}
        if annotation in _PLAIN:
            return {"type": _PLAIN[annotation]}
        if origin is typing.Literal:
            return {"enum": list(arguments)}
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.schema(one) for one in arguments]}
        if origin in (list, tuple):
            return {"type": "array", "items": self.schema(arguments[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema(arguments[1])}
        if typing.is_typeddict(annotation):
            return self._dictionary(annotation)
        raise TypeError(f"{annotation!r}: no schema for this type")

    def _dictionary(self, annotation: typing.Any) -> Json:
        name = annotation.__name__
        if name not in self.made:
            self.made[name] = {}  # so that a type that contains itself does not recurse forever
            hints = typing.get_type_hints(annotation, localns=self._names, include_extras=True)
            optional = annotation.__optional_keys__
            self.made[name] = {
                "type": "object",
                "description": " ".join((annotation.__doc__ or "").replace("``", "`").split()),
                "properties": {key: self.schema(hint) for key, hint in hints.items()},
                "required": [
                    key
                    for key, hint in hints.items()
                    if typing.get_origin(hint) is not typing.NotRequired and key not in optional
                ],
                **({"additionalProperties": False} if self._closed else {}),
            }
        return {"$ref": REFERENCE + name}
