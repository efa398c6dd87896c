"""All rules, in the order in which they are tried: secrets that name themselves come before those behind a name."""

from tfhelp.collectors.redaction import labels, machines, people, tokens
from tfhelp.collectors.redaction.rule import Rule

RULES: tuple[Rule, ...] = (*tokens.RULES, *labels.RULES, *people.RULES, *machines.RULES)
