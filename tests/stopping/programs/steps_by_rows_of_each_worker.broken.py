"""Two workers average their gradients; each takes as many steps as it has batches."""

import json
import multiprocessing
import os
import socket


def work(index, ports, batches, all_done):
    os.environ["TF_CONFIG"] = json.dumps(
        {"cluster": {"worker": [f"localhost:{port}" for port in ports]}, "task": {"type": "worker", "index": index}}
    )
    import tensorflow as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    @tf.function
    def step(scale):
        def gradient():
            return tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.MEAN, tf.ones((4,)) * scale)

        return strategy.run(gradient)

    for number in range(batches):
        mean = step(tf.constant(float(number)))
        print("worker", index, "step", number, mean.numpy()[0], flush=True)
    all_done.wait()


def free_ports(count):
    sockets = [socket.create_server(("localhost", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def main():
    print("two workers", flush=True)
    context = multiprocessing.get_context("spawn")
    ports, all_done = free_ports(2), context.Barrier(2)
    workers = [context.Process(target=work, args=(index, ports, batches, all_done)) for index, batches in enumerate((6, 4))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
