"""Whether a text is about TensorFlow at all, or about another framework or program."""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.record import Record

_OURS = Pattern(r"(?i)\btensorflow|\btf[._-]|\btf\b|keras|\bxla\b|tfrecord|saved_?model|MirroredStrategy|\bTF_CONFIG\b")
_OTHERS = Pattern(
    r"(?i)(?<![a-z])(?:torch|pytorch|torchvision|lightning|libtorch|jaxlib?|flax|mxnet|gluon|caffe2?|paddle(?:paddle)?|onnxruntime|theano|chainer|"
    r"cntk|xgboost|lightgbm|sklearn|scikit-learn|vllm|llama(?:\.cpp)?|ollama|ggml|detectron2|mmcv|django|flask|fastapi|sqlalchemy|psycopg2|"
    r"postgres(?:ql)?|mysql|sqlite3?|redis|mongo(?:db)?|node\.?js|npm|webpack|java|kotlin|gradle|maven|rails|ruby|rustc|cargo|"
    r"golang|nginx|docker-compose|selenium|scrapy|celery|urllib3|pygame|unreal|ffmpeg|cupy|numba|"
    r"cuml|rapids|blender|matlab|julia|stable-diffusion|comfyui|automatic1111|whisper|bitsandbytes|apex|deepspeed|horovod\.torch)(?![a-z])"
)


def foreign_share(records: list[Record], sheet: FactSheet) -> float:
    """How plainly a text is about something else, 0 (TensorFlow) to 1 (another program, TensorFlow never named).

    Facts that name a TensorFlow count as naming it once.
    """
    ours = others = 0
    for record in records:
        text = record.text[:4_000]
        ours += len(_OURS.findall(text))
        others += len(_OTHERS.findall(text))
    ours += sheet.known("derived.tensorflow_version")
    return others / (others + 2 * ours) if others else 0.0
