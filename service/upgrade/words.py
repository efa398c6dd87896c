"""Changes and ranges of releases in words, the same at every door."""

import typing

from tfhelp.kb import versions
from tfhelp.service.vocabulary import PACKAGES

if typing.TYPE_CHECKING:
    from tfhelp.collectors.code.written_for import WrittenFor
    from tfhelp.service.upgrade.changes import Change

KERAS_2 = (
    "A way out of Keras 3: pip install 'tf_keras=={release}.*' and set TF_USE_LEGACY_KERAS=1 before TensorFlow is imported; "
    "--keras 2 says what is left then."
)


def change_in_words(change: "Change") -> str:
    """One sentence for each fact, and whether there is an edit."""
    says = [_first(change)]
    if change.instead:
        says.append(f"Instead: {change.instead}.")
    says += change.says
    how = "by hand" if change.edits is None else "edit" if change.behaviour == "same" else "edit; the behaviour differs"
    return f"{' '.join(says)} [{how}]"


def _first(change: "Change") -> str:
    if change.kind == "setting":
        return f"{change.name}."
    if change.kind == "order":
        return f"{change.name} by position."
    if change.kind == "value":
        return f"{change.name} fails since {change.gone}."
    return f"{change.name} was removed in {change.gone}." if change.gone else f"{change.name} was removed."


def written_for(one: "WrittenFor") -> str:
    """A range of releases in words, with what decides its ends.

    >>> from tfhelp.collectors.code.written_for import WrittenFor
    >>> written_for(WrittenFor("tensorflow", "2.4.4", "2.10.1", False, False, "tf.data.AUTOTUNE", "keras.Model.fit(workers)"))
    'this script was written for TensorFlow 2.4 to 2.10 (tf.data.AUTOTUNE begins it, keras.Model.fit(workers) ends it).'
    """
    ends = [f"{one.began} begins it"] if one.began else []
    ends += [f"{one.ended} ends it"] if one.ended else []
    if one.began and one.began == one.ended:
        ends = [f"{one.began} begins and ends it"]
    why = f" ({', '.join(ends)})" if ends else ""
    return f"this script was written for {release_range(one)}{why}."


def release_range(one: "WrittenFor") -> str:
    """``TensorFlow 2.4 to 2.10``."""
    return said_range(str(one))


def said_range(said: str) -> str:
    """A range as the fact ``code.written_for`` has it, in the words of an answer.

    >>> said_range("tensorflow 2.4 or newer"), said_range("keras 2.4 or older")
    ('TensorFlow 2.4 or later', 'Keras 2.4 or older')
    """
    package, _, releases = said.partition(" ")
    return f"{PACKAGES[package]} {releases.replace('or newer', 'or later')}"


def range_document(one: "WrittenFor") -> dict[str, typing.Any]:
    """A range as JSON."""
    return {
        "package": one.package,
        "first": versions.minor_release(one.first),
        "last": versions.minor_release(one.last),
        "oldest": one.oldest,
        "newest": one.newest,
        "began": one.began,
        "ended": one.ended,
    }
