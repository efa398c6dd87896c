"""Check cheaply whether a text can name a TensorFlow operation, before anything about operations is loaded."""

import typing

from tfhelp.kb.text import Record

_WORDS = ("[Op:", "{{node ", "OpKernel", "cannot compute ", "Op<name=", "' Op has type ", "[[node ", "find device for node")


def names_an_op(text: str) -> bool:
    """Return whether a text can name an operation."""
    return any(word in text for word in _WORDS)


def any_names_an_op(records: typing.Iterable[Record]) -> bool:
    """Return whether one of the records can."""
    return any(names_an_op(record.text) for record in records)
