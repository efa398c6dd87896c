"""All rules, in the order in which they are asked: what names itself goes before what stands behind a name."""

from tfhelp.collectors.redaction import labels, machines, people, tokens
from tfhelp.collectors.redaction.rule import Rule

RULES: tuple[Rule, ...] = (*tokens.RULES, *labels.RULES, *people.RULES, *machines.RULES)
