"""A redaction rule: a pattern whose groups are secrets, and a cheap sign; without the sign the pattern is not tried."""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern


class Rule:
    """A pattern whose groups are secrets, applied to one line at a time.

    Attributes:
        kinds: the kind of each group, in order; empty for a group that stays.
        sign: a pattern in RE2's syntax that matches every line that ``pattern`` matches. It is much faster.
        pattern: group n is of kind ``kinds[n - 1]``. No repeat is nested in another. Every repeat is bounded, or
            cannot pass a second beginning of the match.
        spares: whether a match is left unchanged after all.
    """

    __slots__ = ("kinds", "pattern", "sign", "spares")

    def __init__(
        self,
        kinds: tuple[str, ...],
        sign: str,
        pattern: str,
        spares: typing.Callable[[re.Match[str]], bool] = lambda found: False,
        flags: int = 0,
    ) -> None:
        self.kinds = kinds
        self.sign = sign
        self.pattern = Pattern(pattern, flags)
        self.spares = spares


class Signs:
    """Which rules apply to a line: one pass of one automaton over it."""

    __slots__ = ("_rules", "_set")

    def __init__(self, rules: typing.Sequence[Rule]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = 128 << 20  # the automaton of all signs together; its states are built as lines need them
        options.log_errors = False
        self._rules = rules
        self._set = re2.Set.SearchSet(options)
        for rule in rules:
            self._set.Add(rule.sign)
        self._set.Compile()

    def of(self, line: str) -> list[Rule]:
        """The rules that can match in the line, in order."""
        return [self._rules[number] for number in sorted(self._set.Match(line.encode("utf-8", "replace")) or ())]
