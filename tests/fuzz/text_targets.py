"""The readers of a pasted text: from its bytes to lines, records, facts, the course of the run and signatures."""

import functools
import io
import typing

from tests.benchmarks.recordings import failures, healthy
from tests.collectors.intake import samples
from tests.fuzz.target import Target
from tfhelp.collectors import course, intake, text_facts
from tfhelp.collectors.intake import binaries, compression, encodings
from tfhelp.collectors.reading import byte_stream, read
from tfhelp.collectors.reading.line_templates import shape
from tfhelp.collectors.redaction import redact
from tfhelp.index.sieve import MOST_KEPT, sieve
from tfhelp.index.signatures import scan
from tfhelp.kb import compiled
from tfhelp.kb.fact_sheet import FactSheet, read_document
from tfhelp.kb.text import Text
from tfhelp.service.diagnosis.long_text import scanners

_SEED = 3_000  # bytes of a recording's end, where the failure is
_UNPACKED = 1 << 16
_NAMES = ("", "train.log", "train.py", "a.ipynb", "model.pb", "train.log.gz", "weights.pkl", "x.zip")


@functools.cache
def knowledge() -> compiled.Knowledge:
    """The knowledge base, loaded once."""
    return compiled.load()


@functools.cache
def fact_types() -> dict[str, str]:
    """Path -> type of every fact."""
    return knowledge().fact_types


@functools.cache
def recorded() -> list[bytes]:
    """The ends of real programs' outputs."""
    return [one.output.encode()[-_SEED:] for one in [*failures()[::4], *healthy()[::3]]]


def files() -> typing.Iterator[bytes]:
    """A name's number, and a file of each kind."""
    import bz2
    import gzip
    import lzma

    import zstandard

    log = samples.LOG.encode()
    kinds = [samples.png(), samples.hdf5(), samples.npz(), gzip.compress(log), bz2.compress(log), lzma.compress(log)]
    kinds += [zstandard.ZstdCompressor().compress(log), gzip.compress(gzip.compress(log))[:-9], log.decode().encode("utf-16")]
    kinds += [samples.SCRIPT.encode(), samples.notebook(samples.error_output()).encode(), samples.NVIDIA_SMI.encode(), log]
    kinds += [b"\x80\x04\x95\x10\x00", b"PK\x03\x04word/", b'{"_about": {}, "os": {"name": "linux"}}\n' + log, b"\x7fELF\x02\x01"]
    for number, kind in enumerate(kinds):
        yield bytes([number % len(_NAMES)]) + kind


def _intake(data: bytes) -> object:
    """A name's number and a file."""
    name, content = _NAMES[data[0] % len(_NAMES)] if data else "", data[1:]
    taken = intake.take(content, name, _UNPACKED)
    assert taken.refused or len(taken.text) <= max(_UNPACKED, len(content))
    assert "\x00" not in taken.text or taken.kinds == ["text"]
    if not taken.refused and taken.kinds == ["text"]:
        assert taken.text == intake.unpack(content, name, _UNPACKED).text  # nothing recognised, nothing lost
    if "facts" in taken.kinds and taken.text.strip():
        assert taken.text.rstrip().count("\n") <= content.count(b"\n")
    intake.needs_whole(content[:64], name)
    return taken.text, taken.kinds, taken.notes, taken.refused, taken.facts, taken.scripts


def _encoded(data: bytes) -> object:
    text, notes = encodings.decode(data)
    assert "\x00" not in text and len(text) <= len(data)
    text.encode()
    file = io.BytesIO(data)
    streamed = b"".join(byte_stream.pieces(file.read(7), file.read))
    streamed.decode()
    assert b"\x00" not in streamed
    if not notes and data[:2] not in (b"\xff\xfe", b"\xfe\xff") and not encodings.utf_16_without_mark(data[:4096]):
        assert streamed.decode().lstrip("\ufeff") == text.lstrip("\ufeff")
    return text, notes, binaries.refusal(data[:4096], "a.pb")


def _unpacked(data: bytes) -> object:
    """Each kind of compression, regardless of the first bytes."""
    results = []
    for kind in ("gzip", "bzip2", "xz", "zstd"):
        content, notes, refused = compression.unpacked(data, kind, "a", _UNPACKED)
        assert len(content) <= _UNPACKED
        assert refused or notes
        results.append((content, notes, refused))
    return results


def _decoded(data: bytes) -> str:
    return encodings.decode(data)[0]


def described(text: Text) -> list[tuple[object, ...]]:
    """The content of a text's records."""
    return [
        (one.kind, one.text, one.message, one.first_line, one.last_line, one.origin, one.count, one.frames)
        for one in text.records
    ]


def _read(data: bytes) -> object:
    content = _decoded(data)
    text = read(content)
    count = content.count("\n") + 1
    numbers, every = {line.number for line in text.lines}, set(range(1, count + 1))
    # A line that a terminal cut has the number of its first piece. No terminal is narrower than sixty characters.
    assert numbers == every or (1 in numbers and numbers < every and max(map(len, content.split("\n"))) >= 60)
    for record in text.records:
        assert 1 <= record.first_line <= record.last_line <= count
        assert 1 <= record.line <= count
        assert record.count >= 1 and record.text == record.text.strip()
        shape(record.text)
    assert [one.first_line for one in text.records] == sorted(one.first_line for one in text.records)
    if any(line.text.strip() for line in text.lines):
        # A line without a line break may consist only of the words between two tracebacks. A fence of Markdown is no record.
        assert text.records or all("exception" in line.text or not line.text.strip(" \t`~") for line in text.lines)
    return described(text)


def _lines_of(sheet: FactSheet) -> typing.Iterator[int]:
    for about in sheet.about.values():
        if about["source"].startswith("log line "):
            yield int(about["source"].split()[2].rstrip(","))


def _facts(data: bytes) -> object:
    content = _decoded(data)
    sheet = text_facts.read(read(content))
    read_document(sheet.document(), fact_types())  # raises an error if a value is not of its fact's type
    assert all(1 <= number <= content.count("\n") + 1 for number in _lines_of(sheet))
    return sheet.document(), sheet.lost


def _course(data: bytes) -> object:
    content = _decoded(data)
    sheet = FactSheet()
    course.put_course(read(content), sheet)
    read_document(sheet.document(), fact_types())
    assert all(1 <= number <= content.count("\n") + 1 for number in _lines_of(sheet))
    return sheet.document()


@functools.cache
def _scanners() -> typing.Any:
    return scanners(knowledge())


def _sieved(data: bytes) -> object:
    """The number of repetitions of the text, and the text."""
    body = data[1:] * (1 + (data[0] if data else 0) * 8) if len(data) < 2_000 else data
    file = io.BytesIO(body)
    parts = sieve(byte_stream.pieces(file.read(64), file.read), *_scanners())
    assert sum(len(part.encode()) for _, part in parts) <= MOST_KEPT + 1_000
    valid = body.decode("utf-8", "replace").replace("\x00", "") if body[:2] not in (b"\xff\xfe", b"\xfe\xff") else None
    if valid is not None:
        lines = valid.split("\n")
        for first, part in parts:
            assert 1 <= first <= len(lines)
            head = part.split("\n")[0]
            assert head.strip("\ufffd") in lines[first - 1]
    return parts


def _scanned(data: bytes) -> object:
    records = read(_decoded(data)).records
    hits = scan(knowledge().signatures, records)
    assert all(any(hit.record is record for record in records) for hit in hits)
    return [(hit.signature.entry, hit.record.first_line) for hit in hits]


def _redacted(data: bytes) -> object:
    text = data.decode("utf-8", "replace")
    once = redact(text)
    assert redact(once) == once
    assert once.count("\n") == text.count("\n")
    return once


def _secrets() -> typing.Iterator[bytes]:
    yield b"alice@gpu07:~$ HF_TOKEN=hf_abcdefghijklmnopqrstuv python /home/alice/train.py --api_key 0123456789abcdef"
    yield b"-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\nhttps://bob:pw@10.1.2.3:2222/x"
    yield b'{"password": "x1y2z3", "Authorization": "Bearer abc.def.ghi"} ACME\\bob C:\\Users\\bob MASTER_ADDR=10.3.4.5'
    yield from recorded()[::6]


_LOG_WORDS = ("Traceback (most recent call last):\n", '  File "a.py", line 1, in f\n', "\r", "\x1b[31m", "[1,0]<stderr>:", "\\n")
_LOG_WORDS += ("2024-01-01 00:00:00.000001: E ", "Epoch 1/2", "Killed", "DataLossError: ", "\n\nDuring handling of the above")
_LOG_WORDS += ('{"log":"', "nvidia-smi", "E0000 00:00:1700000000.1 1 a.cc:1] ", "- loss: 0.1", "shape[1,2]")
_TABLES = (
    "NVIDIA-SMI 535",
    "Driver Version:",
    "Package Version\n",
    "------- -------\n",
    "tensorflow 2.15.0",
    "==============NVSMI LOG==",
)
_TABLES += (
    "pip",
    "MiB",
    "CUDA Version: 12.2",
    "# packages in environment at",
    "NVRM: Xid (PCI:0000:3b:00): 79,",
    "Killed process 1 (a)",
)


def _tables() -> typing.Iterator[bytes]:
    yield samples.NVIDIA_SMI.encode()
    yield b"Package    Version\n---------- -------\ntensorflow 2.15.0\nnumpy      2.0.1\n"
    yield b"tensorflow==2.15.0\nkeras @ file:///x/keras-3.0.0.whl\n"
    yield b"# packages in environment at /opt/conda:\n#\n# Name   Version  Build  Channel\ntensorflow  2.15.0  py_0  conda-forge\n"
    yield b"==============NVSMI LOG==============\n\nDriver Version : 535.104.05\nCUDA Version : 12.2\nGPU 00000000:01:00.0\n    Product Name : A100\n    FB Memory Usage\n        Total : 81920 MiB\n"
    yield b"index, name, memory.total [MiB], memory.used [MiB]\n0, NVIDIA A100, 81920 MiB, 512 MiB\n"
    yield b"[1.1] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n[2.2] Out of memory: Killed process 4711 (python3) total-vm:9kB\n"
    yield b"tensorflow version: 2.9.1\nPython version: 3.8\n| CUDA | 11.2 |\n"


TARGETS = (
    Target(
        "intake",
        _intake,
        files,
        words=("\x1f\x8b\x08", '"cells"', '"nbformat": 4', '"_about"', "\nimport ", "```\n", "PK\x03\x04"),
    ),
    Target("encodings", _encoded, files, words=("\xff\xfe", "\xef\xbb\xbf", "\x00", "\r\n")),
    Target("compression", _unpacked, lambda: (one[1:] for one in files()), words=("\x1f\x8b\x08", "BZh91AY&SY", "\xfd7zXZ\x00")),
    Target("reading", _read, recorded, words=_LOG_WORDS),
    Target("text-facts", _facts, recorded, words=_LOG_WORDS + _TABLES),
    Target("tables", _facts, _tables, words=_TABLES),
    Target("course", _course, recorded, words=_LOG_WORDS),
    Target("sieve", _sieved, lambda: (b"\x03" + one for one in recorded()), words=_LOG_WORDS, pumped=False),
    Target("signatures", _scanned, recorded, words=_LOG_WORDS),
    Target(
        "redaction",
        _redacted,
        _secrets,
        words=("password=", "token:", "-----BEGIN PRIVATE KEY-----", "/home/", "@", "10.0.0.1", "Bearer "),
    ),
)
