"""One fuzzer for one reader, in a separate process, because atheris instruments what it imports. ``tests.fuzz`` starts it.

A fault does not end it: the shortest input for each place that raises is kept, and the fuzzer continues.
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
    """The places where inputs raised an error, and the shortest input for each place, in a folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._shortest: dict[str, int] = {}

    def note(self, error: Exception, data: bytes) -> None:
        """Keep an input that raised an error, unless a shorter one raised one at the same place."""
        place = _place(error)
        if len(data) >= self._shortest.get(place, 1 << 30):
            return
        if place not in self._shortest:
            traceback.print_exception(error)
        self._shortest[place] = len(data)
        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(place.encode()).hexdigest()[:12]
        (self._folder / name).write_bytes(data)
        report = f"{place}\n\n{''.join(traceback.format_exception(error))}\nThe input: {data!r}\n"
        (self._folder / f"{name}.txt").write_text(report, encoding="utf-8")


def _place(error: Exception) -> str:
    """The class of an exception, the innermost line of our own code, and the beginning of the message."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    return f"{type(error).__name__} at {pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno}: {str(error)[:40]}"


def fuzz(target: checks.Target, faults: Faults, options: list[str]) -> None:
    """Fuzz one reader; libFuzzer ends the process.

    Args:
        target: the reader.
        faults: receives the findings.
        options: arguments of libFuzzer: options, and folders of inputs.
    """

    def ask(data: bytes) -> None:
        try:
            checks.once(target, data)
            checks.pumped(target, data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault, and the next input may show another
            faults.note(error, data)

    atheris.Setup([sys.argv[0], *options], ask)
    atheris.Fuzz()


def main() -> int:
    """``NAME FOLDER-OF-FAULTS``, then the arguments of libFuzzer."""
    name, folder, *options = sys.argv[1:]
    fuzz(TARGETS[name], Faults(pathlib.Path(folder)), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
