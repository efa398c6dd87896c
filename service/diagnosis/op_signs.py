"""Whether a text can name an operation of TensorFlow: the cheap question that everything about operations waits for."""

import typing

from tfhelp.kb.text import Record

_WORDS = ("[Op:", "{{node ", "OpKernel", "cannot compute ", "Op<name=", "' Op has type ", "[[node ", "find device for node")


def names_an_op(text: str) -> bool:
    """Whether a text can name an operation at all."""
    return any(word in text for word in _WORDS)


def any_names_an_op(records: typing.Iterable[Record]) -> bool:
    """Whether one of the records can."""
    return any(names_an_op(record.text) for record in records)
