"""One fuzzer for one reader, in a separate process, because atheris instruments what it imports. ``tests.fuzz`` starts it.

A fault does not end it: the shortest input for each place that raises is kept, and the fuzzer continues.
"""

import hashlib
import os
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
        (self._folder / f"{name}.txt").write_text(place + "\n\n" + "".join(traceback.format_exception(error)), encoding="utf-8")


def _place(error: Exception) -> str:
    """The class of an exception, the innermost line of our own code, and the beginning of the message."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    return f"{type(error).__name__} at {pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno}: {str(error)[:40]}"


def fuzz(target: checks.Target, faults: Faults, timed: bool, options: list[str]) -> None:
    """Fuzz one reader; libFuzzer ends the process.

    Args:
        target: the reader.
        faults: receives the findings.
        timed: whether to check how the time grows, which a busy machine distorts.
        options: arguments of libFuzzer: options, and folders of inputs.
    """

    def ask(data: bytes) -> None:
        try:
            checks.once(target, data)
            if timed:
                checks.pumped(target, data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault, and the next input may show another
            faults.note(error, data)

    atheris.Setup([sys.argv[0], *options], ask)
    atheris.Fuzz()


def fuzz_all(root: pathlib.Path, options: list[str]) -> int:
    """Fuzz every reader for a while, each in a fork of this process; return 1 if one did not run to its end.

    Args:
        root: has a folder ``corpus/NAME`` for each reader, and gets ``faults/NAME``.
        options: as libFuzzer takes them.
    """
    ended = 0
    for name, target in TARGETS.items():
        child = os.fork()
        if not child:
            print(f"reader {name}", file=sys.stderr, flush=True)
            fuzz(
                target,
                Faults(root / "faults" / name),
                False,
                [*options, f"-max_len={target.longest}", str(root / "corpus" / name)],
            )
            os._exit(0)  # libFuzzer has done so already
        ended |= os.waitpid(child, 0)[1]
    return int(bool(ended))


def main() -> int:
    """``NAME FOLDER-OF-FAULTS``, or ``all FOLDER``; then the arguments of libFuzzer."""
    name, folder, *options = sys.argv[1:]
    if name == "all":
        return fuzz_all(pathlib.Path(folder), options)
    fuzz(TARGETS[name], Faults(pathlib.Path(folder)), True, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
