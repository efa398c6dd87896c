"""The search index of a running server: checked before the server starts, loaded during the first requests."""

import sys
import threading
import typing

from tfhelp.index import vectors
from tfhelp.kb.build_products import ArtefactError

Json = dict[str, typing.Any]


def _load_here() -> None:
    vectors.shared().search("warm up", 1)


class IndexState:
    """Whether the similarity search is ready.

    Args:
        phrases_version: version of the phrases that the index must belong to.
        make_ready: loads the index; by default in this process, unless other processes diagnose.

    Raises:
        tfhelp.kb.build_products.ArtefactError: the index is missing or belongs to another knowledge base; the message names
            the command that builds it.
    """

    __slots__ = ("_make_ready", "_manifest", "_state")

    def __init__(self, phrases_version: str, make_ready: typing.Callable[[], object] = _load_here) -> None:
        self._manifest = vectors.check(knowledge=phrases_version)
        self._state = "loading"
        self._make_ready = make_ready

    def load_in_background(self) -> None:
        """Start loading. A question that needs the index earlier waits for the same loading."""
        threading.Thread(target=self._load, name="index", daemon=True).start()

    def document(self) -> Json:
        """``state`` (``loading``, ``ready``, or what is wrong), the model and the number of phrases."""
        return {"state": self._state, "model": self._manifest["model"], "phrases": self._manifest["phrases"]}

    def _load(self) -> None:
        try:
            self._make_ready()
        except ArtefactError as error:
            self._state = str(error)
            print(f"tfhelp serve: {error}", file=sys.stderr, flush=True)
        else:
            self._state = "ready"
