"""A worker of a training, with a cluster description of its own."""

import json
import os
import socket

print("worker starts", flush=True)
with socket.create_server(("localhost", 0)) as first, socket.create_server(("localhost", 0)) as second:
    addresses = [f"localhost:{each.getsockname()[1]}" for each in (first, second)]
os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": addresses[:1]}, "task": {"type": "worker", "index": 0}})
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
print("replicas", strategy.num_replicas_in_sync, flush=True)
