"""The data files of a run that are open at each reading (``/proc/PID/fd``)."""

import os

_NO_DATA = ("/proc/", "/dev/", "/sys/", "/run/", "/usr/", "/lib", "/etc/")
_NO_ENDINGS = (".py", ".pyc", ".so", ".log", ".out", ".err", ".lock", ".sock")
_MOST = 200


class OpenFiles:
    """Files that processes were seen to read.

    Attributes:
        found: path -> size in bytes and time of the last change.
    """

    def __init__(self, leave_out: str | None = None) -> None:
        """Begin with none; files below ``leave_out`` are our own."""
        self.found: dict[str, list[float]] = {}
        self._looked_at: set[str] = set()
        self._leave_out = leave_out

    def look(self, pid: int, root: str = "/proc") -> None:
        """Record the files that a process has open now."""
        folder = f"{root}/{pid}/fd"
        try:
            numbers = os.listdir(folder)
        except OSError:
            return
        for number in numbers:
            if len(self.found) >= _MOST:
                return
            try:
                path = os.readlink(f"{folder}/{number}")
                if path not in self._looked_at and self._may_be_data(path):
                    self._looked_at.add(path)
                    self._take(path, f"{root}/{pid}/fdinfo/{number}")
            except OSError:
                continue

    def _may_be_data(self, path: str) -> bool:
        ours = self._leave_out is not None and path.startswith(self._leave_out)
        return path.startswith("/") and not path.startswith(_NO_DATA) and not path.endswith(_NO_ENDINGS) and not ours

    def _take(self, path: str, info: str) -> None:
        with open(info, encoding="ascii", errors="replace") as file:
            flags = next((line.split()[1] for line in file if line.startswith("flags:")), "0")
        if int(flags, 8) & os.O_ACCMODE == os.O_RDONLY and os.path.isfile(path):  # what it writes differs each time
            status = os.stat(path)
            self.found[path] = [float(status.st_size), round(status.st_mtime, 3)]
