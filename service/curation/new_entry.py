"""Start a new entry: create a folder with every field that you have to fill in, in a natural order."""

import pathlib
import re

from tfhelp.kb.load import ENTRIES
from tfhelp.service.errors import InputError

_ENTRY = """\
id: {entry}
family: {family}
title:                      # what the user sees, in one line
severity: fatal             # fatal | degraded | benign
means: >

matches:
  decisive:                 # RE2 on the text of one record, alone enough to name this entry
    -
  never: []                 # near twins on the same record
  phrases:                  # how people put it in their own words
    -

causes:
  - id:                     # names the cause, not the fix
    title:
    means:
    frequency: occasional   # common | occasional | rare
    phrases:                # five or more
      -
    checks:
      - says:               # a statement that a fact or the text makes true
        fact:
        is: true
        weight: strong      # strong | medium | weak
        against: weak       # leave out if a failing check says nothing
    fix:
      summary:
      steps:
        - do:
      verify:
      wrong_when:
    proof: {{kind: run}}      # or {{kind: reviewed, why: needs a GPU}}
    sources:
      - {{url: "https://", seen: }}
"""
_EXAMPLES = """\
must_match:                 # three or more, of old and new wordings
  - text: |

near_misses:                # two or more
  - text: |

wins_when:                  # for each cause a state of facts (flat paths), a text, or both
"""


_FAMILY = "team"
_CATALOGUE = "catalogue.yaml"
_PRIVATE_PROOF = (
    "proof: {{kind: run}}      # or {{kind: reviewed, why: needs a GPU}}",
    "proof: {{kind: reviewed, why: }}   # why no program shows it",
)
_PRIVATE_SOURCE = (
    '- {{url: "https://", seen: }}',
    '- {{url: "https://", seen: }}     # your wiki or ticket; or {{ran: "what was run, and where"}}',
)


def begin(family: str | None, entry: str, root: pathlib.Path = ENTRIES) -> list[pathlib.Path]:
    """Write the two files of a shipped entry and return their paths.

    Raises:
        InputError: the id is invalid, the family is missing, the entry exists, or this is an installed tfhelp.
    """
    if root == ENTRIES and (not (ENTRIES.parent / _CATALOGUE).is_file() or _is_installed(ENTRIES)):
        raise InputError(
            f"{ENTRIES.parent} belongs to an installed tfhelp, and the next installation would throw the entry away; "
            f"name a folder of your own: tfhelp kb new {entry} --kb DIR"
        )
    if family is None:
        raise InputError("--family is missing: install, memory, gpu-runtime, distributed, training or benign; or name --kb DIR")
    return _write(family, entry, root, _ENTRY)


def begin_private(folder: str, entry: str, family: str | None = None) -> list[pathlib.Path]:
    """Write the two files of a private entry and return their paths.

    Args:
        folder: a folder of private knowledge; created if it is missing.
        entry: the id.
        family: ``None`` for "team".

    Raises:
        InputError: an id is invalid, the entry exists, or the folder is inside an installation or not writable.
    """
    root = pathlib.Path(folder)
    if _is_installed(root):
        raise InputError(f"{folder} is inside an installation of Python packages; name a folder of your own")
    if root.resolve() == ENTRIES.resolve():
        raise InputError(f"{folder} holds tfhelp's own entries: leave --kb out, or name a folder of your own")
    try:
        return _write(family or _FAMILY, entry, root, _ENTRY.replace(*_PRIVATE_PROOF).replace(*_PRIVATE_SOURCE))
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be written ({error.strerror})") from None


def _is_installed(folder: pathlib.Path) -> bool:
    if not (ENTRIES.parent / _CATALOGUE).is_file() and folder.resolve().is_relative_to(ENTRIES.parents[1].resolve()):
        return True  # installed elsewhere, by 'pip install --target' for example
    return not {"site-packages", "dist-packages"}.isdisjoint(folder.resolve().parts)


def _write(family: str, entry: str, root: pathlib.Path, template: str) -> list[pathlib.Path]:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry) or not re.fullmatch(r"[a-z]+(-[a-z]+)*", family):
        raise InputError(f"{family}/{entry}: ids must be lower-case words joined by hyphens")
    if taken := [path for depth in ("", "*/") for path in root.glob(f"{depth}{entry}")]:
        raise InputError(f"{entry} exists: {taken[0]}")
    folder = root / family / entry
    folder.mkdir(parents=True)
    paths = []
    for name, text in (("entry.yaml", template), ("examples.yaml", _EXAMPLES)):
        path = folder / name
        path.write_text(text.format(entry=entry, family=family), encoding="utf-8")
        paths.append(path)
    return paths
