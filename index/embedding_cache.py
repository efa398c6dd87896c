"""A cache of sentence vectors from earlier builds: after an edit of one entry, only its texts are encoded again."""

from __future__ import annotations

import os
import typing
import zipfile

from tfhelp.index.sentence_encoder import SentenceEncoder

if typing.TYPE_CHECKING:
    from tfhelp.index.encoder import Vectors

ENCODED_FILE = "encoded.npz"
_BETWEEN = "\0"  # no text of the knowledge base contains it


class CachingEncoder:
    """A sentence-transformers model that only encodes texts whose vectors are not in the cache.

    Attributes:
        name: the model's name, or the folder that contains it.
    """

    __slots__ = ("_encoder", "_folder", "_known", "name")

    def __init__(self, name: str, folder: str) -> None:
        """Args: name: as for ``SentenceEncoder``. folder: where the vectors are kept."""
        self.name = name
        self._folder = folder
        self._encoder: SentenceEncoder | None = None
        self._known = self._read()

    @property
    def encoder(self) -> SentenceEncoder:
        """The model itself, loaded when it is first needed.

        Raises:
            tfhelp.kb.build_products.ArtefactError: there is no such model.
        """
        if self._encoder is None:
            self._encoder = SentenceEncoder(self.name)
        return self._encoder

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of the texts: float32 of shape ``[len(texts), dimension of the model]``, each of length one."""
        import numpy

        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(zip(missing, self.encoder.encode(missing), strict=True))
        return numpy.stack([self._known[text] for text in texts])

    def keep(self, texts: list[str]) -> None:
        """Write the vectors of these texts for the next build, and forget all others."""
        import numpy

        path = os.path.join(self._folder, ENCODED_FILE)
        kept = list(dict.fromkeys(texts))
        with open(path + ".new", "wb") as file:
            numpy.savez(file, model=_bytes(self.name), texts=_bytes(_BETWEEN.join(kept)), vectors=self.encode(kept))
        os.replace(path + ".new", path)

    def _read(self) -> dict[str, typing.Any]:
        import numpy

        try:
            with numpy.load(os.path.join(self._folder, ENCODED_FILE), allow_pickle=False) as stored:
                if stored["model"].tobytes().decode() != self.name:
                    return {}
                texts = stored["texts"].tobytes().decode().split(_BETWEEN)
                return dict(zip(texts, stored["vectors"], strict=True))
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            return {}  # missing or damaged: the cache only saves time


def _bytes(text: str) -> typing.Any:
    import numpy

    return numpy.frombuffer(text.encode(), "uint8")
