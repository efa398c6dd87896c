"""A diagnosis that a few words can stop; the processes of ``poisoned_server`` load it."""

import os
import re
import time

from tests.service.small_server import small_diagnoser
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.http.processes import use

HANG, DIE, EAT, SLEEP = "HANG-ON-PURPOSE", "DIE-ON-PURPOSE", "EAT-ON-PURPOSE", "SLEEP-ON-PURPOSE"
SLEEP_S = 1.0


class _Poisoned(Diagnoser):
    def diagnose(self, text, *arguments, **named):  # type: ignore[no-untyped-def]
        if HANG in text:
            re.fullmatch("(a|a)*b", "a" * 60)
        if DIE in text:
            os.abort()
        if EAT in text:
            _ = bytearray(1 << 33)
        time.sleep(SLEEP_S * text.count(SLEEP))
        return super().diagnose(text, *arguments, **named)


def load() -> None:
    """The diagnoser that each process loads."""
    use(_Poisoned(small_diagnoser().knowledge, warm=True))
