"""``python -m tests.benchmarks.incidents.resident PATH``: bytes that the search of an SQLite memory adds to a process."""

import os
import pathlib
import sys

import faiss

from tests.benchmarks.incidents import data
from tfhelp.service.memory.database import open_engine
from tfhelp.service.memory.indexes.choice import similar_of


def main() -> None:
    """Print how many more bytes are resident after 200 look-ups than before the search was opened."""
    engine = open_engine(sys.argv[1])
    asked = data.vectors(200, seed=10**9)
    faiss.omp_set_num_threads(1)
    before = _resident()
    search = similar_of(engine, print)
    for row in asked:
        search.nearest(row.tobytes(), 10)
    print(_resident() - before)


def _resident() -> int:
    return int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
