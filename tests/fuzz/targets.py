"""All fuzzed readers, by name."""

from tests.fuzz import door_targets, machine_targets, program_targets, text_targets
from tests.fuzz.target import Target

TARGETS: dict[str, Target] = {
    target.name: target for module in (text_targets, door_targets, machine_targets, program_targets) for target in module.TARGETS
}
