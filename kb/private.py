"""Private knowledge: folders of a team's own entries, added to the shipped knowledge base.

``TFHELP_KB`` names the folders, and ``--kb DIR`` adds to it, so that child processes use them too. An entry has the same format
as in ``kb/entries``. A folder is compiled once for each state of its files (``tfhelp.kb.private_build``, which needs YAML and
pydantic) and kept in the user's cache; afterwards a cold start only hashes the files and reads one.
"""

import contextlib
import os
import sys
import time
import typing

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compiled import Knowledge, KnowledgeError
from tfhelp.kb.sections import mapped

VARIABLE = "TFHELP_KB"
HEALTHY = "healthy"
_CACHE_VARIABLE = "TFHELP_CACHE"
_FORMAT = 2
_SUFFIXES = (".yaml", ".py", ".json")
_DAY_S = 86_400.0
_KEPT = 4  # states of one folder that stay in the cache: several releases of tfhelp may share the cache


class Part(typing.NamedTuple):
    """A private folder, compiled.

    Attributes:
        folder: as the user named it.
        knowledge: its valid entries, in a compiled file without tables.
        places: entry -> file and line of its id.
        faults: ``file:line: field: message`` of the entries that were left out.
        key: hash of everything that it was built from.
    """

    folder: str
    knowledge: Knowledge
    places: dict[str, str]
    faults: list[str]
    key: str


def named_folders() -> list[str]:
    """The folders that ``TFHELP_KB`` names, each once, in order."""
    found: dict[str, str] = {}
    for name in os.environ.get(VARIABLE, "").split(os.pathsep):
        if name.strip():
            found.setdefault(os.path.realpath(name), name)
    return list(found.values())


def add_folders(folders: typing.Sequence[str]) -> None:
    """Make this process and its child processes use further folders of private knowledge.

    Raises:
        KnowledgeError: one of them is not a folder.
    """
    for folder in folders:
        check_folder(folder)
    os.environ[VARIABLE] = os.pathsep.join([*named_folders(), *folders])


def check_folder(folder: str) -> None:
    """Raise an error if the path is not a folder.

    Raises:
        KnowledgeError: there is no such folder, or its name contains the separator of ``TFHELP_KB``.
    """
    if not os.path.isdir(folder):
        raise KnowledgeError(f"{folder}: private knowledge (--kb or {VARIABLE}) is a folder, and there is no such folder")
    if os.pathsep in folder:
        raise KnowledgeError(f"{folder}: a folder of private knowledge has no {os.pathsep!r} in its name")


def parts(shipped: Knowledge) -> list[Part]:
    """The named folders, each compiled or read from the cache.

    Raises:
        KnowledgeError: a name is not that of a folder, or a folder cannot be read.
    """
    return [part_of(folder, shipped) for folder in named_folders()]


def part_of(folder: str, shipped: Knowledge) -> Part:
    """One folder, compiled or read from the cache.

    Raises:
        KnowledgeError: it is not a folder, or it cannot be read.
    """
    check_folder(folder)
    try:
        key = content_key(folder, shipped.version)
    except OSError as error:
        raise KnowledgeError(f"{error.filename or folder}: cannot be read ({error.strerror})") from None
    kept = cache_file(folder, f"{key}.bin")
    try:
        return _part(folder, mapped(kept), kept, key)
    except (OSError, ArtefactError, KeyError, TypeError):
        pass  # missing or damaged: it is compiled
    from tfhelp.kb.private_build import compile_folder

    content = compile_folder(folder, shipped)
    keep(kept, content, cache_prefix(folder))
    return _part(folder, content, kept, key)


def _part(folder: str, content: bytes | memoryview, path: str, key: str) -> Part:
    knowledge = Knowledge(content, path)
    about = knowledge.line("about")
    return Part(folder, knowledge, about["places"], about["faults"], key)


def source_files(folder: str) -> list[str]:
    """Files of a folder's entries, relative to it with ``/``, sorted: those of ``<entry>/`` and ``<family>/<entry>/``."""
    found: list[str] = []
    for above, folders, files in os.walk(folder):
        place = os.path.relpath(above, folder).replace(os.sep, "/")
        depth = 0 if place == "." else place.count("/") + 1
        folders[:] = [name for name in folders if depth < 2 and not name.startswith((".", "__")) and (depth or name != HEALTHY)]
        if depth:
            found += [f"{place}/{name}" for name in files if name.endswith(_SUFFIXES)]
    return sorted(found)


def content_key(folder: str, shipped_version: str) -> str:
    """Hash of the entries' files and of everything else that the compiled form depends on.

    Raises:
        OSError: a file cannot be read.
    """
    import hashlib

    digest = hashlib.sha256(f"{_FORMAT} {shipped_version} {sys.version_info[:2]}".encode())
    for name in source_files(folder):
        with open(os.path.join(folder, name), "rb") as file:
            content = file.read()
        digest.update(f"\0{name}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
    return digest.hexdigest()[:24]


def cache_folder() -> str:
    """``$TFHELP_CACHE``, else ``tfhelp`` in the user's cache folder; on Windows below ``%LOCALAPPDATA%``."""
    if os.environ.get(_CACHE_VARIABLE):
        return os.environ[_CACHE_VARIABLE]
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "tfhelp")


def cache_prefix(folder: str) -> str:
    """The common prefix of the names of all files that are cached for a folder."""
    import zlib

    return f"kb-{zlib.crc32(os.path.realpath(folder).encode('utf-8', 'surrogateescape')):08x}-"


def cache_file(folder: str, name: str) -> str:
    """The cache path of something made from a folder."""
    return os.path.join(cache_folder(), cache_prefix(folder) + name)


def keep(path: str, content: bytes, prefix: str = "") -> None:
    """Write a file into the cache atomically, so that no process sees half of it. Errors are ignored: the cache is optional.

    Args:
        path: the file.
        content: its bytes.
        prefix: the prefix of files of the same kind; the oldest of them are deleted.
    """
    from tfhelp.kb.whole_file import write_whole

    folder, name = os.path.split(path)
    with contextlib.suppress(OSError):  # the folder is not writable, or the disk is full: the next start compiles again
        os.makedirs(folder, mode=0o700, exist_ok=True)
        write_whole(path, content)
        if prefix:
            _delete_oldest(folder, prefix, os.path.splitext(name)[1])


def _delete_oldest(folder: str, prefix: str, suffix: str) -> None:
    paths = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(prefix)]
    kept = sorted((path for path in paths if path.endswith(suffix)), key=os.path.getmtime)
    long_ago = time.time() - _DAY_S
    left = [path for path in paths if path.endswith(".new") and os.path.getmtime(path) < long_ago]  # by a process that was killed
    for path in kept[:-_KEPT] + left:
        os.remove(path)
