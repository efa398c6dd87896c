"""Which words make a line worth showing to which reader.

They stand here and not in the readers, so that a cold start imports only the readers that a text needs. Words are as
``lines.lines_by_word`` makes them: small letters and underscores, digits left out. A reader's words must find every
line that it can read; common ones ("version", "file") are cheap, since lines of one shape are looked at once.
"""

WORDS_OF: dict[str, frozenset[bytes]] = {
    reader: frozenset(words.encode().split())
    for reader, words in {
        "allocations": "allocate allocating allocation allocator inuse limit maxinuse memory memory_limit_ oom",
        "cluster": """agent centralstoragestrategy cluster cluster_spec collectiveallreducestrategy devices mirroredstrategy
            multiworkermirroredstrategy num_replicas_in_sync num_workers onedevicestrategy
            parameterserverstrategy parameterserverstrategyv replicas strategy tf_config tpustrategy""",
        "device_lines": """created creating found get_available_gpus gpu gpus ignoring is_built_with_cuda is_gpu_available
            list_physical_devices physical_device skipping streamexecutor""",
        "disk_and_memory": "filesystem mem memavailable memtotal shm swapfree swaptotal",
        "endings": """abort aborted bus code exit exit_code exitcode exited fatal floating illegal killed oomkilled rc
            returncode returned returns segmentation sigabrt sigbus sigill sigkill signal signals sigsegv
            sigterm status terminated trace zsh""",
        "environment_reports": """architecture check docker gpu hypervisor is ld_library_path libc libcudnn model models os runtime
            tensorflow version virtualenv""",
        "environment_variables": """conda_default_env conda_prefix cuda_cache_disable cuda_cache_maxsize cuda_cache_path
            cuda_device_order cuda_home cuda_launch_blocking cuda_path cuda_visible_devices cudnn_path env
            environ export grpc_dns_resolver grpc_verbosity horovod_stall_check_time_seconds keras_backend
            kmp_affinity kmp_blocktime kmp_duplicate_lib_ok ld_library_path ld_preload malloc_arena_max
            malloc_trim_threshold_ mkl_num_threads nccl_debug nccl_ib_disable nccl_p_p_disable nccl_shm_disable
            nccl_socket_ifname nvidia_driver_capabilities nvidia_visible_devices omp_num_threads
            openblas_num_threads protocol_buffers_python_implementation putenv pythonhashseed pythonnousersite
            pythonpath pythonunbuffered set setenv slurm_job_id slurm_mem_per_node slurm_nodelist slurm_ntasks
            slurm_procid tf_config tf_cpp_max_vlog_level tf_cpp_min_log_level tf_cuda_compute_capabilities
            tf_cudnn_deterministic tf_cudnn_use_autotune tf_deterministic_ops tf_enable_gpu_garbage_collection
            tf_enable_onednn_opts tf_force_gpu_allow_growth tf_gpu_allocator tf_gpu_memory_limit
            tf_gpu_thread_count tf_gpu_thread_mode tf_num_interop_threads tf_num_intraop_threads
            tf_use_legacy_keras tf_xla_flags tmpdir virtual_env xla_flags xla_python_client_preallocate""",
        "gpu_libraries": """compilation could cuda_version cudnn cudnn_version devices dlerror dll driver dso gpus handle
            libcuda nvcc nvml nvrm opened reported shared""",
        "gpu_wish": """cuda cuinit device devices docker get_available_gpus gpu gpu_device_name gpus is_built_with_cuda
            is_gpu_available list_logical_devices list_physical_devices set_visible_devices""",
        "issue_form": """cuda cudnn distribution driver gpu gpus graphics h installed keras memory model numpy operating os
            platform protobuf python ram system tensorflow tf torch transformers version versions""",
        "kernel_log": "kill killed oom oom_kill_process oom_reaper segfault trap traps xid",
        "limits": "descriptors files kbytes nofile nofiles open stack ulimit vmemory",
        "nvidia_smi": "disabled enabled mib running smi",
        "nvidia_smi_query": "compute_cap driver_version mib nvsmi used_gpu_memory used_memory uuid",
        "operating_system": "darwin description glibc ldd libc linux macos pretty_name windows",
        "package_lists": """absl accelerate anaconda astunparse autokeras cuda cudatoolkit cudnn datasets dm flatbuffers gast
            google grpcio h5py horovod intel ipykernel jax jaxlib jupyter keras libclang matplotlib mkl ml
            mpi4py name namex notebook numba numpy nvidia onnx onnxruntime opencv openmpi opt optree package
            packages pandas pillow pip pips protobuf python pyyaml ray requirement safetensors scikit scipy
            sentencepiece setuptools spacy successfully tb tensorboard tensorboardx tensorflow tensorrt
            termcolor tf tf2onnx tfds theano tokenizers torch torchaudio torchvision transformers triton typing
            wheel wrapt xgboost""",
        "paths": "appdata c content d databricks dist file home kaggle library mnt opt packages ps root site users usr",
        "progress": "epoch epochs eta global_step it iter iteration loss m ms ran s step us",
        "schedulers": """cancelled deadlineexceeded ephemeral evicted exceeded exit lsf memory node_fail oom oom_kill
            oomkilled out_of_memory pbs preempted preemption qsub reason requested resource slurm_job_id
            slurmstepd srun term_memlimit term_runlimit timeout walltime""",
        "tensor_shapes": "compatible dtype expected incompatible logits ndim shapes tensor",
        "version_banners": "__version__ clang gcc git_version msc pip python version",
        "prose": """a centos colab conda cu cuda cudnn debian docker driver fedora gb geforce gpu gpus gtx h k kaggle
            keras l linux m mac macos memory numpy nvidia p protobuf py python quadro ram rtx slurm t tensorflow
            tesla tf ti titan ubuntu v win windows wsl""",
    }.items()
}
"""Reader (a module beside this one) -> words."""

SIGNS_OF: dict[str, tuple[str, ...]] = {
    "device_lines": (
        (
            "pci bus id",
            "Found device",
            "Created device",
            "TensorFlow device (",
            "Skipping registering",
            "Ignoring visible",
            "StreamExecutor device",
        )
        + (
            "hysical_device",
            "is_gpu_av",
            "is_built_with",
            "available_gpus",
            "um GPU",
            "umber of GPU",
            "um gpu",
            "umber of gpu",
            "GPUs found",
            "GPU found",
        )
    ),
    "environment_reports": (
        (
            "== ",
            "GPU 0: ",
            "GPU models",
            "tf.version.VERSION",
            "version (GPU?)",
            "runtime version",
            "driver version",
            "libcudnn",
            "Libc version",
        )
        + ("odel name", "tensorflow/tensorflow:", "LD_LIBRARY_PATH ", "architecture: ")
    ),
    "kernel_log": ("Xid", "ut of memory: Kill", "segfault at", "trap invalid", "traps:"),
    "package_lists": (
        (
            "==",
            "Version",
            "Successfully installed",
            "Requirement already",
            "environment at",
            "Name: ",
            "check pips",
            " (0.",
            " (1.",
            " (2.",
            " (3.",
            " (4.",
        )
        + (" (5.", " (6.", " (7.", " (8.", " (9.")
    ),
    "schedulers": (
        (
            "slurm",
            "srun",
            "SBATCH",
            "CANCELLED",
            "TIME",
            "OOMKilled",
            "oom",
            "NODE_FAIL",
            "PREEMPT",
            "reempt",
            "Evicted",
            "TERM_",
            "PBS: ",
            "--mem",
        )
        + (
            "ReqMem",
            "low on resource",
            "Exit Code:",
            "xit_code",
            "ExitCode",
            "Exitcode",
            "Out Of Memory",
            "OUT_OF",
            "DeadlineExceeded",
            "memory limit",
        )
        + ("ephemeral", "Force Terminated")
    ),
    "tensor_shapes": (
        "ncompatible",
        "ndim",
        "dtype",
        "expected",
        "must have the same shape",
        "of layer",
        "to layer",
        "calling layer",
    ),
    "version_banners": (
        (
            "Python ",
            "__version__",
            "VERSION",
            "[GCC",
            "[Clang",
            "[MSC",
            "pip ",
            "(default",
            "(main",
            "(tags/",
            "(heads/",
            "packaged by",
            "|Anaconda",
        )
    ),
}
"""Readers whose words are common -> literals, one of which stands on some line that they can read anything from."""
