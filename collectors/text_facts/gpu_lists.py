"""Merges the lists of GPUs in one text: nvidia-smi knows the memory, TensorFlow's log the compute capability.

>>> combine([[{"name": "Tesla T4", "memory_total_mib": 15360.0}], [{"name": "Tesla T4", "compute_capability": "7.5"}]])
[{'name': 'Tesla T4', 'memory_total_mib': 15360.0, 'compute_capability': '7.5'}]
"""

import typing

GpuFacts = dict[str, typing.Any]


def combine(lists: list[list[GpuFacts]]) -> list[GpuFacts]:
    """Combine lists, the most trusted first.

    The first list with any memory, else the first one that is not empty, determines how many GPUs there are; the
    others only add what it lacks. If the GPUs at the same position have no different names, they belong together; else the first
    with the same name counts. An empty list counts only if all are empty.
    """
    filled = [gpus for gpus in lists if gpus]
    if not filled:
        return []
    base = next((gpus for gpus in filled if any("memory_total_mib" in gpu for gpu in gpus)), filled[0])
    result = [dict(gpu) for gpu in base]
    for gpus in filled:
        if gpus is base:
            continue
        for position, mine in enumerate(result):
            other = _counterpart(mine, position, gpus)
            if other:
                for key, value in other.items():
                    mine.setdefault(key, value)
    return result


def _counterpart(mine: GpuFacts, position: int, gpus: list[GpuFacts]) -> GpuFacts | None:
    if position < len(gpus) and _same_name(mine, gpus[position]):
        return gpus[position]
    return next((gpu for gpu in gpus if "name" in gpu and "name" in mine and _same_name(mine, gpu)), None)


def _same_name(one: GpuFacts, other: GpuFacts) -> bool:
    """nvidia-smi truncates long names (``NVIDIA GeForce ...``), old drivers leave the maker out, people write "3060"."""
    if "name" not in one or "name" not in other:
        return True
    names = [str(gpu["name"]).replace("NVIDIA ", "").lower() for gpu in (one, other)]
    names = [name.partition("...")[0].strip() for name in names]
    return names[0] == names[1] or names[0] in names[1] or names[1] in names[0]
