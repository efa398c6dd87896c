"""Test-loads libraries in the user's interpreter: a process that a broken library may kill.

    python load.py '[["libcudart.so.12", "/path/of/it", true], ...]'

Standard library only, CPython 3.6 to 3.14, like the probe in ``__main__.py``; it is a separate file because it starts without
``site`` and has to start fast.
"""

import sys

if __name__ == "__main__":
    del sys.path[0]  # the probe's own folder, whose modules must not shadow others
import ctypes
import json

MARKER = "tfhelp-facts:"


def _say(document: "dict[str, object]") -> None:
    sys.stdout.write("\n" + MARKER + json.dumps(document) + "\n")
    sys.stdout.flush()


def load(plan: "list[tuple[str, str, bool]]") -> None:
    """Open each library of a plan and print its position first: if the process dies, the last one printed is the culprit's.

    Args:
        plan: (soname, file, whether to ask the library for its version).
    """
    for number, (soname, file, ask) in enumerate(plan):
        _say({"trying": number})
        answer = {"loaded": number}  # type: dict[str, object]
        try:
            library = ctypes.CDLL(file)
            if ask and soname.startswith("libcudart."):
                version = ctypes.c_int(0)
                if library.cudaRuntimeGetVersion(ctypes.byref(version)) == 0 and version.value:
                    answer["version"] = f"{version.value // 1000}.{version.value % 1000 // 10}"
            elif ask and soname.startswith("libcudnn."):
                library.cudnnGetVersion.restype = ctypes.c_size_t
                answer["version"] = cudnn_version(library.cudnnGetVersion())
        except (OSError, AttributeError) as error:
            answer["error"] = str(error)
        _say(answer)


def cudnn_version(number: int) -> str:
    """cuDNN's number in the usual notation: 8907 is 8.9.7; since release 9 there is one more digit: 90300 is 9.3.0."""
    unit = 10000 if number >= 90000 else 1000
    return f"{number // unit}.{number % unit // 100}.{number % 100}"


if __name__ == "__main__":
    load(json.loads(sys.argv[1]))
