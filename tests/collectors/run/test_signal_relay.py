"""Signals on their way to a watched program."""

import signal
import sys

import pytest

from tfhelp.collectors.run.child import SignalRelay

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


class Interrupted(SignalRelay):
    """Gets a second signal while it handles the first one."""

    def __init__(self) -> None:
        super().__init__()
        self.course: list[str] = []

    def _handle(self, number: int) -> None:
        self.course.append(f"begins {signal.Signals(number).name}")
        super()._handle(number)
        if number == signal.SIGUSR1:
            signal.raise_signal(signal.SIGUSR2)
        self.course.append(f"ends {signal.Signals(number).name}")


def test_a_signal_that_arrives_while_another_is_handled_waits_for_its_end() -> None:
    relay = Interrupted()
    with relay:
        signal.raise_signal(signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
    assert relay.course == 2 * ["begins SIGUSR1", "ends SIGUSR1", "begins SIGUSR2", "ends SIGUSR2"]
    assert relay.received == 2 * ["SIGUSR1", "SIGUSR2"]
