"""All rules, in the order in which they are tried: secrets that name themselves come before those behind a name."""

from tfhelp.collectors.redaction import commands, labels, machines, people, tokens
from tfhelp.collectors.redaction.rule import Rule

RULES: tuple[Rule, ...] = (*tokens.RULES, *commands.RULES, *labels.RULES, *people.RULES, *machines.RULES)
