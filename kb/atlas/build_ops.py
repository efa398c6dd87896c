"""Build the table of operations: ``python -m tfhelp.kb.atlas.build_ops``.

It reads the installed TensorFlow: the registry of operations, and the kernels of every device. The wheel ``tensorflow`` for Linux
registers the GPU kernels even on a machine without a GPU. If none are registered, nothing is written. pip gets the wheel's name
and SHA-256 from the package index, without downloading the wheel.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import typing

from tfhelp.kb.atlas import ops, store
from tfhelp.kb.atlas.op_rows import op_row

_LARGEST = 400_000  # bytes
_FEWEST_ON_GPU = 3000
"""GPU kernels that a wheel with CUDA registers: 5,017 in 2.21. A wheel without CUDA registers a few, for metadata."""


class RegistryError(RuntimeError):
    """The installed TensorFlow cannot be read. The message gives the reason."""


def rows() -> dict[str, list[typing.Any]]:
    """Every operation of the installed TensorFlow: name -> row.

    Raises:
        RegistryError: TensorFlow is missing, or has no GPU kernels.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        import tensorflow as tf
        from tensorflow.core.framework import op_def_pb2
        from tensorflow.python.client import pywrap_tf_session
        from tensorflow.python.framework import kernels as registry
    except ImportError as error:
        raise RegistryError(f"TensorFlow cannot be imported ({error}); install tensorflow for Linux") from None
    # XLA's kernels are registered when it compiles for the first time.
    tf.function(lambda x: x + 1, jit_compile=True)(tf.constant(1.0))
    listed = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    kernels: dict[str, list[typing.Any]] = {}
    for kernel in registry.get_all_registered_kernels().kernel:
        kernels.setdefault(kernel.op, []).append(kernel)
    on_gpu = sum(kernel.device_type == "GPU" for found in kernels.values() for kernel in found)
    if on_gpu < _FEWEST_ON_GPU:
        raise RegistryError(f"TensorFlow {tf.__version__} has {on_gpu} kernels for GPUs; install the wheel tensorflow for Linux")
    return {op.name: op_row(op, kernels.get(op.name, []), _type_name) for op in listed.op}


def _type_name(number: int) -> str:
    from tensorflow.python.framework import dtypes

    return str(dtypes.as_dtype(number).name)


def wheel() -> dict[str, str]:
    """Release, file name and SHA-256 of the installed wheel, from the package index.

    Raises:
        RegistryError: the index does not have it, or pip's answer does not contain it.
    """
    release = importlib.metadata.version("tensorflow")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed"]
    command += ["--report", "-", f"tensorflow=={release}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found = json.loads(run.stdout)["install"][0]["download_info"]
        digest = found["archive_info"]["hashes"]["sha256"]
    except (ValueError, LookupError):
        raise RegistryError(f"tensorflow=={release}: {run.stderr.strip()[-400:] or 'pip gives no hash'}") from None
    return {"release": release, "wheel": found["url"].rpartition("/")[2], "sha256": digest}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Exit status: 0 if the table was written."""
    parser = argparse.ArgumentParser(
        prog="python -m tfhelp.kb.atlas.build_ops", description="Make the table of operations from the installed TensorFlow."
    )
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(ops.PATH))
    given = parser.parse_args(arguments)
    try:
        about = wheel()
        table = rows()
        store.write(given.output, {"about": dict(about), "ops": table}, {})
    except (RegistryError, ValueError, OSError) as error:
        print(f"ops: {error}", file=sys.stderr)
        return 1
    size = given.output.stat().st_size
    print(f"{given.output}: {len(table)} operations of TensorFlow {about['release']}, {size:,} bytes", file=sys.stderr)
    return 0 if size <= _LARGEST else 1


if __name__ == "__main__":
    sys.exit(main())
