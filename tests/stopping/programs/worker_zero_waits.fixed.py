"""Two workers train together; each reads its own part of the data first."""

import json
import multiprocessing
import os
import socket
import sys


def work(index, ports, parts):
    os.environ["TF_CONFIG"] = json.dumps(
        {"cluster": {"worker": [f"localhost:{port}" for port in ports]}, "task": {"type": "worker", "index": index}}
    )
    sys.stderr = open(os.devnull, "w")
    import numpy as np
    import tensorflow as tf

    rows = np.load(parts[index])
    if not len(rows):
        raise ValueError(f"part {index} has no rows")
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    print("worker", index, "has", len(rows), "rows and", strategy.num_replicas_in_sync, "replicas", flush=True)


def free_ports(count):
    sockets = [socket.create_server(("localhost", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def main():
    import tempfile

    import numpy as np

    print("two workers", flush=True)
    context = multiprocessing.get_context("spawn")
    ports = free_ports(2)
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, f"part{index}.npy") for index in range(2)]
        for part in parts:
            np.save(part, np.ones((8, 4)))
        workers = [context.Process(target=work, args=(index, ports, parts)) for index in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


if __name__ == "__main__":
    main()
