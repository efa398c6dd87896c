"""Reading of small files of the system that may not be there."""


def read_file(path: str, limit: int = 1 << 20) -> str:
    """A text file's first ``limit`` bytes; the empty string where it cannot be read. Files of /proc have no size."""
    parts = []
    try:
        with open(path, "rb", buffering=0) as file:
            while limit > 0 and (part := file.read(min(limit, 65536))):
                parts.append(part)
                limit -= len(part)
    except OSError:
        return ""
    return b"".join(parts).decode("utf-8", "replace")
