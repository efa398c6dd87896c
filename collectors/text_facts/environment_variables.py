"""Environment variables that affect training, as they are set or printed in a text.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "export TF_FORCE_GPU_ALLOW_GROWTH=true")
{'env.TF_FORCE_GPU_ALLOW_GROWTH': 'true'}
>>> values_of(read, 'os.environ["CUDA_VISIBLE_DEVICES"] = ""')
{'env.CUDA_VISIBLE_DEVICES': ''}
>>> values_of(read, "CUDA_VISIBLE_DEVICES=1 python train.py")
{'env.CUDA_VISIBLE_DEVICES': '1'}

A value that is not written out (``$PATH``, a variable's name) is not stated.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import FORM, Statements

NAMES = frozenset(
    [
        "CUDA_VISIBLE_DEVICES",
        "CUDA_DEVICE_ORDER",
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDA_LAUNCH_BLOCKING",
        "CUDA_CACHE_PATH",
        "CUDA_CACHE_DISABLE",
        "CUDA_CACHE_MAXSIZE",
        "CUDNN_PATH",
        "NVIDIA_VISIBLE_DEVICES",
        "NVIDIA_DRIVER_CAPABILITIES",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "PYTHONPATH",
        "KERAS_BACKEND",
        "KMP_DUPLICATE_LIB_OK",
        "KMP_BLOCKTIME",
        "KMP_AFFINITY",
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION",
        "CONDA_DEFAULT_ENV",
        "CONDA_PREFIX",
        "VIRTUAL_ENV",
        "PYTHONHASHSEED",
        "PYTHONUNBUFFERED",
        "PYTHONNOUSERSITE",
        "MALLOC_ARENA_MAX",
        "MALLOC_TRIM_THRESHOLD_",
        "XLA_FLAGS",
        "XLA_PYTHON_CLIENT_PREALLOCATE",
        "TMPDIR",
        "HOROVOD_STALL_CHECK_TIME_SECONDS",
    ]
)
_PREFIXES = ("TF_", "NCCL_", "GRPC_", "SLURM_", "HOROVOD_")
_NEVER = ("TOKEN", "SECRET", "KEY", "PASSWORD", "CREDENTIAL")

_NAME = r"([A-Z][A-Z0-9_]{2,50})"
_ASSIGNED = Pattern(
    rf"(?:^|[\s;'\"(]|-e |-x |%env )(?:export |set |setenv |ENV |\$env:)?{_NAME}(?:=| = )(?:\"([^\"\n]{{0,1500}})\"|'([^'\n]{{0,1500}})'|([^\s;\"']{{0,1500}}))",
    re.ASCII,
)
_PYTHON = Pattern(
    rf"environ(?:\[['\"]{_NAME}['\"]\]\s{{0,3}}=(?!=)\s{{0,3}}|\.setdefault\(['\"]{_NAME}['\"],\s{{0,3}})(?:\"([^\"\n]{{0,1500}})\"|'([^'\n]{{0,1500}})')",
    re.ASCII,
)
_MAPPING = Pattern(rf"^\s{{0,12}}(?:- name: |- )?[\"']?{_NAME}[\"']?: [\"']?([^\"'\n]{{0,400}}?)[\"']?,?\s*$", re.ASCII)
_COMMENT = Pattern(r"\s*(?:#(?!SBATCH|PBS|BSUB|\$)|//|REM )")  # a scheduler reads its own comments
# "2. Set PROTOCOL_...=python", "because envvar TF_XLA_FLAGS=... was not set", "run with NCCL_DEBUG=INFO": advice of a message.
_ADVISED = Pattern(r"(?:\bSet|\benvvar|\brun with) $")
_NOT_WRITTEN_OUT = ("$", "%", "<", "{{", "...")


@reads(
    words="""conda_default_env conda_prefix cuda_cache_disable cuda_cache_maxsize cuda_cache_path cuda_device_order
        cuda_home cuda_launch_blocking cuda_path cuda_visible_devices cudnn_path env environ export grpc_dns_resolver
        grpc_verbosity horovod_stall_check_time_seconds keras_backend kmp_affinity kmp_blocktime kmp_duplicate_lib_ok
        ld_library_path ld_preload malloc_arena_max malloc_trim_threshold_ mkl_num_threads nccl_debug nccl_ib_disable
        nccl_pp_disable nccl_shm_disable nccl_socket_ifname nvidia_driver_capabilities nvidia_visible_devices
        omp_num_threads openblas_num_threads protocol_buffers_python_implementation putenv pythonhashseed
        pythonnousersite pythonpath pythonunbuffered set setenv slurm_job_id slurm_mem_per_node slurm_nodelist
        slurm_ntasks slurm_procid tf_config tf_cpp_max_vlog_level tf_cpp_min_log_level tf_cuda_compute_capabilities
        tf_cudnn_deterministic tf_cudnn_use_autotune tf_deterministic_ops tf_enable_gpu_garbage_collection
        tf_enable_onednn_opts tf_force_gpu_allow_growth tf_gpu_allocator tf_gpu_memory_limit tf_gpu_thread_count
        tf_gpu_thread_mode tf_num_interop_threads tf_num_intraop_threads tf_use_legacy_keras tf_xla_flags tmpdir
        virtual_env xla_flags xla_python_client_preallocate""",
    says=("env.*",),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the variables on the allow-list; a comment line sets none."""
    for number in at:
        line = lines[number]
        if _COMMENT.match(line):
            continue
        if "environ" in line:
            for found in _PYTHON.finditer(line):
                _say(found[1] or found[2], found[3] if found[3] is not None else found[4], number, said)
        elif "=" in line:
            for found in _ASSIGNED.finditer(line):
                if _ADVISED.search(line, max(0, found.start(1) - 20), found.start(1)):
                    continue
                value = next(part for part in (*found.groups()[1:], "") if part is not None)
                _say(found[1], value, number, said)
        elif mapping := _MAPPING.match(line):
            _say(mapping[1], mapping[2], number, said)


def allowed(name: str) -> bool:
    """Return whether a variable's value may be shown and stored: it affects training and holds no secret."""
    return (name in NAMES or name.startswith(_PREFIXES)) and not any(word in name for word in _NEVER)


def _say(name: str, value: str, number: int, said: Statements) -> None:
    if allowed(name) and not value.startswith(_NOT_WRITTEN_OUT) and name != "TF_CONFIG":
        said.say(f"env.{name}", value.strip(), number, FORM)
