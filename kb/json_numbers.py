"""Accept only numbers that every JSON reader accepts: no NaN, no infinity, nothing that becomes infinite when it is parsed.

Pass ``refuse_constant`` and ``finite`` to ``json`` as ``parse_constant`` and ``parse_float``.
"""

import math
import typing


class NumberError(ValueError):
    """A number that JSON does not have or Python cannot represent. The message names it."""


def refuse_constant(name: str) -> typing.NoReturn:
    """Refuse NaN, Infinity and -Infinity, which Python's json would accept.

    Raises:
        NumberError: always.
    """
    raise NumberError(f"{name} is not a JSON number")


def finite(digits: str) -> float:
    """The number, if Python can represent it.

    Raises:
        NumberError: the number is too large.
    """
    number = float(digits)
    if not math.isfinite(number):
        raise NumberError(f"the number {digits[:30]} is too large")
    return number
