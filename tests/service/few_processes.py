"""What workers load on a machine that has room for two of them and no more."""

import errno
import os
import time


def two() -> None:
    """Let this process fork twice."""
    fork, forked = os.fork, list[int]()

    def fork_or_fail() -> int:
        if len(forked) == 2:
            raise BlockingIOError(errno.EAGAIN, "no more processes")
        forked.append(1)
        return fork()

    os.fork = fork_or_fail


def slow_pid() -> int:
    """The worker's id, after so long that another worker has work too."""
    time.sleep(1)
    return os.getpid()
