"""Signals on their way to a watched program."""

import signal
import sys

import pytest

from tfhelp.collectors.run.child import Child, SignalRelay
from tfhelp.collectors.run.kept_output import KeptOutput

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


def test_a_signal_that_arrives_while_the_program_starts_is_passed_on() -> None:
    came: list[str] = []
    relay = SignalRelay(came.append)
    with relay:
        child = Child([sys.executable, "-c", "import time; time.sleep(300)"], KeptOutput())
        signal.raise_signal(signal.SIGTERM)
        assert came == []  # nobody follows the child yet
        relay.follow(child)
        assert child.ended.wait(60)
    assert (child.signal, relay.received, came) == ("SIGTERM", ["SIGTERM"], ["SIGTERM"])


def test_a_signal_to_the_group_before_the_program_exists_reaches_it_once_it_does() -> None:
    relay = SignalRelay()
    with relay:
        signal.raise_signal(signal.SIGUSR1)
        assert relay._companion is not None
        relay._companion.send_signal(signal.SIGUSR1)  # as if the signal had been sent to the whole group
        child = Child([sys.executable, "-c", "import time; time.sleep(300)"], KeptOutput())
        relay.follow(child)
        assert child.ended.wait(60)
    assert child.signal == "SIGUSR1"
    assert not relay.went_to_group
