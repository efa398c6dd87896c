"""Placeholders in sentences: every group of facts can fill one."""

from tfhelp.kb import templates
from tfhelp.kb.load import known_paths


def test_every_group_of_facts_can_stand_in_a_hole() -> None:
    groups = {path.partition(".")[0] for path in known_paths() if "[" not in path and "." in path}
    missing = {group for group in groups if templates.holes(f"{{{group}.x|none}}") == []}
    assert missing == set()


def test_the_location_of_tensorflow_fills_a_hole() -> None:
    value = {"tensorflow.location": "/opt/tf"}.get
    assert templates.fill("{tensorflow.location|the environment}", value) == "/opt/tf"
    assert templates.fill("{tensorflow.location|the environment}", {}.get) == "the environment"
