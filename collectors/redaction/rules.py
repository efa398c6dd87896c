"""All rules, in the order in which they are tried: secrets that identify themselves come before those after a name."""

from tfhelp.collectors.redaction import commands, labels, machines, people, tokens
from tfhelp.collectors.redaction.rule import Rule

RULES: tuple[Rule, ...] = (*tokens.RULES, *commands.RULES, *labels.RULES, *people.RULES, *machines.RULES)
