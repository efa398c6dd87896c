"""Environment variables that affect training: by allow-list, because others hold secrets."""

import os
import re

from tfhelp.kb.fact_sheet import FactSheet

# fmt: off
ENVIRONMENT_PREFIXES = (
    "TF_", "XLA_", "CUDA_", "NCCL_", "OMP_", "KMP_", "MKL_", "OPENBLAS_", "KERAS_", "PROTOCOL_BUFFERS_", "NVIDIA_", "HOROVOD_",
    "TPU_", "CUDNN_", "CONDA_DEFAULT_ENV", "LC_", "AUTOGRAPH_", "HDF5_",
)
ENVIRONMENT_NAMES = frozenset((
    "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "CUDNN_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH",
    "PYTHONHOME", "PYTHONHASHSEED", "PYTHONNOUSERSITE", "PYTHONUNBUFFERED", "PYTHONFAULTHANDLER", "PYTHONIOENCODING",
    "PYTHONUTF8", "PYTHONMALLOC", "PYTHONSAFEPATH", "GRPC_VERBOSITY", "GRPC_TRACE", "GRPC_POLL_STRATEGY",
    "GRPC_ENABLE_FORK_SUPPORT", "MPLBACKEND", "DISPLAY", "LANG", "TMPDIR", "TEMP", "TMP", "MALLOC_CONF",
    "MALLOC_ARENA_MAX", "COLAB_GPU", "COLAB_RELEASE_TAG", "COLAB_TPU_ADDR", "KAGGLE_KERNEL_RUN_TYPE", "TFHUB_CACHE_DIR",
    "SLURM_JOB_ID", "SLURM_JOB_NUM_NODES", "SLURM_JOB_GPUS", "SLURM_GPUS", "SLURM_GPUS_ON_NODE", "SLURM_GPUS_PER_NODE",
    "SLURM_GPUS_PER_TASK", "SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU", "SLURM_MEM_PER_GPU", "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NNODES", "SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE",
    "SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "PBS_JOBID", "LSB_JOBID", "WORLD_SIZE", "RANK", "LOCAL_RANK",
    "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION", "ITEX_VERBOSE",
))
# fmt: on
# Only whether it is set counts; the values hold passwords.
PRESENCE_NAMES = frozenset(
    name for lower in ("http_proxy", "https_proxy", "no_proxy", "all_proxy") for name in (lower, lower.upper())
)
_SECRET_WORDS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "JWT", "APIKEY", "API_KEY", "ACCESS_KEY")
_FOREIGN_PREFIXES = ("TF_VAR_", "TF_CLI_", "TF_TOKEN_", "TF_HTTP_")  # Terraform's, not TensorFlow's


def environment_variable(name: str, value: str) -> str | None:
    """What may be shown of an environment variable: its value, ``set`` if only that may be shown, ``None`` for nothing."""
    if name in PRESENCE_NAMES:
        return "set"
    if (name not in ENVIRONMENT_NAMES and not name.startswith(ENVIRONMENT_PREFIXES)) or name.startswith(_FOREIGN_PREFIXES):
        return None
    if any(word in name.upper() for word in _SECRET_WORDS) or re.search(r"://[^/\s]*@", value):
        return "set"
    # Python turns bytes that it cannot decode into lone surrogates; no document can encode them.
    return value[:4096].encode("utf-8", "replace").decode("utf-8")


def read_environment_variables(sheet: FactSheet, _root: str = "/") -> None:
    """``env.*``; the group is marked as read completely, so a variable on the allow-list that is missing is not set."""
    for name in sorted(os.environ):
        value = environment_variable(name, os.environ[name])
        if value is not None:
            sheet.put("env." + name, value, "environment variable")
    sheet.about["env"] = {"source": "environment variables that affect training", "state": "ok"}
