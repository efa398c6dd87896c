"""Near misses from other origins: an entry's own message, as another library raises it and as another program prints it."""

import functools
import re
import typing

from tests.collectors.pumping import text_for
from tests.faults.knowledge import ENTRIES, causes, read
from tfhelp.collectors.reading import ours
from tfhelp.collectors.reading import read as read_text
from tfhelp.collectors.reading.origin import is_foreign
from tfhelp.index.signatures import scan
from tfhelp.kb.load import load_entry
from tfhelp.kb.signature_table import SignatureRow, Signatures, table_of
from tfhelp.kb.text import Record

LIBRARY, PROGRAM = "library", "program"

_RAISED = """\
Traceback (most recent call last):
  File "/home/user/project/main.py", line 31, in <module>
    outcome = session.start()
  File "/home/user/venv/lib/python3.11/site-packages/zorblax/session.py", line 204, in start
    return self._begin(plan)
  File "/home/user/venv/lib/python3.11/site-packages/zorblax/engine.py", line 88, in _begin
    raise failure
{message}
"""
_PRINTED = "Mar 14 09:26:53 host17 zorbd[4711]: {message}\n"
_EXCEPTION = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:: |$)")
_MOST_RECORDS = 8  # the shortest ones: a long record adds nothing to a short one


class NearMiss(typing.NamedTuple):
    """A text. If it is empty, the reason: ``ours`` (its words name us), or ``form`` (no other program can print it)."""

    text: str
    missing: str = ""


def near_miss(signature: SignatureRow, owner: str) -> NearMiss:
    """A text whose only match of the signature is another library's or program's, without a sign of TensorFlow or Keras."""
    missing = "form"
    table = table_of([signature])
    for message in _messages(signature, table):
        text = _DRESSES[owner](message)
        records = read_text(text).records
        hits = scan(table, records)
        if hits and ours.signs_in(records):
            missing = "ours"
        elif hits and all(is_foreign(hit.record) for hit in hits):
            return NearMiss(text)
    return NearMiss("", missing)


def _messages(signature: SignatureRow, table: Signatures) -> typing.Iterator[str]:
    """Messages that the signature matches: from the entry's examples and recordings, and last from the pattern itself."""
    records = {hit.record for hit in scan(table, _records_of(signature.entry))}
    for record in sorted(records, key=lambda record: (len(record.text), record.text))[:_MOST_RECORDS]:
        for text in (record.message, record.text):
            yield text
            if (name := _EXCEPTION.match(text)) and name[0].endswith(": "):
                yield text[name.end() :]
    sample = " ".join(text_for(signature.pattern).split())
    yield f"{sample} x"
    yield sample
    yield f"site-packages/{sample} x"  # a pattern may begin with a package in a path


@functools.cache
def _records_of(entry: str) -> list[Record]:
    return [record for text in texts_of(entry) for record in read_text(text).records]


def texts_of(entry: str) -> list[str]:
    """The texts of the entry's examples and recordings."""
    folder = next(ENTRIES.glob(f"*/{entry}"))
    loaded, faults = load_entry(folder)
    if loaded is None:
        raise ValueError(f"{folder}: {faults}")
    examples = loaded.examples
    texts = [example.text for example in examples.must_match]
    texts += [state.text for state in examples.wins_when.values() if state.text]
    return texts + [read(path)["output"] for name, path in causes(".recorded.json") if name.startswith(f"{entry}/")]


def raised_by_a_library(message: str) -> str:
    """A traceback whose inner frames belong to another library."""
    return _RAISED.format(message=message if _EXCEPTION.match(message) else f"RuntimeError: {message}")


def printed_by_a_program(message: str) -> str:
    """A line of a service in the system's log."""
    return _PRINTED.format(message=message)


_DRESSES: dict[str, typing.Callable[[str], str]] = {LIBRARY: raised_by_a_library, PROGRAM: printed_by_a_program}
