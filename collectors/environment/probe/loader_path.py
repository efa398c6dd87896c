"""Where the dynamic loader looks for libraries: run paths in ELF files, LD_LIBRARY_PATH, the loader's cache."""

import os
import re

from .findings import names_in

if False:  # for the type checker only
    import types

# fmt: off
LIBRARIES = (
    "libcudart", "libcudnn", "libcublas", "libcublasLt", "libcufft", "libcusolver", "libcusparse",
    "libnccl", "libcupti", "libnvinfer",
)
# fmt: on
_FAMILIES = LIBRARIES + ("libcuda.so",)
_SEGMENT = 56  # bytes of a program header


def _loader_cache(file: str) -> "dict[str, list[str]]":
    """Soname -> files, from the strings of glibc's ``ld.so.cache``: a name, then its path, each terminated by a zero byte."""
    try:
        with open(file, "rb") as cache:
            data = cache.read(1 << 24)
    except OSError:
        return {}
    found = {}  # type: dict[str, list[str]]
    for part in data.split(b"\0"):
        if part.startswith(b"/") and b"/lib" in part:
            path = part.decode("utf-8", "replace")
            name = path.rpartition("/")[2]
            if name.startswith(_FAMILIES) and "/i386-" not in path and "/lib32/" not in path:
                found.setdefault(name, []).append(path)
    return found


def run_path(file: str) -> "tuple[bool, list[str], str]":
    """Folders that a shared library searches first for other libraries, read from its ELF header (64-bit, little-endian).

    Returns:
        (whether they precede LD_LIBRARY_PATH, as DT_RPATH does and DT_RUNPATH does not; the folders; why the file
        cannot be read, empty if it can).
    """
    import struct

    try:
        return _run_path(file, struct) + ("",)
    except (struct.error, OSError, OverflowError, ValueError, MemoryError) as error:  # cut off, or not an ELF file after all
        reason = getattr(error, "strerror", None) or "it is cut off or damaged"
        return False, [], f"{file}: {reason}"


def _run_path(file: str, struct: "types.ModuleType") -> "tuple[bool, list[str]]":
    with open(file, "rb") as library:
        header = library.read(64)
        if header[:6] != b"\x7fELF\x02\x01" or len(header) < 64:
            raise ValueError("no library of 64 bits")
        offset = struct.unpack_from("<Q", header, 32)[0]
        size, count = struct.unpack_from("<HH", header, 54)
        if size != _SEGMENT:
            raise ValueError("segments of another size")
        library.seek(offset)
        segments = list(struct.iter_unpack("<IIQQQQQQ", library.read(size * count)))
        entries = []  # type: list[tuple[int, int]]
        for kind, _, place, _, _, length, _, _ in segments:
            if kind == 2:  # PT_DYNAMIC
                library.seek(place)
                entries = list(struct.iter_unpack("<QQ", library.read(min(length, 1 << 16) // 16 * 16)))
        tags = dict(reversed(entries))
        tag = 29 if 29 in tags else 15  # DT_RUNPATH, DT_RPATH
        if tag not in tags or 5 not in tags:
            return False, []
        # DT_STRTAB is an address; the segment (PT_LOAD) that holds it tells where in the file that is.
        for kind, _, place, address, _, length, _, _ in segments:
            if kind == 1 and address <= tags[5] < address + length:
                library.seek(place + tags[5] - address + tags[tag])
                text = library.read(1 << 20).partition(b"\0")[0].decode("utf-8", "replace")
                origin = os.path.dirname(os.path.abspath(file))
                # TensorFlow's linker repeats the same few folders hundreds of times.
                parts = dict.fromkeys(part for part in text.split(":") if part)
                return tag == 15, list(dict.fromkeys(os.path.normpath(part.replace("$ORIGIN", origin)) for part in parts))
    return False, []


class LoaderPath:
    """Where the dynamic loader looks for the libraries that TensorFlow opens: folders in order, and the loader's cache."""

    __slots__ = ("cache", "folders", "listings", "unreadable")

    def __init__(self, tensorflow: str, root: str = "/") -> None:
        own, first = [], False
        self.unreadable = []  # type: list[str]
        for name in ("libtensorflow_framework.so.2", "libtensorflow_cc.so.2", "libtensorflow_framework.so.1"):
            file = os.path.join(tensorflow, name)
            if tensorflow and os.path.isfile(file):
                before, folders, fault = run_path(file)
                self.unreadable += [fault] if fault else []
                own += folders
                first = first or before
        given = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
        found = own + given if first else given + own
        self.folders = [folder for folder in dict.fromkeys(found) if os.path.isdir(folder)]
        self.listings = {folder: set(names_in(folder)) for folder in self.folders}
        self.cache = _loader_cache(os.path.join(root, "etc/ld.so.cache"))
        for folder in ("/lib64", "/usr/lib64", "/lib", "/usr/lib"):
            for name in names_in(os.path.join(root, folder.lstrip("/"))):
                if name.startswith(_FAMILIES):
                    self.cache.setdefault(name, []).append(folder + "/" + name)

    def files(self, soname: str) -> "list[str]":
        """Every file of that name on the path, in the loader's search order; links to the same file count once."""
        found = {}  # type: dict[str, str]
        for file in [folder + "/" + soname for folder in self.folders if soname in self.listings[folder]] + self.cache.get(
            soname, []
        ):
            if os.path.exists(file):
                found.setdefault(os.path.realpath(file), file)
        return list(found.values())

    def sonames(self, family: str) -> "list[str]":
        """Names of one family, such as ``libcudart.so.12``, found anywhere on the path, in the loader's order."""
        pattern = re.compile(re.escape(family) + r"\.so\.[\d.]+$")
        seen = [name for folder in self.folders for name in sorted(self.listings[folder], key=len) if pattern.match(name)]
        seen += sorted((name for name in self.cache if pattern.match(name)), key=len)
        return list(dict.fromkeys(seen))
