"""GPUs by name, as drivers, shops and people write them: ``NVIDIA GeForce RTX 3060 Laptop GPU``, ``rtx3090``, ``Tesla V100``."""

import re
import typing

Row = dict[str, typing.Any]

_WORD = re.compile(r"[a-z]+\d+[a-z]*|[a-z]+|\d+[a-z]*")
_GLUED = re.compile(r"\b(rtx|gtx|gt|quadro|tesla|titan)(?=[a-z]?\d)")
_TAIL = re.compile(r"\b(\d{3,4})(ti|super|d)\b")
_BRAND = frozenset(
    ("nvidia", "geforce", "tesla", "quadro", "corporation", "gpu", "graphics", "card", "generation", "edition", "the")
)
_FORM = re.compile(
    r"(sxm\d*|pcie|pci|nvl|hbm\d\w*|\d+g?b?|\d+gb|with|design|max|q|laptop|mobile|workstation|server|sff|blackwell)"
)
_SERIES = frozenset(("rtx", "gtx", "gt", "jetson", "grid"))
# Before or after a number, each of these words names a different card: a row without the word is not that card.
_OTHER_CARD = frozenset(("ada", "blackwell", "d", "pro", "super", "ti"))


def find(name: str, groups: list[Row]) -> Row | None:
    """Find the GPU that a name refers to.

    The row that shares the most words wins; a word of the row that distinguishes models (``ti``, ``ada``, ``4090``) must
    be in the name. Rows that match equally well must have the same compute capability.

    Args:
        name: as a user or the driver writes it.
        groups: rows of the table ``gpus``: ``compute_capability``, ``architecture``, ``from``, ``memory_gib`` by name.

    Returns:
        ``name``, ``compute_capability``, ``architecture``, ``memory_gib``, ``from``, or ``None``.
    """
    said = _words(name[:200])
    numbers = [word for word in said if any(character.isdigit() for character in word)]
    for drop_series in (False, True):
        best: list[tuple[int, Row]] = []
        for group in groups:
            for model, memory in group["memory_gib"].items():
                if numbers and not any(word in model.lower() for word in numbers):
                    continue  # cheap, and rules out nearly every row
                score = _fit(said, _words(model), drop_series)
                if score:
                    row = {key: group[key] for key in ("compute_capability", "architecture", "from")}
                    best.append((score, {"name": model, "memory_gib": memory, **row}))
        top = max((score for score, _ in best), default=0)
        rows = [row for score, row in best if score == top]
        if rows:
            return rows[0] if len({row["compute_capability"] for row in rows}) == 1 else None
    return None


def _words(name: str) -> frozenset[str]:
    text = _TAIL.sub(r"\1 \2", _GLUED.sub(r"\1 ", name.lower().replace("_", " ").replace("-", " ")))
    return frozenset(_WORD.findall(text)) - _BRAND


def _fit(said: frozenset[str], model: frozenset[str], drop_series: bool) -> int:
    """The match score of a row: 0 for no match, higher for more common words."""
    telling = frozenset(word for word in model if _distinguishes(word))
    needed = telling - _SERIES if drop_series else telling
    if not needed or not needed <= said or (said - model) & _OTHER_CARD:
        return 0
    if not any(character.isdigit() for word in needed for character in word) and not needed & {"titan", "jetson"}:
        return 0
    surplus = sum(1 for word in said - model if _distinguishes(word) and word not in _SERIES)
    return max(1, 10 * len(said & model) - 3 * len(model - said) - 4 * surplus)


def _distinguishes(word: str) -> bool:
    """Return whether a word distinguishes models; sizes, boards and form factors do not (a four-digit number does)."""
    return re.fullmatch(r"\d{3,4}", word) is not None or not _FORM.fullmatch(word)
