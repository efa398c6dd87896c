"""Begin an entry: a folder with every field that has to be filled in, in the order in which one thinks."""

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


def begin(family: str, entry: str, root: pathlib.Path = ENTRIES) -> list[pathlib.Path]:
    """Write the two files and return their paths.

    Raises:
        InputError: the id is none, or the entry exists.
    """
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry) or not re.fullmatch(r"[a-z]+(-[a-z]+)*", family):
        raise InputError(f"{family}/{entry}: ids are lower-case words with hyphens")
    if taken := list(root.glob(f"*/{entry}")):
        raise InputError(f"{entry} exists: {taken[0]}")
    folder = root / family / entry
    folder.mkdir(parents=True)
    paths = []
    for name, template in (("entry.yaml", _ENTRY), ("examples.yaml", _EXAMPLES)):
        path = folder / name
        path.write_text(template.format(entry=entry, family=family), encoding="utf-8")
        paths.append(path)
    return paths
