"""The examples in the docstrings of the modules that watch a run."""

import doctest
import importlib

import pytest

MODULES = (
    "tfhelp.collectors.run.observation",
    "tfhelp.collectors.run.processes",
    "tfhelp.collectors.run.setting",
    "tfhelp.collectors.run.waiting_calls",
    "tfhelp.service.run.comparison",
    "tfhelp.service.run.good_runs",
    "tfhelp.service.run.suspects",
    "tfhelp.service.run.watched_run",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
