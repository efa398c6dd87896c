"""Marks: patterns that make a place in a long text worth reading, whatever its origin, even if no signature matches it.

A long text is not read line by line. One pass looks for the knowledge base's patterns and for these marks, and keeps the
first and the last places of each. The marks cover the rest of what is needed: where a failure can start or end, how the run went,
and the lines that facts are read from. Hyperscan and RE2 both read them; ``^`` and ``$`` are a line's ends, ``.`` also matches a
line's end. A mark has to be rare on ordinary lines, or contain a rare word, because it is tried on all bytes.
"""

FAILURES: tuple[str, ...] = (
    r"Traceback \(most recent call last",
    r"\b[A-Za-z]\w{2,40}(?:Error|Exception|Interrupt|Exit)(?:: |:?$)",
    r"During handling of the above exception",
    r"was the direct cause of the following exception",
    r"Exception ignored in|Exception in thread",
    r"Fatal Python error|Current thread 0x",
    r": F [a-z_/]{3,80}\.(?:cc|h|cu)",
    r": E [a-z_/]{3,80}\.(?:cc|h|cu)",
    r"\bF\d{4} \d\d:\d\d:\d\d\.\d{6}",
    r"\bE\d{4} \d\d:\d\d:\d\d\.\d{6}",
    r"\b(?:CRITICAL|FATAL)\b",
    r"(?:^|[ |])ERROR[ :\]]",
    r'"(?:level|levelname|severity)": ?"(?:ERROR|error|FATAL|fatal|CRITICAL|critical)"',
    r"terminate called|\*\*\* Error in|\*\*\* stack smashing|double free or corruption",
    r"(?:Segmentation fault|Bus error|Illegal instruction|Floating point exception|Trace/breakpoint trap|Killed|Aborted|Terminated)(?: +\(core dumped\)| +\S{0,80}python.{0,200})?$",
    r"\bsegmentation fault\b|\bcore dumped\b",
)
"""Forms in which a failure can start or end."""

_EPOCH = r"\bEpoch:? {0,3}\[?\d{1,7} ?(?:/|of) ?\d"
_BAR = r"- ETA: |ms/step"
COURSE: tuple[str, ...] = (
    _EPOCH,
    r"\b\d{1,9}/\d{1,9} {0,4}\[[=>.]",
    r"[━╸╺]{4}",
    _BAR,
    r"\bglobal_step\b|\bglobal step\b",
    r"(?i)\b(?:step|iteration|iter)s?[ :=#]{1,3}\[?\d{1,9} ?(?:/|of) ?\d",
    r"(?i)\bloss['\" ]{0,2}[:=] {0,3}(?:tensor\()?[-+]?(?:nan|inf)\b",
    r"input ran out of data|[Ss]aved? (?:checkpoint|model)|[Rr]estor(?:ed|ing) from",
    r"\b\d+ (?:passed|failed)\b.{0,60} in \d",
    r"exit(?:ed)?[ _]?(?:with )?(?:code|status)|returncode|return code|non-zero exit",
    r"\bSIG(?:KILL|SEGV|ABRT|TERM|BUS|ILL|INT|FPE)\b|\bsignal:? \d{1,2}\b",
)
"""How far the run got and how it ended."""

ENDS: dict[str, str] = {_EPOCH: "Epoch", _BAR: "/step"}
"""Marks whose last place counts wherever the first one is found, with words that occur at such a place. Without the last
epoch of a run, the run looks as if it had broken off."""

FACTS: tuple[str, ...] = (
    r"\bPython [23]\.\d{1,2}\.\d|\[(?:GCC|Clang|MSC) |packaged by|\bpip \d{1,2}\.\d",
    r"__version__|VERSION = |GIT_VERSION",
    r"(?i)\btensorflow(?:[-_]\w{2,9})? ?(?:version)?[ :=]{1,4}v?\d\.\d",
    r"(?i)\b(?:tensorflow|keras|numpy|protobuf|tf-nightly)[\w-]{0,12}(?:==| {2,40})\d{1,2}\.\d",
    r"Successfully installed|Requirement already satisfied|Collecting tensorflow|environment at:",
    r"(?i)\b(?:cuda|cudnn|driver|nccl|gpu driver)[ /_]?version",
    r"libcu\w{2,12}\.so|libnv\w{2,12}\.so|cudnn64_|cudart64_",
    r"NVIDIA-SMI|MiB / {0,4}\d+MiB|used_gpu_memory|memory\.used|compute_cap",
    r"Created device |Found device \d|Adding visible gpu|Skipping registering GPU|Ignoring visible|StreamExecutor device|TensorFlow device \(",
    r"hysical_device|hysical GPUs|(?i:num(?:ber of)? gpus)|is_gpu_available|is_built_with_cuda|get_available_gpus",
    r"pci bus id|pciBusID|totalMemory|compute capability",
    r"\bNVRM: |\bXid\b|out of memory: Kill|oom[-_]kill|oom_reaper|segfault at|trap invalid|traps: ",
    r"slurmstepd|OOMKilled|\bCANCELLED\b|NODE_FAIL|PREEMPTED|DUE TO TIME LIMIT|\bEvicted\b|TERM_\w+LIMIT|PBS: job|OUT_OF_ME|DeadlineExceeded",
    r"#SBATCH|\bReqMem\b|--mem(?:-per-cpu)?=|memory limit|low on resource",
    r"\b(?:CUDA_VISIBLE_DEVICES|LD_LIBRARY_PATH|XLA_FLAGS|PYTHONPATH|CUDA_HOME|LD_PRELOAD|TMPDIR)\b",
    r"\bTF_[A-Z]{3,20}_?[A-Z_]{0,30}\b|\bNCCL_[A-Z_]{4,20}\b|\bOMP_NUM_THREADS\b|\bKERAS_BACKEND\b",
    r"num_replicas_in_sync|MirroredStrategy|ParameterServerStrategy|CollectiveAllReduceStrategy|Number of devices: |\bcluster_spec\b|ClusterSpec",
    r"PRETTY_NAME|\bDISTRIB_\w+=|Linux version|\bDarwin Kernel|\bmacOS \d|Microsoft Windows|Ubuntu \d\d|\bldd \(|\bglibc\b",
    r"MemTotal|MemAvailable|SwapTotal|/dev/shm|Filesystem {2,}|\bMem: {2,}\d",
    r"\bulimit\b|Max open files|nofile|open files {2,}|stack size {2,}",
    r"ran out of memory trying to allocate|OOM when allocating|Limit: {2,}\d|InUse: {2,}\d|MaxInUse|bytes_limit|Allocation of \d+ exceeds",
    r"== [a-z ]{3,40} =====|GPU models and configuration|Libc version|CUDA runtime version|Nvidia driver version",
    r"### |\*\*System information\*\*|OS Platform and Distribution|GPU model and memory",
    r"Received: |Expected: |expected shape=|found shape=|ndim=\d",
    r"/opt/conda|/anaconda3?/|/miniconda3?/|site-packages/tensorflow|dist-packages/tensorflow|/content/|/kaggle/",
    r"cpu_feature_guard|This TensorFlow binary is optimized",
)
"""The lines that facts are read from: versions, packages, devices, tables, the kernel, schedulers, variables, reports."""

PEOPLE: tuple[str, ...] = (
    r"(?:^|[.!?] )(?:I|I'm|I've|My|We|Why|How do|How can|What|When I|Please|After|Hi|Hello|Does anyone|Is there)\b[ ,'][a-z]{1,12} [a-z].{20}",
    r"(?:^|\s)(?:>>>|\$) \S.{3}",
    r"^```",
    r"^(?:import tensorflow|from tensorflow|import keras|from keras|model = |with strategy)",
)
"""What a user wrote, typed or pasted as code."""

MARKS: tuple[str, ...] = FAILURES + COURSE + FACTS + PEOPLE
