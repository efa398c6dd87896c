"""Training progress: Keras bars and epochs, tqdm bars, steps of custom loops, Estimator lines.

>>> progress("Epoch 3/10", "epoch 3/10")
Event(0: epoch  3/10)
>>> progress("10/10 - 1s - 22ms/step - loss: 0.41", "10/10 - 1s - 22ms/step - loss: 0.41")
Event(0: bar  10/10 done)
>>> progress("INFO:tensorflow:loss = 0.25, step = 1200 (3.2 sec)", "info:tensorflow:loss = 0.25, step = 1200 (3.2 sec)")
Event(0: step  1200/0)
>>> progress("it fails in epoch 3/10", "it fails in epoch 3/10")
"""

from tfhelp.collectors.course.events import Event, whole_number

_METRICS = ("loss", "acc", "error", "lr", "mae", "mse", "auc", "perplexity")
_OUTCOMES = ("loss", "acc", "error", "finished", "done", "took", "time")
_OF_CALLBACKS = ("early stopping", "saving model", "did not improve", "setting learning", "learning rate to", "reducing learning")
_AFTER_A_BAR = ("[", "-", "━", "╸", "╺", "─", "\x1b")
_AFTER_A_COUNT = (":", ",", "-", "|", "/", "(", "=", ";", "...")
_LOOPS = ("step", "iteration", "iter", "batch")
_FARTHEST = 80  # characters before the count: a time stamp and a logger's name


def progress(text: str, small: str) -> Event | None:
    """The progress that a line reports, ``None`` if it reports none."""
    if "poch" in small and (found := _epoch(small)):
        return found
    if "/" in text and (found := bar(text)):
        return found
    if ("step" in small or "iter" in small or "batch" in small) and (found := _step(small)):
        return found
    return None


def names_metric(small: str) -> bool:
    """Return whether a line names a loss, an accuracy or another metric."""
    return any(word in small for word in _METRICS)


def bar(text: str) -> Event | None:
    """A bar that shows ``3/10``: Keras puts it at the start of the line, tqdm after ``|``."""
    if "%|" in text:
        count = text.rpartition("| ")[2].partition(" ")[0]
    else:
        count, _, rest = text.partition(" ")
        unknown = count.endswith(("/Unknown", "/?"))  # then Keras 3 draws no bar: 12/Unknown 3s 22ms/step
        if not text[0].isdigit() or (rest and not unknown and not rest.lstrip().startswith(_AFTER_A_BAR)):
            return None
    done, slash, planned = count.partition("/")
    number, total = whole_number(done), whole_number(planned)
    if not slash or number < 0 or (total < 0 and planned not in ("Unknown", "?")):
        return None
    return Event("bar", "", number, max(total, 0), done=0 < total <= number)


def _epoch(small: str) -> Event | None:
    at = small.find("epoch")
    if not _leads(small, at) or not (counted := _count(small, at + 5)):
        return None
    number, planned, end = counted
    rest = small[end:].lstrip("]) ")
    if rest and not rest.startswith(_AFTER_A_COUNT) and not names_metric(rest[:200]):
        return None
    if any(sign in rest for sign in _OF_CALLBACKS):
        return None  # a callback's message about an epoch, which the reader of outputs handles
    late = bar(rest.lstrip(":-, ")) if "/" in rest else None
    return Event("epoch", "", number, planned, late.done if late else any(sign in rest for sign in _OUTCOMES))


def _step(small: str) -> Event | None:
    for word in _LOOPS:
        at = small.find(word)
        if at >= 0 and not small[at - 1 : at].isalpha() and (counted := _count(small, at + len(word))):
            break
    else:
        return None
    number, planned, end = counted
    alone = (planned or not small[end:].strip("]):., ")) and _leads(small, at)
    if not alone and (not names_metric(small) or small.endswith("?")):
        return None
    return Event("step", "", number, planned)


def _count(small: str, at: int) -> tuple[int, int, int] | None:
    """The count ``3``, ``3/10`` or ``3 of 10`` after a word that ends at ``at``, and where the count ends."""
    if small[at : at + 1] == "s":
        at += 1
    while at < len(small) and small[at] in " :#=[(":
        at += 1
    number, at = _digits(small, at)
    if number < 0 or small[at : at + 1].isalpha() or (small[at : at + 1] == "." and small[at + 1 : at + 2].isdigit()):
        return None
    behind = small[at : at + 4].lstrip()
    if not behind.startswith(("/", "of ")):
        return number, 0, at
    planned, end = _digits(small, small.index(behind[0], at) + (1 if behind[0] == "/" else 3))
    return (number, planned, end) if planned > 0 else None


def _digits(small: str, at: int) -> tuple[int, int]:
    while small[at : at + 1] == " ":
        at += 1
    end = at
    while end < len(small) and end - at <= 10 and "0" <= small[end] <= "9":
        end += 1
    return whole_number(small[at:end]), end


def _leads(small: str, at: int) -> bool:
    """Return whether a count is preceded only by a log prefix or by nothing, not by the words of a sentence."""
    before = small[:at].rstrip("[( #*=-|")
    return at <= _FARTHEST and (not before or before[-1] in ":]>" or not any("a" <= letter <= "z" for letter in before))
