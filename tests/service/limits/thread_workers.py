"""Workers that are threads of this process, for tests of what the pool itself decides."""

import contextlib
import multiprocessing
import pickle
import threading

from tfhelp.service.workers.starting import Worker
from tfhelp.service.workers.work import Reply


class ThreadWorkers:
    """A starter whose workers call the functions in threads."""

    def start(self) -> Worker:
        """Start a thread."""
        ours, theirs = multiprocessing.Pipe()

        def serve() -> None:
            with contextlib.suppress(EOFError, OSError):
                while True:
                    function, arguments, _ = pickle.loads(theirs.recv_bytes())
                    theirs.send_bytes(pickle.dumps(Reply("result", function(*arguments), 1)))

        threading.Thread(target=serve, daemon=True).start()
        return Worker(ours, lambda: 0)

    def close(self) -> None:
        """Nothing is left to close."""
