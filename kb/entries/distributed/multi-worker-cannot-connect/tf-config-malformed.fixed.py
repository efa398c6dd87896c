# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import json
import os

import tensorflow as tf

cluster = json.loads('{"worker": ["localhost:0"]}')

# --- shown
# cluster is a dictionary. Its list under "worker" has one host:port for each process.
os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": 0}})
# --- end
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
strategy = tf.distribute.MultiWorkerMirroredStrategy(cluster_resolver=resolver)
assert strategy.num_replicas_in_sync == 1
