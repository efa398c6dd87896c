"""Both collectors in parallel give the same result as each alone."""

import sys

import pytest

from tfhelp.collectors import environment, gpu
from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.probe_together import collect_both


def test_both_documents():
    surroundings, graphics = collect_both(sys.executable, budget_seconds=30)
    alone = environment.collect(sys.executable, budget_seconds=30)
    assert surroundings["packages"] == alone["packages"]
    assert surroundings["python"] == alone["python"]
    assert graphics.keys() == gpu.collect().keys()
    assert graphics["driver"]["state"] == gpu.collect()["driver"]["state"]


def test_a_wrong_interpreter_starts_nothing(monkeypatch):
    monkeypatch.setattr(gpu, "collect", lambda *_: pytest.fail("was started"))
    with pytest.raises(CollectorError, match="no such file"):
        collect_both("/nowhere/python")


def test_a_failure_of_the_second_is_not_lost(monkeypatch):
    def fail(budget_seconds):
        raise RuntimeError("unlucky")

    monkeypatch.setattr(gpu, "collect", fail)
    with pytest.raises(RuntimeError, match="unlucky"):
        collect_both(sys.executable, budget_seconds=30)
