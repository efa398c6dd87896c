"""Files that hold no text, recognised by their first bytes, and what to paste instead.

The signatures are those of the formats' own specifications; the database of ``file`` has the same ones.
"""

from tfhelp.collectors.intake import encodings

_IMAGE = "Paste the text of the error instead"
_INSIDE = "Unpack it, and paste the log that is in it"
_PASTE = "Paste what the program printed instead"
_EVENTS = "Paste what the training printed on the terminal instead"

# (offset, bytes, what it is, what to do)
_MAGIC: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image", _IMAGE),
    (0, b"\xff\xd8\xff", "a JPEG image", _IMAGE),
    (0, b"GIF87a", "a GIF image", _IMAGE),
    (0, b"GIF89a", "a GIF image", _IMAGE),
    (0, b"II*\x00", "a TIFF image", _IMAGE),
    (0, b"MM\x00*", "a TIFF image", _IMAGE),
    (8, b"WEBP", "a WebP image", _IMAGE),
    (8, b"WAVE", "a WAV sound file", _IMAGE),
    (4, b"ftyphei", "an HEIC photo", _IMAGE),
    (4, b"ftypmif1", "an HEIF photo", _IMAGE),
    (4, b"ftypavif", "an AVIF image", _IMAGE),
    (4, b"ftyp", "a video", _IMAGE),
    (0, b"\x1aE\xdf\xa3", "a video", _IMAGE),
    (0, b"%PDF-", "a PDF document", "Copy the text of the error out of it and paste that"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document", "Copy the text of the error out of it and paste that"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file, such as saved weights or data", _PASTE),
    (0, b"\x93NUMPY", "a NumPy array", _PASTE),
    (0, b"SQLite format 3\x00", "an SQLite database", _PASTE),
    (0, b"PAR1", "a Parquet file", _PASTE),
    (0, b"ARROW1\x00\x00", "an Arrow file", _PASTE),
    (4, b"TFL3", "a TensorFlow Lite model", _PASTE),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", _INSIDE),
    (0, b"Rar!\x1a\x07", "a RAR archive", _INSIDE),
    (257, b"ustar", "a tar archive", _INSIDE),
    (0, b"MDMP", "a crash dump of Windows", _PASTE),
    (0, b"ElfFile\x00", "an event log of Windows", "Save the events as text, and paste that"),
    (0, b"\xca\xfe\xba\xbe", "a program for macOS or a Java class", _PASTE),
    (0, b"\xcf\xfa\xed\xfe", "a program for macOS", _PASTE),
    (0, b"\x08\x01\x12", "a protobuf file, such as a saved model", _PASTE),
)
_BY_NAME = {
    ".pb": ("a protobuf file, such as a saved model", _PASTE),
    ".pbtxt": ("", ""),
    ".ckpt": ("a checkpoint", _PASTE),
    ".index": ("the index of a checkpoint", _PASTE),
    ".pkl": ("a pickle", _PASTE),
    ".pickle": ("a pickle", _PASTE),
}
_ZIPPED = (
    (b".npy", "a NumPy archive (.npz)"),
    (b"model.weights.h5", "a saved Keras model (.keras)"),
    (b"metadata.jsonPK", "a saved Keras model (.keras)"),
    (b"word/", "a Word document"),
    (b"xl/", "an Excel workbook"),
    (b"[Content_Types].xml", "an Office document"),
    (b".dist-info/", "a Python wheel"),
    (b"archive/data.pkl", "a saved PyTorch model"),
)
_ZIP_NAMES = {
    ".whl": "a Python wheel",
    ".npz": "a NumPy archive (.npz)",
    ".keras": "a saved Keras model (.keras)",
    ".docx": "a Word document",
    ".xlsx": "an Excel workbook",
    ".jar": "a Java archive",
}
# Control characters that never occur in text; a terminal writes bell, backspace, tab, line ends, escape and shifts.
_CONTROLS = bytes([*range(1, 7), *range(16, 27), *range(28, 32)])
_MOST_CONTROLS = 0.04  # share of the bytes that are not NUL
_FEW = 8


def refusal(head: bytes, name: str = "") -> str:
    """Why a file is not text.

    Args:
        head: its first bytes, 4 KiB or all of them.
        name: its name, if there is one.

    Returns:
        One sentence on what it is and one on what to do, or empty if it may be text.
    """
    what, advice = _kind_and_advice(head, name.lower())
    return f"{name or 'This'} is {what}. {advice}." if what else ""


def _kind_and_advice(head: bytes, name: str) -> tuple[str, str]:
    for offset, magic, what, advice in _MAGIC:
        if head.startswith(magic, offset) and not (offset and head[:_FEW].isascii() and head.isascii() and 0 not in head):
            return what, advice
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(head, name), _INSIDE if _zip(head, name) == "a ZIP archive" else _PASTE
    if head.startswith(b"\x7fELF"):
        return _elf(head)
    if head[:2] == b"MZ" and (b"This program cannot be run in DOS mode" in head or b"PE\x00\x00" in head):
        return "a program for Windows", _PASTE
    if head[2:4] == b"\r\n" and head[4:8] in (b"\x00\x00\x00\x00", b"\x01\x00\x00\x00", b"\x03\x00\x00\x00"):
        return "compiled Python code (.pyc)", "Give the source file (.py) instead"
    if len(head) > 2 and head[:1] == b"\x80" and head[1] in range(2, 6) and head[2] in b"\x95}]c(q\x8c":
        return "a pickle", _PASTE
    if _is_tfrecord(head):
        return ("a TensorBoard events file", _EVENTS) if b"brain.Event:" in head[:64] else ("a TFRecord file", _PASTE)
    return _unknown(head, name)


def _zip(head: bytes, name: str) -> str:
    for ending, what in _ZIP_NAMES.items():
        if name.endswith(ending):
            return what
    return next((what for sign, what in _ZIPPED if sign in head), "a ZIP archive")


def _elf(head: bytes) -> tuple[str, str]:
    if head[16:17] == b"\x04":
        return "a core dump", "Run 'gdb python CORE', type 'bt', and paste what it prints"
    return "a compiled program or library (ELF)", _PASTE


def _is_tfrecord(head: bytes) -> bool:
    """A record begins with its length and the masked CRC-32C of the length (tensorflow/core/lib/io/record_writer.h)."""
    if len(head) < 12:
        return False
    checksum = _crc32c(head[:8])
    masked = ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF
    return int.from_bytes(head[8:12], "little") == masked


def _crc32c(data: bytes) -> int:
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def _unknown(head: bytes, name: str) -> tuple[str, str]:
    """A file of an unknown kind: it has too many characters that never occur in text."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or encodings.utf_16_without_mark(head):
        return "", ""
    said = len(head) - head.count(0)
    controls = said - len(head.translate(None, _CONTROLS + b"\x00"))
    if controls < _FEW or controls <= _MOST_CONTROLS * said:
        return "", ""
    for ending, (what, advice) in _BY_NAME.items():
        if name.endswith(ending) and what:
            return what, advice
    return "a binary file", _PASTE
