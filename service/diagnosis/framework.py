"""Whether a text is about TensorFlow at all, or about another framework or program."""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record

# What a text is about is said at its ends; a long log has more than need be read.
_EDGE = 100  # records
_READ = 4_000  # characters of a record

# What names TensorFlow, or what it and Keras print and others do not, in small letters; and the word for its short name.
_TENSORFLOW = (
    "tensorflow keras tensorboard xla_gpu xla_cpu local_xla physical_device: /job:localhost /job:worker /job:chief /job:ps tfrecord savedmodel "
    "saved_model mirroredstrategy [[node [[{{node errors_impl nodedef graphdef train_on_batch fit_generator invalidargumenterror "
    "resourceexhaustederror failedpreconditionerror unimplementederror datalosserror outofrangeerror"
)
_OURS = (*_TENSORFLOW.split(), "loading weights from file", "weight file containing", "no opkernel", "import name 'tf")
_SHORT = "tf"
# jaxlib is built from TensorFlow's repository, and its log lines and hints say so; TensorFlow.js is another library.
_NOT_OURS = ("org_tensorflow/tensorflow", "org_tensorflow/", "(set tf_cpp", "tensorflowjs", "tensorflow.js", "tensorflow js")

# Other software that is named by one word, without digits.
_SOFTWARE = (
    # frameworks and what is built on them
    "torch pytorch torchvision torchaudio torchrun lightning jax jaxlib flax numpyro mxnet gluon caffe detectron paddle paddlepaddle "
    "paddleocr jittor mindspore oneflow mlx tinygrad openvino onnxruntime theano chainer cntk xgboost lightgbm catboost sklearn hdbscan cuml rapids cupy numba darknet marian mmcv mmdet "
    "mmdetection mmengine ultralytics easyocr apex vllm sglang llama llava ollama ggml deepspeed megatron fairseq bitsandbytes xformers "
    "whisper diffusers comfyui gsplat nerfstudio colmap langchain "
    # programs that use a graphics card
    "hashcat ethminer cudaminer nbminer gminer phoenixminer nheqminer nicehash hashrate devicequery bandwidthtest ffmpeg blender jellyfin "
    "optirun bumblebee directx vulkan pygame unreal minecraft discord "
    # services and data bases
    "django flask fastapi sqlalchemy psycopg postgres postgresql mysql mariadb sqlite redis mongo mongod mongodb elasticsearch opensearch "
    "cassandra clickhouse milvus etcd kafka rabbitmq rocksdb prometheus grafana nginx celery selenium scrapy urllib "
    # languages and their tools, TensorFlow in the browser among them
    "tfjs tensorflowjs loadlayersmodel loadgraphmodel nodejs npm webpack java kotlin gradle maven rails ruby rustc cargo golang elixir matlab julia "
    # science and robots
    "scanpy anndata scvi nextflow snakemake samtools fastq genome canu gromacs lammps openmm openfoam rosrun roslaunch rviz rqt gazebo "
    "turtlesim pcl"
)
_NAMES = frozenset(prefix + name for name in _SOFTWARE.split() for prefix in ("", "lib"))
_WORD = Pattern(r"[a-z]+")

# Names of several words, and what other programs print and TensorFlow does not; with each what it contains in small letters.
_FORMS = tuple(
    (Pattern(pattern), signs)
    for pattern, *signs in (
        (
            r"(?i)\bscikit-learn\b|\bnode\.js\b|\btensorflow[. ]js\b|\bdocker-compose\b|\bstable[ -]diffusion",
            "scikit-",
            "node.js",
            "tensorflow.js",
            "tensorflow js",
            "docker-",
            "diffusion",
        ),
        (
            r"(?i)flash[-_ ]att(?:ention|n)|\bcandle[-_](?:core|nn|kernels)|\byolo-?v(?:[5-9]|1\d)",
            "flash",
            "candle",
            "yolov",
            "yolo-v",
        ),
        (
            r"(?i)\bgpu[-_]burn|\bcuda[-_ ]memtest|automatic1111|quantum[- ]espresso|\borb[-_ ]slam",
            "gpu_burn",
            "gpu-burn",
            "memtest",
            "1111",
            "espresso",
            "slam",
        ),
        # PyTorch: its data loader, how it words CUDA's errors, its launcher, its C++ symbols
        (r"DataLoader worker|bus error encountered in worker", "dataloader worker", "encountered in worker"),
        (r"RuntimeError: (?:CUDA|cuDNN|NCCL) ?[Ee]rror\b", "error: cuda", "error: cudnn", "error: nccl"),
        (r"kernel errors might be asynchronously|reserved in total|\.backward\(\)", "asynchronously", "reserved in", ".backward"),
        (r"\bnproc[-_]per[-_]node|ProcessGroupNCCL|(?<![A-Z_])(?:GLOBAL|LOCAL)_RANK\b", "nproc", "processgroup", "al_rank"),
        (
            r"\bstate_dict\b|\.safetensors\b|\.pth\b|_ZNK?(?:3c10|2at)",
            "state_dict",
            ".safetensors",
            ".pth",
            "_zn3",
            "_znk3",
            "_zn2",
            "_znk2",
        ),
        # and how it words shapes and types
        (
            r"\btorch\.Size\b|\bsize mismatch for \S|copying a param with shape",
            "torch.size",
            "size mismatch for",
            "copying a param",
        ),
        (
            r"\bGiven (?:groups|normalized_shape)=|\bmat1 and mat2\b|scalar type (?:Float|Double|Half|Long)\b",
            "given ",
            "mat1",
            "scalar type",
        ),
        # JAX
        (r"\bjnp\.|\bPRNGKey\b|XlaRuntimeError", "jnp.", "prngkey", "xlaruntimeerror"),
        # other C++ and CUDA programs: TensorFlow's sources end in .cc and .cu.cc
        (r"\w\.cpp:\d+\]", ".cpp:"),
        (
            r"\w\.cuh?:\d+|CUDA error\b.{0,80} in func\b|\bcudaGetDevice(?:Count|Properties)\b",
            ".cu:",
            ".cuh:",
            "cuda error",
            "cudagetdevice",
        ),
        # stacks of other languages, and their compiler's end
        (
            r"\bat [\w.<>$ ]{1,40} \((?:internal/|node:|[^()]{0,120}\.m?js:)|\bnode_modules\b",
            "(internal/",
            "(node:",
            "js:",
            "node_modules",
        ),
        (r"\([A-Z][\w$]{0,60}\.(?:java|scala|kt):\d+\)", ".java:", ".scala:", ".kt:"),
        (r"\bgoroutine \d+ \[|\bthread '.{1,40}' panicked at|terminated program cc1plus", "goroutine", "panicked", "cc1plus"),
        # whose process it was
        (
            r"(?i)kill(?:ed)? process \d+,? \((?!python|jupyter|ipy|train|tensor|tf|ray|conda)[^()\s]{2,40}\)",
            "kill process",
            "killed process",
        ),
        (
            r"line \d+: +\d+ (?:Segmentation fault|Killed|Aborted|Illegal \w+)(?: \(core dumped\))? +(?!.{0,200}(?:py\b|python|sh\b|train|jupyter|\$))[^\s(]",
            "line ",
        ),
        (
            r"\b(?!python)[\w.-]{2,15}\[\d+\]:? (?:general protection|trap |segfault at)",
            "general protection",
            "]: segfault",
            "] trap ",
        ),
        (r"Core was generated by .(?!\S*python)\S|\bserver process \(PID", "core was", "server process"),
    )
)

# Where nothing is TensorFlow's, a Python package whose code was running, or whose library did not load, is whom the text is
# about; but for those that stand between a program of TensorFlow's and what failed.
_PACKAGE = Pattern(r"(?:site|dist)-packages[/\\]([A-Za-z_]\w*)")
_COMPANIONS = (
    "numpy h5py google absl six wrapt PIL joblib dill cloudpickle multiprocess IPython ipykernel ipykernel_launcher traitlets tornado zmq "
    "nbclient nbconvert pip setuptools pkg_resources transformers"
)
_BETWEEN = frozenset(_COMPANIONS.split())

# A name that is told once may be said by the way; where nothing is TensorFlow's, more of them leave no doubt.
_FIRST = 1.3
_NEXT = 0.25
_MOST = 1.8


def foreign_share(records: list[Record], sheet: FactSheet) -> float:
    """How plainly a text is about something else, 0 (TensorFlow) to 1 (another program, TensorFlow hardly named).

    Above 1, and 1.8 at most, where TensorFlow is never named and others are: more the more there is of them. Facts that name
    a TensorFlow count as naming it once.
    """
    near = records if len(records) <= 2 * _EDGE else [*records[:_EDGE], *records[-_EDGE:]]
    text = "\n".join([record.text[:_READ] for record in near])
    small = text.lower()
    words = _WORD.findall(small)
    others = 0 if _NAMES.isdisjoint(words) else sum(map(_NAMES.__contains__, words))
    for pattern, signs in _FORMS:
        for sign in signs:
            if sign in small:
                others += len(pattern.findall(text))
                break
    packages = _PACKAGE.findall(text) if "-packages" in small else []
    if not others and not packages:
        return 0.0
    ours = words.count(_SHORT) + sum(map(small.count, _OURS)) - sum(map(small.count, _NOT_OURS))
    ours += sheet.known("derived.tensorflow_version")
    if ours > 0:
        return others / (others + 2 * ours)
    others += len({*packages} - _BETWEEN)
    return min(_MOST, _FIRST + _NEXT * (others - 1)) if others else 0.0
