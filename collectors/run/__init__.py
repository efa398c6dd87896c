"""A training that is run: the program itself, left alone, what it said, and what the machine did meanwhile."""

FACTS: tuple[str, ...] = (
    "run.exit_code",
    "run.signal",
    "run.pid",
    "run.killed_by",
    "run.seconds",
    "run.seconds_since_output",
    "run.hung",
    "run.processes",
    "run.cores_busy",
    "run.memory_peak_mib",
    "run.memory_limit_mib",
    "run.memory_pattern",
    "run.memory_slope_mib_per_minute",
    "run.gpu_idle_share",
    "host.memory_available_mib",
    "host.cgroup_used_mib",
    "host.cgroup_oom_kills",
    "host.oom_killed",
    "host.shm_free_mib",
    "host.disk_free_mib",
    "host.temporary_free_mib",
    "host.open_files",
    "host.open_files_limit",
)
"""The fact paths that this collector makes. Of the machine it tells the worst moment of the run, not the moment after."""
