"""Whether a text is about TensorFlow at all, or about another framework or program."""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.index.searchable import searchable
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.record import Record

_READ = 4_000  # characters of a record
# jaxlib is built from TensorFlow's repository, and its log lines say so.
_OURS = Pattern(
    r"(?i)(?<!org_)(?<!org_tensorflow/)\btensorflow|physical_device:|XLA_[CG]PU|/job:(?:localhost|worker|chief|ps)\b|\btf[._-]|\btf\b|"
    r"keras|\bxla\b|tfrecord|saved_?model|MirroredStrategy|\bTF_CONFIG\b"
)
_OTHERS = Pattern(
    r"(?i)(?<![a-z])(?:lib)?(?:torch|pytorch|torchvision|lightning|jaxlib?|flax|mxnet|gluon|caffe2?|paddle(?:paddle)?|onnxruntime|theano|chainer|"
    r"cntk|xgboost|lightgbm|sklearn|scikit-learn|vllm|llama(?:\.cpp)?|ollama|ggml|detectron2|mmcv|django|flask|fastapi|sqlalchemy|psycopg2|"
    r"postgres(?:ql)?|mysql|sqlite3?|redis|mongo(?:db)?|node\.?js|npm|webpack|java|kotlin|gradle|maven|rails|ruby|rustc|cargo|"
    r"golang|nginx|docker-compose|selenium|scrapy|celery|urllib3|pygame|unreal|ffmpeg|cupy|numba|"
    r"cuml|rapids|blender|matlab|julia|stable-diffusion|comfyui|automatic1111|darknet|mmdet(?:ection)?|numpyro|"
    r"candle[-_](?:core|nn|kernels)|whisper|bitsandbytes|apex|deepspeed|horovod\.torch)(?![a-z])"
)
# What each of the names above contains, in small letters: most texts have none, and then no pattern has to be tried.
_SIGNS = [
    *("torch", "lightning", "jax", "flax", "mxnet", "gluon", "caffe", "paddle", "onnxruntime", "theano", "chainer", "cntk"),
    *(
        "xgboost",
        "lightgbm",
        "sklearn",
        "scikit-learn",
        "llm",
        "llama",
        "ggml",
        "detectron2",
        "mmcv",
        "django",
        "flask",
        "fastapi",
    ),
    *("sqlalchemy", "psycopg2", "postgres", "mysql", "sqlite", "redis", "mongo", "nodejs", "node.js", "npm", "webpack", "java"),
    *("kotlin", "gradle", "maven", "rails", "ruby", "rustc", "cargo", "golang", "nginx", "docker-compose", "selenium", "scrapy"),
    *("celery", "urllib3", "pygame", "unreal", "ffmpeg", "cupy", "numba", "cuml", "rapids", "blender", "matlab", "julia"),
    *("stable-diffusion", "comfyui", "automatic1111", "whisper", "bitsandbytes", "apex", "deepspeed"),
    *("darknet", "mmdet", "numpyro", "candle"),
]


def foreign_share(records: list[Record], sheet: FactSheet) -> float:
    """How plainly a text is about something else, 0 (TensorFlow) to 1 (another program, TensorFlow never named).

    Facts that name a TensorFlow count as naming it once.
    """
    others = sum(len(_OTHERS.findall(record.text[:_READ])) for record in searchable(records).holding([_SIGNS]))
    if not others:
        return 0.0
    ours = sum(len(_OURS.findall(record.text[:_READ])) for record in records)
    ours += sheet.known("derived.tensorflow_version")
    return others / (others + 2 * ours)
