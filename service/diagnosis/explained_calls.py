"""What the atlas knows about a name or argument that Python or Keras reports as missing: its releases, and what to use instead.

It adds sentences to the answer's notes with every verdict. It adds none if the text does not show which package the name belongs
to, or if the atlas knows neither the name nor a similar one.
"""

import itertools
import re
import typing

from tfhelp.collectors.reading.origin import is_foreign
from tfhelp.kb.atlas import called, renames
from tfhelp.kb.atlas.store import AtlasError
from tfhelp.service.diagnosis.explained_words import in_words

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas, Name
    from tfhelp.kb.text import Record

_WORD = r"[A-Za-z_]\w{0,80}"
_PLACE = r"(?:tensorflow|tensorflow_core|keras|tf_keras)(?:\.\w{1,60}){0,8}"
_MODULE = re.compile(rf"\bmodule '?({_PLACE})'? has no attribute '({_WORD})'")
_OLD_MODULE = re.compile(rf"'module' object has no attribute '({_WORD})'")
_IMPORT = re.compile(rf"\bcannot import name '?({_WORD})'?(?: from '?({_PLACE})'?)?")
_NO_MODULE = re.compile(rf"\bNo module named '?({_PLACE})'?")
_OBJECT = re.compile(rf"'({_WORD})' object has no attribute '({_WORD})'")
_KEYWORD = re.compile(rf"((?:{_WORD}\.)?{_WORD})\(\) got an unexpected keyword argument '({_WORD})'")
_CLASS_KEYWORD = re.compile(rf"[Uu]nrecognized keyword arguments passed to ({_WORD}): \{{'({_WORD})'")
_OPTIMIZER_KEYWORD = re.compile(rf"Argument\(s\) not recognized: \{{'({_WORD})'")
_OLD_KEYWORD = re.compile(rf"Keyword argument not understood:'?,? '?({_WORD})")
_COUNT = re.compile(
    rf"((?:{_WORD}\.)?{_WORD})\(\) (?:missing \d{{1,2}} required (?:positional|keyword-only) arguments?: '({_WORD})'"
    rf"|got multiple values for (?:keyword )?argument '({_WORD})'|takes (?:from )?\d)"
)
_FROM = re.compile(rf"\bfrom ({_PLACE}) import ")
_CHAIN = re.compile(rf"\b((?:tf|tensorflow|keras)(?:\.{_WORD}){{1,8}})")
_SAME = (
    ("tensorflow_core", "tensorflow"),
    ("tensorflow._api.v2.v2", "tensorflow"),
    ("tensorflow._api.v2", "tensorflow"),
    ("tensorflow._api.v1", "tensorflow"),
    ("tensorflow.compat.v2", "tensorflow"),
    ("keras.api._v2.keras", "tensorflow.keras"),
    ("keras._tf_keras.keras", "tensorflow.keras"),
    ("keras.api", "keras"),
)
_PRIVATE = frozenset({"python", "src", "engine", "core"})
_MOST_RECORDS = 20  # exceptions that are looked up: one look-up takes ten milliseconds, and a log may hold thousands
_MOST_PARAMETERS = 300  # characters of a signature in a sentence


def sentences(records: "typing.Sequence[Record]") -> list[str]:
    """Sentences on the latest exception about a missing name or argument; empty if nothing is known."""
    ours = (record for record in reversed(records) if record.exception and not is_foreign(record))
    for record in itertools.islice(ours, _MOST_RECORDS):
        try:
            says = _sentences_on(record)
        except AtlasError:
            return []  # the rest of the answer does not need it
        if says:
            return says
    return []


def _sentences_on(record: "Record") -> list[str]:
    from tfhelp.kb.atlas.atlas import shared

    message, source = record.message, record.frames[-1].source if record.frames else ""
    name = _missing_name(message, source)
    if name:
        return _of_name(name)
    atlas = shared()
    if found := _OBJECT.search(message):
        return _of_member(atlas, found[1], found[2])
    if found := _KEYWORD.search(message):
        names = called.functions(atlas, found[1], source)
        return _of_keyword(atlas, names, found[2]) if names or found[1] != "__init__" else _of_any_class(found[2])
    if found := _CLASS_KEYWORD.search(message):
        return _of_keyword(atlas, called.functions(atlas, f"{found[1]}.__init__", source), found[2])
    if found := _OPTIMIZER_KEYWORD.search(message) or _OLD_KEYWORD.search(message):
        classes = called.functions(atlas, "__init__", source)
        known = "keras.optimizers.Adam" if found.re is _OPTIMIZER_KEYWORD else "keras.layers.Dense"
        return _of_keyword(atlas, classes or [known], found[1])
    if found := _COUNT.search(message):
        return _of_parameters(atlas, called.functions(atlas, found[1], source), found[2] or "", found[3] or "")
    found = _IMPORT.search(message)
    return _placeless(atlas, found[1]) if found and not found[2] else []


# -------------------------------------------------------------------- names


def _missing_name(message: str, source: str) -> str:
    """The missing public name, with its place; empty if the text does not show it."""
    if found := _MODULE.search(message):
        return _public(found[1], found[2])
    if found := _OLD_MODULE.search(message):
        chains = [chain for chain in _CHAIN.findall(source) if f".{found[1]}" in chain]
        return chains[0].partition(f".{found[1]}")[0] + f".{found[1]}" if chains else f"tf.{found[1]}"
    if found := _IMPORT.search(message):
        place = found[2] or next(iter(_FROM.findall(source)), "")
        return _public(place, found[1]) if place else ""
    if found := _NO_MODULE.search(message):
        place, _, leaf = found[1].rpartition(".")
        return _public(place, leaf) if place else ""
    return ""


def _public(place: str, name: str) -> str:
    for printed, meant in _SAME:
        if place == printed or place.startswith(f"{printed}."):
            place = meant + place[len(printed) :]
            break
    if any(part.startswith("_") or part in _PRIVATE for part in [*place.split(".")[1:], name]):
        return ""
    return f"tf{place[10:]}.{name}" if place.startswith("tensorflow") else f"{place}.{name}"


def _of_name(name: str) -> list[str]:
    from tfhelp.service.diagnosis.explained_names import about

    found = about(name)
    return found["says"] if found["existed"] or found["nearest"] or "renamed" in found else []


def _placeless(atlas: "Atlas", name: str) -> list[str]:
    """Where the newest release has a name that an import could not find; empty if the name could belong to any package."""
    from tfhelp.kb.atlas import instead

    if len(name) < 4 or name.lower() == name:
        return []
    named = [one for one in atlas.named(name) if one.rpartition(".")[2] == name and "compat.v1" not in one]
    there = [one for one in named if instead.is_there(atlas, one)]
    best = sorted(there, key=lambda one: (not one.startswith(("tf.keras.", "keras.")), one.count("."), len(one)))[:2]
    return [f"The newest release has {' and '.join(best)}."] if best else []


def _of_member(atlas: "Atlas", kind: str, member: str) -> list[str]:
    """A member that objects of a class do not have; only if some release has it or a similar one."""
    for owner in called.owners(atlas, kind):
        name = f"{owner}.{member}"
        if atlas.lookup(name) is not None or renames.of_name(name) is not None:
            return _of_name(name)
    return []


# -------------------------------------------------------------------- arguments


def _of_keyword(atlas: "Atlas", names: list[str], keyword: str) -> list[str]:
    """The releases in which a function takes an argument, and what to use instead."""
    for name in names:
        row = renames.of_argument(name, keyword)
        found = atlas.lookup(name)
        taken = _taken(found, keyword) if found is not None and not (row and row.how) else []
        if row is None and not taken:
            continue
        says = [f"{name} takes {keyword} in {in_words(taken)}."] if taken else []
        if row is None:
            return says
        package, _, version = row.gone.partition(",")[0].partition(" ")
        if not taken and not row.how:
            says.append(f"{name} does not take {keyword} since {'Keras' if package == 'keras' else 'TensorFlow'} {version}.")
        if row.new and row.new != keyword:
            says.append(f"The argument {keyword} of {name} is {row.new} now.")
        return [*says, *([row.says] if row.says else [])]
    return _nearest_parameter(atlas, names, keyword)


def _of_any_class(keyword: str) -> list[str]:
    """Like ``_of_keyword``, but for a message that names no class, if all classes that lost the argument are in one place."""
    found = [row for row in renames.rows() if row.old.endswith(f".*({keyword})")]
    if len(found) != 1:
        return []
    row = found[0]
    new = f"{keyword} is now {row.new}." if row.new else f"{keyword} was removed in {row.gone.partition(',')[0]}."
    return [f"If the class is one of {row.old.partition('.*(')[0]}: {new}", *([row.says] if row.says else [])]


def _taken(found: "Name", keyword: str) -> typing.Any:
    from tfhelp.service.diagnosis.explained import releases

    return releases(called.releases_taking(found, keyword))


def _nearest_parameter(atlas: "Atlas", names: list[str], keyword: str) -> list[str]:
    """A similarly spelled parameter in the newest release; only for a name that cannot be another package's function."""
    near = called.nearest_parameter(atlas, names[0], keyword) if names else ""
    return [f"No release that I know of has {keyword} as an argument of {names[0]}. The nearest one is {near}."] if near else []


def _of_parameters(atlas: "Atlas", names: list[str], missing: str, twice: str) -> list[str]:
    """The parameters of a function, if it has the parameter that the message calls missing, or given twice."""
    for name in names:
        listed = called.parameters(atlas, name)
        found = atlas.lookup(name)
        if found is None or not listed or (twice and twice not in listed):
            continue
        from tfhelp.service.diagnosis.explained import releases

        text, spans = found.signatures[-1]
        if missing and missing not in text.strip("()").split(","):
            continue  # it is not required there, so another function is meant
        if len(text) <= _MOST_PARAMETERS:
            return [f"{name} takes {text.replace(',', ', ')} in {in_words(releases(spans))}."]
    return []
