"""Patterns of entries: RE2 syntax, checked when compiled, and the literals that must occur where they match.

Used when the knowledge base is built; the running program gets patterns with their literals ready.
"""

import re
import re._constants as constants
import re._parser as parser
import typing

# Fewer letters occur in nearly every log; they have to do where a pattern has no more.
_SHORTEST_LITERAL = 3
_SHORTEST_OF_ALL = 2
# A source position of TensorFlow's (``cuda_dnn.cc:362]``) changes with every release.
_SOURCE_POSITION = re.compile(r"[a-z_]+\\?\.(?:cc|h|py):?\\?\d")

# RE2 takes flags anywhere, Python's parser, which finds the literals, only at the start.
_LATE_FLAG = re.compile(r"(?s).\(\?[a-zA-Z]+\)")


def check(pattern: str) -> str:
    """Refuse what RE2 cannot run, what matches everything, and TensorFlow's own source positions.

    Raises:
        ValueError: says what is wrong with the pattern.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise ValueError(f"not RE2 syntax: {reason}") from None
    if compiled.search(""):
        raise ValueError("matches the empty text")
    if _LATE_FLAG.search(pattern):
        raise ValueError("(?i) stands in the middle; write it first, or (?i:...) around what it is for")
    if _SOURCE_POSITION.search(pattern):
        raise ValueError("names a source file's line; those change with every release")
    return pattern


def group_names(pattern: str) -> list[str]:
    """Names of the pattern's groups."""
    return re.findall(r"\(\?P<(\w+)>", pattern)


def required_literals(pattern: str) -> list[list[str]]:
    """Groups of literals: of each group at least one occurs in every text that the pattern matches, in lower case.

    Returns:
        The groups, the most selective first; empty when the pattern has none, so that it must always be tried.

    >>> required_literals(r"OOM when allocating tensor with shape\\[\\d+")
    [['oom when allocating tensor with shape[']]
    >>> required_literals(r"(?i)(?:killed|out of memory) on rank")
    [[' on rank'], ['killed', 'out of memory']]
    >>> required_literals(r"\\d+")
    []
    """
    tree = parser.parse(pattern.replace("(?s)", "").replace(r"\z", r"\Z"))
    found = _groups(tree, _SHORTEST_LITERAL) or _groups(tree, _SHORTEST_OF_ALL)
    return [sorted(group) for group in sorted(found, key=_selectivity, reverse=True)]


def _groups(tree: typing.Iterable[tuple[typing.Any, typing.Any]], shortest: int) -> list[set[str]]:
    found: list[set[str]] = []
    run = ""
    for operator, argument in tree:
        if operator is constants.LITERAL:
            run += chr(argument)
        else:
            found += [*_of_run(run, shortest), *_of_node(operator, argument, shortest)]
            run = ""
    return found + _of_run(run, shortest)


def _of_node(operator: typing.Any, argument: typing.Any, shortest: int) -> list[set[str]]:
    if operator is constants.SUBPATTERN:
        return _groups(argument[-1], shortest)
    if operator is constants.BRANCH:
        branches = [_groups(branch, shortest) for branch in argument[1]]
        # Whichever branch matches, a literal of its best group is there.
        return [set().union(*(max(groups, key=_selectivity) for groups in branches))] if all(branches) else []
    if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT) and argument[0] > 0:
        return _groups(argument[2], shortest)
    return []


def _of_run(run: str, shortest: int) -> list[set[str]]:
    return [{run.lower()}] if len(run.strip()) >= shortest else []


def _selectivity(group: set[str]) -> tuple[int, int]:
    """The longer the shortest literal is and the fewer they are, the fewer texts hold one of the group."""
    return min(map(len, group)), -len(group)
