"""Patterns of entries: RE2 syntax, checked when compiled, and the literals that must occur where they match.

Used when the knowledge base is built; the running program gets the patterns with their literals.
"""

import re
import re._constants as constants
import re._parser as parser
import typing
import warnings

# Shorter literals occur in nearly every log; they are only used if a pattern has none that is longer.
_SHORTEST_LITERAL = 3
_SHORTEST_OF_ALL = 2
# A TensorFlow source position (``cuda_dnn.cc:362]``) changes with every release.
_SOURCE_POSITION = re.compile(r"[a-z_]\\?\.(?:cc|h|py):?\\?\d")

# RE2 accepts flags anywhere. Python's parser, which finds the literals, accepts them only at the start.
_LATE_FLAG = re.compile(r"(?s).\(\?[a-zA-Z]+\)")


def check(pattern: str) -> str:
    """Reject patterns that RE2 cannot run, that match everything, or that contain TensorFlow source positions.

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
        raise ValueError("(?i) is in the middle; write it first, or (?i:...) around what it is for")
    if _SOURCE_POSITION.search(pattern):
        raise ValueError("names a source file's line; those change with every release")
    _parsed(pattern)
    return pattern


def _parsed(pattern: str) -> list["_Node"]:
    """The pattern as Python's parser reads it.

    Raises:
        ValueError: Python's parser rejects it or reads it differently from RE2, so that the literals would be wrong.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return list(parser.parse(pattern.replace("(?s)", "").replace(r"\z", r"\Z")))
    except (re.error, FutureWarning, DeprecationWarning) as error:
        raise ValueError(f"Python's parser, which finds the literals, does not read it as RE2 does: {error}") from None


def group_names(pattern: str) -> list[str]:
    """Names of the pattern's groups."""
    return re.findall(r"\(\?P<(\w+)>", pattern)


class Commonness:
    """How common literals are in program output: TensorFlow always prints "gpu" and "not" when it starts."""

    def __init__(self, outputs: typing.Iterable[str] = (), patterns: typing.Iterable[str] = ()) -> None:
        """Args: outputs: of programs; without any, all literals are equally rare. patterns: the patterns whose literals are
        counted.
        """
        known = {literal for pattern in patterns for literal in _all_literals(pattern)}
        self._holding = _counted(known, outputs) if known else None

    def of(self, group: set[str]) -> int:
        """In how many of the outputs a literal of the group occurs; an output with two of them counts twice.

        Raises:
            KeyError: a literal is in none of the patterns.
        """
        return sum(self._holding[literal] for literal in group) if self._holding else 0


def _counted(literals: set[str], outputs: typing.Iterable[str]) -> dict[str, int]:
    """In how many outputs each literal occurs. An automaton reads each output once, for any number of literals."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for literal in sorted(literals):
        automaton.add_word(literal, literal)
    automaton.make_automaton()
    holding = dict.fromkeys(literals, 0)
    for output in outputs:
        for literal in {literal for _, literal in automaton.iter(output.lower())}:
            holding[literal] += 1
    return holding


def _all_literals(pattern: str) -> set[str]:
    """Every literal that a group of the pattern may have."""
    tree = _parsed(pattern)
    return {literal for shortest in (_SHORTEST_LITERAL, _SHORTEST_OF_ALL) for literal in _Every().literals(tree, shortest)}


_UNKNOWN = Commonness()


def required_literals(pattern: str, commonness: Commonness = _UNKNOWN) -> list[list[str]]:
    """Groups of literals: in every text that the pattern matches, at least one of each group occurs, in lower case.

    Args:
        pattern: RE2 syntax.
        commonness: shows which of them are rare.

    Returns:
        The groups, most selective first; empty if the pattern has none, so that it must always be tried.

    >>> required_literals(r"OOM when allocating tensor with shape\\[\\d+")
    [['oom when allocating tensor with shape[']]
    >>> required_literals(r"(?i)(?:killed|out of memory) on rank")
    [[' on rank'], ['killed', 'out of memory']]
    >>> required_literals(r"tensorflow_(?:text|io)\\b|tensorflow-metal")
    [['tensorflow-metal', 'tensorflow_io', 'tensorflow_text']]
    >>> required_literals(r"\\d+")
    []
    """
    tree = _parsed(pattern)
    search = _Search(commonness)
    found = search.groups(tree, _SHORTEST_LITERAL) or search.groups(tree, _SHORTEST_OF_ALL)
    telling: list[set[str]] = []
    for group in sorted(found, key=search.rarity, reverse=True):
        if not any(_implies(other, group) for other in telling):
            telling.append(group)
    return [sorted(group) for group in telling]


def _implies(one: set[str], other: set[str]) -> bool:
    """Return whether a text with a literal of the first group also has one of the second."""
    return all(any(part in literal for part in other) for literal in one)


_Node = tuple[typing.Any, typing.Any]


class _Search:
    """Finds groups of literals in a parsed pattern, given how rare they are."""

    def __init__(self, commonness: Commonness) -> None:
        self._commonness = commonness

    def groups(self, nodes: list[_Node], shortest: int) -> list[set[str]]:
        """The groups of consecutive nodes."""
        found: list[set[str]] = []
        run = ""
        for operator, argument in nodes:
            if operator is constants.LITERAL:
                run += chr(argument)
                continue
            if run and operator is constants.BRANCH:
                # Python's parser factors out the common prefix of all branches: "failed to|failed at" is "failed " and a branch.
                found += self._of_branches([[*map(_literal, run), *branch] for branch in argument[1]], shortest)
            found += [*_of_run(run, shortest), *self._of_node(operator, argument, shortest)]
            run = ""
        return found + _of_run(run, shortest)

    def _of_node(self, operator: typing.Any, argument: typing.Any, shortest: int) -> list[set[str]]:
        if operator is constants.SUBPATTERN:
            return self.groups(list(argument[-1]), shortest)
        if operator is constants.BRANCH:
            return self._of_branches([list(branch) for branch in argument[1]], shortest)
        if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT) and argument[0] > 0:
            return self.groups(list(argument[2]), shortest)
        return []

    def _of_branches(self, branches: list[list[_Node]], shortest: int) -> list[set[str]]:
        """A literal of the matching branch's rarest group occurs, so all branches' rarest groups are joined."""
        groups = [self.groups(branch, shortest) for branch in branches]
        return [set().union(*map(self._of_branch, groups))] if all(groups) else []

    def _of_branch(self, groups: list[set[str]]) -> set[str]:
        return max(groups, key=self.rarity)

    def rarity(self, group: set[str]) -> tuple[int, int, int]:
        """Sort key: rarity in program output; then, a group with a longer shortest literal and fewer literals counts as rarer."""
        return -self._commonness.of(group), min(map(len, group)), -len(group)


class _Every(_Search):
    """Finds all literals that a search could choose, rare or not."""

    def __init__(self) -> None:
        super().__init__(_UNKNOWN)
        self._met: set[str] = set()

    def literals(self, nodes: list[_Node], shortest: int) -> set[str]:
        """All literals of consecutive nodes."""
        return self._met.union(*self.groups(nodes, shortest))

    def _of_branch(self, groups: list[set[str]]) -> set[str]:
        self._met.update(*groups)  # branches are compared even if no group results
        return set().union(*groups)


def _literal(character: str) -> _Node:
    return constants.LITERAL, ord(character)


def _of_run(run: str, shortest: int) -> list[set[str]]:
    return [{run.lower()}] if len(run.strip()) >= shortest else []
