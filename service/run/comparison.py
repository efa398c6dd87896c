"""Changes between two runs of the same command: as rows, and in words."""

import os
import re
import time
import typing

if typing.TYPE_CHECKING:
    from tfhelp.collectors.run.setting import Setting

_MOST_ROWS = 40
_MOST_PLACES = 4
_LONGEST_VALUE = 60
# Variables that control TensorFlow programs come first; the rest may belong to anything.
_STEERS = re.compile(r"(?:TF|XLA|CUDA|NCCL|NVIDIA|LD|KERAS|PYTHON|OMP|KMP|MKL|HOROVOD|MALLOC|GRPC|JAX)_?\w*")

Kind = typing.Literal["package", "python", "driver", "variable", "file", "data", "argument", "commit", "machine", "folder"]


class Change(typing.TypedDict):
    """One change. ``before`` or ``after`` is empty if the thing was not there; ``lines`` refer to the current file."""

    kind: Kind
    name: str
    before: str
    after: str
    lines: list[str]


class SinceLastGood(typing.TypedDict):
    """The comparison with the last good run of the same command; ``when`` is its start."""

    run: str
    when: str
    changes: list[Change]


def changes_between(
    good: "Setting", now: "Setting", good_texts: typing.Mapping[str, str], texts: typing.Mapping[str, str]
) -> list[Change]:
    """The differences, those most likely to be relevant first.

    If a module of the program is not known for this run, because the run crashed, the module counts as unchanged; the caller
    passes in the current content of its file.
    """
    rows = [
        *_of_values("package", good["packages"], now["packages"]),
        *_of_one("python", good["python"], now["python"]),
        *_of_one("driver", good["driver"], now["driver"]),
        *_of_files(good["files"], now["files"], good_texts, texts),
        *_of_arguments(good["command"], now["command"]),
        *_of_variables(good["environment"], now["environment"]),
        *_of_data(good["data"], now["data"]),
        *_of_one("machine", good["machine"], now["machine"]),
        *_of_one("commit", good["commit"][:12], now["commit"][:12]),
    ]
    return rows[:_MOST_ROWS]


def _change(kind: Kind, name: str, before: str, after: str, lines: typing.Sequence[str] = ()) -> Change:
    return {"kind": kind, "name": name, "before": before[:200], "after": after[:200], "lines": list(lines)}


def _of_one(kind: Kind, before: str, after: str) -> list[Change]:
    known = before and after  # a value that one of the two runs does not have is not a change
    return [_change(kind, kind, before, after)] if known and before != after else []


def _of_values(kind: Kind, before: typing.Mapping[str, str], after: typing.Mapping[str, str]) -> list[Change]:
    if kind == "package" and not (before and after):
        return []
    names = sorted(name for name in {**before, **after} if before.get(name) != after.get(name))
    return [_change(kind, name, before.get(name, ""), after.get(name, "")) for name in names]


def _of_variables(before: typing.Mapping[str, str], after: typing.Mapping[str, str]) -> list[Change]:
    # An empty value is not the same as a missing one.
    quoted = [{name: value or '""' for name, value in values.items()} for values in (before, after)]
    return sorted(_of_values("variable", *quoted), key=lambda change: not _STEERS.fullmatch(change["name"]))


def _of_files(
    before: typing.Mapping[str, str],
    after: typing.Mapping[str, str],
    old_texts: typing.Mapping[str, str],
    texts: typing.Mapping[str, str],
) -> list[Change]:
    rows: list[Change] = []
    for path, mark in after.items():
        if path not in before:
            rows.append(_change("file", path, "", mark))
        elif before[path] != mark:
            lines = changed_lines(old_texts[path], texts[path]) if path in old_texts and path in texts else []
            rows.append(_change("file", path, before[path], mark, lines))
    gone = [path for path in before if path not in after and not os.path.exists(path)]
    return [*rows, *(_change("file", path, before[path], "") for path in gone)]


def changed_lines(before: str, after: str) -> list[str]:
    """The changed lines of the new text: ``40-52``; ``after 7`` if some were removed.

    >>> changed_lines("a\\nb\\nc\\nd", "a\\nx\\ny\\nc")
    ['2-3', 'after 4']
    """
    import difflib

    old, new = before.splitlines(), after.splitlines()
    places: list[str] = []
    for operation, _, _, first, last in difflib.SequenceMatcher(None, old, new, autojunk=len(old) > 2000).get_opcodes():
        if operation == "delete":
            places.append(f"after {first}")
        elif operation != "equal":
            places.append(f"{first + 1}-{last}" if last - first > 1 else str(last))
    return places


def _of_arguments(before: list[str], after: list[str]) -> list[Change]:
    import difflib

    rows: list[Change] = []
    for operation, first, last, begin, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if operation != "equal":
            rows.append(_change("argument", "command line", " ".join(before[first:last]), " ".join(after[begin:end])))
    return rows


def _of_data(before: typing.Mapping[str, list[float]], after: typing.Mapping[str, list[float]]) -> list[Change]:
    """Files that both runs were seen to read: sampling may have missed others."""
    return [
        _change("data", path, _data_words(before[path]), _data_words(after[path]))
        for path in sorted(before)
        if path in after and before[path] != after[path]
    ]


def _data_words(state: list[float]) -> str:
    size, changed = state
    return f"{size:.0f} bytes of {time.strftime('%Y-%m-%d %H:%M', time.localtime(changed))}"


def words_of(since: SinceLastGood) -> str:
    """``Since the last good run (Tuesday, 2026-11-17 14:03): keras 3.9.2 -> 3.12.0, ...``."""
    moment = time.strptime(since["when"], "%Y-%m-%dT%H:%M:%S")
    when = time.strftime("%A, %Y-%m-%d %H:%M", moment)
    if not since["changes"]:
        return f"Since the last good run ({when}) nothing has changed that tfhelp keeps."
    return f"Since the last good run ({when}): {', '.join(map(change_words, since['changes']))}"


def change_words(change: Change) -> str:
    """One change in words: ``CUDA_VISIBLE_DEVICES added (0)``, ``train.py lines 40-52``."""
    from tfhelp.collectors.run.waiting_calls import short_name

    if change["kind"] == "file":
        return f"{short_name(change['name'])} {_places(change)}"
    name = short_name(change["name"]) if change["kind"] == "data" else change["name"]
    before, after = _short(change["before"]), _short(change["after"])
    if not before:
        return f"{name} added ({after})"
    return f"{name} {before} -> {after}" if after else f"{name} removed ({before})"


def _places(change: Change) -> str:
    if not change["before"]:
        return "is new"
    if not change["after"]:
        return "was removed"
    if not change["lines"]:
        return "changed"
    shown = change["lines"][:_MOST_PLACES]
    more = f" and {len(change['lines']) - _MOST_PLACES} more places" if len(change["lines"]) > _MOST_PLACES else ""
    several = len(shown) > 1 or "-" in shown[0]
    return f"{'lines' if several else 'line'} {', '.join(shown)}{more}"


def _short(value: str) -> str:
    return value if len(value) <= _LONGEST_VALUE else f"{value[: _LONGEST_VALUE - 3]}..."
