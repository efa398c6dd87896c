"""Distribution: the strategy, how many replicas it has, and the cluster in ``TF_CONFIG``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "INFO:tensorflow:Using MirroredStrategy with devices ('/job:localhost/replica:0/task:0/device:GPU:0', '/GPU:1')")
{'log.strategy': 'MirroredStrategy', 'log.replicas': 2}
>>> values_of(read, "Number of devices: 4")
{'log.replicas': 4}
>>> sorted(values_of(read, '''TF_CONFIG='{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}' '''))
['env.TF_CONFIG', 'log.cluster_workers', 'log.task']
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_STRATEGIES = r"(MirroredStrategy|MultiWorkerMirroredStrategy|CollectiveAllReduceStrategy|ParameterServerStrategy(?:V2)?|TPUStrategy|CentralStorageStrategy|OneDeviceStrategy)"
_USING = Pattern(rf"\b(?:Using|Single-worker|MultiWorker) {_STRATEGIES}\b", re.ASCII)
_MADE = Pattern(rf"\b{_STRATEGIES}\(", re.ASCII)
_DEVICE = Pattern(r"(?:/|device:)(?:GPU|CPU|TPU):[0-9]{1,4}", re.IGNORECASE)
_REPLICAS = Pattern(
    r"(?:num_replicas_in_sync|[Nn]umber of (?:devices|replicas)(?: in sync)?|num_replicas)\s?(?:is|[:=])\s{0,3}([0-9]{1,5})\b",
    re.ASCII,
)
_WORKERS = Pattern(r"\bnum_workers ?= ?([0-9]{1,5})\b", re.ASCII)
_TASK = Pattern(
    r"(?:task_type ?= ?|/job:)['\"]?(worker|chief|ps|evaluator)['\"]?[,/] ?(?:task_id ?= ?|replica:0/task:)([0-9]{1,5})", re.ASCII
)
_READY = ("Coordination agent has successfully connected", "Cluster is ready", "WaitForAllTasks")
_LONGEST_CONFIG = 4000


@reads(
    words="""agent centralstoragestrategy cluster cluster_spec collectiveallreducestrategy devices mirroredstrategy
        multiworkermirroredstrategy num_replicas_in_sync num_workers onedevicestrategy parameterserverstrategy
        parameterserverstrategyv replicas strategy tf_config tpustrategy""",
    says=(
        "log.strategy",
        "log.replicas",
        "log.cluster_workers",
        "log.cluster_ready",
        "log.task",
        "env.*",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the strategy, its replicas and the cluster."""
    for number in at:
        line = lines[number]
        if any(sign in line for sign in _READY):
            said.say("log.cluster_ready", True, number)
        if "trategy" in line:
            _strategy(line, number, said)
        if replicas := (_REPLICAS.search(line) if "umber of" in line or "num_replicas" in line else None):
            said.say("log.replicas", int(replicas[1]), number)
        if "TF_CONFIG" in line:
            _tf_config(lines, number, said)


def _strategy(line: str, number: int, said: Statements) -> None:
    used = _USING.search(line)
    made = used or _MADE.search(line)
    if not made:
        return
    said.say("log.strategy", made[1], number)
    if not used:
        return
    if "with devices" in line and (devices := _DEVICE.findall(line)):
        said.say("log.replicas", len(devices), number)
    if workers := _WORKERS.search(line):
        said.say("log.cluster_workers", int(workers[1]), number)
    if task := (_TASK.search(line) if "task_type" in line else None):
        said.say("log.task", f"{task[1]}:{task[2]}", number)


def _tf_config(lines: Lines, number: int, said: Statements) -> None:
    """The JSON after the name, possibly over several lines."""
    import json  # rarely needed

    text = "\n".join(lines[number : number + 30])[:_LONGEST_CONFIG]
    start = text.find("{", text.find("TF_CONFIG"))
    if start < 0 or start - text.find("TF_CONFIG") > 60:
        return
    config = _json(text[start:])
    cluster = config.get("cluster") if isinstance(config, dict) else None
    if not isinstance(config, dict) or not isinstance(cluster, dict):
        return
    said.say("env.TF_CONFIG", json.dumps(config, sort_keys=True), number)
    workers = [host for role in ("worker", "chief", "master") for host in _hosts(cluster.get(role))]
    said.say("log.cluster_workers", len(workers), number)
    task = config.get("task")
    if isinstance(task, dict) and isinstance(task.get("type"), str) and isinstance(task.get("index"), (int, str)):
        said.say("log.task", f"{task['type']}:{task['index']}", number)


def _hosts(hosts: object) -> list[object]:
    return hosts if isinstance(hosts, list) else []


def _json(text: str) -> object:
    """The first JSON object of a text, or a Python dictionary that differs from one only in its quotation marks."""
    import json

    for form in (text, text.replace("'", '"'), text.replace('\\"', '"')):
        try:
            return json.JSONDecoder().raw_decode(form)[0]
        except (ValueError, RecursionError):
            continue
    return None
