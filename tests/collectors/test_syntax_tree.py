"""Syntax trees that several threads build."""

import gc
import sys
import threading
import typing
import warnings

import pytest

from tfhelp.collectors.syntax_tree import syntax_tree

SOURCE = "\n".join(
    f"class C{number}:\n    def f(self, a):\n        return [a * {number} for _ in range(a)]" for number in range(200)
)


@pytest.fixture
def _many_switches() -> typing.Iterator[None]:
    """Python switches threads inside of a tree that it builds, as it rarely does otherwise."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(10)
    gc.callbacks.append(_collected)
    yield
    gc.callbacks.remove(_collected)
    gc.set_threshold(*threshold)
    sys.setswitchinterval(interval)


def _collected(phase: str, info: dict[str, int]) -> None:
    sum(range(50))


@pytest.mark.usefixtures("_many_switches")
def test_threads_at_different_depths_build_trees_at_the_same_time() -> None:
    built: list[int] = []

    def build(depth: int) -> None:
        if depth:
            build(depth - 1)
        else:
            built.extend(len(syntax_tree(SOURCE).body) for _ in range(6))

    threads = [threading.Thread(target=build, args=(20 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert built == [200] * 24


def test_no_warning_is_shown() -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        syntax_tree("pattern = '\\d'\nif 1 is 1:\n    pass\n")
    assert shown == []
