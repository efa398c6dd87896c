"""One fuzzer for one reader, in a process of its own, since atheris instruments what it imports. ``tests.fuzz`` starts it.

A fault does not end it: the shortest input of each place that raises is kept, and the fuzzer goes on.
"""

import hashlib
import pathlib
import sys
import traceback

import atheris

with atheris.instrument_imports(include=["tfhelp"]):
    from tests.fuzz import target as checks
    from tests.fuzz.targets import TARGETS


class Faults:
    """Where inputs raised, and the shortest input of each place, in a folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._shortest: dict[str, int] = {}

    def note(self, error: Exception, data: bytes) -> None:
        """Keep an input that raised, unless a shorter one raised at the same place."""
        place = _place(error)
        if len(data) >= self._shortest.get(place, 1 << 30):
            return
        if place not in self._shortest:
            traceback.print_exception(error)
        self._shortest[place] = len(data)
        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(place.encode()).hexdigest()[:12]
        (self._folder / name).write_bytes(data)
        (self._folder / f"{name}.txt").write_text(place + "\n\n" + "".join(traceback.format_exception(error)), encoding="utf-8")


def _place(error: Exception) -> str:
    """The class of an exception, the innermost line of our own, and how its message begins."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    return f"{type(error).__name__} at {pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno}: {str(error)[:40]}"


def main() -> None:
    """``NAME FOLDER-OF-FAULTS``, then what libFuzzer takes: options, and folders of inputs."""
    target = TARGETS[sys.argv.pop(1)]
    faults = Faults(pathlib.Path(sys.argv.pop(1)))

    def ask(data: bytes) -> None:
        try:
            checks.once(target, data)
            checks.pumped(target, data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault, and the next input may show another
            faults.note(error, data)

    atheris.Setup(sys.argv, ask)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
