"""Whether the output of a program that ended with exit code 0 shows that something went wrong."""

_NOT_WELL = ("derived.stopped_early", "log.loss_is_nan")
_DATA_ENDED = "ran-out-of-data"


def unwell(text: str, lacks_batches: bool = False) -> bool:
    """Return whether a program's output needs an answer even though it ended with exit code 0.

    Args:
        text: its output.
        lacks_batches: whether its script asks for more batches than its data have. With ``verbose=2`` Keras shows every
            epoch as full, even one whose data ended.

    It does if fewer epochs were done than announced, if the loss is NaN, or if a line is known to mean that training goes on but
    worse than it should (entries of severity ``degraded``). Failures that the program survived do not count.
    """
    from tfhelp.collectors import text_facts
    from tfhelp.collectors.reading import read
    from tfhelp.index.signatures import scan
    from tfhelp.kb import compiled
    from tfhelp.kb.derived import derive
    from tfhelp.service.diagnosis.candidates import kept_hits

    knowledge = compiled.load()
    pasted = read(text)
    sheet = text_facts.read(pasted)
    sheet.put("run.exit_code", 0, "tfhelp run")
    derive(sheet, knowledge.tables)
    if any(sheet.get(path) is True for path in _NOT_WELL):
        return True
    return any(
        hit.signature.strength == "decisive"
        and knowledge.summaries[hit.signature.entry]["severity"] == "degraded"
        and not (hit.signature.entry == _DATA_ENDED and not lacks_batches and last_bar_is_full(text))
        for hit in kept_hits(scan(knowledge.signatures, pasted.records))
    )


def last_bar_is_full(text: str) -> bool:
    """Return whether the last progress bar shows all announced steps, or announced none.

    If Keras did not know the number of steps, it also warns that the data ran out when nothing is missing.

    >>> last_bar_is_full("Epoch 1/2\\n4/4 - 0s - loss: 1.5"), last_bar_is_full("4/10 ━━━━ 0s 7ms/step"), last_bar_is_full("")
    (True, False, False)
    """
    import re

    bars = re.findall(r"(?:^|[\r\n\b]) {0,20}(\d{1,9})/(\d{1,9}|Unknown) {0,20}[-━\[\x1b]", text)
    return bool(bars) and bars[-1][1] in (bars[-1][0], "Unknown")
