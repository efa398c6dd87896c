"""Imports TensorFlow in the user's interpreter, as a script in the working folder would, and lists its GPUs.

It is a separate process because the import may crash (a processor without AVX), hang or take a minute. Each step is
reported when it is done: one line of JSON after MARKER.
"""

import os
import sys

if __name__ == "__main__":
    sys.path[0] = os.curdir  # where the probe's own folder was
import json
import time

MARKER = "tfhelp-facts:"


def _say(document: "dict[str, object]") -> None:
    sys.stdout.write("\n" + MARKER + json.dumps(document) + "\n")
    sys.stdout.flush()


def import_tensorflow() -> None:
    """Report the version and the import time in seconds, then the names of the GPUs."""
    started = time.time()
    import tensorflow

    _say({"version": getattr(tensorflow, "__version__", None), "seconds": round(time.time() - started, 2)})
    _say({"gpus": [device.name for device in tensorflow.config.experimental.list_physical_devices("GPU")]})


if __name__ == "__main__":
    import_tensorflow()
