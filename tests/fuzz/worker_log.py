"""Reads the output of libFuzzer."""

import re

_EXECUTED = re.compile(r"stat::number_of_executed_units: (\d+)")


def executed(said: str) -> list[int]:
    """How many inputs each fuzzer tried, in the order in which they ended."""
    return [int(found[1]) for found in _EXECUTED.finditer(said)]
